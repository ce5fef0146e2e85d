from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.checks.framework import Context
from certify.checks.r_jurisdictions.jackpots import two_prizes
from certify.checks.r_jurisdictions.judge import (
    CONFIRM,
    TESTS,
    TEXTS,
    JudgedRule,
    against_filing,
    build_checklist,
    judge,
)
from certify.checks.r_jurisdictions.rule_test import ParameterUnit
from certify.engine.bonus import evaluate
from certify.intake.read import read_catalog
from certify.model.analysis import Analysis
from certify.model.approval import FilingStanding, PaytableStanding
from certify.model.comparison import Standing
from certify.model.explanation import Example
from certify.model.finding import Severity
from certify.model.jurisdiction import (
    AggregateLimit,
    Confidence,
    LinkedMeter,
    MeterReduction,
    Rule,
    Scope,
    Terms,
)
from certify.model.paytable import Basis, Meter, Payout, Paytable, Row
from certify.model.submission import ChecklistLine, Filing, ItemState, Letter, Order, Provenance
from certify.model.topic import Procedure
from tests.catalog import catalog
from tests.register_status import build_consultation

TODAY = date(2026, 11, 21)
DEALER_OPEN = "dealer-open-pai-gow"
EMPEROR = "emperors-challenge-exposed"
ODDS_50 = Payout(basis=Basis.TO, amount=Fraction(50))


def filing(
    game: str = DEALER_OPEN,
    jurisdiction: str = "wsgc",
    *,
    as_of: date = TODAY,
    wagers: tuple[str, ...] | None = None,
    analyses: dict[str, Analysis] | None = None,
    **rest: Any,  # noqa: ANN401 - fields of `Filing`
) -> Filing:
    declared = catalog().games[game]
    where = catalog().jurisdictions[jurisdiction]
    return Filing(
        order=Order(game=game, jurisdiction=jurisdiction, as_of=as_of),
        game=declared,
        main=next(option for wager in declared.wagers for option in wager.options),
        paytables=tuple(
            table
            for wager in declared.wagers
            for table in wager.paytables
            if wagers is None or wager.id in wagers
        ),
        analyses=analyses or {},
        jurisdiction=where,
        **rest,
    )


FIELD = Path(__file__).parents[2] / "fixtures" / "field" / "paytables"
LETTER = Letter(name="letter.pdf", sha256="0" * 64)


def set_date(day: date, filed: Filing) -> Filing:
    return replace(filed, order=replace(filed.order, as_of=day))


def second_prize(filed: Filing) -> Fraction | None:
    pair = two_prizes(filed)
    return None if pair is None else pair[1].cents


def judge_rule(filed: Filing, rule: str) -> JudgedRule:
    return next(
        judged_rule for judged_rule in judge(filed) if judged_rule.judgement.rule.id == rule
    )


AGREES = "agrees"
"""What stands for a verdict that waits for nothing but the text in force."""


def standing(filed: Filing, rule: str) -> Standing | str:
    found = judge_rule(filed, rule).judgement
    if found.detail.endswith(CONFIRM):
        assert found.standing is Standing.UNVERIFIED
        return AGREES
    return found.standing


def largest(cents: int, *names: str) -> Terms:
    return Terms(largest_wagers=tuple((name, cents) for name in names))


ALL = ("main", "push-ace-high", "chan-chu")


@pytest.mark.parametrize(
    ("cents", "as_of", "expected"),
    [
        (39999, TODAY, AGREES),
        (40000, TODAY, AGREES),
        (40001, TODAY, Standing.TO_BE_SETTLED),
        # RCW 34.05.380(2): adopted on July 20, 2023, in force on August 20, 2023 at the earliest.
        (40000, date(2023, 8, 20), AGREES),
        (40000, date(2023, 8, 19), Standing.TO_BE_SETTLED),
        (30000, date(2023, 8, 19), AGREES),
        (30001, date(2023, 8, 19), Standing.TO_BE_SETTLED),
    ],
)
def test_largest_wager(cents: int, as_of: date, expected: Standing | str) -> None:
    filed = filing(as_of=as_of, terms=largest(cents, *ALL))
    assert standing(filed, "WA-WAGER-1") is expected


def test_largest_wager_that_is_not_stated_is_unverified() -> None:
    found = judge_rule(filing(terms=largest(40000, "main")), "WA-WAGER-1").judgement
    assert found.standing is Standing.UNVERIFIED
    assert "Push Ace High and Chan Chu" in found.detail


def test_text_that_was_not_read_is_never_an_error() -> None:
    before = judge_rule(filing(as_of=date(2023, 8, 18), terms=largest(40000, *ALL)), "WA-WAGER-1")
    after = judge_rule(filing(terms=largest(40001, *ALL)), "WA-WAGER-1")
    assert (before.severity, after.severity) == (Severity.WARNING, Severity.WARNING)


