import re
from collections.abc import Callable
from fractions import Fraction
from html import unescape
from math import comb

import pytest
from msgspec.structs import replace

from certify.figures.play import limit_analyses
from certify.formatting import percentage
from certify.model.jurisdiction import AggregateLimit, Scope, Terms
from certify.model.paytable import CollectionFee, Commission, FeeBand
from certify.model.submission import Submission
from tests.commands.submissions import compose_part
from tests.html_documents import find_problems, parse, read_text
from tests.report.conftest import Make, layout_analysis
from tests.report.test_mathematics_document import LOSSES, find_rows, find_table, parse_report

EMPEROR = "emperors-challenge-exposed"
TREASURE = "PT-FLT-EC-ET-01"
FREE = "8.0008%"
Limit = Callable[..., Submission]


def terms(cents: int, *, scope: Scope = Scope.PLAYER, wagers: tuple[str, ...] = ()) -> Terms:
    return Terms(
        largest_wagers=(("emperors-treasure", 20_000),),
        least_wagers=(("emperors-treasure", 100),),
        aggregate_limits=(
            AggregateLimit(cents=cents, wagers=wagers or ("emperors-treasure",), scope=scope),
        ),
    )


def compute_limited_edge() -> str:
    """Appendix C at $200 under $10,000: by hand 50 to 1 for every hand that is paid more.

    32 * 4,950 + 72 * 950 + 196 * 700 + 1,128 * 200 + 26,020 * 50 = 1,890,600 less is paid over
    154,143,080 hands; without a limit the edge is 220226/2752555, as the source prints (8.00%).
    """
    return percentage(Fraction(220_226, 2_752_555) + Fraction(1_890_600, comb(53, 7)))


def render_rules(submission: Submission) -> str:
    return compose_part(submission, "rules")


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_every_figure_of_the_wager_is_printed_with_the_limit(limit: Limit) -> None:
    assert compute_limited_edge() == "9.2273%"
    submission = limit(EMPEROR, "nevada", terms(1_000_000), (TREASURE,))
    root = parse_report(submission)
    caption = f"Emperor's Treasure, {TREASURE}: with the payout limit of $10,000 to one player"
    rows = find_rows(root, caption)
    figures = {(row[0], row[1]): row[2:] for row in rows}
    assert figures["House edge", "$200"] == [FREE, compute_limited_edge()]
    assert [row[1] for row in rows if row[0] == "House edge"] == ["$2.01", "$5", "$200"]
    assert figures["Top award", "$200"] == ["$1,000,000", "$10,000"]
    spread = find_table(root, "table-volatility")
    full_row = next(row for row in spread if row[0].endswith(TREASURE))
    cut_row = next(row for row in spread if "at $200 under the limit" in row[0])
    assert full_row[1] == "91.999%"
    assert cut_row[1] == "90.773%"
    assert all(float(a.lstrip("±")) > float(b.lstrip("±"))
               for a, b in zip(full_row[2:], cut_row[2:], strict=True))  # fmt: skip
    edges = find_table(root, "table-players-figures-emperors-treasure")
    assert [row[2] for row in edges[1:]] == ["8.0008%", "8.0631%"]


def test_the_summary_and_the_conclusion_leave_the_limits_out(make: Make, limit: Limit) -> None:
    text = read_text(parse_report(limit(EMPEROR, "nevada", terms(1_000_000), (TREASURE,))))
    omitted = "are left out; for the figures with them, see section 6."
    assert f"The payout limits that the terms state {omitted}" in text
    assert "the rules and payouts stated without the payout limits of the terms" in text
    free = read_text(parse_report(make(EMPEROR, "nevada", (TREASURE,))))
    assert "The payout limits that the terms state" not in free
    assert "without the payout limits of the terms" not in free


def test_the_exposure_is_no_more_than_the_limit(make: Make, limit: Limit) -> None:
    whole = make(EMPEROR, "wsgc", (TREASURE,))
    free = treasure(whole)
    assert free[2:] == ["$400", "$2,000,000.00", "$12,000,000.00"]
    own = treasure(limit(EMPEROR, "wsgc", terms(1_000_000), (TREASURE,)))
    assert own[2:] == ["$200", "$10,000.00", "$60,000.00"]
    table = terms(1_500_000, scope=Scope.TABLE)
    shared = treasure(limit(EMPEROR, "wsgc", table, (TREASURE,)))
    assert shared[2:] == ["$200", "$15,000.00", "$15,000.00"]
    unknown = Terms(aggregate_limits=terms(1_000_000).aggregate_limits)
    any_wager = treasure(limit(EMPEROR, "nevada", unknown, (TREASURE,)))
    assert any_wager[2:] == ["any", "$10,000.00", "$60,000.00"]


