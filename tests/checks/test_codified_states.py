from datetime import date
from fractions import Fraction

import pytest
from msgspec.structs import replace

from certify.checks.r_jurisdictions.judge import JudgedRule
from certify.engine.bonus import evaluate
from certify.model.comparison import Standing
from certify.model.finding import Severity
from certify.model.paytable import (
    Award,
    Basis,
    CollectionFee,
    FeeBand,
    HandOf,
    Payout,
    Paytable,
    Row,
)
from certify.model.source import Banking
from certify.model.submission import Filing
from tests.catalog import catalog
from tests.checks import test_rule_pack
from tests.checks.test_rule_pack import EMPEROR, filing, judge_by_test
from tests.confidence import raise_confidence

EXPRESS = "commission-free-pai-gow-express"
MANIA = "pai-gow-mania"


def judge_as_official(filed: Filing, rule: str) -> JudgedRule:
    """Judge a filing by a rule as if its official text had been read."""
    return test_rule_pack.judge_rule(
        replace(filed, jurisdiction=raise_confidence(filed.jurisdiction)), rule
    )


PLAYER_HAND = (
    ("five_aces", 1000),
    ("royal_flush", 200),
    ("straight_flush", 50),
    ("four_of_a_kind", 25),
    ("full_house", 5),
    ("flush", 4),
    ("straight", 2),
    ("three_of_a_kind", 2),
)
"""N.J.A.C. 13:69F-11.20(b), as its text prints it."""

BANKER_HAND = (("nine_high_pai_gow", 100), ("ten_high_pai_gow", 20), ("jack_high_pai_gow", 5))
"""N.J.A.C. 13:69F-11.20(c)."""


def rows(*paid: tuple[str, int], basis: Basis = Basis.TO) -> tuple[Row, ...]:
    more = basis is Basis.FOR
    return tuple(
        Row(event=event, name=event, payout=Payout(basis=basis, amount=Fraction(pay + more)))
        for event, pay in paid
    )


def build_filing(*paid: Row, state: str = "new-jersey", hand: HandOf = HandOf.PLAYER) -> Filing:
    """File the first paytable of the Dynasty Bonus with other rows."""
    filed = filing(EXPRESS, state, wagers=("dynasty-bonus",))
    table = replace(filed.paytables[0], rows=paid, hand=hand)
    return replace(filed, paytables=(table,))


@pytest.mark.parametrize(
    ("paid", "hand"),
    [
        (rows(*PLAYER_HAND), HandOf.PLAYER),
        (rows(*PLAYER_HAND[:6], PLAYER_HAND[7], PLAYER_HAND[6]), HandOf.PLAYER),  # both 2 to 1
        (rows(*PLAYER_HAND, basis=Basis.FOR), HandOf.PLAYER),  # 1,001 for 1 is 1,000 to 1
        (rows(*BANKER_HAND), HandOf.DEALER),
    ],
)
def test_a_paytable_of_the_code_is_known_by_its_meaning(
    paid: tuple[Row, ...], hand: HandOf
) -> None:
    found = judge_as_official(build_filing(*paid, hand=hand), "NJ-PAYS").judgement
    clause = "13:69F-11.20(b)" if hand is HandOf.PLAYER else "13:69F-11.20(c)"
    assert found.standing is Standing.SATISFIED
    assert clause in found.detail


