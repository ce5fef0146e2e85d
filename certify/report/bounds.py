"""Figures under aggregate payout limits: exact, or between the bounds of what they can be."""

from dataclasses import dataclass
from fractions import Fraction

from certify.model.analysis import Analysis
from certify.model.limit import LimitedFigures


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
