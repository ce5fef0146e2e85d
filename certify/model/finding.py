"""Findings: what is wrong with what was submitted, with its place and its remedy."""

from dataclasses import dataclass
from enum import StrEnum

from certify.errors import CertifyError


class Severity(StrEnum):
    """How much a finding matters; only an error makes `check` exit 1."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, where it is, and how to mend it.

    ``line`` and ``column`` count from 1; ``pointer`` is an RFC 6901 JSON pointer. ``related`` are
    other files that take part in it: it can be mended there, too.
    """

    code: str
    severity: Severity
    file: str
    message: str
    remedy: str
    pointer: str = ""
    line: int = 1
    column: int = 1
    length: int = 1
    excerpt: str = ""
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A finding code as ``certify rule`` prints it: ``text`` is the whole page, in plain words."""

    id: str
    title: str
    severity: Severity
    text: str


class Unfit(CertifyError):
    """What was asked for rests on files with errors: no figure is given; the findings say why."""

    exit_code = 1

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("The declared data has errors, so no figure is given.")
        self.findings = findings
