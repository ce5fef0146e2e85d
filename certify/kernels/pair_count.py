"""Exact outcome counts over all ordered pairs of disjoint hands, dealer against player.

With k(X) what a hand's class says of it, k0(X) what its rank class says, and the difference
Delta(X) = k(X) - k0(X), which is nothing unless X is a flush, the sum over disjoint pairs of any
g(k(X), k(Y)) that is linear in both splits into three parts:

A: over all X and Y of g(k0(X), k(Y)), the dealer's hands counted rank by rank;
B: over flushes X and all Y of g(Delta(X), k0(Y)), the player's hands counted rank by rank;
C: over flushes X and Y of g(Delta(X), Delta(Y)), both in the same suit (4 ways) or in two (12).

Each part is a sum over two lists of events (see `dominance`) for each branch of the jokers, cut by
its first step into tasks that do not depend on one another. `tasks` lists them, `run` counts one,
`combine` adds up: any executor may do the middle.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from threading import Lock
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken
from certify.kernels.class_arrays import HandClasses
from certify.kernels.dominance import sum_pairs
from certify.kernels.event_lists import (
    KINDS,
    LABELS,
    EventList,
    allocate,
    count_jokers,
    take_branch,
    times,
)
from certify.kernels.events import (
    Queries,
    SetHands,
    dealer_keys,
)
from certify.kernels.features import Shape
from certify.kernels.inclusion_exclusion import (
    Branch,
    Places,
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
from certify.kernels.part_lists import Lists, dealer_lists, player_lists
from certify.model.encoding import Progress

Integers = npt.NDArray[np.int64]
T = TypeVar("T")
R = TypeVar("R")

MODULUS: Final = 1 << 64
LARGEST: Final = Lock()
"""Held by each of the two largest tasks: side by side they would take the most memory."""


class Counts(NamedTuple):
    """Ordered pairs of disjoint hands by the dealer's label; pushes are the rest of `total`."""

    total: tuple[int, ...]
    win: tuple[int, ...]
    lose: tuple[int, ...]


class Task(NamedTuple):
    """One branch of the first step of one part: two lists of events and how they overlap.

    The lists are the part's in a branch of the jokers, the factors those of every state of the
    first step in it. ``labels``: a power of two; ``largest``: set for a count's two largest tasks.
    """

    dealer: EventList
    player: EventList
    tables: Steps
    dealer_factor: Integers
    player_factor: Integers
    factor: int
    labels: int
    largest: bool = False


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
    the largest down, and another, twice as fast, from the smallest up: so the two largest, which
    must not meet, seldom wait for each other.
    """
    branches = []
    for part, ways, ranks in (
        (0, count_dealer_ways, [(counted_branches(), 1)]),
        (1, count_player_ways, [(fixed_branches(), 1)]),
        (2, count_joint_ways, [(same_suit(), 4), (other_suit(), 12)]),
    ):
        tables = [(steps(rank, shape.ranks), factor) for rank, factor in ranks]
        of = jokers(shape.joker, ways)
        for dealt, asked in _branch_lists(dealer[part], player[part], of, shape, suited=part == 2):
            for table, factor in tables:
                branches += _branches(dealt, asked, table, factor, labels)
    branches.sort(key=lambda branch: branch[0])
    branches[-2:] = [(size, task._replace(largest=True)) for size, task in branches[-2:]]
    waiting = deque(branches)
    listed, ahead = [], 0
    while waiting:
        size, task = waiting.pop() if ahead <= 0 else waiting.popleft()
        ahead += 2 * size if ahead <= 0 else -size
        listed.append(task)
    return listed


def _branch_lists(
    dealer: EventList, player: EventList, branches: list[Branch], shape: Shape, *, suited: bool
) -> Iterator[tuple[EventList, EventList]]:
    """Yield two lists of a part as they are in every branch of the jokers."""
    sides = [(each, count_jokers(each.key, shape, suited=suited)) for each in (dealer, player)]
    for factors in branches:
        dealt, asked = (
            times(events, np.array(factor, dtype=np.int8)[held])
            for (events, held), factor in zip(sides, factors, strict=True)
        )
        yield dealt, asked


def _branches(
    dealer: EventList, player: EventList, tables: Steps, factor: int, labels: int
) -> list[tuple[int, Task]]:
    """Return one task, with the number of its events, for every branch of the first step."""
    sides = (
        _factors(tables.first, tables.first_branch, tables.first_factor, tables),
        _factors(tables.second, tables.second_branch, tables.second_factor, tables),
    )
    sizes = [
        (side != 0) @ np.bincount(events.key & (side.shape[1] - 1), minlength=side.shape[1])
        for side, events in zip(sides, (dealer, player), strict=True)
    ]
    return [
        (left + right, Task(dealer, player, tables, mine, theirs, factor, labels))
        for left, right, mine, theirs in zip(*sizes, *sides, strict=True)
        if left and right
    ]


def _factors(offsets: Places, branch: Places, factor: Integers, tables: Steps) -> Integers:
    """Return the factors of the first step, `(branches, states)`."""
    kind = tables.kind[0]
    begin = offsets[kind].astype(np.intp)
    factors = np.zeros((tables.branches[kind], 1 << tables.bits[0]), dtype=np.int64)
    entries = slice(begin[0], begin[-1])
    states = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
    factors[branch[entries].astype(np.intp), states] = factor[entries]
    return factors


def run(task: Task) -> Integers:
    """Count one task: sums by label and kind, modulo 2^64."""
    with LARGEST if task.largest else nullcontext():
        return _run(task)


def _run(task: Task) -> Integers:
    room = 5  # the first branches' descendants need four times the list
    while True:
        result = np.zeros((task.labels, KINDS), dtype=np.int64)
        dealer_key, dealer_weight = allocate(task.dealer, room)
        player_key, player_weight = allocate(task.player, room)
        failed = sum_pairs(
            dealer_key, dealer_weight,
            take_branch(*task.dealer, task.dealer_factor, dealer_key, dealer_weight),
            player_key, player_weight,
            take_branch(*task.player, task.player_factor, player_key, player_weight),
            task.tables, result,
        )  # fmt: skip
        if not failed:
            return result
        room *= 2


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
    return to_counts(exact)


def to_counts(exact: Sequence[Sequence[int]]) -> Counts:
    """Return sums by label, of the kinds `ALL`, `LOST` and `WON` in turn, as counts."""
    total, lost, won = zip(*exact, strict=True)
    return Counts(total=total, win=won, lose=lost)