@pytest.mark.parametrize(
    ("wagers", "expected"),
    [
        (("pai-gow-insurance", "emperors-treasure"), AGREES),  # 3 games
        (
            (
                "pai-gow-insurance", "emperors-treasure", "ace-high-pai-gow-insurance",
                "emperors-treasure-progressive", "pai-gow-insurance-progressive",
            ),
            Standing.UNVERIFIED,
        ),  # 6 games, of which 3 may be above $5 and none says
        (
            (
                "pai-gow-insurance", "emperors-treasure", "ace-high-pai-gow-insurance",
                "emperors-treasure-progressive", "pai-gow-insurance-progressive",
                "emperors-treasure-dynamic-progressive",
            ),
            Standing.TO_BE_SETTLED,
        ),  # 7 games
    ],
)  # fmt: skip
def test_games_on_one_hand(wagers: tuple[str, ...], expected: Standing | str) -> None:
    assert standing(filing(EMPEROR, wagers=wagers), "WA-GAMES-1") is expected


@pytest.mark.parametrize(
    ("above", "cents", "expected"),
    [
        (2, 501, AGREES),
        (3, 501, AGREES),
        (4, 501, Standing.TO_BE_SETTLED),
        (4, 500, AGREES),
    ],
)
def test_games_above_five_dollars(above: int, cents: int, expected: Standing | str) -> None:
    names = ("main", "pai-gow-insurance", "ace-high-pai-gow-insurance", "emperors-treasure")
    terms = Terms(
        largest_wagers=tuple(
            (name, cents if place < above else 500) for place, name in enumerate(names)
        )
    )
    filed = filing(EMPEROR, wagers=names[1:], terms=terms)
    assert standing(filed, "WA-GAMES-1") is expected


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        (date(2009, 9, 14), Standing.UNVERIFIED),
        (date(2009, 9, 13), Standing.TO_BE_SETTLED),  # three games, not six
    ],
)
def test_games_before_and_after_2009(as_of: date, expected: Standing) -> None:
    wagers = ("pai-gow-insurance", "emperors-treasure", "ace-high-pai-gow-insurance")
    assert standing(filing(EMPEROR, wagers=wagers, as_of=as_of), "WA-GAMES-1") is expected


def build_limit(cents: int, *wagers: str, scope: Scope = Scope.PLAYER) -> Terms:
    return Terms(aggregate_limits=(AggregateLimit(cents=cents, wagers=wagers, scope=scope),))


@pytest.mark.parametrize(
    ("cents", "wager", "expected"),
    [
        (2000001, "chan-chu", Standing.SATISFIED),
        (2000000, "chan-chu", Standing.SATISFIED),  # $400 x 50: the regulation's own $20,000
        (1999999, "chan-chu", Standing.NOT_SATISFIED),
        (1, "push-ace-high", Standing.SATISFIED),  # 40 to 1: WA-AGG-2 allows it no limit at all
    ],
)
def test_aggregate_limit(cents: int, wager: str, expected: Standing) -> None:
    assert standing(filing(terms=build_limit(cents, wager)), "WA-AGG-1") is expected


@pytest.mark.parametrize(
    ("cents", "expected"),
    [(1200000, Standing.SATISFIED), (1199999, Standing.NOT_SATISFIED)],  # $300 x 40
)
def test_aggregate_limit_on_low_odds_before_2021(cents: int, expected: Standing) -> None:
    filed = filing(terms=build_limit(cents, "push-ace-high"), as_of=date(2021, 6, 13))
    assert standing(filed, "WA-AGG-1") is expected


def test_a_wager_that_may_have_no_limit_has_no_minimum() -> None:
    filed = filing(EMPEROR, wagers=("pai-gow-insurance", "ace-high-pai-gow-insurance"))
    minimum = judge_rule(filed, "WA-AGG-1").judgement.detail
    none = judge_rule(filed, "WA-AGG-2").judgement.detail
    assert minimum == "A limit, if there is one, is at least $20,000 for Pai Gow Insurance."
    assert none == (
        "No aggregate payout limit may be put on a wager whose highest odds are below 50 to 1: "
        "Emperor's Challenge Wager and Ace-High Pai Gow Insurance."
    )


def test_low_odds_of_some_paytables_only() -> None:
    filed = filing(wagers=("chan-chu",))
    low = replace(filed.paytables[1], rows=filed.paytables[1].rows[-2:])
    tables = (filed.paytables[0], low)
    wagers = tuple(
        replace(wager, paytables=tables) if wager.id == "chan-chu" else wager
        for wager in filed.game.wagers
    )
    filed = replace(filed, game=replace(filed.game, wagers=wagers), paytables=tables)
    assert max(row.payout.net for row in low.rows) < 50
    assert (
        "Pai Gow Wager and Chan Chu with paytable 2."
        in judge_rule(filed, "WA-AGG-2").judgement.detail
    )
    assert "Chan Chu" in judge_rule(filed, "WA-AGG-1").judgement.detail
    limit = replace(filed, terms=build_limit(10**9, "chan-chu"))
    assert standing(limit, "WA-AGG-2") is Standing.NOT_SATISFIED


