"""Exact outcome counts over all ordered pairs of disjoint hands, dealer against player.

With k(X) what a hand's class says of it, k0(X) what its rank class says, and the difference
Delta(X) = k(X) - k0(X), which is nothing unless X is a flush, the sum over disjoint pairs of any
g(k(X), k(Y)) that is linear in both splits into three parts:

A: over all X and Y of g(k0(X), k(Y)), the dealer's hands counted rank by rank;
B: over flushes X and all Y of g(Delta(X), k0(Y)), the player's hands counted rank by rank;
C: over flushes X and Y of g(Delta(X), Delta(Y)), both in the same suit (4 ways) or in two (12).

Each part is a sum over two lists of events (see `dominance`), cut by its first step into tasks that
do not depend on one another. `tasks` lists them, `run` counts one, `combine` adds up: any executor
may do the middle.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken
from certify.kernels.classes import HandClasses
from certify.kernels.dominance import KINDS, LABELS, split, sum_pairs
from certify.kernels.events import (
    EventList,
    Points,
    SetHands,
    dealer_keys,
    merged,
    player_keys,
    rank_code,
    suit_code,
)
from certify.kernels.overlap import Steps, counted, fixed, other_suit, same_suit, steps

Integers = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]
T = TypeVar("T")
R = TypeVar("R")

MODULUS = 1 << 64


class Counts(NamedTuple):
    """Ordered pairs of disjoint hands by the dealer's label; a push is what is left of `total`."""

    total: tuple[int, ...]
    win: tuple[int, ...]
    lose: tuple[int, ...]


class Task(NamedTuple):
    """One branch of the first step of one part: two lists of events and how they overlap."""

    dealer: EventList
    player: EventList
    tables: Steps
    begin: int
    factor: int


