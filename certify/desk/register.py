"""Pages of the register and of signed files: verify and countersign."""

import datetime as dt
import re
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.desk.answers import (
    LARGEST,
    Refused,
    download,
    get_desk,
    get_files,
    get_route,
    page,
    post_route,
    record,
    redirect,
    today,
)
from certify.desk.jobs import Desk
from certify.errors import CertifyError, NotJudged, NotReadable
from certify.formatting import csv_bytes
from certify.model.approval import ApprovalStatus, Role
from certify.pipeline.declare.terms_form import own_folder
from certify.pipeline.identities import Signer, list_identities, list_roots, open_identity
from certify.pipeline.listing import COLUMNS, FORMS, approval_json, list_records
from certify.pipeline.registration import Entry, add
from certify.pipeline.targets import load_catalog
from certify.pipeline.verify import countersign, encode_error, verify_file


def _path() -> Path:
    return (library.project() or Path.cwd()) / "register.json"


def _show(request: Request) -> Response:
    entries, findings = list_records(_path(), today())
    catalogue = load_catalog()
    games, states = catalogue.games, catalogue.jurisdictions.values()
    tables = [
        target
        for target in catalogue.documents
        if target.count("/") > 1 and "/envy/" not in target and target.split("/")[0] in games
    ]
    view = {
        "entries": entries[::-1],
        "days_ago": {due: -due.days for entry in entries for due in entry.due if due.is_past},
        "findings": findings,
        "targets": sorted([*games, *tables]),
        "states": states,
        "statuses": [known for known in ApprovalStatus if known is not ApprovalStatus.SUPERSEDED],
        "today": today(),
        "untimed": [state.name for state in states if not state.deadlines],
    }
    return page(request, "register", view)


def _record(_: Request) -> Response:
    return record(
        {"approvals": [entry.record for entry in list_records(_path(), today())[0]]}, FORMS
    )


def _export(_: Request) -> Response:
    entries = [approval_json(entry.record) for entry in list_records(_path(), today())[0]]
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
        raise NotReadable(f"{status!r} is not a status.", remedy="Choose an entry from the list.")
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
    return redirect("/register")


Answer = dict[str, Any]


def _show_verify(request: Request) -> Response:
    return page(request, "verification", {"answers": [], **_signers()})


def _signers() -> dict[str, Any]:
    roles = {str(role): str(role).capitalize() for role in Role if role is not Role.PREPARER}
    return {"identities": list_identities(), "roles": roles}


def _uploads(form: FormData) -> list[UploadFile]:
    files = get_files(form, "file")
    if not files:
        raise Refused("The form has no file.", remedy="Choose a PDF, or drop it on the form.")
    return files


def _data(upload: UploadFile) -> bytes:
    """Return the bytes of an upload.

    Raises:
        Refused: it is too large.
    """
    if (upload.size or 0) > LARGEST:
        raise Refused(
            f"{upload.filename} has more than {LARGEST:,} bytes, so it was not read.",
            remedy="Choose the PDF of a submission.",
        )
    return upload.file.read(LARGEST)


UNJUDGED: Answer = {
    "authentic": False, "signatures": [], "pages": [], "proves_identity": False, "held": "",
    "records": [],
}  # fmt: skip


def _verify_files(form: FormData, desk: Desk) -> list[tuple[Answer, Answer]]:
    """Return the command's answer on each file, with the page's additions.

    An authentic file is held in memory, for a countersignature without a new upload.
    """
    signer = str(form.get("signer", "")).strip() or None
    answers: list[tuple[Answer, Answer]] = []
    for upload in _uploads(form):
        name, data = upload.filename or "", _data(upload)
        try:
            verdict, answer = verify_file(name, data, trust=list_roots(), signer=signer)
            held = desk.hold(name, data) if verdict.authentic else ""
            beside = {"authentic": verdict.authentic, "judged": True, "remedy": "", "held": held}
            answers.append((answer, beside))
        except CertifyError as error:
            judged = not isinstance(error, NotJudged)
            beside = {**UNJUDGED, "judged": judged, "remedy": error.remedy}
            answers.append((encode_error(name, error), beside))
    return answers


def _verify(request: Request, form: FormData) -> Response:
    answers = [
        {**beside, **answer, "numbered": list(enumerate(answer.get("signatures", ()), start=1))}
        for answer, beside in _verify_files(form, get_desk(request))
    ]
    return page(request, "verification", {"answers": answers, **_signers()})


def _verify_record(request: Request, form: FormData) -> Response:
    answers = [answer for answer, _ in _verify_files(form, get_desk(request))]
    return record(answers[0] if len(answers) == 1 else {"results": answers})


def _file_to_countersign(request: Request, form: FormData) -> tuple[str, bytes]:
    """Return the name and the bytes of the file: one that was verified here, or one that comes."""
    held = str(form.get("held", ""))
    if not held:
        upload = _uploads(form)[0]
        return upload.filename or "", _data(upload)
    known = get_desk(request).held.get(held)
    if known is None:
        raise Refused(
            "This file is no longer available.", remedy="Verify it again, or choose it below."
        )
    return known


def _countersign(request: Request, form: FormData) -> Response:
    file, pdf = _file_to_countersign(request, form)
    password = str(form.get("password", ""))
    identity = open_identity(Signer(name=str(form.get("identity", ""))), lambda _: password)
    role = next((known for known in Role if str(known) == form.get("role")), Role.LABORATORY)
    data = countersign(
        pdf,
        identity=identity,
        role=role,
        location=str(form.get("location", "")).strip(),
        trust=list_roots(),
    )
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", file.removesuffix(".pdf"))
    name = f"{stem.strip('.-') or 'document'}.countersigned.pdf"
    return download(data, name, "application/pdf")


ROUTES = (
    get_route("/register", _show),
    get_route("/register.json", _record),
    get_route("/register.csv", _export),
    post_route("/register", _add),
    get_route("/verify", _show_verify),
    post_route("/verify", _verify),
    post_route("/verify.json", _verify_record),
    post_route("/verify/countersign", _countersign),
)
