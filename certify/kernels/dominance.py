"""The sum over all disjoint pairs of two lists of events, by recursion over the ranks.

A dealer event is (h, l, label, code) with a weight, a player event (H, kind, L, code) with a
weight; code is the hand's state in every rank. Wanted is, for every label and kind,
the sum over pairs with h >= H and l >= L of both weights and of the product of w over the ranks;
for the kind `WON`, over pairs with h < H and l < L. Of `WON`, L is kept as LOWS - L.

Every step takes two ranks. An event goes on in each branch where its u (dealer) or v (player) is
not 0, its weight times that value, with those ranks' bits cleared. The bits taken first are the
lowest of the sort key, so the lists stay sorted, events that have become equal are neighbours, and
they are merged as they are written. A branch with an empty list is dropped; a small node is paired
directly with the tabulated w. The last step writes nothing: h is swept upwards while player events
enter, for each branch, a two-level prefix count over the values of l. Of `WON`, those that have
entered do not count, so they are subtracted from all that have l < L.

Width. Everything is linear with integer factors, so it may be computed modulo 2^64: wrapping in
signed 64 bits is exact as long as each final number is known to lie in a range of 2^64 values. For
every label and kind the *final* sum of all parts is a number of ordered pairs of disjoint hands, at
most C(54,7) * C(47,7) = 11,138,119,692,139,440 < 2^54. A part alone may be negative or beyond 2^63:
only the sum of all parts modulo 2^64 is a count.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compile_lazily
from certify.kernels.event_lists import (
    KIND_BITS,
    KINDS,
    LOW_BITS,
    LOWS,
    ONE,
    WON,
    move_down,
    split,
    unpack_key,
)
from certify.kernels.inclusion_exclusion import STEP_STATES, Places, Steps

Integers = npt.NDArray[np.int64]

BLOCK_BITS: Final = 4
BLOCK_SHIFT: Final = np.uint64(BLOCK_BITS)
BLOCK: Final = 1 << BLOCK_BITS
BLOCKS: Final = LOWS >> BLOCK_BITS
"""Values of l in a block, and blocks of a kind."""

SMALL: Final = 200
"""Nodes with at most so many pairs are paired directly."""


@compile_lazily
def enter(cells: Integers, blocks: Integers, b: np.uint64, cell: int, amount: int) -> None:
    """Add the amount of an event in a cell of a branch to all sums that include the cell.

    Compiled, the loops have no branches and add several numbers at once.
    """
    block = cell >> BLOCK_BITS
    place = cell & (BLOCK - 1)
    number = block & (BLOCKS - 1)
    first_cell = np.uint64(cell - place)
    first_block = np.uint64(block - number)
    for column in range(BLOCK):
        cells[b, first_cell + np.uint64(column)] += amount if column >= place else 0
    for column in range(BLOCKS):
        blocks[b, first_block + np.uint64(column)] += amount if column > number else 0


@compile_lazily
def sweep(
    dealer_key: Integers,
    dealer_weight: Integers,
    d0: int,
    d1: int,
    player_key: Integers,
    player_weight: Integers,
    p0: int,
    p1: int,
    code_bits: int,
    label_bits: int,
    shift: int,
    tables: Steps,
    cells: Integers,
    blocks: Integers,
    result: Integers,
) -> None:
    """Take the last step and add its branches' dominance sums to `result`, (labels, kinds).

    Nothing is split: an event enters the prefix count of every branch in which it goes on.

    Args:
        dealer_key: dealer events, of which those from `d0` to `d1` count.
        dealer_weight: weights, one per key.
        d0: first dealer event.
        d1: end of the dealer events.
        player_key: player events, of which those from `p0` to `p1` count.
        player_weight: weights, one per key.
        p0: first player event.
        p1: end of the player events.
        code_bits: bits of the code below what an event shows or asks.
        label_bits: bits of the label of a dealer event.
        shift: lowest bit of the last step's states in the key.
        tables: the steps.
        cells: `(branches, KINDS * LOWS)`, scratch: by kind and l, the weights up to l in the block.
        blocks: `(branches, KINDS * BLOCKS)`, scratch: the weights in the blocks of l before.
        result: sums modulo 2^64.
    """
    last = len(tables.kind) - 1
    kind_of_step = tables.kind[last]
    mask = (1 << (tables.places[last + 1] - shift)) - 1
    first, second = tables.first[kind_of_step], tables.second[kind_of_step]
    for b in range(len(cells)):  # numba compiles a loop faster than an assignment to a slice
        for column in range(cells.shape[1]):
            cells[b, column] = 0
        for column in range(blocks.shape[1]):
            blocks[b, column] = 0
    event, beyond = np.uint64(p0), np.uint64(p1)
    entered = 0  # a bit for each kind
    for dealer in range(np.uint64(d0), np.uint64(d1)):
        whole = dealer_key[dealer]
        high, low, label = unpack_key(whole, code_bits, label_bits)
        while event < beyond:
            event_key = player_key[event]
            point = event_key >> code_bits
            if point >> (LOW_BITS + KIND_BITS) > high:
                break
            point &= (LOWS << KIND_BITS) - 1
            entered |= 1 << (point >> LOW_BITS)
            amount = player_weight[event]
            state = np.uint64((event_key >> shift) & mask)
            for entry in range(second[state], second[state + ONE]):
                product = amount * tables.second_factor[entry]
                enter(cells, blocks, tables.second_branch[entry], point, product)
            event += ONE
        amount = dealer_weight[dealer]
        state = np.uint64((whole >> shift) & mask)
        for entry in range(first[state], first[state + ONE]):
            b = tables.first_branch[entry]
            product = amount * tables.first_factor[entry]
            for kind in range(KINDS):
                if (entered >> kind) & 1 == 0:
                    continue
                last_low = LOWS - 1 - low if kind == WON else low
                cell = np.uint64((kind << LOW_BITS) + last_low)
                below = cells[b, cell] + blocks[b, cell >> BLOCK_SHIFT]
                if kind == WON:
                    result[label, WON] -= product * below
                else:
                    result[label, kind] += product * below
    # Won queries that have entered are subtracted. Add all of the node: the others enter first.
    while event < beyond:
        event_key = player_key[event]
        point = (event_key >> code_bits) & ((LOWS << KIND_BITS) - 1)
        if point >> LOW_BITS == WON:
            amount = player_weight[event]
            state = np.uint64((event_key >> shift) & mask)
            for entry in range(second[state], second[state + ONE]):
                product = amount * tables.second_factor[entry]
                enter(cells, blocks, tables.second_branch[entry], point, product)
        event += ONE
    for dealer in range(np.uint64(d0), np.uint64(d1)):
        whole = dealer_key[dealer]
        _, low, label = unpack_key(whole, code_bits, label_bits)
        cell = np.uint64(((WON + 1) << LOW_BITS) - 1 - low)
        amount = dealer_weight[dealer]
        state = np.uint64((whole >> shift) & mask)
        for entry in range(first[state], first[state + ONE]):
            b = tables.first_branch[entry]
            product = amount * tables.first_factor[entry]
            result[label, WON] += product * (cells[b, cell] + blocks[b, cell >> BLOCK_SHIFT])


@compile_lazily
def pair_directly(
    dealer_key: Integers,
    dealer_weight: Integers,
    d0: int,
    d1: int,
    player_key: Integers,
    player_weight: Integers,
    p0: int,
    p1: int,
    code_bits: int,
    label_bits: int,
    step: int,
    tables: Steps,
    result: Integers,
) -> None:
    """Add the sums of a small node to `result`, pair by pair, with the steps that are left."""
    for dealer in range(np.uint64(d0), np.uint64(d1)):
        amount = dealer_weight[dealer]
        if amount == 0:
            continue
        dealt = dealer_key[dealer]
        high, low, label = unpack_key(dealt, code_bits, label_bits)
        for player in range(np.uint64(p0), np.uint64(p1)):
            event_key = player_key[player]
            point = event_key >> code_bits
            kind = (point >> LOW_BITS) & ((1 << KIND_BITS) - 1)
            won, above = kind == WON, point >> (LOW_BITS + KIND_BITS) > high
            if won != above or point & (LOWS - 1) > (LOWS - 1 - low if won else low):
                continue
            product = amount * player_weight[player]
            for s in range(step, len(tables.kind)):
                at = tables.places[s]
                mask = (1 << (tables.places[s + 1] - at)) - 1
                product *= tables.weight[
                    tables.kind[s], (dealt >> at) & mask, (event_key >> at) & mask
                ]
                if product == 0:
                    break
            result[label, kind] += product


class Scratch(NamedTuple):
    """Arrays that `sum_pairs` works in.

    Attributes:
        bounds: `(4, steps, branches)`: start and end of each branch, the dealer's and the player's.
        nodes: `(5, steps + 1)`: by step the branches that are left, and the place of the dealer's
            events, the free room after them, and the same for the player's.
        allowed: for each branch 1 if it is wanted.
        states: the number of events in each state of a step.
        cells: see `sweep`.
        blocks: see `sweep`.
    """

    bounds: Places
    nodes: Integers
    allowed: Integers
    states: Places
    cells: Integers
    blocks: Integers


def allocate_scratch(tables: Steps) -> Scratch:
    """Return empty arrays for the steps of the tables."""
    depth, width = len(tables.kind), int(tables.branches.max())
    branches = int(tables.branches[tables.kind[-1]])
    return Scratch(
        bounds=np.zeros((4, depth, width), dtype=np.uint64),
        nodes=np.zeros((5, depth + 1), dtype=np.int64),
        allowed=np.zeros(width, dtype=np.int64),
        states=np.zeros(STEP_STATES, dtype=np.uint64),
        cells=np.zeros((branches, KINDS * LOWS), dtype=np.int64),
        blocks=np.zeros((branches, KINDS * BLOCKS), dtype=np.int64),
    )


@compile_lazily
def sum_pairs(
    dealer_key: Integers,
    dealer_weight: Integers,
    dealers: int,
    player_key: Integers,
    player_weight: Integers,
    players: int,
    tables: Steps,
    taken: int,
    scratch: Scratch,
    label_bits: int,
    result: Integers,
) -> int:
    """Add the sums over all pairs of two sorted lists to `result`, `(labels, kinds)`.

    The first steps have been taken: the lists are those of one of their branches.

    Args:
        dealer_key: dealer events in ascending order, then free room for their descendants.
        dealer_weight: weights, one per key.
        dealers: number of dealer events.
        player_key: player events in ascending order, then free room.
        player_weight: weights, one per key.
        players: number of player events.
        tables: the steps (see `inclusion_exclusion`).
        taken: the number of first steps.
        scratch: see `Scratch`.
        label_bits: bits of the label of a dealer event.
        result: sums modulo 2^64.

    Returns:
        0, or 1 if a list has not enough room: `result` then means nothing.
    """
    depth = len(tables.kind)
    bounds, nodes, allowed = scratch.bounds, scratch.nodes, scratch.allowed
    shifts, width = tables.places, len(allowed)
    code_bits = shifts[depth]
    d_start, d_end, p_start, p_end = bounds[0], bounds[1], bounds[2], bounds[3]
    cursor, d_base, d_top, p_base, p_top = nodes[0], nodes[1], nodes[2], nodes[3], nodes[4]
    step, d0, d1, p0, p1 = taken, 0, dealers, 0, players
    d_top[step], p_top[step] = d1, p1
    while True:
        if d1 == d0 or p1 == p0:
            step -= 1
        elif (d1 - d0) * (p1 - p0) <= SMALL:
            pair_directly(
                dealer_key, dealer_weight, d0, d1, player_key, player_weight, p0, p1,
                code_bits, label_bits, step, tables, result,
            )  # fmt: skip
            step -= 1
        elif step == depth - 1:
            sweep(
                dealer_key, dealer_weight, d0, d1, player_key, player_weight, p0, p1,
                code_bits, label_bits, shifts[step], tables, scratch.cells, scratch.blocks, result,
            )  # fmt: skip
            step -= 1
        else:
            kind = tables.kind[step]
            for b in range(width):
                allowed[b] = 1
            top = split(
                dealer_key, dealer_weight, d0, d1, shifts[step], shifts[step + 1] - shifts[step],
                tables.first[kind], tables.first_branch, tables.first_factor,
                allowed, d_start[step], d_end[step], scratch.states, d_top[step],
            )  # fmt: skip
            if top < 0:
                return 1
            d_top[step + 1] = top
            for b in range(width):
                allowed[b] = 1 if d_end[step, b] > d_start[step, b] else 0
            top = split(
                player_key, player_weight, p0, p1, shifts[step], shifts[step + 1] - shifts[step],
                tables.second[kind], tables.second_branch, tables.second_factor,
                allowed, p_start[step], p_end[step], scratch.states, p_top[step],
            )  # fmt: skip
            if top < 0:
                return 1
            p_top[step + 1] = top
            cursor[step] = width
        while step > 0 and cursor[step] == 0:
            step -= 1
        if step == 0:
            return 0
        cursor[step] -= 1
        b = cursor[step]
        if b == 0:  # the last, and usually the longest
            move_down(dealer_key, dealer_weight, d_start[step], d_end[step], d_base[step])
            move_down(player_key, player_weight, p_start[step], p_end[step], p_base[step])
        # The branches after this one are done: its descendants overwrite them.
        d_base[step + 1], d_top[step + 1] = d_start[step, b], d_end[step, b]
        p_base[step + 1], p_top[step + 1] = p_start[step, b], p_end[step, b]
        # In compiled code int() leaves an unsigned number unsigned, and 0 with it becomes a float.
        d0, d1 = int(np.int64(d_start[step, b])), int(np.int64(d_end[step, b]))
        p0, p1 = int(np.int64(p_start[step, b])), int(np.int64(p_end[step, b]))
        step += 1
