"""Changes of values in the text of a declared file; all other text is unchanged.

The rows of a paytable can be rearranged: moved, removed, added. An arrangement is a text in the
values of a draft, under the pointer of the rows: the names of the rows in their new order,
separated by blanks. A row of the file is named by its position there, a new one by ``+`` and a
number; the texts of a new row are under its name as for the others: ``/rows/+1/pays``.
"""

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from certify.errors import NotConfigured, NotReadable
from certify.formatting import read_pay
from certify.intake.strict_json import scan
from certify.model.finding import Document, Span

ROWS: Final = "/rows"
TEXTS: Final = ("event", "name", "pays")
"""The texts of a row that every row has, in the order in which files write them."""

MOST: Final = 200
"""Rows of a table that can be added to; the longest of ours has twelve."""

_NEW: Final = re.compile(r"\+[0-9]{1,3}")


def arrangement(document: Document, values: Mapping[str, str]) -> list[str]:
    """Return the names of the rows in the order of a draft; those of the file if it has none.

    A file without rows has no arrangement.
    """
    there = [str(number) for number in range(len(document.value.get("rows", ())))]
    if ROWS not in values or not there:
        return there
    named = dict.fromkeys(values[ROWS].split())
    return [row for row in named if row in there or _NEW.fullmatch(row)]


def read_typed(name: str, text: str) -> str:
    """Return a typed text in declared form: a pay in any notation, an event by its words."""
    if name.endswith("/event"):
        return "_".join(text.casefold().replace("-", " ").split())
    return (read_pay(text) or text) if name.endswith("/pays") else text


def new_row(values: Mapping[str, str], row: str) -> str:
    """Return the text of a new row, as files write one."""
    texts = {name: values.get(f"{ROWS}/{row}/{name}", "") for name in TEXTS}
    return json.dumps(texts, ensure_ascii=False)


def rearrange_rows(
    document: Document, values: Mapping[str, str], act: str, row: str
) -> dict[str, str]:
    """Return a draft with one row moved up or down, removed, or added for an event.

    Args:
        document: the paytable's file.
        values: the draft.
        act: ``up``, ``down``, ``remove`` or ``add``.
        row: the name of the row, or the id of the event that a row is added for.

    Raises:
        NotReadable: there is no such act or row, the last row is removed, or there are too many.
    """
    order = arrangement(document, values)
    draft = dict(values)
    if act == "add":
        if len(order) >= MOST:
            raise NotReadable(f"A paytable has at most {MOST} rows.", remedy="Remove a row.")
        last = max((int(id_[1:]) for id_ in order if _NEW.fullmatch(id_)), default=0)
        order.append(f"+{last + 1}")
        texts = {"event": row, "name": row.replace("_", " ").title(), "pays": ""}
        draft |= {f"{ROWS}/{order[-1]}/{name}": text for name, text in texts.items()}
    elif row not in order or act not in ("up", "down", "remove"):
        raise NotReadable("There is no such row.", remedy="Open the page again.")
    elif act == "remove":
        if len(order) == 1:
            raise NotReadable(
                "This is the last row; a paytable needs at least one.",
                remedy="Add another row first.",
            )
        order.remove(row)
        draft = {name: text for name, text in draft.items() if f"{ROWS}/{row}/" not in name}
    else:
        place = order.index(row)
        order.insert(max(place + (-1 if act == "up" else 1), 0), order.pop(place))
    return draft | {ROWS: " ".join(order)}


SEPARATOR = ",\n    "
"""Between rows, in a file that has only one."""


def replace_values(document: Document, values: Mapping[str, str]) -> str:
    """Return the file's text with texts of it replaced, each at its pointer, and rows arranged.

    A pointer to something else than a text of the file is passed over. The value of ``/rows`` is
    the arrangement of the rows.
    """
    edits = sorted(
        (_offset(document, span), span.length, json.dumps(value, ensure_ascii=False))
        for pointer, value in values.items()
        if (span := document.spans.get(pointer)) is not None
        and isinstance(resolve_pointer(document, pointer), str)
        and resolve_pointer(document, pointer) != value
    )

    def apply_edits(begin: int, end: int) -> str:
        """Return a part of the text with its edits."""
        parts, last = [], begin
        for place, length, text in edits:
            if begin <= place < end:
                parts += [document.text[last:place], text]
                last = place + length
        return "".join([*parts, document.text[last:end]])

    end, order = len(document.text), arrangement(document, values)
    if order == arrangement(document, {}):
        return apply_edits(0, end)
    places = _find_rows(document)
    between = document.text[places[0][1] : places[1][0]] if len(places) > 1 else SEPARATOR
    rows = [
        apply_edits(*places[int(row)]) if row.isdecimal() else new_row(values, row) for row in order
    ]
    return apply_edits(0, places[0][0]) + between.join(rows) + apply_edits(places[-1][1], end)


