"""``certify solve`` and ``certify sweep``: search for pays, and evaluate variants."""

from fractions import Fraction

import typer
from msgspec.structs import replace

from certify import storage
from certify.cli.output import (
    FORMAT,
    Format,
    Progress,
    expand,
    print_json,
    print_text,
    table_text,
    warn,
)
from certify.commands.solve.problem import Question
from certify.commands.sweep.sweep import WRITERS, SweepRequest
from certify.commands.sweep.sweep import sweep as run_sweep
from certify.formatting import (
    decimal,
    join_words,
    money,
    one_line,
    percentage,
    plain,
    square_root,
    thousands,
)
from certify.model.analysis import Bounds, Kind, Solution, SolveResult, Unknown
from certify.report.tables import table


@expand
def solve(question: Question, *, output: Format = FORMAT) -> int:
    """List the whole-number pays that bring the house edge of a bonus paytable into a band.

    Exact and complete: every combination is counted, none is sampled. The exit code is 1 if no
    solution is in the band.
    """
    from certify.commands.solve.solve import solve as run

    solved = run(question)
    if output is Format.JSON:
        print_json(solved.to_dict())
    else:
        print_text(solved_text(solved))
    for path in solved.files:
        warn(f"Wrote {path}.")
    return 0 if solved.solutions else 1


def solved_text(solved: "SolveResult") -> str:
    """Return the result of a search as text."""
    band = f"{plain(solved.low * 100)}% to {plain(solved.high * 100)}%"
    whose = "" if solved.players is None else f" with the hands of {solved.players} players"
    present = "" if solved.present is None else f", now {percentage(solved.present)}"
    lines = [one_line(solved.target), "", f"House edge{whose}: {band}{present}"]
    lines += [f"  {unknown} from {_amounts(unknown, it)}" for unknown, it in solved.bounds.items()]
    if solved.hits is not None:
        low, high = (plain(end * 100) for end in solved.hits)
        lines.append(f"  Hit frequency: {low}% to {high}%")
    if solved.deviation is not None:
        low, high = map(plain, solved.deviation)
        lines.append(f"  Standard deviation: {low} to {high}")
    lines.append("")
    if not solved.count and solved.in_edge_band:
        others = f"None of the {thousands(solved.in_edge_band)} tables in the band of the edge"
        return "\n".join([*lines, f"{others} meets the other bands."])
    if not solved.count:
        edges = (("below", solved.below), ("above", solved.above))
        near = [f"{percentage(edge)} {where}" for where, edge in edges if edge is not None]
        reached = f" The nearest reachable edges: {join_words(near)}." if near else ""
        return "\n".join([*lines, f"No table is in the band.{reached}"])
    tables = "table is in" if solved.count == 1 else "tables are in"
    lines.append(
        f"{thousands(solved.count)} {tables} the band; "
        f"{len(solved.solutions)} listed by {solved.by}."
    )
    lines += [f"Excluded, {number}: {why}" for why, number in solved.left_out.items()]
    names = (*solved.bounds, "Edge", "Distance", "Roughness", "Hits", "Deviation")
    columns = "".join(f" | #{name}" for name in names)
    rows = [
        (
            str(number),
            *(_paid(unknown, solution) for unknown in solved.bounds),
            percentage(solution.edge),
            decimal(solution.distance, 4),
            decimal(solution.roughness, 4),
            percentage(solution.analysis.hit_frequency, 2),
            square_root(solution.analysis.variance or Fraction(0), 3),
        )
        for number, solution in enumerate(solved.solutions, 1)
    ]
    return "\n".join([*lines, "", table_text(table("", columns, rows))] if rows else lines)


def _paid(unknown: Unknown, solution: "Solution") -> str:
    """Return the pay of an unknown as printed."""
    amount = solution.amounts[unknown]
    if unknown.kind is not Kind.ROW:
        return money(amount or 0)
    pays = {row.event: str(row.payout) for row in solution.paytable.rows}
    return pays.get(unknown.id, "omitted")


def _amounts(unknown: Unknown, bounds: "Bounds") -> str:
    written = thousands if unknown.kind is Kind.ROW else money
    step = "" if unknown.kind is Kind.ROW else f" by {money(bounds.step)}"
    return f"{written(bounds.low)} to {written(bounds.high)}{step}"


WORDS = {
    "target": "Target",
    "house_way": "House way",
    "player": "Player",
    "joker": "Joker",
    "reading": "Interpretation",
    "jurisdiction": "Jurisdiction",
    "rule_codes": "Codes",
}

COLUMNS = WORDS | {
    "seats": "Seats",
    "house_edge_percent": "House edge, %",
    "house_edge_with_payout_limit_percent": "With the smallest limit, %",
}
"""The columns that are shown, unless they are empty: words first, then figures."""


@expand
def sweep(
    request: SweepRequest,
    parquet: bool = typer.Option(False, "--parquet", help="Write results.parquet too."),
    output: Format = FORMAT,
) -> None:
    """Evaluate every combination of a grid; finished tasks are reused."""
    rows = run_sweep(replace(request, progress=Progress("Sweeping")))
    for ending in ("csv", "parquet") if parquet else ("csv",):
        storage.write_atomically(request.out / f"results.{ending}", WRITERS[ending](rows))
    if output is Format.JSON:
        print_json({"results": rows})
        return
    columns = {name: head for name, head in COLUMNS.items() if any(row.get(name) for row in rows)}
    cells = ([str(row[name] or "–") for name in columns] for row in rows)
    heads = (head if name in WORDS else f"#{head}" for name, head in columns.items())
    typer.echo(table_text(table("", " | ".join(heads), cells)))
