"""What the mathematics report prints of meters and dynamic pays."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.formatting import (
    exact,
    exact_percentage,
    listed,
    money,
    percent,
    percentage,
    rounds_to_a_hit,
)
from certify.model.analysis import Analysis, DynamicAnalysis, MeterAnalysis, ProgressiveAnalysis
from certify.model.game import Wager
from certify.model.paytable import Meter, Paytable, Row
from certify.model.submission import Submission
from certify.report.charts import Chart, Tick, rising_line
from certify.report.figures_view import advantage
from certify.report.limit_view import limits_text
from certify.report.tables import Table, table
from certify.report.wager_view import counted
from certify.report.wording import label, pays

METER_STEPS = tuple(Fraction(step, 4) for step in range(6))
"""Levels of a meter in the table, as shares of its break-even level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterFigures:
    """One paytable with meters: its return as a function of them."""

    title: str
    basis: str
    parts: Table
    levels: Table
    chart: Chart | None
    dynamic: tuple[Table, ...]
    dynamic_range: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveWager:
    """A wager with meters in section 10."""

    anchor: str
    name: str
    formula: str
    declared: tuple[str, ...]
    tables: tuple[MeterFigures, ...]


def progressive_figures(wager: Wager, submission: Submission) -> ProgressiveWager | None:
    """Return the meters of every filed paytable of one wager; nothing if it has none."""
    found = [
        (paytable, analysis, analysis.progressive)
        for paytable, analysis in counted(wager, submission)
        if analysis.progressive is not None
    ]
    if not found:
        return None
    bases = dict.fromkeys(money(one.base_wager_cents) for _, _, one in found)
    return ProgressiveWager(
        anchor=f"meters-{wager.id}",
        name=wager.name,
        formula="Return = fixed pays + sum of weight × meter, with every meter in units of the "
        f"base wager of {listed(bases)}. Break-even is the level of a meter at which the house "
        "edge is zero while every other meter stands at zero.",
        declared=tuple(line for paytable, _, one in found for line in _declared(paytable, one))
        + _undeclared([paytable for paytable, _, _ in found]),
        tables=tuple(_paytable(*one) for one in found),
    )


def _paytable(
    paytable: Paytable, analysis: Analysis, progressive: ProgressiveAnalysis
) -> MeterFigures:
    return MeterFigures(
        title=label(paytable.id),
        basis=" ".join(one for one in (_basis(paytable), _without_limit(analysis)) if one),
        parts=_parts(progressive, label(paytable.id)),
        levels=_levels(progressive),
        chart=_chart(progressive, analysis),
        dynamic=_dynamic(paytable, analysis),
        dynamic_range=_dynamic_range(analysis),
    )


def _basis(paytable: Paytable) -> str:
    """Return that the figures are those of the default pays, where every round draws others."""
    draw = paytable.dynamic
    if draw is None:
        return ""
    rows = f"{draw.minimum_rows}"
    if draw.maximum_rows != draw.minimum_rows:
        rows += f" to {draw.maximum_rows}"
    return (
        "Return, break-even, table and curve are those of the default pays alone. Every round "
        f"draws {rows} of the rows with dynamic pays, so the return is higher by an amount in the "
        "range printed below."
    )


def _without_limit(analysis: Analysis) -> str:
    """Return that the figures leave a payout limit out, where it cuts fixed pays."""
    if analysis.limit is None or not analysis.limit.amounts:
        return ""
    return (
        f"These figures are without the payout limit of {limits_text(analysis.limit)}; section 8 "
        "gives the return of the fixed pays and the break-even with it."
    )


def _parts(progressive: ProgressiveAnalysis, name: str) -> Table:
    base = progressive.base_wager_cents
    fixed = progressive.fixed_return
    rows = [("Fixed pays", exact(fixed), percentage(fixed), "–", "–")]
    rows += [
        (
            f"Meter {meter.level}",
            exact(meter.weight),
            f"{percentage(meter.weight * 100_000 / base)} for each $1,000",
            rounds_to_a_hit(meter.hit_probability),
            money(meter.break_even * base),
        )
        for meter in progressive.meters
    ]
    return table(
        f"{name}: return as a function of the meters",
        "Part @13 | =Weight, exact | #Adds to the return | #Rounds between hits | #Break-even",
        rows,
    )


def _levels(progressive: ProgressiveAnalysis) -> Table:
    first, base = progressive.meters[0], progressive.base_wager_cents
    alone = " (others at zero)" if len(progressive.meters) > 1 else ""
    steps = _steps(progressive, first)
    return table(
        f"Return against meter {first.level}{alone}",
        "Meter | #Return % | #House edge %",
        [
            (money(meter * base), percent(returned, 3), percent(1 - returned, 3))
            for meter, returned in steps
        ],
        note=advantage(1 - returned for _, returned in steps),
    )


def _steps(
    progressive: ProgressiveAnalysis, meter: MeterAnalysis
) -> list[tuple[Fraction, Fraction]]:
    """Return the meter and the return at shares of its break-even level, the others at zero."""
    return [
        (meter.break_even * step, progressive.fixed_return + meter.weight * meter.break_even * step)
        for step in METER_STEPS
    ]


