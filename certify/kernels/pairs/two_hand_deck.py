"""What `disjoint` knows of a deck before anybody asks about its hands.

The classes of the hands as arrays, the rank multisets that may lie beside a flush, and the card
sets that two flushes in different suits may share.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import comb, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.partition.feature_classes import (
    COUNT_BITS,
    MULTISET,
    Shape,
    Ways,
    flush_sizes,
    flushes,
    rank_classes,
)

Integers = npt.NDArray[np.int64]


class Classes(NamedTuple):
    """All classes of hands with the joker, or all without.

    Attributes:
        multisets: rank multisets of the rank classes, ascending.
        codes: their codes, as if there were no flushes.
        suited: sets of ranks in the flush suit, of the flush classes.
        others: places of their other cards in `Deck.others`.
        plain: codes of their ranks, as if there were no flushes.
        true: their own codes.
    """

    multisets: Integers
    codes: Integers
    suited: Integers
    others: Integers
    plain: Integers
    true: Integers


class Deck:
    """What depends on the deck's dimensions alone.

    Attributes:
        shape: the dimensions.
        others: rank multisets of the cards that may lie beside a flush.
        spread: every set of ranks as a rank multiset, ascending.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.others = [item & MULTISET for _, items in flush_sizes(shape, 0) for item, _ in items]
        self.place = {other: place for place, other in enumerate(self.others)}
        self.spread = np.zeros(1, dtype=np.int64)
        for rank in range(shape.ranks):
            self.spread = np.concatenate([self.spread, self.spread + (1 << (COUNT_BITS * rank))])

    def digits(self, state: int) -> tuple[int, ...]:
        """Return the cards of each rank."""
        return tuple(state >> (COUNT_BITS * rank) & 7 for rank in range(self.shape.ranks))

    def classes(self, joker: int, runs: tuple[int, ...]) -> Classes:
        """Return all classes with the joker (1) or without (0)."""
        codes, _ = rank_classes(self.shape, Ways.of(colour=False), joker, runs)
        multisets = np.array(sorted(codes), dtype=np.int64)
        plain_codes = np.array([codes[one] for one in multisets.tolist()], dtype=np.int64)
        flush: list[tuple[Integers, ...]] = []
        for suited, items in flush_sizes(self.shape, joker):
            made = np.array(list(flushes(self.shape, joker, suited, runs)), dtype=np.int64)
            rest = np.array([item & MULTISET for item, _ in items], dtype=np.int64)
            places = np.array([self.place[one] for one in rest.tolist()], dtype=np.int64)
            if not made.size:
                continue
            whole = (made[:, :1] + rest).ravel()
            plain = plain_codes[np.searchsorted(multisets, whole)]
            flush.append(
                (
                    np.repeat(np.searchsorted(self.spread, made[:, 0]), len(rest)),
                    np.tile(places, len(made)),
                    plain,
                    plain + np.repeat(made[:, 1], len(rest)),
                )
            )
        joined = [np.concatenate(parts) for parts in zip(*flush, strict=True)]
        return Classes(multisets, plain_codes, *joined)

    def other_suit(self) -> tuple[Integers, ...]:
        """Return the card sets that two flushes in different suits may share, and their weights.

        With s0 in the first hand's suit, s1 in the second's and c in the two others, the first
        hand sees s1 + c outside its suit and the second s0 + c. For each set: the first hand's
        state of other suits and of its own, the second's, and (-1)^(cards) x product of C(2, c).
        """
        seen: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for place, rest in enumerate(self.others):
            for suited, common in self._parted(rest):
                seen[common].append((place, suited))
        found = []
        for common, splits in seen.items():
            ways = prod(comb(2, cards) for cards in self.digits(common))
            for (first, theirs), (second, ours) in product(splits, repeat=2):
                cards = ours.bit_count() + sum(self.digits(self.others[first]))
                found.append((first, ours, second, theirs, (-1) ** cards * ways))
        return tuple(np.array(found, dtype=np.int64).T)

    def _parted(self, rest: int) -> Iterator[tuple[int, int]]:
        """Yield the ways to take at most one card of each rank as a set, with what is left."""
        held = [rank for rank, cards in enumerate(self.digits(rest)) if cards]
        for taken in product((0, 1), repeat=len(held)):
            ranks = [rank for rank, one in zip(held, taken, strict=True) if one]
            one_each = sum(1 << (COUNT_BITS * rank) for rank in ranks)
            yield sum(1 << rank for rank in ranks), rest - one_each


def closed(multisets: Integers) -> Integers:
    """Return all rank multisets that lie within the given ones, ascending."""
    states = np.unique(np.append(multisets, 0))
    for rank in range(13):
        unit = 1 << (COUNT_BITS * rank)
        held = states // unit & 7
        fewer = [states[held >= less] - less * unit for less in range(5)]
        states = np.unique(np.concatenate(fewer))
    return states
