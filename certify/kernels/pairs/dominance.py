"""The sum over all disjoint pairs of two lists of events, by recursion over the ranks.

A dealer event is (h, l, label, code) with a weight, a player event (H, kind, L, code) with a
weight; code is the hand's state in every rank and the joker. Wanted is, for every label and kind,
the sum over pairs with h >= H and l >= L of both weights and of the product of w over the ranks.

Every step takes two ranks. An event goes on in each branch where its u (dealer) or v (player) is
not 0, its weight times that value, with those ranks' bits cleared. The bits taken first are the
lowest of the sort key, so the lists stay sorted, events that have become equal are neighbours, and
they are merged as they are written. A branch with an empty list is dropped; a small node is paired
directly with the tabulated w. At a leaf no code is left: h is swept upwards while player events
enter a two-level prefix count over the values of l.

Width. Everything is linear with integer factors, so it may be computed modulo 2^64: wrapping in
signed 64 bits is exact as long as each final number is known to lie in a range of 2^64 values. For
every label and kind the *final* sum of all parts is a number of ordered pairs of disjoint hands, at
most C(53,7) * C(46,7) = 8,250,459,031,214,400 < 2^53. A part alone may be negative or beyond 2^63:
only the sum of all parts modulo 2^64 is a count.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled
from certify.kernels.pairs.event_lists import (
    KIND_BITS,
    KINDS,
    LOW_BITS,
    LOWS,
    code_places,
    shown,
    split,
)
from certify.kernels.pairs.inclusion_exclusion import Steps

Integers = npt.NDArray[np.int64]

BLOCK_BITS: Final = 4
SMALL: Final = 200
"""Nodes with at most so many pairs are paired directly."""


@compiled
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
    result: Integers,
) -> None:
    """Add the dominance sums of a leaf, where no code is left, to `result` (labels, kinds)."""
    cells = np.zeros(LOWS * KINDS, dtype=np.int64)
    blocks = np.zeros((LOWS >> BLOCK_BITS) * KINDS, dtype=np.int64)
    event = p0
    for dealer in range(d0, d1):
        high, low, label = shown(dealer_key[dealer], code_bits)
        while event < p1:
            point = player_key[event] >> code_bits
            if point >> (LOW_BITS + KIND_BITS) > high:
                break
            kind = (point >> LOW_BITS) & ((1 << KIND_BITS) - 1)
            column = point & (LOWS - 1)
            cells[column * KINDS + kind] += player_weight[event]
            blocks[(column >> BLOCK_BITS) * KINDS + kind] += player_weight[event]
            event += 1
        full = (low + 1) >> BLOCK_BITS
        total, missed, lost = 0, 0, 0
        for block in range(full):
            total += blocks[block * KINDS]
            missed += blocks[block * KINDS + 1]
            lost += blocks[block * KINDS + 2]
        for column in range(full << BLOCK_BITS, low + 1):
            total += cells[column * KINDS]
            missed += cells[column * KINDS + 1]
            lost += cells[column * KINDS + 2]
        amount = dealer_weight[dealer]
        result[label, 0] += amount * total
        result[label, 1] += amount * missed
        result[label, 2] += amount * lost


@compiled
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
    shift: int,
    step: int,
    tables: Steps,
    result: Integers,
) -> None:
    """Add the sums of a small node to `result`, pair by pair, with the steps that are left."""
    for dealer in range(d0, d1):
        amount = dealer_weight[dealer]
        if amount == 0:
            continue
        dealt = dealer_key[dealer]
        high, low, label = shown(dealt, code_bits)
        for player in range(p0, p1):
            held = player_key[player]
            point = held >> code_bits
            if point >> (LOW_BITS + KIND_BITS) > high:
                break
            if point & (LOWS - 1) > low:
                continue
            kind = (point >> LOW_BITS) & ((1 << KIND_BITS) - 1)
            product = amount * player_weight[player]
            at = shift
            for s in range(step, len(tables.kind)):
                mask = (1 << tables.bits[s]) - 1
                product *= tables.weight[tables.kind[s], (dealt >> at) & mask, (held >> at) & mask]
                if product == 0:
                    break
                at += tables.bits[s]
            result[label, kind] += product


@compiled
def sum_pairs(
    dealer_key: Integers,
    dealer_weight: Integers,
    dealers: int,
    player_key: Integers,
    player_weight: Integers,
    players: int,
    begin: int,
    tables: Steps,
    result: Integers,
) -> int:
    """Add the sums over all pairs of two sorted lists to `result`, `(labels, kinds)`.

    Args:
        dealer_key: dealer events in ascending order, then free room for their descendants.
        dealer_weight: weights beside the keys.
        dealers: number of dealer events.
        player_key: player events in ascending order, then free room.
        player_weight: weights beside the keys.
        players: number of player events.
        begin: steps that have been taken already.
        tables: the steps (see `inclusion_exclusion`).
        result: sums modulo 2^64.

    Returns:
        0, or 1 if a list has not enough room: `result` then means nothing.
    """
    depth = len(tables.kind)
    shifts = code_places(tables.bits)
    code_bits = shifts[depth]
    width = tables.branches
    d_start = np.zeros((depth + 1, width), dtype=np.int64)
    d_end = np.zeros((depth + 1, width), dtype=np.int64)
    p_start = np.zeros((depth + 1, width), dtype=np.int64)
    p_end = np.zeros((depth + 1, width), dtype=np.int64)
    cursor = np.zeros(depth + 1, dtype=np.int64)
    d_top = np.zeros(depth + 1, dtype=np.int64)
    p_top = np.zeros(depth + 1, dtype=np.int64)
    allowed = np.ones(width, dtype=np.int64)
    step, d0, d1, p0, p1 = begin, 0, dealers, 0, players
    d_top[begin], p_top[begin] = d1, p1
    while True:
        if d1 == d0 or p1 == p0:
            step -= 1
        elif (d1 - d0) * (p1 - p0) <= SMALL:
            pair_directly(
                dealer_key, dealer_weight, d0, d1, player_key, player_weight, p0, p1,
                code_bits, shifts[step], step, tables, result,
            )  # fmt: skip
            step -= 1
        elif step == depth:
            sweep(
                dealer_key, dealer_weight, d0, d1, player_key, player_weight, p0, p1,
                code_bits, result,
            )  # fmt: skip
            step -= 1
        else:
            kind = tables.kind[step]
            allowed[:] = 1
            top = split(
                dealer_key, dealer_weight, d0, d1, shifts[step], tables.bits[step],
                tables.first[kind], tables.first_branch, tables.first_factor,
                allowed, d_start[step], d_end[step], d_top[step],
            )  # fmt: skip
            if top < 0:
                return 1
            d_top[step + 1] = top
            for b in range(width):
                allowed[b] = 1 if d_end[step, b] > d_start[step, b] else 0
            top = split(
                player_key, player_weight, p0, p1, shifts[step], tables.bits[step],
                tables.second[kind], tables.second_branch, tables.second_factor,
                allowed, p_start[step], p_end[step], p_top[step],
            )  # fmt: skip
            if top < 0:
                return 1
            p_top[step + 1] = top
            cursor[step] = width
        while step >= begin and cursor[step] == 0:
            step -= 1
        if step < begin:
            return 0
        cursor[step] -= 1
        b = cursor[step]
        if b == 0:  # the longest and the last: its descendants may overwrite its siblings
            d_top[step + 1] = d_end[step, 0]
            p_top[step + 1] = p_end[step, 0]
        d0, d1 = d_start[step, b], d_end[step, b]
        p0, p1 = p_start[step, b], p_end[step, b]
        step += 1