@pytest.mark.parametrize(
    ("cents", "as_of", "scope", "expected"),
    [
        (1500000, date(2021, 6, 14), Scope.PLAYER, Standing.SATISFIED),  # $300 x 50
        (1499999, date(2021, 6, 14), Scope.PLAYER, Standing.NOT_SATISFIED),
        (1500000, date(2021, 6, 13), Scope.TABLE, Standing.NOT_SATISFIED),  # twice a player's
        (3000000, date(2021, 6, 13), Scope.TABLE, Standing.SATISFIED),
        (1500000, date(2021, 6, 14), Scope.TABLE, Standing.SATISFIED),
        (1, date(2007, 12, 31), Scope.PLAYER, Standing.UNVERIFIED),
    ],
)
def test_aggregate_limit_before_and_after_2021(
    cents: int, as_of: date, scope: Scope, expected: Standing
) -> None:
    terms = replace(
        build_limit(cents, "chan-chu", scope=scope), largest_wagers=(("chan-chu", 30000),)
    )
    assert standing(filing(as_of=as_of, terms=terms), "WA-AGG-1") is expected


def test_aggregate_limit_counts_the_least_wager_at_full_odds_before_2021() -> None:
    terms = Terms(
        largest_wagers=(("chan-chu", 100),),
        least_wagers=(("chan-chu", 100),),
        aggregate_limits=(AggregateLimit(cents=5000, wagers=("chan-chu",)),),
    )
    assert standing(filing(as_of=date(2021, 6, 13), terms=terms), "WA-AGG-1") is (
        Standing.NOT_SATISFIED
    )
    assert standing(filing(as_of=date(2021, 6, 14), terms=terms), "WA-AGG-1") is Standing.SATISFIED


def build_top_odds(amount: int) -> Filing:
    """File Chan Chu with one row at these odds."""
    filed = filing(wagers=("chan-chu",), terms=build_limit(10**9, "chan-chu"))
    table = filed.paytables[0]
    row = replace(table.rows[0], payout=Payout(basis=Basis.TO, amount=Fraction(amount)))
    table = replace(table, rows=(row,))
    wagers = tuple(
        replace(wager, paytables=(table,)) if wager.id == "chan-chu" else wager
        for wager in filed.game.wagers
    )
    return replace(filed, game=replace(filed.game, wagers=wagers), paytables=(table,))


@pytest.mark.parametrize(
    ("odds", "as_of", "expected"),
    [
        (49, TODAY, Standing.NOT_SATISFIED),
        (50, TODAY, Standing.SATISFIED),
        (51, TODAY, Standing.SATISFIED),
        (49, date(2021, 6, 14), Standing.NOT_SATISFIED),
        (49, date(2021, 6, 13), Standing.UNVERIFIED),
    ],
)
def test_no_aggregate_limit_on_low_odds(odds: int, as_of: date, expected: Standing) -> None:
    filed = set_date(as_of, build_top_odds(odds))
    assert standing(filed, "WA-AGG-2") is expected


@pytest.mark.parametrize(
    ("wagers", "as_of", "expected"),
    [
        (("chan-chu",), TODAY, Standing.BY_PEOPLE),
        (("chan-chu", "push-ace-high"), TODAY, Standing.NOT_SATISFIED),
        (("chan-chu", "push-ace-high"), date(2021, 6, 14), Standing.NOT_SATISFIED),
        (("chan-chu", "push-ace-high"), date(2021, 6, 13), Standing.BY_PEOPLE),
    ],
)
def test_limits_are_not_combined(wagers: tuple[str, ...], as_of: date, expected: Standing) -> None:
    filed = filing(as_of=as_of, terms=build_limit(10**9, *wagers))
    assert standing(filed, "WA-AGG-3") is expected


@pytest.mark.parametrize(
    ("cents", "as_of", "expected"),
    [
        (50000, TODAY, Standing.NOT_APPLICABLE),  # second row 50 to 1: exactly $25,000
        (50002, TODAY, Standing.BY_PEOPLE),
        (50002, date(2010, 1, 1), Standing.BY_PEOPLE),
        (50002, date(2009, 12, 31), Standing.UNVERIFIED),
    ],
)
def test_reserve_for_the_second_prize(cents: int, as_of: date, expected: Standing) -> None:
    filed = build_top_odds(1000)
    table = filed.paytables[0]
    table = replace(table, rows=(*table.rows, replace(table.rows[0], payout=ODDS_50)))
    wagers = tuple(
        replace(wager, paytables=(table,)) if wager.id == "chan-chu" else wager
        for wager in filed.game.wagers
    )
    filed = replace(
        set_date(as_of, filed),
        paytables=(table,),
        game=replace(filed.game, wagers=wagers),
        terms=largest(cents, "main", "chan-chu"),
    )
    assert standing(filed, "WA-FUND-1") is expected
    assert second_prize(filed) == 50 * cents


def test_payout_limits_are_reported_with_the_second_prize() -> None:
    """Chan Chu at $400: the second prize is $800,000, and $20,000 under a limit of that."""
    terms = replace(largest(40_000, "main", "chan-chu"), aggregate_limits=build_limit(
        2_000_000, "chan-chu").aggregate_limits)  # fmt: skip
    filed = filing(wagers=("chan-chu",), terms=terms)
    assert standing(filed, "WA-FUND-1") is Standing.BY_PEOPLE
    detail = judge_rule(filed, "WA-FUND-1").judgement.detail
    assert "With the payout limits that are stated it is $20,000, which is not" in detail
    pair = two_prizes(filed, limited=True)
    assert pair is not None
    assert [item.cents for item in pair] == [2_000_000, 2_000_000]
    assert second_prize(filed) == 2_000 * 40_000


