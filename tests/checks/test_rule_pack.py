"""Rules of Nevada and Washington: below, at and above each limit, before and after each date."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from certify import library
from certify.checks.rule_pack import TESTS, JudgedRule, judge, text_in_force, wager_limit
from certify.checks.rule_pack_facts import Filed
from certify.checks.rule_pack_limits import second_prize
from certify.engine.returns import evaluate
from certify.intake.catalogue import read_catalogue
from certify.model.analysis import Analysis
from certify.model.approval import FilingStanding, PaytableStanding
from certify.model.audit import Standing
from certify.model.catalogue import Catalogue
from certify.model.example import Example
from certify.model.finding import Severity
from certify.model.jurisdiction import Confidence
from certify.model.payout import Basis, Payout
from certify.model.paytable import Meter, Paytable, Row
from certify.model.terms import AggregateLimit, LinkedMeter, MeterReduction, Scope, Terms

TODAY = date(2026, 11, 21)
DEALER_OPEN = "dealer-open-pai-gow"
EMPEROR = "emperors-challenge-exposed"
ODDS_50 = Payout(basis=Basis.TO, amount=Fraction(50))


@cache
def catalogue() -> Catalogue:
    return read_catalogue(library.paytables())[0]


def filing(
    game: str = DEALER_OPEN,
    jurisdiction: str = "wsgc",
    *,
    as_of: date = TODAY,
    wagers: tuple[str, ...] | None = None,
    analyses: dict[str, Analysis] | None = None,
    **rest: Any,  # noqa: ANN401 - fields of `Filed`
) -> Filed:
    declared = catalogue().games[game]
    where = catalogue().jurisdictions[jurisdiction]
    return Filed(
        game=declared,
        option=next(option for wager in declared.wagers for option in wager.options),
        paytables=tuple(
            table
            for wager in declared.wagers
            for table in wager.paytables
            if wagers is None or wager.id in wagers
        ),
        analyses=analyses or {},
        jurisdiction=where,
        as_of=as_of,
        wager_limit_cents=wager_limit(where, as_of),
        **rest,
    )


def judged(filed: Filed, rule: str) -> JudgedRule:
    return next(one for one in judge(filed) if one.judgement.rule.id == rule)


def standing(filed: Filed, rule: str) -> Standing:
    return judged(filed, rule).judgement.standing


def largest(cents: int, *names: str) -> Terms:
    return Terms(largest_wagers=tuple((name, cents) for name in names))


ALL = ("main", "push-ace-high", "chan-chu")


@pytest.mark.parametrize(
    ("cents", "as_of", "expected"),
    [
        (39999, TODAY, Standing.SATISFIED),
        (40000, TODAY, Standing.SATISFIED),
        (40001, TODAY, Standing.NOT_SATISFIED),
        (40000, date(2023, 8, 19), Standing.SATISFIED),
        (40000, date(2023, 8, 18), Standing.NOT_SATISFIED),
        (30000, date(2023, 8, 18), Standing.SATISFIED),
        (30001, date(2023, 8, 18), Standing.NOT_SATISFIED),
        (30000, date(2010, 1, 1), Standing.SATISFIED),
        (30000, date(2009, 12, 31), Standing.UNVERIFIED),
    ],
)
def test_largest_wager(cents: int, as_of: date, expected: Standing) -> None:
    filed = filing(as_of=as_of, terms=largest(cents, *ALL))
    assert standing(filed, "WA-WAGER-1") is expected


def test_largest_wager_that_is_not_stated_is_unverified() -> None:
    found = judged(filing(terms=largest(40000, "main")), "WA-WAGER-1").judgement
    assert found.standing is Standing.UNVERIFIED
    assert "Push Ace High and Chan Chu" in found.detail


def test_text_that_was_not_read_is_never_an_error() -> None:
    before = judged(filing(as_of=date(2023, 8, 18), terms=largest(40000, *ALL)), "WA-WAGER-1")
    after = judged(filing(terms=largest(40001, *ALL)), "WA-WAGER-1")
    assert (before.severity, after.severity) == (Severity.WARNING, Severity.ERROR)


@pytest.mark.parametrize(
    ("wagers", "expected"),
    [
        (("pai-gow-insurance", "emperors-treasure"), Standing.SATISFIED),  # 3 games
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
            Standing.NOT_SATISFIED,
        ),  # 7 games
    ],
)  # fmt: skip
def test_games_on_one_hand(wagers: tuple[str, ...], expected: Standing) -> None:
    assert standing(filing(EMPEROR, wagers=wagers), "WA-GAMES-1") is expected


@pytest.mark.parametrize(
    ("above", "cents", "expected"),
    [
        (2, 501, Standing.SATISFIED),
        (3, 501, Standing.SATISFIED),
        (4, 501, Standing.NOT_SATISFIED),
        (4, 500, Standing.SATISFIED),
    ],
)
def test_games_above_five_dollars(above: int, cents: int, expected: Standing) -> None:
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
        (date(2009, 9, 13), Standing.NOT_SATISFIED),  # three games, not six
        (date(2008, 12, 31), Standing.UNVERIFIED),  # no text known
    ],
)
def test_games_before_and_after_2009(as_of: date, expected: Standing) -> None:
    wagers = ("pai-gow-insurance", "emperors-treasure", "ace-high-pai-gow-insurance")
    assert standing(filing(EMPEROR, wagers=wagers, as_of=as_of), "WA-GAMES-1") is expected


def limited(cents: int, *wagers: str, scope: Scope = Scope.PLAYER) -> Terms:
    return Terms(aggregate_limits=(AggregateLimit(cents=cents, wagers=wagers, scope=scope),))


@pytest.mark.parametrize(
    ("cents", "wager", "expected"),
    [
        (2000001, "chan-chu", Standing.SATISFIED),
        (2000000, "chan-chu", Standing.SATISFIED),  # $400 x 50: the regulation's own $20,000
        (1999999, "chan-chu", Standing.NOT_SATISFIED),
        (1600000, "push-ace-high", Standing.SATISFIED),  # $400 x 40
        (1599999, "push-ace-high", Standing.NOT_SATISFIED),
    ],
)
def test_aggregate_limit(cents: int, wager: str, expected: Standing) -> None:
    assert standing(filing(terms=limited(cents, wager)), "WA-AGG-1") is expected


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
    terms = replace(limited(cents, "chan-chu", scope=scope), largest_wagers=(("chan-chu", 30000),))
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


def with_top_odds(amount: int) -> Filed:
    """File Chan Chu with one row at these odds."""
    filed = filing(wagers=("chan-chu",), terms=limited(10**9, "chan-chu"))
    table = filed.paytables[0]
    row = replace(table.rows[0], payout=Payout(basis=Basis.TO, amount=Fraction(amount)))
    table = replace(table, rows=(row,))
    wagers = tuple(
        replace(one, paytables=(table,)) if one.id == "chan-chu" else one
        for one in filed.game.wagers
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
    filed = replace(with_top_odds(odds), as_of=as_of)
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
    filed = filing(as_of=as_of, terms=limited(10**9, *wagers))
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
    filed = with_top_odds(1000)
    table = filed.paytables[0]
    table = replace(table, rows=(*table.rows, replace(table.rows[0], payout=ODDS_50)))
    wagers = tuple(
        replace(one, paytables=(table,)) if one.id == "chan-chu" else one
        for one in filed.game.wagers
    )
    filed = replace(
        filed,
        as_of=as_of,
        paytables=(table,),
        game=replace(filed.game, wagers=wagers),
        terms=largest(cents, "main", "chan-chu"),
    )
    assert standing(filed, "WA-FUND-1") is expected
    assert second_prize(filed) == 50 * cents


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
    [(5, Standing.SATISFIED), (6, Standing.SATISFIED), (7, Standing.NOT_SATISFIED)],
)
def test_players_at_the_table(players: int, expected: Standing) -> None:
    assert standing(filing(terms=Terms(players=players)), "WA-PLAYERS") is expected


def metered(filed: Filed, meter: Meter) -> Filed:
    tables = tuple(
        replace(one, progressive=replace(one.progressive, meters=(meter,)))
        for one in filed.progressives
        if one.progressive is not None
    )
    return replace(filed, paytables=tables)


def test_seed_increment_and_reserve_are_stated() -> None:
    filed = filing(EMPEROR, wagers=("pai-gow-insurance-progressive",))
    silent = Meter(level="1")
    half = Meter(level="1", seed_cents=100000, increment=Fraction(1, 5))
    whole = replace(half, reserve=Fraction(1, 50))
    rule = "WA-PROG-1"
    assert standing(metered(filed, silent), rule) is Standing.NOT_SATISFIED
    assert standing(metered(filed, half), rule) is Standing.NOT_SATISFIED
    assert standing(metered(filed, whole), rule) is Standing.SATISFIED
    before = replace(metered(filed, silent), as_of=date(2015, 11, 7))
    assert standing(before, rule) is Standing.UNVERIFIED
    assert standing(filing(), rule) is Standing.NOT_APPLICABLE


def progressives(*, more: str | None = None) -> Filed:
    """File the flat progressives on Emperor's Treasure; ``more`` gives the second another hand."""
    filed = filing(EMPEROR, wagers=("emperors-treasure-progressive",))
    tables = list(filed.paytables[:2])
    if more is not None:
        first = tables[1].rows[0]
        rows = (Row(event=more, name=more, payout=first.payout), *tables[1].rows[1:])
        tables[1] = replace(tables[1], rows=rows)
    events, hands = catalogue().events, filed.game.hands
    analyses = {one.target: evaluate(one, events=events, hands=hands) for one in tables}
    return replace(filed, paytables=tuple(tables), analyses=analyses)


