"""Findings: what is wrong with what was submitted, with its place and its remedy."""

from dataclasses import KW_ONLY, dataclass
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


@dataclass(frozen=True, slots=True)
class Code:
    """A finding code with its page, in plain words; where their lines break does not matter.

    Attributes:
        id: a letter for the family, and a number.
        title: what is found.
        severity: how much it matters.
        why: why it matters.
        mend: how to mend it.
        wrong: an example.
        right: the example, mended.
        remedy: how to mend it as findings say it, beside the place; as the page where left out.
    """

    id: str
    title: str
    severity: Severity = Severity.ERROR
    _: KW_ONLY
    why: str
    mend: str
    wrong: str
    right: str
    remedy: str = ""

    def advice(self, remedy: str = "") -> str:
        """Return how to mend one place: by the remedy of its own, or else by that of the code."""
        return remedy or self.remedy or " ".join(self.mend.split())

    def page(self, mark: str = "") -> str:
        """Return the page below its title, with ``mark`` before each heading."""
        why, mend, wrong, right = (
            " ".join(text.split()) for text in (self.why, self.mend, self.wrong, self.right)
        )
        note = self.severity is Severity.NOTE
        bad, good = ("Noted", "Clear") if note else ("Wrong", "Right")
        return (
            f"{mark}Why it matters\n\n{why}\n\n{mark}How to mend it\n\n{mend}\n\n"
            f"{mark}{bad}\n\n    {wrong}\n\n{mark}{good}\n\n    {right}\n"
        )


class Unfit(CertifyError):
    """What was asked for rests on files with errors: no figure is given; the findings say why."""

    exit_code = 1

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("The declared data has errors, so no figure is given.")
        self.findings = findings
