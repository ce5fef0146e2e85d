"""What a command reports to people and gates: findings, what was looked at, what was left out."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from certify.cli.output import counted, one_line
from certify.errors import CertifyError
from certify.model.finding import Finding, Severity, Unfit, worst_first


class ReportFormat(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Findings that are not reported, and why: "by their code", say."""

    why: str
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        codes = Counter(finding.code for finding in self.findings)
        listed = ", ".join(f"{code}: {number}" for code, number in sorted(codes.items()))
        return f"Ignored {self.why}: {listed}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why a command stopped before it had a result, and how it then exits."""

    exit_code: int
    message: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Findings worst first, in what was looked at: files, or targets.

    ``failing`` are the findings that make the command exit 1. ``notices`` say of the run what is
    no fault of a file. Text leaves notes out without ``notes``; with ``quiet``, all but findings.
    """

    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    failing: frozenset[Finding] = frozenset()
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    notes: bool = True
    quiet: bool = False
    stop: Stop | None = None

    def fails(self, finding: Finding) -> bool:
        """Whether a finding makes the command exit 1."""
        return finding in self.failing

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notices of the run, and what was left out, each in one line."""
        return (*map(one_line, self.notices), *map(str, self.left_out))

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        if self.stop is not None:
            return self.stop.exit_code
        return int(bool(self.failing))

    @property
    def totals(self) -> str:
        """The closing line: what was looked at and what was found."""
        numbers = Counter(finding.severity for finding in self.findings)
        kinds = ", ".join(counted(numbers[severity], str(severity)) for severity in Severity)
        return f"{counted(len(self.checked), 'file')} checked: {kinds}."


def report_of(
    findings: Iterable[Finding], checked: Iterable[str], *, quiet: bool = False
) -> Report:
    """Return the report of findings that nothing was left out of."""
    listed = worst_first(findings)
    return Report(
        findings=listed,
        checked=tuple(checked),
        failing=at_least(Severity.ERROR, listed),
        quiet=quiet,
    )


def at_least(severity: Severity, findings: Iterable[Finding]) -> frozenset[Finding]:
    """Return the findings that matter as much as a severity, or more."""
    return frozenset(finding for finding in findings if finding.severity.is_at_least(severity))


def stopped(error: BaseException, message: str, exit_code: int) -> Report:
    """Return the report of a command that stopped early."""
    remedy = error.remedy if isinstance(error, CertifyError) else ""
    findings = error.findings if isinstance(error, Unfit) else ()
    listed = worst_first(findings)
    return Report(
        findings=listed,
        checked=(),
        failing=at_least(Severity.ERROR, listed),
        stop=Stop(exit_code=exit_code, message=message, remedy=remedy),
    )
