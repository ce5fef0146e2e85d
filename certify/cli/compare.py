"""``certify compare``: house ways with one another, and a laboratory's counts with ours."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from certify.cli.output import FORMAT, QUIET, Format, Progress, print_json, table_text, warn
from certify.errors import NotReadable
from certify.formatting import csv_bytes
from certify.report.tables import table

if TYPE_CHECKING:
    from certify.model.comparison import CountComparison, HouseWayComparison

HOUSE_WAYS = "house-ways"


def compare(
    what: str = typer.Argument(help="house-ways, or a CSV or workbook of a laboratory's counts."),
    target: str = typer.Argument(help="GAME for house-ways; for counts GAME/WAGER/PAYTABLE."),
    house_way: list[str] = typer.Option(
        None, help="A house way to compare; again for more. All that fit the game if not given."
    ),
    best_play: bool = typer.Option(
        True, help="Count the best play too, for what each house way costs a player: minutes."
    ),
    picture: Path = typer.Option(None, help="Write the house edges as a picture (SVG)."),
    workbook: Path = typer.Option(None, help="Write every figure as a workbook (.xlsx)."),
    template: bool = typer.Option(
        False, "--template", help="Write the CSV to be filled in, with every row of the target."
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Compare every house way of dealer and player, or a laboratory's counts with ours."""
    if what == HOUSE_WAYS:
        from certify.pipeline.compare.house_ways import compare_house_ways

        result = compare_house_ways(
            target, only=house_way or (), best_play=best_play, progress=Progress("Counting")
        )
        for name in result.unsound:
            warn(f"{name} does not set every hand of this game in one way, and is left out.")
        _write(result, picture, workbook)
        _print_house_ways(result, output)
        return 0
    if template:
        return _template(Path(what), target)
    if not Path(what).is_file():
        raise NotReadable(
            f"There is no file {what}.",
            remedy=f"Give the path of a CSV or an .xlsx, or the word {HOUSE_WAYS}.",
        )
    from certify.pipeline.compare.counts import compare_counts

    counts = compare_counts(Path(what), target, Progress("Counting"))
    _print_counts(counts, output, quiet=quiet)
    return int(not counts.agrees)


def _write(result: "HouseWayComparison", picture: Path | None, workbook: Path | None) -> None:
    from certify import storage

    if picture is not None:
        from certify.report.comparison import house_way_chart
        from certify.report.pictures import svg

        charts = {each.option.target: house_way_chart(result, each) for each in result.matrices}
        drawn = svg(f"{result.game.name}: house ways", charts)
        storage.write_atomically(picture, drawn)
    if workbook is not None:
        from certify.report.workbook.matrix import house_way_workbook

        storage.write_atomically(workbook, house_way_workbook(result))


def _print_house_ways(result: "HouseWayComparison", output: Format) -> None:
    from certify.report.comparison import house_way_tables, house_ways_json

    if output is Format.JSON:
        print_json(house_ways_json(result))
        return
    for part in house_way_tables(result):
        typer.echo(f"{table_text(part)}\n")


def _print_counts(result: "CountComparison", output: Format, *, quiet: bool) -> None:
    from certify.formatting import thousands
    from certify.report.comparison import counts_json

    if output is Format.JSON:
        print_json(counts_json(result))
        return
    rows = [
        (
            cell.name,
            "–" if cell.ours is None else thousands(cell.ours),
            "–" if cell.theirs is None else thousands(cell.theirs),
            "agrees" if cell.agrees else "DIFFERS",
        )
        for cell in result.cells
        if not (quiet and cell.agrees)
    ]
    if quiet and not rows:
        return
    caption = f"{result.target} and {result.file}"
    typer.echo(table_text(table(caption, "Row | #Ours | #Theirs | ", rows)))
    different = sum(not cell.agrees for cell in result.cells)
    typer.echo(f"\n{len(result.cells)} rows compared: {different or 'none'} of them differ.")


def _template(path: Path, target: str) -> int:
    """Write the CSV that a laboratory fills in: every row, without a count."""
    from certify import storage
    from certify.pipeline.compare.counts import counted

    rows = counted(target, Progress("Counting")).rows
    lines = [(row.event, row.name, "") for row in rows]
    storage.write_atomically(path, csv_bytes(("event", "name", "combinations"), lines))
    typer.echo(f"{path} written.")
    return 0