def file_raise_game(game: str, option: str) -> Filing:
    """Return a filing in Washington of a field game, with a largest ante of $400."""
    declared = read_catalog(FIELD)[0].games[game]
    main = next(each for each in declared.options if each.id == option)
    terms = replace(largest(40_000, "main"), aggregate_limits=build_limit(
        2_000_000, "main").aggregate_limits)  # fmt: skip
    return replace(filing(wagers=()), game=declared, main=main, terms=terms)


@pytest.mark.parametrize(
    ("game", "option", "first", "second"),
    [
        # The raise is twice the ante, and pays 100 to 1 for a royal flush, 50 to 1 for the next.
        (
            "caribbean-stud",
            "united-states",
            "$80,000 (Raise, option united-states: 100 to 1 at $800)",
            "$40,000 (Raise, option united-states: 50 to 1 at $800)",
        ),
        # Super Bonus is equal to the ante, and pays 200 and 30 to 1.
        (
            "crazy-4-poker",
            "standard",
            "$80,000 (Super Bonus, option standard: 200 to 1 at $400)",
            "$12,000 (Super Bonus, option standard: 30 to 1 at $400)",
        ),
        # The bonus on the ante pays 25 and 20 to 1.
        (
            "four-card-poker",
            "standard",
            "$10,000 (Ante, option standard: 25 to 1 at $400)",
            "$8,000 (Ante, option standard: 20 to 1 at $400)",
        ),
    ],
)
def test_pays_for_the_own_hand_are_prizes(game: str, option: str, first: str, second: str) -> None:
    filed = file_raise_game(game, option)
    pair = two_prizes(filed)
    assert pair is not None
    assert [str(prize) for prize in pair] == [first, second]
    low = game == "four-card-poker"
    assert standing(filed, "WA-AGG-2") is (Standing.NOT_SATISFIED if low else Standing.SATISFIED)


def test_a_pay_for_the_own_hand_is_stated_with_to() -> None:
    filed = file_raise_game("caribbean-stud", "united-states")
    filed = replace(filed, jurisdiction=catalog().jurisdictions["maryland"])
    assert judge_by_test(filed, "pays_to_one").faults == ()
    option = filed.main
    assert option is not None
    assert option.raise_ is not None
    second = option.raise_.pays[1]
    paid = replace(second, pays=replace(second.pays, basis=Basis.FOR))
    pays = (option.raise_.pays[0], paid, *option.raise_.pays[2:])
    option = replace(option, raise_=replace(option.raise_, pays=pays))
    (fault,) = judge_by_test(replace(filed, main=option), "pays_to_one").faults
    assert (fault.key, fault.pointer) == (option.target, "/raise/pays/1/pays")


def test_the_two_prizes_are_named() -> None:
    filed = filing(wagers=("chan-chu",), terms=largest(100, "main", "chan-chu"))
    detail = judge_rule(filed, "WA-FUND-1").judgement.detail
    # Paytables 1 and 4 have the same second prize; the first one of 4 is higher.
    assert "$8,000 (Chan Chu, paytable 4: 8,000 to 1 at $1)" in detail
    assert "$2,000 (Chan Chu, paytable 4: 2,000 to 1 at $1)" in detail
    assert "meter" not in detail
    assert "dynamic" not in detail


def test_dynamic_pays_count_and_meters_are_reported() -> None:
    name = "emperors-treasure-dynamic-progressive"
    filed = filing(EMPEROR, wagers=(name,), terms=largest(40000, "main", name))
    pair = two_prizes(filed)
    assert pair is not None
    # The royal flush pays up to 2,000 for 1, the straight flush of table D02 up to 400 for 1.
    assert [item.odds for item in pair] == [1999, 399]
    assert pair[1].record == "paytable PT-PRG-EC-ET-D02"
    detail = judge_rule(filed, "WA-FUND-1").judgement.detail
    wager = "Emperor's Treasure Dynamic Progressive"
    assert f"Shares of meters are left out; they can make the highest prize of {wager}" in detail
    assert f"{wager}: each row counts with its greatest dynamic pay." in detail


def test_second_prize_takes_one_paytable_of_each_wager() -> None:
    # $400 on Chan Chu pays at most its top odds; the five paytables are alternatives.
    filed = filing(wagers=("chan-chu",), terms=largest(100, "main", "chan-chu"))
    seconds = []
    for table in filed.paytables:
        amounts = sorted((row.payout.net for row in table.rows), reverse=True)
        seconds.append(amounts[1] * 100)
    assert second_prize(filed) == max(seconds)


@pytest.mark.parametrize(
    ("players", "expected"),
    [(5, AGREES), (6, AGREES), (7, Standing.TO_BE_SETTLED)],
)
def test_players_at_the_table(players: int, expected: Standing | str) -> None:
    assert standing(filing(terms=Terms(players=players)), "WA-PLAYERS") is expected


def replace_meter(filed: Filing, meter: Meter) -> Filing:
    tables = tuple(
        replace(table, progressive=replace(table.progressive, meters=(meter,)))
        for table in filed.progressives
        if table.progressive is not None
    )
    return replace(filed, paytables=tables)