def link(filed: Filed) -> Terms:
    level = _level(filed.paytables[0])
    return Terms(
        links=(tuple(LinkedMeter(paytable=one.id, level=level) for one in filed.paytables),)
    )


def _level(table: Paytable) -> str:
    return table.progressive.meters[0].level if table.progressive else ""


def test_linked_meters_have_the_same_exact_probability() -> None:
    alike = progressives()
    assert standing(replace(alike, terms=link(alike)), "WA-PROG-3") is Standing.SATISFIED
    unlike = progressives(more="joker_seven_card_straight_flush")
    assert standing(replace(unlike, terms=link(unlike)), "WA-PROG-3") is Standing.NOT_SATISFIED
    before = replace(unlike, terms=link(unlike), as_of=date(2015, 11, 7))
    assert standing(before, "WA-PROG-3") is Standing.UNVERIFIED
    assert standing(alike, "WA-PROG-3") is Standing.BY_PEOPLE


def test_meters_are_lowered_for_the_five_reasons_only() -> None:
    filed = filing(EMPEROR, wagers=("emperors-treasure-progressive",))
    five = tuple(one for one in MeterReduction if one is not MeterReduction.OTHER)
    rule = "WA-PROG-4"
    assert len(five) == 5
    within = replace(filed, terms=Terms(meter_reductions=five))
    beyond = replace(filed, terms=Terms(meter_reductions=tuple(MeterReduction)))
    assert standing(within, rule) is Standing.SATISFIED
    assert standing(beyond, rule) is Standing.NOT_SATISFIED
    assert standing(replace(beyond, as_of=date(2021, 6, 13)), rule) is Standing.UNVERIFIED
    assert standing(filed, rule) is Standing.UNVERIFIED


