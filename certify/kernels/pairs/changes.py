"""What another split of some hands changes in the counts of two hands.

With the dealer's and the player's hands set as (D, P) or as (D', P'), the counts are linear in
both, so that

    g(D', P') - g(D, P) = g(D' - D, P') + g(D, P' - P),

and a difference of splits is a short list: only the classes that are set otherwise stand in it,
once as they are set with weight 1 and once as they were with weight -1. Where the player chooses a
split after seeing the dealer's, P' is P and the second sum is nothing.
"""

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
import numpy.typing as npt

from certify.kernels.pairs.count import (
    MODULUS,
    Counts,
    Lists,
    player_lists,
    run,
    run_all,
    sums_of,
    taken_back,
    tasks,
    tasks_of,
)
from certify.kernels.pairs.event_lists import merged
from certify.kernels.pairs.events import (
    Points,
    SetHands,
    dealer_keys,
    fixed_points,
    player_keys,
    rank_code,
    staircase_points,
    suit_code,
)
from certify.kernels.partition.class_arrays import HandClasses
from certify.kernels.partition.splits import Splits
from certify.model.progress import Progress

Integers = npt.NDArray[np.int64]

HALF = MODULUS // 2


def count_changes(
    classes: HandClasses,
    before: SetHands,
    after: SetHands,
    splits: Splits | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Counts:
    """Count what changes when the hands are set as in ``after`` instead of as in ``before``.

    Args:
        classes: the classes of the deck's hands.
        before: how every class was set.
        after: how every class is set, with the same labels.
        splits: of a player who sees the dealer's set hand and then sets best; None where the
            player sets every hand as the dealer does.
        executor: runs the tasks.
        progress: called with the number of finished tasks and of all tasks.

    Returns:
        Ordered pairs of disjoint hands by the dealer's label, more (positive) or fewer (negative).
    """
    rows = np.flatnonzero((before.high != after.high) | (before.low != after.low))
    were, are = _of(before, rows), _of(after, rows)
    shown = SetHands(
        high=np.concatenate([are.high, were.high]),
        low=np.concatenate([are.low, were.low]),
        label=np.concatenate([are.label, were.label]),
    )
    ranks = classes.shape.ranks
    points = fixed_points(after, shown) if splits is None else staircase_points(splits, shown)
    work = tasks_of(
        _dealer_lists(classes, np.concatenate([rows, rows]), dealer_keys(shown, ranks)),
        player_lists(classes, points, player_keys(points, ranks)),
        ranks,
    )
    if splits is None:
        work += tasks(classes, before, _changed_points(before, rows, are, were))
    return _signed(sums_of(work, run_all(run, work, executor, progress)))


def _of(hands: SetHands, rows: Integers) -> SetHands:
    return SetHands(high=hands.high[rows], low=hands.low[rows], label=hands.label[rows])


def _dealer_lists(classes: HandClasses, row: Integers, above: Integers) -> Lists:
    """Build the lists of a dealer whose first half of entries is added and the second taken."""
    size, rank, suit = classes.rank_classes, rank_code(classes), suit_code(classes)
    sign = np.repeat(np.array([1, -1], dtype=np.int64), len(row) // 2)
    hands = classes.hands[size:]
    plain, own = np.flatnonzero(row < size), np.flatnonzero(row >= size)
    back, member = taken_back(classes, row)
    flush = row[own] - size
    return Lists(
        ranks=merged(above[plain] | rank[row[plain]], sign[plain]),
        flush=merged(
            np.concatenate([above[own] | rank[row[own]], above[back] | rank[row[back]]]),
            np.concatenate([sign[own] * hands[flush], -sign[back] * hands[member]]),
        ),
        flushes=merged(
            np.concatenate([above[own] | suit[flush], above[back] | suit[member]]),
            np.concatenate([sign[own], -sign[back]]),
        ),
    )


def _changed_points(dealer: SetHands, rows: Integers, are: SetHands, were: SetHands) -> Points:
    """Ask what the changed classes of a player ask now, and take back what they asked before."""
    now, then = fixed_points(are, dealer), fixed_points(were, dealer)
    return Points(
        row=rows[np.concatenate([now.row, then.row])].astype(np.int32),
        high=np.concatenate([now.high, then.high]),
        low=np.concatenate([now.low, then.low]),
        kind=np.concatenate([now.kind, then.kind]),
        sign=np.concatenate([now.sign, -then.sign]),
    )


def _signed(sums: Sequence[Sequence[int]]) -> Counts:
    """Turn sums modulo 2^64 into changes: each is less than 2^53 in either direction."""
    exact = [[(value + HALF) % MODULUS - HALF for value in row] for row in sums]
    return Counts(
        total=tuple(total for total, _, _ in exact),
        win=tuple(total - missed for total, missed, _ in exact),
        lose=tuple(lost for _, _, lost in exact),
    )