def test_seed_increment_and_reserve_are_stated() -> None:
    filed = filing(EMPEROR, wagers=("pai-gow-insurance-progressive",))
    silent = Meter(level="1")
    half = Meter(level="1", seed_cents=100000, increment=Fraction(1, 5))
    whole = replace(half, reserve=Fraction(1, 50))
    rule = "WA-PROG-1"
    assert standing(replace_meter(filed, silent), rule) is Standing.TO_BE_SETTLED
    assert standing(replace_meter(filed, half), rule) is Standing.TO_BE_SETTLED
    assert standing(replace_meter(filed, whole), rule) is AGREES
    before = set_date(date(2015, 11, 7), replace_meter(filed, silent))
    assert standing(before, rule) is Standing.UNVERIFIED
    assert standing(filing(), rule) is Standing.NOT_APPLICABLE


def progressives(*, more: str | None = None) -> Filing:
    """File the flat progressives on Emperor's Treasure; ``more`` gives the second another hand."""
    filed = filing(EMPEROR, wagers=("emperors-treasure-progressive",))
    tables = list(filed.paytables[:2])
    if more is not None:
        first = tables[1].rows[0]
        rows = (Row(event=more, name=more, payout=first.payout), *tables[1].rows[1:])
        tables[1] = replace(tables[1], rows=rows)
    events, hands = catalog().events, filed.game.hands
    analyses = {table.target: evaluate(table, events=events, hands=hands) for table in tables}
    return replace(filed, paytables=tuple(tables), analyses=analyses)


def link(filed: Filing) -> Terms:
    level = _level(filed.paytables[0])
    return Terms(
        links=(
            tuple(LinkedMeter(paytable=paytable.id, level=level) for paytable in filed.paytables),
        )
    )


def _level(table: Paytable) -> str:
    return table.progressive.meters[0].level if table.progressive else ""


def test_linked_meters_have_the_same_exact_probability() -> None:
    alike = progressives()
    assert standing(replace(alike, terms=link(alike)), "WA-PROG-3") is AGREES
    unlike = progressives(more="joker_seven_card_straight_flush")
    assert standing(replace(unlike, terms=link(unlike)), "WA-PROG-3") is Standing.TO_BE_SETTLED
    before = set_date(date(2015, 11, 7), replace(unlike, terms=link(unlike)))
    assert standing(before, "WA-PROG-3") is Standing.UNVERIFIED
    assert standing(alike, "WA-PROG-3") is Standing.UNVERIFIED


def build_evaluated(*names: str) -> Filing:
    """File some paytables of Emperor's Challenge, with their figures."""
    filed = filing(EMPEROR)
    tables = tuple(paytable for paytable in filed.paytables if paytable.id in names)
    events, hands = catalog().events, filed.game.hands
    analyses = {table.target: evaluate(table, events=events, hands=hands) for table in tables}
    return replace(filed, paytables=tables, analyses=analyses)


def test_meters_of_equal_weight_are_grouped() -> None:
    filed = build_evaluated(
        "PT-BJS-EC-ET-03", "PT-PRG-MLP-ET-02", "PT-PRG-MLP-ET-03", "PT-PRG-EC-ET-D02",
        "PT-PRG-EC-ET-D03",
    )  # fmt: skip
    assert judge_rule(filed, "WA-PROG-3").judgement.detail == (
        "State whether meters are linked. Only meters of equal weight may be linked: "
        "meter 1 of PT-BJS-EC-ET-03 and PT-PRG-EC-ET-D03; "
        "meter 2 of PT-PRG-MLP-ET-02 with meter 4 of PT-PRG-MLP-ET-03 and meter 1 of "
        "PT-PRG-EC-ET-D02."
    )


def test_meters_of_no_equal_weight() -> None:
    detail = judge_rule(build_evaluated("PT-PRG-MLP-ET-01"), "WA-PROG-3").judgement.detail
    assert detail.endswith("No two of the filed meters are of equal weight, so none may be linked.")


def test_linked_meters_with_rows_of_other_names_are_for_a_person() -> None:
    # One table pays the natural and the joker's seven-card straight flush in a row each.
    filed = build_evaluated("PT-BJS-EC-ET-03", "PT-PRG-EC-ET-D03")
    found = judge_rule(replace(filed, terms=link(filed)), "WA-PROG-3").judgement
    assert found.standing is Standing.BY_PEOPLE
    assert "meter 1 of PT-BJS-EC-ET-03 and meter 1 of PT-PRG-EC-ET-D03" in found.detail


@pytest.mark.parametrize(
    ("rule", "jurisdiction", "words"),
    [
        (
            "WA-PROG-2",
            "wsgc",
            "No meter states a maximum. Not decided here: the applicant compares the filing with "
            "the text.",
        ),
        (
            "NV-PROG",
            "nevada",
            "Not decided here: the progressive payoff schedules of Emperor's Treasure Progressive.",
        ),
    ],
)
def test_rules_on_meters_are_for_a_person_where_there_is_one(
    rule: str, jurisdiction: str, words: str
) -> None:
    found = judge_rule(
        filing(EMPEROR, jurisdiction, wagers=("emperors-treasure-progressive",)), rule
    ).judgement
    assert (found.standing, found.detail) == (Standing.BY_PEOPLE, words)


