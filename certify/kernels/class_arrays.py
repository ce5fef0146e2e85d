"""The classes of hands as arrays, each with one hand that shows it, and the ways to set them.

A split chooses the front's cards; the others are the back. All choices are listed, also those that
differ only in suits, because a house way can name any one: 21 for a front of two out of seven
cards, 6 for one out of six. The splits of a rank class are ranked as if flushes did not exist;
those of a flush class are ranked with the flush.

The frontier of a class is its legal splits without those that another one equals or beats in both
hands. It is listed from the highest back down, so its fronts rise. A hand of a flush class may have
several flushes in its frontier (six or seven suited cards), and two splits with the same ranks may
differ: a joker in front leaves another back than an ace.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

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
from certify.kernels.compiled import compile_lazily
from certify.kernels.features import (
    CATEGORY_SHIFT,
    COUNT_BITS,
    PLACE,
    Shape,
    back_key,
    front_key,
    lone_joker_key,
)

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
        features: the features of the hands, packed (`certify.kernels.features`); of rank
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

    def list_classes(suited: int, items: list[int]) -> Integers:
        plain = plain_flush(shape, joker, suited)
        flush_codes = np.array(
            [
                (suited_ranks, plain + straight_flush(shape, joker, suited_ranks))
                for suited_ranks in rank_sets(shape.ranks, suited)
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
        mask, added = np.repeat(flush_codes, len(rest), axis=0).T
        others, hands = np.tile(rest, (len(flush_codes), 1)).T
        return np.stack([mask, others, added, hands])

    table = np.concatenate([list_classes(*part) for part in flush_sizes(shape, joker)], axis=1)
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
    one_of_rank = np.where(natural, 1 << (COUNT_BITS * (cards.astype(np.int64) // 4)), 0)
    nothing, each = np.zeros(len(cards), dtype=np.int64), np.ones(len(cards), dtype=np.int64)
    return HandClasses(
        shape=shape,
        rank_classes=0,
        counts=one_of_rank.sum(axis=1),
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
    numbers: Integers = (packed[:, None] >> (COUNT_BITS * np.arange(ranks))) & 15
    return numbers


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
            outside = classes.others if length else classes.counts
            rest = _list_ranks(outside[chosen], shape.ranks, other)
            position = np.arange(other)
            rest = 4 * rest + (1 + position % 3 if length else position % 4)
            faces = 4 * _list_ranks(spread(classes.flush[chosen], shape.ranks), shape.ranks, length)
            wild = np.full((len(chosen), holding), 4 * shape.ranks)
            classes.cards[chosen] = _sort_cards(np.concatenate([wild, faces, rest], axis=1))


def _sort_cards(cards: Integers) -> Integers:
    """Sort the cards of every hand: ranks from high to low, then suits from low to high."""
    order = np.argsort(-(cards ^ 3), axis=1)
    return np.take_along_axis(cards, order, axis=1)


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
            key(
                sum(1 << (COUNT_BITS * rank) for rank in ranks_of_cards if rank < ranks),
                ranks_of_cards.count(ranks),
            )
            for ranks_of_cards in lists
        ]
        return np.array(keys[::-1], dtype=np.int32)

    def back_keys(suited: int) -> Keys:
        rules = (suited, ranks, back, wild, shape.low_wheel, shape.order)
        return list_keys(
            back, lambda ranks_of_cards, jokers: back_key(ranks_of_cards, jokers, *rules)
        )

    lowest_backs = list_keys(
        shape.front, lambda ranks_of_cards, jokers: front_key(ranks_of_cards, jokers, ranks, wild)
    )
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
    # The positions of the low hand's cards for every split.
    fronts = np.array(list(combinations(range(shape.hand), shape.front)), dtype=np.int8)
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
        number = 0
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
            frontier[row, number] = best
            number += 1
            bound = low[row, best]
            above = high[row, best]
        size[row] = number
