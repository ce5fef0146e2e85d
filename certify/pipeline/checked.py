"""Results of a check: findings by project, and notices about the run."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from certify.errors import NotInstalled
from certify.intake.layout import PAYTABLES
from certify.model.finding import Finding
from certify.received.files import PROJECT
from certify.report.wording import together

SOME = 5
"""Most file names in a notice."""


class CheckedPart(Struct, frozen=True, kw_only=True):
    """Findings on files that are checked together, and their folder.

    ``uncounted`` are the targets of main wagers whose return was not checked, ``lacking`` what was
    not checked without an optional package.
    """

    folder: Path
    findings: tuple[Finding, ...]
    uncounted: tuple[str, ...] = ()
    lacking: Mapping[str, NotInstalled] = field(default_factory=dict)


class CheckResult(Struct, frozen=True, kw_only=True):
    """Findings by project, the names of the checked files, and notices about the run."""

    parts: tuple[CheckedPart, ...]
    names: tuple[str, ...]
    notices: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, once."""
        return tuple(dict.fromkeys(finding for part in self.parts for finding in part.findings))

    @property
    def files(self) -> int:
        """The number of checked files."""
        return len(self.names)


def notices(
    parts: Sequence[CheckedPart], alone: Sequence[str], skipped: Sequence[str]
) -> Iterator[str]:
    """Yield the notices on files and wagers that a run did not check, with the reasons.

    Args:
        parts: what was checked.
        alone: files below a folder `paytables` that do not belong to a project.
        skipped: files in the given folders that are excluded or ignored.
    """
    if alone:
        yield (
            f"Checked alone, not as files of a project: {_some(alone)}. There is no {PROJECT} next "
            f"to the folder {PAYTABLES}; `certify init` writes it."
        )
    uncounted = [target for part in parts for target in part.uncounted]
    if uncounted:
        yield (
            "P015 was not checked, because these main wagers have no cached count: "
            f"{_some(uncounted)}. Run `certify evaluate TARGET` to count one."
        )
    lacking = together(
        (f"{error.message} {error.remedy}", target)
        for part in parts
        for target, error in part.lacking.items()
    )
    for why, targets in lacking.items():
        yield f"Not counted: {_some(targets)}. {why}"
    if skipped:
        yield f"Excluded, or ignored by git: {_some(skipped)}."


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
    return f"{', '.join(names[:SOME])}{more}"