@pytest.mark.parametrize(("rule", "clause"), [("WA-SHUF", "shuffler"), ("WA-SIDE", "side-bets")])
def test_sentences_are_there(rule: str, clause: str) -> None:
    filed = filing()
    clauses = tuple(one for one in filed.jurisdiction.clauses if one.id != clause)
    without = replace(filed, jurisdiction=replace(filed.jurisdiction, clauses=clauses))
    assert standing(filed, rule) is Standing.SATISFIED
    assert standing(without, rule) is Standing.NOT_SATISFIED


def test_tribal_tables_follow_their_compact() -> None:
    assert standing(filing(), "WA-TRIBAL") is Standing.BY_PEOPLE
    assert standing(filing(terms=Terms(tribal=False)), "WA-TRIBAL") is Standing.NOT_APPLICABLE


def of_each(filed: Filed, kind: FilingStanding) -> tuple[PaytableStanding, ...]:
    targets = [filed.option.target, *(one.target for one in filed.paytables)]
    return tuple(
        PaytableStanding(target=one, standing=kind, detail=f"{one} is {kind}.") for one in targets
    )


@pytest.mark.parametrize(("rule", "jurisdiction"), [("NV-VAR", "nevada"), ("WA-FILE", "wsgc")])
def test_what_is_a_filing(rule: str, jurisdiction: str) -> None:
    filed = filing(jurisdiction=jurisdiction)
    assert standing(filed, rule) is Standing.BY_PEOPLE
    new = replace(filed, standings=of_each(filed, FilingStanding.NEW))
    changed = replace(filed, standings=of_each(filed, FilingStanding.CHANGED))
    assert standing(new, rule) is Standing.SATISFIED
    assert "0 approved, 0 pending, 7 new filings" in judged(new, rule).judgement.detail
    assert standing(changed, rule) is Standing.NOT_SATISFIED


