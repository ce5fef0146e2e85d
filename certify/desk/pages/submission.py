"""Submission: what is to be filed is chosen, stated, previewed, signed and written."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify import library
from certify.desk.answers import NotHere, desk_of, moved, page, posted, record, shown
from certify.desk.guard import DOCUMENT_POLICY
from certify.desk.pages import filing_form, filing_order
from certify.desk.pages.jobs import job_of, result_of
from certify.model.progress import Progress
from certify.pipeline.figures.overview import overview
from certify.pipeline.filing import Order
from certify.pipeline.identities import Signer, open_identity, trusted
from certify.pipeline.submit.preview import Preview, preview
from certify.pipeline.submit.submit import Signing, submit, submitted_json
from certify.report.filed import filed_view

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("Submission", "/submit"),)

MEDIA = {
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}


def _show(request: "Request") -> "Response":
    query = request.query_params
    game, state = query.get("game", ""), query.get("jurisdiction", "")
    if not game or not state:
        return _form(request, None, game=game, state=state)
    chosen, where = filing_order.of(game, state)
    said = filing_form.opened(chosen, {name: query.getlist(name) for name in query})
    asked = filing_order.Asked(game=chosen, state=where, said=said, faults={})
    return _form(request, asked, game=game, state=state)


def _form(
    request: "Request", asked: "filing_order.Asked | None", *, game: str, state: str
) -> "Response":
    catalogue = overview().catalogue
    view: dict[str, Any] = {
        "games": filing_form.choices(
            {each.id: each.name for each in catalogue.games.values()}, game
        ),
        "states": filing_form.choices(
            {each.id: each.name for each in catalogue.jurisdictions.values()}, state
        ),
        "form": None,
    }
    wrong = asked is not None and bool(asked.faults or asked.findings)
    view |= filing_form.view(asked) if asked is not None else {}
    return page(request, "submission", view, status=422 if wrong else 200)


def _again(request: "Request", asked: "filing_order.Asked") -> "Response":
    """Show a form as it was sent, with what is wrong beside each field."""
    return _form(request, asked, game=asked.game.id, state=asked.state.id)


def _keep(request: "Request", form: "FormData") -> "Response":
    asked = filing_order.asked_of(form)
    wrong = asked.faults or asked.findings
    return _again(request, asked) if wrong else moved(asked.back)


def _preview(request: "Request", form: "FormData") -> "Response":
    asked = filing_order.asked_of(form)
    if asked.faults or asked.findings:
        return _again(request, asked)
    job = desk_of(request).jobs.start(
        f"Preview of {asked.game.name}, {asked.state.name}",
        previewed,
        {"order": asked.order},
        then="/submit/preview/{id}",
        back=asked.back,
    )
    return moved(f"/jobs/{job.id}")


def previewed(progress: Progress, *, order: Order) -> Preview:
    """Return the preview of an order: the work of a job."""
    return preview(order, progress)


def _make(request: "Request", form: "FormData") -> "Response":
    asked, password = filing_order.asked_of(form), str(form.get("password", ""))
    filing_order.to_write(asked, password)
    if asked.faults or asked.findings:
        return _again(request, asked)
    job = desk_of(request).jobs.start(
        f"Submission of {asked.game.name}, {asked.state.name}",
        made,
        {
            "order": asked.order,
            "signer": asked.signer,
            "password": password,
            "timestamp_url": str(form.get("timestamp_url", "")).strip() or None,
            "out": asked.out,
        },
        then="/submit/made/{id}",
        back=asked.back,
    )
    return moved(f"/jobs/{job.id}")


def made(
    progress: Progress,
    *,
    order: Order,
    signer: Signer | None,
    password: str,
    timestamp_url: str | None,
    out: Path,
) -> dict[str, Any]:
    """Make a submission and write it: the work of a job; the password ends with it."""
    signing = None
    if signer is not None:
        identity = open_identity(signer, lambda _: password)
        signing = Signing(identity=identity, timestamp_url=timestamp_url, trust=trusted())
    result = submit(order, signing=signing, out=out, progress=progress)
    return {
        "view": filed_view(result.submission),
        "record": submitted_json(result),
        "files": result.files,
        "beside": result.beside,
        "findings": [asdict(finding) for finding in result.findings if finding.severity != "note"],
        "command": order.command,
    }


def _previewed(request: "Request") -> "Response":
    return page(
        request,
        "submission_preview",
        {"view": _preview_of(request).view, "back": job_of(request).back} | _job(request),
    )


def _job(request: "Request") -> dict[str, str]:
    return {"job": request.path_params["job"]}


def _preview_of(request: "Request") -> Preview:
    answer = result_of(request)
    if not isinstance(answer, Preview):
        raise NotHere("This job is no preview.")
    return answer


def _preview_record(request: "Request") -> "Response":
    return record(_preview_of(request).record)


def _document(request: "Request") -> "Response":
    from starlette.responses import HTMLResponse

    pages, part = _preview_of(request).pages, request.path_params["part"]
    if part not in pages:
        raise NotHere("There is no such document.")
    return HTMLResponse(pages[part], headers={"content-security-policy": DOCUMENT_POLICY})


def _made_of(request: "Request") -> dict[str, Any]:
    answer = result_of(request)
    if not isinstance(answer, dict) or "files" not in answer:
        raise NotHere("This job wrote no submission.")
    return answer


def _made(request: "Request") -> "Response":
    answer = _made_of(request)
    return page(
        request,
        "submission_made",
        {
            **_job(request),
            "view": answer["view"],
            "files": [path.name for path in answer["files"]],
            "folder": _below_project(answer["files"][0].parent),
            "beside": answer["beside"],
            "findings": answer["findings"],
            "command": answer["command"],
        },
    )


def _below_project(folder: Path) -> Path:
    """Return a folder as somebody in the project calls it."""
    root = (library.project() or Path.cwd()).resolve()
    return folder.relative_to(root) if folder.is_relative_to(root) else folder


def _made_record(request: "Request") -> "Response":
    return record(_made_of(request)["record"])


def _file(request: "Request") -> "Response":
    from starlette.responses import Response

    named = {path.name: path for path in _made_of(request)["files"]}
    name = request.path_params["name"]
    if name not in named or not named[name].is_file():
        raise NotHere("There is no such file.")
    return Response(
        named[name].read_bytes(),
        media_type=MEDIA.get(named[name].suffix, "application/octet-stream"),
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


ROUTES = (
    shown("/submit", _show),
    posted("/submit", _make),
    posted("/submit/terms", _keep),
    posted("/submit/preview", _preview),
    shown("/submit/preview/{job}/record.json", _preview_record),
    shown("/submit/preview/{job}", _previewed),
    shown("/submit/preview/{job}/{part}", _document),
    shown("/submit/made/{job}/record.json", _made_record),
    shown("/submit/made/{job}", _made),
    shown("/submit/made/{job}/{name}", _file),
)
