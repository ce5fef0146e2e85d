"""Optimal play of a player who sees only the own cards, exactly, hand by hand.

For every hand up to suit isomorphism and every split that may be best, the dealer's hands that
the split does not beat, and those that it loses to, are counted for every *channel* (label of
the dealer's hand); integer weights turn them into a value; the split with the greatest value is
chosen, of equal ones that with the higher back; with it one of the player's actions, of equal
ones the first: not to raise or to raise, to fold or to raise by one size or another.

Splits that cannot be best are left out, by the proof in `optimal_plan`. Where the house way is
counted already and no action is to be chosen, so are the hands that keep no other split: the tasks
then count how the pairs change.

A task is a range of rank classes or of flush classes. What it needs is little, whatever the deck;
`tasks`, `run` and `combine` may be driven by any executor.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.errors import InvariantBroken
from certify.kernels.class_arrays import HandClasses, Splits, unpack_ranks
from certify.kernels.event_lists import LOW_BITS, EventList, copy_enlarged, count_jokers
from certify.kernels.events import TIES_TO_DEALER, Regions, SetHands, positions, state_code
from certify.kernels.features import COUNT_BITS
from certify.kernels.inclusion_exclusion import STATE_BITS, Steps
from certify.kernels.optimal_plan import (
    Plan,
    Worth,
    candidates,
    keep_asked,
    prepare,
    promising,
)
from certify.kernels.optimal_queries import Narrow, answer_queries, slots, suit_queries
from certify.kernels.pair_count import run_all
from certify.kernels.set_kinds import (
    KindsOf,
    Lines,
    add_lines,
    split_kinds,
    sum_changed,
    sum_played,
)
from certify.kernels.suit_isomorphism import (
    HOUSE,
    OPTIMAL,
    WORST,
    Places,
    Rows,
    Tally,
    settle_rows,
)
from certify.model.encoding import Progress

Integers = npt.NDArray[np.int64]


class WorstHand(NamedTuple):
    """A hand on which the house way costs most: its cards and keys (high, low) of both splits."""

    cost: int
    cards: tuple[int, ...]
    best: tuple[int, int]
    house: tuple[int, int]


class ConcealedCounts(Struct, frozen=True, kw_only=True):
    """Ordered pairs of disjoint hands under optimal play and under the player's house way.

    Attributes:
        optimal: `[action][channel]` = (win, lose, total).
        house: the same for the house way, with the action chosen optimally.
        rule_hands: by house-way rule, player's hands whose split is worth less than the best.
        rule_cost: by rule, the sum of the value lost, in units of the weights times dealer's hands.
        worst: the hands that lose most, up to suits.
        played: lines of way (0 optimal, 1 house way), action, kind of the set hand, and hands.
        changed: lines of the house way's kind, the best kind, hands, and the value lost on them.
    """

    optimal: tuple[tuple[tuple[int, int, int], ...], ...]
    house: tuple[tuple[tuple[int, int, int], ...], ...]
    rule_hands: tuple[int, ...]
    rule_cost: tuple[int, ...]
    worst: tuple[WorstHand, ...]
    played: Lines
    changed: Lines


def count_concealed(
    classes: HandClasses,
    splits: Splits,
    dealer: SetHands,
    choice: Integers,
    rule: Integers,
    worth: Sequence[Worth],
    *,
    regions: Regions = TIES_TO_DEALER,
    house: Sequence[Sequence[int]] | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> ConcealedCounts:
    """Count the outcomes of optimal play of a player who does not see the dealer's hand.

    Args:
        classes: the classes of the deck's hands.
        splits: their splits.
        dealer: how the dealer sets every class; labels are channels 0, 1, ...
        choice: the number of the split that the player's house way takes, per class.
        rule: the number of the house-way rule that decides, per class, from 0.
        worth: what rounds are worth under each of the player's actions.
        regions: where a split wins, and where it does not lose.
        house: for a player with one action the pairs under the player's house way, if they are
            known: for each channel (win, lose, total). Only hands that may be set otherwise are
            then weighed.
        executor: runs the tasks; threads will do.
        progress: called with the number of finished tasks and of all tasks.

    Raises:
        NotConfigured: the worths do not fit the channels or are too great for exact sums.
        InvariantBroken: the counts do not fit the number of pairs.
    """
    plan = prepare(classes, splits, dealer, choice, rule, worth, regions, house)
    return combine(plan, run_all(partial(run, plan), tasks(plan), executor, progress))


def tasks(plan: Plan, slots_per_task: int = 1_200_000) -> list[tuple[int, int]]:
    """List ranges of classes of about equal work, rank classes and flush classes apart."""
    classes = plan.classes
    size = classes.rank_classes
    counts = unpack_ranks(classes.counts[:size], classes.shape.ranks)
    subsets = 1 << ((counts > 0) & (counts < 4)).sum(axis=1)
    # Flush classes have 16 slots, but take twice the memory: fewer ask the same.
    work = np.full(len(classes.counts), 32)
    work[:size] = subsets * 4
    number = np.cumsum(work) // slots_per_task
    edges = {0, size, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(work)}
    return list(pairwise(sorted(edges)))


def run(plan: Plan, part: tuple[int, int]) -> Tally:
    """Settle every hand of a range of classes: either rank classes or flush classes.

    If the pairs under the house way are known, classes that keep no other split are left out.
    """
    classes, shape = plan.classes, plan.classes.shape
    members = np.arange(*part)
    listed, house = candidates(plan, members)
    row, column = np.nonzero(listed >= 0)
    split = listed[row, column]
    high, low = (
        np.stack(positions(keys, of_splits[members[row], split]))
        for keys, of_splits in ((plan.highs, plan.splits.high), (plan.lows, plan.splits.low))
    )
    back, front = plan.asked.sides.T
    points = (high[back] << LOW_BITS | low[front]).T << (STATE_BITS * shape.ranks)
    code = state_code(classes.counts[members], shape.ranks, highest_first=True)
    queries_of_rows = (points | code[row][:, None]).ravel()
    rank_key, place = np.unique(np.concatenate([queries_of_rows, code]), return_inverse=True)
    rank_value = answers(plan, rank_key, suited=False)
    chosen = promising(plan, rank_value, place, high[0], low[0], row, column, house, members)
    kept = np.bincount(row[chosen], minlength=len(members))
    weighed = kept > int(plan.house is not None)
    chosen &= weighed[row]
    rank_places = place[: len(queries_of_rows)].reshape(points.shape)[chosen].ravel()
    row, column = (np.cumsum(weighed) - 1)[row[chosen]], column[chosen]
    alone = members[~weighed]
    members, listed, house = members[weighed], listed[weighed], house[weighed]
    rows = _rows(plan, members, house, row, column, rank_places)
    rows = rows._replace(rank_total=place[len(queries_of_rows) :][weighed].astype(np.int32))
    suit_value, suit_place = _answer_suits(plan, rows, points[chosen].ravel())
    rows = rows._replace(suit_place=suit_place)
    tally = _tally(plan, len(row))
    settle_rows(
        rows, shape.ranks, shape.back, rank_value, suit_value, plan.weight, plan.asked.terms, tally
    )
    _name_worst(members, listed, rows, row, column, tally)
    return _sum_kinds(plan, members[row], listed[row, column], alone, tally)


def _answer_suits(plan: Plan, rows: Rows, points: Integers) -> tuple[Integers, Places]:
    """Answer the queries of all slots; return the answers, and the place of each slot's answer."""
    shape = plan.classes.shape
    key = np.empty(rows.slot[-1], dtype=np.int64)
    suit_queries(
        rows.counts, rows.others, rows.joker, rows.begin, points, rows.slot,
        shape.ranks, shape.back, key,
    )  # fmt: skip
    key, place = np.unique(key, return_inverse=True)
    totals = np.searchsorted(key, 1 << (STATE_BITS * shape.ranks))
    value = [answers(plan, keys, suited=True) for keys in (key[:totals], key[totals:])]
    return np.concatenate(value), place.astype(np.int32)


