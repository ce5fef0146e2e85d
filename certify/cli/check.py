"""``certify check``: validate declared files."""

from pathlib import Path

import typer

from certify.cli.output import (
    FORMAT,
    Format,
    finding_json,
    finding_text,
    print_json,
    sorted_findings,
    totals,
)
from certify.model.finding import Severity


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("check")(check)


def check(
    paths: list[Path] = typer.Argument(
        None, help="JSON files or folders; everything declared if none is given."
    ),
    output: Format = FORMAT,
) -> int:
    """Validate files: JSON text, schema, meaning, and what is cheap to recompute."""
    from certify.pipeline.check import check as run

    checked = run(paths or ())
    findings = sorted_findings(checked.findings)
    if output is Format.JSON:
        print_json({"findings": [finding_json(one) for one in findings], "checked": checked.files})
    else:
        for one in findings:
            typer.echo(finding_text(one))
        typer.echo(totals(findings, checked.files))
    return int(any(one.severity is Severity.ERROR for one in findings))
