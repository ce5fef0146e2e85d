"""Dealer and player events: who holds which set hand, and what a player's hand asks of it.

Dealer. Every class sets its cards in one way, as keys (high, low) and a *label* (a small number
that the caller gives to each class: an ordinary hand, a pai gow by its top card, two jacks ...).

Player. With h and l the dealer's keys and (H, L) a split, a split wins below certain corners,
h < A and l < B: ties going to the dealer, below (H, L) alone; and it does not lose below others:
below (H, any) or (any, L). Where a tie is the player's, or nobody's, the corners lie one key
further (see `Regions`). The union of such quarters, of one split or of all that a player who sees
the dealer's set hand can choose from, is a staircase: with its corners A1 > A2 > ..., B1 < B2 < ...
the dealer's hands outside it are a signed sum of queries "h >= A and l >= B",
(A1, 0) - (A1, B1) + (A2, B1) - (A2, B2) + ... + (0, Bn).
A query (0, 0) counts all pairs, as a check of the identity. Keys are replaced by their position
among the dealer's keys, which loses nothing; queries that no dealer can meet are dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.pairs.event_lists import KIND_BITS, LABEL_BITS, LABELS, LOW_BITS, LOWS
from certify.kernels.partition.class_arrays import HandClasses, spread
from certify.kernels.partition.shape import COUNT_BITS
from certify.kernels.partition.splits import Splits

Integers = npt.NDArray[np.int64]

ALL, MISSED, LOST = 0, 1, 2
"""Kinds of queries: every pair, pairs that the player does not win, pairs that the player loses."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHands:
    """How every class of hands is set: one entry per class of `HandClasses`.

    Attributes:
        high: key of the back.
        low: key of the front.
        label: 0 to 7, told apart in the counts; that of a rank class is the label of its hands
            without a flush.
    """

    high: Integers
    low: Integers
    label: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """The queries of every class of a player's hands: entry by entry, in no order.

    Attributes:
        row: class.
        high: the position among the dealer's keys from which on a dealer's back counts.
        low: the same for the front.
        kind: `ALL`, `MISSED` or `LOST`.
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
        NotConfigured: a chosen split is a foul, or a label is out of range.
    """
    rows = np.arange(len(choice))
    if not splits.legal[rows, choice].all():
        raise NotConfigured("A house way sets a foul hand.", remedy="Correct the house way.")
    if label.min() < 0 or label.max() >= LABELS:
        raise NotConfigured(
            f"The dealer rules tell more than {LABELS} kinds of hands apart.",
            remedy="Name fewer kinds of hands in the dealer rules of this game.",
        )
    return SetHands(
        high=splits.high[rows, choice].astype(np.int64),
        low=splits.low[rows, choice].astype(np.int64),
        label=label.astype(np.int64),
    )


def ladders(dealer: SetHands) -> tuple[Integers, Integers]:
    """List the keys of the backs and of the fronts that occur among the dealer's hands."""
    highs, lows = np.unique(dealer.high), np.unique(dealer.low)
    if len(lows) >= LOWS:
        raise InvariantBroken(f"{len(lows)} different fronts do not fit the event keys.")
    return highs, lows


def fixed_points(player: SetHands, dealer: SetHands, regions: Regions = TIES_TO_DEALER) -> Points:
    """Ask the queries of a player whose every class of hands is set in one way."""
    return _asked(np.arange(len(player.high)), player.high, player.low, dealer, regions)


ANY, LEAST, ABOVE = 0, 1, 2
"""Which of the dealer's fronts count: all, those as high as the player's, the higher ones."""


def compared_points(player: SetHands, dealer: SetHands, rows: Integers, fronts: int) -> Points:
    """Ask how the dealer's backs compare with those of some of the player's classes.

    Among the dealer's hands whose front fits ``fronts`` (`ANY`, `LEAST` or `ABOVE`), `ALL` are
    all, `MISSED` those whose back is at least as high, `LOST` those whose back is higher. Neither
    side's hands need be legal splits: a back and a front are any two keys of a class.
    """
    highs, lows = ladders(dealer)
    high, none = player.high[rows], np.zeros_like(rows)
    least, above = positions(highs, high)
    low = (none, *positions(lows, player.low[rows]))[fronts]
    return _points(
        [(rows, none, low, ALL, 1), (rows, least, low, MISSED, 1), (rows, above, low, LOST, 1)],
        highs,
        lows,
    )


def staircase_points(splits: Splits, dealer: SetHands, regions: Regions = TIES_TO_DEALER) -> Points:
    """Ask the queries of a player who sees the dealer's set hand and then sets best."""
    row, column = np.nonzero(splits.frontier >= 0)
    chosen = splits.frontier[row, column]
    return _asked(row, splits.high[row, chosen], splits.low[row, chosen], dealer, regions)


def positions(keys: Integers, key: npt.NDArray[np.integer]) -> tuple[Integers, Integers]:
    """Return how many of the dealer's keys are below each key, and how many are at most as high."""
    return np.searchsorted(keys, key), np.searchsorted(keys, key, side="right")


