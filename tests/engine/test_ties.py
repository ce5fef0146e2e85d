from fractions import Fraction
from itertools import product
from typing import Final

import pytest
from msgspec.structs import replace

from certify.engine.main.evaluate import assumptions
from certify.explanations.main import against, explain_setting
from certify.model.game import JokerRule, Strategy
from certify.model.main_wager import MainWager, Outcome, Tie, Ties
from tests.engine.small_games import (
    FEW,
    HOUSE,
    OPTIMAL,
    TINY,
    TWO_CARDS,
    Small,
    build_everything,
    catalog,
    compare,
    declared_options,
    fresh_counts,
    house_way,
)
from tests.marks import long
from tests.oracle import main_wager as oracle

__all__ = ("fresh_counts",)

EVERY: Final = [
    Ties(high=high, low=low, both_push=both) for high, low, both in product(Tie, Tie, (False, True))
]
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
    [*long(PLAYS[:2]), PLAYS[2]],
    ids=["way", "exposed", "concealed"],
)
@pytest.mark.parametrize("ties", EVERY, ids=name_ties)
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
    [(TAKEN, HOUSE), *long([(Ties(both_push=True), OPTIMAL)])],
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
