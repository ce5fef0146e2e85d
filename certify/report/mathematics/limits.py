"""What aggregate payout limits make of a wager, where the terms state any."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from certify.model.analysis import Analysis
from certify.model.limit import LimitedFigures
from certify.report.bounds import Bounded, bounded
from certify.report.mathematics.filed import FiledWager
from certify.report.wording import limits_text


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedAmount:
    """A wager of one amount under its limits; what does not apply is None."""

    cents: int
    edge: Bounded | None
    fixed: Bounded | None
    variance: Fraction | None
    free_variance: Fraction | None
    top_cents: Fraction
    free_top_cents: Fraction
    exact: bool
    break_evens: tuple[tuple[str, Fraction, Fraction], ...]
    drawn: tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedTable:
    """A paytable or option under its limits, ``amounts`` empty where none binds."""

    name: str
    limits: str
    binds_above: Fraction | None
    amounts: tuple[LimitedAmount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedWager:
    """What is filed of one wager, under its limits."""

    name: str
    tables: tuple[LimitedTable, ...]
    shared: bool
    open: bool


def wager_under_limits(filed: FiledWager) -> LimitedWager | None:
    """Return a wager's figures with and without limits; None where the terms state none."""
    under = [
        (analysis, analysis.limit) for analysis in filed.analyses if analysis.limit is not None
    ]
    if not under:
        return None
    return LimitedWager(
        name=filed.wager.name,
        tables=tuple(
            LimitedTable(
                name=analysis.paytable,
                limits=limits_text(limit),
                binds_above=limit.binds_above_cents,
                amounts=tuple(_amount(analysis, at) for at in limit.amounts),
            )
            for analysis, limit in under
        ),
        shared=any(limit.shared for _, limit in under),
        open=any(limit.open for _, limit in under),
    )


def _amount(analysis: Analysis, at: LimitedFigures) -> LimitedAmount:
    progressive = analysis.progressive
    top = analysis.top_award or Fraction(0)
    return LimitedAmount(
        cents=at.wager_cents,
        edge=bounded(analysis.house_edge, at),
        fixed=bounded(progressive.fixed_return, at, falls=True) if progressive else None,
        variance=at.variance,
        free_variance=analysis.variance,
        top_cents=at.top_cents,
        free_top_cents=top * at.top_cents / at.top_award if at.top_award else Fraction(0),
        exact=at.cost == at.greatest_cost,
        break_evens=tuple(_break_evens(analysis, at)),
        drawn=tuple(_drawn(analysis, at)),
    )


def _break_evens(
    analysis: Analysis, at: LimitedFigures
) -> Iterator[tuple[str, Fraction, Fraction]]:
    progressive = analysis.progressive
    if progressive is None:
        return
    base = progressive.base_wager_cents
    for (level, meter), free in zip(at.break_evens, progressive.meters, strict=False):
        yield level, free.break_even * base, meter * base


def _drawn(analysis: Analysis, at: LimitedFigures) -> Iterator[tuple[Fraction, Fraction]]:
    if at.dynamic is not None and analysis.dynamic is not None:
        full = (analysis.dynamic.least, analysis.dynamic.greatest)
        yield from zip(full, at.dynamic, strict=True)
