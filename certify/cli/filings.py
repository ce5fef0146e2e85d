"""``certify matrix`` and ``certify impact``."""

from pathlib import Path

import typer
from msgspec import to_builtins

from certify.cli.output import (
    FORMAT,
    Format,
    print_json,
    print_line,
    print_rows,
    print_text,
    table_text,
)
from certify.report.tables import table


def matrix(
    game: str = typer.Argument(help="Id of the game."),
    csv: bool = typer.Option(False, "--csv", help="Print comma-separated values."),
    workbook: Path = typer.Option(None, help="Write the rows to this workbook (.xlsx)."),
    output: Format = FORMAT,
) -> None:
    """List what differs among the filings of a game: a row for each topic."""
    from certify.commands.filings import list_differences

    names, rows = list_differences(game)
    if output is Format.JSON:
        print_json({"filings": names, "topics": [
            {"topic": topic, "values": dict(zip(names, row, strict=True))}
            for topic, row in rows.items()
        ]})  # fmt: skip
    elif rows or csv or workbook:
        lines = [[topic, *row] for topic, row in rows.items()]
        print_rows(["Topic", *names], lines, csv=csv, workbook=workbook)
    else:
        print_line(f"Nothing differs among these filings: {', '.join(names)}.")


def impact(
    target: str = typer.Argument(
        help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE or house-ways/ID that changes."
    ),
    output: Format = FORMAT,
) -> None:
    """List the filings that a change touches, with their revisions and regulators."""
    from certify.commands.filings import list_touched

    touched = list_touched(target)
    if output is Format.JSON:
        print_json({"filings": to_builtins(touched)})
        return
    columns = "Filing | Regulator | Applicant | Declared | Register | Changed since"
    rows = [
        (each.filing, each.regulator, each.applicant, each.revision, each.entry, each.changed)
        for each in touched
    ]
    typer.echo(table_text(table("", columns, rows)) if rows else "No filing rests on it.")
    needs = {each.jurisdiction: (each.requirement, each.citation) for each in touched}
    for jurisdiction, (requirement, citation) in needs.items():
        said = f"{requirement} ({citation})" if citation else "No rule on filing is declared."
        print_text(f"{jurisdiction}: {said}")
