"""The plain sum over all shared card sets: the slow twin of `certify.kernels.pair_count`.

    sum over disjoint (D, P) of g(D, P) = sum over card sets S of (-1)^|S| * G(S),

G(S) being the sum over all D and P that hold S, overlapping as they like: the number of the
dealer's set hands among the supersets of S against that of the player's queries, a dominance sum
without codes. S is needed only up to suit permutations, as four suits' rank sets that never
increase, with the number of card sets it stands for. For S as large as a hand both hands are S.

There are 1,268,646 such S smaller than a hand of seven out of 53, and two thousand million
supersets: a matter of minutes compiled. Sums are modulo 2^64 as in `dominance`: G(S) is at most the
square of C(53,7) times the few queries of a hand, but wrapping is exact in any case.
"""

from collections.abc import Iterator
from math import comb

import numpy as np
import numpy.typing as npt

from certify.kernels.class_arrays import HandClasses
from certify.kernels.compiled import compile_lazily
from certify.kernels.event_lists import (
    ALL,
    KIND_BITS,
    KINDS,
    LOST,
    LOW_BITS,
    LOWS,
    WON,
    unpack_key,
)
from certify.kernels.events import Queries, SetHands, dealer_keys
from certify.kernels.features import LABEL_BITS, LABELS, Shape
from certify.kernels.pair_count import Counts, exact_counts

Integers = npt.NDArray[np.int64]


def count_plainly(classes: HandClasses, dealer: SetHands, points: Queries) -> Counts:
    """Count the outcomes of all ordered pairs of disjoint hands by the plain sum.

    Args:
        classes: the classes of the deck's hands.
        dealer: how the dealer sets every class, with labels.
        points: what the player's classes ask of the dealer's keys.
    """
    shape = classes.shape
    code_bits = 3 * shape.ranks
    dealer_key = dealer_keys(dealer, shape.ranks) >> code_bits
    low = np.where(points.kind == WON, LOWS - points.low.astype(np.int64), points.low)
    asked = ((points.high.astype(np.int64) << KIND_BITS | points.kind) << LOW_BITS) | low
    sign = points.sign.astype(np.int64)
    first = np.searchsorted(points.row, np.arange(len(classes.counts) + 1))
    code = class_codes(classes)
    lookup = np.argsort(code)
    sums = [[0] * KINDS for _ in range(LABELS)]
    for size in range(shape.hand + 1):
        shared = np.array(list(shared_sets(shape, size)), dtype=np.int64).reshape(-1, 6)
        result = np.zeros((LABELS, KINDS), dtype=np.int64)
        if size == 0:
            counted = classes.plain.copy()
            add_dominance(counted, dealer_key, first, asked, sign, 1, result)
        else:
            sum_shared(
                shared, size, shape.hand, shape.ranks, int(shape.joker), shape.back,
                code[lookup], lookup, dealer_key, first, asked, sign, result,
            )  # fmt: skip
        for label in range(LABELS):
            for kind in range(KINDS):
                sums[label][kind] += (-1) ** size * int(result[label, kind])
    return exact_counts(sums)


def shared_sets(shape: Shape, size: int) -> Iterator[tuple[int, ...]]:
    """List the card sets of a size up to suits: four rank sets, jokers, and how many it is."""
    masks: list[list[int]] = [[] for _ in range(shape.ranks + 1)]
    for mask in range(1 << shape.ranks):
        masks[mask.bit_count()].append(mask)

    def suits(left: int, most: int, number: int) -> Iterator[tuple[int, ...]]:
        if number == 0:
            if left == 0:
                yield ()
            return
        for held in range(min(left, shape.ranks) + 1):
            for mask in masks[held]:
                if mask <= most:
                    for rest in suits(left - held, mask, number - 1):
                        yield (mask, *rest)

    for joker in range(min(size, int(shape.joker)) + 1):
        for held in suits(size - joker, (1 << shape.ranks) - 1, 4):
            ways, run = 24, 1
            for suit in range(1, 4):
                run = run + 1 if held[suit] == held[suit - 1] else 1
                ways //= run
            yield (*held, joker, ways * comb(int(shape.joker), joker))


def class_codes(classes: HandClasses) -> Integers:
    """Return a number for every class: its ranks, three bits each, flush suit and jokers."""
    ranks = classes.shape.ranks
    code = classes.flush << (3 * ranks)
    for rank in range(ranks):
        code |= ((classes.counts >> (4 * rank)) & 7) << (3 * rank)
    return code | (classes.joker.astype(np.int64) << (4 * ranks))


