"""CLI entry point: maps exceptions to exit codes."""

import contextlib
import errno
import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from keyword import iskeyword
from pathlib import Path
from typing import Any, TextIO

import typer
from typer.exceptions import Abort, Exit, TyperException

from certify import __version__
from certify.errors import (
    CertifyError,
    InvariantBroken,
    NotConfigured,
    NotJudged,
    NotReadable,
    missing_piece,
)
from certify.formatting import one_line
from certify.project_log import logged
from certify.storage import home, write_atomically

MODULES = {
    "check": ("check", "audit"),
    "figures": ("evaluate", "events", "explain", "strategy"),
    "documents": ("submit", "countersign", "renew"),
    "verification": ("verify", "reproduce"),
    "comparison": ("crosscheck", "diff", "compare"),
    "records": ("init", "new", "import", "schema", "rule", "matrix", "impact"),
    "register": ("register", "monitor"),
    "design": ("solve", "sweep"),
    "machine": ("keys", "doctor", "desk", "log"),
}
"""Commands by module: a function of that name, or a group of commands."""

MODULE_OF = {command: module for module, commands in MODULES.items() for command in commands}

HEADINGS = {
    "Check files": ("check", "audit", "diff", "rule", "schema"),
    "Compute figures": (
        "evaluate", "explain", "strategy", "events", "solve", "sweep", "crosscheck", "compare",
        "monitor",
    ),
    "File documents": (
        "submit", "verify", "reproduce", "countersign", "renew", "keys", "register",
        "matrix", "impact", "log",
    ),
    "Set up": ("init", "new", "import", "desk", "doctor"),
}  # fmt: skip
"""Every command under its heading in the help; the module of each is loaded when it is run."""

COMMANDS = tuple(command for commands in HEADINGS.values() for command in commands)

INTERRUPTED = 130
"""Typer's exit code for an interrupt that it sees first."""


class Headings(typer.core.TyperGroup):
    """The commands, listed under headings in the help."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's, not public
        """Write each heading with its commands."""
        del ctx
        room = formatter.width
        for heading, names in HEADINGS.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [
                        (name, self.commands[name].get_short_help_str(room))
                        for name in names
                        if name in self.commands
                    ],
                    col_max=12,
                )


@cache
def command_line(name: str = "") -> Any:  # noqa: ANN401 - typer's, not public
    """Return the command line: with one command alone, or with all if none has this name."""
    app = typer.Typer(
        name="certify",
        cls=Headings,
        help="Exact certification of casino table games of the pai gow poker family.",
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 120},
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(version)
    _add(app, (name,) if name in COMMANDS else COMMANDS)
    command = typer.main.get_command(app)
    _name_values(command)
    return command


def _add(app: typer.Typer, commands: Iterable[str]) -> None:
    """Load commands, each from its module."""
    for command in commands:
        name = f"{command}_" if iskeyword(command) else command
        declared = getattr(import_module(f"certify.cli.{MODULE_OF[command]}"), name)
        if isinstance(declared, typer.Typer):
            app.add_typer(declared, name=command)
        else:
            app.command(command)(declared)
    _say_whole(app)


def _say_whole(group: typer.Typer) -> None:
    """Use the first line of each command's docstring as its short help, uncut."""
    for command in group.registered_commands:
        if command.callback is not None:
            command.short_help = (command.callback.__doc__ or "").partition("\n")[0]
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            inner.short_help = str(inner.typer_instance.info.help)
            _say_whole(inner.typer_instance)


FOLDERS = ("out", "export", "folder")
"""The paths that are folders; the others are files."""

VALUES = {
    "approver": "NAME", "as_of": "DATE", "called": "NAME", "cluster": "ADDRESS",
    "company": "NAME", "dated": "TEXT", "dealer": "HAND", "edge": "LOW..HIGH",
    "house_way": "ID", "identity": "ID", "ignore": "CODES", "jurisdiction": "ID",
    "key": "LABEL", "laboratory": "NAME", "licence": "LICENSE", "like": "TARGET",
    "limit": "AMOUNT", "meter": "LEVEL=AMOUNT", "on": "DATE", "outputs": "FORMAT=FILE",
    "paytable": "ID", "regulator": "NAME", "row": "EVENT=PAY", "select": "CODES",
    "signer": "NAME", "step": "AMOUNT", "supplier": "NAME", "timestamp_url": "URL",
    "token": "LABEL", "wager": "AMOUNT", "when": "JSON",
}  # fmt: skip
"""The values of options, where the name of the option does not say what they are."""


