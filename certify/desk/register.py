"""Pages of the register and of signed files: verify and countersign."""

import datetime as dt
import re
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import asdict, replace
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from certify import library
from certify.commands.submissions.submissions import COUNTERSIGNERS, find_submission
from certify.desk.answers import (
    Form,
    Refused,
    cut_list,
    download,
    download_table,
    get_desk,
    get_files,
    get_route,
    page,
    post_route,
    read_fields,
    read_upload,
    record,
    redirect,
    today,
)
from certify.desk.cases import page_address
from certify.desk.signers import list_signers
from certify.errors import NotConfigured, NotJudged
from certify.figures.targets import load_catalog
from certify.filing.declaration import find_filing, list_filings, project_folder
from certify.filing.identities import CountersignOptions, Signer, VerifyOptions, open_identity
from certify.filing.listing import FORMS, list_fields, read_approvals
from certify.filing.register_check import list_records
from certify.filing.registration import Entry, add, correct, describe_documents
from certify.filing.verdict import JudgedFiles, bind, fits, judge_files, verify_paths
from certify.filing.verify import countersign
from certify.model.approval import ApprovalStatus, Role
from certify.model.game import Game
from certify.model.main_wager import MainWager
from certify.model.request import build
from certify.project_log import LOG, Line, account_name, read_log

LISTED = 200
"""Most lines and faults of the log on its page: those at its end."""


def _path() -> Path:
    return (library.project() or Path.cwd()) / "register.json"


def _show(request: Request) -> Response:
    return _page(request, Form(values=read_fields(request.query_params)))


def _page(request: Request, form: Form) -> Response:
    catalog = load_catalog()
    entries, findings = list_records(_path(), catalog, today())
    named = form.text("correct")
    corrected = next((each.record for each in entries if each.record.id == named), None)
    games, states = catalog.games.values(), catalog.jurisdictions.values()
    filings = [{"id": name, "name": f"Filing {name}", "address": ""} for name in list_filings()]
    targets = [*filings, *(target for game in games for target in _targets(game))]
    return page(
        request,
        "register",
        part=cut_list(request, entries[::-1], "/register?"),
        days_ago={due: -due.days for entry in entries for due in entry.due if due.is_past},
        findings=findings,
        targets=targets,
        addresses={target["id"]: target["address"] for target in targets},
        states=states,
        statuses=[
            {"id": str(status), "name": str(status)}
            for status in ApprovalStatus
            if status is not ApprovalStatus.SUPERSEDED
        ],
        ways=[{"id": "", "name": "the game’s own"}, *catalog.house_ways.values()],
        today=today(),
        untimed=[state.name for state in states if not state.deadlines],
        form=form,
        corrected=corrected,
        author=form.text("by") or account_name(),
        status=422 if form.wrong else 200,
    )


def _targets(game: Game) -> Iterator[dict[str, str]]:
    """Yield a game and its paytables and options, each with its printed name and its page."""
    yield {"id": game.id, "name": f"{game.name}: everything", "address": f"/games/{game.id}"}
    for wager in game.wagers:
        for table in wager.records:
            kind = "options" if isinstance(table, MainWager) else "games"
            yield {
                "id": table.target,
                "name": f"{game.name}: {wager.name}, {table.name}",
                "address": f"/{kind}/{table.target}",
            }


def _show_log(request: Request) -> Response:
    path = (library.project() or Path.cwd()) / LOG
    latest: deque[Line] = deque(maxlen=LISTED)
    faults, count = deque[str](maxlen=LISTED), 0
    for line in read_log(path) if path.exists() else ():
        latest.appendleft(line)
        faults.extend([line.fault] if line.fault else [])
        count += 1
    shown = [
        {
            "number": line.number,
            "sha256": line.sha256,
            "entry": line.entry,
            "keys": list(line.entry.keys.values()) if line.entry else (),
            "outputs": list(line.entry.outputs.items()) if line.entry else (),
            "build": line.entry.build[:12] if line.entry else "",
        }
        for line in latest
    ]
    return page(request, "log", lines=shown, count=count, faults=faults)


def _record(_: Request) -> Response:
    return record({"approvals": read_approvals(_path().parent)}, FORMS)


def _export(request: Request) -> Response:
    return download_table(request, "Register", *list_fields(read_approvals(_path().parent)))


