"""Exact outcome counts over all ordered pairs of disjoint hands, dealer against player.

With k(X) what a hand's class says of it, k0(X) what its rank class says, and the difference
Delta(X) = k(X) - k0(X), which is nothing unless X is a flush, the sum over disjoint pairs of any
g(k(X), k(Y)) that is linear in both splits into three parts:

A: over all X and Y of g(k0(X), k(Y)), the dealer's hands counted rank by rank;
B: over flushes X and all Y of g(Delta(X), k0(Y)), the player's hands counted rank by rank;
C: over flushes X and Y of g(Delta(X), Delta(Y)), both in the same suit (4 ways) or in two (12).

Each part is a sum over two lists of events (see `dominance`) for each branch of the jokers, cut by
its first step, a large one by its second too, into tasks that do not depend on one another. `tasks`
lists them, `run` counts one, `combine` adds up: any executor may do the middle.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken
from certify.kernels.boxes import Lists, dealer_lists, player_lists
from certify.kernels.class_arrays import HandClasses
from certify.kernels.dominance import allocate_scratch, sum_pairs
from certify.kernels.event_lists import (
    KINDS,
    EventList,
    Small,
    allocate,
    count_jokers,
    take_branch,
)
from certify.kernels.events import (
    Queries,
    SetHands,
    dealer_keys,
)
from certify.kernels.features import LABELS, Shape
from certify.kernels.inclusion_exclusion import (
    STATES,
    Steps,
    count_dealer_ways,
    count_joint_ways,
    count_player_ways,
    counted_branches,
    fixed_branches,
    jokers,
    other_suit,
    same_suit,
    steps,
)
from certify.model.encoding import Progress

Integers = npt.NDArray[np.int64]
T = TypeVar("T")
R = TypeVar("R")

MODULUS: Final = 1 << 64
MOST: Final = 1 << 20
"""The most events of a task with one step taken; a task takes some 40 bytes for each event."""


class Counts(NamedTuple):
    """Ordered pairs of disjoint hands by the dealer's label; pushes are the rest of `total`."""

    total: tuple[int, ...]
    win: tuple[int, ...]
    lose: tuple[int, ...]


class Side(NamedTuple):
    """One side's list of a part, with its factors in a branch of the jokers and of the first steps.

    Attributes:
        events: the whole list.
        jokers: the number of jokers in the hand of each event.
        of_jokers: the factor of every number of jokers, 0 for none.
        of_states: the factor of every state of the first steps together, 0 for none.
    """

    events: EventList
    jokers: Small
    of_jokers: Integers
    of_states: Integers


class Task(NamedTuple):
    """One branch of the jokers and of the first steps of one part: two lists and how they overlap.

    ``labels``: a power of two; ``taken``: the number of first steps, 1 or 2.
    """

    dealer: Side
    player: Side
    tables: Steps
    factor: int
    labels: int
    taken: int = 1