def _name_values(command: Any) -> None:  # noqa: ANN401 - typer's
    """Name the values of arguments and options in the help by what they are, not by their type.

    Typer writes required arguments as ``{TARGET}`` in the usage line; the braces are left out.
    """
    pieces = command.collect_usage_pieces
    command.collect_usage_pieces = lambda context: [each.strip("{}") for each in pieces(context)]
    for inner in getattr(command, "commands", {}).values():
        _name_values(inner)
    for each in command.params:
        if each.metavar is None and not getattr(each, "is_flag", False):
            each.metavar = _name_value(each)


def _name_value(parameter: Any) -> str | None:  # noqa: ANN401 - typer's
    several = "..." if parameter.nargs < 0 else ""
    name = str(parameter.name).upper().replace("_", "-")
    if parameter.param_type_name == "argument":
        return name + several
    match parameter.type.name:
        case "choice":
            return None
        case "int" | "int range":
            return "N"
        case "path":
            return "FOLDER" if parameter.name in FOLDERS else "FILE"
    return VALUES.get(parameter.name, name)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from certify.version import describe_version

        typer.echo(describe_version())
        raise Exit(0)


def version(
    *,
    version: bool = typer.Option(
        False,
        "--version",
        is_eager=True,
        callback=_print_version,
        help="Print the version and the digest of the build, and stop.",
    ),
) -> None:
    """Exact certification of casino table games of the pai gow poker family."""


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code as the contract lists them."""
    for stream in (sys.stdout, sys.stderr):
        # Windows code pages lack the suits; a question mark is better than a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    with (
        contextlib.redirect_stdout(shield(sys.stdout)),
        contextlib.redirect_stderr(shield(sys.stderr)),
        logged(*arguments),
    ):
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    """Run one command whose output is shielded."""
    try:
        _refuse_deleted_folder()
        command = command_line(next(iter(arguments), ""))
        result = command(list(arguments), prog_name="certify", standalone_mode=False)
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001 - a defect must not exit 1
        error = missing_piece(failure) or failure
        code = _report_error(error, arguments)
        if code:
            _report_stop(error, code, arguments)
        return code
    if result == INTERRUPTED:
        _say_interrupted()
    return result if isinstance(result, int) else 0


def _report_error(error: BaseException, arguments: Sequence[str]) -> int:
    """Print the reason why a command stopped early; return its exit code."""
    match error:
        case TyperException():
            error.message = one_line(error.message)
            error.show() if hasattr(error, "show") else _say(str(error))
            return 2
        case CertifyError() if not isinstance(error, InvariantBroken):
            return _print_error(error)
        case Abort() | KeyboardInterrupt():
            _say_interrupted()
            return INTERRUPTED
        case OSError() | MemoryError():
            return _print_error(_refused_by_the_system(error))
        case _:
            return _defect(arguments)


def _refuse_deleted_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise NotConfigured(
            f"The working folder cannot be used: {error.strerror}.",
            remedy="Change to an existing folder.",
        ) from error


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
FEW_FILES = (errno.EMFILE, errno.ENFILE)


def _refused_by_the_system(error: OSError | MemoryError) -> CertifyError:
    """Return the error message for a failure of the system that is not a defect."""
    if isinstance(error, MemoryError):
        return NotJudged("There is not enough memory.", remedy="Allow or free more memory.")
    if error.errno in FULL:
        # Discard further output on standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reason = f"Cannot write: {error.strerror}."
        return NotConfigured(reason, remedy="Free some space, or write somewhere else.")
    named = f": {error.filename}" if error.filename else ""
    return NotConfigured(
        f"System error: {error.strerror or error}{named}.",
        remedy="Allow more open files, for example with `ulimit -n 1024`."
        if error.errno in FEW_FILES
        else "Check that the file or folder exists and that you may use it.",
    )


def _report_stop(error: BaseException, code: int, arguments: Sequence[str]) -> None:
    """Print a report without result in the machine-readable format that was requested."""
    from certify.cli.formats import print_report, read_outputs, write_reports
    from certify.review.report import ReportFormat, Stop, build_report

    message = error.format_message() if hasattr(error, "format_message") else str(error)
    stop = Stop(
        exit_code=code,
        message=one_line(message or type(error).__name__),
        remedy=one_line(getattr(error, "remedy", "")),
    )
    report = build_report(getattr(error, "findings", ()), (), stop=stop)
    # A report of an earlier run must not pass for the report of this one.
    outputs = {}
    with contextlib.suppress(NotReadable):  # reported as the error of the command line
        outputs = read_outputs(_read_values(arguments, "--output"))
    try:
        write_reports(report, outputs)
    except (CertifyError, OSError) as failure:
        _say(f"A report of --output could not be written: {failure}")
    output = ReportFormat(_requested_format(arguments, tuple(ReportFormat)))
    if output is not ReportFormat.TEXT:
        print_report(report, output)


REPORTS = ("check", "audit", "diff", "crosscheck")
"""The commands that print in every format."""


def _requested_format(arguments: Sequence[str], formats: Sequence[str]) -> str:
    """Return the requested format, even if the rest of the command line is invalid."""
    from certify.cli.formats import VARIABLE

    command = next((word for word in arguments if not word.startswith("-")), None)
    named = [*_set(), os.environ.get(VARIABLE, "")] if command in REPORTS else []
    named += _read_values(arguments, "--format")
    return ([name for name in named if name in formats] or ["text"])[-1]


def _read_values(arguments: Sequence[str], option: str) -> list[str]:
    """Return the values of an option in a command line that may be invalid."""
    values = [two for word, two in pairwise(arguments) if word == option]
    return values + [word.partition("=")[2] for word in arguments if word.startswith(f"{option}=")]


def _set() -> tuple[str, ...]:
    """Return the format in the project's settings, if they can be read."""
    from certify.review.settings import find_settings

    with contextlib.suppress(CertifyError, OSError):
        return (str(find_settings().format or ""),)
    return ()


