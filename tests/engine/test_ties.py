"""Ties, a player's bank, rounded commissions and collection fees, against plain enumeration."""

from fractions import Fraction
from itertools import product
from typing import Final

import pytest
from msgspec.structs import replace

from certify.engine.main import evaluate as base_game
from certify.engine.main.evaluate import assumptions
from certify.errors import NotConfigured
from certify.explanations.main import against, explain_setting
from certify.figures.crosscheck import CrosscheckRequest, _Run
from certify.figures.targets import Selection
from certify.model.analysis import Analysis, BankAnalysis
from certify.model.comparison import CrossCheck
from certify.model.game import JokerRule, Strategy
from certify.model.main_wager import Bank, MainWager, Outcome, Tie, Ties
from certify.model.paytable import CollectionFee, Commission, FeeBand, Rounding
from certify.report.evidence import analysis_json
from certify_recount.files import Files
from certify_recount.main_wager import Option
from tests.declared_files import with_files, write_files
from tests.engine.small_games import (
    FEW,
    FIVE_PERCENT,
    HOUSE,
    OPTIMAL,
    TINY,
    TWO_CARDS,
    Small,
    build_everything,
    catalog,
    compare,
    declared_options,
    evaluate_tiny,
    fresh_counts,
    get_main,
    house_way,
    tally,
)
from tests.marks import further
from tests.oracle import main_wager as oracle

__all__ = ("fresh_counts",)

EVERY: Final = [
    Ties(high=high, low=low, both_push=both) for high, low, both in product(Tie, Tie, (False, True))
]
ONE_RULE: Final = [ties for ties in EVERY if not ties.both_push or ties.high == ties.low]
TWO_RULES: Final = [ties for ties in EVERY if ties not in ONE_RULE]
TAKEN: Final = Ties(high=Tie.PLAYER, low=Tie.PLAYER)
PLAYS: Final = [(True, HOUSE), (True, OPTIMAL), (False, OPTIMAL)]


def name_ties(ties: Ties) -> str:
    return f"{ties.high}-{ties.low}{'-both-push' * ties.both_push}"


def replace_ties(
    ties: Ties, option: MainWager, rules: oracle.Option
) -> tuple[MainWager, oracle.Option]:
    return (
        replace(option, ties=ties),
        replace(rules, high_tie=ties.high, low_tie=ties.low, both_push=ties.both_push),
    )


def plain() -> tuple[MainWager, oracle.Option]:
    commission = declared_options("pai-gow-mania")[0]
    return commission, oracle.Option(commission=Fraction(1, 20))


def held_against(
    ties: Ties, deck: Small, strategy: Strategy, *, exposed: bool, **hands: object
) -> oracle.Figures:
    game = deck.shrink(replace(catalog().games["pai-gow-mania"], dealer_exposed=exposed))
    game = replace(game, hands=replace(game.hands, **hands))
    _, expected = compare(game, deck, *replace_ties(ties, *plain()), strategy)
    return expected


@pytest.mark.parametrize(
    ("exposed", "strategy"),
    [*further(PLAYS[:2]), PLAYS[2]],
    ids=["way", "exposed", "concealed"],
)
@pytest.mark.parametrize("ties", [*ONE_RULE, *further(TWO_RULES)], ids=name_ties)
def test_every_kind_of_tie_equals_enumeration(
    ties: Ties, strategy: Strategy, *, exposed: bool
) -> None:
    held_against(ties, TINY, strategy, exposed=exposed)


@pytest.mark.slow
@pytest.mark.parametrize("deck", [FEW, TWO_CARDS], ids=["one card", "two cards"])
@pytest.mark.parametrize(("exposed", "strategy"), PLAYS, ids=["way", "exposed", "concealed"])
@pytest.mark.parametrize(
    "ties",
    [
        TAKEN,
        Ties(high=Tie.PLAYER),
        Ties(low=Tie.PLAYER),
        Ties(both_push=True),
        Ties(high=Tie.OTHER_HAND, low=Tie.OTHER_HAND),
        Ties(high=Tie.PUSH, low=Tie.PUSH),
    ],
    ids=name_ties,
)
def test_ties_of_longer_hands_equal_enumeration(
    ties: Ties, deck: Small, strategy: Strategy, *, exposed: bool
) -> None:
    held_against(ties, deck, strategy, exposed=exposed)


@pytest.mark.parametrize(("exposed", "strategy"), PLAYS, ids=["way", "exposed", "concealed"])
def test_ties_with_a_joker_above_the_ace_equal_enumeration(
    strategy: Strategy, *, exposed: bool
) -> None:
    for ties in (TAKEN, Ties(high=Tie.OTHER_HAND, low=Tie.PLAYER, both_push=True)):
        held_against(
            ties,
            TINY,
            strategy,
            exposed=exposed,
            joker=JokerRule.FULLY_WILD,
            joker_beats_ace_in_front=True,
        )


