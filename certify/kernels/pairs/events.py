"""Dealer and player events: who holds which set hand, and what a player's hand asks of it.

Dealer. Every class sets its cards in one way, as keys (high, low) and a *label* (a small number
that the caller gives to each class: an ordinary hand, a pai gow by its top card, two jacks ...).

Player. With h and l the dealer's keys and (H, L) a split, ties going to the dealer, a split
fails to win if h >= H or l >= L, and loses if both. So every outcome is a signed sum of queries
"h >= H and l >= L": a player with one split fails to win on (H, 0) + (0, L) - (H, L) and loses
on (H, L). A player who sees the dealer's set hand wins if *some* legal split wins; along the
frontier (H1 > H2 > ..., L1 < L2 < ...) the region without a win is a staircase,
(H1, 0) - (H1, L1) + (H2, L1) - (H2, L2) + ... + (0, Ln): and the hand loses exactly on (H1, Ln).
A query (0, 0) counts all pairs, as a check of the identity. Keys are replaced by their position
among the dealer's keys, which loses nothing; queries that no dealer can meet are dropped.
"""

from dataclasses import dataclass

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
        high: H, the position among the dealer's keys from which on a dealer's back is as high.
        low: L, the same for the front.
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
        raise NotConfigured(f"Labels of dealer hands run from 0 to {LABELS - 1}.")
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


def fixed_points(player: SetHands, dealer: SetHands) -> Points:
    """Ask the queries of a player whose every class of hands is set in one way."""
    highs, lows = ladders(dealer)
    high, low = np.searchsorted(highs, player.high), np.searchsorted(lows, player.low)
    row, none = np.arange(len(high)), np.zeros_like(high)
    return _points(
        [
            (row, none, none, ALL, 1),
            (row, high, none, MISSED, 1),
            (row, none, low, MISSED, 1),
            (row, high, low, MISSED, -1),
            (row, high, low, LOST, 1),
        ],
        highs,
        lows,
    )


def staircase_points(splits: Splits, dealer: SetHands) -> Points:
    """Ask the queries of a player who sees the dealer's set hand and then sets best."""
    highs, lows = ladders(dealer)
    rows = np.arange(len(splits.frontier))
    row, column = np.nonzero(splits.frontier >= 0)
    chosen = splits.frontier[row, column]
    high = np.searchsorted(highs, splits.high[row, chosen])
    low = np.searchsorted(lows, splits.low[row, chosen])
    last = np.cumsum(splits.frontier_size, dtype=np.int64) - 1
    first = last - splits.frontier_size + 1
    inner = np.delete(np.arange(len(row)), last)
    none = np.zeros_like(rows)
    return _points(
        [
            (rows, none, none, ALL, 1),
            (rows, high[first], none, MISSED, 1),
            (rows, none, low[last], MISSED, 1),
            (rows, high[first], low[last], LOST, 1),
            (row, high, low, MISSED, -1),
            (row[inner], high[inner + 1], low[inner], MISSED, 1),
        ],
        highs,
        lows,
    )


def _points(
    parts: list[tuple[Integers, Integers, Integers, int, int]], highs: Integers, lows: Integers
) -> Points:
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
