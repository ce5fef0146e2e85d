"""Import pages: vendors' files or pasted text, a preview with questions, and the take-over.

The request is that of `certify import`. A job reads the files; every answer reads them again.
"""

import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.commands.imports.import_paytables import MARKS, import_paytables
from certify.commands.imports.records import ImportedTable, ImportRequest, ImportResult
from certify.declare.rewriting import DiffLine
from certify.desk.answers import (
    Form,
    NotHere,
    get_files,
    get_result,
    get_route,
    page,
    post_route,
    read_fields,
    read_upload,
    record,
    start_job,
)
from certify.figures.evaluate import overview
from certify.formatting import correct_amount, money, read_cents
from certify.model.encoding import Progress
from certify.model.game import Game, Wager
from certify.model.request import build

PASTED = "pasted.txt"
"""The name of pasted text; its digest tells it from other pasted text."""

ANSWERS = ("matches", "pays", "tables")
"""Fields of the request with an answer for each name: a field of the form is ``matches/NAME``."""

AMOUNTS = ("base_wager_cents", "qualifying_wager_cents")

KINDS = {mark: kind for kind, mark in MARKS.items()}

Files = tuple[tuple[str, bytes], ...]


class Imported(Struct, frozen=True, kw_only=True):
    """The files of an import by their names, the request for them, and its result."""

    files: Files
    request: ImportRequest
    result: ImportResult


def import_files(*, progress: Progress, files: Files, request: ImportRequest) -> Imported:  # noqa: ARG001 - a job reports its progress
    """Import files: the work of a job."""
    with tempfile.TemporaryDirectory(prefix="certify-") as folder:
        paths = []
        for number, (name, data) in enumerate(files):
            paths.append(Path(folder) / str(number) / name)
            paths[-1].parent.mkdir()
            paths[-1].write_bytes(data)
        result = import_paytables(replace(request, files=tuple(paths)))
    matches = {**request.matches, **result.answered}  # remembered answers are shown as given
    request = replace(request, game=result.game, matches=matches)
    return Imported(files=files, request=request, result=result)


def _read_request(form: Form, files: Files, before: ImportRequest | None) -> ImportRequest | None:
    """Return the request of a form, with the earlier answers; None if a field has a fault."""
    answers: dict[str, dict[str, str]]
    answers = {name: dict(getattr(before, name)) if before else {} for name in ANSWERS}
    for field, texts in form.values.items():
        name, _, key = field.partition("/")
        if key and name in answers:
            answers[name][key] = texts[-1]
            if not texts[-1]:
                del answers[name][key]
    amounts = {name: read_cents(form.text(name)) for name in AMOUNTS if form.text(name)}
    for name, cents in amounts.items():
        if cents is None:
            text = form.text(name)
            form.faults[name] = f"{text} is not an amount of dollars. {correct_amount(text)}"
    if form.wrong:
        return None
    return build(
        ImportRequest,
        files=[name for name, _ in files],
        **{name: form.text(name) or None for name in ("game", "wager", "basis")},
        **answers,
        **amounts,
        preview=not form.text("take"),
    )


def _show(request: Request) -> Response:
    return _page(request, Form(values=read_fields(request.query_params)))


def _page(request: Request, form: Form) -> Response:
    games = overview().catalog.games
    game = games.get(form.text("game"))
    return page(
        request,
        "import",
        form=form,
        games=games.values(),
        wagers=_list_wagers(game) if game else (),
        status=422 if form.wrong else 200,
    )


def _list_wagers(game: Game) -> list[Wager]:
    return [wager for wager in game.wagers if not wager.options]


def _begin(request: Request, sent: FormData) -> Response:
    form = Form(values=read_fields(sent))
    files = [read_upload(upload) for upload in get_files(sent, "file")]
    if pasted := str(sent.get("pasted", "")).strip("\r\n"):
        files.append((PASTED, pasted.encode()))
    if not files:
        form.faults["file"] = "Choose a file, or paste a table."
    wanted = _read_request(form, tuple(files), None)
    return _page(request, form) if wanted is None else _start(request, tuple(files), wanted)


def _start(request: Request, files: Files, wanted: ImportRequest) -> Response:
    names = ", ".join(name for name, _ in files)
    query = {"game": wanted.game or "", "wager": wanted.wager or ""}
    return start_job(
        request,
        f"Import of {names}",
        import_files,
        {"files": files, "request": wanted},
        then="/import/{id}",
        back=f"/import?{urlencode(query)}",
    )


def _find_import(request: Request) -> Imported:
    return get_result(request, Imported, NotHere("This job is not an import."))


def _show_preview(request: Request) -> Response:
    imported = _find_import(request)
    wanted = imported.request
    values = {name: [getattr(wanted, name) or ""] for name in ("wager", "basis")}
    for name in AMOUNTS:
        cents = getattr(wanted, name)
        values[name] = [] if cents is None else [f"{cents // 100}.{cents % 100:02}"]
    for name in ANSWERS:
        values |= {f"{name}/{key}": [text] for key, text in getattr(wanted, name).items()}
    return _preview(request, imported, Form(values=values))


def _preview(request: Request, imported: Imported, form: Form) -> Response:
    result, wanted = imported.result, imported.request
    game = overview().catalog.games[result.game]
    answered = [(name, key) for name in ANSWERS for key in getattr(wanted, name)]
    asked = {(each.field.replace("leave_out", "tables"), each.key) for each in result.questions}
    asked |= {("tables", table.place) for table in result.tables if table.difference}
    events = {*result.events, *(event for each in result.questions for event in each.events)}
    return page(
        request,
        "import_preview",
        form=form,
        job=request.path_params["job"],
        result=result,
        taken=not (wanted.preview or result.refused),
        game=game,
        wagers=_list_wagers(game),
        tables=[_view_table(table) for table in result.tables],
        answered=[(*each, "/".join(each)) for each in answered if each not in asked],
        events={event: event.replace("_", " ") for event in sorted(events)},
        status=422 if form.wrong else 200,
    )


def _view_table(table: ImportedTable) -> dict[str, Any]:
    """Return a table with its rows as texts, and the lines that differ."""
    rows = [
        {
            "name": row["name"],
            "event": row["event"].replace("_", " "),
            "pays": row.get("pays") or money(row["prize_cents"]),
            "reason": reason,
        }
        for row, reason in zip(table.rows, table.reasons, strict=True)
    ]
    lines = [DiffLine(kind=KINDS[line[0]], text=line[2:]) for line in table.difference]
    return {"table": table, "rows": rows, "lines": lines, "first": table.first_differing}


def _answer(request: Request, sent: FormData) -> Response:
    """Read the files again with more answers, or take over what the preview shows."""
    imported, form = _find_import(request), Form(values=read_fields(sent))
    form.values["game"] = [imported.result.game]  # the one that the files name
    wanted = _read_request(form, imported.files, imported.request)
    if wanted is None:
        return _preview(request, imported, form)
    as_preview = replace(wanted, preview=True)
    is_shown = as_preview == imported.request
    return _start(request, imported.files, wanted if is_shown else as_preview)


def _record(request: Request) -> Response:
    return record(_find_import(request).result.to_dict())


ROUTES = (
    get_route("/import", _show),
    post_route("/import", _begin),
    get_route("/import/{job}", _show_preview),
    post_route("/import/{job}", _answer),
    get_route("/import/{job}/record.json", _record),
)
