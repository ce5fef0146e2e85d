"""Hands by the kinds of their set hands: the actions taken, and the settings that are improved.

The *kind* of a split is the category and the first rank of the high hand and of the low hand, as in
their keys (see `features`). In a game of undivided hands the second rank of the hand is in the
place of the low hand.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.features import CATEGORY_SHIFT

Integers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.int32]
Lines = tuple[tuple[int, ...], ...]

DIGIT_BITS: Final = 4
"""Bits for a rank in a key."""

RANK_SHIFT: Final = CATEGORY_SHIFT - DIGIT_BITS
"""The place of the first rank in a key."""

NEXT_SHIFT: Final = RANK_SHIFT - DIGIT_BITS
"""The place of the second rank in a key."""

LOW_BITS: Final = DIGIT_BITS + 2
"""Bits for the kind of a low hand: a high card or a pair."""


class KindsOf(NamedTuple):
    """The kinds of the splits of some classes.

    ``split`` is the kind of each listed split, ``house`` that of the house way's split.
    """

    split: Integers
    house: Integers


def split_kinds(high: Keys, low: Keys) -> Integers:
    """Return the kinds of splits from the keys of their high and low hands."""
    second = (high >> NEXT_SHIFT) & ((1 << DIGIT_BITS) - 1)
    after = np.where(low > 0, low >> RANK_SHIFT, second)
    return (high.astype(np.int64) >> RANK_SHIFT) << LOW_BITS | after


def unpack_kind(kind: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return category and first rank, from 1, of the high hand and of the low hand of a kind."""
    high, low = kind >> LOW_BITS, kind & ((1 << LOW_BITS) - 1)
    return divmod(high, 1 << DIGIT_BITS), divmod(low, 1 << DIGIT_BITS)


def sum_played(kinds: KindsOf, hands: Integers) -> Integers:
    """Return lines of way, action, kind and hands from the hands `(ways, actions, splits)`."""
    way, action, split = np.nonzero(hands)
    return _sum_lines(way, action, kinds.split[split], value=[hands[way, action, split]])


def sum_changed(kinds: KindsOf, changed: Integers) -> Integers:
    """Return lines of house way's kind, best kind, hands and value from `(2, splits)` sums."""
    split = np.flatnonzero(changed[0])
    return _sum_lines(kinds.house[split], kinds.split[split], value=list(changed[:, split]))


def add_lines(parts: Iterable[Lines], keys: int) -> Lines:
    """Add up lines whose first ``keys`` numbers are equal, in Python's integers."""
    total: dict[tuple[int, ...], list[int]] = {}
    for part in parts:
        for line in part:
            sums = total.setdefault(tuple(line[:keys]), [0] * (len(line) - keys))
            for place, number in enumerate(line[keys:]):
                sums[place] += number
    return tuple((*key, *numbers) for key, numbers in sorted(total.items()))


def _sum_lines(*keys: Integers, value: list[Integers]) -> Integers:
    """Return one line for each combination of keys, with the sums of the values.

    Every sum is over players' hands of one task, within the bound of `suit_isomorphism` (2^62).
    """
    sizes = [int(key.max(initial=0)) + 1 for key in keys]
    packed = np.ravel_multi_index(keys, sizes)
    _, first, place = np.unique(packed, return_index=True, return_inverse=True)
    sums = np.zeros((len(first), len(value)), dtype=np.int64)
    for column, numbers in enumerate(value):
        np.add.at(sums[:, column], place, numbers)
    return np.concatenate([np.stack(keys, axis=1)[first], sums], axis=1)