def _chart(progressive: ProgressiveAnalysis, analysis: Analysis) -> Chart | None:
    """Return the line of the return; nothing where the fixed pays alone return everything."""
    first, base = progressive.meters[0], progressive.base_wager_cents
    if first.break_even <= 0:
        return None
    steps = _steps(progressive, first)
    least, most = steps[0][1], steps[-1][1]
    name = label(analysis.paytable)
    return rising_line(
        id=f"chart-meter-{analysis.wager}-{analysis.paytable}",
        title=f"Return of {name} against meter {first.level}",
        message=f"Return of {name} rises in a straight line from {percent(least, 2)} percent with "
        f"meter {first.level} at zero to 100 percent at {money(first.break_even * base)}",
        start=Fraction(0),
        end=Fraction(1),
        across=[
            Tick(at=Fraction(0), words="$0", dashed=False),
            Tick(at=1 / METER_STEPS[-1], words=money(first.break_even * base)),
        ],
        up=[
            Tick(at=Fraction(0), words=percentage(least, 2), dashed=False),
            Tick(at=(1 - least) / (most - least), words="100%"),
        ],
    )


def _declared(paytable: Paytable, progressive: ProgressiveAnalysis) -> tuple[str, ...]:
    """Return what the declared seeds and increments of one paytable make of its return."""
    meters = paytable.progressive.meters if paytable.progressive is not None else ()
    pairs = list(zip(meters, progressive.meters, strict=True))
    name = label(paytable.id)
    lines = [
        f"{name}: {_seed(meter, one, progressive)}"
        for meter, one in pairs
        if meter.seed_cents is not None
    ]
    lines += [f"{name}: {_increment(meter)}" for meter in meters if meter.increment is not None]
    lines += [
        f"{name}: meter {meter.level} is not shown above {money(meter.cap_cents)}."
        for meter in meters
        if meter.cap_cents is not None
    ]
    return tuple(lines)


def _undeclared(filed: list[Paytable]) -> tuple[str, ...]:
    """Return that seeds or increments are open, and what is therefore not given."""
    meters = [one for each in filed if each.progressive for one in each.progressive.meters]
    if all(one.seed_cents is not None and one.increment is not None for one in meters):
        return ()
    stated = any(one.seed_cents is not None or one.increment is not None for one in meters)
    return (
        f"The source does not state the seed or the increment of {'every' if stated else 'any'} "
        "meter. What a meter returns of the wagers that feed it is therefore no part of any figure "
        "here, and no single return is given.",
    )


def _seed(meter: Meter, one: MeterAnalysis, progressive: ProgressiveAnalysis) -> str:
    seed = one.weight * Fraction(meter.seed_cents or 0, progressive.base_wager_cents)
    return (
        f"meter {meter.level} stands at its seed of {money(meter.seed_cents or 0)} after a full "
        f"payment; the seed adds {percentage(seed)} ({exact(seed)}) to the return."
    )


def _increment(meter: Meter) -> str:
    return (
        f"of every wager {exact_percentage(meter.increment or Fraction(0))} are put on meter "
        f"{meter.level}. They are paid out in later rounds and are no part of the return above."
    )


def _dynamic(paytable: Paytable, analysis: Analysis) -> tuple[Table, ...]:
    """Return the exact value of one unit of each pay, and what each pay adds in its round."""
    if analysis.dynamic is None:
        return ()
    chances = {row.event: row.probability for row in analysis.rows}
    drawn = [row for row in paytable.rows if row.dynamic]
    name = label(analysis.paytable)
    return (
        table(
            f"{name}: the rows with dynamic pays",
            "Hand @30 | #Default pay @20 | =Each unit above it adds to the return",
            [(row.name, pays(row.payout), exact(chances[row.event])) for row in drawn],
        ),
        _added(name, drawn, analysis.dynamic),
    )


def _added(name: str, drawn: Sequence[Row], dynamic: DynamicAnalysis) -> Table:
    """Return a grid: a line for each place in the printed order, two columns for each hand."""
    changes = {row.event: row.change for row in dynamic.rows}
    return table(
        f"{name}: what each dynamic pay adds to the return of its round, in percent",
        "Place @8 | " + " | ".join(f"#{row.name} pays | #Adds" for row in drawn),
        [
            (
                str(place + 1),
                *(cell for row in drawn for cell in _added_by(row, changes[row.event], place)),
            )
            for place in range(max(len(row.dynamic) for row in drawn))
        ],
        note="Place: the order in which the source prints the pays of a hand.",
    )


def _added_by(row: Row, changes: Sequence[Fraction], place: int) -> tuple[str, str]:
    if place >= len(row.dynamic):
        return "–", "–"
    return pays(row.dynamic[place]), percent(changes[place])


def _dynamic_range(analysis: Analysis) -> str:
    dynamic = analysis.dynamic
    if dynamic is None:
        return ""
    return (
        f"Over every draw that the source allows, the dynamic pays add from "
        f"{percentage(dynamic.least)} ({exact(dynamic.least)}) to {percentage(dynamic.greatest)} "
        f"({exact(dynamic.greatest)}) to the return of a round. The source does not state how pays "
        "are drawn, so no single figure is given."
    )
