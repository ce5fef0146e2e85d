"""Groups of equal records, spans of figures, and figures under payout limits."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Generic, TypeVar

from certify.model.analysis import Analysis, LimitedFigures

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A figure without its limits and with them: exact, or the bounds of what it can be.

    ``high`` is None where no upper bound is known.
    """

    free: Fraction
    low: Fraction
    high: Fraction | None
    falls: bool = False

    @property
    def exact(self) -> bool:
        """Whether both bounds are the figure itself."""
        return self.low == self.high

    @property
    def two_sided(self) -> bool:
        """Whether both bounds are known; the second may be nought."""
        return self.high is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureAtWager:
    """The house edge at a wager under its limits; with meters the return of the fixed payouts."""

    figure: Bounded
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresWithLimit:
    """A figure at every wager that decides; ``open``: limits take more at a greater one."""

    others: tuple[FigureAtWager, ...]
    last: FigureAtWager
    open: bool


def bounded(value: Fraction | None, at: LimitedFigures, *, falls: bool = False) -> Bounded | None:
    """Return a figure that rises, or falls, by what a limit costs; None without the figure."""
    if value is None:
        return None
    least, most = at.cost, at.greatest_cost
    if falls:
        return Bounded(
            free=value, low=value - least, high=None if most is None else value - most, falls=True
        )
    return Bounded(free=value, low=value + least, high=None if most is None else value + most)


def figures_with_limit(analysis: Analysis | None) -> FiguresWithLimit | None:
    """Return what limits make of a paytable's figure; None where none binds."""
    if analysis is None or analysis.limit is None:
        return None
    progressive = analysis.progressive
    value = progressive.fixed_return if progressive is not None else analysis.house_edge
    figures = [
        FigureAtWager(figure=figure, cents=at.wager_cents)
        for at in analysis.limit.amounts
        if (figure := bounded(value, at, falls=progressive is not None)) is not None
    ]
    if not figures:
        return None
    *others, last = figures
    return FiguresWithLimit(others=tuple(others), last=last, open=analysis.limit.open)
