"""The classes of hands as arrays, each with one hand that shows it."""

from collections.abc import Iterator
from itertools import accumulate
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.kernels.classes import (
    GROUPS,
    MULTISET,
    Ways,
    flush_sizes,
    plain_flush,
    rank_classes,
    rank_sets,
    straight_flush,
)
from certify.kernels.features import COUNT_BITS, PLACE, Shape

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
CardNumbers = npt.NDArray[np.int8]


class HandClasses(Struct, frozen=True, kw_only=True, eq=False):
    """All rank classes, then all flush classes, as arrays with one entry per class.

    Attributes:
        shape: the deck and the hand.
        rank_classes: how many of the classes are rank classes; the others are flush classes.
        counts: natural cards by rank, packed four bits a rank (the lowest rank lowest).
        flush: ranks in the flush suit, a bit each; 0 for rank classes.
        others: natural cards of other suits by rank, packed like `counts`; 0 for rank classes.
        joker: how many jokers the hand holds.
        features: what is known of the hands, packed (`certify.kernels.features`); of rank
            classes as if flushes did not exist.
        hands: hands in the class; for rank classes flushes included.
        plain: for rank classes the hands without a flush; for flush classes equal to `hands`, so
            that `plain` sums to the number of all hands.
        rank_class: index of the class with the same ranks and no flush; of itself for rank classes.
        cards: one hand of the class, `(classes, hand)`: jokers first, then from the highest rank
            down, within a rank the flush suit first. Card `4 * rank + suit`, every joker
            `4 * ranks`. The flush suit is 0; a rank class shows a hand without a flush.
    """

    shape: Shape
    rank_classes: int
    counts: Integers
    flush: Integers
    others: Integers
    joker: CardNumbers
    features: Integers
    hands: Integers
    plain: Integers
    rank_class: Integers
    cards: CardNumbers


class Half(NamedTuple):
    """All classes with the same number of jokers, each kind in ascending order.

    Attributes:
        counts: rank multisets of the rank classes.
        features: their features as if flushes did not exist.
        hands: the numbers of their hands, including flushes.
        flush: sets of ranks in the flush suit, of the flush classes.
        others: rank multisets of their other cards.
        home: places of their ranks among the rank classes.
        flush_features: their features.
        flush_hands: the numbers of their hands.
    """

    counts: Integers
    features: Integers
    hands: Integers
    flush: Integers
    others: Integers
    home: Integers
    flush_features: Integers
    flush_hands: Integers


def halves(shape: Shape) -> Iterator[Half]:
    """Yield the classes without a joker, then those with one and with two, if the deck has them.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
    """
    shape.check()
    for joker in range(1 + shape.joker):
        counts, features, hands = _rank_classes(shape, joker)
        flush, others, added, flush_hands = _flush_classes(shape, joker)
        home = np.searchsorted(counts, spread(flush, shape.ranks) + others)
        yield Half(
            counts, features, hands, flush, others, home, features[home] + added, flush_hands
        )


def _rank_classes(shape: Shape, joker: int) -> Integers:
    """Return the rank classes: their multisets, codes and hands."""
    codes, ways = rank_classes(shape, joker), Ways.build(colour=False)
    groups = [code >> PLACE["groups"] for code in codes.values()]
    hands = {group: comb(shape.joker, joker) * ways.dealt(group) for group in set(groups)}
    columns = (codes, codes.values(), [hands[group] for group in groups])
    table = np.stack([np.fromiter(column, np.int64, len(codes)) for column in columns])
    return table[:, np.argsort(table[0])]


def _flush_classes(shape: Shape, joker: int) -> Integers:
    """Return the flush classes: suited ranks, other cards, code increment of a flush, hands."""
    dealt, ways = comb(shape.joker, joker), Ways.build(colour=False)

    def of_length(suited: int, items: list[int]) -> Integers:
        plain = plain_flush(shape, joker, suited)
        made = np.array(
            [
                (held, plain + straight_flush(shape, joker, held))
                for held in rank_sets(shape.ranks, suited)
            ],
            dtype=np.int64,
        ).reshape(-1, 2)
        rest = np.array(
            [
                (item & MULTISET, dealt * ways.flush_weight(suited, item >> GROUPS))
                for item in items
            ],
            dtype=np.int64,
        )
        mask, added = np.repeat(made, len(rest), axis=0).T
        others, hands = np.tile(rest, (len(made), 1)).T
        return np.stack([mask, others, added, hands])

    table = np.concatenate([of_length(*part) for part in flush_sizes(shape, joker)], axis=1)
    return table[:, np.lexsort((table[1], table[0]))]


