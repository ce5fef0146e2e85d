"""Features and low hands of a house way as integer arrays, for each class of hands.

Groups of equal rank depend on the rank class alone. They are computed there and copied to its flush
classes. The hands that can be formed are computed from the splits of each class.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.engine.deck import FREED
from certify.kernels.class_arrays import HandClasses, Splits, unpack_ranks
from certify.kernels.classes import longest_runs
from certify.kernels.features import (
    CATEGORY_SHIFT,
    HIGH_CARD,
    PAIR,
    Shape,
    lone_joker_key,
)
from certify.model.game import RANKS
from certify.model.house_way import FrontSelection, HighestFront
from certify.model.vocabulary import Category, Groups, HouseWayFeature, NamedFront
from certify.words.groups import SINGLETONS

Integers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int8]

CHUNK: Final = 1 << 12
"""Classes whose splits are compared at a time: less than a megabyte."""

CATEGORIES: Final = tuple(Category)
"""In the order of the kernels' categories."""

COMPLETE: Final = (
    Category.STRAIGHT,
    Category.FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)

GROUPS: Final[Mapping[tuple[int, int, int, int], Groups]] = {
    (0, 0, 0, 0): Groups.NO_PAIR,
    (0, 0, 0, 1): Groups.PAIR,
    (0, 0, 0, 2): Groups.TWO_PAIR,
    (0, 0, 0, 3): Groups.THREE_PAIR,
    (0, 0, 1, 0): Groups.THREE_OF_A_KIND,
    (0, 0, 1, 1): Groups.THREE_OF_A_KIND_AND_PAIR,
    (0, 0, 1, 2): Groups.THREE_OF_A_KIND_AND_TWO_PAIR,
    (0, 0, 2, 0): Groups.TWO_SETS_OF_THREE_OF_A_KIND,
    (0, 1, 0, 0): Groups.FOUR_OF_A_KIND,
    (0, 1, 0, 1): Groups.FOUR_OF_A_KIND_AND_PAIR,
    (0, 1, 1, 0): Groups.FOUR_OF_A_KIND_AND_THREE_OF_A_KIND,
    (1, 0, 0, 0): Groups.FIVE_OF_A_KIND,
    (1, 0, 0, 1): Groups.FIVE_OF_A_KIND_AND_PAIR,
}
"""By how many ranks are held five, four, three and two times; up to seven cards."""

GROUPS_ORDER: Final = tuple(Groups)


class HandFacts(Struct, frozen=True, kw_only=True):
    """The classes, their splits, and the features of every class.

    Attributes:
        classes: the classes of hands.
        splits: every split of every class.
        features: one array per feature, an entry per class. Ranks are digits, 1 for the lowest rank
            of the deck, 0 for no such rank; groups and best hands are positions in their
            enumerations; flags are 0 or 1.
        fronts: `(classes, splits)`, the keys of the low hands with a lone joker as an ace.
        place: `(classes, splits)`, the rank of each split in its class, from 0 up: by the low hand,
            then the high hand, then a joker rather than an ace, then the first column.
    """

    classes: HandClasses
    splits: Splits
    features: Mapping[str, Small]
    fronts: npt.NDArray[np.int32]
    place: Small


@lru_cache(maxsize=4)
def hand_facts(classes: HandClasses, splits: Splits) -> HandFacts:
    """Read every feature of every class; the house ways of a deck share them."""
    homes, home = np.unique(classes.rank_class, return_inverse=True)
    by_ranks = _rank_features(classes, homes)
    features = {name: values.astype(np.int8)[home] for name, values in by_ranks.items()}
    features[HouseWayFeature.JOKER] = (classes.joker > 0).astype(np.int8)
    formed = splits.high >> CATEGORY_SHIFT
    complete = np.zeros(len(CATEGORIES), dtype=np.bool_)
    complete[[CATEGORIES.index(category) for category in COMPLETE]] = True
    features[HouseWayFeature.BEST_HAND] = formed.max(axis=1).astype(np.int8)
    features[HouseWayFeature.STRAIGHT_OR_FLUSH] = complete[formed].any(axis=1).astype(np.int8)
    shape = classes.shape
    fronts = splits.low
    if shape.front == 1 and shape.joker_beats_ace:
        fronts = np.minimum(fronts, lone_joker_key(shape.ranks, 0)).astype(np.int32)
    return HandFacts(
        classes=classes,
        splits=splits,
        features=features,
        fronts=fronts,
        place=_places(fronts, splits),
    )


FREED.append(hand_facts.cache_clear)


def _places(fronts: npt.NDArray[np.int32], splits: Splits) -> Small:
    """Return the ascending rank of each split in its class; of equal splits the first is last."""
    place = np.empty(fronts.shape, dtype=np.int8)
    places = np.arange(fronts.shape[1], dtype=np.int8)
    for start in range(0, len(fronts), CHUNK):
        part = slice(start, start + CHUNK)
        worth = (fronts[part].astype(np.int64) << 26) | (splits.high[part].astype(np.int64) << 1)
        worth |= splits.low[part] > fronts[part]
        order = np.argsort(worth[:, ::-1], axis=1, kind="stable")
        np.put_along_axis(place[part, ::-1], order, places[None], axis=1)
    return place