def treasure(submission: Submission) -> list[str]:
    rows = find_rows(parse_report(submission), LOSSES)
    return next(row for row in rows if row[0].startswith(f"Emperor's Treasure, {TREASURE}"))


def test_wagers_under_one_limit_are_bounded_together(limit: Limit) -> None:
    both = terms(1_000_000, wagers=("emperors-treasure", "pai-gow-insurance"))
    tables = (TREASURE, "PT-FLT-EC-PGI-01")
    root = parse_report(limit(EMPEROR, "wsgc", both, tables))
    _, *losses, total = find_rows(root, LOSSES)
    assert [row[3] for row in losses[1:3]] == ["$10,000.00", "$10,000.00"]
    main = 400 * 6
    prizes = Fraction(losses[-1][4].lstrip("$").replace(",", ""))
    assert total[4] == f"${int(60_000 + main + prizes):,}.00"
    text = read_text(root)
    assert "at least 8.0008%, at most " in text
    assert "the figures are bounds" in text


@pytest.mark.parametrize("state", ["maryland", "new-jersey"])
def test_an_application_says_that_a_house_advantage_leaves_a_limit_out(
    make: Make, limit: Limit, state: str
) -> None:
    submission = limit(EMPEROR, state, terms(1_000_000), (TREASURE,))
    text = words(compose_part(submission, "application"))
    assert f"House advantage, without the payout limit, without envy {FREE}" in text
    assert f"House edge $200 {FREE} {compute_limited_edge()}" in text
    free = words(compose_part(make(EMPEROR, state, (TREASURE,)), "application"))
    assert "without the payout limit" not in free


@pytest.mark.parametrize("largest", [2_000, 2_500])
def test_a_limit_that_cuts_nothing_has_no_figures(limit: Limit, largest: int) -> None:
    """$25 × 1,000 to 1 is $25,000: a wager that is allowed is never cut."""
    both = AggregateLimit(cents=2_500_000, wagers=("bonus", "main"))
    wagers = (("bonus", largest), ("main", 100))
    for shared in (False, True):
        limits = (both if shared else replace(both, wagers=("bonus",)),)
        terms = Terms(largest_wagers=wagers, aggregate_limits=limits)
        text = read_text(parse_report(limit("mini-pai-gow", "nevada", terms, ("A",))))
        assert "and no wager here is larger" in text or shared
        assert "the figures are bounds" not in text or largest == 2_500  # shared, and cut
        assert "without the payout limits" not in text or shared
        named = "together for Bonus and Mini Pai Gow Poker wager"
        assert (named in text) is shared


def test_the_rules_print_both_edges_with_the_paytable(make: Make, limit: Limit) -> None:
    html = words(render_rules(limit(EMPEROR, "nevada", terms(1_000_000), (TREASURE,))))
    assert f"House edge {FREE} without the payout limit; with it" in html
    assert f"{compute_limited_edge()} at a wager of $200." in html
    assert (
        "At most $10,000 is paid at odds in one round to one player for Emperor's Treasure." in html
    )
    assert "A payout limit counts what is paid at odds for one deal" in html
    free = words(render_rules(make(EMPEROR, "nevada", (TREASURE,))))
    assert f"House edge {FREE}" in free
    assert "with the payout limit" not in free.lower()


def test_the_rack_card_of_a_wager_prints_its_limits(make: Make, limit: Limit) -> None:
    def cards(submission: Submission) -> list[str]:
        root = parse(render_rules(submission))
        return [
            read_text(element)
            for element in root.iter("div")
            if "rack-card" in (element.get("class") or "").split()
        ]

    main, treasure = cards(limit(EMPEROR, "nevada", terms(1_000_000), (TREASURE,)))
    assert "Minimum wager $1, maximum wager $200." in treasure
    assert (
        "At most $10,000 is paid at odds in one round to one player for Emperor's Treasure."
        in treasure
    )
    assert "$10,000" not in main
    assert "maximum wager" not in main
    (only,) = cards(
        limit(EMPEROR, "nevada", Terms(least_wagers=(("emperors-treasure", 500),)), (TREASURE,))
    )[1:]
    assert "Minimum wager $5." in only
    for card in cards(make(EMPEROR, "nevada", (TREASURE,))):
        assert "imum wager" not in card


