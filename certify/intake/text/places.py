"""Offsets in a text as lines and columns, worked out only for the places that are asked for."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from certify.model.document import Span


def line_starts(text: str) -> tuple[int, ...]:
    """Return the offset at which each line of ``text`` starts; a line ends with a newline."""
    return (0, *(match.end() for match in re.finditer("\n", text)))


def span(offset: int, length: int, lines: Sequence[int]) -> Span:
    """Return the place of ``offset``: line and column from 1."""
    line = bisect_right(lines, offset)
    return Span(line=line, column=offset - lines[line - 1] + 1, length=max(length, 1))


class Places(Mapping[str, Span]):
    """Places in a sound text by RFC 6901 pointer; the text is walked when one is asked for.

    ``offsets`` returns the offset and the length of each.
    """

    def __init__(self, text: str, offsets: Callable[[], Mapping[str, tuple[int, int]]]) -> None:
        self._text = text
        self._offsets = offsets

    @cached_property
    def _lines(self) -> tuple[int, ...]:
        return line_starts(self._text)

    def __getitem__(self, pointer: str) -> Span:
        return span(*self._offsets()[pointer], self._lines)

    def __contains__(self, pointer: object) -> bool:
        return pointer in self._offsets()

    def __iter__(self) -> Iterator[str]:
        return iter(self._offsets())

    def __len__(self) -> int:
        return len(self._offsets())

    def __bool__(self) -> bool:
        """Whether there is a place: a sound text has a value."""
        return True
