"""Subsets of a deck in colexicographic order, and the dealer's hands that hold some cards.

A hand counts as its best `hand` cards. For every set T of known cards, up to suit isomorphism, the
dealer's hands that hold T are listed by their *position*: their place in an order of labels, and
within a label of keys. Nothing depends on flushes, jokers or the ranking.

Width. A list holds at most C(54, 6) hands, fewer than 2^25; codes have 57 bits.
"""

from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.class_arrays import HandClasses
from certify.kernels.compiled import compile_allocating, compile_lazily
from certify.kernels.features import COUNT_BITS

Integers = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Positions = npt.NDArray[np.int16]

MOST: Final = 6
"""The cards of the largest hand."""

JOKERS: Final = 13 * COUNT_BITS
SUITED: Final = JOKERS + 2
"""Bits of a code above the ranks: the number of jokers, and whether the others are of one suit."""

CHOOSE: Final = np.array([[comb(n, k) for k in range(MOST + 2)] for n in range(56)])


class Known(NamedTuple):
    """The dealer's hands that hold given cards, by the number of these cards.

    Attributes:
        ids: for every subset of the deck below the dealer's size, its row; by size.
        ids_at: the start of each size in `ids`.
        dense: rows of the number of hands below each position.
        listed: rows of the sorted positions of the hands.
        start: the start of each size in one of the two.
        width: the length of a row; of `listed` if negative.
        position: the position of each of the dealer's hands.
        cards: the deck's cards.
        dealer: the dealer's cards.
    """

    ids: Places
    ids_at: Integers
    dense: Places
    listed: Positions
    start: Integers
    width: Integers
    position: Positions
    cards: int
    dealer: int


@compile_lazily
def advance(chosen: Integers, size: int) -> None:
    """Replace a subset by the next one in colexicographic order."""
    place = 0
    while place + 1 < size and chosen[place] + 1 == chosen[place + 1]:
        chosen[place] = place
        place += 1
    if size:
        chosen[place] += 1


@compile_allocating
def fill_codes(ranks: int, size: int, code: Integers) -> None:
    """Fill in the ranks, jokers and suitedness of every subset of the deck."""
    chosen = np.arange(size)
    for place in range(len(code)):
        value, suits = 0, 0
        for card in chosen[:size]:
            if card >= 4 * ranks:
                value += 1 << JOKERS
            else:
                value += 1 << (COUNT_BITS * (card >> 2))
                suits |= 1 << (card & 3)
        code[place] = value + (1 << SUITED if suits & (suits - 1) == 0 else 0)
        advance(chosen, size)


@compile_allocating
def fill_suits(ranks: int, size: int, key: Integers) -> None:
    """Fill in a key of every subset that subsets share if and only if they differ by suits only."""
    chosen = np.arange(size)
    masks = np.zeros(4, dtype=np.int64)
    for place in range(len(key)):
        masks[:] = 0
        jokers = 0
        for card in chosen[:size]:
            if card >= 4 * ranks:
                jokers += 1
            else:
                masks[card & 3] |= 1 << (card >> 2)
        for last in range(3, 0, -1):
            for suit in range(last):
                if masks[suit] > masks[suit + 1]:
                    masks[suit], masks[suit + 1] = masks[suit + 1], masks[suit]
        value = jokers
        for suit in range(4):
            value = (value << 13) | masks[suit]
        key[place] = value
        advance(chosen, size)


@compile_allocating
def fill_best(
    size: int, choices: Integers, choose: Integers, of_few: Positions, best: Positions
) -> None:
    """Fill in the greatest entry of ``of_few`` among the choices of every subset."""
    chosen = np.arange(size)
    for place in range(len(best)):
        highest = -1
        for choice in range(len(choices)):
            index = 0
            for at in range(choices.shape[1]):
                index += choose[chosen[choices[choice, at]], at + 1]
            highest = max(highest, of_few[index])
        best[place] = highest
        advance(chosen, size)


