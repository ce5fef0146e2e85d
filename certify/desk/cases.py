"""Cases: the matrix of games and jurisdictions, each case, its submissions and their files."""

import datetime as dt
import hashlib
import io
import operator
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from certify import library, storage
from certify.commands.submissions import submissions
from certify.commands.submissions.filings import COLUMNS, Case, list_cases, list_rows
from certify.commands.submissions.submissions import FoundSubmission, Step
from certify.declare import user_state
from certify.desk import signers
from certify.desk.answers import (
    LARGEST,
    Form,
    NotHere,
    Refused,
    download,
    download_table,
    get_desk,
    get_files,
    get_route,
    page,
    post_route,
    read_fields,
    redirect,
    today,
)
from certify.desk.comparison import begin_comparison
from certify.desk.editor import find_page
from certify.desk.filing_order import kept_jurisdiction, relative_name
from certify.errors import CertifyError, ChangedMeanwhile
from certify.figures.evaluate import overview
from certify.filing.declaration import project_folder
from certify.filing.identities import CountersignOptions, open_identity
from certify.model.request import build
from certify.model.submission import Status

LABORATORY_ONLY = ("kit.zip",)
"""Parts of a submission that only a laboratory needs."""


def page_address(folder: Path, report_id: str) -> str:
    """Return the address of the page of a submission."""
    return f"/submissions/{quote(relative_name(folder))}/{report_id}"


def describe(submission: FoundSubmission) -> dict[str, Any]:
    """Return a submission with the names of its game and jurisdiction, and its address."""
    catalog, manifest = overview().catalog, submission.manifest
    game = catalog.games.get(manifest["game"])
    folder = relative_name(submission.folder)
    order = {name: str(manifest[name]) for name in ("game", "jurisdiction", "filing")
             if manifest.get(name)}  # fmt: skip
    order["signer"] = signers.default_signer()
    return {
        "submission": submission,
        "folder": folder,
        "address": page_address(submission.folder, submission.id),
        "case": f"/cases/{manifest['game']}/{manifest['jurisdiction']}?"
        f"{urlencode({'filing': manifest.get('filing') or ''})}",
        "verify": f"/verify?{urlencode({'folder': folder, 'id': submission.id})}",
        "sign": f"/submit?{urlencode(order)}",
        "game": game.name if game else manifest["game"],
        "jurisdiction": catalog.jurisdiction_name(manifest["jurisdiction"]),
    }


def describe_files(submission: FoundSubmission) -> dict[str, list[dict[str, str]]]:
    """Return the files of a submission by recipient, each with its part, state and address."""
    groups: dict[str, list[dict[str, str]]] = {"regulator": [], "laboratory": [], "internal": []}
    internal = {
        Path(each["name"]).name for each in submission.manifest["files"] if each.get("internal")
    }
    for name, state in submission.files.items():
        part = name.removeprefix(f"{submission.id}.").removeprefix("confidential.")
        latest = submission.latest(name).relative_to(submission.folder).as_posix()
        address = f"{page_address(submission.folder, submission.id)}?{urlencode({'file': latest})}"
        file = {"name": name, "part": part, "state": str(state), "address": address}
        if name in internal:
            groups["internal"].append(file)
            continue
        if name not in submission.documents or name in submission.shared:
            groups["laboratory"].append(file)
        if part not in LABORATORY_ONLY:
            groups["regulator"].append(file)
    return groups


def _find(request: Request) -> FoundSubmission:
    folder, name = project_folder(request.path_params["folder"]), request.path_params["id"]
    return submissions.find_submission(library.project() or folder, folder, name)


def _show(request: Request) -> Response:
    submission = _find(request)
    if "file" in request.query_params:
        return _download(submission, request.query_params["file"])
    return _page(request, submission, Form(values={}))


def _page(
    request: Request, submission: FoundSubmission, form: Form, notices: tuple[str, ...] = ()
) -> Response:
    job = get_desk(request).jobs.get(request.query_params.get("job", ""))
    result = job.result if job is not None and isinstance(job.result, dict) else {}
    view = describe(submission)
    names = {key: view[key] for key in ("game", "jurisdiction")}
    view |= {
        "view": submissions.describe(submission) | names,
        "files": describe_files(submission),
        "findings": result.get("findings", ()),
        "command": result.get("command", ""),
        "form": form,
        "notices": notices,
        "others": _list_others(submission),
        "identities": signers.list_signers(final=submission.status is Status.FINAL),
        "today": today(),
        "roles": {str(role): str(role).capitalize() for role in submissions.COUNTERSIGNERS},
    }
    return page(request, "submission_made", **view, status=422 if form.wrong else 200)