def test_a_stated_maximum_of_a_meter_is_named() -> None:
    filed = filing(EMPEROR, wagers=("pai-gow-insurance-progressive",))
    filed = replace_meter(filed, Meter(level="1", cap_cents=5000000))
    detail = judge_rule(filed, "WA-PROG-2").judgement.detail
    assert detail.startswith("Stated maximums: meter 1 of PT-BJS-EC-PGI-01: $50,000;")


@pytest.mark.parametrize("jurisdiction", ["nevada", "wsgc"])
def test_rules_and_items_on_meters_do_not_apply_without_one(jurisdiction: str) -> None:
    filed = filing(jurisdiction=jurisdiction)
    found = judge(filed)
    rules = [item.judgement for item in found if "-PROG" in item.judgement.rule.id]
    assert {(rule.standing, rule.detail) for rule in rules} == {
        (Standing.NOT_APPLICABLE, "No progressive wager is filed.")
    }
    lines = [line for line in list_lines(filed) if "-PROG" in (line.item.rule or "")]
    assert {(line.state, line.detail) for line in lines} == {
        (ItemState.NOT_NEEDED, "No progressive wager is filed.")
    }


def test_meters_are_lowered_for_the_five_reasons_only() -> None:
    filed = filing(EMPEROR, wagers=("emperors-treasure-progressive",))
    five = tuple(reduction for reduction in MeterReduction if reduction is not MeterReduction.OTHER)
    rule = "WA-PROG-4"
    assert len(five) == 5
    within = replace(filed, terms=Terms(meter_reductions=five))
    beyond = replace(filed, terms=Terms(meter_reductions=tuple(MeterReduction)))
    assert standing(within, rule) is Standing.SATISFIED
    assert standing(beyond, rule) is Standing.NOT_SATISFIED
    assert standing(set_date(date(2021, 6, 13), beyond), rule) is Standing.UNVERIFIED
    assert standing(filed, rule) is Standing.UNVERIFIED


def test_tribal_tables_follow_their_compact() -> None:
    assert standing(filing(), "WA-TRIBAL") is Standing.BY_PEOPLE
    assert standing(filing(terms=Terms(tribal=False)), "WA-TRIBAL") is Standing.NOT_APPLICABLE


def build_standings(filed: Filing, kind: FilingStanding) -> tuple[PaytableStanding, ...]:
    targets = [filed.option.target, *(paytable.target for paytable in filed.paytables)]
    return tuple(
        PaytableStanding(target=target, standing=kind, record="wsgc-1") for target in targets
    )


@pytest.mark.parametrize(("rule", "jurisdiction"), [("NV-VAR", "nevada"), ("WA-FILE", "wsgc")])
def test_what_is_a_filing(rule: str, jurisdiction: str) -> None:
    filed = filing(jurisdiction=jurisdiction)
    assert standing(filed, rule) is Standing.BY_PEOPLE
    new, changed = (
        replace(filed, register=build_consultation(*build_standings(filed, kind)))
        for kind in (FilingStanding.NEW, FilingStanding.CHANGED)
    )
    official = jurisdiction == "wsgc"
    assert standing(new, rule) is (Standing.SATISFIED if official else AGREES)
    against = Standing.NOT_SATISFIED if official else Standing.TO_BE_SETTLED
    assert "0 approved, 0 pending, 7 new filings" in judge_rule(new, rule).judgement.detail
    assert standing(changed, rule) is against


def example(target: str, kind: str) -> Example:
    return Example(target=target, kind=kind, player=None, dealer=None, event="")


def test_examples_of_each_way_to_end() -> None:
    filed = filing(jurisdiction="nevada", wagers=())
    target = filed.option.target
    kinds = ("win", "lose", "push", "joker")
    assert standing(filed, "NV-EX") is Standing.UNVERIFIED
    every = tuple(example(target, kind) for kind in kinds)
    assert standing(replace(filed, examples=every), "NV-EX") is AGREES
    for place, kind in enumerate(kinds):
        less = replace(filed, examples=every[:place] + every[place + 1 :])
        found = judge_rule(less, "NV-EX").judgement
        assert found.standing is Standing.TO_BE_SETTLED
        words = "a hand with the joker" if kind == "joker" else kind
        assert found.detail == (f"Pai Gow Wager has no worked example of: {words}.")


def test_a_push_of_any_filed_paytable_needs_approval() -> None:
    filed = filing(jurisdiction="nevada", wagers=("chan-chu",))
    chan = "dealer-open-pai-gow/chan-chu"
    made = [
        *(example(filed.option.target, kind) for kind in ("win", "lose", "push", "joker")),
        *(example(f"{chan}/1", kind) for kind in ("win", "lose", "joker", "highest_only")),
        example(f"{chan}/3", "envy"),
    ]
    less = judge_rule(replace(filed, examples=tuple(made)), "NV-EX").judgement
    assert less.standing is Standing.TO_BE_SETTLED
    assert "Chan Chu has no worked example of: push, paytable 3." in less.detail
    pushes = [row for row in filed.paytables[2].rows if row.payout.basis is Basis.PUSH]
    made.append(replace(example(f"{chan}/3", "push"), event=pushes[0].event))
    assert standing(replace(filed, examples=tuple(made)), "NV-EX") is AGREES
    whole = judge_rule(replace(filed, examples=tuple(made)), "NV-EX").judgement
    assert "That only the highest row is paid is shown for Chan Chu." in whole.detail
    only = replace(filed, examples=tuple(item for item in made if item.kind != "envy"))
    assert (
        "has no worked example of: a prize for another player's hand."
        in judge_rule(only, "NV-EX").judgement.detail
    )