@pytest.mark.parametrize(
    ("ties", "strategy"),
    [(TAKEN, HOUSE), *further([(Ties(both_push=True), OPTIMAL)])],
    ids=["house", "best"],
)
def test_a_raise_and_dealer_rules_with_ties_equal_enumeration(
    ties: Ties, strategy: Strategy
) -> None:
    game = FEW.shrink(catalog().games["mini-pai-gow"])
    compare(game, FEW, *replace_ties(ties, *build_everything(prepaid=False)), strategy)


def test_the_effect_of_a_tie_is_stated() -> None:
    game = catalog().games["pai-gow-mania"]
    option = replace(plain()[0], ties=Ties(high=Tie.OTHER_HAND, low=Tie.PLAYER, both_push=True))
    way = house_way(game.house_way)
    said = {
        assumption.id: assumption.text
        for assumption in assumptions(option, game=game, house_way=way, strategy=HOUSE)
    }
    assert "base-copies" not in said
    assert said["base-copies-low"] == "The player wins a tie of the low hands."
    assert said["base-copies-high"].startswith("A tie of the high hands counts for neither side")
    assert said["base-copies-both"] == "When both hands tie, the wager pushes."


NOTHING: Final = ["Ah", "Kd", "Qc", "9s", "7h", "4d", "2c"]
ITS_TWIN: Final = ["As", "Kc", "Qd", "9h", "7c", "4h", "2d"]
LOWER_BACK: Final = ["Jd", "Kc", "Qd", "9h", "7c", "4h", "2d"]
"""King high behind queen-jack; the others are ace high behind king-queen."""


@pytest.mark.parametrize(
    ("ties", "outcome", "text"),
    [
        (
            Ties(),
            Outcome.LOSE,
            "The dealer wins both hands. The high hand is a copy, which the dealer wins. "
            "The low hand is a copy, which the dealer wins.",
        ),
        (
            TAKEN,
            Outcome.WIN,
            "The player wins both hands. The high hand is a copy, which the player wins. "
            "The low hand is a copy, which the player wins.",
        ),
        (Ties(both_push=True), Outcome.PUSH, "Both hands are copies: the wager pushes."),
        (
            Ties(high=Tie.OTHER_HAND, low=Tie.PLAYER),
            Outcome.WIN,
            "The wager wins. The high hand is a copy, which decides nothing. "
            "The low hand is a copy, which the player wins.",
        ),
        (
            Ties(high=Tie.PUSH),
            Outcome.PUSH,
            "The wager pushes. The high hand is a copy, which pushes the wager. "
            "The low hand is a copy, which the dealer wins.",
        ),
    ],
    ids=str,
)
def test_copies_are_explained(ties: Ties, outcome: Outcome, text: str) -> None:
    game = catalog().games["pai-gow-mania"]
    option, way = replace(plain()[0], ties=ties), house_way("foxwoods")
    player, twin, lower = (
        explain_setting(game, way, hand) for hand in (NOTHING, ITS_TWIN, LOWER_BACK)
    )
    found = against(option, game=game, player=player, dealer=twin).settlement
    assert found is not None
    assert (found.outcome, found.text) == (outcome, text)
    without = against(option, game=game, player=player, dealer=lower).settlement
    assert without is not None
    assert without.text == "The player wins both hands."
    for compared in (*found.comparisons, *without.comparisons):
        declared = ties.high if compared.part == "back" else ties.low
        assert compared.tie == (declared if compared.copy and declared is not Tie.DEALER else None)


# A player's bank: the player's side of the ties, against enumeration and against the mirror.


def build_bank(share: Fraction, ties: Ties | None = None) -> MainWager:
    declared = declared_options("pai-gow-mania")[0]
    bank = Bank(share=share, text="A player may bank.", source=declared.source)
    return replace(declared, bank=bank, ties=ties or Ties())


def get_bank(analysis: Analysis) -> BankAnalysis:
    bank = get_main(analysis).bank
    assert bank is not None
    return bank


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
@pytest.mark.parametrize(
    ("ties", "banked"),
    [
        (Ties(), ("player", "player")),
        (Ties(high=Tie.PLAYER, low=Tie.OTHER_HAND), ("dealer", "other_hand")),
    ],
    ids=["to the banker", "shared"],
)
def test_banked_rounds_equal_enumeration(
    ties: Ties, banked: tuple[str, str], strategy: Strategy
) -> None:
    found = evaluate_tiny(build_bank(Fraction(1, 3), ties), strategy)
    rules = oracle.Option(commission=FIVE_PERCENT, high_tie=banked[0], low_tie=banked[1])
    game = TINY.shrink(replace(catalog().games["pai-gow-mania"], dealer_exposed=False))
    expected = oracle.figures(rules, tally(game, TINY, rules, strategy))
    bank = get_bank(found)
    assert {row.event: row.combinations for row in bank.rows if row.combinations} == expected.rows
    assert bank.house_edge == expected.house_edge
    assert found.house_edge is not None
    assert bank.combined_edge == found.house_edge * Fraction(2, 3) + bank.house_edge / 3


