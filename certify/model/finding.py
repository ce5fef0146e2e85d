"""Findings, and the files that they point into."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from msgspec import Struct, field
from msgspec.structs import force_setattr

from certify.errors import CertifyError
from certify.formatting import one_line


class Severity(StrEnum):
    """The severity of a finding, worst first. A check in CI fails on errors by default."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    def is_at_least(self, other: "Severity") -> bool:
        """Return True if this severity equals or exceeds another."""
        return _WORST_FIRST.index(self) <= _WORST_FIRST.index(other)


_WORST_FIRST = tuple(Severity)


class Finding(Struct, frozen=True, kw_only=True):
    """A problem in a declared file: code, position, message and fix.

    ``line`` and ``column`` count from 1; ``pointer`` is an RFC 6901 JSON pointer, and ``row`` the
    same by the names of rows, which stays if rows move. ``related`` are other files that the
    problem involves.
    """

    code: str
    severity: Severity
    file: str
    message: str
    remedy: str
    pointer: str = ""
    row: str = ""
    line: int = 1
    column: int = 1
    length: int = 1
    excerpt: str = ""
    related: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Escape in its sentences what cannot be seen in a name of the file."""
        force_setattr(self, "message", one_line(self.message))
        force_setattr(self, "remedy", one_line(self.remedy))

    @property
    def is_error(self) -> bool:
        """True if nothing can be filed with it."""
        return self.severity is Severity.ERROR


NOT_JUDGED = "N"
"""The family of codes for what a run should have judged and did not."""

ROW_NAMES = ("id", "event", "level")
"""Properties that identify an entry of a list."""


def name_rows(value: Any, pointer: str) -> str:  # noqa: ANN401 - a JSON value
    """Return a pointer with the name of a row in place of its index; a second one has ``#2``."""
    named = ""
    for part in pointer.split("/")[1:]:
        name = part
        if isinstance(value, list):
            index = int(part) if part.isdigit() and int(part) < len(value) else len(value)
            names = [_row_name(item) for item in value[: index + 1]]
            if index < len(value) and names[-1]:
                number = names.count(names[-1])
                name = names[-1] + (f"#{number}" if number > 1 else "")
            value = value[index] if index < len(value) else None
        else:
            key = part.replace("~1", "/").replace("~0", "~")
            value = value.get(key) if isinstance(value, dict) else None
        named += f"/{name}"
    return named


def _row_name(item: object) -> str:
    names = [item.get(field) for field in ROW_NAMES] if isinstance(item, dict) else [item]
    name = next((name for name in names if isinstance(name, str)), "")
    return name.replace("~", "~0").replace("/", "~1")


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings sorted by severity, then by position."""
    return tuple(
        sorted(
            findings,
            key=lambda finding: (
                _WORST_FIRST.index(finding.severity),
                finding.file,
                finding.line,
                finding.column,
                finding.code,
            ),
        )
    )


class Code(Struct, frozen=True):
    """A finding code with its page, in plain words; line breaks do not matter.

    Attributes:
        id: a letter for the family, and a number.
        title: the problem.
        why: the reason why it matters.
        fix: the fix, on the page and in every finding without its own text.
        wrong: an example.
        right: the corrected example.
        severity: the severity.
    """

    id: str
    title: str
    why: str
    fix: str
    wrong: str
    right: str
    severity: Severity = Severity.ERROR

    def advice(self, remedy: str = "") -> str:
        """Return the given text, or the fix of the code."""
        return remedy or " ".join(self.fix.split())

    def page(self, mark: str = "") -> str:
        """Return the page below its title, with ``mark`` before each heading."""
        why, fix, wrong, right = (
            " ".join(text.split()) for text in (self.why, self.fix, self.wrong, self.right)
        )
        note = self.severity is Severity.NOTE
        bad, good = ("Noted", "Clear") if note else ("Wrong", "Right")
        return (
            f"{mark}Why it matters\n\n{why}\n\n{mark}How to fix it\n\n{fix}\n\n"
            f"{mark}{bad}\n\n    {wrong}\n\n{mark}{good}\n\n    {right}\n"
        )


class Unfit(CertifyError):
    """An operation refused because declared files it depends on have errors; carries findings."""

    exit_code = 1

    def __init__(
        self,
        findings: tuple[Finding, ...],
        message: str = "The declared data has errors.",
    ) -> None:
        super().__init__(message, remedy="Correct the errors listed above.")
        self.findings = findings


LONGEST_EXCERPT = 4_000
"""Characters of a line that a finding shows; of a longer one, which nobody wrote, it shows none."""


@lru_cache(maxsize=2)
def _lines(text: str) -> list[str]:
    return text.split("\n")


class Span(Struct, frozen=True, kw_only=True):
    """A place in a text: line and column from 1, length in characters on that line."""

    line: int
    column: int
    length: int = 1


class Document(Struct, frozen=True, kw_only=True):
    """One JSON file: displayed path, digest of its bytes, decoded value, positions.

    ``evidence_path`` is its path in evidence, the same on every machine. ``spans`` maps RFC 6901
    pointers to the place of the value; ``key_spans`` to that of its key. A file that was not read
    has only the path.
    """

    path: str
    evidence_path: str = ""
    sha256: str = ""
    text: str = ""
    value: Any = None
    spans: Mapping[str, Span] = field(default_factory=dict)
    key_spans: Mapping[str, Span] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Document({self.path!r})"

    def finding(
        self,
        code: str,
        pointer: str,
        message: str,
        remedy: str,
        *,
        severity: Severity = Severity.ERROR,
        related: tuple[str, ...] = (),
        span: Span | None = None,
    ) -> Finding:
        """Return a finding at ``span``, or at the position of ``pointer`` or its nearest parent."""
        nearest = pointer
        while span is None and nearest not in self.spans and nearest:
            nearest = nearest.rpartition("/")[0]
        span = span or self.spans.get(nearest, Span(line=1, column=1))
        return Finding(
            code=code,
            severity=severity,
            file=self.path,
            pointer=pointer,
            row=name_rows(self.value, pointer),
            line=span.line,
            column=span.column,
            length=span.length,
            message=message,
            remedy=remedy,
            excerpt=self.excerpt(span.line),
            related=related,
        )

    def excerpt(self, line: int) -> str:
        """Return a line of the text, counted from 1, as a finding shows it."""
        whole = _lines(self.text)[line - 1].rstrip("\r")
        return whole if len(whole) <= LONGEST_EXCERPT else ""