def test_fixed_pays_of_a_meter_are_printed_with_the_limit(limit: Limit) -> None:
    wager = "emperors-treasure-progressive"
    metered = terms(50_000, wagers=(wager,))
    submission = limit(EMPEROR, "nevada", metered, ("PT-BJS-EC-ET-01",))
    name = "Emperor's Treasure Progressive, PT-BJS-EC-ET-01"
    rows = find_rows(
        parse_report(submission), f"{name}: with the payout limit of $500 to one player"
    )
    fixed = next(row for row in rows if row[0] == "Return of the fixed payouts")
    analysis = submission.analyses[f"{EMPEROR}/{wager}/PT-BJS-EC-ET-01"]
    assert analysis.progressive is not None
    free = analysis.progressive.fixed_return
    cut = Fraction(1_128 * 500, comb(53, 7))
    assert fixed[1:4] == ["$1", percentage(free), percentage(free - cut)]
    # 32 hands win the whole meter, 72 half of it and 196 a quarter: 117 meters over all hands.
    even = next(row for row in rows if row[0] == "Break-even of meter 1")
    without, under = (Fraction(cell.lstrip("$").replace(",", "")) for cell in even[2:4])
    assert abs(under - without - Fraction(1_128 * 500, 117)) <= Fraction(1, 100)


def test_without_terms_the_least_wager_that_a_limit_binds_is_stated(make: Make) -> None:
    """Nevada sets no largest wager, so the formula alone is printed."""
    formula = "A limit of L for one player and one wager binds above a wager of L / a"
    assert formula in read_text(parse_report(make(EMPEROR, "nevada", (TREASURE,))))
    stated = make(EMPEROR, "nevada", (TREASURE,), terms=Terms(aggregate_limits=()))
    assert formula not in read_text(parse_report(stated))


@pytest.mark.parametrize("scope", list(Scope))
def test_the_documents_break_no_rule_of_conformance(limit: Limit, game: str, scope: Scope) -> None:
    wagers = {
        EMPEROR: "emperors-treasure",
        "dealer-open-pai-gow": "chan-chu",
        "mini-pai-gow": "bonus",
        "commission-free-pai-gow-express": "dynasty-bonus",
        "pai-gow-mania": "seven-card-bonus",
    }
    submission = limit(game, "wsgc", terms(100_000, scope=scope, wagers=(wagers[game], "main")))
    for html in (
        compose_part(submission, "mathematics"),
        render_rules(submission),
    ):
        assert find_problems(html, language="en-US") == []


def test_without_a_greatest_wager_the_documents_state_that_the_edge_rises(
    limit: Limit,
) -> None:
    unknown = Terms(aggregate_limits=terms(1_000_000).aggregate_limits)
    submission = limit(EMPEROR, "nevada", unknown, (TREASURE,))
    html = words(render_rules(submission))
    assert "8.0631% at a wager of $5, and more at a greater wager." in html
    assert "at the maximum wager" not in html
    report = read_text(parse_report(submission))
    assert "No maximum wager is known; the limit takes more off the return" in report
    known = words(render_rules(limit(EMPEROR, "nevada", terms(1_000_000), (TREASURE,))))
    assert "With the payout limit, at the maximum wager 9.2273% at $200" in known


def test_fee_and_commission_of_the_exposure_are_those_of_its_wager(make: Make) -> None:
    """At $100, 5% is $5 and the fee $0.50; counted for $10, with at least $1 and a fee of $2.

    A player wins $94.50 without the limit, and $49.50 of its $50; seven of them win $346.50.
    $52.63 less 5% is just below $50, and $52.64 above it.
    """
    whole = make("mini-pai-gow", "nevada")
    option = replace(
        whole.option,
        raise_=None,
        commission=Commission(rate=Fraction(1, 20), minimum_cents=100),
        wager_cents=1_000,
        fee=CollectionFee(
            bands=(FeeBand(from_cents=100, cents=200), FeeBand(from_cents=2_000, cents=50)),
            text="A fee is collected.",
            source=whole.option.source,
        ),
    )
    (main,) = [wager for wager in whole.game.wagers if wager.options]
    wager = replace(main, options=(option,))
    game = replace(whole.game, wagers=(wager,))
    limits = (AggregateLimit(cents=5_000, wagers=("main",)),)
    lines = {}
    for declared in ((), limits):
        terms = Terms(largest_wagers=(("main", 10_000),), aggregate_limits=declared)
        (analysis,) = limit_analyses(
            [(wager, option)], [layout_analysis(option, whole)],
            terms=terms, lawful_cents=None, seats=game.players,
        )  # fmt: skip
        submission = replace(
            whole, game=game, main=option, paytables=(), terms=terms,
            analyses={option.target: analysis}, comparison=(), other_options=(),
        )  # fmt: skip
        root = parse_report(submission)
        _, row, total = find_rows(root, LOSSES)
        lines[declared] = row[1:] + total[-1:]
    assert lines[()] == ["0.945 to 1", "$100", "$94.50", "$661.50", "$661.50"]
    assert lines[limits] == ["0.945 to 1", "$100", "$49.50", "$346.50", "$346.50"]
    text = read_text(root)
    assert "binds above a wager of $52.63; the figures are for a wager of $10" in text
