"""Changes of values in the text of a declared file; all other text is unchanged.

The entries of a list can be rearranged: moved, removed, added. An arrangement is a text in the
values of a draft, under the pointer of the list: the names of the entries in their new order,
separated by blanks. An entry of the file is named by its position there, a new one by ``+`` and a
number; the texts of a new entry are under its name as for the others: ``/rows/+1/pays``.
"""

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from certify.errors import NotConfigured, NotReadable
from certify.formatting import read_pay
from certify.intake.strict_json import scan
from certify.model.finding import Document, Span
from certify.model.game import INITIAL

ROWS: Final = "/rows"
TEXTS: Final = ("event", "name", "pays")
"""The texts of a row that every row has, in the order in which files write them."""

MOST: Final = 200
"""Entries of a list that can be added to; the longest of ours has about sixty."""

NUMBERS: Final = ("players",)
"""Fields of entries that are whole numbers."""

CLAUSE: Final = "clause"

_NEW: Final = re.compile(r"\+[0-9]{1,3}")


def arrangement(document: Document, values: Mapping[str, str], at: str = ROWS) -> list[str]:
    """Return the names of a list's entries in the order of a draft, or else of the file.

    A value that is no list has no arrangement.
    """
    listed = resolve_pointer(document, at)
    if not isinstance(listed, list):
        return []
    there = [str(number) for number in range(len(listed))]
    if at not in values:
        return there
    named = dict.fromkeys(values[at].split())
    return [name for name in named if name in there or _NEW.fullmatch(name)]


def read_typed(name: str, text: str) -> str:
    """Return a typed text in declared form: a pay in any notation, an event by its words."""
    if name.endswith("/event"):
        return "_".join(text.casefold().replace("-", " ").split())
    return (read_pay(text) or text) if name.endswith("/pays") else text


def new_entry(values: Mapping[str, str], key: str) -> str:
    """Return the text of a new entry, as files write one; ``key`` is its pointer.

    A row has all its texts; of other entries, fields that are empty are left out, except an unknown
    clause, which is null.
    """
    is_row = key.startswith(f"{ROWS}/")
    record: dict[str, Any] = dict.fromkeys(TEXTS, "") if is_row else {}
    for pointer, text in values.items():
        *parents, name = pointer.removeprefix(f"{key}/").split("/")
        if pointer.startswith(f"{key}/") and (text or is_row or name == CLAUSE):
            part = record
            for parent in parents:
                part = part.setdefault(parent, {})
            is_number = name in NUMBERS and text.isdecimal()
            part[name] = int(text) if is_number else text or (None if name == CLAUSE else "")
    return json.dumps(_join_lists(record), ensure_ascii=False)


def _join_lists(value: Any) -> Any:  # noqa: ANN401 - JSON values
    """Return a value with a list in place of each object whose names are all positions."""
    if not isinstance(value, dict):
        return value
    parts = {name: _join_lists(part) for name, part in value.items()}
    return list(parts.values()) if parts and all(map(str.isdecimal, parts)) else parts


def add_entry(
    document: Document, values: Mapping[str, str], texts: Mapping[str, str], at: str = ROWS
) -> dict[str, str]:
    """Return a draft with a new entry at the end of a list.

    Raises:
        NotReadable: the list has too many entries.
    """
    order = arrangement(document, values, at)
    if len(order) >= MOST:
        raise NotReadable(f"A list has at most {MOST} entries.", remedy="Remove an entry.")
    last = max((int(name[1:]) for name in order if _NEW.fullmatch(name)), default=0)
    order.append(f"+{last + 1}")
    added = {f"{at}/{order[-1]}/{name}": text for name, text in texts.items()}
    return {**values, **added, at: " ".join(order)}


def rearrange(
    document: Document, values: Mapping[str, str], act: str, name: str, at: str = ROWS
) -> dict[str, str]:
    """Return a draft with one entry of a list moved or removed.

    Args:
        document: the file.
        values: the draft.
        act: ``up``, ``down`` or ``remove``.
        name: the name of the entry.
        at: the pointer of the list.

    Raises:
        NotReadable: there is no such act or entry, or the last row of a paytable is removed.
    """
    order = arrangement(document, values, at)
    draft = dict(values)
    if name not in order or act not in ("up", "down", "remove"):
        raise NotReadable("There is no such entry.", remedy="Open the page again.")
    if act == "remove":
        if at == ROWS and len(order) == 1:
            raise NotReadable(
                "This is the last row; a paytable needs at least one.",
                remedy="Add another row first.",
            )
        order.remove(name)
        draft = {key: text for key, text in draft.items() if not key.startswith(f"{at}/{name}/")}
    else:
        place = order.index(name)
        order.insert(max(place + (-1 if act == "up" else 1), 0), order.pop(place))
    return draft | {at: " ".join(order)}


