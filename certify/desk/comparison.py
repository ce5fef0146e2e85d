"""Comparison pages: two records by meaning, the filings of a game, those a change touches."""

import datetime as dt
import tempfile
from collections.abc import Sequence
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.commands.diff import DiffRequest, diff, print_redline, view_redline
from certify.commands.submissions.filings import (
    differences_json,
    list_differences,
    list_touched,
    touched_table,
)
from certify.desk.answers import (
    NotHere,
    Refused,
    download,
    get_files,
    get_result,
    get_route,
    page,
    post_route,
    read_upload,
    record,
    start_job,
    today,
)
from certify.desk.games import list_tables
from certify.errors import NotConfigured
from certify.figures.evaluate import overview
from certify.figures.targets import unknown_id
from certify.filing.declaration import read_filings
from certify.model.comparison import Difference
from certify.model.encoding import Progress
from certify.report.diff_view import difference_json
from certify.report.tables import table

KINDS = (".json", ".pdf")


def _list_comparable() -> list[str]:
    """Return the names that can be compared; names are looked up here and are never paths."""
    catalog = overview().catalog
    tables = [table.target for game in catalog.games.values() for table in list_tables(game)]
    return sorted([*catalog.games, *catalog.house_ways, *tables, *read_filings()])


def _find(request: Request, names: list[str]) -> Difference | None:
    """Return the difference that a job found, or of two names; None if a name is missing."""
    if "job" in request.path_params:
        otherwise = NotHere("This job has no comparison.", remedy="Compare again.")
        return get_result(request, Difference, otherwise)
    sides = [request.query_params.get(name, "").strip() for name in ("before", "after")]
    if not all(sides):
        return None
    for name in sides:
        if name not in names:
            raise unknown_id("game, house way, paytable or filing", name, names)
    return diff(DiffRequest(before=sides[0], after=sides[1], as_of=today()))


def _show(request: Request) -> Response:
    names = _list_comparable()
    try:
        return _page(request, names, _find(request, names), "/compare")
    except NotConfigured as error:
        return _page(request, names, None, "/compare", error)


def _page(
    request: Request,
    names: list[str],
    difference: Difference | None,
    address: str,
    error: NotConfigured | None = None,
) -> Response:
    """Show the form with a difference, which can be downloaded below ``address``, or the error."""
    return page(
        request,
        "comparison",
        known=names,
        asked={name: request.query_params.get(name, "") for name in ("before", "after")},
        record=f"{address}.json?{request.url.query}",
        pdf=f"{address}.pdf?{request.url.query}",
        difference=view_redline(difference, today())[0] if difference else None,
        error=error,
        findings=(),
        status=404 if error else 200,
    )


def _print(request: Request) -> Response:
    difference = _find(request, _list_comparable())
    if difference is None:
        raise NotHere("Nothing is compared.", remedy="Compare two entries first.")
    return download(print_redline(difference, today()), "redline.pdf")


def _record(request: Request) -> Response:
    difference = _find(request, _list_comparable())
    return record(difference_json(difference) if difference is not None else {})


Side = tuple[str, bytes | None]
"""The name of a record or of a file, and the file's bytes."""


def compare_sides(progress: Progress, *, sides: Sequence[Side], as_of: dt.date) -> Difference:
    """Compare files, or files with the catalog: the work of a job."""
    with tempfile.TemporaryDirectory(prefix="certify-") as folder:
        names = [_name_side(Path(folder) / str(n), side) for n, side in enumerate(sides)]
        request = DiffRequest(before=names[0], after=names[1], as_of=as_of, progress=progress)
        return replace(diff(request), before=sides[0][0], after=sides[1][0])


def _name_side(folder: Path, side: Side) -> str:
    """Return the comparison's name of a side: an id, or the path of a file."""
    name, data = side
    if data is None:
        return name
    folder.mkdir()
    path = folder / name
    path.write_bytes(data)
    return str(path)


def _side(form: FormData, name: str, names: list[str]) -> Side:
    typed = str(form.get(name, "")).strip()
    for upload in get_files(form, f"{name}_file"):
        called, data = read_upload(upload)
        if Path(called).suffix.lower() not in KINDS:
            raise Refused(
                f"{called} cannot be compared.",
                remedy="Choose a declared JSON file, or a PDF that certify signed.",
            )
        return called, data
    if not typed:
        raise Refused(f"There is no entry {name}.", remedy="Choose a file, or name an entry.")
    if typed not in names:
        raise unknown_id("game, house way, paytable or filing", typed, names)
    return typed, None


def _compare(request: Request, form: FormData) -> Response:
    names = _list_comparable()
    return begin_comparison(
        request, [_side(form, name, names) for name in ("before", "after")], "/compare"
    )


def begin_comparison(request: Request, sides: Sequence[Side], back: str) -> Response:
    """Begin to compare two sides, and go to the page of the job."""
    return start_job(
        request,
        f"{sides[0][0]} and {sides[1][0]} compared",
        compare_sides,
        {"sides": sides, "as_of": today()},
        then="/compare/files/{id}",
        back=back,
    )


def _files(request: Request) -> Response:
    names = _list_comparable()
    return _page(request, names, _find(request, names), f"{request.url.path}/record")


def _show_matrix(request: Request) -> Response:
    names, rows = list_differences(request.path_params["game"])
    return page(
        request,
        "filings",
        game=request.path_params["game"],
        names=names,
        table=table("", " | ".join(["Topic", *names]), [(each, *rows[each]) for each in rows]),
    )


def _matrix_record(request: Request) -> Response:
    return record(differences_json(*list_differences(request.path_params["game"])))


def _show_impact(request: Request) -> Response:
    touched = list_touched(request.path_params["target"])
    return page(
        request,
        "impact",
        target=request.path_params["target"],
        table=touched_table(touched),
        rules={each.jurisdiction: each for each in touched}.values(),
    )


def _impact_record(request: Request) -> Response:
    return record({"filings": to_builtins(list_touched(request.path_params["target"]))})


ROUTES = (
    get_route("/filings/{game}.json", _matrix_record),
    get_route("/filings/{game}", _show_matrix),
    get_route("/impact/{target:path}.json", _impact_record),
    get_route("/impact/{target:path}", _show_impact),
    get_route("/compare", _show),
    get_route("/compare.json", _record),
    get_route("/compare.pdf", _print),
    post_route("/compare", _compare),
    get_route("/compare/files/{job}", _files),
    get_route("/compare/files/{job}/record.json", _record),
    get_route("/compare/files/{job}/record.pdf", _print),
)