def hand_classes(shape: Shape) -> HandClasses:
    """Enumerate the rank classes and the flush classes of a deck, each in ascending order.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
    """
    parts = list(halves(shape))
    sizes = [len(half.counts) for half in parts]
    size = sum(sizes)
    home = np.concatenate(
        [
            half.home + start
            for half, start in zip(parts, accumulate(sizes, initial=0), strict=False)
        ]
    )
    counts, features, hands, flush, others, _, flush_features, flush_hands = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    joker = np.concatenate(
        [
            np.repeat(np.arange(len(parts)), [len(column) for column in columns])
            for columns in ([half.counts for half in parts], [half.flush for half in parts])
        ]
    )
    plain = hands.copy()
    np.subtract.at(plain, home, flush_hands)
    nothing = np.zeros(size, dtype=np.int64)
    classes = HandClasses(
        shape=shape,
        rank_classes=size,
        counts=np.concatenate([counts, counts[home]]),
        flush=np.concatenate([nothing, flush]),
        others=np.concatenate([nothing, others]),
        joker=joker.astype(np.int8),
        features=np.concatenate([features, flush_features]),
        hands=np.concatenate([hands, flush_hands]),
        plain=np.concatenate([plain, flush_hands]),
        rank_class=np.concatenate([np.arange(size), home]),
        cards=np.empty((len(joker), shape.hand), dtype=np.int8),
    )
    _show(classes)
    return classes


def own_classes(shape: Shape, cards: CardNumbers) -> HandClasses:
    """Return concrete hands as separate classes, with flushes from their real suits.

    Their features are not computed.

    Args:
        shape: the deck and the hand.
        cards: `(hands, hand)`, jokers first, then from the highest rank down.
    """
    natural: Flags = cards < 4 * shape.ranks
    held = np.where(natural, 1 << (COUNT_BITS * (cards.astype(np.int64) // 4)), 0)
    nothing, each = np.zeros(len(cards), dtype=np.int64), np.ones(len(cards), dtype=np.int64)
    return HandClasses(
        shape=shape,
        rank_classes=0,
        counts=held.sum(axis=1),
        flush=nothing,
        others=nothing,
        joker=np.count_nonzero(~natural, axis=1).astype(np.int8),
        features=nothing,
        hands=each,
        plain=each,
        rank_class=np.arange(len(cards)),
        cards=cards,
    )


def unpack_ranks(packed: Integers, ranks: int) -> Integers:
    """Return the cards of each rank of packed multisets, `(multisets, ranks)`."""
    held: Integers = (packed[:, None] >> (COUNT_BITS * np.arange(ranks))) & 15
    return held


def spread(mask: Integers, ranks: int) -> Integers:
    """Pack sets of ranks, a bit each, as multisets with one card of each."""
    multiset = np.zeros_like(mask)
    for rank in range(ranks):
        multiset |= ((mask >> rank) & 1) << (COUNT_BITS * rank)
    return multiset


def _list_ranks(packed: Integers, ranks: int, cards: int) -> Integers:
    """List the ranks of multisets that all have the same number of cards, `(n, cards)`."""
    counts = unpack_ranks(packed, ranks).ravel()
    listed = np.repeat(np.tile(np.arange(ranks), len(packed)), counts)
    return listed.reshape(len(packed), cards)


def _show(classes: HandClasses) -> None:
    """Fill in one hand of every class.

    Cards of other suits take the suits 1, 2, 3 in turn, and the cards of a rank class all four:
    equal ranks get different suits, and no suit gets near a flush.
    """
    shape = classes.shape
    suited = np.bitwise_count(classes.flush)
    for holding in range(1 + shape.joker):
        for length in range(shape.hand + 1):
            chosen = np.flatnonzero((classes.joker == holding) & (suited == length))
            other = shape.hand - holding - length
            if len(chosen) == 0:
                continue
            beside = classes.others if length else classes.counts
            rest = _list_ranks(beside[chosen], shape.ranks, other)
            position = np.arange(other)
            rest = 4 * rest + (1 + position % 3 if length else position % 4)
            faces = 4 * _list_ranks(spread(classes.flush[chosen], shape.ranks), shape.ranks, length)
            wild = np.full((len(chosen), holding), 4 * shape.ranks)
            classes.cards[chosen] = _sort_cards(np.concatenate([wild, faces, rest], axis=1))


def _sort_cards(cards: Integers) -> Integers:
    """Sort the cards of every hand: ranks from high to low, then suits from low to high."""
    order = np.argsort(-(cards ^ 3), axis=1)
    return np.take_along_axis(cards, order, axis=1)