def _rank_features(classes: HandClasses, chosen: Integers) -> dict[str, Integers]:
    joker = classes.joker[chosen].astype(np.int64)
    natural = unpack_ranks(classes.counts[chosen], classes.shape.ranks)
    runs = np.array(longest_runs(classes.shape))
    sets = ((natural > 0) << np.arange(classes.shape.ranks)).sum(axis=1)
    numbers = _count_ranks(classes.shape, natural, joker)
    # Six of a kind, which two jokers make, are five and another one.
    times = [(np.minimum(numbers, 5) == count).sum(axis=1) for count in (5, 4, 3, 2)]
    groups = np.full((2, 2, 3, 4), -1, dtype=np.int64)
    for pattern, name in GROUPS.items():
        groups[pattern] = GROUPS_ORDER.index(name)
    digits = np.arange(1, classes.shape.ranks + 1)
    pairs = np.sort(np.where(numbers == 2, digits, 0), axis=1)  # noqa: PLR2004 - a pair is two
    lowest_pair = np.where(numbers == 2, digits, digits[-1] + 1).min(axis=1)  # noqa: PLR2004 - a pair
    singletons = np.sort(np.where(numbers == 1, digits, 0), axis=1)[:, ::-1]
    singletons = np.pad(singletons, ((0, 0), (0, max(0, len(SINGLETONS) - singletons.shape[1]))))
    return {
        HouseWayFeature.STRAIGHT_LENGTH: runs[joker, sets],
        HouseWayFeature.GROUPS: groups[tuple(times)],
        HouseWayFeature.HIGH_PAIR: pairs[:, -1],
        HouseWayFeature.LOW_PAIR: np.where(pairs[:, -1] == 0, 0, lowest_pair),
        HouseWayFeature.THREE_OF_A_KIND: np.where(numbers == 3, digits, 0).max(axis=1),  # noqa: PLR2004 - of a kind
        HouseWayFeature.FOUR_OF_A_KIND: np.where(numbers >= 4, digits, 0).max(axis=1),  # noqa: PLR2004 - of a kind
        HouseWayFeature.STRAIGHT_RANK: _straight_ranks(classes.shape, sets, joker),
        **{name: singletons[:, place] for place, name in enumerate(SINGLETONS)},
    }


def _straight_ranks(shape: Shape, sets: Integers, joker: Integers) -> Integers:
    """Return the top digit of the highest straight within each set of natural ranks, or 0."""
    size, ace = shape.back, 1 << (shape.ranks - 1)
    wheel = ace | ((1 << (size - 1)) - 1)
    windows = [wheel, *(((1 << size) - 1) << low for low in range(shape.ranks - size + 1))]
    digits = np.zeros_like(sets)
    for digit, window in enumerate(windows, start=size - 1):
        formed = np.bitwise_count(sets & window) + joker >= size
        digits[formed] = digit
    return digits


def _count_ranks(shape: Shape, natural: Integers, joker: Integers) -> Integers:
    """Count the cards of every rank, `(classes, ranks)`, the joker with the rank it joins."""
    numbers = natural.copy()
    joined = np.full(len(numbers), shape.ranks - 1)
    if shape.wild:
        joined = shape.ranks - 1 - numbers[:, ::-1].argmax(axis=1)
    numbers[np.arange(len(numbers)), joined] += joker
    return numbers


Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

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
    """Choose the split of each of `rows` for the front selection of a rule.

    Args:
        facts: the classes with their splits and features.
        front: the selection.
        rows: the classes.
        fouls: True to choose from the splits that are fouls, else from the others.

    Returns:
        Columns of `Splits`, -1 if there is none.
    """
    chosen = np.full(len(rows), NONE, dtype=np.int8)
    splits = facts.splits
    for start in range(0, len(rows), CHUNK):
        part = rows[start : start + CHUNK]
        legal = splits.legal[part]
        fits = legal != fouls
        if isinstance(front, HighestFront):
            fits &= _fits(front, facts.fronts[part], splits.high[part], legal, facts)
        else:
            fits &= facts.fronts[part] == _target(front, part, facts)[:, None]
        best = np.where(fits, facts.place[part], NONE).argmax(axis=1)
        fitting = fits[np.arange(len(part)), best]
        chosen[start : start + CHUNK] = np.where(fitting, best, NONE)
    return chosen


def rank_digit(letter: str, ranks: int) -> int:
    """Return the digit of a rank in a deck of the highest `ranks` ranks; below 1 if it has none."""
    return RANKS.index(letter) - (len(RANKS) - ranks) + 1


def _target(front: NamedFront, rows: Rows, facts: HandFacts) -> Rows:
    """Return the key of a named low hand, -1 if the hand has no such cards."""
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
