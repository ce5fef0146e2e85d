"""Answers to requests: pages, forms, downloads, refusals, and the pages of jobs."""

import datetime as dt
import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, ImmutableMultiDict, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from certify import __version__, library
from certify.desk.jobs import Desk, Job, Work
from certify.errors import (
    CertifyError,
    InvariantBroken,
    NotConfigured,
    NotReadable,
    missing_piece,
)
from certify.formatting import csv_bytes
from certify.model.encoding import Forms, encode_json, finding_json, pick_values
from certify.model.finding import Finding, Unfit, worst_first
from certify.model.request import read_day
from certify.project_log import logged
from certify.report.compose import compose
from certify.report.tables import table_workbook
from certify.report.wording import together

SAVING = ("/save", "/save-as", "/undo", "/revision", "/copy", "/register", "/correct")
"""Ends of the addresses that save."""

FIELDS = 2000
"""Most fields of one form."""

FIELD_BYTES = 4 * 1024 * 1024
"""Most bytes of one field that is not a file."""

FILES = 20
"""Most files of one form."""

LARGEST = 16 * 1024 * 1024
"""Bytes of a file that is read; the largest document of ours has about one million."""


MEDIA = {
    ".csv": "text/csv; charset=utf-8",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}

NAME = 60
"""Most letters of the name of an uploaded file."""

Texts = dict[str, list[str]]


class Form(Struct, kw_only=True):
    """The values of a form's fields, and the fault of each by its name."""

    values: Texts
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def wrong(self) -> bool:
        """True if the form has faults."""
        return bool(self.faults)

    def text(self, name: str) -> str:
        """Return the value of a field."""
        return " ".join(self.values.get(name, ()))

    def day(self, name: str) -> dt.date | None:
        """Return the date of a field; None for none, and for an invalid one, which is a fault."""
        text = self.text(name)
        try:
            return read_day(name, text) if text else None
        except NotReadable as error:
            self.faults[name] = f"{error.message} {error.remedy}"
            return None

    def has(self, name: str, value: str) -> bool:
        """Return True if a field has this value."""
        return value in (self.values.get(name) or ("",))

    def fault(self, name: str) -> str:
        """Return the fault of a field."""
        return self.faults.get(name, "")

    def has_fault(self, *parts: str) -> bool:
        """Return True if a field of these parts has a fault."""
        return any(name.partition("/")[0] in parts for name in self.faults)


SECRET = ("csrf", "password")
"""The fields that are never shown again."""


def read_fields(form: ImmutableMultiDict[str, Any]) -> Texts:
    """Return the values of a form or an address by field, without files and secrets."""
    return together(
        (name, value.strip())
        for name, value in form.multi_items()
        if isinstance(value, str) and name not in SECRET
    )


class Refused(CertifyError):
    """A refused request; ``status`` is the HTTP status."""

    status = 422


class NotHere(Refused):
    """There is no such page."""

    status = 404


class NotOurs(Refused):
    """A form that no page of this desk has sent."""

    status = 403


Show = Callable[[Request], Response]
Act = Callable[[Request, FormData], Response]


def get_route(path: str, show: Show) -> BaseRoute:
    """Return the route of a read-only page."""
    return Route(path, show, methods=["GET"])


def post_route(path: str, act: Act) -> BaseRoute:
    """Return the route of a form's action; a form without the CSRF token is refused."""

    async def endpoint(request: Request) -> Response:
        async with request.form(
            max_files=FILES, max_fields=FIELDS, max_part_size=FIELD_BYTES
        ) as form:
            token = str(form.get("csrf", ""))
            if not hmac.compare_digest(token.encode(), get_desk(request).csrf.encode()):
                raise NotOurs(
                    "This page is out of date.", remedy="Reload it, and send the form again."
                )
            return await run_in_threadpool(_act, act, request, form)

    return Route(path, endpoint, methods=["POST"])


def _act(act: Act, request: Request, form: FormData) -> Response:
    with logged("desk", request.method, request.url.path, alone=True):
        return act(request, form)


def takes_forms(route: BaseRoute) -> bool:
    """Return True if a route accepts forms."""
    return "POST" in getattr(route, "methods", ())


