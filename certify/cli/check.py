"""``certify check``: validate declared files."""

from pathlib import Path

import typer

from certify.cli.formats.render import REPORT_FORMAT, print_report
from certify.cli.formats.report import ReportFormat, report_of
from certify.errors import NotReadable


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("check")(check)


def check(
    paths: list[Path] = typer.Argument(
        None,
        metavar="PATH",
        help="JSON files or folders; the project around this folder if none is given.",
    ),
    artwork: Path | None = typer.Option(
        None, help="Text of a layout or a rack card, compared with the paytable of --target."
    ),
    target: str | None = typer.Option(None, help="The paytable that the artwork shows."),
    *,
    builtin: bool = typer.Option(False, "--builtin", help="Check the data that come with certify."),
    output: ReportFormat = REPORT_FORMAT,
) -> int:
    """Validate files: JSON text, schema, meaning, and what is cheap to recompute.

    A project is a folder that holds a folder `paytables`.
    """
    from certify import library
    from certify.pipeline.check import check as run
    from certify.pipeline.check import project

    if artwork is not None or target is not None:
        return _check_artwork(artwork, target, output)
    if builtin and paths:
        raise NotReadable("--builtin checks no other files.", remedy="Leave out one of the two.")
    checked = run(paths or [library.paytables() if builtin else project()])
    return print_report(report_of(checked.findings, checked.names), output)


def _check_artwork(artwork: Path | None, target: str | None, output: ReportFormat) -> int:
    """Compare the text of a layout or a rack card with the filed paytable.

    Raises:
        NotReadable: one of the two is not given.
    """
    from certify.pipeline.register.artwork import check_artwork

    if artwork is None or target is None:
        raise NotReadable(
            "--artwork and --target go together.",
            remedy="Write `certify check --artwork card.txt --target GAME/WAGER/PAYTABLE`.",
        )
    return print_report(report_of(check_artwork(artwork, target), (str(artwork),)), output)