def _list_others(submission: FoundSubmission) -> list[dict[str, Any]]:
    """Return the other signed submissions of the game for the jurisdiction, filings first."""
    project = library.project()
    if submission.status is Status.UNSIGNED or project is None:
        return []
    filed = operator.itemgetter("game", "jurisdiction")
    others = [
        other
        for other in submissions.list_submissions(project)[0]
        if filed(other.manifest) == filed(submission.manifest)
        and (other.folder, other.id) != (submission.folder, submission.id)
        and other.whole
        and other.status is not Status.UNSIGNED
    ]
    return [*map(describe, sorted(others, key=lambda other: other.status is not Status.FINAL))]


def _compare(request: Request, sent: FormData) -> Response:
    """Begin the redline from another submission to this one."""
    after = _find(request)
    folder, _, name = str(sent.get("before", "")).rpartition("/")
    before = submissions.find_submission(
        library.project() or Path.cwd(), project_folder(folder), name
    )
    return begin_comparison(
        request, [_read_mathematics(each) for each in (before, after)], describe(after)["address"]
    )


def _read_mathematics(submission: FoundSubmission) -> tuple[str, bytes]:
    """Return the name and the bytes of the mathematics report.

    Raises:
        ChangedMeanwhile: it is missing or changed.
    """
    path = submission.path("mathematics.pdf")
    if path is None:
        raise ChangedMeanwhile(
            "The mathematics report of this submission is missing or changed.",
            remedy="Restore it, or make the submission again.",
        )
    return path.name, storage.read_bytes(path)


def _countersign(request: Request, sent: FormData) -> Response:
    """Sign the documents in a role; a form with faults is shown again."""
    submission, password = _find(request), str(sent.get("password", ""))
    form = Form(values=read_fields(sent))
    signer = signers.read_signer(form, sent)
    signers.is_development(form, signer, password)
    if not form.wrong and signer is not None:
        try:
            identity = open_identity(signer, lambda _: password)
            options = build(
                CountersignOptions,
                role=form.text("role"),
                location=form.text("location"),
                timestamp_url=form.text("timestamp_url") or None,
            )
            files, notices = get_files(sent, "statement"), dict[str, None]()
            submissions.countersign_submission(
                submission,
                options,
                identity=identity,
                statement=files[0].file.read(LARGEST) if files else b"",
                warn=notices.setdefault,
            )
            if notices:
                return _page(request, _find(request), Form(values={}), tuple(notices))
            return redirect(describe(submission)["address"])
        except (CertifyError, ValueError) as error:
            form.faults["signer"] = str(error)
    return _page(request, submission, form)


def _register(request: Request, sent: FormData) -> Response:
    """Enter a filing into the register on the day of the form, or today."""
    submission, project = _find(request), library.project()
    form = Form(values=read_fields(sent))
    day = form.day("date") or today()
    if form.wrong or day > today():
        raise Refused(
            "The date of the filing is in the future, or is no date.",
            remedy="Enter the day on which it was filed.",
        )
    if project is None or (submission.entries is not None and not submission.registrable):
        raise Refused(
            "Only an unchanged, signed filing that is not in the register yet can be registered.",
            remedy="Make the signed filing first.",
        )
    submissions.register_submission(submission, project, day)
    return redirect("/register")


def _download(submission: FoundSubmission, name: str) -> Response:
    """Return a file of a submission, or all of them in an archive.

    Raises:
        NotHere: there is no such file.
        ChangedMeanwhile: the file is not the one that the manifest states.
    """
    if name == f"{submission.id}.zip":
        return download(_pack(submission), name)
    path = submission.folder / name
    if (
        name not in {*submission.files, *submission.copies, submission.manifest_name}
        or not path.is_file()
    ):
        raise NotHere("There is no such file.")
    data = storage.read_bytes(path)
    if name in submission.digests and hashlib.sha256(data).hexdigest() != submission.digests[name]:
        raise ChangedMeanwhile(
            f"{name} was changed after the submission, so it is no longer part of it.",
            remedy="Check the file in its folder, or make the submission again in another folder.",
        )
    return download(data, path.name)


def _pack(submission: FoundSubmission) -> bytes:
    """Return all files of a submission, with its manifest, in an archive."""
    if not submission.whole:
        raise ChangedMeanwhile(
            "A file of this submission is missing or changed.", remedy="Make the submission again."
        )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (*submission.files, *submission.copies, submission.manifest_name):
            archive.writestr(name, storage.read_bytes(submission.folder / name))
    return packed.getvalue()


