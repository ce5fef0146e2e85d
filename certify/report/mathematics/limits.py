"""What aggregate payout limits make of a wager, where the terms state any."""

from fractions import Fraction
from typing import Any

from certify.model.analysis import Analysis
from certify.model.limit import LimitedFigures
from certify.report.bounds import bounded
from certify.report.mathematics.filed import FiledWager


def wager_under_limits(filed: FiledWager) -> dict[str, Any] | None:
    """Return a wager's figures with and without limits; None where the terms state none."""
    under = [
        (analysis, analysis.limit) for analysis in filed.analyses if analysis.limit is not None
    ]
    if not under:
        return None
    return {
        "name": filed.wager.name,
        "tables": [
            (analysis, [_amount(analysis, at) for at in limit.amounts]) for analysis, limit in under
        ],
        "shared": any(limit.shared for _, limit in under),
        "open": any(limit.open for _, limit in under),
    }


def _amount(analysis: Analysis, at: LimitedFigures) -> dict[str, Any]:
    """Return a wager of one amount under its limits; what does not apply is None or empty."""
    progressive, dynamic = analysis.progressive, analysis.dynamic
    base = progressive.base_wager_cents if progressive else 0
    top = analysis.top_award or Fraction(0)
    return {
        "figures": at,
        "edge": bounded(analysis.house_edge, at),
        "fixed": bounded(progressive.fixed_return, at, falls=True) if progressive else None,
        "free_top_cents": top * at.top_cents / at.top_award if at.top_award else Fraction(0),
        "exact": at.cost == at.greatest_cost,
        "break_evens": [
            (level, free.break_even * base, meter * base)
            for (level, meter), free in zip(
                at.break_evens, progressive.meters if progressive else (), strict=False
            )
        ],
        "drawn": [*zip((dynamic.least, dynamic.greatest), at.dynamic, strict=True)]
        if at.dynamic is not None and dynamic is not None
        else [],
    }