SEPARATOR = ",\n    "
"""Between entries, in a list that has fewer than two."""


def replace_values(document: Document, values: Mapping[str, str]) -> str:
    """Return the file's text with texts of it replaced, each at its pointer, and lists arranged.

    A pointer to something else than a text or null in the file is passed over. The value of a
    list is its arrangement.
    """
    edits = sorted(
        (_offset(document, span), span.length, json.dumps(value, ensure_ascii=False))
        for pointer, value in values.items()
        if (span := document.spans.get(pointer)) is not None
        and isinstance(resolve_pointer(document, pointer), str | None)
        and (resolve_pointer(document, pointer) or "") != value
    )

    def apply_edits(begin: int, end: int) -> str:
        """Return a part of the text with its edits."""
        parts, last = [], begin
        for place, length, text in edits:
            if begin <= place < end:
                parts += [document.text[last:place], text]
                last = place + length
        return "".join([*parts, document.text[last:end]])

    rearranged = sorted(
        (_offset(document, document.spans[at]), at)
        for at in values
        if arrangement(document, values, at) != arrangement(document, {}, at)
    )
    parts, last = [], 0
    for begin, at in rearranged:
        places = _find_entries(document, at)
        start, end = (places[0][0], places[-1][1]) if places else (begin + 1, begin + 1)
        between = _find_separator(document, places)
        entries = [
            apply_edits(*places[int(name)])
            if name.isdecimal()
            else new_entry(values, f"{at}/{name}")
            for name in arrangement(document, values, at)
        ]
        parts += [apply_edits(last, start), between.join(entries)]
        last = end
    return "".join([*parts, apply_edits(last, len(document.text))])


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
    first = {"revision": last, "date": document.value["revised"], "text": INITIAL}
    edited = replace_values(document, {"/revision": revision, "/revised": day})
    document = scan(edited.encode(), document.path)[0]
    entry = {"revision": revision, "date": day, "text": text}
    listed = document.value.get("changes")
    pointer = f"/changes/{len(listed) - 1}" if listed else "/revised"
    begin = _offset(document, document.spans[pointer])
    end = json.JSONDecoder().raw_decode(document.text, begin)[1]
    added = json.dumps(entry if listed else [first, entry], ensure_ascii=False)
    name = "" if listed else '"changes": '
    return f"{edited[:end]}, {name}{added}{edited[end:]}"


def _offset(document: Document, span: Span) -> int:
    """Return the position of a value in the text of its file."""
    lines = document.text.split("\n")[: span.line - 1]
    return sum(map(len, lines)) + len(lines) + span.column - 1


def _find_entries(document: Document, at: str) -> list[tuple[int, int]]:
    """Return the start and end of each entry of a list in the text of its file."""
    listed = resolve_pointer(document, at)
    places = []
    for number in range(len(listed) if isinstance(listed, list) else 0):
        begin = _offset(document, document.spans[f"{at}/{number}"])
        places.append((begin, json.JSONDecoder().raw_decode(document.text, begin)[1]))
    return places


def read_entry(document: Document, at: str, place: int) -> str:
    """Return the text of an entry of a list."""
    begin, end = _find_entries(document, at)[place]
    return document.text[begin:end]


def insert_entry(document: Document, at: str, place: int, entry: str) -> str:
    """Return the file's text with the text of an entry at a place of a list, or else at its end."""
    text, places = document.text, _find_entries(document, at)
    between = _find_separator(document, places)
    if place < len(places):
        begin, inserted = places[place][0], f"{entry}{between}"
    elif places:
        begin, inserted = places[-1][1], f"{between}{entry}"
    else:
        begin, inserted = _offset(document, document.spans[at]) + 1, entry
    return f"{text[:begin]}{inserted}{text[begin:]}"


def _find_separator(document: Document, places: Sequence[tuple[int, int]]) -> str:
    """Return the text between the first two entries of a list."""
    return document.text[places[0][1] : places[1][0]] if len(places) > 1 else SEPARATOR


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
