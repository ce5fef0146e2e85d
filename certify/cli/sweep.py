"""``certify sweep``: a grid of variants, on this machine or on a cluster."""

from pathlib import Path

import typer

from certify.cli.output import FORMAT, Format, Progress, print_json, table_text
from certify.report.tables import table

WORDS = {
    "target": "Target",
    "house_way": "House way",
    "player": "Player",
    "joker": "Joker",
    "reading": "Reading",
    "jurisdiction": "State",
    "rule_codes": "Codes",
}

COLUMNS = WORDS | {
    "seats": "Seats",
    "house_edge_percent": "House edge, %",
    "house_edge_with_payout_limit_percent": "With the least limit, %",
}
"""The columns that are shown, as far as the grid has them: words first, then figures."""


def sweep(
    grid: Path = typer.Argument(help="A file that lists games, house ways, readings and states."),
    out: Path = typer.Option(Path("sweep"), help="The folder of the results, kept between runs."),
    jobs: int = typer.Option(1, min=1, help="Processes on this machine."),
    cluster: str = typer.Option(
        None, help="The address of a Dask scheduler, such as tcp://host:8786, to run there."
    ),
    parquet: bool = typer.Option(False, "--parquet", help="Write results.parquet too."),
    output: Format = FORMAT,
) -> int:
    """Evaluate every combination that a grid lists; what is kept is not computed again."""
    from certify import storage
    from certify.pipeline.sweep.sweep import WRITERS
    from certify.pipeline.sweep.sweep import sweep as run

    rows = run(grid, out, jobs=jobs, cluster=cluster, progress=Progress("Sweeping"))
    for ending in ("csv", "parquet") if parquet else ("csv",):
        storage.write_atomically(out / f"results.{ending}", WRITERS[ending](rows))
    if output is Format.JSON:
        print_json({"results": rows})
        return 0
    columns = {name: head for name, head in COLUMNS.items() if name in rows[0]}
    cells = ([str(row[name] or "–") for name in columns] for row in rows)
    heads = (head if name in WORDS else f"#{head}" for name, head in columns.items())
    typer.echo(table_text(table("", " | ".join(heads), cells)))
    return 0