def _write_form(
    request: Request,
    sent: FormData,
    *,
    field: str,
    find_faults: Callable[[Form, FormData], dict[str, str]],
    write: Callable[[Form, dt.date, Path | None, tuple[Path, ...]], object],
) -> Response:
    """Write a form into the register, or show it again with its faults.

    ``find_faults`` returns the fault of each field, and ``write`` takes the form, its date, the
    letter and the documents. ``field`` is the field of what the register refuses.
    """
    project_folder("register")  # refused where no project is open
    form = Form(values=read_fields(sent))
    form.faults |= find_faults(form, sent)
    day = form.day("date") or today()
    if day > today():
        form.faults["date"] = "This date is in the future. Enter the date of the letter."
    if form.wrong:
        return _page(request, form)
    try:
        with tempfile.TemporaryDirectory(prefix="certify-") as folder:
            letters, documents = (
                _store(Path(folder), name, sent) for name in ("letter", "documents")
            )
            write(form, day, next(iter(letters), None), documents)
    except NotConfigured as error:
        form.faults[field] = f"{error.message} {error.remedy}"
        return _page(request, form)
    return redirect("/register")


def _find_entry_faults(form: Form, sent: FormData) -> dict[str, str]:
    faults = {
        name: "Choose an entry from the list."
        for name in ("target", "jurisdiction")
        if not form.text(name) and not (name == "jurisdiction" and find_filing(form.text("target")))
    }
    if form.text("status") not in tuple(ApprovalStatus):
        faults["status"] = "Choose a status from the list."
    if form.text("status") == ApprovalStatus.APPROVED and not get_files(sent, "letter"):
        faults["letter"] = "Choose the letter, or another file with the decision."
    return faults


def _write_entry(
    form: Form, day: dt.date, letter: Path | None, documents: tuple[Path, ...]
) -> None:
    entry = Entry(
        target=form.text("target"),
        # A filing declares its own.
        jurisdiction="" if find_filing(form.text("target")) else form.text("jurisdiction"),
        status=ApprovalStatus(form.text("status")),
        day=day,
        house_way=form.text("house_way") or None,
        letter=letter,
        documents=describe_documents(documents),
    )
    add(_path(), entry)


def _find_correction_faults(form: Form, _: FormData) -> dict[str, str]:
    needed = {"by": "Enter your name.", "reason": "Write what was wrong."}
    return {name: fault for name, fault in needed.items() if not form.text(name)}


def _write_correction(
    form: Form, day: dt.date, letter: Path | None, documents: tuple[Path, ...]
) -> None:
    status = form.text("status")
    correct(
        _path(),
        form.text("correct"),
        by=form.text("by"),
        on=today(),
        reason=form.text("reason"),
        status=ApprovalStatus(status) if status in tuple(ApprovalStatus) else None,
        day=day,
        letter=letter,
        documents=describe_documents(documents),
    )


ADD = partial(_write_form, field="target", find_faults=_find_entry_faults, write=_write_entry)
CORRECT = partial(
    _write_form, field="status", find_faults=_find_correction_faults, write=_write_correction
)


def _store(folder: Path, field: str, sent: FormData) -> tuple[Path, ...]:
    """Write the uploads of a field into a folder, for their digests."""
    paths = []
    for upload in get_files(sent, field):
        path = folder / field / Path(upload.filename or "").name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(read_upload(upload)[1])
        paths.append(path)
    return tuple(paths)


Answer = dict[str, Any]


def _show_verify(request: Request) -> Response:
    query = request.query_params
    if "signed" in query:
        return download(*_get_held(request, query["signed"])[::-1])
    if "folder" not in query or "id" not in query:
        return _answer(request, JudgedFiles(files=()))
    folder = project_folder(query["folder"])
    submission = find_submission(library.project() or folder, folder, query["id"])
    judged = verify_paths([submission.folder / submission.manifest_name], bind(VerifyOptions()))
    latest = {str(submission.latest(name)) for name in submission.documents}
    shown = [file for file in judged.files if file.name in latest]
    return _answer(request, replace(judged, files=shown), page_address(folder, submission.id))