def _sum_kinds(
    plan: Plan, classes: Integers, split: Integers, alone: Integers, tally: Tally
) -> Tally:
    """Return the tally with sums by the kinds of splits instead of sums by splits.

    Args:
        plan: the plan.
        classes: for each split of the tally its class.
        split: its number.
        alone: the classes of which every hand is set by the house way.
        tally: sums by splits.
    """
    splits, classes = plan.splits, np.concatenate([classes, alone])
    house = plan.choice[classes]
    split = np.concatenate([split, plan.choice[alone]])
    kinds = KindsOf(
        split=split_kinds(splits.high[classes, split], splits.low[classes, split]),
        house=split_kinds(splits.high[classes, house], splits.low[classes, house]),
    )
    shape = (*tally.played.shape[:2], len(alone))
    played = np.concatenate([tally.played, np.broadcast_to(plan.hands[alone], shape)], axis=2)
    return tally._replace(
        played=sum_played(kinds, played), changed=sum_changed(kinds, tally.changed)
    )


def answers(plan: Plan, query: Integers, *, suited: bool) -> Integers:
    """Answer sorted queries of hands, or of their suits: `(queries, 2 * channels)`."""
    shape, channels = plan.classes.shape, plan.weight.shape[2]
    dealers = plan.suit_dealer if suited else plan.rank_dealer
    tables = plan.suit_tables if suited else plan.rank_tables
    jokers = count_jokers(query, shape, suited=suited)
    points = query >> (STATE_BITS * shape.ranks)
    value = np.empty((len(query), 2 * channels), dtype=np.int64)
    for number, dealer in enumerate(dealers):
        chosen = np.flatnonzero(jokers == number)
        if len(chosen) == 0 or len(dealer.key) == 0:
            value[chosen] = 0
            continue
        asked = keep_asked(dealer, shape, points[chosen])
        value[chosen] = _answers(asked, query[chosen], tables, channels)
    return value