def _asked(
    row: Integers,
    high: npt.NDArray[np.integer],
    low: npt.NDArray[np.integer],
    dealer: SetHands,
    regions: Regions,
) -> Points:
    """Ask the queries of players who choose among the given splits of each row."""
    highs, lows = ladders(dealer)
    backs = (*positions(highs, high), np.full_like(row, len(highs)))
    fronts = (*positions(lows, low), np.full_like(row, len(lows)))
    rows = np.unique(row)
    none = np.zeros_like(rows)
    parts: list[_Part] = [(rows, none, none, ALL, 1)]
    for kind, corners in ((MISSED, regions.win), (LOST, regions.safe)):
        parts += _outside(
            np.tile(row, len(corners)),
            np.concatenate([backs[back] for back, _ in corners]),
            np.concatenate([fronts[front] for _, front in corners]),
            kind,
        )
    return _points(parts, highs, lows)


def _outside(row: Integers, high: Integers, low: Integers, kind: int) -> list[_Part]:
    """Ask for the dealer's hands outside all quarters of a row: those below (high, low)."""
    order = np.lexsort((-low, -high, row))
    row, high, low = row[order], high[order], low[order]
    # Of the corners of a row, from the highest back down, those count whose front is above all
    # before; a row's number puts each above all of the rows before it.
    rising = np.maximum.accumulate(row * (LOWS + 1) + low)
    counts = np.diff(rising, prepend=-1) > 0
    row, high, low = row[counts], high[counts], low[counts]
    first, last = np.diff(row, prepend=-1) != 0, np.diff(row, append=-1) != 0
    inner = np.flatnonzero(~first)
    none = np.zeros_like(row)
    return [
        (row[first], high[first], none[first], kind, 1),
        (row[last], none[last], low[last], kind, 1),
        (row, high, low, kind, -1),
        (row[inner], high[inner], low[inner - 1], kind, 1),
    ]


def _points(parts: Sequence[_Part], highs: Integers, lows: Integers) -> Points:
    """Gather queries in small integers, without those that no dealer can meet."""
    met = [np.flatnonzero((part[1] < len(highs)) & (part[2] < len(lows))) for part in parts]
    sizes = [len(kept) for kept in met]
    return Points(
        row=np.concatenate(
            [part[0][kept].astype(np.int32) for part, kept in zip(parts, met, strict=True)]
        ),
        high=np.concatenate(
            [part[1][kept].astype(np.int16) for part, kept in zip(parts, met, strict=True)]
        ),
        low=np.concatenate(
            [part[2][kept].astype(np.int8) for part, kept in zip(parts, met, strict=True)]
        ),
        kind=np.repeat(np.array([part[3] for part in parts], dtype=np.int8), sizes),
        sign=np.repeat(np.array([part[4] for part in parts], dtype=np.int8), sizes),
    )


def state_code(
    states: Integers, joker: npt.NDArray[np.bool_], ranks: int, *, highest_first: bool = False
) -> Integers:
    """Return the code of hands: the state of every rank, three bits each, and the joker's bit.

    Args:
        states: packed four bits a rank, like the counts of `HandClasses`.
        joker: the hand holds the joker.
        ranks: ranks of the deck.
        highest_first: the highest rank has the lowest bits, not the lowest rank.
    """
    code = joker.astype(np.int64) << (3 * ranks)
    for rank in range(ranks):
        place = ranks - 1 - rank if highest_first else rank
        code |= ((states >> (COUNT_BITS * rank)) & 7) << (3 * place)
    return code


def rank_code(classes: HandClasses, *, highest_first: bool = False) -> Integers:
    """Return the code of every class, a rank's state being the cards held."""
    ranks = classes.shape.ranks
    return state_code(classes.counts, classes.joker, ranks, highest_first=highest_first)


def suit_code(classes: HandClasses, *, highest_first: bool = False) -> Integers:
    """Return the code of the flush classes only, a rank's state being (F, q)."""
    part, ranks = slice(classes.rank_classes, None), classes.shape.ranks
    states = spread(classes.flush[part], ranks) + 2 * classes.others[part]
    return state_code(states, classes.joker[part], ranks, highest_first=highest_first)


def dealer_keys(dealer: SetHands, ranks: int) -> Integers:
    """Return the part of the dealer events' keys above the code, per class."""
    highs, lows = ladders(dealer)
    high, low = np.searchsorted(highs, dealer.high), np.searchsorted(lows, dealer.low)
    if (len(highs) - 1).bit_length() + LOW_BITS + LABEL_BITS + 3 * ranks + 1 > 63:
        raise InvariantBroken(f"{len(highs)} different backs do not fit the event keys.")
    above = (high << (LOW_BITS + LABEL_BITS)) | (low << LABEL_BITS) | dealer.label
    return above << (3 * ranks + 1)


def player_keys(points: Points, ranks: int) -> Integers:
    """Return the part of the player events' keys above the code, per query."""
    key = points.high.astype(np.int64)
    key <<= KIND_BITS
    key |= points.kind
    key <<= LOW_BITS
    key |= points.low
    key <<= 3 * ranks + 1
    return key
