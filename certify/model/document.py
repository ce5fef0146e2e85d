"""A file as it was read: its text, its value, and where each part of it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from certify.model.finding import Finding, Severity


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
    pointers to the place of the value; ``key_spans`` to that of its key.
    """

    path: str
    filed_as: str = ""
    sha256: str
    text: str = field(repr=False)
    value: Any = field(repr=False)
    spans: Mapping[str, Span] = field(repr=False)
    key_spans: Mapping[str, Span] = field(repr=False)

    def finding(
        self,
        code: str,
        pointer: str,
        message: str,
        remedy: str,
        *,
        severity: Severity = Severity.ERROR,
        related: tuple[str, ...] = (),
    ) -> Finding:
        """Return a finding at ``pointer``, or at its nearest parent that the file has."""
        nearest = pointer
        while nearest not in self.spans and nearest:
            nearest = nearest.rpartition("/")[0]
        span = self.spans.get(nearest, Span(line=1, column=1))
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
            excerpt=self.text.split("\n")[span.line - 1].rstrip("\r"),
            related=related,
        )