def test_a_share_of_a_meter_needs_approval() -> None:
    filed = filing(EMPEROR, "nevada", wagers=("emperors-treasure-progressive",), examples=())
    assert "a share of a meter" in judge_rule(filed, "NV-EX").judgement.detail


def test_letter_of_the_laboratory() -> None:
    digest = filing(jurisdiction="nevada", terms=Terms(laboratory_letter="0" * 64))
    embedded = replace(digest, provenance=Provenance(letter=LETTER))
    assert standing(filing(jurisdiction="nevada"), "NV-LAB") is Standing.BY_PEOPLE
    assert standing(digest, "NV-LAB") is Standing.BY_PEOPLE
    assert standing(embedded, "NV-LAB") is AGREES


@pytest.mark.parametrize(("rule", "jurisdiction"), [("NV-POST", "nevada"), ("WA-POST", "wsgc")])
def test_rack_card_text_is_printed(rule: str, jurisdiction: str) -> None:
    filed = filing(jurisdiction=jurisdiction)
    sections = tuple(section for section in filed.jurisdiction.sections if section != "rack_card")
    without = replace(filed, jurisdiction=replace(filed.jurisdiction, sections=sections))
    against = Standing.TO_BE_SETTLED if jurisdiction == "nevada" else Standing.NOT_SATISFIED
    assert standing(filed, rule) is Standing.BY_PEOPLE
    assert "The casino compares the artwork" in judge_rule(filed, rule).judgement.detail
    assert standing(without, rule) is against
    ours = [line for line in list_lines(filed) if line.item.rule == rule and line.state == "done"]
    assert [line.detail for line in ours] == [
        "In the rules of play, printed from the same records as the paytables."
    ]


def list_lines(filed: Filing) -> tuple[ChecklistLine, ...]:
    return build_checklist(filed, [judged_rule.judgement for judged_rule in judge(filed)])


def find_state(filed: Filing, item: str) -> str:
    return next(line.state for line in list_lines(filed) if line.item.id == item)


def test_states_of_the_checklist() -> None:
    filed = filing(EMPEROR)
    for item in ("wager-count", "progressive", "linked", "meter-reductions", "artwork", "dealing"):
        assert find_state(filed, item) == "open", item
    assert find_state(filed, "shuffler-sentence") == "open"
    assert find_state(filed, "posted-text") == "done"
    assert find_state(filing(EMPEROR, terms=Terms(tribal=False)), "tribal") == "not_needed"
    for where, lettered in (("nevada", "open"), ("maryland", "done")):
        bare = filing(jurisdiction=where)
        digest = replace(bare, terms=Terms(laboratory_letter="0" * 64))
        letter = replace(digest, provenance=Provenance(letter=LETTER))
        states = [find_state(filed, "laboratory") for filed in (bare, digest, letter)]
        assert states == ["open", "open", lettered], where


def test_an_item_without_a_fact_is_open() -> None:
    for game in (DEALER_OPEN, EMPEROR):
        for jurisdiction in catalog().jurisdictions:
            lines = [line for line in list_lines(filing(game, jurisdiction)) if line.item != TEXTS]
            bare = [line for line in lines if not line.item.proof]
            assert all(item.state is ItemState.OPEN for item in bare)
            assert bare or jurisdiction == "new-jersey"
            assert all(item.detail.startswith("To be supplied by") for item in bare)


def test_dealing_procedures_are_done_where_each_of_them_is_stated() -> None:
    lines = {line.item.id: line for line in list_lines(filing(EMPEROR, "nevada"))}
    assert lines["dealing"].detail == (
        "To be stated in the terms: the procedure for shuffle and cut, the first hand dealt, the "
        "order of the deal, the disposition of the remaining cards and the order of settlement."
    )
    terms = Terms(procedures=((Procedure.SETTLEMENT, "From right to left."),))
    mini = {
        line.item.id: line for line in list_lines(filing("mini-pai-gow", "nevada", terms=terms))
    }
    assert (mini["dealing"].state, mini["dealing"].detail) == ("done", "In the rules of play.")


def test_what_is_printed_has_no_words_of_the_tool() -> None:
    for game in (DEALER_OPEN, EMPEROR):
        for jurisdiction in ("nevada", "wsgc"):
            filed = filing(game, jurisdiction, examples=())
            texts = [judged_rule.judgement.detail for judged_rule in judge(filed)]
            texts += [line.detail for line in list_lines(filed)]
            for text in texts:
                wrong = ("`", "by people", "level", "--", "““", "””")
                assert [word for word in wrong if word in text] == []


def judge_by_test(filed: Filing, test: str, **parameters: int) -> JudgedRule:
    """Judge a filing by one rule with this test, in a text that was read word for word."""
    text = replace(
        catalog().jurisdictions["wsgc"].rules[0].versions[0],
        confidence=Confidence.VERIFIED_TEXT,
        parameters=tuple(parameters.items()),
    )
    rule = Rule(id="13:69F-11.20", title=test, severity=Severity.ERROR, versions=(text,), test=test)
    return judge(replace(filed, jurisdiction=replace(filed.jurisdiction, rules=(rule,))))[0]


