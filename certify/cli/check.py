"""``certify check``: validate declared files."""

from pathlib import Path

import typer

from certify.cli.finding_formats import FINDING_FORMAT, FindingFormat, print_findings
from certify.cli.output import sorted_findings
from certify.model.finding import Severity


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("check")(check)


def check(
    paths: list[Path] = typer.Argument(
        None,
        metavar="PATH",
        help="JSON files or folders; everything declared if none is given.",
    ),
    output: FindingFormat = FINDING_FORMAT,
) -> int:
    """Validate files: JSON text, schema, meaning, and what is cheap to recompute."""
    from certify.pipeline.check import check as run

    checked = run(paths or ())
    findings = sorted_findings(checked.findings)
    print_findings(findings, checked.names, output)
    return int(any(one.severity is Severity.ERROR for one in findings))
