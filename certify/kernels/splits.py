"""Every way to set every class of hands, with its keys, and the splits worth considering.

A split chooses the front's cards; the others are the back. All choices are kept, also those that
differ only in suits, so that a house way can speak of any of them: 21 for a front of two out of
seven cards, 6 for one out of six. The splits of a rank class are ranked as if flushes did not
exist; those of a flush class are ranked with the flush.

The frontier of a class is what is left of the legal splits when each one is dropped that another
one equals or beats in both hands. It is listed from the highest back down, so its fronts rise. A
hand of a flush class may have several flushes in its frontier (six or seven suited cards), and two
splits with the same ranks may differ: a joker in front leaves another back than an ace.
"""

from concurrent.futures import Executor
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.kernels.class_arrays import HandClasses
from certify.kernels.compiled import compile_lazily
from certify.kernels.features import (
    CATEGORY_SHIFT,
    COUNT_BITS,
    Shape,
    back_key,
    front_key,
    lone_joker_key,
)

Keys = npt.NDArray[np.int32]
Small = npt.NDArray[np.int8]

AT_ONCE: Final = 20_000
"""Classes whose splits are ranked in one go."""


class Splits(Struct, frozen=True, kw_only=True, eq=False):
    """All splits of all classes, with one row per class and one column per choice of the low hand.

    Attributes:
        fronts: `(splits, front)`, positions in `HandClasses.cards` of the cards in front.
        high: `(classes, splits)`, keys of the backs.
        low: `(classes, splits)`, keys of the fronts.
        legal: `(classes, splits)`, the back is at least as high as the front.
        frontier: `(classes, width)`, the splits of the frontier from the highest back down, then
            -1.
        frontier_size: how many splits the frontier of each class has, at least one.
    """

    fronts: Small
    high: Keys
    low: Keys
    legal: npt.NDArray[np.bool_]
    frontier: Small
    frontier_size: Small


def front_choices(shape: Shape) -> Small:
    """List the positions of the low hand's cards for every split, `(splits, front)`."""
    return np.array(list(combinations(range(shape.hand), shape.front)), dtype=np.int8)


def class_splits(classes: HandClasses, *, executor: Executor | None = None) -> Splits:
    """Rank every split of every class and find the frontiers; an executor does some at a time."""
    shape = classes.shape
    fronts = front_choices(shape)
    size = (len(classes.counts), len(fronts))
    high, low = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    legal = np.empty(size, dtype=np.bool_)
    rules = np.array(
        [
            *(shape.ranks, shape.back, shape.wild, shape.low_wheel, shape.joker_beats_ace),
            shape.order,
        ],
        dtype=np.int64,
    )
    frontier = np.full(size, -1, dtype=np.int8)
    frontier_size = np.zeros(size[0], dtype=np.int8)

    def rank(first: int) -> None:
        after = min(first + AT_ONCE, size[0])
        home = min(max(classes.rank_classes, first), after)
        for flushes, part in enumerate((slice(first, home), slice(home, after))):
            keys = high[part], low[part], legal[part]
            rank_splits(classes.cards[part], fronts, flushes, rules, *keys)
            find_frontiers(*keys, frontier[part], frontier_size[part])

    starts = range(0, size[0], AT_ONCE)
    for _ in map(rank, starts) if executor is None else executor.map(rank, starts):
        pass
    width = int(frontier_size.max(initial=1))
    return Splits(
        fronts=fronts,
        high=high,
        low=low,
        legal=legal,
        frontier=frontier[:, :width].copy(),
        frontier_size=frontier_size,
    )


@compile_lazily
def rank_splits(
    cards: Small,
    fronts: Small,
    flushes: int,
    rules: npt.NDArray[np.int64],
    high: Keys,
    low: Keys,
    legal: npt.NDArray[np.bool_],
) -> None:
    """Fill in the keys and the legality of every split of every hand.

    Args:
        cards: `(hands, hand)` cards.
        fronts: `(splits, front)` positions.
        flushes: 1 if a back of one suit is a flush, 0 if flushes do not exist.
        rules: ranks, back size, wild, low wheel, joker beats ace, order of the categories.
        high: `(hands, splits)`, filled with the keys of the backs.
        low: `(hands, splits)`, filled with the keys of the fronts.
        legal: `(hands, splits)`, filled with whether the split is no foul.
    """
    ranks, size, wild, low_wheel, beats = rules[0], rules[1], rules[2], rules[3], rules[4]
    order = rules[5]
    for hand in range(cards.shape[0]):
        whole = 0
        for position in range(cards.shape[1]):
            card = int(cards[hand, position])
            if card < 4 * ranks:
                whole += 1 << (COUNT_BITS * (card // 4))
        for split in range(fronts.shape[0]):
            front, taken, jokers = 0, 0, 0
            for place in range(fronts.shape[1]):
                position = int(fronts[split, place])
                taken |= 1 << position
                card = int(cards[hand, position])
                if card == 4 * ranks:
                    jokers += 1
                else:
                    front += 1 << (COUNT_BITS * (card // 4))
            holding, suits = 0, 0
            for position in range(cards.shape[1]):
                if (taken >> position) & 1 == 0:
                    card = int(cards[hand, position])
                    if card == 4 * ranks:
                        holding += 1
                    else:
                        suits |= 1 << (card % 4)
            suited = flushes if suits & (suits - 1) == 0 else 0
            back = back_key(whole - front, holding, suited, ranks, size, wild, low_wheel, order)
            least = front_key(front, jokers, ranks, wild)
            high[hand, split] = back
            legal[hand, split] = back >= least
            if jokers and fronts.shape[1] == 1:
                least = lone_joker_key(ranks, beats)
            low[hand, split] = least


@compile_lazily
def find_frontiers(
    high: Keys, low: Keys, legal: npt.NDArray[np.bool_], frontier: Small, size: Small
) -> None:
    """Fill in the frontier of every row: highest high hand first; of equal splits the first."""
    for row in range(high.shape[0]):
        kept = 0
        bound = -1 << CATEGORY_SHIFT
        above = 1 << (CATEGORY_SHIFT + 4)
        while True:
            best = -1
            for split in range(high.shape[1]):
                if legal[row, split] and low[row, split] > bound and high[row, split] < above:
                    better = best < 0 or high[row, split] > high[row, best]
                    if better or (
                        high[row, split] == high[row, best] and low[row, split] > low[row, best]
                    ):
                        best = split
            if best < 0:
                break
            frontier[row, kept] = best
            kept += 1
            bound = low[row, best]
            above = high[row, best]
        size[row] = kept
