"""Shrunk queries, against the keys that each query counts by its definition."""

from collections import Counter

import numpy as np
import pytest

from certify.kernels.boxes import Asked, find_boxes, shrink_queries
from certify.kernels.event_lists import (
    ALL,
    KIND_BITS,
    LOST,
    LOW_BITS,
    LOWS,
    WON,
    EventList,
)
from certify.kernels.events import Queries
from certify.kernels.features import LABEL_BITS

RANKS, BACKS, CLASSES = 2, 12, 30
Key = tuple[int, int]


def draw_keys(random: np.random.Generator, number: int) -> set[Key]:
    fronts = random.integers(0, LOWS, number).tolist()
    return set(zip(random.integers(0, BACKS - 1, number).tolist(), fronts, strict=True))


def list_events(keys: set[Key], code: int = 5) -> EventList:
    packed = sorted((high << LOW_BITS | low) << LABEL_BITS for high, low in keys)
    key = (np.array(packed, dtype=np.int64) << 3 * RANKS) | code
    return EventList(key=key, weight=np.ones(len(key), dtype=np.int32))


def find_counted(keys: set[Key], kind: int, high: int, low: int) -> frozenset[Key]:
    if kind == WON:
        return frozenset(key for key in keys if key[0] < high and key[1] < low)
    return frozenset(key for key in keys if key[0] >= high and key[1] >= low)


def unpack(asked: Asked) -> Queries:
    point = asked.key >> 3 * RANKS
    kind, low = point >> LOW_BITS & 3, point & (LOWS - 1)
    high = point >> LOW_BITS + KIND_BITS
    return Queries(asked.row, high, np.where(kind == WON, LOWS - low, low), kind, asked.sign)


def add_up(points: Queries, keys: set[Key]) -> dict[tuple[int, int], Counter[Key]]:
    """Return how often each key is counted, by class and kind."""
    sums: dict[tuple[int, int], Counter[Key]] = {}
    for row, high, low, kind, sign in zip(*(part.tolist() for part in points), strict=True):
        counted = sums.setdefault((row, kind), Counter())
        for key in find_counted(keys, kind, high, low):
            counted[key] += sign
    return sums


@pytest.mark.parametrize("number", [1, 3, 20, 300])
def test_a_class_counts_the_same_keys_by_fewer_queries(number: int) -> None:
    random = np.random.default_rng(number)
    keys = draw_keys(random, number)
    size = 40 * CLASSES
    points = Queries(
        row=np.sort(random.integers(0, CLASSES, size)).astype(np.int32),
        high=random.integers(0, BACKS + 1, size).astype(np.int16),
        low=random.integers(0, LOWS, size).astype(np.int8),
        kind=random.choice([ALL, LOST, WON], size).astype(np.int8),
        sign=random.choice([-1, 1], size).astype(np.int8),
    )
    left = unpack(shrink_queries(points, list_events(keys), RANKS, LABEL_BITS))
    expected, found = add_up(points, keys), add_up(left, keys)
    for at in expected:
        for key in keys:
            assert found.get(at, Counter())[key] == expected[at][key]
    # A class counts no set of keys twice, and none without keys.
    asked = list(zip(*(part.tolist() for part in left[:4]), strict=True))
    sets = [(row, kind, find_counted(keys, kind, high, low)) for row, high, low, kind in asked]
    assert len(set(sets)) == len(sets) < size
    assert all(counted for _, _, counted in sets)
    assert left.sign.all()


def test_a_box_reaches_to_the_keys_on_each_side() -> None:
    boxes = find_boxes(np.array([1, 3, 3]), np.array([4, 2, 9]), BACKS)
    assert (boxes.below_high[8, 8], boxes.below_low[4, 8]) == (4, 5)
    assert (boxes.below_high[3, 8], boxes.below_low[2, 8]) == (2, 5)
    assert (boxes.above_high[2, 3], boxes.above_low[3, 3]) == (3, 9)
    assert (boxes.below_high[1, 127], boxes.above_high[4, 0]) == (0, BACKS)


def test_queries_that_meet_no_event_are_dropped() -> None:
    points = Queries._make(np.ones(2, dtype=np.int8) for _ in Queries._fields)
    nobody = list_events(set())
    assert len(shrink_queries(points, nobody, RANKS, LABEL_BITS).row) == 0
