"""Submission pages: form, preview, signature and files."""

from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from certify.commands.submit import Preview, Profile, SubmitRequest, preview, run_request
from certify.desk import filing_order
from certify.desk.answers import (
    NotHere,
    get_job,
    get_result,
    get_route,
    page,
    post_route,
    read_fields,
    record,
    redirect,
    start_job,
)
from certify.desk.cases import page_address
from certify.desk.filing_order import SubmissionForm
from certify.desk.guard import DOCUMENT_POLICY
from certify.filing.identities import Signer
from certify.model.encoding import Progress
from certify.model.submission import Order


def _show(request: Request) -> Response:
    query = request.query_params
    game, state = query.get("game", ""), query.get("jurisdiction", "")
    if not game or not state:
        return redirect(f"/cases?{query}")
    chosen, where = filing_order.resolve_order(game, state)
    return _form(request, filing_order.open_form(chosen, where, read_fields(query)))


def _form(request: Request, form: SubmissionForm) -> Response:
    """Show a form, with the fault of each field, and what another window saved meanwhile."""
    view = filing_order.view(form)
    status = (409 if form.conflicts else 422) if form.wrong else 200
    return page(request, "submission", **view, status=status)


def _keep(request: Request, sent: FormData) -> Response:
    form = filing_order.parse_form(sent)
    return _form(request, form) if form.wrong else redirect(form.back)


def _preview(request: Request, sent: FormData) -> Response:
    form = filing_order.parse_form(sent)
    if form.wrong:
        return _form(request, form)
    return start_job(
        request,
        f"Preview of {form.game.name}, {form.state.name}",
        preview,
        {"order": form.order},
        then="/submit/preview/{id}",
        back=form.back,
    )


def _make(request: Request, sent: FormData) -> Response:
    form, password = filing_order.parse_form(sent), str(sent.get("password", ""))
    final = filing_order.prepare_output(form, sent)
    if form.wrong:
        return _form(request, form)
    kind = "Signed filing" if final else "Draft"
    return start_job(
        request,
        f"{kind} of {form.game.name}, {form.state.name}",
        made,
        {
            "order": form.order,
            "signer": form.signer,
            "password": password,
            "timestamp_url": str(sent.get("timestamp_url", "")).strip() or None,
            "out": form.out,
            "command": form.command,
        },
        then="/submit/made/{id}",
        back=form.back,
    )


def made(
    *,
    progress: Progress,
    order: Order,
    signer: Signer | None,
    password: str,
    timestamp_url: str | None,
    out: Path,
    command: str,
) -> dict[str, Any]:
    """Make a submission and write it: the work of a job; the password ends with it."""
    result = run_request(
        SubmitRequest(
            order=order,
            out=out,
            signer=signer or Signer(),
            profile=Profile(timestamp_url=timestamp_url),
            unsigned=signer is None,
            ask=lambda _: password,
            progress=progress,
        )
    )
    return {
        "page": page_address(out, result.submission.report_id),
        "findings": [asdict(finding) for finding in result.findings if finding.severity != "note"],
        "command": command,
    }


def _made(request: Request) -> Response:
    """Go to the page of the submission that a job wrote."""
    job = get_job(request).id
    answer = get_result(request, dict, NotHere("This job wrote no submission."))
    return redirect(f"{answer['page']}?job={job}")


def _find_preview(request: Request) -> Preview:
    return get_result(request, Preview, NotHere("This job is not a preview."))


def _show_preview(request: Request) -> Response:
    view, job = _find_preview(request).view, get_job(request)
    return page(request, "submission_preview", view=view, job=job)


def _preview_record(request: Request) -> Response:
    return record(_find_preview(request).record)


def _document(request: Request) -> Response:
    pages, part = _find_preview(request).pages, request.path_params["part"]
    if part not in pages:
        raise NotHere("There is no such document.")
    return HTMLResponse(pages[part], headers={"content-security-policy": DOCUMENT_POLICY})


ROUTES = (
    get_route("/submit", _show),
    post_route("/submit", _make),
    post_route("/submit/terms", _keep),
    post_route("/submit/preview", _preview),
    get_route("/submit/preview/{job}/record.json", _preview_record),
    get_route("/submit/preview/{job}", _show_preview),
    get_route("/submit/preview/{job}/{part}", _document),
    get_route("/submit/made/{job}", _made),
)
