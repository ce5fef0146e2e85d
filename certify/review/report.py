"""Report of findings: those that count, those that are left out, and the exit code."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from certify.errors import NotJudged, NotReadable
from certify.formatting import count_noun, did_you_mean, one_line
from certify.intake.layout import absolute
from certify.model.encoding import encode_object, finding_json, pick_values
from certify.model.finding import NOT_JUDGED, Finding, Severity, worst_first
from certify.model.request import Result
from certify.received.files import PROJECT

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


class ReportFormat(StrEnum):
    """Output format of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"


class LeftOut(Struct, frozen=True, kw_only=True):
    """Findings that are not reported, with the reason, such as "by their code".

    A ``note`` says it in words, with who accepted them.
    """

    why: str
    findings: tuple[Finding, ...]
    note: str = ""

    def __str__(self) -> str:
        if self.note:
            return one_line(self.note)
        codes = Counter(finding.code for finding in self.findings)
        listed = ", ".join(f"{code}: {number}" for code, number in sorted(codes.items()))
        return f"Ignored {self.why}: {listed}."


class Stop(Struct, frozen=True, kw_only=True):
    """The reason why a command stopped without a result, and its exit code."""

    exit_code: int
    message: str
    remedy: str


class Report(Result, frozen=True, kw_only=True):
    """Findings, worst first, and the checked files or targets.

    ``failing`` are the findings that make the command exit 1. ``notices`` are remarks on the run,
    not on a file. Text omits notes if ``notes`` is False, and everything except findings if
    ``quiet`` is True.
    """

    table = "findings"

    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    failing: frozenset[Finding] = frozenset()
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    notes: bool = True
    quiet: bool = False
    stop: Stop | None = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notices of the run, and the ignored findings, each on one line."""
        return (*map(one_line, self.notices), *map(str, self.left_out))

    @property
    def fingerprints(self) -> dict[Finding, str]:
        """Every finding with an identifier that no other one has, and that lines do not move."""
        times = Counter[tuple[str, ...]]()
        prints = {}
        for finding in self.findings:
            key = finding.code, repository_path(finding.file), finding.row
            times[key] += 1
            named = "\0".join((*key, str(times[key])))
            prints[finding] = hashlib.sha256(named.encode("utf-8", "surrogateescape")).hexdigest()
        return prints

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 4 if all that fails is that something was not judged."""
        if self.stop is not None:
            return self.stop.exit_code
        return 1 if self.errors else NotJudged.exit_code if self.failing else 0

    @property
    def errors(self) -> frozenset[Finding]:
        """The failing findings in what was judged."""
        return frozenset(each for each in self.failing if not each.code.startswith(NOT_JUDGED))

    @property
    def totals(self) -> str:
        """The closing line: the number of checked files and of findings."""
        left = sum(finding.code.startswith(NOT_JUDGED) for finding in self.findings)
        numbers = Counter(
            finding.severity for finding in self.findings if not finding.code.startswith(NOT_JUDGED)
        )
        kinds = ", ".join(count_noun(numbers[severity], str(severity)) for severity in Severity)
        more = f"; {left} not judged" if left else ""
        return f"{count_noun(len(self.checked), 'file')} checked: {kinds}{more}."

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON report of the contract, with the ignored findings or the error."""
        value: dict[str, Any] = {}
        if self.stop is not None:
            value["error"] = pick_values(self.stop, "exit_code", "message", "remedy")
        value["findings"] = [finding_json(finding) for finding in self.findings]
        value["checked"] = len(self.checked)
        if self.notices:
            value["notices"] = list(self.notices)
        if self.left_out:
            value["ignored"] = [
                {
                    "why": part.why,
                    **({"note": part.note} if part.note else {}),
                    **pick_values(finding, "code", "file", "pointer"),
                }
                for part in self.left_out
                for finding in part.findings
            ]
        return encode_object(value)


class CheckResult(Report, frozen=True, kw_only=True):
    """The report of `certify check`; ``written`` has a sentence for each baseline."""

    written: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the checked files."""
        return self.checked

    @property
    def not_judged(self) -> tuple[Finding, ...]:
        """An entry for everything that the run should have judged and did not."""
        return tuple(each for each in self.findings if each.code.startswith(NOT_JUDGED))

    @property
    def passed(self) -> bool:
        """True if no finding makes the command exit with another code than 0."""
        return not self.failing


def repository_path(file: str) -> str:
    """Return a file as the CI system names it: relative to the checkout, or else to the project."""
    whole = absolute(Path(file))
    if not whole.parent.is_dir():
        return file  # a file of the library
    around = {str(folder): folder for folder in whole.parents}
    roots = [around.get(os.environ.get(name, "").rstrip(os.sep)) for name in CHECKOUTS]
    for mark in (".git", PROJECT):
        roots += [folder for folder in around.values() if (folder / mark).exists()]
    root = next(filter(None, roots), None)
    return whole.relative_to(root).as_posix() if root else file


CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Variables of GitHub and GitLab with the folder of the checkout."""


def build_report(
    findings: Iterable[Finding],
    checked: Iterable[str],
    *,
    quiet: bool = False,
    stop: Stop | None = None,
) -> Report:
    """Return a report with all findings; with ``stop``, of a command that stopped early."""
    listed = worst_first(findings)
    return Report(
        findings=listed,
        checked=tuple(checked),
        failing=filter_severity(Severity.ERROR, listed),
        quiet=quiet,
        stop=stop,
    )


def filter_severity(severity: Severity, findings: Iterable[Finding]) -> frozenset[Finding]:
    """Return the findings of at least a severity."""
    return frozenset(finding for finding in findings if finding.severity.is_at_least(severity))
