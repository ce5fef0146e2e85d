"""Data shared by the tasks of concealed play: dealer's events, tables, weights, and a bound.

Splits that cannot be best are excluded, by proof: the value of a split is the part of the rank
classes plus a sum over dealers X with a flush of g(k(X)) - g(k0(X)), k(X) being the dealer's keys
with the flush and k0(X) those without it. A split is never best if its first part is further below
that of the best one than the second parts can differ, which two bounds limit.

The first (`slack`) counts flushes. From one split of a frontier to another, against one dealer's
hand, a win can only become a push, a push a win or a loss, a loss a push; so the second part
differs between two splits by at most 2 W N, W being the greatest weight of a channel and N a bound
on the dealer's flushes. (If the player acts, by a raise or a fold, the weights are those of the
first action, and 2 R N are added, R being the range of the difference of another action against one
dealer's hand.)

The second (`FlushBounds`) counts only flushes whose keys lie between those of both splits, if ties
go to the dealer. With a = [h >= H] and b = [l >= L], a split is worth win (1 - a - b) + (win -
lose) a b. Between two splits a differs for dealers with h between both H, and b for those with l
between both L. What a split with the higher H gains is at most win for each k(X) there, and with
the lower H for each k0(X); the same for L, where dealers count only once if l is there both with
and without the flush. The products a b add at most |win - lose| for k(X) and for k0(X). Flushes are
those of the whole deck, as many as the player's jokers leave. The bound holds for each action.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.kernels.class_arrays import HandClasses, Splits
from certify.kernels.event_lists import LOW_BITS, LOWS, EventList, distinct, merge_events
from certify.kernels.events import (
    TIES_TO_DEALER,
    Corner,
    Regions,
    SetHands,
    dealer_keys,
    distinct_keys,
    rank_code,
    suit_code,
)
from certify.kernels.features import LABEL_BITS, Shape
from certify.kernels.inclusion_exclusion import (
    STATE_BITS,
    Steps,
    choose,
    count_dealer_ways,
    counted_branches,
    jokers,
    one_flush,
    steps,
)

Integers = npt.NDArray[np.int64]
Positions = npt.NDArray[np.integer]


class Worth(NamedTuple):
    """Integer payoffs of rounds by channel under one action of the player.

    Every round pays `even`; a win adds `win`, a loss subtracts `lose`.
    """

    win: tuple[int, ...]
    lose: tuple[int, ...]
    even: tuple[int, ...]


class SplitQueries(NamedTuple):
    """Queries of a split, and the way their answers add up.

    The answers to a query (A, B) are two numbers of dealer's hands: h >= A or l >= B, and both.

    Attributes:
        sides: `(queries, 2)`, of high hand and low hand: 0, A is the split's own position in the
            dealer's keys; 1, the position after it (see `events.Corner`).
        terms: `(queries, 3)`: weights of the first and of the second answer in the hands that are
            not beaten, and of the second in the hands that beat the split.
    """

    sides: Integers
    terms: Integers


def list_queries(regions: Regions) -> SplitQueries:
    """Return the queries on hands that a split does not beat, and on those that beat it.

    Outside the corners of a staircase lie (A1, 0) - (A1, B1) + (A2, B1) - ... + (0, Bn), of which
    the two at its ends are h >= A1 or l >= Bn, and both. A split that does not lose has no ends.
    """
    terms: dict[Corner, list[int]] = {}

    def add(corner: Corner, term: int, sign: int) -> None:
        if max(corner) < 2:
            terms.setdefault(corner, [0, 0, 0])[term] += sign

    ends = (regions.win[0][0], regions.win[-1][1])
    add(ends, 0, 1)
    add(ends, 1, 1)
    for term, corners in ((1, regions.win), (2, regions.safe)):
        for corner in corners:
            add(corner, term, -1)
        for (_, front), (back, _) in pairwise(corners):
            add((back, front), term, 1)
    used = {corner: numbers for corner, numbers in terms.items() if any(numbers)}
    return SplitQueries(
        np.array(list(used), dtype=np.int64), np.array(list(used.values()), dtype=np.int64)
    )


class FlushBounds(NamedTuple):
    """Sums over the dealer's flushes that limit what they change (see the module's proof).

    A table's first axes are positions among the dealer's keys; the sum is over hands below them.
    The last axes are the jokers that the player holds, and the action. A hand counts with `win`.
    Sums and limits fit into int64 with weights below 2**32: a deck has fewer than 2**28 hands.

    Attributes:
        high: by the high hand, with the flush and without it.
        low: by the low hand, with the flush and without it.
        both: by the low hand with the flush and that without it; the lesser weight counts.
        rest: the sum of |win - lose| with the flush and without it, over all hands.
    """

    high: tuple[Integers, Integers]
    low: tuple[Integers, Integers]
    both: Integers
    rest: Integers

    def limit(
        self, jokers: Positions, high: Positions, low: Positions, best: Positions
    ) -> Integers:
        """Return by how much each split's second part may exceed that of the best: `(n, actions)`.

        Args:
            jokers: the jokers that the player holds.
            high: positions of the splits' high hands.
            low: positions of their low hands.
            best: for every split the place of the best one of the same class.
        """
        least, most = np.minimum(low, low[best]), np.maximum(low, low[best])
        both = self.both[most, most, jokers] - self.both[least, most, jokers]
        both += self.both[least, least, jokers] - self.both[most, least, jokers]
        gains = (_gain(self.high, jokers, high, best), _gain(self.low, jokers, low, best))
        return gains[0] + gains[1] - both + self.rest[jokers]


def _gain(
    tables: tuple[Integers, Integers], jokers: Positions, key: Positions, best: Positions
) -> Integers:
    """Return the sum between the keys of each split and of the best: with the flush if above it."""
    least, most = np.minimum(key, key[best]), np.maximum(key, key[best])
    with_flush, without = (table[most, jokers] - table[least, jokers] for table in tables)
    return np.where((key > key[best])[:, None], with_flush, without)


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that the tasks of a count share.

    The dealer's events are in one list for every number of jokers that the player's hand may
    hold, with the ways in which they are then dealt. ``hands`` are the hands of each class: of a
    rank class those that are no flush. ``house``: see `count_concealed`.
    """

    classes: HandClasses
    splits: Splits
    choice: Integers
    rule: Integers
    highs: Integers
    lows: Integers
    rank_dealer: tuple[EventList, ...]
    suit_dealer: tuple[EventList, ...]
    rank_tables: Steps
    suit_tables: Steps
    weight: Integers
    asked: SplitQueries
    slack: int
    bounds: FlushBounds | None
    pairs: int
    hands: Integers
    house: Sequence[Sequence[int]] | None


