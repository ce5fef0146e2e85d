"""Dealer and player events: set hands and the queries of a player's hand.

Dealer. Every class sets its cards in one way, as keys (high, low) and a *label* (a small number
that the caller gives to each class: an ordinary hand, a pai gow by its top card, two jacks ...).

Player. With h and l the dealer's keys and (H, L) a split, a split wins below certain corners, h < A
and l < B: ties going to the dealer, below (H, L) alone; and it does not lose below others: below
(H, any) or (any, L). If a tie goes to the player, or to neither side, the corners are one key
further (see `Regions`). The union of such quarters, of one split or of all that a player who sees
the dealer's set hand can choose from, is a staircase with the corners A1 > A2 > ..., B1 < B2 < ...
The dealer's hands below it are a signed sum of queries "h < A and l < B",
(A1, B1) - (A2, B1) + (A2, B2) - (A3, B2) + ... + (An, Bn),
and those outside it one of queries "h >= A and l >= B",
(A1, 0) - (A1, B1) + (A2, B1) - (A2, B2) + ... + (0, Bn).
Won pairs are counted by the first sum, which has two queries fewer. Lost pairs are counted by the
second: their staircase usually has the two corners (A, any) and (any, B), and the sum one query.
A query (0, 0) counts all pairs, as a check of the identity. Keys are replaced by their position
among the dealer's keys, which loses nothing; queries that no dealer can meet are dropped.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.class_arrays import HandClasses, Splits, spread
from certify.kernels.compiled import compile_lazily
from certify.kernels.event_lists import (
    ALL,
    LOST,
    LOW_BITS,
    LOWS,
    WON,
    distinct,
    shorten,
)
from certify.kernels.features import COUNT_BITS, LABEL_BITS, LABELS
from certify.kernels.inclusion_exclusion import STATE_BITS, STATES

Integers = npt.NDArray[np.int64]

Corner = tuple[int, int]
"""Of back and front: 0, the dealer's key is below the split's; 1, at most as high; 2, any."""


class Regions(NamedTuple):
    """Below which corners a split wins, and below which it does not lose.

    Corners are listed with falling backs and rising fronts.
    """

    win: tuple[Corner, ...] = ((0, 0),)
    safe: tuple[Corner, ...] = ((2, 0), (0, 2))


TIES_TO_DEALER: Final = Regions()

_Part = tuple[Integers, Integers, Integers, int, int]
"""Classes, positions of back and front, kind and sign."""


class SetHands(Struct, frozen=True, kw_only=True):
    """The setting of every class of hands: one entry per class of `HandClasses`.

    Attributes:
        high: key of the high hand.
        low: key of the low hand.
        label: 0 to 7, counted separately; the label of a rank class is that of its hands without a
            flush.
    """

    high: Integers
    low: Integers
    label: Integers


class Queries(NamedTuple):
    """The queries of every class of a player's hands: entry by entry, classes ascending.

    Attributes:
        row: class.
        high: the position among the dealer's keys from which on a dealer's back counts; of `WON`,
            below which it counts.
        low: the same for the front.
        kind: `ALL`, `LOST` or `WON`.
        sign: 1 or -1.
    """

    row: npt.NDArray[np.int32]
    high: npt.NDArray[np.int16]
    low: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    sign: npt.NDArray[np.int8]


def set_hands(splits: Splits, choice: npt.NDArray[np.integer], label: Integers) -> SetHands:
    """Set every class by the split of the given number.

    Raises:
        NotConfigured: a chosen split is a foul.
        InvariantBroken: a label is out of range.
    """
    rows = np.arange(len(choice))
    if not splits.legal[rows, choice].all():
        raise NotConfigured("A house way sets a foul hand.", remedy="Correct the house way.")
    if label.min() < 0 or label.max() >= LABELS:
        raise InvariantBroken(f"The keys of hands have no room for more than {LABELS} labels.")
    return SetHands(
        high=splits.high[rows, choice].astype(np.int64),
        low=splits.low[rows, choice].astype(np.int64),
        label=label.astype(np.int64),
    )


def distinct_keys(dealer: SetHands) -> tuple[Integers, Integers]:
    """List the distinct keys of the dealer's high hands and of the dealer's low hands."""
    highs, lows = distinct(dealer.high), distinct(dealer.low)
    if len(lows) >= LOWS:
        raise InvariantBroken(f"{len(lows)} different fronts do not fit the event keys.")
    return highs, lows


def fixed_points(player: SetHands, dealer: SetHands, regions: Regions = TIES_TO_DEALER) -> Queries:
    """Ask the queries of a player whose every class of hands is set in one way."""
    return _build_queries(np.arange(len(player.high)), player.high, player.low, dealer, regions)


EVERY_ROW: Final = slice(None)

ANY, LEAST, ABOVE = 0, 1, 2
"""Which of the dealer's fronts count: all, those as high as the player's, the higher ones."""


def compared_points(player: SetHands, dealer: SetHands, rows: Integers, fronts: int) -> Queries:
    """Build queries that compare the dealer's high hands with those of some player's classes.

    Among the dealer's hands whose front fits ``fronts`` (`ANY`, `LEAST` or `ABOVE`), `ALL` are
    all, `WON` those whose back is lower, `LOST` those whose back is higher. Neither side's hands
    need be legal splits: a back and a front are any two keys of a class.
    """
    highs, lows = distinct_keys(dealer)
    high, none = player.high[rows], np.zeros_like(rows)
    least, above = positions(highs, high)
    low = (none, *positions(lows, player.low[rows]))[fronts]
    return _points(
        [
            (rows, none, low, ALL, 1),
            (rows, above, low, LOST, 1),
            (rows, least, none + len(lows), WON, 1),
            (rows, least, low, WON, -1),
        ],
        highs,
        lows,
    )


def staircase_points(
    splits: Splits,
    dealer: SetHands,
    regions: Regions = TIES_TO_DEALER,
    rows: Integers | slice = EVERY_ROW,
) -> Queries:
    """Build the queries of a player who sees the dealer's set hand and then sets best.

    With ``rows`` only those of some classes, numbered from 0.
    """
    frontier, high, low = splits.frontier[rows], splits.high[rows], splits.low[rows]
    row, column = np.nonzero(frontier >= 0)
    chosen = frontier[row, column]
    return _build_queries(row, high[row, chosen], low[row, chosen], dealer, regions)


def positions(keys: Integers, key: npt.NDArray[np.integer]) -> tuple[Integers, Integers]:
    """Return the numbers of dealer's keys that are below each key, and not above it."""
    return np.searchsorted(keys, key), np.searchsorted(keys, key, side="right")


