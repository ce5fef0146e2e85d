import re
from fractions import Fraction

import pytest
from msgspec.structs import replace

from certify.figures.audit import judge_figures
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import load_catalog, select
from certify.formatting import percent
from certify.model.analysis import EnvyAnalysis
from certify.model.comparison import Agreement
from certify.model.jurisdiction import AggregateLimit, Terms
from tests.commands.submissions import compose_part
from tests.report.conftest import whole

EMPEROR = "emperors-challenge-exposed"
TREASURE = f"{EMPEROR}/emperors-treasure/PT-FLT-EC-ET-01"
OTHER_PLAYER = "0.5398"
"""Commission Free Pai Gow Express, envy table 2, prints 0.005398 for each other player at $5."""


def prizes(terms: Terms) -> EnvyAnalysis:
    (analysis,) = evaluate(select(TREASURE), Settings(terms=terms))
    assert analysis.envy is not None
    return analysis.envy


def limits(least: int | None = None, largest: int | None = None) -> Terms:
    return Terms(
        least_wagers=() if least is None else (("emperors-treasure", least),),
        largest_wagers=() if largest is None else (("emperors-treasure", largest),),
    )


@pytest.mark.parametrize(
    ("terms", "cents", "share"),
    [
        (limits(), 500, Fraction(1)),
        (limits(least=100), 500, Fraction(1)),
        (limits(least=500, largest=500), 500, Fraction(1)),
        (
            limits(least=1000),
            1000,
            Fraction(1, 2),
        ),  # the prize is the same, the wager twice as much
        (limits(least=1500), 1500, Fraction(1, 3)),
        (limits(largest=400), 400, Fraction(0)),  # no allowed wager qualifies
    ],
)
def test_prizes_are_priced_at_the_smallest_allowed_wager_that_qualifies(
    terms: Terms, cents: int, share: Fraction
) -> None:
    at_five, found = prizes(limits()), prizes(terms)
    assert percent(at_five.per_other_player) == OTHER_PLAYER
    assert found.wager_cents == cents
    assert found.per_other_player == at_five.per_other_player * share
    own = at_five.house_edge_by_players[1]
    assert found.house_edge_by_players[6] == own - 5 * found.per_other_player


def test_printed_figures_are_compared_at_the_wager_that_they_are_for() -> None:
    catalog = load_catalog()
    for least, expected in ((500, Agreement.AGREES), (1000, Agreement.AGREES)):
        analyses = evaluate(select(TREASURE), Settings(terms=limits(least)))
        judged = judge_figures(
            catalog, catalog.games[EMPEROR], {analysis.target: analysis for analysis in analyses}
        )
        of_prizes = [
            judged_rule
            for judged_rule in judged
            if judged_rule.figure.target == TREASURE
            and "envy" in judged_rule.figure.id + judged_rule.figure.quantity
        ]
        assert of_prizes
        assert {of_prize.agreement for of_prize in of_prizes} == {expected}


def test_documents_name_the_wager_of_every_figure_with_prizes() -> None:
    """At a table with a minimum of $10 no page prints what holds at $5 only."""
    plain = whole(EMPEROR, "nevada", (TREASURE,))
    terms = limits(least=1000)
    analyses = {
        analysis.target: analysis for analysis in evaluate(select(TREASURE), Settings(terms=terms))
    }
    ten = replace(plain, terms=terms, analyses={**plain.analyses, **analyses})
    for submission, shown, wager in ((plain, "0.5398%", r"\$5"), (ten, "0.2699%", r"\$10")):
        rules, report = compose_part(submission, "rules"), compose_part(submission, "mathematics")
        reduced = rf"per additional player \({wager} wager\)</th><td[^>]*>{shown}<"
        assert re.search(reduced, rules)
        assert re.search(rf"Wager assumed</th><td[^>]*>{wager}<", report)
        assert shown in report
    for part in ("rules", "mathematics"):
        page = compose_part(ten, part)
        assert "0.5398" not in page
        assert not re.search(r"5\.30\d\d%", page)  # printed there for six players at $5


def test_examples_stay_within_the_stated_limits() -> None:
    plain = whole(EMPEROR, "nevada", (TREASURE,))
    terms = Terms(
        least_wagers=(("emperors-treasure", 1500),),
        largest_wagers=(("main", 500),),
        aggregate_limits=(AggregateLimit(cents=5_000_000, wagers=("emperors-treasure",)),),
    )
    page = compose_part(replace(plain, terms=terms), "rules")
    staked = set(re.findall(r"a (\$[\d,]+) wager", page, re.IGNORECASE))
    assert staked == {"$15", "$5"}
    won = re.findall(r"wager wins \$([\d,]+)", page)
    assert max(int(amount.replace(",", "")) for amount in won) <= 50_000