def _answers(dealer: EventList, query: Integers, tables: Steps, channels: int) -> Narrow:
    """Answer sorted queries of hands with the same number of jokers; enlarge buffers as needed."""
    room = 16
    while True:
        dealt = copy_enlarged(dealer, 4 * room)
        query_key = np.empty(room * len(query) + 4096, dtype=np.int64)
        query_key[: len(query)] = query
        value = np.empty((len(query_key), 2 * channels), dtype=np.int32)
        child = np.empty(len(query_key), dtype=np.int32)
        failed = answer_queries(
            *dealt, len(dealer.key), query_key, value, child, len(query), tables
        )
        if not failed:
            return value[: len(query)]
        room *= 2


def _rows(
    plan: Plan,
    members: Integers,
    house: Integers,
    row: Integers,
    column: Integers,
    place: Integers,
) -> Rows:
    """Arrange the frontier splits of the classes and their queries for `settle_rows`."""
    classes = plan.classes
    begin = np.searchsorted(row, np.arange(len(members) + 1))
    jokers = classes.joker[members]
    others = np.where(members < classes.rank_classes, -1, classes.others[members])
    queries = len(plan.asked.terms)
    counts = classes.counts[members]
    position = np.zeros(len(members), dtype=np.int64)
    is_house = np.flatnonzero(column == house[row])
    position[row[is_house]] = is_house - begin[row[is_house]]
    return Rows(
        counts=counts,
        others=others,
        joker=jokers.astype(np.int64),
        ways=np.array([comb(classes.shape.joker, number) for number in jokers.tolist()]),
        begin=begin * queries,
        slot=slots(counts, others, begin * queries, classes.shape.ranks),
        house=position,
        rule=plan.rule[members],
        queries=queries,
        rank_place=place.astype(np.int32),
        rank_total=np.zeros(0, dtype=np.int32),
        suit_place=np.zeros(0, dtype=np.int32),
    )


