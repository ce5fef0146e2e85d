"""Commands of certify that write, each with the files before it and those that a reader sees."""

import datetime as dt
import hashlib
import inspect
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest import mock

from certify import library, project_log, storage
from certify.activity import Activity
from certify.cli import documents
from certify.commands.submissions import submissions
from certify.commands.submissions.submissions import FileState, FoundSubmission
from certify.declare import blank, deletion, editing, new, terms_form, user_state
from certify.declare.blank import WagerRequest
from certify.declare.new import GameRequest
from certify.desk import jobs
from certify.desk.jobs import JobRecord, JobState
from certify.engine.count_cache import seal
from certify.errors import NotConfigured
from certify.figures import second_counts
from certify.figures.targets import load_catalog
from certify.filing import registration
from certify.filing.delivery import OutputFile, deliver
from certify.filing.identities import CountersignOptions, Signer, SignerOptions, TrustOptions
from certify.filing.registration import Entry
from certify.model.approval import ApprovalStatus
from certify.model.comparison import SecondCount
from certify.model.submission import Status
from certify.received.files import PROJECT

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


GAME = "sample-game"
TABLE = f"{GAME}/bonus/1"
OTHER = f"{GAME}/bonus/2"
OWN = "own"
DAY = dt.date(2026, 11, 28)
COPIED = new.GameRequest(
    id=OWN, like=GAME, called="Own", document="Rules", supplier="Acme", dated="2026", on=DAY
)


def _base() -> str:
    return editing.open_file(TABLE).sha256


def _save(text: str) -> None:
    editing.save(TABLE, _base(), {"/name": text})


def _undo() -> None:
    editing.undo(TABLE, _base())


def _own_game() -> None:
    asked = GameRequest(id=OWN, blank=True, called="Own", document="Rules", clause="1")
    blank.game(asked)


@mock.patch.object(registration, "utc_now", return_value="2026-11-28T00:00:00Z")
def _register(_: object) -> None:
    pending = ApprovalStatus.PENDING
    entry = Entry(target=TABLE, jurisdiction="sample-state", status=pending, day=DAY)
    registration.add(Path("register.json"), entry)


@mock.patch.object(registration, "utc_now", return_value="2026-11-28T00:00:00Z")
def _correct(_: object) -> None:
    registration.correct(
        Path("register.json"), "sample-state-1", by="Jane", on=DAY, reason="Misread.",
        day=dt.date(2026, 11, 1),
    )  # fmt: skip


def _log(*command: str) -> None:
    """Log a command that wrote nothing."""
    used = Activity()
    used.outputs[Path(PROJECT).absolute()] = ""
    project_log._log(command, used)


def _read_log(folder: Path) -> list[tuple[str, ...]]:
    """Return the commands of the entries; a log whose chain is broken fails."""
    path = folder / project_log.LOG
    lines = [*project_log.read_log(path)] if path.exists() else []
    assert all(not line.fault or line is lines[-1] for line in lines)
    return [line.entry.command for line in lines if line.entry]


def _keep_terms(name: str) -> None:
    path = Path("filings") / f"{GAME}-nevada.json"
    value = {"$schema": "filing.schema.json", "game": GAME, "supplier": {"name": name}}
    terms_form.keep(path, value, storage.read_present(path))


def _keep_counts() -> None:
    count = SecondCount(
        target=TABLE, rows={"flush": 1}, digest="0" * 64, counted=DAY, version="1.0.0"
    )
    second_counts.keep(load_catalog().games[GAME], [count], library.own_paytables())


def _record() -> None:
    begun = dt.datetime(2026, 11, 28, tzinfo=dt.UTC)
    record = JobRecord(id="job", title="Count", state=JobState.FINISHED, begun=begun)
    problem = jobs.store(jobs.locate_records(), record)
    if problem:
        raise NotConfigured(problem)


def _sign() -> None:
    """Write documents to countersign; what signs them is replaced, it writes nothing."""
    for name in ("rules.pdf", f"{ID}.rules.pdf", f"{ID}.mathematics.pdf"):
        Path(name).write_bytes(b"signed")
        Path(name).chmod(0o600)


def _countersign() -> None:
    with (
        mock.patch.object(documents, "open_identity"),
        mock.patch("certify.filing.verify.countersign", return_value=b"signed twice"),
    ):
        countersign: Callable[..., None] = inspect.unwrap(documents.countersign)
        countersign(
            Path("rules.pdf"), signer=Signer(), options=CountersignOptions(),
            trust=SignerOptions(), out=None, statement=None,
        )  # fmt: skip