def _answer(
    request: Request,
    judged: JudgedFiles,
    back: str = "",
    notices: tuple[str, ...] = (),
    signed: str = "",
) -> Response:
    """Show the verdicts; an authentic file is held in memory, to be signed without an upload.

    ``notices`` are on the countersignature of the file at the address ``signed``.
    """
    shown = [
        {
            **UNJUDGED,
            **file.answer,
            "file": Path(file.name).name,
            "authentic": file.exit_code == 0,
            "judged": not isinstance(file.error, NotJudged),
            "remedy": file.error.remedy if file.error else "",
            "held": ""
            if file.exit_code
            else get_desk(request).hold(Path(file.name).name, file.data),
            "numbered": list(enumerate(file.answer.get("signatures", ()), start=1)),
        }
        for file in judged.files
    ]
    filings = [
        {**UNJUDGED, **filing, "judged": True, "authentic": fits(filing)}
        for filing in judged.filings
    ]
    roles = {str(role): str(role).capitalize() for role in COUNTERSIGNERS}
    roles[str(Role.REVIEWER)] = "Reviewer, if the document has this field"
    return page(
        request,
        "verification",
        answers=filings + shown,
        back=back,
        identities=list_signers(),
        roles=roles,
        notices=notices,
        signed=signed,
    )


def _uploads(form: FormData) -> list[UploadFile]:
    files = get_files(form, "file")
    if not files:
        raise Refused("The form has no file.", remedy="Choose a PDF, or drop it on the form.")
    return files


UNJUDGED: Answer = {
    "signatures": (), "pages": (), "held": "", "records": (), "remedy": "", "provable_until": "",
}  # fmt: skip


def _read_options(form: FormData) -> VerifyOptions:
    return VerifyOptions(
        allow_same_root="allow_same_root" in form,
        signer=str(form.get("signer", "")).strip() or None,
        online="online" in form,
    )


def _verify_uploads(form: FormData) -> JudgedFiles:
    files = {
        upload.filename or "": partial(bytes, read_upload(upload)[1]) for upload in _uploads(form)
    }
    return judge_files(files, bind(_read_options(form)))


def _verify(request: Request, form: FormData) -> Response:
    return _answer(request, _verify_uploads(form))


def _verify_record(_: Request, form: FormData) -> Response:
    judged = _verify_uploads(form)
    return record(judged.files[0].answer if len(judged.files) == 1 else judged.to_dict())


def _file_to_countersign(request: Request, form: FormData) -> tuple[str, bytes]:
    """Return the name and the bytes of the file: one that was verified here, or one that comes."""
    id_ = str(form.get("held", ""))
    if not id_:
        upload = _uploads(form)[0]
        return upload.filename or "", read_upload(upload)[1]
    return _get_held(request, id_)


def _get_held(request: Request, id_: str) -> tuple[str, bytes]:
    file = get_desk(request).verified.get(id_)
    if file is None:
        raise Refused(
            "This file is no longer available.", remedy="Verify it again, or choose it below."
        )
    return file


def _countersign(request: Request, form: FormData) -> Response:
    file, pdf = _file_to_countersign(request, form)
    password = str(form.get("password", ""))
    identity = open_identity(Signer(identity=str(form.get("identity", ""))), lambda _: password)
    options = build(
        CountersignOptions,
        role=form.get("role"),
        location=str(form.get("location", "")).strip(),
        timestamp_url=str(form.get("timestamp_url", "")).strip() or None,
    )
    statements, notices = get_files(form, "statement"), list[str]()
    data = countersign(
        pdf,
        identity=identity,
        **asdict(options),
        statement=read_upload(statements[0])[1] if statements else b"",
        warn=notices.append,
        **_read_options(form).read(),
    )
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", file.removesuffix(".pdf"))
    name = f"{stem.strip('.-') or 'document'}.countersigned.pdf"
    if notices:
        address = f"/verify?signed={get_desk(request).hold(name, data)}"
        return _answer(request, JudgedFiles(files=()), notices=tuple(notices), signed=address)
    return download(data, name)


ROUTES = (
    get_route("/register", _show),
    get_route("/register.json", _record),
    get_route("/register.csv", _export),
    get_route("/register.xlsx", _export),
    get_route("/log", _show_log),
    post_route("/register", ADD),
    post_route("/register/correct", CORRECT),
    get_route("/verify", _show_verify),
    post_route("/verify", _verify),
    post_route("/verify.json", _verify_record),
    post_route("/verify/countersign", _countersign),
)
