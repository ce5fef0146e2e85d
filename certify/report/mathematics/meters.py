"""Progressive wagers: the return as a line in the meters, at round amounts of all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.model.analysis import Analysis, MeterAnalysis, ProgressiveAnalysis
from certify.model.paytable import Meter, Paytable, Row
from certify.report.mathematics.filed import FiledWager, Ids, ids

ROUND = tuple(Fraction(digit * 10**power) for power in range(4, 11) for digit in (1, 2, 5))
"""Round amounts of a meter in cents, $100 to $500,000,000."""

MOST_LEVELS = 5
"""Amounts at which the edge is printed, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedMeter:
    """One meter: what $1,000 on it add, and its break-even in cents with the others at zero."""

    first: bool
    meter: MeterAnalysis
    declared: Meter
    adds: Fraction
    break_even: Fraction
    seed_adds: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metered:
    """One paytable: its meters, and its edge with every meter at each of the levels.

    An edge is None where the return is more than twice the wager.
    """

    paytable: Paytable
    analysis: Analysis
    progressive: ProgressiveAnalysis
    meters: tuple[CountedMeter, ...]
    edges: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The dynamic payouts of one row: what each unit above the default adds to the return."""

    row: Row
    each: Fraction
    least: Fraction
    greatest: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The dynamic payouts of paytables; ``ranged``: the number of rows drawn varies."""

    ids: Ids
    paytable: Paytable
    analysis: Analysis
    ranged: bool
    rows: tuple[Draw, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveWager:
    """A wager with meters; ``levels`` are cents on every meter of a paytable at once."""

    anchor: str
    name: str
    levels: tuple[Fraction, ...]
    tables: tuple[Metered, ...]
    drawn: tuple[Drawn, ...]
    declared: bool
    open: bool


def progressive_wager(filed: FiledWager) -> ProgressiveWager | None:
    """Return the meters of every filed paytable of a wager; None if it has none."""
    metered = [
        (paytable, analysis, analysis.progressive)
        for paytable, analysis in filed.paytables
        if analysis.progressive is not None
    ]
    if not metered:
        return None
    levels = _levels([progressive for _, _, progressive in metered])
    declared = [
        meter
        for paytable, _, _ in metered
        if paytable.progressive
        for meter in paytable.progressive.meters
    ]
    return ProgressiveWager(
        anchor=f"meters-{filed.wager.id}",
        name=filed.wager.name,
        levels=levels,
        tables=tuple(_metered(*table, levels) for table in metered),
        drawn=tuple(_drawn(filed)),
        declared=any(_states(meter) for meter in declared),
        open=any(meter.seed_cents is None or meter.increment is None for meter in declared),
    )


def _states(meter: Meter) -> bool:
    return any(
        part is not None
        for part in (meter.seed_cents, meter.increment, meter.reserve, meter.cap_cents)
    )


def _levels(progressives: Sequence[ProgressiveAnalysis]) -> tuple[Fraction, ...]:
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
        return tuple(chosen)
    last = len(chosen) - 1
    places = {round(last * step / (MOST_LEVELS - 1)) for step in range(MOST_LEVELS)}
    return tuple(chosen[place] for place in sorted(places))


def _metered(
    paytable: Paytable,
    analysis: Analysis,
    progressive: ProgressiveAnalysis,
    levels: Sequence[Fraction],
) -> Metered:
    base = progressive.base_wager_cents
    declared = paytable.progressive.meters if paytable.progressive is not None else ()
    weight = sum((meter.weight for meter in progressive.meters), Fraction(0))
    edges = [1 - progressive.fixed_return - weight * level / base for level in levels]
    return Metered(
        paytable=paytable,
        analysis=analysis,
        progressive=progressive,
        meters=tuple(
            CountedMeter(
                first=counted is progressive.meters[0],
                meter=counted,
                declared=meter,
                adds=counted.weight * 100_000 / base,
                break_even=counted.break_even * base,
                seed_adds=None
                if meter.seed_cents is None
                else counted.weight * Fraction(meter.seed_cents, base),
            )
            for meter, counted in zip(declared, progressive.meters, strict=True)
        ),
        edges=tuple(edge if edge >= -1 else None for edge in edges),
    )


def _drawn(filed: FiledWager) -> Iterator[Drawn]:
    """Yield the dynamic payouts, once for the paytables of which the same is printed."""
    same: dict[object, list[tuple[Paytable, Analysis]]] = {}
    for paytable, analysis in filed.paytables:
        if analysis.dynamic is not None:
            rows = _draws(paytable, analysis)
            printed = [
                (draw.row.name, draw.row.payout, draw.row.dynamic, draw.each) for draw in rows
            ]
            span = (analysis.dynamic.least, analysis.dynamic.greatest)
            key = (tuple(printed), paytable.dynamic, span)
            same.setdefault(key, []).append((paytable, analysis))
    for tables in same.values():
        paytable, analysis = tables[0]
        draw = paytable.dynamic
        yield Drawn(
            ids=ids([table.id for table, _ in tables]),
            paytable=paytable,
            analysis=analysis,
            ranged=draw is not None and draw.minimum_rows != draw.maximum_rows,
            rows=_draws(paytable, analysis),
        )


def _draws(paytable: Paytable, analysis: Analysis) -> tuple[Draw, ...]:
    chances = {row.event: row.probability for row in analysis.rows}
    changes = {row.event: row.change for row in analysis.dynamic.rows} if analysis.dynamic else {}
    return tuple(
        Draw(
            row=row,
            each=chances[row.event],
            least=min(changes[row.event]),
            greatest=max(changes[row.event]),
        )
        for row in paytable.rows
        if row.dynamic
    )
