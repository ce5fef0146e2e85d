"""Commands of certify that write, each with the files before it and those that a reader sees."""

import datetime as dt
import hashlib
import json
from pathlib import Path

from certify.desk import job_record
from certify.desk.job_record import JobRecord, JobState
from certify.errors import NotConfigured
from certify.model.approval import ApprovalStatus
from certify.model.submission import Status
from certify.pipeline.declare import blank, editing, new, terms_form, user_state
from certify.pipeline.registration import Entry, add
from certify.pipeline.submit.delivery import deliver
from certify.pipeline.submit.manifest import OutputFile
from tests.pipeline.pair_plus import GAME, pair_plus

from .faults import Writer, read_files

ID = "game.nevada.r1"


def _files(*contents: str) -> list[OutputFile]:
    """Return the files of a submission; the last one is its manifest."""
    parts = ("rules.pdf", "evidence.json", "kit.zip")
    files = [
        OutputFile(part=part, data=content.encode(), confidential=part == "kit.zip")
        for part, content in zip(parts, contents, strict=False)
    ]
    listed = [
        {"name": file.name(ID), "sha256": hashlib.sha256(file.data).hexdigest()} for file in files
    ]
    value = {"status": "draft", "files": listed}
    return [*files, OutputFile(part="manifest.json", data=json.dumps(value).encode())]


def _deliver(folder: Path, *contents: str) -> None:
    deliver(folder / "out", ID, _files(*contents), status=Status.DRAFT)


def read_submission(folder: Path) -> dict[str, bytes] | None:
    """Return the files of a submission, None without a manifest; it always fits the files."""
    found = read_files(folder / "out")
    if f"{ID}.manifest.json" not in found:
        return None
    listed = json.loads(found[f"{ID}.manifest.json"])["files"]
    for file in listed:
        assert hashlib.sha256(found[file["name"]]).hexdigest() == file["sha256"]
    return found


TABLE = f"{GAME}/pair-plus/1"
LIKE = {"called": "Another", "clause": "2"}


def _change(pay: str) -> dict[str, str]:
    return {"/rows/0/pays": pay}


def _base() -> str:
    return editing.open_file(TABLE).sha256


def _save(_: Path, pay: str = "50 to 1") -> None:
    editing.save(TABLE, _base(), _change(pay))


def _register(folder: Path) -> None:
    day = dt.date(2026, 11, 28)
    pending = ApprovalStatus.PENDING
    add(
        folder / "register.json",
        Entry(target=TABLE, jurisdiction="nevada", status=pending, day=day),
    )


def editing_delete(_: Path) -> None:
    editing.delete(GAME)


def list_games(folder: Path) -> dict[str, bytes] | None:
    """Return the declared files, None while a game lacks one."""
    found = read_files(folder / "paytables")
    whole = [f"{GAME}/{name}" for name in ("game.json", "pair-plus/wager.json", "pair-plus/1.json")]
    games = {name.partition("/")[0] for name in found}
    parts = {game: [name.replace(GAME, game, 1) for name in whole] for game in games}
    return found if all(name in found for names in parts.values() for name in names) else None


def list_wagers(folder: Path) -> dict[str, bytes] | None:
    """Return the declared files, None while a wager is declared and not listed."""
    found = read_files(folder / "paytables")
    listed = json.loads(found[f"{GAME}/game.json"])["wagers"]
    return found if (f"{GAME}/side/wager.json" in found) == ("side" in listed) else None


def _record(_: Path) -> None:
    begun = dt.datetime(2026, 11, 28, tzinfo=dt.UTC)
    record = JobRecord(id="job", title="Count", state=JobState.FINISHED, begun=begun)
    problem = job_record.store(job_record.locate_records(), record)
    if problem:
        raise NotConfigured(problem)


