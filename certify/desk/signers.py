"""Signers: the fields that choose one in a form, and the page of trusted signers."""

from pathlib import Path
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify.desk.answers import (
    LARGEST,
    Form,
    Refused,
    get_files,
    get_route,
    page,
    post_route,
    redirect,
    today,
)
from certify.errors import CertifyError, WrongPassword
from certify.filing.identities import (
    Signer,
    create_development,
    distrust,
    list_identities,
    list_roots,
    open_identity,
    trust,
)
from certify.model.approval import RootRole, Signatory

FILE, TOKEN, NEW = "file", "token", "new"
ENDINGS = (".p12", ".pfx")


def read_signer(form: Form, sent: FormData) -> Signer | None:
    """Return the signer of a form, None for none; missing fields become faults."""
    kind = form.text("signer")
    signatory = Signatory(title=form.text("title") or None, licence=form.text("licence") or None)
    if kind == FILE:
        files = get_files(sent, "key_file")
        name = (files[0].filename or "") if files else ""
        if not name.lower().endswith(ENDINGS):
            form.faults["key_file"] = "Choose the key file; its name ends with .p12 or .pfx."
        return Signer(
            identity=name, data=files[0].file.read(LARGEST) if files else b"", stated=signatory
        )
    if kind == TOKEN:
        labels = {"module": "library", "token": "label", "key": "label of the key"}
        for name, label in labels.items():
            if not form.text(name):
                form.faults[name] = f"Enter the {label} of the token."
        module, token, key = (form.text(name) for name in labels)
        return Signer(module=Path(module), token=token, key=key, stated=signatory)
    if kind == NEW:
        kind = create_development(today())
        form.values["signer"] = [kind]
    return Signer(identity=kind, stated=signatory) if kind else None


def is_development(form: Form, signer: Signer | None, password: str) -> bool:
    """Return True if nobody signs, or a development key; a key that does not open is a fault.

    The key of a token is opened in the job, a separate process.
    """
    if signer is None or signer.module is not None or form.faults:
        return signer is None
    try:
        return open_identity(signer, lambda _: password).development
    except WrongPassword:
        form.faults["password"] = "This password does not open the key. Type it again."  # noqa: S105 - no password
    except CertifyError as error:
        form.faults["signer"] = f"{error.message} {error.remedy}"
    return True


def list_signers(*, final: bool = False) -> list[dict[str, str]]:
    """Return the stored identities for a list; a development key signs nothing final."""
    listed = []
    for key in list_identities():
        if final and key.certificate.development:
            continue
        holder, until = key.certificate.holder, key.certificate.not_after.date()
        kind = "development key" if key.certificate.development else f"until {until}"
        listed.append({"id": key.id, "name": f"{holder}, {kind}" if holder else kind})
    return listed


def default_signer() -> str:
    """Return the choice that signs a filing: a stored identity, or else a key file."""
    return next((key["id"] for key in list_signers(final=True)), FILE)


def _view(fault: str = "") -> dict[str, Any]:
    form = Form(values={}, faults={"certificate": fault} if fault else {})
    return {"roots": [*list_roots().items()], "form": form, "roles": [*RootRole]}


def _show(request: Request) -> Response:
    return page(request, "signers", **_view())


def _trust(request: Request, form: FormData) -> Response:
    try:
        files = get_files(form, "certificate")
        if not files:
            raise Refused("No file is chosen.", remedy="Choose the certificate of the signer.")
        role = str(form.get("role", ""))
        trust(
            files[0].file.read(LARGEST), [root_role for root_role in RootRole if root_role == role]
        )
    except CertifyError as error:
        return page(request, "signers", **_view(f"{error.message} {error.remedy}"), status=422)
    return redirect("/signers")


def _distrust(_: Request, form: FormData) -> Response:
    distrust(str(form.get("fingerprint", "")))
    return redirect("/signers")


ROUTES = (
    get_route("/signers", _show),
    post_route("/signers", _trust),
    post_route("/signers/remove", _distrust),
)
