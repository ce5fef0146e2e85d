"""The entry: every command, and one place where failures become exit codes."""

import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import typer
from typer.exceptions import Abort, Exit, TyperException

from certify import __version__
from certify.cli import (
    audit,
    check,
    countersign,
    crosscheck,
    diff,
    docs,
    doctor,
    evaluate,
    events,
    explain,
    init,
    keys,
    new,
    register,
    reproduce,
    rule,
    submit,
    verify,
)
from certify.cli.output import finding_json, finding_text, print_json, sorted_findings
from certify.errors import CertifyError, InvariantBroken
from certify.library import home, write_atomically
from certify.model.finding import Unfit

INTERRUPTED = 130
"""What Typer returns, too, when it sees the interrupt first."""


app = typer.Typer(
    name="certify",
    help="Exact certification of casino table games of the pai gow poker family.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for room in (
    check, audit, evaluate, events, explain, crosscheck, submit, countersign, verify, reproduce,
    rule, keys, doctor, init, new, register, docs, diff,
):  # fmt: skip
    room.register(app)


@app.callback(invoke_without_command=True)
def version(
    *, version: bool = typer.Option(False, "--version", help="Print the version and stop.")
) -> None:
    """Exact certification of casino table games of the pai gow poker family."""
    if version:
        typer.echo(f"certify {__version__}")
        raise Exit(0)


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code as the contract lists them."""
    for stream in (sys.stdout, sys.stderr):
        # Windows code pages lack the suits; a question mark is better than a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        result = app(list(arguments), prog_name="certify", standalone_mode=False)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - a defect must not exit 1
        code = _stopped(error, arguments)
        if code and _asks_for_json(arguments):
            print_json(_stopped_json(error, code))
        return code
    if result == INTERRUPTED:
        _interrupted()
    return result if isinstance(result, int) else 0


def _stopped(error: BaseException, arguments: Sequence[str]) -> int:
    """Say why a command stopped early; return its exit code."""
    match error:
        case TyperException():
            error.show() if hasattr(error, "show") else _say(str(error))
            return 2
        case InvariantBroken():
            return _defect(arguments)
        case CertifyError():
            return _refused(error)
        case Abort() | KeyboardInterrupt():
            _interrupted()
            return INTERRUPTED
        case BrokenPipeError():
            # The reader went away (`certify … | head`): not a failure of ours.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        case _:
            return _defect(arguments)


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether the result is asked for as JSON, however wrong the rest of the command line is."""
    asked = ("--format", "json")
    return "=".join(asked) in arguments or asked in pairwise(arguments)


def _stopped_json(error: BaseException, code: int) -> dict[str, Any]:
    """Return what went wrong, for scripts."""
    said = error.format_message() if hasattr(error, "format_message") else str(error)
    findings = sorted_findings(error.findings) if isinstance(error, Unfit) else ()
    return {
        "error": {
            "exit_code": code,
            "message": said or type(error).__name__,
            "remedy": error.remedy if isinstance(error, CertifyError) else "",
        },
        "findings": [finding_json(finding) for finding in findings],
        "checked": 0,
    }


def _interrupted() -> None:
    # On a terminal a line of progress may stand there unfinished.
    start = "\n" if sys.stderr.isatty() else ""
    _say(f"{start}Interrupted; nothing was left half-written.")


def _refused(error: CertifyError) -> int:
    """Say what is wrong with a run, and how to mend it; return its exit code."""
    if isinstance(error, Unfit):
        for finding in sorted_findings(error.findings):
            _say(finding_text(finding))
    _say(f"Error: {error.message}")
    if error.remedy:
        _say(f"  Remedy: {error.remedy}")
    return error.exit_code


def _defect(arguments: Sequence[str]) -> int:
    """Write a report that the user can send, and say where it is."""
    import platform
    import traceback

    report = (
        f"certify {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"arguments: {' '.join(arguments)}\n\n{traceback.format_exc()}"
    )
    _say("Error: this is a defect in certify, not in your files.")
    path = home() / "defect.txt"
    try:
        write_atomically(path, report.encode())
    except CertifyError:
        _say(report)
    else:
        _say(f"  Remedy: send {path} to whoever maintains certify; no figure was produced.")
    return 70


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the command line talks
