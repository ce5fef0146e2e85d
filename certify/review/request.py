"""The request of `certify check`, and the selection of findings by their codes."""

import sys
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from certify import library
from certify.errors import NotReadable
from certify.figures.targets import UNSAVED, encode
from certify.model.finding import Severity, worst_first
from certify.model.request import Request, Target, argument, option
from certify.review.artwork import check_artwork
from certify.review.check import CheckedFiles, check, check_unsaved
from certify.review.file_search import find_project
from certify.review.report import CheckResult, filter_severity, validate_codes
from certify.review.settings import apply_settings, exclude, find_settings


class CheckRequest(Request, frozen=True, kw_only=True):
    """Files and folders of `certify check`, or the contents of one file; see `run_check`."""

    paths: Annotated[
        tuple[Target, ...],
        argument(
            "JSON files or folders. Default: the enclosing project and all projects below.",
            "PATH...",
        ),
    ] = ()
    changed_since: Annotated[
        str | None, option("Check only files that changed since this git commit.", metavar="REF")
    ] = None
    select: Annotated[
        tuple[str, ...],
        option("Report only these codes or families: P004,G.", by_comma=True),
    ] = ()
    ignore: Annotated[
        tuple[str, ...],
        option("Ignore these codes or families.", by_comma=True),
    ] = ()
    path: Annotated[Path | None, option("Path to assume for the file on stdin.")] = None
    artwork: Annotated[
        Path | None, option("Text of a layout or rack card to compare with --target.")
    ] = None
    target: Annotated[str | None, option("Paytable on the artwork.")] = None
    builtin: Annotated[bool, option("Check the library instead of a project.")] = False
    stdin: Annotated[bool, option("Read one file from standard input.")] = False
    fail_on: Annotated[
        Severity | None,
        option("Exit with 1 on findings of this severity or higher. Default: error."),
    ] = None
    baseline: Annotated[Path | None, option("File of known findings to ignore.")] = None
    write_baseline: Annotated[
        bool, option("Write the current findings to the --baseline file.")
    ] = False
    allow_not_judged: Annotated[
        bool, option("Exit with 0 even if something could not be judged.")
    ] = False

    def __post_init__(self) -> None:
        """Refuse values that do not fit their fields, or one another."""
        Request.__post_init__(self)
        validate_codes((*self.select, *self.ignore))
        if (self.artwork is None) != (self.target is None):
            raise NotReadable(
                "--artwork requires --target, and --target requires --artwork.",
                remedy="Write `certify check --artwork card.txt --target GAME/WAGER/PAYTABLE`.",
            )
        if self.builtin and self.paths:
            raise NotReadable("--builtin checks no other files.", remedy="Remove one of the two.")
        if self.stdin and (self.path is None or self.paths):
            raise NotReadable(
                "--stdin requires --path and no other file.",
                remedy="Write `certify check --stdin --path paytables/GAME/WAGER/ID.json`.",
            )


def run_check(request: CheckRequest) -> CheckResult:
    """Check the files that a request names; without any, those of the enclosing project.

    Settings of the projects apply where the request has no value.

    Raises:
        NothingChecked: there is no file.
        NotConfigured: git cannot list the changes, the paytable on the artwork is unknown, or a
            setting is invalid.
    """
    if request.artwork is not None and request.target is not None:
        findings = check_artwork(request.artwork, request.target)
        names = (str(request.artwork),)
        failing = filter_severity(Severity.ERROR, findings)
        return CheckResult(findings=worst_first(findings), checked=names, failing=failing)
    checked = _check_files(request)
    options = {
        name: value
        for name in ("select", "ignore", "fail_on", "baseline")
        if (value := getattr(request, name))
    }
    result = apply_settings(
        [
            (replace(find_settings(part.folder), **options), (*part.findings, *part.not_judged))
            for part in checked.parts
        ],
        checked.files,
        write=request.write_baseline,
        whole=not (request.paths or request.changed_since or request.stdin),
    )
    return replace(
        result,
        failing=result.errors if request.allow_not_judged else result.failing,
        notices=(*checked.notices, *result.notices),
    )


def _check_files(request: CheckRequest) -> CheckedFiles:
    """Return every finding about the requested files; see `check`."""
    in_memory = [path for path in request.paths if not isinstance(path, str)]
    if request.stdin:
        in_memory = [sys.stdin.buffer.read()]
    if in_memory or request.path is not None:
        if len(in_memory) != 1 or len(request.paths) > 1 or request.changed_since is not None:
            raise NotReadable(
                "A file in memory is checked alone: --stdin requires --path and no other file.",
                remedy="Write `certify check --stdin --path paytables/GAME/WAGER/ID.json`.",
            )
        return check_unsaved(request.path or UNSAVED, encode(in_memory[0]))
    paths = [Path(path) for path in request.paths if isinstance(path, str)]
    if not paths:
        paths = [library.paytables() if request.builtin else find_project()]
    return check(paths, changed_since=request.changed_since, is_excluded=exclude(request.baseline))
