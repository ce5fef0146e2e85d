"""Changes of two-hand counts caused by other splits of some hands.

With the dealer's and the player's hands set as (D, P) or as (D', P'), the counts are linear in
both:

    g(D', P') - g(D, P) = g(D' - D, P') + g(D, P' - P).

A difference of splits is a short list: it holds only the classes that are set or labeled
otherwise, once as they are with weight 1 and once as they were with weight -1. If the player
chooses a split after seeing the dealer's, P holds all splits; then P' is P, and the second sum is
zero, unless another rank of the straight A-2-3-4-5 changes the keys of some splits.

Several changes of the dealer against one P are counted in one sum: the hands of each change have
their own labels.

If both sides differ, the interaction of both changes is g(D' - D, P' - P), a sum over two short
lists. With it, all pairs of a dealer's and a player's house way follow from few long counts.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from certify.kernels.boxes import Lists, list_flush_corrections, player_lists
from certify.kernels.class_arrays import HandClasses, Splits
from certify.kernels.event_lists import KINDS, merge_events
from certify.kernels.events import (
    TIES_TO_DEALER,
    Queries,
    Regions,
    SetHands,
    count_free_bits,
    dealer_keys,
    fixed_points,
    order_queries,
    rank_code,
    staircase_points,
    suit_code,
)
from certify.kernels.features import LABEL_BITS, LABELS
from certify.kernels.pair_count import (
    MODULUS,
    Counts,
    Task,
    add_results,
    build_counts,
    list_tasks,
    run,
    run_all,
    tasks,
)
from certify.model.encoding import Progress

Integers = npt.NDArray[np.int64]

HALF = MODULUS // 2


class Change(NamedTuple):
    """One side's hands, all classes: how they were set and labeled, and how they are."""

    before: SetHands
    after: SetHands


class SplitsChange(NamedTuple):
    """All splits of all classes, as they were ranked and as they are; both on one scale of keys."""

    before: Splits
    after: Splits


class Changed(NamedTuple):
    """The classes that are set or labeled otherwise, as they are and as they were."""

    rows: Integers
    are: SetHands
    were: SetHands

    @property
    def both(self) -> SetHands:
        """As they are, then as they were."""
        return _join([self.are, self.were])


