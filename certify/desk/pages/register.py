"""Register: what was filed where and when, and what has changed since."""

import datetime as dt
from pathlib import Path

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.desk.answers import download, moved, page, posted, record, shown, today
from certify.errors import NotReadable
from certify.formatting import csv_bytes
from certify.model.approval import ApprovalStatus
from certify.pipeline.declare.terms_form import own_folder
from certify.pipeline.listing import COLUMNS, FORMS, approval_json, listed
from certify.pipeline.registration import Entry, add
from certify.pipeline.targets import declared


def _path() -> Path:
    return (library.project() or Path.cwd()) / "register.json"


def _show(request: Request) -> Response:
    entries, findings = listed(_path(), today())
    catalogue = declared()
    games, states = catalogue.games, catalogue.jurisdictions.values()
    tables = [
        target
        for target in catalogue.documents
        if target.count("/") > 1 and "/envy/" not in target and target.split("/")[0] in games
    ]
    view = {
        "entries": entries[::-1],
        "days_ago": {due: -due.days for entry in entries for due in entry.due if due.passed},
        "findings": findings,
        "targets": sorted([*games, *tables]),
        "states": states,
        "statuses": [known for known in ApprovalStatus if known is not ApprovalStatus.SUPERSEDED],
        "today": today(),
        "untimed": [state.name for state in states if not state.deadlines],
    }
    return page(request, "register", view)


def _record(_: Request) -> Response:
    return record({"approvals": [entry.record for entry in listed(_path(), today())[0]]}, FORMS)


def _export(_: Request) -> Response:
    entries = [approval_json(entry.record) for entry in listed(_path(), today())[0]]
    table = csv_bytes(COLUMNS, ([entry.get(name) for name in COLUMNS] for entry in entries))
    return download(table, "register.csv", "text/csv; charset=utf-8")


def _add(_: Request, form: FormData) -> Response:
    own_folder("register")  # refused where no project is open
    day = str(form.get("date", ""))
    try:
        when = dt.date.fromisoformat(day) if day else today()
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
