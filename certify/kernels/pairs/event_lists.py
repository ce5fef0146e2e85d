"""Sorted lists of events: how a key is packed, how lists are merged and split.

A key is, from the lowest bit up, the *code* (a hand's state in every rank and the joker) and what
the hand shows or asks: a dealer event is (h, l, label), a player event (H, kind, L), a query of
`queries` (H, L). Lists are in ascending order of key, no two alike, with a weight beside each key
where there is one. Both recursions over the ranks, `dominance` and `queries`, take their steps
here.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled

Integers = npt.NDArray[np.int64]

LABEL_BITS: Final = 3
LABELS: Final = 1 << LABEL_BITS
KIND_BITS, KINDS = 2, 3
LOW_BITS: Final = 7
LOWS: Final = 1 << LOW_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class EventList:
    """Events in ascending order of key, no two alike, with their weights."""

    key: Integers
    weight: Integers


def merged(key: Integers, weight: Integers) -> EventList:
    """Sort events, add up those that are alike and drop what comes to nothing."""
    order = np.argsort(key)
    return _summed(key[order], weight[order])


def merged_signs(key: Integers, sign: npt.NDArray[np.int8]) -> EventList:
    """Do as `merged` with weights 1 and -1, which a key of 62 bits carries through the sort."""
    signed = (key << 1) | (sign < 0)
    signed.sort()
    return _summed(signed >> 1, 1 - 2 * (signed & 1))


def _summed(key: Integers, weight: Integers) -> EventList:
    if len(key) == 0:
        return EventList(key=key, weight=weight)
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    weight = np.add.reduceat(weight, first)
    kept = np.flatnonzero(weight)
    return EventList(key=key[first[kept]], weight=weight[kept])


def with_room(events: EventList, room: int) -> tuple[Integers, Integers]:
    """Copy a list to the beginning of arrays that are `room` times as long, and a little more."""
    size = len(events.key)
    key = np.empty(room * size + 4096, dtype=np.int64)
    weight = np.empty_like(key)
    key[:size], weight[:size] = events.key, events.weight
    return key, weight


@compiled
def shown(key: int, code_bits: int) -> tuple[int, int, int]:
    """Return h, l and the label of a dealer event."""
    whole = key >> code_bits
    return (
        whole >> (LABEL_BITS + LOW_BITS),
        (whole >> LABEL_BITS) & (LOWS - 1),
        whole & (LABELS - 1),
    )


@compiled
def code_places(bits: Integers) -> Integers:
    """Return the lowest bit of every step in the code, and last the number of the code's bits."""
    places = np.zeros(len(bits) + 1, dtype=np.int64)
    for step in range(len(bits)):
        places[step + 1] = places[step] + bits[step]
    return places


@compiled
def lay_out(
    key: Integers,
    low: int,
    high: int,
    shift: int,
    bits: int,
    offsets: Integers,
    branch: Integers,
    allowed: Integers,
    start: Integers,
    end: Integers,
    top: int,
) -> int:
    """Give each branch of a step the room that the events `low` to `high` can fill, after `top`.

    Args and result are those of `split`; every branch is empty yet.
    """
    mask = (1 << bits) - 1
    states = np.zeros(64, dtype=np.int64)
    for event in range(low, high):
        states[(key[event] >> shift) & mask] += 1
    start[:] = 0
    for state in range(mask + 1):
        if states[state] > 0:
            for entry in range(offsets[state], offsets[state + 1]):
                start[branch[entry]] += states[state]
    for b in range(len(start)):
        size = start[b] * allowed[b]
        start[b] = top
        end[b] = top
        top += size
    return top if top <= len(key) else -1


@compiled
def split(
    key: Integers,
    weight: Integers,
    low: int,
    high: int,
    shift: int,
    bits: int,
    offsets: Integers,
    branch: Integers,
    factor: Integers,
    allowed: Integers,
    start: Integers,
    end: Integers,
    top: int,
) -> int:
    """Write the events `low` to `high` of a list into the branches of a step, after `top`.

    Args:
        key: sort keys of the whole list; children are written into it.
        weight: weights beside the keys.
        low: first event of the parent.
        high: end of the parent.
        shift: lowest bit of the step's states in the key.
        bits: number of bits of the step.
        offsets: where the entries of each state begin in `branch` and `factor`.
        branch: branches of the states.
        factor: factors beside them.
        allowed: 1 for branches that are wanted.
        start: filled with the first event of each branch.
        end: filled with the end of each branch.
        top: first free position of the list.

    Returns:
        The new first free position, or -1 if the list is too short.
    """
    top = lay_out(key, low, high, shift, bits, offsets, branch, allowed, start, end, top)
    if top < 0:
        return -1
    mask = (1 << bits) - 1
    for event in range(low, high):
        amount = weight[event]
        if amount == 0:
            continue
        whole = key[event]
        state = (whole >> shift) & mask
        rest = whole & ~(mask << shift)
        for entry in range(offsets[state], offsets[state + 1]):
            b = branch[entry]
            if allowed[b]:
                last = end[b]
                if last > start[b] and key[last - 1] == rest:
                    weight[last - 1] += amount * factor[entry]
                else:
                    key[last] = rest
                    weight[last] = amount * factor[entry]
                    end[b] = last + 1
    return top
