"""Compare: two tables, games or house ways by meaning, and what filing the change needs."""

import datetime as dt
from typing import TYPE_CHECKING

from certify import __version__
from certify.desk.answers import page, record, shown
from certify.model.difference import Difference
from certify.pipeline.redline.diff import DiffRequest, diff
from certify.pipeline.targets import declared, unknown
from certify.report.diff_view import diff_view, difference_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("Compare", "/compare"),)


def _known() -> list[str]:
    """Return what may be compared; names are looked up here and are never paths."""
    catalogue = declared()
    tables = [
        table.target
        for game in catalogue.games.values()
        for wager in game.wagers
        for table in wager.records
    ]
    return sorted([*catalogue.games, *catalogue.house_ways, *tables])


def _difference(request: "Request", known: list[str], today: dt.date) -> Difference | None:
    sides = [request.query_params.get(name, "").strip() for name in ("before", "after")]
    if not all(sides):
        return None
    for name in sides:
        if name not in known:
            raise unknown("record", name, known)
    return diff(DiffRequest(before=sides[0], after=sides[1], as_of=today))


def _show(request: "Request") -> "Response":
    known, today = _known(), dt.datetime.now(dt.UTC).date()
    found = _difference(request, known, today)
    asked = {name: request.query_params.get(name, "") for name in ("before", "after")}
    view: dict[str, object] = {
        "known": known,
        "asked": asked,
        "query": request.url.query,
        "difference": None,
    }
    if found is not None:
        view["difference"] = diff_view(found, as_of=today, engine_version=__version__)
    return page(request, "comparison", view)


def _record(request: "Request") -> "Response":
    found = _difference(request, _known(), dt.datetime.now(dt.UTC).date())
    return record(difference_json(found) if found is not None else {})


ROUTES = (shown("/compare", _show), shown("/compare.json", _record))
