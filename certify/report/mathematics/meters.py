"""Progressive wagers: the return as a line in the meters, at round amounts of all of them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from certify.model.analysis import Analysis, DynamicAnalysis, ProgressiveAnalysis
from certify.model.paytable import Meter, Paytable
from certify.report.grouping import together
from certify.report.mathematics.filed import FiledWager, ids

ROUND = tuple(Fraction(digit * 10**power) for power in range(4, 11) for digit in (1, 2, 5))
"""Round amounts of a meter in cents, $100 to $500,000,000."""

MOST_LEVELS = 5
"""Amounts at which the edge is printed, at most."""


def progressive_wager(filed: FiledWager) -> dict[str, Any] | None:
    """Return the meters of every filed paytable of a wager; None if it has none.

    ``levels`` are cents on every meter of a paytable at once; ``declared``: something is stated of
    the meters beside what they pay; ``open``: not everything is.
    """
    metered = [
        (paytable, analysis.progressive, paytable.progressive.meters)
        for paytable, analysis in filed.paytables
        if analysis.progressive is not None and paytable.progressive is not None
    ]
    if not metered:
        return None
    levels = _levels([progressive for _, progressive, _ in metered])
    declared = [meter for *_, meters in metered for meter in meters]
    return {
        "anchor": f"meters-{filed.wager.id}",
        "name": filed.wager.name,
        "levels": levels,
        "tables": [_metered(*table, levels) for table in metered],
        "drawn": _drawn(filed),
        "declared": any(_states(meter) for meter in declared),
        "open": any(meter.seed_cents is None or meter.increment is None for meter in declared),
    }


def _states(meter: Meter) -> bool:
    parts = (meter.seed_cents, meter.increment, meter.reserve, meter.cap_cents)
    return any(part is not None for part in parts)


def _levels(progressives: Sequence[ProgressiveAnalysis]) -> list[Fraction]:
    """Return round amounts about those at which, on every meter, the edges are zero."""
    zero = [
        (1 - progressive.fixed_return)
        * progressive.base_wager_cents
        / sum(meter.weight for meter in progressive.meters)
        for progressive in progressives
    ]
    below = [level for level in ROUND if level <= max(min(zero), ROUND[0])]
    above = [level for level in ROUND if below[-1] < level < 2 * max(zero)]
    chosen = [*below[-2:], *above]
    if len(chosen) <= MOST_LEVELS:
        return chosen
    last = len(chosen) - 1
    places = {round(last * step / (MOST_LEVELS - 1)) for step in range(MOST_LEVELS)}
    return [chosen[place] for place in sorted(places)]


def _metered(
    paytable: Paytable,
    progressive: ProgressiveAnalysis,
    declared: Sequence[Meter],
    levels: Sequence[Fraction],
) -> dict[str, Any]:
    """Return a paytable: its meters, and its edge with every meter at each of the levels.

    ``adds`` is what $1,000 on a meter add. An edge is None where the return is more than twice the
    wager.
    """
    base = progressive.base_wager_cents
    weight = sum((meter.weight for meter in progressive.meters), Fraction(0))
    edges = [1 - progressive.fixed_return - weight * level / base for level in levels]
    return {
        "paytable": paytable,
        "progressive": progressive,
        "meters": [
            {
                "meter": counted,
                "declared": meter,
                "adds": counted.weight * 100_000 / base,
                "break_even": counted.break_even * base,
                "seed_adds": counted.weight * Fraction(meter.seed_cents or 0, base),
            }
            for meter, counted in zip(declared, progressive.meters, strict=True)
        ],
        "edges": [edge if edge >= -1 else None for edge in edges],
    }


def _drawn(filed: FiledWager) -> list[dict[str, Any]]:
    """Return the dynamic payouts, once for the paytables of which the same is printed.

    ``ranged``: the number of rows drawn varies.
    """
    same = together(
        ((_draws(paytable, analysis, dynamic), paytable.dynamic, dynamic.least, dynamic.greatest),
         paytable.id)
        for paytable, analysis in filed.paytables
        if (dynamic := analysis.dynamic) is not None
    )  # fmt: skip
    return [
        {
            "ids": ids(tables),
            "id": tables[0],
            "rows": rows,
            "draw": draw,
            "ranged": draw is not None and draw.minimum_rows != draw.maximum_rows,
            "least": least,
            "greatest": greatest,
        }
        for (rows, draw, least, greatest), tables in same.items()
    ]


def _draws(
    paytable: Paytable, analysis: Analysis, dynamic: DynamicAnalysis
) -> tuple[tuple[Any, ...], ...]:
    """Return each row that is drawn: name, pays, what a unit more adds, the least and the most."""
    chances = {row.event: row.probability for row in analysis.rows}
    changes = {row.event: row.change for row in dynamic.rows}
    return tuple(
        (
            row.name,
            row.payout,
            row.dynamic,
            chances[row.event],
            min(changes[row.event]),
            max(changes[row.event]),
        )
        for row in paytable.rows
        if row.dynamic
    )
