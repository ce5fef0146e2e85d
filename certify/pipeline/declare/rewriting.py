"""Rewriting: the text of a declared file with values of it changed, all other text as it stands."""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from certify.model.document import Document, Span
from certify.pipeline.declare.arranging import arrangement, new_row

SEPARATOR = ",\n    "
"""Between rows, in a file that has only one."""


def changed(document: Document, values: Mapping[str, str]) -> str:
    """Return the file's text with texts of it replaced, each at its pointer, and rows arranged.

    A pointer to something else than a text of the file is passed over. The value of ``/rows`` is
    the arrangement of the rows, see `certify.pipeline.declare.arranging`.
    """
    starts = _line_starts(document.text)
    edits = sorted(
        (_offset(starts, span), span.length, json.dumps(value, ensure_ascii=False))
        for pointer, value in values.items()
        if (span := document.spans.get(pointer)) is not None
        and isinstance(at(document, pointer), str)
        and at(document, pointer) != value
    )

    def rewritten(begin: int, end: int) -> str:
        """Return a part of the text with what was edited in it."""
        parts, last = [], begin
        for place, length, text in edits:
            if begin <= place < end:
                parts += [document.text[last:place], text]
                last = place + length
        return "".join([*parts, document.text[last:end]])

    end, order = len(document.text), arrangement(document, values)
    if order == arrangement(document, {}):
        return rewritten(0, end)
    places = _rows_in(document, starts)
    between = document.text[places[0][1] : places[1][0]] if len(places) > 1 else SEPARATOR
    rows = [
        rewritten(*places[int(row)]) if row.isdecimal() else new_row(values, row) for row in order
    ]
    return rewritten(0, places[0][0]) + between.join(rows) + rewritten(places[-1][1], end)


def _line_starts(text: str) -> list[int]:
    return [0, *(number + 1 for number, letter in enumerate(text) if letter == "\n")]


def _offset(starts: Sequence[int], span: Span) -> int:
    return starts[span.line - 1] + span.column - 1


def _rows_in(document: Document, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Return where each row of a paytable begins and ends in its text; the list has one."""
    places = []
    for number in range(len(document.value["rows"])):
        begin = _offset(starts, document.spans[f"/rows/{number}"])
        places.append((begin, json.JSONDecoder().raw_decode(document.text, begin)[1]))
    return places


def at(document: Document, pointer: str) -> object:
    """Return the value at an RFC 6901 pointer; None where the file has none."""
    value = document.value
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line of a difference: ``added``, ``removed`` or ``kept``."""

    kind: str
    text: str

    @property
    def added(self) -> bool:
        """Whether it is there after the change only."""
        return self.kind == "added"

    @property
    def removed(self) -> bool:
        """Whether it was there before the change only."""
        return self.kind == "removed"


def difference(before: str, after: str) -> Iterator[DiffLine]:
    """Yield the lines that differ, each with two lines around it."""
    kinds = {"+": "added", "-": "removed", " ": "kept"}
    compared = difflib.unified_diff(before.split("\n"), after.split("\n"), n=2, lineterm="")
    for number, line in enumerate(compared):
        if number > 1 and line[0] in kinds:
            yield DiffLine(kind=kinds[line[0]], text=line[1:])