def count_pairs(
    classes: HandClasses,
    dealer: SetHands,
    points: Queries,
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
    work = tasks(classes, dealer, points, executor)
    del points  # the lists hold what they ask, and memory is most wanted from here on
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


def tasks(
    classes: HandClasses, dealer: SetHands, points: Queries, executor: Executor | None = None
) -> list[Task]:
    """List the independent tasks of a count."""
    lists = dealer_lists(classes, dealer_keys(dealer, classes.shape.ranks))
    return list_tasks(lists, player_lists(classes, points, lists, executor), classes.shape)


def list_tasks(dealer: Lists, player: Lists, shape: Shape, labels: int = LABELS) -> list[Task]:
    """List the independent tasks of a count by the lists of its parts.

    A task takes as much memory as it has events. In their order, one processor takes them from
    the largest down, and another, twice as fast, from the smallest up: so large ones seldom meet.
    """
    branches = []
    for part, ways, ranks in (
        (0, count_dealer_ways, [(counted_branches(), 1)]),
        (1, count_player_ways, [(fixed_branches(), 1)]),
        (2, count_joint_ways, [(same_suit(), 4), (other_suit(), 12)]),
    ):
        lists = [
            (events, count_jokers(events.key, shape, suited=part == 2))
            for events in (dealer[part], player[part])
        ]
        joker_factors = list(zip(*jokers(shape.joker, ways), strict=True))
        for rank, factor in ranks:
            table = steps(rank, shape.ranks)
            sides = [
                _list_sides(events, jokers_of_events, by_jokers, by_states)
                for (events, jokers_of_events), by_jokers, by_states in zip(
                    lists, joker_factors, _factors(table, 0), strict=True
                )
            ]
            branches += _join_sides(sides, table, factor, labels)
    branches = [each for branch in branches for each in _cut(*branch)]
    branches.sort(key=lambda branch: branch[0])
    waiting = deque(branches)
    listed, ahead = [], 0
    while waiting:
        size, task = waiting.pop() if ahead <= 0 else waiting.popleft()
        ahead += 2 * size if ahead <= 0 else -size
        listed.append(task)
    return listed


def _list_sides(
    events: EventList,
    jokers: Small,
    by_jokers: Iterable[Sequence[int] | Integers],
    by_states: Integers,
) -> list[tuple[int, Side]]:
    """Return one side of every branch, with the number of its events.

    Args:
        events: the list of the part.
        jokers: the number of jokers in the hand of each event.
        by_jokers: in every branch of the jokers, the factor of every number.
        by_states: `(branches, states)`, the factors of the first steps.
    """
    states = by_states.shape[1]
    place = events.key & (states - 1)
    place += states * jokers.astype(np.int64)
    sizes = np.bincount(place, minlength=states * STATES).reshape(STATES, states)
    return [
        (
            int((np.array(of_jokers) != 0) @ sizes @ (of_states != 0)),
            Side(events, jokers, np.array(of_jokers, dtype=np.int64), of_states),
        )
        for of_jokers in by_jokers
        for of_states in by_states
    ]


def _join_sides(
    sides: Sequence[list[tuple[int, Side]]], tables: Steps, factor: int, labels: int, taken: int = 1
) -> list[tuple[int, Task]]:
    """Return one task, with the number of its events, for every branch that both sides have."""
    return [
        (left + right, Task(dealer, player, tables, factor, labels, taken))
        for (left, dealer), (right, player) in zip(*sides, strict=True)
        if left and right
    ]


def _cut(size: int, task: Task) -> list[tuple[int, Task]]:
    """Cut a task by its second step too if it has many events."""
    if size <= MOST or len(task.tables.kind) <= 2:  # the last step is left to `sweep`
        return [(size, task)]
    sides = []
    for side, second in zip((task.dealer, task.player), _factors(task.tables, 1), strict=True):
        both = np.stack([np.outer(factors, side.of_states).ravel() for factors in second])
        sides.append(_list_sides(side.events, side.jokers, [side.of_jokers], both))
    return _join_sides(sides, task.tables, task.factor, task.labels, taken=2)


def _factors(tables: Steps, step: int) -> list[Integers]:
    """Return the dealer's and the player's factors of a step, `(branches, states)` each."""
    kind = tables.kind[step]
    listed = []
    for offsets, branch, factor in (
        (tables.first, tables.first_branch, tables.first_factor),
        (tables.second, tables.second_branch, tables.second_factor),
    ):
        bits = tables.places[step + 1] - tables.places[step]
        begin = offsets[kind, : (1 << bits) + 1].astype(np.intp)
        factors = np.zeros((tables.branches[kind], len(begin) - 1), dtype=np.int64)
        entries = slice(begin[0], begin[-1])
        states = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
        factors[branch[entries].astype(np.intp), states] = factor[entries]
        listed.append(factors)
    return listed


def run(task: Task) -> Integers:
    """Count one task: sums by label and kind, modulo 2^64."""
    room = 5  # the first branches' descendants need four times the list
    while True:
        result = np.zeros((task.labels, KINDS), dtype=np.int64)
        dealer_key, dealer_weight, dealt = _take(task.dealer, room)
        player_key, player_weight, states = _take(task.player, room)
        failed = sum_pairs(
            dealer_key, dealer_weight, dealt,
            player_key, player_weight, states,
            task.tables, task.taken, allocate_scratch(task.tables),
            (task.labels - 1).bit_length(), result,
        )  # fmt: skip
        if not failed:
            return result
        room *= 2


def _take(side: Side, room: int) -> tuple[Integers, Integers, int]:
    """Return the keys and weights of a branch's events, with room after them, and their number."""
    key, weight = allocate(side.events, room)
    size = take_branch(*side.events, side.jokers, side.of_jokers, side.of_states, key, weight)
    return key, weight, size


def combine(work: Sequence[Task], results: Sequence[Integers]) -> Counts:
    """Add up the results of all tasks.

    Raises:
        InvariantBroken: a number of pairs is out of its bounds.
    """
    return exact_counts(add_results(work, results))


def add_results(work: Sequence[Task], results: Sequence[Integers]) -> list[list[int]]:
    """Add up the results of all tasks: sums by label and kind, modulo 2^64."""
    sums = [[0] * KINDS for _ in range(max((task.labels for task in work), default=LABELS))]
    for task, result in zip(work, results, strict=True):
        for label, row in enumerate(result.tolist()):
            sums[label] = [a + task.factor * b for a, b in zip(sums[label], row, strict=True)]
    return sums


def exact_counts(sums: Sequence[Sequence[int]]) -> Counts:
    """Turn sums by label and kind, modulo 2^64, into counts.

    Raises:
        InvariantBroken: a number of pairs is out of its bounds.
    """
    exact = [[value % MODULUS for value in row] for row in sums]
    if any(won + lost > total for total, lost, won in exact):
        raise InvariantBroken("Counts of two hands do not fit the number of pairs.")
    return build_counts(exact)


def build_counts(exact: Sequence[Sequence[int]]) -> Counts:
    """Return sums by label, of the kinds `ALL`, `LOST` and `WON` in turn, as counts."""
    total, lost, won = zip(*exact, strict=True)
    return Counts(total=total, win=won, lose=lost)
