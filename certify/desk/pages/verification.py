"""Verify: a PDF is dropped, and judged in the limited process; countersigned from there."""

import re
from typing import TYPE_CHECKING

from certify.desk.answers import Choice, Refused, page, posted, record, shown
from certify.errors import CertifyError
from certify.model.signatory import Role
from certify.pipeline.identities import Signer, open_identity, stored, trusted
from certify.pipeline.submit.countersign import countersign
from certify.pipeline.verify import unjudged, verified

if TYPE_CHECKING:
    from starlette.datastructures import FormData, UploadFile
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("Verify", "/verify"),)

Answer = dict[str, object]

LARGEST = 16 * 1024 * 1024
"""Bytes of a PDF that is judged; the largest document of ours has about one million."""


def _show(request: "Request") -> "Response":
    return page(request, "verification", {"answers": [], **_signers()})


def _signers() -> dict[str, list[Choice]]:
    return {
        "identities": [Choice(id=one.id, name=one.certificate.common_name) for one in stored()],
        "roles": [
            Choice(id=str(one), name=str(one).capitalize())
            for one in Role
            if one is not Role.PREPARER
        ],
    }


def _uploads(form: "FormData") -> "list[UploadFile]":
    from starlette.datastructures import UploadFile

    files = [one for one in form.getlist("file") if isinstance(one, UploadFile) and one.filename]
    if not files:
        raise Refused("No file came with the form.", remedy="Choose a PDF, or drop it there.")
    return files


def _data(upload: "UploadFile") -> bytes:
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


UNJUDGED: Answer = {"authentic": False, "signatures": [], "proves_identity": False}


def _judged(form: "FormData") -> list[tuple[Answer, Answer]]:
    """Return the answer on each file as the command gives it, and what a page says beside."""
    signer = str(form.get("signer", "")).strip() or None
    answers: list[tuple[Answer, Answer]] = []
    for upload in _uploads(form):
        name, data = upload.filename or "", _data(upload)
        try:
            verdict, answer = verified(name, data, trust=trusted(), signer=signer)
            answers.append((answer, {"authentic": verdict.authentic, "remedy": ""}))
        except CertifyError as error:
            answers.append((unjudged(name, error), {**UNJUDGED, "remedy": error.remedy}))
    return answers


def _verify(request: "Request", form: "FormData") -> "Response":
    answers = [{**beside, **answer} for answer, beside in _judged(form)]
    return page(request, "verification", {"answers": answers, **_signers()})


def _verify_record(_: "Request", form: "FormData") -> "Response":
    answers = [answer for answer, _ in _judged(form)]
    return record(answers[0] if len(answers) == 1 else {"results": answers})


def _countersign(_: "Request", form: "FormData") -> "Response":
    from starlette.responses import Response

    upload = _uploads(form)[0]
    password = str(form.get("password", ""))
    identity = open_identity(Signer(name=str(form.get("identity", ""))), lambda _: password)
    role = next((one for one in Role if str(one) == form.get("role")), Role.LABORATORY)
    data = countersign(
        _data(upload),
        identity=identity,
        role=role,
        location=str(form.get("location", "")).strip(),
        trust=trusted(),
    )
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", (upload.filename or "").removesuffix(".pdf"))
    name = f"{stem.strip('.-') or 'document'}.countersigned.pdf"
    return Response(
        data,
        media_type="application/pdf",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


ROUTES = (
    shown("/verify", _show),
    posted("/verify", _verify),
    posted("/verify.json", _verify_record),
    posted("/verify/countersign", _countersign),
)