def _cases() -> tuple[tuple[Case, ...], tuple[str, ...]]:
    project = library.project()
    return list_cases(project) if project is not None else ((), ())


def _describe_case(case: Case) -> dict[str, Any]:
    """Return a case with its names, its addresses and its submission."""
    catalog = overview().catalog
    game = catalog.games.get(case.game)
    filing = {"filing": case.filing} if case.filing else {}
    order = {"game": case.game, "jurisdiction": case.jurisdiction, **filing}
    return {
        "case": case,
        "address": f"/cases/{case.game}/{case.jurisdiction}?{urlencode(filing)}".rstrip("?"),
        "game": game.name if game else case.game,
        "state": catalog.jurisdiction_name(case.jurisdiction),
        "form": f"/submit?{urlencode(order)}",
        "current": describe(case.current) if case.current is not None else None,
    }


def _list_cases(request: Request) -> Response:
    """Show the matrix, and all drafts and filings."""
    query, data = request.query_params, overview()
    cases, problems = _cases()
    described = [_describe_case(case) for case in cases]
    game = query.get("game", "")
    return page(
        request,
        "cases",
        cases=described,
        rows=list({each["case"].game: each["game"] for each in described}.items()),
        columns=list({each["case"].jurisdiction: each["state"] for each in described}.items()),
        submissions=[describe(submission) for case in cases for submission in case.submissions],
        problems=problems,
        games=data.catalog.games.values(),
        states=data.catalog.jurisdictions.values(),
        chosen={
            "game": game,
            "state": query.get("jurisdiction", "") or kept_jurisdiction(game),
            "new": query.get("new", ""),
        },
        form=None,
    )


def _show_today(request: Request) -> Response:
    """Show the cases that wait for somebody, those with the nearest deadline first."""
    catalog, day = overview().catalog, today()
    described = [
        {**_describe_case(case), "due": case.list_due(catalog, day)} for case in _cases()[0]
    ]
    waiting = [each for each in described if each["due"] or each["case"].step != Step.DECIDED]
    waiting.sort(key=lambda each: min((due.day for due in each["due"]), default=dt.date.max))
    unsaved = [
        (each, find_page(each.key))
        for each in user_state.list_unsaved()
        if each.key.partition("/")[0] in catalog.games
    ]
    return page(request, "today", waiting=waiting, unsaved=unsaved)


def _find_cases(request: Request) -> Sequence[Case]:
    """Return the cases of a game in a jurisdiction, the one that the address names first.

    Raises:
        NotHere: there is none.
    """
    game, state = (request.path_params[name] for name in ("game", "jurisdiction"))
    cases = [each for each in _cases()[0] if (each.game, each.jurisdiction) == (game, state)]
    if not cases:
        raise NotHere("There is no such case.", remedy="Choose a case from the list.")
    filing = request.query_params.get("filing", cases[0].filing)
    return sorted(cases, key=lambda each: each.filing != filing)


def _show_case(request: Request) -> Response:
    first, *others = _find_cases(request)
    catalog = overview().catalog
    state = catalog.jurisdictions.get(first.jurisdiction)
    approved = {entry.id for entry in first.approved}
    before = [
        each
        for each in first.submissions
        if each is not first.current and approved & {entry.id for entry in each.entries or ()}
    ]
    try:
        changes: tuple[str, ...] | None = first.list_changes(catalog)
    except CertifyError:
        changes = None
    return page(
        request,
        "case",
        **_describe_case(first),
        others=[_describe_case(each) for each in others],
        earlier=[describe(each) for each in first.submissions if each is not first.current],
        regulator=state.regulator if state else first.jurisdiction,
        files=describe_files(first.current) if first.current else {},
        due=first.list_due(catalog, today()),
        approved=first.approved[-1] if first.approved else None,
        changes=changes,
        before=describe(before[0]) if before else None,
        today=today(),
    )


def _export(request: Request) -> Response:
    """Return the cases as a table: CSV, or a workbook."""
    rows = list_rows(_cases()[0], overview().catalog, today())
    return download_table(request, "Cases", COLUMNS, rows)


PAGE = "/submissions/{folder:path}/{id}"
ROUTES = (
    get_route("/cases", _list_cases),
    get_route("/today", _show_today),
    get_route("/cases.csv", _export),
    get_route("/cases.xlsx", _export),
    get_route("/cases/{game}/{jurisdiction}", _show_case),
    post_route(f"{PAGE}/countersign", _countersign),
    post_route(f"{PAGE}/register", _register),
    post_route(f"{PAGE}/redline", _compare),
    get_route(PAGE, _show),
)
