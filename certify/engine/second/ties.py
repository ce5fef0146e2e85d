"""Any ties, from counts in which the player takes the ties of one hand, of both, or of none.

A second count knows pairs that the player wins in both hands, and that the dealer does, where
somebody takes every tie. Counted for each of the four ways to take them, it tells the nine ways
in which two hands compare with two apart, but for those in which each side has one: these push.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from certify.engine.second.forms import TiesTaken
from certify.engine.second.tables import Integers, ends_table
from certify.kernels.plain.hands import LOSE, PUSH, WIN
from certify.model.main_wager import Tie, Ties

Number = TypeVar("Number", int, Integers)

EVERY: Final = tuple(
    TiesTaken(high=high, low=low) for high in (False, True) for low in (False, True)
)
"""Nobody's ties, those of the low hands, of the high hands, of both are the player's."""


def takings(ties: Ties) -> tuple[TiesTaken, ...]:
    """Return the ways to take ties that must be counted: one where somebody takes each of them."""
    split = {ties.high, ties.low} == {Tie.PLAYER, Tie.DEALER}
    if {ties.high, ties.low} <= {Tie.PLAYER, Tie.DEALER} and (split or not ties.both_push):
        return (TiesTaken(high=ties.high is Tie.PLAYER, low=ties.low is Tie.PLAYER),)
    return EVERY


def won_and_lost(ties: Ties, counted: Sequence[tuple[Number, Number]]) -> tuple[Number, Number]:
    """Return the pairs won and lost, from those of `takings` in their order."""
    if len(counted) == 1:
        return counted[0]
    (won, lost), (won_low, lost_low), (won_high, lost_high), (won_both, lost_both) = counted
    compared = {
        (WIN, WIN): won,
        (WIN, PUSH): won_low - won,
        (PUSH, WIN): won_high - won,
        (PUSH, PUSH): won_both - won_high - won_low + won,
        (PUSH, LOSE): lost_low - lost_both,
        (LOSE, PUSH): lost_high - lost_both,
        (LOSE, LOSE): lost_both,
    }
    ends, nothing = ends_table(ties), lost - lost
    win, lose = (
        sum((pairs for hands, pairs in compared.items() if ends[hands] == end), nothing)
        for end in (WIN, LOSE)
    )
    return win, lose
