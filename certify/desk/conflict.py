"""Page that settles a paytable that two windows changed, row by row."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.declare import editing
from certify.declare.rewriting import ROWS, TEXTS, arrangement
from certify.desk.answers import NotHere, get_route, page, post_route, redirect
from certify.desk.paytable import ADDRESS, UNCOUNTED, Opened, get_table, rows_edited

Rows = dict[str, dict[str, Any]]
"""The rows of a version in their order, by name."""


def read_rows(here: Opened, values: Mapping[str, str]) -> Rows:
    """Return the rows with the given changes."""
    return {row["row"]: row for row in rows_edited(here, values, UNCOUNTED)}


def write_rows(rows: Rows) -> dict[str, str]:
    """Return rows as the changes of a draft."""
    texts = {f"{ROWS}/{name}/{text}": row[text] for name, row in rows.items() for text in TEXTS}
    return {ROWS: " ".join(rows), **texts}


def _load_mine(here: Opened, window: str, theirs: Rows) -> Rows:
    """Return the rows that were typed in a window, under the names of the same rows of the draft.

    A new row, and a row of an earlier file, is the row of the draft with the same event.

    Raises:
        NotHere: the window has typed nothing, or its changes were settled.
    """
    other = editing.load_others(here.table.target, here.document).get(window)
    if other is None:
        raise NotHere("There is nothing left to decide.", remedy="Open the paytable again.")
    values = other["values"]
    same = other["base"] == here.document.sha256
    order = values.get(ROWS, " ".join(arrangement(here.document, {}))).split()
    news = (name for name in map("+{}".format, count(1)) if name not in {*theirs, *order})
    names: dict[str, str] = {}
    for row in order:
        event = values.get(f"{ROWS}/{row}/event", "")
        alike = (
            name
            for name, their in theirs.items()
            if their["event"] == event
            and name not in names.values()
            and not (same and name.isdecimal())
        )
        match = row if same and row.isdecimal() else next(alike, None)
        names[row] = match or next(news)
    renamed = {
        f"{ROWS}/{names[row]}/{name}": values[f"{ROWS}/{row}/{name}"]
        for row in order
        for name in TEXTS
        if f"{ROWS}/{row}/{name}" in values
    }
    return read_rows(here, {**renamed, ROWS: " ".join(names.values())})


def _list_differences(here: Opened, mine: Rows, theirs: Rows) -> Iterator[dict[str, Any]]:
    """Yield each row that differs, and if my version of it differs from the saved file."""
    saved = read_rows(here, {})
    for name in {**mine, **theirs}:
        versions = [
            row and [row[text] for text in TEXTS]
            for row in (mine.get(name), theirs.get(name), saved.get(name))
        ]
        if versions[0] != versions[1]:
            yield {
                "name": name,
                "mine": mine.get(name),
                "theirs": theirs.get(name),
                "changed": versions[0] != versions[2],
            }


def _show(request: Request) -> Response:
    here, window = get_table(request), request.query_params.get("window", "")
    theirs = read_rows(here, here.draft)
    mine = _load_mine(here, window, theirs)
    differences = list(_list_differences(here, mine, theirs))
    view = {"here": here, "window": window, "differences": differences}
    return page(request, "conflict", view)


def _settle(request: Request, form: FormData) -> Response:
    here, window = get_table(request), str(form.get("window", ""))
    theirs = read_rows(here, here.draft)
    mine = _load_mine(here, window, theirs)
    chosen: Rows = {}
    for name in {**mine, **theirs}:
        use = str(form.get("all") or form.get(f"use {name}", "theirs"))
        row = (mine if use == "mine" else theirs).get(name)
        chosen |= {name: row} if row else {}
    editing.settle(here.table.target, window, here.document, write_rows(chosen))
    return redirect(here.address)


ROUTES = (get_route(f"{ADDRESS}/conflict", _show), post_route(f"{ADDRESS}/conflict", _settle))
