"""Queries shrunk to the dealer's keys that they count, and the lists of events of the three parts.

A key of the dealer is a pair of a back and a front. A query counts the keys below a corner, both
parts being less, or those that reach it, neither part being less. Several corners may count the
same keys of a list of events. The query takes the corner of the box around these keys, so queries
that count the same keys become equal. Those of one class with opposite signs cancel, such as a step
of a staircase without a key in it, and equal events of several classes are merged earlier. The
result is the same, because a sum over the list meets no other keys.
"""

from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.class_arrays import HandClasses
from certify.kernels.compiled import compile_lazily
from certify.kernels.event_lists import (
    KIND_BITS,
    LOW_BITS,
    LOWS,
    WON,
    EventList,
    merge_events,
    merged_signs,
    shorten,
)
from certify.kernels.events import Queries, rank_code, suit_code
from certify.kernels.features import LABEL_BITS
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
    shrunk = Asked(np.empty_like(points.row), key, np.empty_like(points.sign))
    size = 0
    if queries and len(dealer.key):
        keys = dealer.key >> (code_bits + label_bits)
        high, low = keys >> LOW_BITS, keys & (LOWS - 1)
        boxes = find_boxes(high, low, max(int(points.high.max()), int(high[-1]) + 1))
        size = shrink(points, boxes, code_bits, shrunk)
    return shorten(shrunk, size)


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
    corners = []
    for part in (met, met.T):
        backs, fronts = part.shape
        last = np.zeros((backs + 1, fronts + 1), dtype=np.int16)
        place = np.arange(1, backs + 1, dtype=np.int16)[:, None]
        last[1:, 1:] = np.where(np.logical_or.accumulate(part, axis=1), place, 0)
        corners.append(np.maximum.accumulate(last, axis=0))
    return corners[0], np.ascontiguousarray(corners[1].T)


@compile_lazily
def shrink(points: Queries, boxes: Boxes, code_bits: int, shrunk: Asked) -> int:
    """Write the queries of every class by their boxes, alike ones added up; return their number.

    Width: of a staircase's corners, those that count the same keys are neighbors, and so are the
    steps between them: their signs alternate, so a sum stays far below the 127 that 8 bits hold.

    Args:
        points: the queries, classes ascending.
        boxes: the boxes of the keys that they meet.
        code_bits: bits of the code in the keys of events.
        shrunk: filled with the queries that count a key and do not cancel.
    """
    size, first = 0, 0
    for query in range(len(points.row)):
        row, kind, sign = points.row[query], points.kind[query], points.sign[query]
        if size > first and shrunk.row[first] != row:
            size = drop_cancelled(shrunk, first, size)
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
        while at < size and shrunk.key[at] != key:
            at += 1
        if at == size:
            shrunk.row[at], shrunk.key[at], shrunk.sign[at] = row, key, 0
            size += 1
        shrunk.sign[at] += sign
    return drop_cancelled(shrunk, first, size)


@compile_lazily
def drop_cancelled(shrunk: Asked, first: int, size: int) -> int:
    """Drop the queries without a sign from `first` on; return the number of all that are left."""
    left = first
    for query in range(first, size):
        if shrunk.sign[query] != 0:
            shrunk.row[left], shrunk.key[left] = shrunk.row[query], shrunk.key[query]
            shrunk.sign[left] = shrunk.sign[query]
            left += 1
    return left


class Lists(NamedTuple):
    """One side's lists of events: those of part A, of part B and of part C."""

    ranks: EventList
    flush: EventList
    flushes: EventList


def dealer_lists(classes: HandClasses, above: Integers) -> Lists:
    """Build the dealer's lists: the rank classes, and the flush corrections."""
    size, rank, suit = classes.rank_classes, rank_code(classes), suit_code(classes)
    home, hands = classes.rank_class[size:], classes.hands[size:].astype(np.int32)
    ones = np.ones(len(home), dtype=np.int32)
    changed = np.concatenate([above[size:] | rank[size:], above[home] | rank[home]])
    in_suits = np.concatenate([above[size:] | suit, above[home] | suit])
    return Lists(
        ranks=merge_events(above[:size] | rank[:size], np.ones(size, dtype=np.int32)),
        flush=merge_events(changed, np.concatenate([hands, -hands])),
        flushes=merge_events(in_suits, np.concatenate([ones, -ones])),
    )