def _build_queries(
    row: Integers,
    high: npt.NDArray[np.integer],
    low: npt.NDArray[np.integer],
    dealer: SetHands,
    regions: Regions,
) -> Queries:
    """Build the queries of players who choose from the given splits of each row, rows ascending."""
    win, safe = (np.array(corners, dtype=np.int64) for corners in regions)
    room = len(row) * (1 + 2 * (len(win) + len(safe)) + len(regions))
    points = Queries(
        row=np.empty(room, dtype=np.int32),
        high=np.empty(room, dtype=np.int16),
        low=np.empty(room, dtype=np.int8),
        kind=np.empty(room, dtype=np.int8),
        sign=np.empty(room, dtype=np.int8),
    )
    sides = high.astype(np.int64), low.astype(np.int64)
    most = np.bincount(row).max(initial=0) * max(len(win), len(safe))
    scratch = np.empty((2, most), dtype=np.int64)
    size = ask(
        np.ascontiguousarray(row),
        *sides,
        *distinct_keys(dealer),
        win,
        safe,
        scratch[0],
        scratch[1],
        points,
    )
    return shorten(points, size)


@compile_lazily
def find_corner(keys: Integers, key: int, corner: int) -> int:
    """Return the position in the dealer's keys where a corner of a split is first exceeded."""
    low, beyond = 0, len(keys)
    if corner == 2:  # any of the dealer's keys
        return beyond
    while low < beyond:
        middle = (low + beyond) >> 1
        if keys[middle] < key or (corner == 1 and keys[middle] == key):
            low = middle + 1
        else:
            beyond = middle
    return low


@compile_lazily
def add_query(
    points: Queries, size: int, row: int, high: int, low: int, kind: int, sign: int, lows: Integers
) -> int:
    """Add a query, unless no dealer's low hand meets it; return the number of queries."""
    if low == 0 if kind == WON else low >= len(lows):
        return size
    points.row[size] = row
    points.high[size] = high
    points.low[size] = low
    points.kind[size] = kind
    points.sign[size] = sign
    return size + 1