@compile_allocating
def fill_known(
    card_sets: npt.NDArray[np.int8],
    cards: int,
    dealer: int,
    choose: Integers,
    position: Positions,
    dense: Places,
    listed: Positions,
) -> None:
    """Fill in a row for each set of known cards: sums if ``dense`` has columns, or else a list."""
    size = card_sets.shape[1]
    others = np.empty(cards - size, dtype=np.int64)
    for row in range(len(card_sets)):
        at = 0
        for card in range(cards):
            is_held = False
            for card_of_set in card_sets[row]:
                is_held = is_held or card_of_set == card
            if not is_held:
                others[at] = card
                at += 1
        rest = dealer - size
        chosen = np.arange(rest)
        for number in range(choose[cards - size, rest]):
            index, mine, theirs = 0, 0, 0
            for at in range(dealer):
                if theirs == rest or (
                    mine < size and card_sets[row, mine] < others[chosen[theirs]]
                ):
                    index += choose[card_sets[row, mine], at + 1]
                    mine += 1
                else:
                    index += choose[others[chosen[theirs]], at + 1]
                    theirs += 1
            if dense.shape[1]:
                dense[row, position[index] + 1] += 1
            else:
                listed[row, number] = position[index]
            advance(chosen, rest)
        for place in range(1, dense.shape[1]):
            dense[row, place] += dense[row, place - 1]


@compile_lazily
def count_below(
    table: Known, cards: Integers, size: int, choose: Integers, points: Integers,
    sign: int, below: Integers,
) -> None:  # fmt: skip
    """Add, times ``sign``, the dealer's hands that hold the cards and are below each point."""
    index = 0
    for at in range(size):
        index += choose[cards[at], at + 1]
    last = points[len(points) - 1]
    number, before = 0, 0
    row, width = 0, 0
    if size < table.dealer:
        width = table.width[size]
        row = table.start[size] + table.ids[table.ids_at[size] + index] * abs(width)
    for query in range(len(points)):
        point = points[query]
        if point != before:
            before = point
            if point == last:
                number = choose[table.cards - size, table.dealer - size]
            elif size == table.dealer:
                number = 1 if table.position[index] < point else 0
            elif width > 0:
                number = table.dense[row + point]
            else:
                low, high = 0, -width
                while low < high:
                    middle = (low + high) >> 1
                    if table.listed[row + middle] < point:
                        low = middle + 1
                    else:
                        high = middle
                number = low
        below[query] += sign * number


@compile_allocating
def fill_left(
    of_few: Positions,
    shown: Integers,
    others: Integers,
    rest: int,
    choices: Integers,
    choose: Integers,
    counts: Integers,
) -> None:
    """Count the dealer's hands of ``shown`` and ``rest`` others by their greatest entry."""
    size = len(shown) + rest
    hand = np.empty(size, dtype=np.int64)
    chosen = np.arange(rest)
    for _ in range(choose[len(others), rest]):
        mine, theirs = 0, 0
        for at in range(size):
            if theirs == rest or (mine < len(shown) and shown[mine] < others[chosen[theirs]]):
                hand[at] = shown[mine]
                mine += 1
            else:
                hand[at] = others[chosen[theirs]]
                theirs += 1
        highest = 0
        for choice in range(len(choices)):
            index = 0
            for at in range(choices.shape[1]):
                index += choose[hand[choices[choice, at]], at + 1]
            highest = max(highest, of_few[index])
        counts[highest] += 1
        advance(chosen, rest)


