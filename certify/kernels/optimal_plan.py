"""Data shared by the tasks of concealed play: dealer's events, tables, weights, and a bound.

Splits that cannot be best are excluded, by proof: the value of a split is the part of the rank
classes plus a sum over dealers X with a flush of g(k(X)) - g(k0(X)). From one split of a frontier
to another, against one dealer's hand, a win can only become a push, a push a win or a loss, a loss
a push; so the second part differs between two splits by at most 2 W N, W being the greatest weight
of a channel and N a bound on the dealer's flushes. (If the player acts, by a raise or a fold, the
weights are those of the first action, and 2 R N are added, R being the range of the difference of
another action against one dealer's hand.) A split whose first part is further below the best first
part is never best.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.kernels.class_arrays import HandClasses, Splits
from certify.kernels.event_lists import EventList, merge_events
from certify.kernels.events import (
    TIES_TO_DEALER,
    Corner,
    Regions,
    SetHands,
    dealer_keys,
    distinct_keys,
    positions,
    rank_code,
    suit_code,
)
from certify.kernels.features import Shape
from certify.kernels.inclusion_exclusion import (
    Steps,
    count_dealer_ways,
    counted_branches,
    jokers,
    one_flush,
    steps,
)

Integers = npt.NDArray[np.int64]


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


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that the tasks of a count share.

    The dealer's events are in one list for every number of jokers that the player's hand may
    hold, with the ways in which they are then dealt.
    """

    classes: HandClasses
    splits: Splits
    choice: Integers
    rule: Integers
    high: Integers
    low: Integers
    highs: Integers
    lows: Integers
    rank_dealer: tuple[EventList, ...]
    suit_dealer: tuple[EventList, ...]
    rank_tables: Steps
    suit_tables: Steps
    weight: Integers
    asked: SplitQueries
    slack: int
    by_home: Integers
    pairs: int


def prepare(
    classes: HandClasses,
    splits: Splits,
    dealer: SetHands,
    choice: Integers,
    rule: Integers,
    worth: Sequence[Worth],
    regions: Regions = TIES_TO_DEALER,
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
        high=np.stack(positions(highs, splits.high)),
        low=np.stack(positions(lows, splits.low)),
        highs=highs,
        lows=lows,
        rank_dealer=rank_dealer,
        suit_dealer=suit_dealer,
        rank_tables=steps(counted_branches(), shape.ranks),
        suit_tables=steps(one_flush(), shape.ranks),
        weight=weight,
        asked=list_queries(regions),
        slack=2 * flushes * (int(weight[0, :2].max()) + added),
        pairs=shape.pairs,
        by_home=classes.rank_classes
        + np.argsort(classes.rank_class[classes.rank_classes :], kind="stable"),
    )


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
    row: Integers,
    column: Integers,
    house: Integers,
    size: int,
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
    win, lose, even = (plan.weight[:, place].T for place in range(3))
    value = ((total - missed) @ win - lost @ lose + total @ even).max(axis=1)
    best = np.full(size, value.min(initial=0))
    np.maximum.at(best, row, value)
    is_promising: npt.NDArray[np.bool_] = (value >= best[row] - plan.slack) | (column == house[row])
    return is_promising
