"""The lists of events of the three parts of a count of two hands (see `pair_count`)."""

from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.boxes import shrink_queries
from certify.kernels.class_arrays import HandClasses
from certify.kernels.compiled import compile_lazily
from certify.kernels.event_lists import EventList, merge_events, merged_signs
from certify.kernels.events import Queries, rank_code, suit_code
from certify.kernels.features import LABEL_BITS

Integers = npt.NDArray[np.int64]


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
        asked = shrink_queries(points, dealer.flushes, ranks, label_bits)
        first = np.searchsorted(asked.row, np.arange(len(classes.counts) + 1))
        home = classes.rank_class[size:]
        ones = np.append(0, np.cumsum(np.abs(asked.sign), dtype=np.int64))[first]
        room = ones[-1] - ones[size] + np.diff(ones)[home].sum()
        signed = np.empty(room, dtype=np.int64)
        number = flush_changes(first, asked.key, asked.sign, home, suit_code(classes), signed)
        del asked, first, ones
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
    asked: Integers,
    sign: npt.NDArray[np.int8],
    home: Integers,
    suit: Integers,
    signed: Integers,
) -> int:
    """Write the query differences of each flush class from its rank class; return their number.

    Args:
        first: where the queries of every class begin, and last their number.
        asked: the part of every query's key above the code.
        sign: of every query, 1 or -1, or more for several alike; a class has no key twice.
        home: of every flush class its rank class.
        suit: of every flush class its code.
        signed: filled with keys and signs as `merged_signs` takes them.
    """
    size = 0
    classes = len(first) - 1 - len(home)
    for flush in range(len(home)):
        own, rank = classes + flush, home[flush]
        for mine, theirs, way in ((own, rank, 1), (rank, own, -1)):
            for query in range(first[mine], first[mine + 1]):
                net, written = sign[query], False
                for other in range(first[theirs], first[theirs + 1]):
                    if asked[other] == asked[query]:
                        net -= sign[other]
                        written = way < 0
                for _ in range(0 if written else abs(net)):
                    signed[size] = (asked[query] | suit[flush]) << 1 | int(way * net < 0)
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
