"""What a command reports to people and gates: findings, what was looked at, what was left out."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from certify.cli.output import counted
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

    ``fail_on`` is the least severity that makes the command exit 1. Text leaves notes out without
    ``notes``, and with ``quiet`` all but findings.
    """

    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    fail_on: Severity = Severity.ERROR
    left_out: tuple[LeftOut, ...] = ()
    notes: bool = True
    quiet: bool = False
    stop: Stop | None = None

    def fails(self, finding: Finding) -> bool:
        """Whether a finding makes the command exit 1."""
        return finding.severity.is_at_least(self.fail_on)

    @property
    def exit_code(self) -> int:
        """How the command ends."""
        if self.stop is not None:
            return self.stop.exit_code
        return int(any(map(self.fails, self.findings)))

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
    return Report(findings=worst_first(findings), checked=tuple(checked), quiet=quiet)


def stopped(error: BaseException, message: str, exit_code: int) -> Report:
    """Return the report of a command that stopped early."""
    remedy = error.remedy if isinstance(error, CertifyError) else ""
    findings = error.findings if isinstance(error, Unfit) else ()
    return Report(
        findings=worst_first(findings),
        checked=(),
        stop=Stop(exit_code=exit_code, message=message, remedy=remedy),
    )
