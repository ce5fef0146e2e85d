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

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

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


class KeyTables(NamedTuple):
    """The keys of all backs and fronts by their numbers.

    A back or front lists its ranks from the highest down, jokers first as the rank above all. Its
    number is its position among all such lists, from the lowest up: the sum of a term for each
    card.

    Attributes:
        of_backs: `(cards, ranks + 1)`, the term of every rank at every place of a back.
        backs: keys of backs that are no flush.
        flushes: keys of backs of one suit.
        of_fronts: `(cards, ranks + 1)`, the same terms for fronts.
        fronts: keys of fronts.
        lowest_backs: keys that the back must have at least.
    """

    of_backs: Keys
    backs: Keys
    flushes: Keys
    of_fronts: Keys
    fronts: Keys
    lowest_backs: Keys


@lru_cache(maxsize=8)
def build_key_tables(shape: Shape) -> KeyTables:
    """Build the tables of a deck; jokers are numbered as the rank above the ace."""
    ranks, wild, back = shape.ranks, shape.wild, shape.back

    def list_keys(cards: int, key: Callable[[int, int], int]) -> Keys:
        lists = combinations_with_replacement(range(ranks, -1, -1), cards)
        keys = [
            key(sum(1 << (COUNT_BITS * rank) for rank in held if rank < ranks), held.count(ranks))
            for held in lists
        ]
        return np.array(keys[::-1], dtype=np.int32)

    def back_keys(suited: int) -> Keys:
        rules = (suited, ranks, back, wild, shape.low_wheel, shape.order)
        return list_keys(back, lambda held, jokers: back_key(held, jokers, *rules))

    lowest_backs = list_keys(shape.front, lambda held, jokers: front_key(held, jokers, ranks, wild))
    fronts = lowest_backs.copy()
    if shape.front == 1:
        fronts[-1] = lone_joker_key(ranks, shape.joker_beats_ace)
    return KeyTables(
        of_backs=_list_terms(ranks, back),
        backs=back_keys(0),
        flushes=back_keys(1),
        of_fronts=_list_terms(ranks, shape.front),
        fronts=fronts,
        lowest_backs=lowest_backs,
    )


def _list_terms(ranks: int, cards: int) -> Keys:
    terms = [
        [comb(rank + cards - 1 - place, cards - place) for rank in range(ranks + 1)]
        for place in range(cards)
    ]
    return np.array(terms, dtype=np.int32).reshape(cards, ranks + 1)


def _number_hands(ranks: Small, places: Sequence[int], terms: Keys) -> Keys:
    """Return the number of the cards at some places of every hand."""
    numbers = np.zeros(len(ranks), dtype=np.int32)
    for term, place in zip(terms, places, strict=True):
        numbers += term[ranks[:, place]]
    return numbers


def class_splits(classes: HandClasses, *, executor: Executor | None = None) -> Splits:
    """Rank every split of every class and find the frontiers; an executor does some at a time."""
    shape = classes.shape
    fronts = front_choices(shape)
    size = (len(classes.counts), len(fronts))
    high, low = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    legal = np.empty(size, dtype=np.bool_)
    tables = build_key_tables(shape)
    frontier = np.full(size, -1, dtype=np.int8)
    frontier_size = np.zeros(size[0], dtype=np.int8)

    def rank(first: int) -> None:
        after = min(first + AT_ONCE, size[0])
        home = min(max(classes.rank_classes, first), after)
        part, with_flush = slice(first, after), slice(home, after)
        cards = classes.cards[part]
        ranks = cards >> 2
        for split, front in enumerate(fronts):
            back = [place for place in range(shape.hand) if place not in front]
            number = _number_hands(ranks, back, tables.of_backs)
            high[part, split] = tables.backs[number]
            suited = home + np.flatnonzero(_is_suited(classes.cards[with_flush], back, shape.ranks))
            high[suited, split] = tables.flushes[number[suited - first]]
            number = _number_hands(ranks, front, tables.of_fronts)
            low[part, split] = tables.fronts[number]
            legal[part, split] = high[part, split] >= tables.lowest_backs[number]
        find_frontiers(high[part], low[part], legal[part], frontier[part], frontier_size[part])

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


def _is_suited(cards: Small, places: Sequence[int], ranks: int) -> npt.NDArray[np.bool_]:
    """Return True for hands whose natural cards at some places are of one suit."""
    suited = np.ones(len(cards), dtype=np.bool_)
    last = cards[:, places[-1]] & 3
    for place in places[:-1]:
        card = cards[:, place]
        suited &= (card & 3 == last) | (card == 4 * ranks)
    return suited


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
