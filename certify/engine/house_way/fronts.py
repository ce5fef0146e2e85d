"""Fronts: which split of every class a front selection asks for."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from certify.engine.house_way.features import CATEGORIES, CHUNK, HandFacts
from certify.kernels.partition.ranking import CATEGORY_SHIFT, HIGH_CARD, PAIR
from certify.model.cards import RANKS
from certify.model.house_way import FrontSelection, HighestFront
from certify.model.vocabulary import HouseWayFeature, NamedFront

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Small = npt.NDArray[np.int8]

NONE: Final = -1
"""No split, no rule."""

FRONT_RANKS: Final[Mapping[NamedFront, tuple[str, ...]]] = {
    NamedFront.TWO_HIGHEST_SINGLETONS: (
        HouseWayFeature.HIGHEST_SINGLETON,
        HouseWayFeature.SECOND_SINGLETON,
    ),
    NamedFront.SECOND_AND_THIRD_HIGHEST_SINGLETONS: (
        HouseWayFeature.SECOND_SINGLETON,
        HouseWayFeature.THIRD_SINGLETON,
    ),
    NamedFront.HIGH_PAIR: (HouseWayFeature.HIGH_PAIR, HouseWayFeature.HIGH_PAIR),
    NamedFront.LOW_PAIR: (HouseWayFeature.LOW_PAIR, HouseWayFeature.LOW_PAIR),
    NamedFront.TWO_OF_THREE_OF_A_KIND: (
        HouseWayFeature.THREE_OF_A_KIND,
        HouseWayFeature.THREE_OF_A_KIND,
    ),
    NamedFront.TWO_OF_FOUR_OF_A_KIND: (
        HouseWayFeature.FOUR_OF_A_KIND,
        HouseWayFeature.FOUR_OF_A_KIND,
    ),
    NamedFront.ONE_OF_THREE_OF_A_KIND_AND_HIGHEST_SINGLETON: (
        HouseWayFeature.THREE_OF_A_KIND,
        HouseWayFeature.HIGHEST_SINGLETON,
    ),
    NamedFront.HIGHEST_SINGLETON: (HouseWayFeature.HIGHEST_SINGLETON,),
    NamedFront.SECOND_HIGHEST_SINGLETON: (HouseWayFeature.SECOND_SINGLETON,),
    NamedFront.ONE_OF_HIGH_PAIR: (HouseWayFeature.HIGH_PAIR,),
    NamedFront.ONE_OF_THREE_OF_A_KIND: (HouseWayFeature.THREE_OF_A_KIND,),
}
"""The ranks of each named front."""


def choose(facts: HandFacts, front: FrontSelection, rows: Rows, *, fouls: bool = False) -> Small:
    """Choose the split of each of `rows` that a front selection asks for.

    Args:
        facts: the classes with their splits and features.
        front: the selection.
        rows: the classes.
        fouls: look among the splits that are fouls instead of among those that are not.

    Returns:
        Columns of `Splits`, -1 where there is none.
    """
    chosen = np.full(len(rows), NONE, dtype=np.int8)
    splits = facts.splits
    for start in range(0, len(rows), CHUNK):
        part = rows[start : start + CHUNK]
        fronts, high = facts.fronts[part], splits.high[part]
        fits = splits.legal[part] != fouls
        if isinstance(front, HighestFront):
            fits &= _fits(front, fronts, high, splits.legal[part], facts)
        else:
            fits &= fronts == _target(front, part, facts)[:, None]
        best = np.where(fits, facts.place[part], NONE).argmax(axis=1)
        fitting = fits[np.arange(len(part)), best]
        chosen[start : start + CHUNK] = np.where(fitting, best, NONE)
    return chosen


def rank_digit(letter: str, ranks: int) -> int:
    """Return the digit of a rank in a deck of the highest `ranks` ranks; below 1 if it has none."""
    return RANKS.index(letter) - (len(RANKS) - ranks) + 1


def _target(front: NamedFront, rows: Rows, facts: HandFacts) -> Rows:
    """Return the key of a named front, -1 where the hand has no such cards."""
    digits = [facts.features[name][rows].astype(np.int64) for name in FRONT_RANKS[front]]
    first, last = digits[0], digits[-1]
    if len(digits) == 1:
        key = first << (CATEGORY_SHIFT - 4)
    else:
        high, low = np.maximum(first, last), np.minimum(first, last)
        unlike = (HIGH_CARD << CATEGORY_SHIFT) | (high << 16) | (low << 12)
        key = np.where(high == low, (PAIR << CATEGORY_SHIFT) | (high << 16), unlike)
    return np.where((first == 0) | (last == 0), NONE, key)


def _fits(
    front: HighestFront,
    fronts: npt.NDArray[np.int32],
    high: npt.NDArray[np.int32],
    legal: Flags,
    facts: HandFacts,
) -> Flags:
    fits = np.ones(fronts.shape, dtype=np.bool_)
    if front.leaves:
        allowed = np.zeros(len(CATEGORIES), dtype=np.bool_)
        allowed[[CATEGORIES.index(category) for category in front.leaves]] = True
        fits &= allowed[high >> CATEGORY_SHIFT]
    if front.at_least is not None:
        lowest = rank_digit(front.at_least, facts.classes.shape.ranks)
        fits &= fronts >= max(lowest, 0) << (CATEGORY_SHIFT - 4)
    if front.pair is not None:
        fits &= (fronts >> CATEGORY_SHIFT == PAIR) == front.pair
    if front.highest_back:
        fits &= high == np.where(legal, high, NONE).max(axis=1)[:, None]
    return fits
