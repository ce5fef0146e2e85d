"""Cases: the matrix of games and jurisdictions, and the page of each case."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.commands.submissions.cases import COLUMNS, Case, list_cases, list_rows
from certify.desk.answers import NotHere, download, get_route, page, today
from certify.desk.filing_order import kept_jurisdiction
from certify.desk.submissions import MEDIA, describe, describe_files
from certify.errors import CertifyError
from certify.figures.evaluate import overview
from certify.formatting import csv_bytes
from certify.report.table_workbook import table_workbook


def _cases() -> tuple[tuple[Case, ...], tuple[str, ...]]:
    project = library.project()
    return list_cases(project) if project is not None else ((), ())


def case_address(case: Case) -> str:
    """Return the address of the page of a case."""
    filing = f"?{urlencode({'filing': case.filing})}" if case.filing else ""
    return f"/cases/{case.game}/{case.jurisdiction}{filing}"


def _describe(case: Case) -> dict[str, Any]:
    """Return a case with its names, its addresses and its submission."""
    catalog = overview().catalog
    game = catalog.games.get(case.game)
    order = {"game": case.game, "jurisdiction": case.jurisdiction, "filing": case.filing}
    return {
        "case": case,
        "address": case_address(case),
        "game": game.name if game else case.game,
        "state": catalog.jurisdiction_name(case.jurisdiction),
        "form": f"/submit?{urlencode({name: text for name, text in order.items() if text})}",
        "current": describe(case.current) if case.current is not None else None,
    }


def _list(request: Request) -> Response:
    """Show the matrix, and all drafts and filings."""
    query, data = request.query_params, overview()
    cases, problems = _cases()
    described = [_describe(case) for case in cases]
    game = query.get("game", "")
    view = {
        "cases": described,
        "rows": list({each["case"].game: each["game"] for each in described}.items()),
        "columns": list({each["case"].jurisdiction: each["state"] for each in described}.items()),
        "submissions": [describe(submission) for case in cases for submission in case.submissions],
        "problems": problems,
        "games": data.catalog.games.values(),
        "states": data.catalog.jurisdictions.values(),
        "chosen": {
            "game": game,
            "state": query.get("jurisdiction", "") or kept_jurisdiction(game),
            "new": query.get("new", ""),
        },
        "form": None,
    }
    return page(request, "cases", view)


def _find(request: Request) -> Sequence[Case]:
    """Return the cases of a game in a jurisdiction, the one that the address names first.

    Raises:
        NotHere: there is none.
    """
    game, state = (request.path_params[name] for name in ("game", "jurisdiction"))
    cases = [each for each in _cases()[0] if (each.game, each.jurisdiction) == (game, state)]
    if not cases:
        raise NotHere("There is no such case.", remedy="Choose a case from the list.")
    filing = request.query_params.get("filing", cases[0].filing)
    return sorted(cases, key=lambda each: each.filing != filing)


def _show(request: Request) -> Response:
    first, *others = _find(request)
    catalog = overview().catalog
    state = catalog.jurisdictions.get(first.jurisdiction)
    approved = {entry.id for entry in first.approved}
    before = [
        each
        for each in first.submissions
        if each is not first.current and approved & {entry.id for entry in each.entries or ()}
    ]
    try:
        changes: tuple[str, ...] | None = first.list_changes(catalog)
    except CertifyError:
        changes = None
    view = {
        **_describe(first),
        "others": [_describe(each) for each in others],
        "earlier": [describe(each) for each in first.submissions if each is not first.current],
        "regulator": state.regulator if state else first.jurisdiction,
        "files": describe_files(first.current) if first.current else {},
        "due": first.list_due(catalog, today()),
        "approved": first.approved[-1] if first.approved else None,
        "changes": changes,
        "before": describe(before[0]) if before else None,
    }
    return page(request, "case", view)


def _export(request: Request) -> Response:
    """Return the cases as a table: CSV, or a workbook."""
    day = today()
    rows = list_rows(_cases()[0], overview().catalog, day)
    ending = Path(request.url.path).suffix
    data = (
        csv_bytes(COLUMNS, rows)
        if ending == ".csv"
        else table_workbook("Cases", COLUMNS, rows, day)
    )
    return download(data, f"cases{ending}", MEDIA.get(ending, "text/csv; charset=utf-8"))


ROUTES = (
    get_route("/cases", _list),
    get_route("/cases.csv", _export),
    get_route("/cases.xlsx", _export),
    get_route("/cases/{game}/{jurisdiction}", _show),
)