def player_lists(
    classes: HandClasses,
    points: Queries,
    dealer: Lists,
    executor: Executor | None = None,
    label_bits: int = LABEL_BITS,
) -> Lists:
    """Build the player's lists: every hand, the rank classes, and the flush corrections.

    A player's flush class takes back what its rank class asks: those queries come once per flush.

    Args:
        classes: the classes of the deck's hands.
        points: the player's queries.
        dealer: the lists that they meet.
        executor: builds the lists side by side.
        label_bits: bits of the label in the dealer's keys.
    """
    size, ranks, rank = classes.rank_classes, classes.shape.ranks, rank_code(classes)
    plain = np.searchsorted(points.row, size)
    of_rank_classes = Queries._make(part[:plain] for part in points)

    def build_ranks() -> EventList:
        row, key, sign = shrink_queries(points, dealer.ranks, ranks, label_bits)
        key |= rank[row]
        weight = classes.plain.astype(np.int32)[row]
        weight *= sign
        del row, sign  # most memory is used while events are merged
        return merge_events(key, weight)

    def build_flush() -> EventList:
        row, key, sign = shrink_queries(of_rank_classes, dealer.flush, ranks, label_bits)
        key |= rank[row]
        return merge_events(key, sign.astype(np.int32))

    def build_flushes() -> EventList:
        shrunk = shrink_queries(points, dealer.flushes, ranks, label_bits)
        first = np.searchsorted(shrunk.row, np.arange(len(classes.counts) + 1))
        home = classes.rank_class[size:]
        ones = np.append(0, np.cumsum(np.abs(shrunk.sign), dtype=np.int64))[first]
        room = ones[-1] - ones[size] + np.diff(ones)[home].sum()
        signed = np.empty(room, dtype=np.int64)
        number = flush_changes(first, shrunk.key, shrunk.sign, home, suit_code(classes), signed)
        del shrunk, first, ones
        signed.resize(number, refcheck=False)
        return merged_signs(signed)

    builders = (build_flushes, build_ranks, build_flush)
    lists = [executor.submit(build) for build in builders] if executor else None
    flushes, of_ranks, of_flush = (
        [each.result() for each in lists] if lists else [build() for build in builders]
    )
    return Lists(ranks=of_ranks, flush=of_flush, flushes=flushes)


@compile_lazily
def flush_changes(
    first: Integers,
    part_above: Integers,
    sign: npt.NDArray[np.int8],
    home: Integers,
    suit: Integers,
    signed: Integers,
) -> int:
    """Write the query differences of each flush class from its rank class; return their number.

    Args:
        first: where the queries of every class begin, and last their number.
        part_above: the part of every query's key above the code.
        sign: of every query, 1 or -1, or more for several alike; a class has no key twice.
        home: of every flush class its rank class.
        suit: of every flush class its code.
        signed: filled with keys and signs as `merged_signs` takes them.
    """
    size = 0
    classes = len(first) - 1 - len(home)
    for flush in range(len(home)):
        flush_class, rank = classes + flush, home[flush]
        for mine, theirs, way in ((flush_class, rank, 1), (rank, flush_class, -1)):
            for query in range(first[mine], first[mine + 1]):
                net, written = sign[query], False
                for other in range(first[theirs], first[theirs + 1]):
                    if part_above[other] == part_above[query]:
                        net -= sign[other]
                        written = way < 0
                for _ in range(0 if written else abs(net)):
                    signed[size] = (part_above[query] | suit[flush]) << 1 | int(way * net < 0)
                    size += 1
    return size


def list_flush_corrections(
    classes: HandClasses, row: npt.NDArray[np.integer]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the corrections of rank classes for their flush classes.

    Args:
        classes: the classes of the deck's hands.
        row: the class of each entry of a list.

    Returns:
        Positions of entries of rank classes, and for each the flush class, counted from 0, that
        corrects it.
    """
    size = classes.rank_classes
    home = classes.rank_class[size:]
    plain = np.flatnonzero(row < size)
    plain = plain[np.argsort(row[plain], kind="stable")]
    first = np.searchsorted(row[plain], home)
    length = np.searchsorted(row[plain], home, side="right") - first
    member = np.repeat(np.arange(len(home)), length)
    offset = np.arange(len(member)) - np.repeat(np.cumsum(length) - length, length)
    return plain[first[member] + offset], member