def count_left(
    classes: HandClasses, key: Integers, gone: list[int], shown: list[int], dealer: int
) -> Integers:
    """Return by class the dealer's hands that hold none of some cards and all that are shown.

    Args:
        classes: the classes of complete hands.
        key: their keys; the class of a hand is that of its cards with the highest key.
        gone: the player's cards.
        shown: the cards of the dealer that are seen.
        dealer: the dealer's cards.
    """
    shape = classes.shape
    order = np.argsort(key, kind="stable")
    position = np.empty(len(order), dtype=np.int16)
    position[order] = np.arange(len(order))
    few = rank_hands(classes, position, shape.hand)
    choices = np.array(list(combinations(range(dealer), shape.hand)))
    excluded = {*gone, *shown}
    others = np.array([card for card in range(shape.cards) if card not in excluded])
    counts = np.zeros(len(order), dtype=np.int64)
    seen = np.array(sorted(shown), dtype=np.int64)
    fill_left(few, seen, others, dealer - len(seen), choices, CHOOSE, counts)
    return counts[position]


def rank_hands(classes: HandClasses, of_class: Positions, cards: int) -> Positions:
    """Return the greatest entry among the complete hands in each subset of so many cards.

    Args:
        classes: the classes of complete hands.
        of_class: an entry for each class.
        cards: the number of cards of the subsets.
    """
    shape = classes.shape
    code = np.empty(comb(shape.cards, shape.hand), dtype=np.int64)
    fill_codes(shape.ranks, shape.hand, code)
    ranked = np.arange(len(classes.counts)) < classes.rank_classes
    class_key = classes.counts[classes.rank_class] + (classes.joker.astype(np.int64) << JOKERS)
    # A rank class is read for the hands that are no flush.
    class_key += np.where(ranked, 0, 1 << SUITED)
    order = np.argsort(class_key)
    few = of_class[order[np.searchsorted(class_key[order], code)]]
    if cards == shape.hand:
        return few
    choices = np.array(list(combinations(range(cards), shape.hand)))
    best = np.empty(comb(shape.cards, cards), dtype=np.int16)
    fill_best(cards, choices, CHOOSE, few, best)
    return best


def list_subsets(places: Integers, cards: int) -> npt.NDArray[np.int8]:
    """Return the subsets of so many cards with these places, their cards ascending."""
    left = places.copy()
    subsets = np.empty((len(places), cards), dtype=np.int8)
    for at in range(cards, 0, -1):
        subsets[:, at - 1] = np.searchsorted(CHOOSE[:, at], left, side="right") - 1
        left -= CHOOSE[subsets[:, at - 1], at]
    return subsets


def up_to_suits(ranks: int, deck: int, cards: int) -> tuple[Places, Integers, Integers]:
    """Return the row of every subset up to suits, and of every row a first place and its size."""
    key = np.empty(comb(deck, cards), dtype=np.int64)
    fill_suits(ranks, cards, key)
    _, first, row, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return row.astype(np.int32), first, size


def tabulate(position: Positions, ranks: int, deck: int, dealer: int, largest: int) -> Known:
    """Tabulate the dealer's hands for each set of known cards of at most ``largest`` cards."""
    positions = int(position.max()) + 1
    ids: list[Places] = []
    dense, listed = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int16)]
    start, width = [], []
    for size in range(min(largest + 1, dealer)):
        row, first, _ = up_to_suits(ranks, deck, size)
        hands = comb(deck - size, dealer - size)
        is_dense = hands > positions
        sums = np.zeros((len(first), (positions + 1) * is_dense), dtype=np.int32)
        places = np.empty((len(first), 0 if is_dense else hands), dtype=np.int16)
        card_sets = list_subsets(first, size)
        fill_known(card_sets, deck, dealer, CHOOSE, position, sums, places)
        places.sort(axis=1)
        ids.append(row)
        start.append(sum(map(len, dense)) if is_dense else sum(map(len, listed)))
        width.append(positions + 1 if is_dense else -hands)
        dense.append(sums.ravel())
        listed.append(places.ravel())
    return Known(
        ids=np.concatenate(ids),
        ids_at=np.cumsum([0, *map(len, ids)]),
        dense=np.concatenate(dense),
        listed=np.concatenate(listed),
        start=np.array(start),
        width=np.array(width),
        position=position,
        cards=deck,
        dealer=dealer,
    )