def test_by_one_house_way_a_bank_without_commission_turns_the_edge_round() -> None:
    found = evaluate_tiny(replace(build_bank(Fraction(1, 2)), commission=None))
    assert found.house_edge is not None
    assert found.house_edge > 0
    assert get_bank(found).house_edge == -found.house_edge
    assert get_bank(found).combined_edge == 0


def test_a_bank_is_written_with_its_exact_figures() -> None:
    found = evaluate_tiny(build_bank(Fraction(1, 2)))
    written = analysis_json(found)["bank"]
    assert written["share"] == "1/2"
    edge = get_bank(found).house_edge
    assert written["house_edge"] == f"{edge.numerator}/{edge.denominator}"
    assert len(written["rows"]) == len(get_bank(found).rows)
    assert "bank" not in analysis_json(evaluate_tiny(replace(build_bank(Fraction(1)), bank=None)))
    assert "base-bank" in {assumption.id for assumption in found.assumptions}


def test_a_bank_that_is_not_counted_is_refused() -> None:
    bank = build_bank(Fraction(1, 2)).bank
    with pytest.raises(NotConfigured, match="only for a concealed dealer"):
        evaluate_tiny(replace(build_everything(prepaid=False)[0], raise_=None, bank=bank))
    with pytest.raises(NotConfigured, match="only for a concealed dealer"):
        evaluate_tiny(build_bank(Fraction(1, 2)), exposed=True)
    with pytest.raises(NotConfigured, match="cannot bank 3/2"):
        evaluate_tiny(build_bank(Fraction(3, 2)))


def crosscheck(option: MainWager, *, exposed: bool = False) -> tuple[CrossCheck, ...]:
    known = catalog()
    way = house_way(TINY.house_way)
    game = TINY.shrink(replace(known.games["pai-gow-mania"], dealer_exposed=exposed))
    game = replace(game, house_ways=(way.id,))
    known = replace(known, house_ways={**known.house_ways, way.id: way})
    wager = next(wager for wager in game.wagers if wager.id == option.wager)
    known = with_files(known, write_files(game, option, house_way=way))
    selection = Selection(catalog=known, game=game, records=((wager, option),))
    return _Run(selection, CrosscheckRequest(target=option.target, again=True)).checks(option)


@pytest.mark.parametrize("ties", [Ties(), Ties(high=Tie.PUSH, low=Tie.OTHER_HAND)], ids=str)
def test_banked_rounds_are_counted_a_second_time(ties: Ties) -> None:
    option = build_bank(Fraction(1, 2), ties)
    for check, strategy in zip(crosscheck(option), Strategy, strict=True):
        assert all(comparison.agrees for comparison in check.comparisons)
        other = {comparison.event: comparison.other for comparison in check.comparisons}
        bank = get_bank(evaluate_tiny(option, strategy))
        assert other["banked_house_edge"] == bank.house_edge
        assert other["banked_win"] == Fraction(bank.rows[0].combinations, check.rounds)
        if ties == Ties():
            assert other["banked_win"] != other["win"]


# Rounded commissions and collection fees: exact for every wager, against coins laid down.


BANDS = (FeeBand(from_cents=1000, cents=50), FeeBand(from_cents=10001, cents=100))


def build_option(wager: int, fee: tuple[FeeBand, ...] = (), **commission: object) -> MainWager:
    declared = declared_options("pai-gow-mania")[0]
    return replace(
        declared,
        commission=Commission(rate=FIVE_PERCENT, **commission),  # type: ignore[arg-type]
        fee=CollectionFee(bands=fee, text="A fee.", source=declared.source) if fee else None,
        wager_cents=wager,
    )


@pytest.mark.parametrize("prepaid", [False, True])
@pytest.mark.parametrize(("exposed", "strategy"), PLAYS, ids=["way", "exposed", "concealed"])
def test_a_rounded_commission_and_a_fee_equal_enumeration(
    strategy: Strategy, *, exposed: bool, prepaid: bool
) -> None:
    game = TINY.shrink(replace(catalog().games["pai-gow-mania"], dealer_exposed=exposed))
    for wager, rounding in product((1100, 700), Rounding):
        fee = BANDS if wager >= 1000 else ()
        option = build_option(wager, fee, prepaid=prepaid, unit_cents=25, rounding=rounding)
        rules = oracle.Option(
            commission=FIVE_PERCENT,
            prepaid=prepaid,
            wager=wager,
            coin=25,
            rounded=rounding,
            fee=50 if fee else 0,
        )
        compare(game, TINY, option, rules, strategy)