def _read_state(folder: Path) -> dict[str, bytes]:
    """Return the user's values on the project."""
    found = (folder / ".home").rglob("*.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(found)}


def _of_project(act: object, look: object = read_files, *before: object, **more: bool) -> Writer:
    """Return a writer in a project with a small game, after other writers have run."""

    def prepare(folder: Path) -> None:
        pair_plus(folder)
        for each in before:
            each(folder)  # type: ignore[operator] # functions of a folder

    return Writer(prepare=prepare, act=act, look=look, **more)  # type: ignore[arg-type] # as above


WRITERS = {
    "first submission": Writer(
        prepare=lambda folder: (folder / "out").mkdir(),
        act=lambda folder: _deliver(folder, "rules", "evidence"),
        look=lambda folder: read_submission(folder) or {},
        repeats=True,
    ),
    "submission over a draft with another file": Writer(
        prepare=lambda folder: _deliver(folder, "old", "old", "old kit"),
        act=lambda folder: _deliver(folder, "new", "evidence"),
        look=read_submission,
        gaps=True,
        repeats=True,
    ),
    "init": Writer(
        prepare=lambda _: None,
        act=new.project,
        look=lambda folder: (folder / "certify.toml").is_file(),
    ),
    "new paytable": _of_project(
        lambda _: new.paytable(f"{GAME}/pair-plus/3", like="1", clause="Sheet 3")
    ),
    "new game": _of_project(lambda _: new.game("copy", like=GAME, out=None), list_games),
    "new event": _of_project(
        lambda _: blank.event(
            "our_event", text="x", like="five_aces", when=None, document=GAME, clause="1"
        )
    ),
    "save": _of_project(_save),
    "save a copy": _of_project(
        lambda _: editing.save_copy(TABLE, _base(), _change("50 to 1"), name="3", clause="3")
    ),
    "revise": _of_project(
        lambda _: editing.revise(GAME, text="Reworded.", day=dt.date(2026, 11, 28), revision="2"),
        adds=True,
    ),
    "undo": _of_project(lambda _: editing.undo(TABLE), read_files, _save),
    "delete a paytable": _of_project(lambda _: editing.delete(TABLE)),
    "delete a game": _of_project(lambda _: editing.delete(GAME), list_games, gaps=True),
    "restore": _of_project(lambda _: editing.restore(GAME), list_games, editing_delete, gaps=True),
    "terms": _of_project(
        lambda folder: terms_form.keep(
            terms_form.terms_path(GAME, folder), {"$schema": "terms.schema.json", "game": GAME}
        ),
        repeats=True,
    ),
    "register": _of_project(_register, adds=True),
    "job record": _of_project(_record, _read_state, repeats=True),
    "draft": _of_project(
        lambda _: editing.keep(TABLE, _base(), _change("9 to 1")), _read_state, repeats=True
    ),
    "choices": _of_project(
        lambda _: user_state.store("choices", GAME, {"base": "", "values": {}}),
        _read_state,
        repeats=True,
    ),
}

ONE_FILE = "it writes one file by `write_atomically`, which is tried"
ONE_FOLDER = "it writes one folder by `write_folder`, which is tried"
TEMPORARY = "a temporary folder, which the process or its parent removes"
CACHE = "a cache: what is lost there is made again"

ELSEWHERE = {
    **dict.fromkeys(
        (
            *("certify.cli.app._defect", "certify.cli.comparison._template"),
            *("certify.cli.comparison._write", "certify.cli.comparison.diff"),
            *("certify.cli.design.sweep", "certify.cli.documents.countersign"),
            *("certify.cli.formats.write_reports", "certify.cli.known_findings.write_baseline"),
            *("certify.cli.machine.describe", "certify.cli.machine.init_dev"),
            *("certify.cli.register.monitor", "certify.desk.filing_order._terms"),
            *("certify.desk.entry.remove_page", "certify.desk.entry.write_page"),
            "certify.pipeline.crosscheck.second_counts.keep",
            "certify.pipeline.sweep.sweep",
            "certify.signatures.identity_folder.register_root",
            "certify.signatures.identity_folder.remove_root",
        ),
        ONE_FILE,
    ),
    **dict.fromkeys(
        (
            "certify.desk.app.export",
            "certify.pipeline.submissions.countersign_submission",
        ),
        ONE_FOLDER,
    ),
    **dict.fromkeys(
        (
            *("certify.__main__._run", "certify.desk.comparison._name_side"),
            *("certify.desk.jobs._watch", "certify.desk.jobs.idle", "certify.desk.jobs.start"),
            *("certify.desk.register._store", "certify.pipeline.submit.embedded.unpack"),
            *("certify.printing.fonts.configure", "certify.received.repository._git"),
        ),
        TEMPORARY,
    ),
    **dict.fromkeys(
        (
            "certify.kernels.numba_dispatcher._alone",
            "certify.pipeline.submit.submit._keep",
            "certify.pipeline.submit.submit._read_kept",
        ),
        CACHE,
    ),
    "certify.pipeline.declare.blank.wager": "two files; D003 names the fix of an interrupted run",
    "certify.pipeline.solve_request.write": "new files by `write_new`, which is tried",
    "certify.pipeline.submit.delivery.settle": "it runs after a killed run, which is tried",
    "certify.signatures.identity_folder.init_development": "the key is written last",
}
"""Functions that write and are not in `WRITERS`, each with the reason."""