@compile_lazily
def ask(
    row: Integers,
    high: Integers,
    low: Integers,
    highs: Integers,
    lows: Integers,
    win: Integers,
    safe: Integers,
    back: Integers,
    front: Integers,
    points: Queries,
) -> int:
    """Fill in the queries of players who choose from the splits of each row.

    Args:
        row: the class of every split, ascending.
        high: keys of the high hands.
        low: keys of the low hands.
        highs: the keys of the dealer's high hands.
        lows: the keys of the dealer's low hands.
        win: the corners of `Regions.win`.
        safe: the corners of `Regions.safe`.
        back: scratch, with room for the corners of a row's splits.
        front: the same.
        points: filled with the queries.

    Returns:
        The number of queries.
    """
    size, begin = 0, 0
    while begin < len(row):
        beyond = begin
        while beyond < len(row) and row[beyond] == row[begin]:
            beyond += 1
        size = add_query(points, size, row[begin], 0, 0, ALL, 1, lows)
        for kind in (LOST, WON):
            count = 0
            for corner in win if kind == WON else safe:
                for split in range(begin, beyond):
                    h = find_corner(highs, high[split], corner[0])
                    lo = find_corner(lows, low[split], corner[1])
                    # Sorted by falling backs, equal ones by falling fronts.
                    at = count
                    while at > 0 and (
                        back[at - 1] < h or (back[at - 1] == h and front[at - 1] < lo)
                    ):
                        back[at], front[at] = back[at - 1], front[at - 1]
                        at -= 1
                    back[at], front[at] = h, lo
                    count += 1
            above = 0  # the front of the corner before, which the next one must exceed
            for corner_at in range(count):
                h, lo = back[corner_at], front[corner_at]
                if lo > above:
                    # A corner that no high hand of the dealer meets needs no query.
                    if h > 0 if kind == WON else h < len(highs):
                        sign = 1 if kind == WON else -1
                        size = add_query(points, size, row[begin], h, lo, kind, sign, lows)
                        size = add_query(points, size, row[begin], h, above, kind, -sign, lows)
                    above = lo
            if kind == LOST:
                size = add_query(points, size, row[begin], 0, above, kind, 1, lows)
        begin = beyond
    return size


def _points(parts: Sequence[_Part], highs: Integers, lows: Integers) -> Queries:
    """Gather queries in small integers, without those that no dealer can meet."""
    met = [
        np.flatnonzero(
            (high > 0) & (low > 0) if kind == WON else (high < len(highs)) & (low < len(lows))
        )
        for _, high, low, kind, _ in parts
    ]
    sizes = [len(indices) for indices in met]
    return order_queries(
        Queries(
            row=np.concatenate(
                [
                    part[0][indices].astype(np.int32)
                    for part, indices in zip(parts, met, strict=True)
                ]
            ),
            high=np.concatenate(
                [
                    part[1][indices].astype(np.int16)
                    for part, indices in zip(parts, met, strict=True)
                ]
            ),
            low=np.concatenate(
                [part[2][indices].astype(np.int8) for part, indices in zip(parts, met, strict=True)]
            ),
            kind=np.repeat(np.array([part[3] for part in parts], dtype=np.int8), sizes),
            sign=np.repeat(np.array([part[4] for part in parts], dtype=np.int8), sizes),
        )
    )


def order_queries(points: Queries) -> Queries:
    """Return queries by class, those of one class in the order they have."""
    order = np.argsort(points.row, kind="stable")
    return Queries._make(part[order] for part in points)


def state_code(states: Integers, ranks: int, *, highest_first: bool = False) -> Integers:
    """Return the code of hands: the state of every rank, three bits each.

    Args:
        states: packed four bits a rank, like the counts of `HandClasses`.
        ranks: ranks of the deck.
        highest_first: the highest rank has the lowest bits, not the lowest rank.
    """
    code, state = np.zeros_like(states), np.empty_like(states)
    for rank in range(ranks):
        np.right_shift(states, COUNT_BITS * rank, out=state)
        state &= STATES - 1
        state <<= STATE_BITS * (ranks - 1 - rank if highest_first else rank)
        code |= state
    return code


def rank_code(classes: HandClasses, *, highest_first: bool = False) -> Integers:
    """Return the code of every class, a rank's state being the cards held."""
    return state_code(classes.counts, classes.shape.ranks, highest_first=highest_first)


def suit_code(classes: HandClasses) -> Integers:
    """Return the code of the flush classes only, a rank's state being (F, q).

    The highest rank has the lowest bits, which are taken first: so two flushes take three quarters
    of the time that they take with the lowest rank there. Rank classes are faster the other way.
    """
    part, ranks = slice(classes.rank_classes, None), classes.shape.ranks
    states = spread(classes.flush[part], ranks) + 2 * classes.others[part]
    return state_code(states, ranks, highest_first=True)


def count_free_bits(dealer: SetHands, ranks: int) -> int:
    """Return the number of bits that a dealer event's key has for the label."""
    # A won query may be one position above all backs.
    backs = len(distinct(dealer.high)).bit_length()
    return 63 - backs - LOW_BITS - STATE_BITS * ranks


def dealer_keys(dealer: SetHands, ranks: int, label_bits: int = LABEL_BITS) -> Integers:
    """Return the part of the dealer events' keys above the code, per class."""
    highs, lows = distinct_keys(dealer)
    high, low = np.searchsorted(highs, dealer.high), np.searchsorted(lows, dealer.low)
    if label_bits > count_free_bits(dealer, ranks):
        raise InvariantBroken(f"{len(highs)} different backs do not fit the event keys.")
    above = (high << (LOW_BITS + label_bits)) | (low << label_bits) | dealer.label
    return above << (STATE_BITS * ranks)