def _countersign_submission() -> None:
    parts = ("rules.pdf", "mathematics.pdf")
    found = FoundSubmission(
        folder=Path(),
        manifest={"submission": ID},
        status=Status.DRAFT,
        files={f"{ID}.{part}": FileState.UNCHANGED for part in parts},
        digests={},
    )
    with (
        mock.patch.object(submissions, "countersign", return_value=b"signed twice"),
        mock.patch.object(TrustOptions, "read", return_value={"trust": ()}),
    ):
        submissions.countersign_submission(found, CountersignOptions(), identity=mock.Mock())


def list_games(folder: Path) -> dict[str, bytes] | None:
    """Return the declared files, None while a game lacks one that its game.json names."""
    found = read_files(folder / "paytables")
    for game in {name.partition("/")[0] for name in found}:
        if f"{game}/game.json" not in found:
            return None
        wagers = json.loads(found[f"{game}/game.json"])["wagers"]
        there = [name for name in found if name.startswith(f"{game}/")]
        folders = {name.split("/")[1] for name in there if name.endswith("/wager.json")}
        tables = [name for name in there if name.count("/") == 2 and "wager.json" not in name]
        if folders != {*wagers} or (game == OWN and wagers == ["main"] and not tables):
            return None
    return found


@mock.patch.object(user_state, "utc_now", return_value="2026-11-28T00:00:00Z")
def _keep(_: object) -> None:
    user_state.keep_draft(TABLE, _base(), {"/name": "D"})


def _read_state(folder: Path) -> dict[str, bytes]:
    """Return the user's values on the project."""
    found = (folder / ".home").rglob("*.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(found)}


def _read_saved(folder: Path) -> object:
    """Return the files, and the text that an undo restores."""
    found = read_files(folder)
    saved = found.get(f"paytables/{TABLE}.json")
    version = hashlib.sha256(saved or b"").hexdigest()
    name = hashlib.sha256(f"{folder}\n{TABLE} {version}".encode()).hexdigest()
    return found, _read_state(folder).get(f".home/{editing.UNDO}/{name}.json")


def _file() -> None:
    blank.new_filing(OWN, day=DAY, game=GAME, jurisdiction="sample-state")


def _of_project(
    act: Callable[[], object],
    *before: Callable[[], object],
    look: Callable[[Path], object] = read_files,
    gaps: bool = False,
    repeats: bool = False,
    adds: bool = False,
) -> Writer:
    """Return a writer in a project, after other writers have run."""

    def prepare(folder: Path) -> None:
        (folder / PROJECT).touch()
        for each in before:
            each()

    return Writer(
        prepare=prepare, act=lambda _: act(), look=look, gaps=gaps, repeats=repeats, adds=adds
    )


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
        look=lambda folder: (folder / PROJECT).is_file(),
    ),
    "new paytable": _of_project(partial(new.paytable, f"{GAME}/bonus/9", like="1", clause="9")),
    "new paytable of rows": _of_project(
        partial(blank.paytable, f"{GAME}/bonus/9", rows=["flush=4 to 1"], clause="1")
    ),
    "new house way": _of_project(partial(new.house_way, OWN, like="sample-way", out=None)),
    "new game": _of_project(partial(new.copy_game, COPIED), look=list_games),
    "new game from nothing": _of_project(_own_game, look=list_games),
    "new wager": _of_project(
        partial(
            blank.wager, WagerRequest(target=f"{OWN}/extra", called="Extra", clause="1")
        ),
        _own_game,
        look=list_games,
        gaps=True,
    ),
    "new jurisdiction": _of_project(
        partial(
            blank.jurisdiction, OWN, called="Own", regulator="Board", clause="1",
            address="https://example.org/", on=DAY,
        )
    ),
    "new event": _of_project(
        partial(
            blank.event, "our_event", text="x", like="flush", when=None, document=GAME, clause="1"
        )
    ),
    "save over a built-in file": _of_project(partial(_save, "A"), look=_read_saved),
    "save": _of_project(partial(_save, "B"), partial(_save, "A"), look=_read_saved),
    "save a copy": _of_project(
        lambda: editing.save_copy(TABLE, _base(), {"/name": "C"}, name="3", clause="3")
    ),
    "revise": _of_project(
        partial(editing.revise, GAME, text="Reworded.", day=DAY, revision="2")
    ),
    "new filing": _of_project(_file),
    "revise a filing": _of_project(
        partial(blank.revise_filing, OWN, text="Reworded.", day=DAY), _file
    ),
    "undo": _of_project(_undo, partial(_save, "A"), partial(_save, "B")),
    "undo the first save": _of_project(_undo, partial(_save, "A")),
    "delete a paytable": _of_project(partial(deletion.delete, TABLE), partial(_save, "A")),
    "delete a game": _of_project(
        partial(deletion.delete, OWN), _own_game, look=list_games, gaps=True
    ),
    "restore": _of_project(
        partial(deletion.restore, OWN),
        _own_game,
        partial(deletion.delete, OWN),
        look=list_games,
        gaps=True,
    ),
    "terms": _of_project(partial(_keep_terms, "A"), repeats=True),
    "terms in place of others": _of_project(
        partial(_keep_terms, "B"), partial(_keep_terms, "A"), repeats=True
    ),
    "register": _of_project(_register, adds=True),
    "register correct": _of_project(_correct, _register, adds=True),
    "first line of the log": _of_project(partial(_log, "a"), look=_read_log, adds=True),
    "line of the log": _of_project(
        partial(_log, "b", "c"), partial(_log, "a"), look=_read_log, adds=True
    ),
    "second count": _of_project(_keep_counts, partial(seal, "", ""), repeats=True),
    "countersign": _of_project(_countersign, _sign),
    "countersign a submission": _of_project(_countersign_submission, _sign),
    "job record": _of_project(_record, look=_read_state, repeats=True),
    "draft": _of_project(_keep, look=_read_state, repeats=True),
}  # fmt: skip