def _say_interrupted() -> None:
    # On a terminal the progress line may be unfinished.
    start = "\n" if sys.stderr.isatty() else ""
    _say(f"{start}Interrupted; no file was left incomplete.")


def _print_error(error: CertifyError) -> int:
    """Print an error and its fix; return its exit code."""
    from certify.cli.formats import finding_text
    from certify.model.finding import Unfit, worst_first

    if isinstance(error, Unfit):
        for finding in worst_first(error.findings):
            _say(finding_text(finding))
    _say(f"Error: {one_line(error.message)}")
    if error.remedy:
        _say(f"  Fix: {one_line(error.remedy)}")
    return error.exit_code


def _defect(arguments: Sequence[str]) -> int:
    """Write a report for the maintainers, and print its path; return the exit code."""
    import platform
    import traceback

    report = (
        f"certify {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"arguments: {' '.join(arguments)}\n\n{traceback.format_exc()}"
    )
    _say("Error: this is a defect of certify, not of your files.")
    path = home() / "defect.txt"
    try:
        write_atomically(path, report.encode())
    except CertifyError:
        _say(report)
    else:
        _say(f"  Fix: send {path} to the maintainers of certify; no figure was produced.")
    return 70


def _say(text: str) -> None:
    from certify.cli.output import wrap_text

    print(wrap_text(text), file=sys.stderr)  # noqa: T201 - the command line talks


_own_colors = re.compile(r"(\x1b\[3[136]m\x1b\[1m|\x1b\[0m)").split
"""Split a text at the colors of `certify.cli.formats`."""


def shield(stream: TextIO) -> Any:  # noqa: ANN401 - a stream that forwards what the given one has
    """Return a stream that writes to another one and shows what cannot be seen as escapes."""
    return _Screen(stream)


class _Screen:
    buffer = None  # so that nobody writes to the stream below

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text; only its line breaks and our colors are not escaped."""
        parts = _own_colors(text)
        parts[::2] = ["\n".join(map(one_line, part.split("\n"))) for part in parts[::2]]
        self.stream.write("".join(parts))
        return len(text)
