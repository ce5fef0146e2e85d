"""Queries of a hand by class, suit holding and split, and their answers.

A query is (H, L, code): a player's hand, by its states in the ranks, and a split of it. Its answer
is, for each label of the dealer (*channel*), the weighted number of dealer events disjoint from the
hand with h >= H *or* l >= L (*missed*), and with both (*lost*). The query (0, 0) counts them all.

The recursion is that of `dominance`, transposed. On the way down both lists are split as in
`dominance`, and equal queries are merged. At a small node or the last step each query gets its
answer. On the way up a query adds the answers of its children, each times the factor v of the
branch; the places of its children were noted on the way down.

Width. All is linear with integer factors, computed modulo 2^64; answers are kept modulo 2^32. A
final answer is a difference of numbers of dealer's hands, less than 2^31 on any deck of 54 cards,
so wrapping is exact.

Suit queries are identified by class, holding of a suit and split. The code has for each rank the
state (G, p): G is 1 if the hand holds the rank in that suit, and p is the number of cards of the
rank in the three other suits. With m cards of a rank in all, the state is 2m - G, so the code of a
holding is that of the empty holding minus one bit for each rank held.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compile_allocating, compile_lazily
from certify.kernels.dominance import BLOCK_SHIFT, BLOCKS, enter
from certify.kernels.event_lists import (
    LOW_BITS,
    LOWS,
    ONE,
    lay_out,
    move_down,
    split,
    unpack_key,
)
from certify.kernels.features import LABEL_BITS
from certify.kernels.inclusion_exclusion import STEP_STATES, Places, Steps

Integers = npt.NDArray[np.int64]
Narrow = npt.NDArray[np.int32]

TWO: Final = np.uint64(2)
END: Final = np.uint64(LOWS)

SMALL_NODE: Final = 300
"""Nodes with at most so many pairs are paired directly."""


@compile_lazily
def split_queries(
    key: Integers,
    child: Narrow,
    low: int,
    high: int,
    shift: int,
    bits: int,
    offsets: Places,
    branch: Places,
    allowed: Integers,
    start: Places,
    end: Places,
    states: Places,
    top: int,
    filled: int,
) -> tuple[int, int]:
    """Write the queries `low` to `high` into the branches of a step, after `top`.

    ``child`` receives, after ``filled``, for each query and branch the place of its child.

    Returns:
        The new first free positions of both lists, the first one -1 if a list is too short.
    """
    beyond = lay_out(
        key, low, high, shift, bits, offsets, branch, allowed, start, end, states, top, 1
    )
    if beyond < 0 or filled + beyond - top > len(child):
        return -1, filled
    mask = (1 << bits) - 1
    to = np.uint64(filled)
    for event in range(np.uint64(low), np.uint64(high)):
        whole = key[event]
        state = np.uint64((whole >> shift) & mask)
        rest = whole & ~(mask << shift)
        for entry in range(offsets[state], offsets[state + ONE]):
            b = branch[entry]
            last = end[b]
            if last == start[b] or key[last - ONE] != rest:
                key[last] = rest
                last += ONE
                end[b] = last
            child[to] = last - ONE
            to += ONE
    return int(np.int64(end[0])), int(np.int64(to))


@compile_lazily
def gather(
    key: Integers,
    child: Narrow,
    value: Narrow,
    low: int,
    high: int,
    shift: int,
    bits: int,
    offsets: Places,
    factor: Integers,
    filled: int,
) -> None:
    """Set the answers of the queries `low` to `high` to the sums of those of their children.

    The places of their children begin at ``filled`` in ``child``.
    """
    mask = (1 << bits) - 1
    at = np.uint64(filled)
    for event in range(np.uint64(low), np.uint64(high)):
        state = np.uint64((key[event] >> shift) & mask)
        entry, entries = offsets[state], offsets[state + ONE] - offsets[state]
        for column in range(np.uint64(value.shape[1])):
            total = 0
            for number in range(entries):
                total += factor[entry + number] * value[np.uint64(child[at + number]), column]
            value[event, column] = total
        at += entries


@compile_lazily
def answer_sweep(
    dealer_key: Integers,
    dealer_weight: Integers,
    d0: int,
    d1: int,
    query_key: Integers,
    value: Narrow,
    p0: int,
    p1: int,
    code_bits: int,
    shift: int,
    tables: Steps,
    cells: Integers,
    blocks: Integers,
    above: Integers,
) -> None:
    """Take the last step and answer its queries by a sweep down over h.

    Nothing is split, as in `dominance.sweep`. The scratch arrays have a row for each branch and
    channel. `cells` and `blocks` are as there, of the dealer events that have entered, and by
    LOWS - 1 - l. `above` has the weight of all dealer events with l or more, and in its last
    column that of all that have entered.
    """
    last = len(tables.kind) - 1
    kind = tables.kind[last]
    mask = (1 << (tables.places[last + 1] - shift)) - 1
    first, second = tables.first[kind], tables.second[kind]
    channels = value.shape[1] // 2
    for row in range(len(cells)):
        for column in range(LOWS):
            cells[row, column] = 0
            above[row, column] = 0
        above[row, LOWS] = 0
        for column in range(BLOCKS):
            blocks[row, column] = 0
    for event in range(np.uint64(d0), np.uint64(d1)):
        whole, amount = dealer_key[event], dealer_weight[event]
        _, low, channel = unpack_key(whole, code_bits, LABEL_BITS)
        state = np.uint64((whole >> shift) & mask)
        for entry in range(first[state], first[state + ONE]):
            line = np.uint64(np.int64(tables.first_branch[entry]) * channels + channel)
            above[line, np.uint64(low)] += amount * tables.first_factor[entry]
    for row in range(len(cells)):
        for column in range(LOWS - 2, -1, -1):
            above[row, column] += above[row, column + 1]
    dealer, begin = np.uint64(d1), np.uint64(d0)
    for passed in range(p1 - p0):
        query = np.uint64(p1 - 1 - passed)
        event_key = query_key[query]
        point = event_key >> code_bits
        while dealer > begin:
            whole = dealer_key[dealer - ONE]
            high, low, channel = unpack_key(whole, code_bits, LABEL_BITS)
            if high < point >> LOW_BITS:
                break
            dealer -= ONE
            amount = dealer_weight[dealer]
            state = np.uint64((whole >> shift) & mask)
            for entry in range(first[state], first[state + ONE]):
                product = amount * tables.first_factor[entry]
                line = np.uint64(np.int64(tables.first_branch[entry]) * channels + channel)
                enter(cells, blocks, line, LOWS - 1 - low, product)
                above[line, END] += product
        least = np.uint64(point & (LOWS - 1))
        cell = END - ONE - least
        state = np.uint64((event_key >> shift) & mask)
        for number in range(np.uint64(channels)):
            missed, lost = 0, 0
            for entry in range(second[state], second[state + ONE]):
                factor = tables.second_factor[entry]
                line = tables.second_branch[entry] * np.uint64(channels) + number
                both = cells[line, cell] + blocks[line, cell >> BLOCK_SHIFT]
                missed += factor * (above[line, END] - both + above[line, least])
                lost += factor * both
            value[query, number * TWO] = missed
            value[query, number * TWO + ONE] = lost


@compile_lazily
def clear(value: Narrow, p0: int, p1: int) -> None:
    """Set the answers of some queries to 0."""
    for query in range(np.uint64(p0), np.uint64(p1)):
        for column in range(np.uint64(value.shape[1])):
            value[query, column] = 0


@compile_lazily
def answer_directly(
    dealer_key: Integers,
    dealer_weight: Integers,
    d0: int,
    d1: int,
    query_key: Integers,
    value: Narrow,
    p0: int,
    p1: int,
    code_bits: int,
    step: int,
    tables: Steps,
) -> None:
    """Answer the queries of a small node, pair by pair, with the steps that are left.

    The product over the steps is that of `dominance.pair_directly`: shared by a call it takes the
    whole count four per cent longer.
    """
    clear(value, p0, p1)
    for dealer in range(np.uint64(d0), np.uint64(d1)):
        dealt = dealer_key[dealer]
        high, low, channel = unpack_key(dealt, code_bits, LABEL_BITS)
        for query in range(np.uint64(p0), np.uint64(p1)):
            event_key = query_key[query]
            point = event_key >> code_bits
            fails_high = point >> LOW_BITS <= high
            fails_low = point & (LOWS - 1) <= low
            if not (fails_high or fails_low):
                continue
            product = dealer_weight[dealer]
            for s in range(step, len(tables.kind)):
                at = tables.places[s]
                mask = (1 << (tables.places[s + 1] - at)) - 1
                product *= tables.weight[
                    tables.kind[s], (dealt >> at) & mask, (event_key >> at) & mask
                ]
                if product == 0:
                    break
            value[query, 2 * channel] += product
            if fails_high and fails_low:
                value[query, 2 * channel + 1] += product


@compile_allocating
def answer_queries(
    dealer_key: Integers,
    dealer_weight: Integers,
    dealers: int,
    query_key: Integers,
    value: Narrow,
    child: Narrow,
    queries: int,
    tables: Steps,
) -> int:
    """Answer all queries of a sorted list of different ones.

    Args:
        dealer_key: dealer events in ascending order, then free room for their descendants.
        dealer_weight: weights, one per key.
        dealers: number of dealer events.
        query_key: queries in ascending order, then free room.
        value: `(len(query_key), 2 * channels)`, filled with missed and lost of every channel.
        child: scratch: the places of the children of queries.
        queries: number of queries.
        tables: the steps (see `inclusion_exclusion`).

    Returns:
        0, or 1 if a list has not enough free room: `value` then means nothing.
    """
    depth = len(tables.kind)
    shifts = tables.places
    code_bits = shifts[depth]
    width = 0
    for branches in tables.branches:
        width = max(width, branches)
    d_start = np.zeros((depth + 1, width), dtype=np.uint64)
    d_end = np.zeros((depth + 1, width), dtype=np.uint64)
    d_base = np.zeros(depth + 2, dtype=np.int64)
    p_start = np.zeros((depth + 1, width), dtype=np.uint64)
    p_end = np.zeros((depth + 1, width), dtype=np.uint64)
    cursor = np.zeros(depth + 1, dtype=np.int64)
    d_top = np.zeros(depth + 2, dtype=np.int64)
    p_top = np.zeros(depth + 2, dtype=np.int64)
    c_top = np.zeros(depth + 2, dtype=np.int64)
    first = np.zeros(depth + 1, dtype=np.int64)
    beyond = np.zeros(depth + 1, dtype=np.int64)
    states = np.zeros(STEP_STATES, dtype=np.uint64)
    every = np.ones(width, dtype=np.int64)
    allowed = np.ones(width, dtype=np.int64)
    rows = tables.branches[tables.kind[depth - 1]] * (value.shape[1] // 2)
    cells = np.zeros((rows, LOWS), dtype=np.int64)
    blocks = np.zeros((rows, BLOCKS), dtype=np.int64)
    above = np.zeros((rows, LOWS + 1), dtype=np.int64)
    step = 0
    d0, d1, p0, p1 = 0, dealers, 0, queries
    d_top[0], p_top[0] = dealers, queries
    while True:
        if d1 == d0 or p1 == p0:
            clear(value, p0, p1)
            step -= 1
        elif (d1 - d0) * (p1 - p0) <= SMALL_NODE:
            answer_directly(
                dealer_key, dealer_weight, d0, d1, query_key, value, p0, p1,
                code_bits, step, tables,
            )  # fmt: skip
            step -= 1
        elif step == depth - 1:
            answer_sweep(
                dealer_key, dealer_weight, d0, d1, query_key, value, p0, p1,
                code_bits, shifts[step], tables, cells, blocks, above,
            )  # fmt: skip
            step -= 1
        else:
            kind = tables.kind[step]
            top, filled = split_queries(
                query_key, child, p0, p1, shifts[step], shifts[step + 1] - shifts[step],
                tables.second[kind], tables.second_branch, every,
                p_start[step], p_end[step], states, p_top[step], c_top[step],
            )  # fmt: skip
            if top < 0:
                return 1
            p_top[step + 1], c_top[step + 1] = top, filled
            for b in range(width):
                allowed[b] = 1 if p_end[step, b] > p_start[step, b] else 0
            top = split(
                dealer_key, dealer_weight, d0, d1, shifts[step], shifts[step + 1] - shifts[step],
                tables.first[kind], tables.first_branch, tables.first_factor,
                allowed, d_start[step], d_end[step], states, d_top[step],
            )  # fmt: skip
            if top < 0:
                return 1
            cursor[step], first[step], beyond[step] = width, p0, p1
        while step >= 0 and cursor[step] == 0:
            kind = tables.kind[step]
            gather(
                query_key, child, value, first[step], beyond[step],
                shifts[step], shifts[step + 1] - shifts[step],
                tables.second[kind], tables.second_factor, c_top[step],
            )  # fmt: skip
            step -= 1
        if step < 0:
            return 0
        cursor[step] -= 1
        b = cursor[step]
        if b == 0:  # the last, and usually the longest
            move_down(dealer_key, dealer_weight, d_start[step], d_end[step], d_base[step])
        # The dealer's branches after this one are done: its descendants overwrite them.
        d_base[step + 1], d_top[step + 1] = d_start[step, b], d_end[step, b]
        # In compiled code int() leaves an unsigned number unsigned, and 0 with it becomes a float.
        d0, d1 = int(np.int64(d_start[step, b])), int(np.int64(d_end[step, b]))
        p0, p1 = int(np.int64(p_start[step, b])), int(np.int64(p_end[step, b]))
        step += 1


@compile_allocating
def slots(counts: Integers, others: Integers, begin: Integers, ranks: int) -> Integers:
    """Return the start of the slots of every class, their number last (see `suit_isomorphism`)."""
    result = np.zeros(len(counts) + 1, dtype=np.int64)
    for row in range(len(counts)):
        free = 0
        for rank in range(ranks):
            count = ((counts[row] if others[row] < 0 else others[row]) >> (4 * rank)) & 15
            if 0 < count < 4:
                free += 1
        subsets = (1 << free) + (0 if others[row] < 0 else 1)
        result[row + 1] = result[row] + subsets * (begin[row + 1] - begin[row] + 1)
    return result


@compile_allocating
def suit_queries(
    counts: Integers,
    others: Integers,
    joker: Integers,
    begin: Integers,
    points: Integers,
    slot: Integers,
    ranks: int,
    needed: int,
    key: Integers,
) -> None:
    """Fill in the query of every slot; subsets that no plain hand can hold repeat the empty one.

    Args:
        counts: ranks of the classes, packed four bits a rank.
        others: ranks outside the flush suit, -1 for rank classes.
        joker: how many jokers the class holds.
        begin: start of the splits of each class.
        points: the part of each listed split's key above the code.
        slot: where the slots of each class begin.
        ranks: ranks of the deck.
        needed: cards of a flush; as many less do as there are jokers.
        key: filled with the keys; the highest rank has the lowest bits.
    """
    bit = np.zeros(16, dtype=np.int64)
    for row in range(len(counts)):
        splits_of_row = begin[row + 1] - begin[row]
        empty, flush, full = 0, 0, 0
        free, four = 0, 0
        for rank in range(ranks):
            digit = 1 << (3 * (ranks - 1 - rank))
            count = (counts[row] >> (4 * rank)) & 15
            empty += 2 * count * digit
            count = ((counts[row] if others[row] < 0 else others[row]) >> (4 * rank)) & 15
            if count == 4:
                full += digit
                four += 1
            elif count > 0:
                bit[free] = digit
                free += 1
            if others[row] >= 0 and (counts[row] - others[row]) >> (4 * rank) & 15:
                flush += digit
        subsets = (1 << free) + (0 if others[row] < 0 else 1)
        for subset in range(subsets):
            code = empty - full
            size = four
            if others[row] >= 0 and subset == subsets - 1:
                code = empty - flush
            else:
                for j in range(free):
                    if (subset >> j) & 1:
                        code -= bit[j]
                        size += 1
                if others[row] < 0 and size >= needed - joker[row]:
                    code = empty - full
            place = slot[row] + subset * (splits_of_row + 1)
            for each in range(splits_of_row):
                key[place + each] = points[begin[row] + each] | code
            key[place + splits_of_row] = code