def test_a_least_commission_equals_enumeration() -> None:
    game = FEW.shrink(catalog().games["pai-gow-mania"])
    option = build_option(300, minimum_cents=25)
    rules = oracle.Option(commission=FIVE_PERCENT, wager=300, least=25)
    compare(game, FEW, option, rules, HOUSE)


@pytest.mark.parametrize(
    ("wager", "rounding", "taken"),
    [
        # Counted out by hand: 5% in coins of 25 cents.
        (500, Rounding.UP, 25),
        (501, Rounding.UP, 50),
        (700, Rounding.UP, 50),
        (700, Rounding.DOWN, 25),
        (700, Rounding.NEAREST, 25),
        (750, Rounding.NEAREST, 50),
        (100, Rounding.DOWN, 0),
    ],
)
def test_a_commission_is_rounded_to_coins(wager: int, rounding: Rounding, taken: int) -> None:
    option = build_option(wager, unit_cents=25, rounding=rounding)
    assert option.net_of_a_win(None) == 1 - Fraction(taken, wager)
    files = Files(write_files(catalog().games["pai-gow-mania"], option))
    declared = files.option(option.target)
    assert Option(declared).win(declared.win_pays) == 1 - Fraction(taken, wager)


def test_the_edge_is_given_at_the_wagers_that_decide() -> None:
    option = build_option(1100, BANDS, unit_cents=25)
    found = evaluate_tiny(option)
    edges = {at.wager_cents: at.house_edge for at in get_main(found).by_wager}
    # 25 cents are 5% of $5, which is below the first band.
    assert sorted(edges) == [1000, 1100, 10001]
    assert edges[1100] == found.house_edge
    for wager, edge in edges.items():
        assert evaluate_tiny(option.scale_to(wager)).house_edge == edge
    plain = evaluate_tiny(build_option(1)).house_edge
    assert plain is not None
    assert edges[1000] == plain + Fraction(50, 1000)
    assert get_main(evaluate_tiny(option, strategy=OPTIMAL)).by_wager == ()


def test_no_edge_is_given_at_a_wager_that_the_limits_exclude() -> None:
    option = build_option(1100, BANDS, unit_cents=25)
    game = TINY.shrink(catalog().games["pai-gow-mania"])

    def wagers(least: int | None, largest: int | None) -> list[int]:
        limited = tuple(
            replace(each, minimum_cents=least, maximum_cents=largest) for each in game.wagers
        )
        way = house_way(TINY.house_way)
        found = base_game.evaluate(
            option, game=replace(game, wagers=limited), house_way=way, strategy=HOUSE
        )
        return [at.wager_cents for at in get_main(found).by_wager]

    assert wagers(None, None) == [1000, 1100, 10001]
    assert wagers(1050, 10000) == [1050, 1100]
    assert wagers(None, 1100) == [1000, 1100]


def test_a_commission_without_rounding_does_not_depend_on_the_wager() -> None:
    option = build_option(500)
    assert option.scale_to(700) is option
    assert get_main(evaluate_tiny(option)).by_wager == ()
    assert {assumption.id for assumption in evaluate_tiny(option).assumptions} >= {
        "exact-commission"
    }


def test_the_wager_of_the_figures_is_stated() -> None:
    option = replace(build_option(1100, BANDS, unit_cents=25, minimum_cents=25), assumptions=())
    said = {assumption.id: assumption.text for assumption in evaluate_tiny(option).assumptions}
    assert said["rounded-commission"] == (
        "A commission of 5% rounded up to $0.25, at least $0.25 is counted as it is taken of a "
        "wager of $11."
    )
    assert said["collection-fee"].startswith("A collection fee of $0.50 is paid in every round")
    assert "exact-commission" not in said


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (replace(build_option(1), wager_cents=None, commission=Commission(
            rate=FIVE_PERCENT, unit_cents=25)), "none is declared"),
        (build_option(999, BANDS), r"at least \$10"),
        (build_option(10001, BANDS[::-1]), "do not rise"),
        (replace(build_option(1000, unit_cents=25),
                 raise_=declared_options("mini-pai-gow")[0].raise_), "has a raise"),
    ],
)  # fmt: skip
def test_what_has_no_share_of_the_wager_is_refused(option: MainWager, words: str) -> None:
    with pytest.raises(NotConfigured, match=words):
        evaluate_tiny(option)