def count_changes(
    classes: HandClasses,
    dealer: Change,
    player: Change | SplitsChange,
    *,
    regions: Regions = TIES_TO_DEALER,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Counts:
    """Count the differences between the settings of both sides before and after.

    Args:
        classes: the classes of the deck's hands.
        dealer: how the dealer sets every class.
        player: how the player does; or the splits that a player chooses from after seeing the
            dealer's set hand.
        regions: where a split wins, and where it does not lose.
        executor: runs the tasks.
        progress: called with the number of finished tasks and of all tasks.

    Returns:
        Ordered pairs of disjoint hands by the dealer's label, more (positive) or fewer (negative).
    """
    changed = find_changes(dealer)
    if isinstance(player, Change):
        points = fixed_points(player.after, changed.both, regions)
        more = _player_points(dealer.before, find_changes(player), regions)
    else:
        points = staircase_points(player.after, changed.both, regions)
        more = _splits_points(dealer.before, player, regions)
    work = _dealer_tasks(classes, changed.rows, changed.both, points, executor)
    if len(more.row):
        work += tasks(classes, dealer.before, more, executor)
    return _build_changes(add_results(work, run_all(run, work, executor, progress)))


def count_dealer_changes(
    classes: HandClasses,
    changes: Sequence[Changed],
    player: Splits,
    *,
    regions: Regions = TIES_TO_DEALER,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Counts]:
    """Count several changes of the dealer's hands, the player choosing from all splits.

    One pass over the player's queries counts as many changes as the keys of events can label. See
    `count_changes` for the other arguments; the results are in the order of ``changes``.
    """
    rows = np.concatenate([change.rows for change in changes])
    both = _join([_number(change.are, at) for at, change in enumerate(changes)])
    both = _join([both, *(_number(change.were, at) for at, change in enumerate(changes))])
    used, label = np.unique(both.label, return_inverse=True)
    label_bits = max((len(used) - 1).bit_length(), LABEL_BITS)
    if len(changes) > 1 and label_bits > count_free_bits(both, classes.shape.ranks):
        half = len(changes) // 2
        return [
            counts
            for part in (changes[:half], changes[half:])
            for counts in count_dealer_changes(
                classes, part, player, regions=regions, executor=executor, progress=progress
            )
        ]
    points = staircase_points(player, both, regions)
    dealt = replace(both, label=label)
    work = _dealer_tasks(classes, rows, dealt, points, executor, label_bits)
    sums = add_results(work, run_all(run, work, executor, progress))
    of_label = dict(zip(used.tolist(), sums, strict=False))
    return [
        _build_changes([of_label.get(LABELS * at + each, [0] * KINDS) for each in range(LABELS)])
        for at in range(len(changes))
    ]


def count_crossed(
    classes: HandClasses,
    dealer: Change,
    player: Change,
    *,
    regions: Regions = TIES_TO_DEALER,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Counts:
    """Count g(D' - D, P' - P), the interaction of both changes.

    See `count_changes` for the arguments and for the result.
    """
    changed = find_changes(dealer)
    points = _player_points(changed.both, find_changes(player), regions)
    work = _dealer_tasks(classes, changed.rows, changed.both, points, executor)
    return _build_changes(add_results(work, run_all(run, work, executor, progress)))


def find_changes(side: Change) -> Changed:
    """Return the classes that are set or labeled otherwise."""
    before, after = side
    rows = np.flatnonzero(
        (before.high != after.high) | (before.low != after.low) | (before.label != after.label)
    )
    return Changed(rows, _take_rows(after, rows), _take_rows(before, rows))


def _number(hands: SetHands, number: int) -> SetHands:
    """Return the hands with labels that no other change in the sum uses."""
    return replace(hands, label=hands.label + LABELS * number)


def _join(parts: Sequence[SetHands]) -> SetHands:
    return SetHands(
        high=np.concatenate([hands.high for hands in parts]),
        low=np.concatenate([hands.low for hands in parts]),
        label=np.concatenate([hands.label for hands in parts]),
    )


def _dealer_tasks(
    classes: HandClasses,
    rows: Integers,
    both: SetHands,
    points: Queries,
    executor: Executor | None,
    label_bits: int = LABEL_BITS,
) -> list[Task]:
    """List the tasks that apply a dealer's changes to the queries of these points.

    ``both`` are the hands of the rows as they are, then as they were.
    """
    keys = dealer_keys(both, classes.shape.ranks, label_bits)
    dealer = _dealer_lists(classes, np.concatenate([rows, rows]), keys)
    player = player_lists(classes, points, dealer, executor, label_bits)
    return list_tasks(dealer, player, classes.shape, 1 << label_bits)


def _take_rows(hands: SetHands, rows: Integers) -> SetHands:
    return SetHands(high=hands.high[rows], low=hands.low[rows], label=hands.label[rows])


def _dealer_lists(classes: HandClasses, row: Integers, above: Integers) -> Lists:
    """Build the lists of a dealer whose first half of entries is added and the second taken."""
    size, rank, suit = classes.rank_classes, rank_code(classes), suit_code(classes)
    sign = np.repeat(np.array([1, -1], dtype=np.int32), len(row) // 2)
    hands = classes.hands[size:].astype(np.int32)
    plain, flush_places = np.flatnonzero(row < size), np.flatnonzero(row >= size)
    back, member = list_flush_corrections(classes, row)
    flush = row[flush_places] - size
    return Lists(
        ranks=merge_events(above[plain] | rank[row[plain]], sign[plain]),
        flush=merge_events(
            np.concatenate(
                [above[flush_places] | rank[row[flush_places]], above[back] | rank[row[back]]]
            ),
            np.concatenate([sign[flush_places] * hands[flush], -sign[back] * hands[member]]),
        ),
        flushes=merge_events(
            np.concatenate([above[flush_places] | suit[flush], above[back] | suit[member]]),
            np.concatenate([sign[flush_places], -sign[back]]),
        ),
    )


def _player_points(dealer: SetHands, changed: Changed, regions: Regions) -> Queries:
    """Build the queries of a player's changed classes, minus their earlier queries."""
    now, then = (fixed_points(hands, dealer, regions) for hands in (changed.are, changed.were))
    return _subtract_points(now, then, changed.rows)


def _splits_points(dealer: SetHands, player: SplitsChange, regions: Regions) -> Queries:
    """Build the queries of the classes with other keys of splits, minus their earlier queries."""
    before, after = player
    rows = np.flatnonzero((before.high != after.high).any(axis=1))
    now, then = (staircase_points(splits, dealer, regions, rows) for splits in (after, before))
    return _subtract_points(now, then, rows)


def _subtract_points(now: Queries, then: Queries, rows: Integers) -> Queries:
    """Join the queries of some rows with those that are taken back."""
    return order_queries(
        Queries(
            row=rows[np.concatenate([now.row, then.row])].astype(np.int32),
            high=np.concatenate([now.high, then.high]),
            low=np.concatenate([now.low, then.low]),
            kind=np.concatenate([now.kind, then.kind]),
            sign=np.concatenate([now.sign, -then.sign]),
        )
    )


def _build_changes(sums: Sequence[Sequence[int]]) -> Counts:
    """Turn sums modulo 2^64 into changes: each is less than 2^54 in either direction."""
    return build_counts([[(value + HALF) % MODULUS - HALF for value in row] for row in sums])
