"""The rows of a paytable as somebody arranges them: moved, taken out, added.

An arrangement is a text among the values of a draft, under the pointer of the rows: the rows that
stand in the table now, in their order, parted by blanks. A row of the file is named by its place
there, a new one by ``+`` and a number; the texts of a new row stand under its name as those of
the others do: ``/rows/+1/pays``.
"""

import json
import re
from collections.abc import Mapping
from typing import Final

from certify.errors import NotReadable
from certify.model.document import Document

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


def new_row(values: Mapping[str, str], row: str) -> str:
    """Return the text of a new row, as files write one."""
    texts = {name: values.get(f"{ROWS}/{row}/{name}", "") for name in TEXTS}
    return json.dumps(texts, ensure_ascii=False)


def rearranged(document: Document, values: Mapping[str, str], act: str, row: str) -> dict[str, str]:
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
    given = dict(values)
    if act == "add":
        if len(order) >= MOST:
            raise NotReadable(f"A paytable has {MOST} rows at most.", remedy="Remove a row.")
        last = max((int(id_[1:]) for id_ in order if _NEW.fullmatch(id_)), default=0)
        order.append(f"+{last + 1}")
        words = row.replace("_", " ").title()
        texts = {"event": row, "name": words, "pays": ""}
        given |= {f"{ROWS}/{order[-1]}/{name}": text for name, text in texts.items()}
    elif row not in order or act not in ("up", "down", "remove"):
        raise NotReadable("There is no such row.", remedy="Open the page again.")
    elif act == "remove":
        if len(order) == 1:
            raise NotReadable(
                "This is the last row, and a paytable has one at least.",
                remedy="Add another row first.",
            )
        order.remove(row)
        given = {name: text for name, text in given.items() if f"{ROWS}/{row}/" not in name}
    else:
        place = order.index(row)
        order.insert(max(place + (-1 if act == "up" else 1), 0), order.pop(place))
    return given | {ROWS: " ".join(order)}
