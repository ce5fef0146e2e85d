"""Verify: a PDF is dropped, and judged in the limited process; countersigned from there."""

import re
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from certify.desk.answers import (
    LARGEST,
    Refused,
    desk_of,
    download,
    files_of,
    page,
    posted,
    record,
    shown,
)
from certify.desk.jobs import Desk
from certify.errors import CertifyError, NotJudged
from certify.model.approval import Role
from certify.pipeline.identities import Signer, open_identity, stored, trusted
from certify.pipeline.verify import countersign, unjudged, verified

Answer = dict[str, Any]


def _show(request: Request) -> Response:
    return page(request, "verification", {"answers": [], **_signers()})


def _signers() -> dict[str, Any]:
    roles = {str(role): str(role).capitalize() for role in Role if role is not Role.PREPARER}
    return {"identities": stored(), "roles": roles}


def _uploads(form: FormData) -> list[UploadFile]:
    files = files_of(form, "file")
    if not files:
        raise Refused("No file came with the form.", remedy="Choose a PDF, or drop it there.")
    return files


def _data(upload: UploadFile) -> bytes:
    """Return the bytes of an upload.

    Raises:
        Refused: it is larger than what is judged.
    """
    if (upload.size or 0) > LARGEST:
        raise Refused(
            f"{upload.filename} has more than {LARGEST:,} bytes, and was not read.",
            remedy="Choose the PDF of a submission.",
        )
    return upload.file.read(LARGEST)


UNJUDGED: Answer = {
    "authentic": False, "signatures": [], "pages": [], "proves_identity": False, "held": "",
    "records": [],
}  # fmt: skip


def _judged(form: FormData, desk: Desk) -> list[tuple[Answer, Answer]]:
    """Return the answer on each file as the command gives it, and what a page says beside.

    An authentic file is held, so that it can be countersigned without being chosen again.
    """
    signer = str(form.get("signer", "")).strip() or None
    answers: list[tuple[Answer, Answer]] = []
    for upload in _uploads(form):
        name, data = upload.filename or "", _data(upload)
        try:
            verdict, answer = verified(name, data, trust=trusted(), signer=signer)
            held = desk.hold(name, data) if verdict.authentic else ""
            beside = {"authentic": verdict.authentic, "judged": True, "remedy": "", "held": held}
            answers.append((answer, beside))
        except CertifyError as error:
            judged = not isinstance(error, NotJudged)
            beside = {**UNJUDGED, "judged": judged, "remedy": error.remedy}
            answers.append((unjudged(name, error), beside))
    return answers


def _verify(request: Request, form: FormData) -> Response:
    answers = [
        {**beside, **answer, "numbered": list(enumerate(answer.get("signatures", ()), start=1))}
        for answer, beside in _judged(form, desk_of(request))
    ]
    return page(request, "verification", {"answers": answers, **_signers()})


def _verify_record(request: Request, form: FormData) -> Response:
    answers = [answer for answer, _ in _judged(form, desk_of(request))]
    return record(answers[0] if len(answers) == 1 else {"results": answers})


def _to_countersign(request: Request, form: FormData) -> tuple[str, bytes]:
    """Return the name and the bytes of the file: one that was verified here, or one that comes."""
    held = str(form.get("held", ""))
    if not held:
        upload = _uploads(form)[0]
        return upload.filename or "", _data(upload)
    known = desk_of(request).held.get(held)
    if known is None:
        raise Refused("This file is no longer held.", remedy="Verify it again, or choose it below.")
    return known


def _countersign(request: Request, form: FormData) -> Response:
    file, pdf = _to_countersign(request, form)
    password = str(form.get("password", ""))
    identity = open_identity(Signer(name=str(form.get("identity", ""))), lambda _: password)
    role = next((known for known in Role if str(known) == form.get("role")), Role.LABORATORY)
    data = countersign(
        pdf,
        identity=identity,
        role=role,
        location=str(form.get("location", "")).strip(),
        trust=trusted(),
    )
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", file.removesuffix(".pdf"))
    name = f"{stem.strip('.-') or 'document'}.countersigned.pdf"
    return download(data, name, "application/pdf")


ROUTES = (
    shown("/verify", _show),
    posted("/verify", _verify),
    posted("/verify.json", _verify_record),
    posted("/verify/countersign", _countersign),
)
