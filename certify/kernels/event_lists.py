"""Sorted lists of events: how a key is packed, how lists are merged and split.

A key is, from the lowest bit up, the *code* (a hand's state in every rank) and what the hand shows
or asks: a dealer event is (h, l, label), a player event (H, kind, L), with LOWS - L instead of L if
the kind is `WON`, and a query of `optimal_queries` (H, L). Lists are in ascending order of key, no
two alike, with a weight for each key where there is one. Both recursions over the ranks,
`dominance` and `optimal_queries`, take their steps here.
"""

from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compile_lazily
from certify.kernels.features import Shape
from certify.kernels.inclusion_exclusion import STATE_BITS, STATES

Integers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int8]
Places = npt.NDArray[np.uint64]

ALL, LOST, WON = 0, 1, 2
"""Kinds of queries: every pair, pairs that the player loses, pairs that the player wins."""
KIND_BITS, KINDS = 2, 3
LOW_BITS: Final = 7
LOWS: Final = 1 << LOW_BITS
ONE: Final = np.uint64(1)
"""Of places in arrays, which are unsigned (see `inclusion_exclusion.Places`)."""


Arrays = TypeVar("Arrays", bound=tuple[npt.NDArray[np.integer], ...])

Weights = npt.NDArray[np.int32]
"""Weights of events in a list: at most 127 times the hands of a rank class, at most 2^18 each."""


class EventList(NamedTuple):
    """Events in ascending order of distinct keys, with their weights."""

    key: Integers
    weight: Weights


def distinct(values: Integers) -> Integers:
    """Return the different values in ascending order; the hashes of `np.unique` take longer."""
    values = np.sort(values)
    different: Integers = values[np.diff(values, prepend=values[:1] - 1) != 0]
    return different


def merge_events(key: Integers, weight: Weights) -> EventList:
    """Sort events, add up equal keys and drop zero weights."""
    order = np.argsort(key)
    events = EventList(key=np.empty_like(key), weight=np.empty_like(weight))
    return shorten(events, add_alike(key, weight, order, *events))


def merged_signs(signed: Integers) -> EventList:
    """Do as `merged` with weights 1 and -1, which a key of 62 bits carries through the sort.

    Args:
        signed: twice the keys, and one more where the weight is -1; sorted in place.
    """
    signed.sort()
    events = EventList(key=np.empty_like(signed), weight=np.empty(len(signed), dtype=np.int32))
    return shorten(events, add_signs(signed, *events))


def shorten(arrays: Arrays, size: int) -> Arrays:
    """Cut arrays to a size in place and release the rest; nothing else may refer to them."""
    for array in arrays:
        array.resize(size, refcheck=False)
    return arrays


@compile_lazily
def add_alike(
    key: Integers,
    weight: Weights,
    order: Integers,
    to_key: Integers,
    to_weight: Weights,
) -> int:
    """Write distinct keys in the given order, with summed weights; return their number."""
    size = -1
    for place in order:
        if size >= 0 and to_key[size] == key[place]:
            to_weight[size] += weight[place]
            continue
        if size < 0 or to_weight[size] != 0:
            size += 1
        to_key[size], to_weight[size] = key[place], weight[place]
    return size + 1 if size >= 0 and to_weight[size] != 0 else max(size, 0)


@compile_lazily
def add_signs(signed: Integers, to_key: Integers, to_weight: Weights) -> int:
    """Do as `add_alike` with sorted keys that carry the signs of their weights."""
    size = -1
    for whole in signed:
        key, sign = whole >> 1, 1 - 2 * (whole & 1)
        if size >= 0 and to_key[size] == key:
            to_weight[size] += sign
            continue
        if size < 0 or to_weight[size] != 0:
            size += 1
        to_key[size], to_weight[size] = key, sign
    return size + 1 if size >= 0 and to_weight[size] != 0 else max(size, 0)


def count_jokers(key: Integers, shape: Shape, *, suited: bool) -> Small:
    """Return the number of jokers in the hand of each event: its cards without a rank.

    Args:
        key: the events.
        shape: the deck and the hand.
        suited: a state is (F, q), in the flush suit or not and cards of other suits; otherwise it
            is a number of cards.
    """
    jokers = np.empty(len(key), dtype=np.int8)
    fill_jokers(key, shape.hand, shape.ranks, int(suited), jokers)
    return jokers


@compile_lazily
def fill_jokers(key: Integers, hand: int, ranks: int, suited: int, jokers: Small) -> None:
    """Fill in how many of the hand's cards are in no state of an event's code."""
    for event in range(len(key)):
        code, left = key[event], hand
        for _ in range(ranks):
            state = code & (STATES - 1)
            left -= (state & 1) + (state >> 1) if suited else state
            code >>= STATE_BITS
        jokers[event] = left


def allocate(events: EventList, room: int) -> tuple[Integers, Integers]:
    """Return arrays `room` times as long as a list, plus a margin; memory is used once filled."""
    size = room * len(events.key) + 4096
    return np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)