ONE_FILE = "it writes one file by `write_atomically`, which is tried"
TEMPORARY = "a temporary folder, which the process or its parent removes"
CACHE = "a cache: what is lost there is made again"

ELSEWHERE = {
    **dict.fromkeys(
        (
            *("certify.cli.app._defect", "certify.cli.comparison._template"),
            *("certify.cli.comparison._write", "certify.cli.comparison.diff"),
            "certify.cli.design.sweep",
            *("certify.cli.formats.write_reports", "certify.review.settings.write_baseline"),
            *("certify.cli.machine.describe", "certify.cli.machine.init_dev"),
            *("certify.cli.register.monitor", "certify.desk.filing_order._save"),
            "certify.declare.editing.restore_entry",
            *("certify.desk.guard.remove_page", "certify.desk.guard.write_page"),
            *("certify.commands.sweep.sweep._write_rows", "certify.cli.output.print_rows"),
            "certify.signatures.identity_folder.register_root",
            "certify.signatures.identity_folder.remove_root",
        ),
        ONE_FILE,
    ),
    "certify.cli.machine._folders": "a file without a name, which it closes at once",
    "certify.declare.new._take_back": "tests/acceptance/test_faults.py interrupts it",
    "certify.storage.share": "the rights of a file that is whole; tests/test_storage.py",
    "certify.desk.app.export": "it writes one folder by `write_folder`, which is tried",
    **dict.fromkeys(
        (
            *("certify.__main__._run", "certify.desk.comparison._name_side"),
            *("certify.desk.comparison.compare_sides", "certify.desk.jobs.Desk.idle"),
            *("certify.desk.jobs._watch", "certify.desk.jobs.Jobs.start"),
            *("certify.desk.register._write_form", "certify.desk.register._store"),
            "certify.filing.redline.read_submission",
            "certify.desk.imports.import_files",
            *(
                "certify.filing.embedded.unpack",
                "certify.commands.reproduce.reproduce.compare",
            ),
            *("certify.printing.fonts.configure", "certify.printing._render.prepare"),
            "certify.received.repository.Repository._git",
            "certify.received.repository.Repository._copy_files",
            "certify.received.repository._copy",
            "certify.worker.run",
        ),
        TEMPORARY,
    ),
    **dict.fromkeys(
        (
            *("certify.engine.count_cache._write", "certify.kernels.numba_dispatcher._alone"),
            "certify.filing.documents._keep",
            "certify.filing.documents._read_kept",
        ),
        CACHE,
    ),
    "certify.desk.guard.Guard.__call__": "its `touch` notes a time and no file",
    "certify.storage.private": "a folder of the user, without content",
    "certify.commands.solve.problem.write": "new files by `write_new`, which is tried",
    "certify.filing.delivery.settle": "it runs after a killed run, which is tried",
    "certify.signatures.identity_folder.init_development": "the key is written last",
}
"""Functions that write and are not in `WRITERS`, each with the reason."""