@pytest.mark.parametrize(
    ("paid", "hand", "pointer", "words"),
    [
        (
            rows(("five_aces", 400), *PLAYER_HAND[1:]),
            HandOf.PLAYER,
            "/rows/0",
            "(b), player hand bonus: five_aces pays 400 to 1 here and 1000 to 1 in the code.",
        ),
        (
            rows(*PLAYER_HAND, ("three_pair", 1)),
            HandOf.PLAYER,
            "/rows/8",
            "three_pair is not in the code.",
        ),
        (
            rows(*PLAYER_HAND[:5], PLAYER_HAND[6], PLAYER_HAND[5], PLAYER_HAND[7]),
            HandOf.PLAYER,
            "/rows",
            "straight is above flush here and below it in the code.",  # a hand of both wins less
        ),
        (rows(*PLAYER_HAND[:-1]), HandOf.PLAYER, "/rows", "Three-of-a-Kind at 2 to 1 is missing."),
        (rows(*PLAYER_HAND), HandOf.DEALER, "/rows/0", "(c), banker hand bonus: "),
        (rows(*PLAYER_HAND), HandOf.BOTH, "/hand", "7 cards of both hands"),
        (
            rows(*PLAYER_HAND),
            HandOf.CHOSEN_IN_ADVANCE,
            "/hand",
            "the player's or the dealer's hand",
        ),
    ],
)
def test_another_paytable_is_reported_with_the_nearest_and_what_differs(
    paid: tuple[Row, ...], hand: HandOf, pointer: str, words: str
) -> None:
    found = judge_as_official(build_filing(*paid, hand=hand), "NJ-PAYS")
    assert found.judgement.standing is Standing.NOT_SATISFIED
    assert [fault.pointer for fault in found.faults] == [pointer]
    assert words in found.faults[0].message
    assert found.severity is Severity.WARNING


def test_the_order_of_rows_is_free_where_the_highest_hand_is_paid() -> None:
    turned = build_filing(*reversed(rows(*PLAYER_HAND)))
    assert judge_as_official(turned, "NJ-PAYS").judgement.standing is Standing.NOT_SATISFIED
    (table,) = turned.paytables
    free = replace(table, award=Award.HIGHEST_RANKING_HAND)
    found = judge_as_official(replace(turned, paytables=(free,)), "NJ-PAYS").judgement
    assert found.standing is Standing.SATISFIED


def test_two_paytables_of_one_id_are_distinguished() -> None:
    filed = filing(EXPRESS, "new-jersey", wagers=("dynasty-bonus", "protection"))
    allowed = replace(filed.paytables[-1], rows=rows(*PLAYER_HAND))
    other = next(table for table in filed.paytables[:-1] if table.id == allowed.id)
    for tables in ((other, allowed), (allowed, other)):
        found = judge_as_official(replace(filed, paytables=tables), "NJ-PAYS")
        assert [fault.key for fault in found.faults] == [other.target]
        start = "Not among the paytables of the code: 1 of the 2 filed: "
        assert found.judgement.detail.startswith(start)
        assert "The nearest is" in found.judgement.detail


def test_dynamic_pays_are_not_the_one_pay_of_the_code() -> None:
    paid = rows(*PLAYER_HAND)
    drawn = replace(paid[0], dynamic=(paid[0].payout,))
    found = judge_as_official(build_filing(drawn, *paid[1:]), "NJ-PAYS")
    assert "five_aces has dynamic pays, but a single pay in the code." in found.faults[0].message


def test_where_no_paytable_of_the_code_is_declared_a_person_compares() -> None:
    found = judge_as_official(filing(EXPRESS, "pennsylvania"), "PA-TABLES").judgement
    assert found.standing is Standing.BY_PEOPLE
    assert "Compare the 10 that are filed" in found.detail
    filed = filing(EXPRESS, "pennsylvania")
    for number, words in ((1, "the 1 that is filed"), (2, "the 2 that are filed")):
        few = replace(filed, paytables=filed.paytables[:number])
        assert f"Compare {words} with" in judge_as_official(few, "PA-TABLES").judgement.detail
    none = judge_as_official(filing(EXPRESS, "pennsylvania", wagers=()), "PA-TABLES").judgement
    assert none.standing is Standing.NOT_APPLICABLE


def add_analyses(filed: Filing) -> Filing:
    events, hands = catalog().events, filed.game.hands
    found = [evaluate(table, events=events, hands=hands) for table in filed.paytables]
    main = replace(found[0], target=filed.option.target)
    return replace(filed, analyses={item.target: item for item in (*found, main)})


def test_odds_of_each_wager_are_disclosed_once_they_are_counted() -> None:
    filed = filing(EMPEROR, "maryland", wagers=("pai-gow-insurance",))
    assert judge_as_official(filed, "MD-ODDS").judgement.standing is Standing.UNVERIFIED
    assert (
        judge_as_official(add_analyses(filed), "MD-ODDS").judgement.standing is Standing.SATISFIED
    )


METERS = ("emperors-treasure-progressive",)