def count_pairs(
    classes: HandClasses,
    dealer: SetHands,
    points: Points,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Counts:
    """Count the outcomes of all ordered pairs of disjoint hands, for every label of the dealer.

    Args:
        classes: the classes of the deck's hands.
        dealer: how the dealer sets every class, with labels.
        points: what the player's classes ask of the dealer's keys (see `events`).
        executor: runs the tasks; threads will do, as compiled kernels hold no lock.
        progress: called with the number of finished tasks and of all tasks.

    Raises:
        InvariantBroken: the counts do not fit the number of pairs.
    """
    work = tasks(classes, dealer, points)
    results = run_all(run, work, executor, progress)
    return combine(work, results)


def run_all(
    function: Callable[[T], R],
    work: Sequence[T],
    executor: Executor | None,
    progress: Progress | None,
) -> list[R]:
    """Run every task, in this thread or by an executor, and report progress."""
    results: Iterable[R] = map(function, work) if executor is None else executor.map(function, work)
    finished = []
    for number, result in enumerate(results, start=1):
        finished.append(result)
        if progress is not None:
            progress(number, len(work))
    return finished


def tasks(classes: HandClasses, dealer: SetHands, points: Points) -> list[Task]:
    """List the independent tasks of a count, the largest first."""
    ranks = classes.shape.ranks
    lists = event_lists(classes, dealer, points)
    a_dealer, a_player, b_dealer, b_player, c_dealer, c_player = lists
    found = [
        *_branches(a_dealer, a_player, steps(counted(), ranks), 1),
        *_branches(b_dealer, b_player, steps(fixed(), ranks), 1),
        *_branches(c_dealer, c_player, steps(same_suit(), ranks), 4),
        *_branches(c_dealer, c_player, steps(other_suit(), ranks), 12),
    ]
    return sorted(found, key=lambda task: -len(task.player.key) - len(task.dealer.key))


def event_lists(classes: HandClasses, dealer: SetHands, points: Points) -> list[EventList]:
    """Build the lists of the parts A, B and C, in turn the dealer's and the player's."""
    size = classes.rank_classes
    ranks = classes.shape.ranks
    rank, suit = rank_code(classes), suit_code(classes)
    home = classes.rank_class[size:]
    hands = classes.hands[size:]
    above = dealer_keys(dealer, ranks)
    one = np.ones(size, dtype=np.int64)
    flushes = np.ones(len(hands), dtype=np.int64)

    asked = player_keys(points, ranks)
    flush = points.row >= size
    plain_row = points.row[~flush]
    plain_asked, plain_sign = asked[~flush], points.sign[~flush]
    own_row, own_asked, own_sign = points.row[flush], asked[flush], points.sign[flush]
    # Each flush class also takes back what its rank class asks: repeat those queries per flush.
    order = np.argsort(plain_row, kind="stable")
    begin = np.searchsorted(plain_row[order], home)
    length = np.searchsorted(plain_row[order], home, side="right") - begin
    member = np.repeat(np.arange(len(home)), length)
    offset = np.arange(len(member)) - np.repeat(np.cumsum(length) - length, length)
    back = order[begin[member] + offset]
    return [
        merged(above[:size] | rank[:size], one),
        merged(asked | rank[points.row], points.sign * classes.plain[points.row]),
        merged(
            np.concatenate([above[size:] | rank[size:], above[home] | rank[home]]),
            np.concatenate([hands, -hands]),
        ),
        merged(plain_asked | rank[plain_row], plain_sign),
        merged(
            np.concatenate([above[size:] | suit, above[home] | suit]),
            np.concatenate([flushes, -flushes]),
        ),
        merged(
            np.concatenate([own_asked | suit[own_row - size], plain_asked[back] | suit[member]]),
            np.concatenate([own_sign, -plain_sign[back]]),
        ),
    ]


def _branches(dealer: EventList, player: EventList, tables: Steps, factor: int) -> list[Task]:
    """Take the first step of a part and return one task for every branch that is left."""
    kind = tables.kind[0]
    entries = (
        (dealer, tables.first[kind], tables.first_branch, tables.first_factor),
        (player, tables.second[kind], tables.second_branch, tables.second_factor),
    )
    allowed = np.ones(tables.branches, dtype=np.int64)
    sides = [_first_step(*entry, tables, allowed) for entry in entries]
    return [
        Task(dealer=left, player=right, tables=tables, begin=1, factor=factor)
        for left, right in zip(*sides, strict=True)
        if len(left.key) and len(right.key)
    ]


def _first_step(
    events: EventList,
    offsets: Integers,
    branch: Integers,
    value: Integers,
    tables: Steps,
    allowed: Integers,
) -> list[EventList]:
    """Split one list into the branches of the first step."""
    size, bits = len(events.key), int(tables.bits[0])
    room = 8
    while True:
        key, weight = _with_room(events, room)
        start, end = np.zeros_like(allowed), np.zeros_like(allowed)
        top = split(
            key, weight, 0, size, 0, bits, offsets, branch, value, allowed, start, end, size
        )
        if top >= 0:
            break
        room *= 2
    return [
        EventList(key=key[a:b].copy(), weight=weight[a:b].copy())
        for a, b in zip(start, end, strict=True)
    ]


def run(task: Task) -> Integers:
    """Count one task: sums by label and kind, modulo 2^64."""
    room = 16
    while True:
        result = np.zeros((LABELS, KINDS), dtype=np.int64)
        lists = [_with_room(events, room) for events in (task.dealer, task.player)]
        (dealer_key, dealer_weight), (player_key, player_weight) = lists
        failed = sum_pairs(
            dealer_key, dealer_weight, len(task.dealer.key),
            player_key, player_weight, len(task.player.key),
            task.begin, task.tables, result,
        )  # fmt: skip
        if not failed:
            return result
        room *= 2


def _with_room(events: EventList, room: int) -> tuple[Integers, Integers]:
    """Copy a list to the beginning of arrays that are `room` times as long, and a little more."""
    size = len(events.key)
    key = np.empty(room * size + 1024, dtype=np.int64)
    weight = np.empty_like(key)
    key[:size], weight[:size] = events.key, events.weight
    return key, weight


def combine(work: Sequence[Task], results: Sequence[Integers]) -> Counts:
    """Add up the results of all tasks.

    Raises:
        InvariantBroken: a number of pairs is out of its bounds.
    """
    sums = [[0] * KINDS for _ in range(LABELS)]
    for task, result in zip(work, results, strict=True):
        for label in range(LABELS):
            for kind in range(KINDS):
                sums[label][kind] += task.factor * int(result[label, kind])
    return exact_counts(sums)


def exact_counts(sums: Sequence[Sequence[int]]) -> Counts:
    """Turn sums by label and kind, modulo 2^64, into counts.

    Raises:
        InvariantBroken: a number of pairs is out of its bounds.
    """
    exact = [[value % MODULUS for value in row] for row in sums]
    if any(not 0 <= lost <= missed <= total for total, missed, lost in exact):
        raise InvariantBroken("Counts of two hands do not fit the number of pairs.")
    return Counts(
        total=tuple(total for total, _, _ in exact),
        win=tuple(total - missed for total, missed, _ in exact),
        lose=tuple(lost for _, _, lost in exact),
    )
