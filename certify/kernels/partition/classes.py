"""The partition of all hands into rank classes and flush classes.

A **rank class** is a rank multiset with at most four of a rank, with the joker or without: 67,600
classes of seven cards out of 53. It stands for every hand with these ranks, product of C(4, m_r)
hands, *as if flushes did not exist*.

A **flush class** is a set F of ranks in one suit (as many as the back holds, one less with the
joker) and the rank multiset q of the other natural cards, all in the other three suits: 224,653
classes of four times product of C(3, q_r) hands each. Its rank class has F_r + q_r of each rank.
No hand is in two flush classes: `Shape.check` refuses decks where two suits could hold a flush.

So what depends on ranks and a possible flush alone is known of every hand once it is known of
every class: the hands of a rank class that are in no flush class (`plain` of them) have the value
of the rank class, all others the value of their flush class.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from certify.kernels.partition.ranking import COUNT_BITS, Shape

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Cards = npt.NDArray[np.int8]

JOKER_SHIFT = 4 * 13
"""Bit of the joker in the sort code of a rank class, above thirteen packed counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandClasses:
    """All rank classes, then all flush classes, as arrays with one entry per class.

    Attributes:
        shape: the deck and the hand.
        rank_classes: how many of the classes are rank classes; the others are flush classes.
        counts: natural cards by rank, packed four bits a rank (the lowest rank lowest).
        flush: ranks in the flush suit, a bit each; 0 for rank classes.
        others: natural cards of other suits by rank, packed like `counts`; 0 for rank classes.
        joker: the hand holds the joker.
        hands: hands in the class; for rank classes flushes included.
        plain: for rank classes the hands without a flush; for flush classes equal to `hands`, so
            that `plain` sums to the number of all hands.
        rank_class: index of the class with the same ranks and no flush; of itself for rank classes.
        cards: one hand of the class, `(classes, hand)`: joker first, then from the highest rank
            down, within a rank the flush suit first. Card `4 * rank + suit`, the joker
            `4 * ranks`. The flush suit is 0; a rank class shows a hand without a flush.
    """

    shape: Shape
    rank_classes: int
    counts: Integers
    flush: Integers
    others: Integers
    joker: Flags
    hands: Integers
    plain: Integers
    rank_class: Integers
    cards: Cards


def multisets(ranks: int, most: int, of: int) -> tuple[Integers, Integers, Integers]:
    """Enumerate the rank multisets of at most `most` cards with at most `of` cards of a rank.

    Returns:
        The multisets packed four bits a rank, their numbers of cards, and in how many ways the
        cards can be drawn from `of` suits.
    """
    packed = np.zeros(1, dtype=np.int64)
    cards = np.zeros(1, dtype=np.int64)
    ways = np.ones(1, dtype=np.int64)
    for rank in range(ranks):
        steps = range(of + 1)
        packed = np.concatenate([packed + (c << (COUNT_BITS * rank)) for c in steps])
        ways = np.concatenate([ways * comb(of, c) for c in steps])
        cards = np.concatenate([cards + c for c in steps])
        keep = cards <= most
        packed, cards, ways = packed[keep], cards[keep], ways[keep]
    return packed, cards, ways


def hand_classes(shape: Shape) -> HandClasses:
    """Enumerate the rank classes and the flush classes of a deck, each in ascending order.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
    """
    shape.check()
    counts, joker, hands = _rank_classes(shape)
    flush, others, flush_joker, flush_hands = _flush_classes(shape)
    flush_counts = spread(flush, shape.ranks) + others
    code = counts | (joker << JOKER_SHIFT)
    home = np.searchsorted(code, flush_counts | (flush_joker << JOKER_SHIFT))
    plain = hands.copy()
    np.subtract.at(plain, home, flush_hands)
    size = len(counts)
    nothing = np.zeros(size, dtype=np.int64)
    all_joker = np.concatenate([joker, flush_joker]) > 0
    all_counts = np.concatenate([counts, flush_counts])
    all_flush = np.concatenate([nothing, flush])
    all_others = np.concatenate([nothing, others])
    return HandClasses(
        shape=shape,
        rank_classes=size,
        counts=all_counts,
        flush=all_flush,
        others=all_others,
        joker=all_joker,
        hands=np.concatenate([hands, flush_hands]),
        plain=np.concatenate([plain, flush_hands]),
        rank_class=np.concatenate([np.arange(size), home]),
        cards=_representatives(shape, all_counts, all_flush, all_others, all_joker),
    )