def first_meter() -> tuple[Filing, Paytable]:
    filed = filing(EMPEROR, "new-jersey", wagers=METERS)
    table = filed.paytables[0]
    return replace(filed, paytables=(table,)), table


def test_the_house_advantage_of_a_meter_is_for_a_person() -> None:
    filed, _ = first_meter()
    filed = add_analyses(replace(filed, jurisdiction=catalog().jurisdictions["maryland"]))
    main = replace(filed.analyses[filed.option.target], house_edge=Fraction(1, 50))
    filed = replace(filed, analyses={**filed.analyses, main.target: main})
    found = judge_as_official(filed, "MD-ODDS").judgement
    assert found.standing is Standing.BY_PEOPLE
    assert "for Emperor's Treasure Progressive the house advantage moves" in found.detail


@pytest.mark.parametrize(
    ("highest", "expected"),
    [(4_816_970, Standing.NOT_SATISFIED), (4_816_971, Standing.SATISFIED)],
)
def test_odds_against_a_jackpot_are_compared_exactly(highest: int, expected: Standing) -> None:
    """32 of 154,143,080 hands are natural seven-card straight flushes: 4,816,970.25 to 1."""
    filed, table = first_meter()
    assert table.rows[0].event == "natural_seven_card_straight_flush"
    found = judge_by_test(add_analyses(filed), "jackpot_odds", highest_odds=highest)
    assert found.judgement.standing is expected
    assert (
        judge_as_official(add_analyses(filed), "NJ-CHANCE").judgement.standing is Standing.SATISFIED
    )
    assert judge_as_official(filed, "NJ-CHANCE").judgement.standing is Standing.UNVERIFIED


def test_a_fixed_fee_by_the_wager_is_no_share() -> None:
    filed = filing(MANIA, "california")
    bands = (FeeBand(from_cents=500, cents=100), FeeBand(from_cents=10000, cents=200))
    fee = CollectionFee(bands=bands, text="", source=filed.option.source)
    option = replace(filed.option, commission=None, fee=fee)
    wagers = tuple(
        replace(wager, options=(option,)) if wager.options else wager for wager in filed.game.wagers
    )
    filed = replace(filed, main=option, game=replace(filed.game, wagers=wagers))
    found = judge_as_official(filed, "CA-FEE").judgement
    assert found.standing is Standing.SATISFIED
    ending = f"Option {option.id} collects $1 or $2 in every round, by the wager."
    assert found.detail.endswith(ending)


def test_california_requires_a_player_dealer() -> None:
    filed = filing(EXPRESS, "california")
    assert judge_as_official(filed, "CA-BANK").judgement.standing is Standing.NOT_SATISFIED
    game = replace(filed.game, banking=Banking.PLAYER_DEALER)
    found = judge_as_official(replace(filed, game=game), "CA-BANK").judgement
    assert found.standing is Standing.BY_PEOPLE


@pytest.mark.parametrize(
    ("rule", "game", "wagers", "why"),
    [
        ("PA-SIX", "mini-pai-gow", None, ""),
        ("PA-SIX", EXPRESS, None, "hands of 6 cards; Commission Free Pai Gow Express deals 7."),
        ("PA-FREE", EXPRESS, None, ""),
        ("PA-FREE", MANIA, None, "games that do not take a commission."),
        ("PA-ENVY", EMPEROR, ("emperors-treasure",), ""),
        ("PA-ENVY", EMPEROR, (), "games that pay prizes for other players' hands."),
        ("PA-ENVY", EXPRESS, None, "games that show the dealer's hand."),
    ],
)
def test_a_rule_is_judged_for_the_games_that_it_concerns(
    rule: str, game: str, wagers: tuple[str, ...] | None, why: str
) -> None:
    found = judge_as_official(filing(game, "pennsylvania", wagers=wagers), rule).judgement
    assert found.standing is (Standing.NOT_APPLICABLE if why else Standing.BY_PEOPLE)
    assert not why or found.detail == f"The rule concerns {why}"
    # Another day, on which no text is known, changes nothing for a game that it does not concern.
    early = filing(game, "pennsylvania", wagers=wagers, as_of=date(1990, 1, 1))
    if why:
        assert judge_as_official(early, rule).judgement == replace(
            found, version=found.rule.find_version(early.as_of)
        )
