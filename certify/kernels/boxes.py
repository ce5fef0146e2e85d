"""Queries shrunk to the dealer's keys that they count.

A key of the dealer is a pair of a back and a front. A query counts the keys below a corner, both
parts being less, or those that reach it, neither part being less. Several corners may count the
same keys of a list of events. The query takes the corner of the box around these keys, so queries
that count the same keys become equal. Those of one class with opposite signs cancel, such as a step
of a staircase without a key in it, and equal events of several classes are merged earlier. The
result is the same, because a sum over the list meets no other keys.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compile_lazily
from certify.kernels.event_lists import KIND_BITS, LOW_BITS, LOWS, WON, EventList, shorten
from certify.kernels.events import Queries
from certify.kernels.inclusion_exclusion import STATE_BITS

Integers = npt.NDArray[np.int64]
Places = npt.NDArray[np.int16]


class Asked(NamedTuple):
    """Queries in the form of event keys, classes ascending; a class has no key twice.

    Attributes:
        row: class.
        key: the part of the event's key above the code.
        sign: 1 or -1, or more for several alike.
    """

    row: npt.NDArray[np.int32]
    key: Integers
    sign: npt.NDArray[np.int8]


class Boxes(NamedTuple):
    """Tables of the boxes by the corner of a query, each `(backs + 1, LOWS + 1)`.

    Attributes:
        below_high: the position above the highest back of the keys below; 0 if there is none.
        below_low: the position above their highest front.
        above_high: the lowest back of the keys that reach the corner; the number of backs if there
            is none.
        above_low: their lowest front.
    """

    below_high: Places
    below_low: Places
    above_high: Places
    above_low: Places


def shrink_queries(points: Queries, dealer: EventList, ranks: int, label_bits: int) -> Asked:
    """Return the queries by their boxes, without those that count no key or cancel.

    Args:
        points: the queries, classes ascending.
        dealer: the events that they meet.
        ranks: ranks of the deck.
        label_bits: bits of the label in the dealer's keys.
    """
    queries, code_bits = len(points.row), STATE_BITS * ranks
    key = np.empty(queries, dtype=np.int64)
    asked = Asked(np.empty_like(points.row), key, np.empty_like(points.sign))
    size = 0
    if queries and len(dealer.key):
        keys = dealer.key >> (code_bits + label_bits)
        high, low = keys >> LOW_BITS, keys & (LOWS - 1)
        boxes = find_boxes(high, low, max(int(points.high.max()), int(high[-1]) + 1))
        size = shrink(points, boxes, code_bits, asked)
    return shorten(asked, size)


def find_boxes(high: Integers, low: Integers, backs: int) -> Boxes:
    """Find the boxes for all queries.

    Args:
        high: the position of each key's back.
        low: that of its front, less than `LOWS`.
        backs: more than every ``high``, and no less than any position of a query.
    """
    met = np.zeros((backs, LOWS), dtype=np.bool_)
    met[high, low] = True
    below = _corners(met)
    above = _corners(met[::-1, ::-1])
    return Boxes(
        *below,
        above_high=np.ascontiguousarray(backs - above[0][::-1, ::-1]),
        above_low=np.ascontiguousarray(LOWS - above[1][::-1, ::-1]),
    )


def _corners(met: npt.NDArray[np.bool_]) -> tuple[Places, Places]:
    """Return the positions above the highest back and front of the keys below each corner."""
    found = []
    for part in (met, met.T):
        backs, fronts = part.shape
        last = np.zeros((backs + 1, fronts + 1), dtype=np.int16)
        place = np.arange(1, backs + 1, dtype=np.int16)[:, None]
        last[1:, 1:] = np.where(np.logical_or.accumulate(part, axis=1), place, 0)
        found.append(np.maximum.accumulate(last, axis=0))
    return found[0], np.ascontiguousarray(found[1].T)


@compile_lazily
def shrink(points: Queries, boxes: Boxes, code_bits: int, asked: Asked) -> int:
    """Write the queries of every class by their boxes, alike ones added up; return their number.

    Width: of a staircase's corners, those that count the same keys are neighbors, and so are the
    steps between them: their signs alternate, so a sum stays far below the 127 that 8 bits hold.

    Args:
        points: the queries, classes ascending.
        boxes: the boxes of the keys that they meet.
        code_bits: bits of the code in the keys of events.
        asked: filled with the queries that count a key and do not cancel.
    """
    size, first = 0, 0
    for query in range(len(points.row)):
        row, kind, sign = points.row[query], points.kind[query], points.sign[query]
        if size > first and asked.row[first] != row:
            size = drop_cancelled(asked, first, size)
            first = size
        if kind == WON:
            high = boxes.below_high[points.high[query], points.low[query]]
            low = LOWS - boxes.below_low[high, points.low[query]]
            none = high == 0
        else:
            high = boxes.above_high[points.high[query], points.low[query]]
            low = boxes.above_low[high, points.low[query]]
            none = high == len(boxes.above_high) - 1
        if none:
            continue
        key = (((np.int64(high) << KIND_BITS) | kind) << LOW_BITS | low) << code_bits
        at = first
        while at < size and asked.key[at] != key:
            at += 1
        if at == size:
            asked.row[at], asked.key[at], asked.sign[at] = row, key, 0
            size += 1
        asked.sign[at] += sign
    return drop_cancelled(asked, first, size)


@compile_lazily
def drop_cancelled(asked: Asked, first: int, size: int) -> int:
    """Drop the queries without a sign from `first` on; return the number of all that are left."""
    left = first
    for query in range(first, size):
        if asked.sign[query] != 0:
            asked.row[left], asked.key[left] = asked.row[query], asked.key[query]
            asked.sign[left] = asked.sign[query]
            left += 1
    return left