def _tally(plan: Plan, splits: int) -> Tally:
    rules = int(plan.rule.max()) + 1
    return Tally(
        outcome=np.zeros((2, len(plan.weight), plan.weight.shape[2], 3), dtype=np.int64),
        rule_hands=np.zeros(rules, dtype=np.int64),
        rule_cost=np.zeros(rules, dtype=np.int64),
        worst_cost=np.zeros(WORST, dtype=np.int64),
        worst_hand=np.zeros((WORST, 7), dtype=np.int64),
        played=np.zeros((2, len(plan.weight), splits), dtype=np.int64),
        changed=np.zeros((2, splits), dtype=np.int64),
    )


def _name_worst(
    members: Integers,
    listed: Integers,
    rows: Rows,
    row: Integers,
    column: Integers,
    tally: Tally,
) -> None:
    """Replace rows and split positions of the worst hands by classes and splits of the deck."""
    queries = len(rows.rank_place) // max(len(row), 1)
    for at in np.flatnonzero(tally.worst_cost):
        local, best, house = tally.worst_hand[at, :3]
        for place, split in ((1, best), (2, house)):
            entry = rows.begin[local] // queries + split
            tally.worst_hand[at, place] = listed[row[entry], column[entry]]
        tally.worst_hand[at, 0] = members[local]


def combine(plan: Plan, tallies: Sequence[Tally]) -> ConcealedCounts:
    """Add up the tallies of all tasks.

    Raises:
        InvariantBroken: the pairs do not sum to all ordered pairs of disjoint hands.
    """
    outcome = sum((tally.outcome.astype(object) for tally in tallies), start=np.array(0))
    if plan.house is not None:
        of_all = np.array([plan.house], dtype=object)
        outcome = np.stack([of_all + outcome[OPTIMAL] - outcome[HOUSE], of_all])
    if any(outcome[way, :, :, 2].sum() != plan.pairs for way in range(2)):
        raise InvariantBroken("Counts of concealed play do not sum to the number of pairs.")
    optimal, house = (
        tuple(tuple((int(w), int(n), int(t)) for w, n, t in action) for action in way)
        for way in outcome
    )
    worst = [
        (int(cost), tuple(int(n) for n in hand))
        for tally in tallies
        for cost, hand in zip(tally.worst_cost, tally.worst_hand, strict=True)
        if cost
    ]
    worst.sort(key=lambda item: (-item[0], item[1]))
    return ConcealedCounts(
        optimal=optimal,
        house=house,
        rule_hands=_sums([tally.rule_hands for tally in tallies]),
        rule_cost=_sums([tally.rule_cost for tally in tallies]),
        worst=tuple(_worst_hand(plan, cost, hand) for cost, hand in worst[:WORST]),
        played=add_lines((tally.played.tolist() for tally in tallies), 3),
        changed=add_lines((tally.changed.tolist() for tally in tallies), 2),
    )


def _sums(parts: Sequence[Integers]) -> tuple[int, ...]:
    return tuple(sum(int(n) for n in column) for column in zip(*parts, strict=True))


def _worst_hand(plan: Plan, cost: int, hand: tuple[int, ...]) -> WorstHand:
    """Show the cards of a hand from its class and its suits' subsets, and both splits' keys."""
    classes, (row, best, house), subsets = plan.classes, hand[:3], hand[3:]
    ranks = classes.shape.ranks
    flush = row >= classes.rank_classes
    packed = int(classes.others[row] if flush else classes.counts[row])
    counts = [(packed >> (COUNT_BITS * rank)) & 15 for rank in range(ranks)]
    free = [rank for rank in range(ranks) if 0 < counts[rank] < 4]
    cards = [4 * ranks] * int(classes.joker[row])
    for suit, subset in enumerate(subsets):
        if flush and suit == 0:
            ranks_of_suit = [rank for rank in range(ranks) if (int(classes.flush[row]) >> rank) & 1]
        else:
            ranks_of_suit = [rank for j, rank in enumerate(free) if (subset >> j) & 1]
            ranks_of_suit += [rank for rank in range(ranks) if counts[rank] == 4]
        cards += [4 * rank + suit for rank in ranks_of_suit]
    keys = [(int(plan.splits.high[row, s]), int(plan.splits.low[row, s])) for s in (best, house)]
    return WorstHand(cost, tuple(sorted(cards, reverse=True)), keys[0], keys[1])