def prepare(
    classes: HandClasses,
    splits: Splits,
    dealer: SetHands,
    choice: Integers,
    rule: Integers,
    worth: Sequence[Worth],
    regions: Regions = TIES_TO_DEALER,
    house: Sequence[Sequence[int]] | None = None,
) -> Plan:
    """Build the data shared by all tasks: the dealer's events, the tables, the weights.

    The engine checks that worths are natural numbers of which sums over all deals fit, one for each
    label of the dealer's hands.
    """
    shape = classes.shape
    weight = np.array(worth, dtype=np.int64)
    even = weight[:, 2]
    flushes = most_flushes(shape)
    other = np.abs(weight - weight[0]).max(axis=2)
    added = int((other[:, 0] + other[:, 1] + np.ptp(even - even[0], axis=1)).max())
    highs, lows = distinct_keys(dealer)
    rank_dealer, suit_dealer = _dealer_events(classes, dealer)
    return Plan(
        classes=classes,
        splits=splits,
        choice=choice.astype(np.int64),
        rule=rule.astype(np.int64),
        highs=highs,
        lows=lows,
        rank_dealer=rank_dealer,
        suit_dealer=suit_dealer,
        rank_tables=steps(counted_branches(), shape.ranks),
        suit_tables=steps(one_flush(), shape.ranks),
        weight=weight,
        asked=list_queries(regions),
        slack=2 * flushes * (int(weight[0, :2].max()) + added),
        bounds=bound_flushes(classes, dealer, weight) if regions == TIES_TO_DEALER else None,
        pairs=shape.pairs,
        hands=_count_own_hands(classes),
        house=house,
    )