def _rank_classes(shape: Shape) -> tuple[Integers, Integers, Integers]:
    packed, cards, ways = multisets(shape.ranks, shape.hand, 4)
    without = cards == shape.hand
    holding = (cards == shape.hand - 1) & shape.joker
    counts = np.concatenate([packed[without], packed[holding]])
    joker = np.repeat(np.array([0, 1]), [without.sum(), holding.sum()])
    hands = np.concatenate([ways[without], ways[holding]])
    order = np.argsort(counts | (joker << JOKER_SHIFT))
    return counts[order], joker[order], hands[order]


def _flush_classes(shape: Shape) -> tuple[Integers, Integers, Integers, Integers]:
    """Combine every set of suited ranks that is a flush with every multiset of other cards."""
    sets = np.arange(1 << shape.ranks, dtype=np.int64)
    suited = sum(((sets >> rank) & 1 for rank in range(shape.ranks)), start=np.zeros_like(sets))
    packed, cards, ways = multisets(shape.ranks, shape.front, 3)
    parts: list[Integers] = []
    for joker in range(1 + shape.joker):
        for other in range(shape.front + 1):
            needed = shape.hand - joker - other
            faces = sets[suited == needed]
            rest, rest_ways = packed[cards == other], ways[cards == other]
            parts.append(
                np.stack(
                    [
                        np.repeat(faces, len(rest)),
                        np.tile(rest, len(faces)),
                        np.full(len(faces) * len(rest), joker),
                        np.tile(4 * rest_ways, len(faces)),
                    ]
                )
            )
    table = np.concatenate(parts, axis=1)
    flush, others, joker_of, hands = table[:, np.lexsort((table[1], table[0], table[2]))]
    return flush, others, joker_of, hands


def spread(mask: Integers, ranks: int, *, bits: int = COUNT_BITS) -> Integers:
    """Pack sets of ranks, a bit each, as multisets with one card of each, `bits` bits a rank."""
    multiset = np.zeros_like(mask)
    for rank in range(ranks):
        multiset |= ((mask >> rank) & 1) << (bits * rank)
    return multiset


def _ranks_of(packed: Integers, ranks: int, cards: int) -> Integers:
    """List the ranks of multisets that all have the same number of cards, `(n, cards)`."""
    counts = (packed[:, None] >> (COUNT_BITS * np.arange(ranks))) & 15
    listed = np.repeat(np.tile(np.arange(ranks), len(packed)), counts.ravel())
    return listed.reshape(len(packed), cards)


def _representatives(
    shape: Shape, counts: Integers, flush: Integers, others: Integers, joker: Flags
) -> Cards:
    """Show one hand of every class.

    Cards of other suits take the suits 1, 2, 3 in turn, and the cards of a rank class all four:
    equal ranks get different suits, and no suit gets near a flush.
    """
    suited = sum(((flush >> rank) & 1 for rank in range(shape.ranks)), start=np.zeros_like(flush))
    cards = np.empty((len(counts), shape.hand), dtype=np.int8)
    for holding in (False, True):
        for length in range(shape.hand + 1):
            chosen = np.flatnonzero((joker == holding) & (suited == length))
            other = shape.hand - holding - length
            if len(chosen) == 0:
                continue
            rest = _ranks_of((others if length else counts)[chosen], shape.ranks, other)
            position = np.arange(other)
            rest = 4 * rest + (1 + position % 3 if length else position % 4)
            faces = 4 * _ranks_of(spread(flush[chosen], shape.ranks), shape.ranks, length)
            wild = np.full((len(chosen), int(holding)), 4 * shape.ranks)
            cards[chosen] = _sorted(np.concatenate([wild, faces, rest], axis=1))
    return cards


def _sorted(cards: Integers) -> Integers:
    """Sort the cards of every hand: ranks from high to low, then suits from low to high."""
    order = np.argsort(-(cards ^ 3), axis=1)
    return np.take_along_axis(cards, order, axis=1)