def get_desk(request: Request) -> Desk:
    """Return the server state of a request."""
    desk: Desk = request.app.state.desk
    return desk


def get_files(form: FormData, name: str) -> list[UploadFile]:
    """Return the files that were chosen in a field of a form."""
    sent = (file for file in form.getlist(name) if isinstance(file, UploadFile))
    return [file for file in sent if file.filename]


def read_upload(upload: UploadFile) -> tuple[str, bytes]:
    """Return the name of an uploaded file, as it may be on any disk, and its bytes.

    Raises:
        Refused: it is too large.
    """
    last = re.split(r"[/\\]", upload.filename or "")[-1]
    name = re.sub(r"[^\w .()+-]", "-", last).lstrip(". ")[-NAME:] or "file"
    data = upload.file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Refused(
            f"{name} has more than {LARGEST:,} bytes, so it was not read.",
            remedy="Choose a smaller file.",
        )
    return name, data


def page(request: Request, template: str, /, *, status: int = 200, **view: Any) -> Response:  # noqa: ANN401 - values of a template
    """Return a whole page, or a part of one, from a template of ``templates/desk``.

    A template also has ``desk`` (`Desk`), ``menu``, ``project`` and ``version``.
    """
    path = request.url.path
    menu = [
        {
            "name": name,
            "address": address,
            "here": path == address or (address != "/" and path.startswith(f"{address}/")),
        }
        for name, address in request.app.state.menu
    ]
    shared = {"desk": get_desk(request), "project": library.project(), "version": __version__}
    text = compose(f"desk/{template}.html.j2", {**shared, "menu": menu, **view})
    return HTMLResponse(text, status)


PAGE = 50
"""Lines of a list that a page shows."""


class Part(Struct, frozen=True, kw_only=True):
    """The lines of a list on one page, of which the first is number ``first`` of ``count``.

    ``pages`` are the addresses of the pages before and after it, by the words of their links.
    """

    shown: Sequence[Any]
    first: int
    last: int
    count: int
    pages: Mapping[str, str]


