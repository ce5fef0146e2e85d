"""The request of `certify check`, and the selection of findings by their codes."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from msgspec.structs import replace

from certify import library
from certify.errors import NotReadable
from certify.figures.targets import UNSAVED, encode
from certify.formatting import did_you_mean
from certify.intake.layout import absolute
from certify.model.finding import NOT_JUDGED, Finding
from certify.model.request import Request, Target, argument, option
from certify.review.artwork import check_artwork
from certify.review.check import CheckedPart, CheckResult, check, check_unsaved
from certify.review.file_search import find_project


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


def run_check(request: CheckRequest) -> CheckResult:
    """Check the files that a request names; without any, those of the enclosing project.

    Settings of a project are not applied.

    Raises:
        NothingChecked: there is no file.
        NotConfigured: git cannot list the changes, or the paytable on the artwork is unknown.
    """
    result = check_requested(request)
    is_reported = partial(is_selected, select=request.select, ignore=request.ignore)
    parts = (
        replace(part, findings=tuple(filter(is_reported, part.findings))) for part in result.parts
    )
    return replace(result, parts=tuple(parts))


def check_requested(
    request: CheckRequest, is_excluded: Callable[[Path], bool] = lambda _: False
) -> CheckResult:
    """Return every finding about the requested files; see `run_check` and `check`."""
    if request.artwork is not None and request.target is not None:
        return CheckResult(
            parts=(
                CheckedPart(
                    folder=absolute(request.artwork).parent,
                    findings=check_artwork(request.artwork, request.target),
                ),
            ),
            files=(str(request.artwork),),
        )
    in_memory = [path for path in request.paths if not isinstance(path, str)]
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
    return check(paths, changed_since=request.changed_since, is_excluded=is_excluded)


LEFT_OUT: Final = ("J", "S", "D001", "D002", "D003", "D010")
"""Findings that leave a file out: nothing else is known of it, so nobody can accept them."""

ALWAYS: Final = (*LEFT_OUT, NOT_JUDGED)
"""Findings that neither a code nor a baseline hides."""


def always_counts(finding: Finding) -> bool:
    """Return True if nothing hides a finding."""
    return finding.code.startswith(ALWAYS)


def is_selected(finding: Finding, select: tuple[str, ...], ignore: tuple[str, ...]) -> bool:
    """Return True if a finding is reported: selected if any are, and not ignored."""
    if always_counts(finding):
        return True
    selected = not select or finding.code.startswith(select)
    return selected and not finding.code.startswith(ignore)


def validate_codes(codes: Sequence[str]) -> tuple[str, ...]:
    """Return codes, each a whole code or the first letter of a family.

    Raises:
        NotReadable: there is no such code.
    """
    if not codes:
        return ()
    from certify.review.codes import CODES, FAMILIES

    ids = [code.id for code in CODES]
    for code in codes:
        if code not in ids and code not in tuple(FAMILIES):
            remedy = did_you_mean(
                code.upper(), [*ids, *FAMILIES], "`certify rule all` lists them.", most=3
            )
            raise NotReadable(f"There is no finding code {code}.", remedy=remedy)
    return tuple(codes)