def _count_own_hands(classes: HandClasses) -> Integers:
    """Return the hands of each class, of a rank class without those of its flush classes."""
    size, hands = classes.rank_classes, classes.hands.astype(np.int64)
    np.subtract.at(hands, classes.rank_class[size:], hands[size:])
    return hands


def most_flushes(shape: Shape) -> int:
    """Bound the number of dealer's flushes without the player's cards, for all suit patterns.

    A suit with n cards left makes C(n, k) times C(all others, hand - k) hands with k cards of it.
    """
    most = 0
    for joker in range(1 + shape.joker):
        gone = shape.hand - joker
        left = 4 * shape.ranks - gone
        for a in range(gone // 4, gone + 1):
            for b in range(min(a, gone - a) + 1):
                for c in range(min(b, gone - a - b) + 1):
                    d = gone - a - b - c
                    if d > c or a > shape.ranks:
                        continue
                    flushes = 0
                    for taken in (a, b, c, d):
                        suit = shape.ranks - taken
                        for wild in range(1 + shape.joker - joker):
                            dealt, more = comb(shape.joker - joker, wild), shape.hand - wild
                            for k in range(shape.back - wild, more + 1):
                                flushes += dealt * comb(suit, k) * comb(left - suit, more - k)
                    most = max(most, flushes)
    return most


def bound_flushes(classes: HandClasses, dealer: SetHands, weight: Integers) -> FlushBounds:
    """Add up the dealer's flushes that are set or labeled otherwise than without the flush."""
    keys = distinct_keys(dealer)
    high, low = np.searchsorted(keys[0], dealer.high), np.searchsorted(keys[1], dealer.low)
    flush = np.arange(classes.rank_classes, len(classes.counts))
    home = classes.rank_class[flush]
    is_changed = [place[flush] != place[home] for place in (high, low, dealer.label)]
    changed = np.logical_or.reduce(is_changed)
    sides = flush[changed], home[changed]
    deck, used = classes.shape.joker, classes.joker[sides[0]]
    left = np.array([[choose(deck - held, n) for n in range(deck + 1)] for held in range(deck + 1)])
    hands = (classes.hands[sides[0]] // left[0, used] * left[:, used]).T[:, :, None]
    win, lose = weight[:, 0].T, weight[:, 1].T
    wins = [hands * win[dealer.label[side]][:, None] for side in sides]
    rest = [hands * np.abs(win - lose)[dealer.label[side]][:, None] for side in sides]
    size_high, size_low = (len(key) for key in keys)

    def tabulate(position: Integers, size: int) -> tuple[Integers, Integers]:
        with_flush, without = (
            _sum_below(amount, (size,), position[side])
            for amount, side in zip(wins, sides, strict=True)
        )
        return with_flush, without

    return FlushBounds(
        high=tabulate(high, size_high),
        low=tabulate(low, size_low),
        both=_sum_below(np.minimum(*wins), (size_low,) * 2, *(low[side] for side in sides)),
        rest=(rest[0] + rest[1]).sum(axis=0),
    )


def _sum_below(amount: Integers, size: tuple[int, ...], *positions: Integers) -> Integers:
    """Return the sums of the amounts below every position, on all axes of positions."""
    table = np.zeros((*(number + 1 for number in size), *amount.shape[1:]), dtype=np.int64)
    np.add.at(table, tuple(position + 1 for position in positions), amount)
    for axis in range(len(size)):
        np.cumsum(table, axis=axis, out=table)
    return table


def _dealer_events(
    classes: HandClasses, dealer: SetHands
) -> tuple[tuple[EventList, ...], tuple[EventList, ...]]:
    """Return the events of all rank classes, and the flush corrections of one suit."""
    branches = jokers(classes.shape.joker, count_dealer_ways)
    of_jokers = [np.array(mine, dtype=np.int32)[classes.joker] for mine, _ in branches]
    size = classes.rank_classes
    above = dealer_keys(dealer, classes.shape.ranks)
    ranks = rank_code(classes, highest_first=True)[:size]
    suits = suit_code(classes)
    home = classes.rank_class[size:]
    changed = np.concatenate([above[size:] | suits, above[home] | suits])
    return (
        tuple(merge_events(above[:size] | ranks, factor[:size]) for factor in of_jokers),
        tuple(
            merge_events(changed, np.concatenate([factor[size:], -factor[size:]]))
            for factor in of_jokers
        ),
    )


def keep_asked(events: EventList, shape: Shape, points: Integers) -> EventList:
    """Merge events that no query distinguishes: each key becomes the greatest asked for below it.

    Args:
        events: the dealer's events.
        shape: the deck and the hand.
        points: positions of high and low hands in the queries, packed as in their keys.
    """
    code_bits = STATE_BITS * shape.ranks
    low_place = code_bits + LABEL_BITS
    high_place = low_place + LOW_BITS

    def reduce(position: Integers, asked: Integers) -> Integers:
        return np.append(0, asked)[np.searchsorted(asked, position, side="right")]

    high = reduce(events.key >> high_place, distinct(points >> LOW_BITS))
    low = reduce((events.key >> low_place) & (LOWS - 1), distinct(points & (LOWS - 1)))
    rest = events.key & ((1 << low_place) - 1)
    return merge_events((high << high_place) | (low << low_place) | rest, events.weight)


def candidates(plan: Plan, members: Integers) -> tuple[Integers, Integers]:
    """List the frontier splits of classes and the house way's, with the position of the latter."""
    splits = plan.splits
    frontier = splits.frontier[members].astype(np.int64)
    size = splits.frontier_size[members].astype(np.int64)
    rows = np.arange(len(members))
    chosen = plan.choice[members]
    shown = np.maximum(frontier, 0)
    same = (
        (splits.high[members[:, None], shown] == splits.high[members, chosen][:, None])
        & (splits.low[members[:, None], shown] == splits.low[members, chosen][:, None])
        & (frontier >= 0)
    )
    house = np.where(same.any(axis=1), same.argmax(axis=1), size)
    wide = np.concatenate([frontier, np.full((len(members), 1), -1)], axis=1)
    wide[rows, house] = np.where(same.any(axis=1), wide[rows, house], chosen)
    return wide, house


def promising(
    plan: Plan,
    rank_value: Integers,
    place: Integers,
    high: Integers,
    low: Integers,
    row: Integers,
    column: Integers,
    house: Integers,
    members: Integers,
) -> npt.NDArray[np.bool_]:
    """Tell which splits may be best, or are the house way's (see the module's proof)."""
    terms = plan.asked.terms
    queries = len(terms) * len(row)
    total = rank_value[place[queries:][row]][:, 0::2]
    answer = rank_value[place[:queries]].reshape(len(row), len(terms), -1)
    either, both = answer[:, :, 0::2], answer[:, :, 1::2]
    missed = np.einsum("rqc,q->rc", either, terms[:, 0])
    missed += np.einsum("rqc,q->rc", both, terms[:, 1])
    lost = np.einsum("rqc,q->rc", both, terms[:, 2])
    win, lose, even = (plan.weight[:, kind].T for kind in range(3))
    values = (total - missed) @ win - lost @ lose + total @ even
    value = values.max(axis=1)
    ends = np.searchsorted(row, np.arange(len(members)), side="right") - 1
    best = np.lexsort((value, row))[ends][row]
    is_promising: npt.NDArray[np.bool_] = value >= value[best] - plan.slack
    if plan.bounds is not None:
        limit = plan.bounds.limit(plan.classes.joker[members[row]], high, low, best)
        is_promising &= (values >= values[best] - limit).any(axis=1)
    is_promising |= column == house[row]
    return is_promising