def cut_list(request: Request, lines: Sequence[Any], address: str) -> Part:
    """Return the lines of the requested page; an exported list is whole.

    ``address`` is that of the list, up to the number of the page.
    """
    size = len(lines) if get_desk(request).read_only else PAGE
    typed = request.query_params.get("page", "")
    number = int(typed) if re.fullmatch("[0-9]{1,6}", typed) else 1
    number = max(1, min(number, (len(lines) + PAGE - 1) // PAGE))
    first = (number - 1) * size
    shown = lines[first : first + size]
    others = {"Previous": number - 1, "Next": number + 1}
    return Part(
        shown=shown,
        first=first + 1,
        last=first + len(shown),
        count=len(lines),
        pages={
            name: f"{address}page={other}"
            for name, other in others.items()
            if 0 <= (other - 1) * size < len(lines)
        },
    )


def record(value: object, forms: Forms | None = None) -> Response:
    """Return records as the commands print them with ``--format json``."""
    return _data(encode_json(value, forms))


def _data(value: object, *, status: int = 200) -> Response:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return Response(f"{text}\n", status, media_type="application/json")


def download(data: bytes, name: str) -> Response:
    """Return a file that the browser keeps under a name, whose ending says what it is."""
    named = {"content-disposition": f'attachment; filename="{name}"'}
    media_type = MEDIA.get(Path(name).suffix, "application/octet-stream")
    return Response(data, media_type=media_type, headers=named)


def download_table(
    request: Request, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> Response:
    """Return a table of texts as CSV or as a workbook, as the address ends."""
    name = request.url.path.rpartition("/")[2]
    if name.endswith(".csv"):
        return download(csv_bytes(columns, rows), name)
    return download(table_workbook(title, columns, rows, today()), name)


def today() -> dt.date:
    """Return the day, as of which everything is shown."""
    return dt.datetime.now(dt.UTC).date()


def redirect(address: str) -> Response:
    """Return a redirect to another address of the web app."""
    return RedirectResponse(address, status_code=303)


def render_error(request: Request, error: Exception, *, back: str = "") -> Response:
    """Return an error in plain words, with a link back.

    The response is a page, a part of one, or JSON if the JSON of a page was requested.
    """
    fault = error if isinstance(error, CertifyError) else missing_piece(error)
    if fault is None:
        fault = InvariantBroken("This is a defect of certify, not of your files.")
    status = getattr(fault, "status", 404 if isinstance(fault, NotConfigured) else 422)
    if isinstance(fault, InvariantBroken):
        status = 500
    findings = get_findings(fault)
    if request.url.path.endswith(".json"):
        answer = {
            "error": pick_values(fault, "exit_code", "message", "remedy"),
            "findings": [finding_json(finding) for finding in findings],
        }
        return _data(answer, status=status)
    part = "fault" if request.headers.get("hx-request") else "error"
    saving = request.method == "POST" and request.url.path.endswith(SAVING)
    failed = "Not filed" if back.startswith("/submit") else "Error"
    return page(
        request,
        part,
        error=fault,
        findings=findings,
        back=back or _page_before(request),
        heading="Not saved" if saving else failed,
        status=status,
    )


def _page_before(request: Request) -> str:
    """Return the address of the page whose form was sent, empty if it is unknown."""
    before = request.headers.get("referer", "") if request.method == "POST" else ""
    origin = get_desk(request).origin
    return before.removeprefix(origin) if before.startswith(f"{origin}/") else ""


def get_findings(error: CertifyError) -> tuple[Finding, ...]:
    """Return the findings that caused an error, the worst first."""
    return worst_first(error.findings) if isinstance(error, Unfit) else ()


def get_job(request: Request) -> Job:
    """Return the job that an address names.

    Raises:
        NotHere: there is none since the start of the app.
    """
    job = get_desk(request).jobs.get(request.path_params["job"])
    if job is None:
        raise NotHere(
            "No such job has run since the start of the app.",
            remedy="Jobs lists the earlier ones. Start the job again there.",
        )
    return job


def start_job(
    request: Request,
    title: str,
    work: Work,
    arguments: Mapping[str, Any],
    *,
    then: str,
    back: str,
    lasting: str = "",
) -> Response:
    """Begin a piece of work and go to its page; see `certify.desk.jobs.Jobs.start`."""
    jobs = get_desk(request).jobs
    job = jobs.start(title, work, arguments, then=then, back=back, lasting=lasting)
    return redirect(f"/jobs/{job.id}")


Result = TypeVar("Result")


def get_result(request: Request, kind: type[Result], otherwise: CertifyError) -> Result:
    """Return the result of a job.

    Raises:
        CertifyError: the job failed, or ``otherwise`` if its result is of another type.
        NotHere: there is none, or it has not ended.
    """
    job = get_job(request)
    if job.error is not None:
        raise job.error
    if not job.ended or job.cancelled:
        raise NotHere(f"{job.title}: there is no result.", remedy="Start it again.")
    if not isinstance(job.result, kind):
        raise otherwise
    return job.result


def _show(request: Request) -> Response:
    jobs, name = get_desk(request).jobs, request.path_params["job"]
    if jobs.get(name) is None:
        earlier = (record for record in jobs.earlier()[0] if record.id == name)
        return redirect(next((record.address for record in earlier if record.address), "/jobs"))
    job = get_job(request)
    if job.ended and not job.cancelled and job.error is None:
        return redirect(job.then)
    if job.error is not None:
        return render_error(request, job.error, back=job.back)
    return page(request, "job", job=job)


def _list(request: Request) -> Response:
    jobs = get_desk(request).jobs
    earlier, problems = jobs.earlier()
    return page(
        request, "jobs", jobs=jobs.listed, running=jobs.running, earlier=earlier, problems=problems
    )


def _state(request: Request) -> Response:
    job = get_job(request)
    answer = page(request, "job_state", job=job)
    if job.ended:
        answer.headers["hx-redirect"] = f"/jobs/{job.id}"
    return answer


def _cancel(request: Request, _: FormData) -> Response:
    job = get_job(request)
    get_desk(request).jobs.cancel(job.id)
    return redirect(f"/jobs/{job.id}")


ROUTES = (
    get_route("/jobs", _list),
    get_route("/jobs/{job}", _show),
    get_route("/jobs/{job}/state", _state),
    post_route("/jobs/{job}/cancel", _cancel),
)
