"""What several records have in common: spans of figures, equal ones together, one order of all."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Ordered = TypeVar("Ordered", Fraction, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span(Generic[Ordered]):
    """The least and the greatest of several figures, or of several days."""

    low: Ordered
    high: Ordered

    @property
    def several(self) -> bool:
        """Whether they differ."""
        return self.low != self.high


def span(values: Iterable[Ordered | None]) -> Span[Ordered] | None:
    """Return the span of the values that are known; None without any."""
    known = [value for value in values if value is not None]
    return Span(low=min(known), high=max(known)) if known else None


def merged_orders(orders: Iterable[Iterable[Key]]) -> list[Key]:
    """Return every key once, each after those it follows in the first list that has it."""
    keys: list[Key] = []
    for order in orders:
        place = 0
        for key in order:
            if key in keys:
                place = keys.index(key) + 1
            else:
                keys.insert(place, key)
                place += 1
    return keys


def together(values: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return values under their keys, in the order in which each comes first."""
    having: dict[Key, list[Value]] = {}
    for key, value in values:
        having.setdefault(key, []).append(value)
    return having


def groups(columns: Sequence[Value], most: int) -> Iterator[Sequence[Value]]:
    """Yield columns in groups of nearly equal size, none with more than fit side by side."""
    count = -(-len(columns) // most)
    for start, end in pairwise(len(columns) * place // max(count, 1) for place in range(count + 1)):
        yield columns[start:end]
