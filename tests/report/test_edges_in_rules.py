"""House edges of the main wager in the rules of play: by each strategy of the player."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from certify.filing.documents import list_parts, render_html
from certify.formatting import percentage
from certify.model.analysis import Analysis
from certify.model.game import Strategy
from certify.model.paytable import Commission, Rounding
from certify.model.submission import Submission
from certify.report.printed import printed_json
from tests.commands.submissions import read_part
from tests.report.conftest import Make
from tests.report.test_rules_document import find_tables, parse_rules, render

BOTH = ["House edge, optimal play", "House edge, house way"]
"""The words of the table of house edges in the mathematics report."""


def read_main_table(submission: Submission) -> list[list[str]]:
    (table,) = find_tables(
        parse_rules(submission),
        f"{submission.game.find_wager(submission.option).name}: payout, commission and house edge",
    )
    return table


def is_optimal(analysis: Analysis) -> bool:
    return analysis.main is not None and analysis.main.strategy is Strategy.OPTIMAL


def with_edges(submission: Submission, optimal: Fraction, house: Fraction) -> Submission:
    """Return a submission by the house way whose main wager has these edges."""
    comparison = tuple(
        replace(analysis, house_edge=optimal if is_optimal(analysis) else house)
        for analysis in submission.comparison
    )
    filed = {each.target: each for each in comparison if not is_optimal(each)}
    return replace(submission, comparison=comparison, analyses={**submission.analyses, **filed})


@pytest.mark.parametrize("name", ["mini-pai-gow", "dealer-open-pai-gow", "pai-gow-mania"])
def test_the_rules_print_the_edges_by_both_strategies(make: Make, name: str) -> None:
    submission = with_edges(make(name, "nevada"), Fraction(1, 1600), Fraction(27, 1000))
    head, *rows = read_main_table(submission)
    assert head[-2:] == BOTH
    assert len(rows) == len(submission.options)
    for row in rows:
        assert row[-2].startswith("0.0625%")
        assert row[-1].startswith("2.7000%")
    assert "House way: the player also sets by the house way." in render(submission)


def test_an_edge_that_play_does_not_change_has_one_column(make: Make) -> None:
    submission = with_edges(make("mini-pai-gow", "nevada"), Fraction(1, 40), Fraction(1, 40))
    head, row = read_main_table(submission)
    assert head[-1] == "House edge"
    assert row[-1] == percentage(Fraction(1, 40))
    assert "the player sets by the same house way" in render(submission)


def test_the_evidence_has_both_edges(make: Make) -> None:
    submission = with_edges(make("mini-pai-gow", "nevada"), Fraction(1, 1600), Fraction(27, 1000))
    sections = printed_json(submission)["rules"]
    (edges,) = [each["house_edges"] for each in sections if each.get("house_edges")]
    assert [(each["strategy"], each["house_edge"]) for each in edges] == [
        ("optimal", "1/1600"),
        ("house-way", "27/1000"),
    ]


WIN, LOSE, PUSH = 2402491783820756, 2506879990473120, 3341087256920524
"""Deals of the posted option by the Foxwoods house way, from its verification count."""


def test_a_posted_commission_has_the_edge_on_the_wager_alone(make: Make) -> None:
    """A loss costs the wager and 5% of it, a win pays the wager: per dollar of the wager."""
    total = WIN + LOSE + PUSH
    lost = Fraction(21 * LOSE - 20 * WIN, 20 * total)
    assert percentage(lost) == "2.7845%"
    together = lost / Fraction(21, 20)
    submission = with_edges(make("pai-gow-mania", "nevada"), Fraction(1, 40), together)
    (posted,) = [row for row in read_main_table(submission) if "in advance" in row[0]]
    said = "2.6519% of wager and commission together; 2.7845% of the wager alone"
    assert posted[-1] == said
    (winnings,) = [row for row in read_main_table(submission) if "Even money" in row[0]]
    assert "alone" not in winnings[-1]
    mathematics = read_part(submission, "mathematics")
    assert said in mathematics
    assert "where a commission is posted in advance, per dollar of wager and" in mathematics
    assert "alone" not in read_main_table(make("mini-pai-gow", "nevada"))[-1][-1]


@pytest.mark.parametrize(
    ("rounding", "words"),
    [
        (Rounding.UP, "up to a multiple of"),
        (Rounding.DOWN, "down to a multiple of"),
        (Rounding.NEAREST, "to the nearest multiple of"),
    ],
)
@pytest.mark.parametrize("prepaid", [False, True])
def test_each_document_says_how_a_commission_is_rounded(
    make: Make, rounding: Rounding, words: str, *, prepaid: bool
) -> None:
    submission = make("dealer-open-pai-gow", "nevada")
    taken = Commission(
        rate=Fraction(1, 20), prepaid=prepaid, unit_cents=25, rounding=rounding, minimum_cents=50
    )
    (wager,) = (each for each in submission.game.wagers if each.options)
    options = tuple(
        replace(each, commission=taken, wager_cents=1_000) if each == submission.main else each
        for each in wager.options
    )
    wagers = tuple(
        replace(each, options=options) if each is wager else each for each in submission.game.wagers
    )
    charged = replace(
        submission,
        game=replace(submission.game, wagers=wagers),
        main=next(each for each in options if each.commission),
    )
    said = f"5% rounded {words} $0.25, at least $0.50,"
    assert said in render(charged)
    for part in list_parts(charged):
        assert render_html(charged, part)