def add_revision(document: Document, revision: str | None, day: str, text: str) -> str:
    """Return the text of the file of a game or a filing with its next revision.

    Args:
        document: the file, which declares a revision and its date.
        revision: the id of the next one; None for the number after the last.
        day: its date.
        text: its changes.

    Raises:
        NotReadable: the text is missing, or the last revision is no number and none is given.
        NotConfigured: there is such a revision already.
    """
    last = str(document.value["revision"])
    if not text:
        raise NotReadable(
            "A revision needs a list of changes.",
            remedy="Write a sentence, such as “Rule 3 reworded.”",
        )
    if revision is None and not last.isdecimal():
        raise NotReadable(
            f"Revision {last} is not a number, so the next one is unknown.",
            remedy="Name it with --revision.",
        )
    revision = revision or str(int(last) + 1)
    if revision in {last, *(change["revision"] for change in document.value.get("changes", ()))}:
        raise NotConfigured(
            f"{document.path} already has the revision {revision}.", remedy="Choose another id."
        )
    edited = replace_values(document, {"/revision": revision, "/revised": day})
    document = scan(edited.encode(), document.path)[0]
    entry = {"revision": revision, "date": day, "text": text}
    listed = document.value.get("changes")
    pointer = f"/changes/{len(listed) - 1}" if listed else "/revised"
    begin = _offset(document, document.spans[pointer])
    end = json.JSONDecoder().raw_decode(document.text, begin)[1]
    added = json.dumps(entry if listed else [entry], ensure_ascii=False)
    name = "" if listed else '"changes": '
    return f"{edited[:end]}, {name}{added}{edited[end:]}"


def _offset(document: Document, span: Span) -> int:
    """Return the position of a value in the text of its file."""
    lines = document.text.split("\n")[: span.line - 1]
    return sum(map(len, lines)) + len(lines) + span.column - 1


def _find_rows(document: Document) -> list[tuple[int, int]]:
    """Return the start and end of each row of a paytable in its text; there is at least one."""
    places = []
    for number in range(len(document.value["rows"])):
        begin = _offset(document, document.spans[f"/rows/{number}"])
        places.append((begin, json.JSONDecoder().raw_decode(document.text, begin)[1]))
    return places


def resolve_pointer(document: Document, pointer: str) -> object:
    """Return the value at an RFC 6901 pointer; None if the file has none."""
    value = document.value
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return value


class DiffLine(Struct, frozen=True, kw_only=True):
    """One line of a difference, with the kind ``added``, ``removed`` or ``kept``."""

    kind: str
    text: str


def difference(before: str, after: str) -> Iterator[DiffLine]:
    """Yield the lines that differ, each with two lines around it, in one layout of the values."""
    kinds = {"+": "added", "-": "removed", " ": "kept"}
    old, new = (_lay_out(json.loads(text)).split("\n") for text in (before, after))
    for number, line in enumerate(difflib.unified_diff(old, new, n=2, lineterm="")):
        if number > 1 and line[0] in kinds:
            yield DiffLine(kind=kinds[line[0]], text=line[1:])


def _lay_out(value: Any, indent: str = "") -> str:  # noqa: ANN401 - JSON values
    """Return JSON with a line for each part, except of lists and objects without inner ones."""
    is_object = isinstance(value, dict)
    parts = value.values() if is_object else value if isinstance(value, list) else ()
    if not any(isinstance(part, (dict, list)) for part in parts):
        return json.dumps(value, ensure_ascii=False)
    inner = f"{indent}  "
    names = [f"{json.dumps(name)}: " if is_object else "" for name in value]
    lines = [
        f"{inner}{name}{_lay_out(part, inner)}" for name, part in zip(names, parts, strict=True)
    ]
    begin, end = "{}" if is_object else "[]"
    return ",\n".join(lines).join((f"{begin}\n", f"\n{indent}{end}"))
