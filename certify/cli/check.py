"""``certify check``: validate declared files."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from certify.cli.formats.render import REPORT_FORMAT, print_report
from certify.cli.formats.report import ReportFormat, report_of
from certify.cli.gate import codes_of, gated
from certify.cli.output import QUIET
from certify.cli.settings import Settings, settings
from certify.errors import NotReadable
from certify.model.finding import Severity

if TYPE_CHECKING:
    from certify.pipeline.check import Checked


def check(
    paths: list[Path] = typer.Argument(
        None,
        metavar="PATH",
        help="JSON files or folders; the project around this folder, or those below, if none "
        "is given.",
    ),
    select: list[str] = typer.Option(
        None, help="Report only these codes, or families by their letter: P004,G."
    ),
    ignore: list[str] = typer.Option(None, help="Report all but these codes."),
    fail_on: Severity = typer.Option(
        None, help="Exit 1 on findings of this severity or worse; error if not given."
    ),
    changed_since: str = typer.Option(
        None, metavar="REF", help="Look only at files that changed since this commit of git."
    ),
    baseline: Path = typer.Option(None, help="File of known findings, which are not reported."),
    path: Path | None = typer.Option(None, help="Where the file of --stdin belongs."),
    artwork: Path | None = typer.Option(
        None, help="Text of a layout or a rack card, compared with the paytable of --target."
    ),
    target: str | None = typer.Option(None, help="The paytable that the artwork shows."),
    *,
    stdin: bool = typer.Option(False, "--stdin", help="Read one file from standard input."),
    write_baseline: bool = typer.Option(
        False, "--write-baseline", help="Write what is found now to the file of --baseline."
    ),
    notes: bool = typer.Option(False, "--notes", help="Print notes, too, and not their number."),
    quiet: bool = QUIET,
    builtin: bool = typer.Option(False, "--builtin", help="Check the data that come with certify."),
    output: ReportFormat | None = REPORT_FORMAT,
) -> int:
    """Validate files: JSON text, schema, meaning, and what is cheap to recompute.

    A project is a folder that holds `certify.toml` and a folder `paytables`. A folder around
    projects stands for their declared files.
    """
    from certify import library
    from certify.intake.layout import absolute
    from certify.pipeline.check import check as run
    from certify.pipeline.file_search import project_folders

    output = output or settings().format or ReportFormat.TEXT
    if artwork is not None or target is not None:
        return _check_artwork(artwork, target, output)
    if stdin or path is not None:
        checked = _held(stdin, path, alone=not (paths or builtin or changed_since))
    elif builtin and paths:
        raise NotReadable("--builtin checks no other files.", remedy="Leave out one of the two.")
    else:
        folders = paths or ([library.paytables()] if builtin else project_folders())
        checked = run(
            folders, changed_since=changed_since, leave_out=absolute(baseline) if baseline else None
        )

    def stated(folder: Path) -> Settings:
        own = settings(folder)
        return replace(
            own,
            select=codes_of(select) or own.select,
            ignore=codes_of(ignore) or own.ignore,
            fail_on=fail_on or own.fail_on,
            baseline=baseline or own.baseline,
        )

    report = gated(
        [(stated(part.folder), part.findings) for part in checked.parts],
        checked.names,
        write_baseline=write_baseline,
    )
    return print_report(replace(report, notices=checked.notices, notes=notes, quiet=quiet), output)


def _held(stdin: bool, path: Path | None, *, alone: bool) -> "Checked":
    """Check what standard input holds, as the file at ``path``.

    Raises:
        NotReadable: one of the two options is not given, or more than this file is named.
    """
    from certify.pipeline.check import check_unsaved

    if not stdin or path is None or not alone:
        raise NotReadable(
            "--stdin and --path go together, and with no other file.",
            remedy="Write `certify check --stdin --path paytables/GAME/WAGER/ID.json`.",
        )
    return check_unsaved(path, sys.stdin.buffer.read())


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