def copy_enlarged(events: EventList, room: int) -> tuple[Integers, Integers]:
    """Copy a list to the start of arrays that are `room` times as long, plus a margin."""
    size = len(events.key)
    key, weight = allocate(events, room)
    key[:size], weight[:size] = events.key, events.weight
    return key, weight


@compile_lazily
def unpack_key(key: int, code_bits: int, label_bits: int) -> tuple[int, int, int]:
    """Return h, l and the label of a dealer event."""
    whole = key >> code_bits
    return (
        whole >> (label_bits + LOW_BITS),
        (whole >> label_bits) & (LOWS - 1),
        whole & ((1 << label_bits) - 1),
    )


@compile_lazily
def lay_out(
    key: Integers,
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
    longest_last: int,
) -> int:
    """Reserve space after `top` for the events `low` to `high` in each branch of a step.

    Args and result are those of `split`; every branch is still empty. The space of the first
    branch, in which all go on, is the last one if ``longest_last`` is 1.
    """
    mask = (1 << bits) - 1
    for state in range(np.uint64(mask + 1)):
        states[state] = 0
    for event in range(np.uint64(low), np.uint64(high)):
        states[np.uint64((key[event] >> shift) & mask)] += ONE
    for b in range(len(start)):
        start[b] = 0
    for state in range(np.uint64(mask + 1)):
        if states[state] > 0:
            for entry in range(offsets[state], offsets[state + ONE]):
                start[branch[entry]] += states[state]
    for number in range(len(start)):
        b = len(start) - 1 - number if longest_last else number
        size = int(np.int64(start[b])) * allowed[b]
        start[b] = top
        end[b] = top
        top += size
    return top if top <= len(key) else -1


@compile_lazily
def split(
    key: Integers,
    weight: Integers,
    low: int,
    high: int,
    shift: int,
    bits: int,
    offsets: Places,
    branch: Places,
    factor: Integers,
    allowed: Integers,
    start: Places,
    end: Places,
    states: Places,
    top: int,
) -> int:
    """Write the events `low` to `high` of a list into the branches of a step, after `top`.

    Args:
        key: sort keys of the whole list; children are written into it.
        weight: weights, one per key.
        low: first event of the parent.
        high: end of the parent.
        shift: lowest bit of the step's states in the key.
        bits: number of bits of the step.
        offsets: where the entries of each state begin in `branch` and `factor`.
        branch: branches of the states.
        factor: factors, one per branch.
        allowed: 1 for branches that are wanted.
        start: filled with the first event of each branch.
        end: filled with the end of each branch.
        states: scratch: the number of events in each state.
        top: first free position of the list.

    Returns:
        The new first free position, or -1 if the list is too short.
    """
    top = lay_out(key, low, high, shift, bits, offsets, branch, allowed, start, end, states, top, 0)
    if top < 0:
        return -1
    mask = (1 << bits) - 1
    for event in range(np.uint64(low), np.uint64(high)):
        amount = weight[event]
        if amount == 0:
            continue
        whole = key[event]
        state = np.uint64((whole >> shift) & mask)
        rest = whole & ~(mask << shift)
        for entry in range(offsets[state], offsets[state + ONE]):
            b = branch[entry]
            if allowed[b]:
                last = end[b]
                if last > start[b] and key[last - ONE] == rest:
                    weight[last - ONE] += amount * factor[entry]
                else:
                    key[last] = rest
                    weight[last] = amount * factor[entry]
                    end[b] = last + ONE
    return top


@compile_lazily
def move_down(key: Integers, weight: Integers, start: Places, end: Places, base: int) -> None:
    """Move the events of a step's first branch down to `base`, over those it was split from."""
    to = np.uint64(base)
    for event in range(start[0], end[0]):
        key[to], weight[to] = key[event], weight[event]
        to += ONE
    start[0], end[0] = np.uint64(base), to


@compile_lazily
def take_branch(
    source_key: Integers,
    source_weight: Weights,
    jokers: Small,
    of_jokers: Integers,
    of_states: Integers,
    key: Integers,
    weight: Integers,
) -> int:
    """Write the events of a branch of the jokers and of the first steps to the start of a list.

    Args:
        source_key: sort keys of the events.
        source_weight: weights, one per key.
        jokers: the number of jokers in the hand of each event.
        of_jokers: for every number of jokers its factor in the branch, 0 for none.
        of_states: the same for every state of the first steps together.
        key: filled with the keys of the branch's events.
        weight: filled with their weights.

    Returns:
        How many events there are; they have room if there is as much as the source has.
    """
    mask = len(of_states) - 1
    size = np.uint64(0)
    for event in range(np.uint64(len(source_key))):
        whole = source_key[event]
        amount = source_weight[event] * of_states[np.uint64(whole & mask)]
        amount *= of_jokers[np.uint64(jokers[event])]
        if amount != 0:
            rest = whole & ~mask
            if size > 0 and key[size - ONE] == rest:
                weight[size - ONE] += amount
            else:
                key[size] = rest
                weight[size] = amount
                size += ONE
    return int(size)