@compile_lazily
def find_class(masks: Integers, joker: int, ranks: int, needed: int, codes: Integers) -> int:
    """Return the index of a hand's class in the sorted class codes."""
    code = joker << (4 * ranks)
    for suit in range(4):
        number = 0
        for rank in range(ranks):
            if (masks[suit] >> rank) & 1:
                code += 1 << (3 * rank)
                number += 1
        if number >= needed - joker:
            code += masks[suit] << (3 * ranks)
    low, high = 0, len(codes) - 1
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


@compile_lazily
def sum_shared(
    shared: Integers,
    size: int,
    hand: int,
    ranks: int,
    jokers: int,
    needed: int,
    codes: Integers,
    lookup: Integers,
    dealer_key: Integers,
    first: Integers,
    asked: Integers,
    sign: Integers,
    result: Integers,
) -> None:
    """Add G(S) times its number of card sets to `result`, for all S of a size."""
    counted = np.zeros(len(codes), dtype=np.int64)
    free = np.zeros(4 * ranks + jokers, dtype=np.int64)
    chosen = np.zeros(hand + 1, dtype=np.int64)
    masks = np.zeros(4, dtype=np.int64)
    for s in range(len(shared)):
        number = 0
        for rank in range(ranks):
            for suit in range(4):
                if not (shared[s, suit] >> rank) & 1:
                    free[number] = 4 * rank + suit
                    number += 1
        for _ in range(jokers - shared[s, 4]):
            free[number] = 4 * ranks
            number += 1
        more = hand - size
        for place in range(more):
            chosen[place] = place
        counted[:] = 0
        while True:
            masks[:] = shared[s, :4]
            joker = shared[s, 4]
            for place in range(more):
                card = free[chosen[place]]
                if card == 4 * ranks:
                    joker += 1
                else:
                    masks[card % 4] |= 1 << (card // 4)
            counted[lookup[find_class(masks, joker, ranks, needed, codes)]] += 1
            place = more - 1
            while place >= 0 and chosen[place] == number - more + place:
                place -= 1
            if place < 0:
                break
            chosen[place] += 1
            for other in range(place + 1, more):
                chosen[other] = chosen[other - 1] + 1
        add_dominance(counted, dealer_key, first, asked, sign, shared[s, 5], result)


@compile_lazily
def add_dominance(
    counted: Integers,
    dealer_key: Integers,
    first: Integers,
    asked: Integers,
    sign: Integers,
    ways: int,
    result: Integers,
) -> None:
    """Add the dominance sum of the classes, each counted so often, to `result`."""
    rows = np.nonzero(counted)[0]
    queries = 0
    for row in rows:
        queries += first[row + 1] - first[row]
    keys = dealer_key[rows]
    weights = counted[rows]
    point = np.empty(queries, dtype=np.int64)
    amount = np.empty(queries, dtype=np.int64)
    at = 0
    for row in rows:
        for query in range(first[row], first[row + 1]):
            point[at] = asked[query]
            amount[at] = sign[query] * counted[row] * ways
            at += 1
    order = np.argsort(keys)
    keys, weights = keys[order], weights[order]
    order = np.argsort(point)
    point, amount = point[order], amount[order]
    sweep(keys, weights, point, amount, result)


@compile_lazily
def sweep(
    dealer_key: Integers,
    dealer_weight: Integers,
    player_key: Integers,
    player_weight: Integers,
    result: Integers,
) -> None:
    """Add the dominance sums of two sorted lists without codes to `result` (labels, kinds)."""
    cells = np.zeros((KINDS, LOWS), dtype=np.int64)
    for event in range(len(player_key)):
        if (player_key[event] >> LOW_BITS) & ((1 << KIND_BITS) - 1) == WON:
            cells[WON, player_key[event] & (LOWS - 1)] += player_weight[event]
    event = 0
    for dealer in range(len(dealer_key)):
        high, low, label = unpack_key(dealer_key[dealer], 0, LABEL_BITS)
        while event < len(player_key):
            point = player_key[event]
            if point >> (LOW_BITS + KIND_BITS) > high:
                break
            kind = (point >> LOW_BITS) & ((1 << KIND_BITS) - 1)
            amount = player_weight[event]
            cells[kind, point & (LOWS - 1)] += -amount if kind == WON else amount
            event += 1
        amount = dealer_weight[dealer]
        result[label, ALL] += amount * cells[ALL, : low + 1].sum()
        result[label, LOST] += amount * cells[LOST, : low + 1].sum()
        result[label, WON] += amount * cells[WON, : LOWS - low].sum()
