"""Register: what was filed where and when, and what has changed since."""

import csv
import datetime as dt
import io
from pathlib import Path
from typing import TYPE_CHECKING

from certify import library
from certify.desk.answers import Choice, moved, page, posted, record, shown
from certify.errors import NotReadable
from certify.model.approval import ApprovalStatus
from certify.pipeline.declare.table_terms import own_folder
from certify.pipeline.register.listing import COLUMNS, FORMS, Listed, approval_json, listed
from certify.pipeline.register.registration import Entry, add
from certify.pipeline.targets import declared

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from certify.model.finding import Finding

MENU = (("Register", "/register"),)


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


def _path() -> Path:
    return (library.project() or Path.cwd()) / "register.json"


def _listed() -> "tuple[tuple[Listed, ...], tuple[Finding, ...]]":
    return listed(_path(), _today())


def _show(request: "Request") -> "Response":
    records, findings = _listed()
    catalogue = declared()
    tables = [
        target for target in catalogue.documents if target.count("/") > 1 and "/envy/" not in target
    ]
    games, states = [*catalogue.games], catalogue.jurisdictions.values()
    return page(
        request,
        "register",
        {
            "records": [_row(entry) for entry in reversed(records)],
            "findings": findings,
            "targets": sorted(
                [*games, *(target for target in tables if target.split("/")[0] in games)]
            ),
            "states": [Choice(id=state.id, name=state.name) for state in states],
            "statuses": [
                Choice(id=str(status), name=str(status))
                for status in ApprovalStatus
                if status is not ApprovalStatus.SUPERSEDED
            ],
            "today": _today(),
            "timed": [state for state in states if state.deadlines],
            "untimed": [state.name for state in states if not state.deadlines],
        },
    )


def _row(entry: Listed) -> dict[str, object]:
    known = entry.record
    return {
        "record": known,
        "status": f"{known.status} by {known.superseded_by}"
        if known.superseded_by
        else str(known.status),
        "waits": entry.waiting is not None,
        "waiting": entry.waiting,
        "next_change": entry.next_change,
        "days": entry.days,
        "due": [{"due": each, "days": abs(each.days)} for each in entry.due],
    }


def _record(_: "Request") -> "Response":
    return record({"approvals": [entry.record for entry in _listed()[0]]}, FORMS)


def _export(_: "Request") -> "Response":
    from starlette.responses import Response

    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for entry in _listed()[0]:
        stated = approval_json(entry.record)
        writer.writerow([_cell(stated.get(name, "")) for name in COLUMNS])
    return Response(
        stream.getvalue().encode(),
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": 'attachment; filename="register.csv"'},
    )


def _cell(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _add(_: "Request", form: "FormData") -> "Response":
    own_folder("register")  # refused where no project is open
    day = str(form.get("date", ""))
    try:
        when = dt.date.fromisoformat(day) if day else _today()
    except ValueError as error:
        raise NotReadable(
            f"{day} is not a date.", remedy="Write year-month-day, such as 2026-11-21."
        ) from error
    status = str(form.get("status", ""))
    if status not in tuple(ApprovalStatus):
        raise NotReadable(f"{status!r} is no status.", remedy="Choose one of the list.")
    add(
        _path(),
        Entry(
            target=str(form.get("target", "")),
            jurisdiction=str(form.get("jurisdiction", "")),
            status=ApprovalStatus(status),
            day=when,
            house_way=str(form.get("house_way", "")) or None,
        ),
    )
    return moved("/register")


ROUTES = (
    shown("/register", _show),
    shown("/register.json", _record),
    shown("/register.csv", _export),
    posted("/register", _add),
)