def test_name_that_another_approved_game_has() -> None:
    filed = filing(jurisdiction="nevada")
    assert standing(replace(filed, names=("Other Pai Gow",)), "NV-NAME") is Standing.BY_PEOPLE
    assert standing(replace(filed, names=("DEALER OPEN pai gow",)), "NV-NAME") is (
        Standing.NOT_SATISFIED
    )


def example(target: str, kind: str) -> Example:
    return Example(target=target, kind=kind, player=None, dealer=None, event="", pays="", text="")


def test_examples_of_each_way_to_end() -> None:
    filed = filing(jurisdiction="nevada", wagers=())
    target = filed.option.target
    kinds = ("win", "lose", "push")
    assert standing(filed, "NV-EX") is Standing.UNVERIFIED
    every = tuple(example(target, kind) for kind in kinds)
    assert standing(replace(filed, examples=every), "NV-EX") is Standing.SATISFIED
    assert standing(replace(filed, examples=every[:2]), "NV-EX") is Standing.NOT_SATISFIED


def test_letter_of_the_laboratory() -> None:
    letter = Terms(laboratory_letter="0" * 64)
    assert standing(filing(jurisdiction="nevada"), "NV-LAB") is Standing.BY_PEOPLE
    assert standing(filing(jurisdiction="nevada", terms=letter), "NV-LAB") is Standing.SATISFIED


@pytest.mark.parametrize(("rule", "jurisdiction"), [("NV-POST", "nevada"), ("WA-POST", "wsgc")])
def test_rack_card_text_is_printed(rule: str, jurisdiction: str) -> None:
    filed = filing(jurisdiction=jurisdiction)
    sections = tuple(one for one in filed.jurisdiction.sections if one != "rack_card")
    without = replace(filed, jurisdiction=replace(filed.jurisdiction, sections=sections))
    assert standing(filed, rule) is Standing.SATISFIED
    assert standing(without, rule) is Standing.NOT_SATISFIED


@pytest.mark.parametrize(
    ("cents", "words"),
    [(5000, "No payout limit is below"), (4999, "is below $50"), (5001, "No payout limit")],
)
def test_remembered_text_computes_and_decides_nothing(cents: int, words: str) -> None:
    # 50 times a least wager of $1; the text of 2001 is only remembered.
    terms = replace(limited(cents, "main"), least_wagers=(("main", 100),))
    found = judged(filing(jurisdiction="nevada", terms=terms), "NV-AGG")
    assert found.judgement.standing is Standing.UNVERIFIED
    assert found.severity is Severity.NOTE
    assert words in found.judgement.detail


def test_every_test_that_a_rule_names_is_known_and_used() -> None:
    named = {
        rule.test
        for where in catalogue().jurisdictions.values()
        for rule in where.rules
        if rule.test is not None
    }
    assert named == set(TESTS)


@pytest.mark.parametrize("jurisdiction", ["nevada", "wsgc"])
def test_one_text_at_most_is_in_force_on_every_day(jurisdiction: str) -> None:
    for rule in catalogue().jurisdictions[jurisdiction].rules:
        days = {one for text in rule.versions for one in (text.effective_from, text.effective_to)}
        for day in days:
            if day is not None:
                text_in_force(rule, day)
                text_in_force(rule, date.fromordinal(day.toordinal() - 1))


def test_no_finding_of_an_unread_text_is_an_error() -> None:
    for jurisdiction in ("nevada", "wsgc"):
        for one in judge(filing(jurisdiction=jurisdiction)):
            version = one.judgement.version
            if version is None or version.confidence is not Confidence.VERIFIED_TEXT:
                assert one.severity is not Severity.ERROR
