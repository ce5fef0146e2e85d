"""A file as it was read: its text, its value, and where each part of it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from certify.model.finding import Finding, Severity

LONGEST_EXCERPT = 4_000
"""Characters of a line that a finding shows; of a longer one, which nobody wrote, it shows none."""


@lru_cache(maxsize=2)
def _lines(text: str) -> list[str]:
    return text.split("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A place in a text: line and column from 1, length in characters on that line."""

    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One JSON file: path as shown to people, digest of its bytes, decoded value, places.

    ``filed_as`` is its path as evidence names it, wherever certify runs. ``spans`` maps RFC 6901
    pointers to the place of the value; ``key_spans`` to that of its key. Of a file that was not
    read there is the path alone.
    """

    path: str
    filed_as: str = ""
    sha256: str = ""
    text: str = field(default="", repr=False)
    value: Any = field(default=None, repr=False)
    spans: Mapping[str, Span] = field(default_factory=dict, repr=False)
    key_spans: Mapping[str, Span] = field(default_factory=dict, repr=False)

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
        """Return a finding at ``span``, or where ``pointer`` or its nearest parent stands."""
        nearest = pointer
        while span is None and nearest not in self.spans and nearest:
            nearest = nearest.rpartition("/")[0]
        span = span or self.spans.get(nearest, Span(line=1, column=1))
        return Finding(
            code=code,
            severity=severity,
            file=self.path,
            pointer=pointer,
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