def test_a_later_rule_with_the_same_test_limits_the_wager_after_the_first_has_ended() -> None:
    filed = filing()
    (first,) = [rule for rule in filed.jurisdiction.rules if rule.test == "largest_wager"]
    text = replace(first.versions[-1], effective_to=None, effective_from=TODAY)
    ended = replace(first, versions=(replace(text, effective_from=None, effective_to=TODAY),))
    later = replace(
        first, id="later", versions=(replace(text, parameters=(("largest_wager_cents", 7),)),)
    )
    two = replace(filed, jurisdiction=replace(filed.jurisdiction, rules=(ended, later)))
    assert two.wager_limit_cents == 7
    assert two.jurisdiction.wager_limit(TODAY) == later.versions[0]


@pytest.mark.parametrize(
    ("limit", "least", "expected"),
    [
        (1000000, 100, Standing.NOT_SATISFIED),  # a limit of $10,000 where $40,000 is asked for
        (3999999, 100, Standing.NOT_SATISFIED),
        (4000000, 100, Standing.SATISFIED),  # 8,000 to 1 at $1 is $8,000
        (4000000, 1000, Standing.NOT_SATISFIED),  # at $10 it is $80,000
        (7999999, 1000, Standing.NOT_SATISFIED),
        (8000000, 1000, Standing.SATISFIED),
        (4000000, None, Standing.UNVERIFIED),
    ],
)
def test_fixed_payout_floor(limit: int, least: int | None, expected: Standing) -> None:
    terms = build_limit(limit, "chan-chu")
    if least is not None:
        terms = replace(terms, least_wagers=(("chan-chu", least),))
    filed = filing(terms=terms, wagers=("chan-chu",))
    found = judge_by_test(filed, "fixed_payout_floor", least_cents=4000000)
    assert found.judgement.standing is expected
    assert bool(found.faults) is (expected is Standing.NOT_SATISFIED)


def test_fixed_payout_floor_without_a_limit() -> None:
    silent = judge_by_test(filing(), "fixed_payout_floor", least_cents=4000000).judgement
    assert (silent.standing, "$40,000" in silent.detail) == (Standing.BY_PEOPLE, True)
    none = filing(terms=Terms(aggregate_limits=()))
    found = judge_by_test(none, "fixed_payout_floor", least_cents=4000000).judgement
    assert found.standing is Standing.NOT_APPLICABLE


def test_a_pay_is_stated_as_to_or_approved_as_for() -> None:
    filed = filing(EMPEROR, wagers=("emperors-treasure-progressive",))
    target = filed.paytables[0].target
    against = judge_by_test(filed, "pays_to_one")
    assert against.judgement.standing is Standing.NOT_SATISFIED
    assert (against.faults[0].key, against.faults[0].pointer) == (target, "/rows/3/pays")
    approved = build_consultation(*build_standings(filed, FilingStanding.APPROVED))
    granted = judge_by_test(replace(filed, register=approved), "pays_to_one").judgement
    assert granted.standing is Standing.SATISFIED
    assert "approved unchanged" in granted.detail
    plain = judge_by_test(filing(EMPEROR, wagers=("emperors-treasure",)), "pays_to_one").judgement
    assert (plain.standing, plain.detail) == (
        Standing.SATISFIED,
        "Every pay is stated as “to”.",
    )


def test_every_test_is_named_by_a_rule_of_a_state_or_of_the_sample() -> None:
    sample = Path(__file__).parents[2] / "fixtures" / "valid" / "library"
    packs = [*catalog().jurisdictions.values()]
    packs += read_catalog(sample)[0].jurisdictions.values()
    named = {rule.test for where in packs for rule in where.rules if rule.test is not None}
    assert named == set(TESTS)


def test_what_is_to_be_settled_is_a_warning_among_the_findings() -> None:
    context = Context(catalog(), filing=filing(EMPEROR))
    found = [finding for finding in against_filing(context) if finding.code in {"R002", "R006"}]
    assert {(finding.code, finding.severity) for finding in found} == {
        ("R002", Severity.WARNING),
        ("R006", Severity.WARNING),
    }
    assert found[0].message.startswith("8 games are offered on one hand; 6 are allowed.")


def test_no_finding_of_an_unread_text_is_an_error() -> None:
    for jurisdiction in catalog().jurisdictions:
        for judged_rule in judge(filing(jurisdiction=jurisdiction)):
            version = judged_rule.judgement.version
            if version is None or version.confidence is not Confidence.VERIFIED_TEXT:
                assert judged_rule.severity is not Severity.ERROR
                assert judged_rule.judgement.standing is not Standing.SATISFIED


@pytest.mark.parametrize("unit", [unit for unit in ParameterUnit if unit is not ParameterUnit.FLAG])
def test_a_parameter_fits_from_its_least_to_its_greatest_value(unit: ParameterUnit) -> None:
    """As the finding says it: a whole number from the one to the other."""
    least, greatest = (int(end.replace(",", "")) for end in unit.expected_form.split()[-3::2])
    assert unit.fits(least)
    assert unit.fits(greatest)
    assert not unit.fits(least - 1)
    assert not unit.fits(greatest + 1)
    assert not unit.fits(True)
