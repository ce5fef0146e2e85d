import datetime as dt
import hashlib
import json
import multiprocessing
import os
import shutil
import stat
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import storage
from certify.cli.app import run
from certify.commands import submit as submitting
from certify.commands.submit import Signing, submit
from certify.engine.count_cache import KEY
from certify.errors import NotConfigured
from certify.filing import delivery
from certify.filing.delivery import OutputFile, deliver
from certify.filing.order import build_filing
from certify.model.game import Strategy
from certify.model.submission import Status
from certify.signatures.document import signers
from certify.signatures.identity import Identity
from certify.signatures.identity_folder import init_development
from certify.signatures.sign import sign
from certify.storage import LOCK
from tests.homes import new_home
from tests.signatures.conftest import (
    World,
    development,
    server_of_world,
    signed,
    unsigned,
    world,
)

from .conftest import GAME, order

__all__ = ["development", "server_of_world", "signed", "unsigned", "world"]  # fixtures

ID = "game.nevada.r1.2026-11-21"


@pytest.fixture(scope="module")
def pdfs(
    server_of_world: World,
    unsigned: bytes,
    signed: bytes,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, bytes]:
    today = dt.datetime.now(dt.UTC).date()
    laboratory = init_development(tmp_path_factory.mktemp("keys"), name="Laboratory", today=today)
    filed = server_of_world.sign(unsigned)
    approve = partial(sign, signed, field="Laboratory", reason="", location="", certify=False)
    return {
        "unsigned": unsigned,
        "draft": signed,
        "draft of two": approve(identity=laboratory).data,
        "final": filed,
        "countersigned": approve(identity=server_of_world.identity("reviewer")).data,
        "broken": filed.replace(b"/Contents <3", b"/Contents <0"),
    }


def stating(status: str) -> bytes:
    return json.dumps({"status": status, "files": []}).encode()


def test_the_signers_of_a_document(
    pdfs: dict[str, bytes], development: Identity, world: World
) -> None:
    draft, filing = development.certificate, world.certificate("signer")
    assert signers(pdfs["unsigned"]) == ()
    assert signers(pdfs["draft"]) == (draft,)
    assert signers(pdfs["final"]) == (filing,)
    assert signers(pdfs["countersigned"]) == (draft, world.certificate("reviewer"))
    assert signers(pdfs["broken"]) == (None,)


def test_a_timestamp_is_nobodys_signature(
    unsigned: bytes, development: Identity, world: World
) -> None:
    trust = (development.certificate, *world.trust)
    stamped = sign(
        unsigned,
        identity=development,
        reason="",
        location="",
        timestamp_url=world.url,
        long_term=True,
        trust=trust,
    ).data
    assert stamped.count(storage.SIGNED) == 2
    assert signers(stamped) == (development.certificate,)


ALLOWED = ""
DRAFT_BESIDE_FILING = "is signed, or belongs to a signed filing. Drafts need another folder."
FILING_BESIDE_DRAFT = "belongs to a draft. A signed filing needs another folder."
NEVER = "already exists. A signed filing is never replaced."


@pytest.mark.parametrize(
    ("name", "content", "status", "refusal"),
    [
        # A draft, signed or not, never comes where something is signed for filing.
        (f"{ID}.rules.pdf", "final", Status.DRAFT, DRAFT_BESIDE_FILING),
        (f"{ID}.rules.pdf", "final", Status.UNSIGNED, DRAFT_BESIDE_FILING),
        ("another.rules.pdf", "final", Status.DRAFT, DRAFT_BESIDE_FILING),
        ("renamed.PDF", "final", Status.UNSIGNED, DRAFT_BESIDE_FILING),
        (f"{ID}.rules.pdf", "countersigned", Status.DRAFT, DRAFT_BESIDE_FILING),
        (f"{ID}.rules.pdf", "broken", Status.DRAFT, DRAFT_BESIDE_FILING),
        (f"{ID}.confidential.evidence.json", stating("final"), Status.DRAFT, DRAFT_BESIDE_FILING),
        (f"{ID}.manifest.json", stating("final"), Status.UNSIGNED, DRAFT_BESIDE_FILING),
        # A filing never comes where a draft is.
        ("another.rules.pdf", "draft", Status.FINAL, FILING_BESIDE_DRAFT),
        (f"{ID}.mathematics.pdf", "unsigned", Status.FINAL, FILING_BESIDE_DRAFT),
        (f"{ID}.evidence.json", stating("unsigned"), Status.FINAL, FILING_BESIDE_DRAFT),
        (f"{ID}.manifest.json", stating("draft"), Status.FINAL, FILING_BESIDE_DRAFT),
        # A filing never replaces a file.
        (f"{ID}.rules.pdf", "final", Status.FINAL, NEVER),
        (f"{ID}.manifest.json", stating("final"), Status.FINAL, NEVER),
        (f"{ID}.par-sheets.xlsx", b"PK", Status.FINAL, NEVER),
        (f"{ID}.rules.countersigned.pdf", "final", Status.FINAL, NEVER),
        # A signed draft is replaced by a signed draft only, and a countersigned one by nothing.
        (f"{ID}.rules.pdf", "draft", Status.UNSIGNED, "is a signed draft. An unsigned document"),
        (f"{ID}.rules.pdf", "draft of two", Status.DRAFT, "document is never replaced"),
        # What is left.
        (f"{ID}.rules.pdf", "draft", Status.DRAFT, ALLOWED),
        (f"{ID}.rules.pdf", "unsigned", Status.DRAFT, ALLOWED),
        (f"{ID}.rules.pdf", "unsigned", Status.UNSIGNED, ALLOWED),
        ("another.rules.pdf", "final", Status.FINAL, ALLOWED),
        ("letter.pdf", "unsigned", Status.FINAL, ALLOWED),
        ("another.manifest.json", b"{", Status.FINAL, ALLOWED),
    ],
)
def test_what_a_folder_takes(  # noqa: PLR0917 - fixtures
    pdfs: dict[str, bytes],
    tmp_path: Path,
    name: str,
    content: str | bytes,
    status: Status,
    refusal: str,
) -> None:
    data = pdfs[content] if isinstance(content, str) else content
    (tmp_path / name).write_bytes(data)
    files = [
        OutputFile(part="rules.pdf", data=b"new"),
        OutputFile(part="manifest.json", data=stating(str(status))),
    ]
    if not refusal:
        deliver(tmp_path, ID, files, status=status)
        assert (tmp_path / f"{ID}.rules.pdf").read_bytes() == b"new"
        return
    with pytest.raises(NotConfigured, match=str(tmp_path)) as refused:
        deliver(tmp_path, ID, files, status=status)
    assert refusal in refused.value.message
    assert "Name another output folder" in refused.value.remedy
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {file: found[file] for file in found if file != LOCK} == {name: data}


def stage(folder: Path, data: bytes, report_id: str = ID) -> Path:
    """Leave what a run of this user leaves that was interrupted before its last step."""
    hidden = delivery._staging(folder, report_id, "0badcafe")
    file = OutputFile(part="rules.pdf", data=data)
    delivery._stage(folder, report_id, hidden, {file.name(report_id): file})
    return hidden


def test_the_folder_of_a_submission_in_a_project_is_made(tmp_path: Path) -> None:
    (tmp_path / "certify.toml").touch()
    folder = tmp_path / "out" / "nevada"
    written = deliver(folder, ID, [OutputFile(part="rules.pdf", data=b"")], status=Status.DRAFT)
    assert [path.parent for path in written.files] == [folder]


def test_an_interrupted_run_is_finished(tmp_path: Path) -> None:
    hidden = stage(tmp_path, b"old")
    assert delivery.settle(tmp_path, ID) == ()
    assert (tmp_path / f"{ID}.rules.pdf").read_bytes() == b"old"
    assert not hidden.exists()


def test_an_interrupted_run_is_not_finished_over_a_signed_document(
    tmp_path: Path, pdfs: dict[str, bytes]
) -> None:
    hidden = stage(tmp_path, pdfs["draft"])
    (tmp_path / f"{ID}.rules.pdf").write_bytes(pdfs["final"])
    assert delivery.settle(tmp_path, ID) == (hidden,)
    with pytest.raises(NotConfigured, match="A signed filing is never replaced"):
        deliver(tmp_path, ID, [OutputFile(part="rules.pdf", data=b"")], status=Status.FINAL)
    assert (tmp_path / f"{ID}.rules.pdf").read_bytes() == pdfs["final"]


def forge(hidden: Path, how: str) -> None:
    """Change what an interrupted run left, as somebody would who has no key of this user."""
    path = hidden / "commit.json"
    listed = json.loads(path.read_bytes())
    victim = str(hidden.parent.parent / "victim.txt")
    match how:
        case "another file":
            listed["files"][victim] = listed["files"].pop(f"{ID}.rules.pdf")
        case "a file above":
            listed["files"]["../victim.txt"] = listed["files"].pop(f"{ID}.rules.pdf")
        case "a file to remove":
            listed["stale"] = {victim: hashlib.sha256(b"precious").hexdigest()}
        case "other bytes":
            (hidden / f"{ID}.rules.pdf").write_bytes(b"false")
        case "nothing":
            listed["files"] = {}
        case "no object":
            listed = []
    path.write_text(json.dumps(listed) if how != "no JSON" else "x")


@pytest.mark.parametrize(
    "how",
    [
        *("another file", "a file above", "a file to remove", "other bytes", "nothing"),
        *("no object", "no JSON", "another folder", "another user", "the old form"),
    ],
)
def test_what_another_has_left_is_left_alone(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("precious")
    folder = tmp_path / "out"
    folder.mkdir()
    hidden = stage(folder, b"old")
    if how == "another folder":
        folder = Path(shutil.copytree(folder, tmp_path / "copy"))
        hidden = folder / hidden.name
    elif how == "another user":
        monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
        (tmp_path / "home" / KEY).write_bytes(b"another".ljust(32))
    elif how == "the old form":
        hidden = folder / f".{ID}.part"
        hidden.mkdir()
        listed = {"files": ["../victim.txt", "zz"], "stale": [str(victim)]}
        (hidden / "commit.json").write_text(json.dumps(listed))
        (hidden / "victim.txt").write_text("attacker")
    else:
        forge(hidden, how)
    written = deliver(folder, ID, [OutputFile(part="rules.pdf", data=b"new")], status=Status.DRAFT)
    assert (folder / f"{ID}.rules.pdf").read_bytes() == b"new"
    assert victim.read_text() == "precious"
    assert hidden.is_dir()
    assert any(str(hidden) in notice for notice in written.notices)


def run_delivery(folder: Path, number: int) -> None:
    """Deliver a submission of two files and its manifest."""
    data = str(number).encode()
    listed = {
        "status": "draft",
        "files": [{"name": "x", "sha256": hashlib.sha256(data).hexdigest()}],
    }
    parts = {"rules.txt": data, "checklist.txt": data, "manifest.json": json.dumps(listed).encode()}
    files = [OutputFile(part=part, data=each) for part, each in parts.items()]
    deliver(folder, ID, files, status=Status.DRAFT)


def test_many_runs_into_one_folder_leave_one_whole_submission(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for round_ in range(5):
        runs = [
            context.Process(target=run_delivery, args=(tmp_path, 10 * round_ + number))
            for number in range(8)
        ]
        for run_ in runs:
            run_.start()
        for run_ in runs:
            run_.join()
        assert [run_.exitcode for run_ in runs] == [0] * len(runs)
        (file,) = json.loads((tmp_path / f"{ID}.manifest.json").read_bytes())["files"]
        for part in ("rules.txt", "checklist.txt"):
            data = (tmp_path / f"{ID}.{part}").read_bytes()
            assert hashlib.sha256(data).hexdigest() == file["sha256"]
        assert [path for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_confidential_files_are_not_open_wider_than_their_folder(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        folder = tmp_path / "out"
        folder.mkdir(mode=0o750)
        files = [
            OutputFile(part="memo.pdf", data=b"", confidential=True),
            OutputFile(part="rules.pdf", data=b""),
        ]
        deliver(folder, ID, files, status=Status.DRAFT)
        (folder / f"{ID}.rules.pdf").chmod(0o600)
        deliver(folder, ID, files, status=Status.DRAFT)
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob(f"{ID}.*")}
    assert modes == {f"{ID}.confidential.memo.pdf": 0o640, f"{ID}.rules.pdf": 0o600}


@pytest.mark.parametrize("who", ["draft", "filing", "nobody"])
def test_it_is_refused_before_anything_is_counted(  # noqa: PLR0917 - fixtures
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pdfs: dict[str, bytes],
    development: Identity,
    world: World,
    who: str,
) -> None:
    identities = {"draft": development, "filing": world.identity("signer"), "nobody": None}
    path = tmp_path / f"{build_filing(order()).report_id}.rules.pdf"
    path.write_bytes(pdfs["final"])
    monkeypatch.setattr(submitting, "count_filing", lambda *_: pytest.fail("it was counted"))
    identity = identities[who]
    signing = None if identity is None else Signing(identity=identity)
    with pytest.raises(NotConfigured, match="signed filing"):
        submit(order(), signing=signing, out=tmp_path)
    assert path.read_bytes() == pdfs["final"]


def test_submissions_of_different_contents_have_different_names() -> None:
    orders = [
        order(paytables=()),
        order("wsgc", paytables=()),
        order(paytables=("A",)),
        order(paytables=("B",)),
        order(paytables=("A", "B")),
        order(paytables=("A", "community")),
        order(paytables=(), house_way="foxwoods"),
        order(paytables=(), strategy=Strategy.OPTIMAL),
        order(paytables=(), as_of=dt.date(2026, 12, 1)),
        order(game="dealer-open-pai-gow", paytables=()),
        order(game="dealer-open-pai-gow", paytables=("no-push",)),
    ]
    ids = []
    for asked in orders:
        filing = build_filing(asked)
        assert f".r{filing.game.revision}.{filing.game.revised}" in filing.report_id
        revised = replace(filing, game=replace(filing.game, revision="2"))
        ids += [filing.report_id, revised.report_id]
    assert len(set(ids)) == len(ids)
    # No name begins with another one and a dot, as the files of a submission do.
    assert not [name for name in ids for other in ids if name.startswith(f"{other}.")]
    # What is filed without a choice, and with the usual one named, is the same.
    usual = build_filing(order(paytables=()))
    named = build_filing(order(paytables=(), house_way=GAME, strategy=usual.game.strategy))
    assert named.report_id == usual.report_id


@pytest.mark.parametrize("content", ["draft", "final", "countersigned", "broken"])
def test_no_command_writes_over_a_signed_document(
    tmp_path: Path, pdfs: dict[str, bytes], content: str
) -> None:
    path = tmp_path / "redline.pdf"
    path.write_bytes(pdfs[content])
    assert run(["diff", f"{GAME}/bonus/A", f"{GAME}/bonus/B", "--pdf", str(path)]) == 2
    assert path.read_bytes() == pdfs[content]
    with pytest.raises(NotConfigured, match="is a signed document and is not overwritten"):
        storage.write_atomically(path, b"")
    (tmp_path / "plain.pdf").write_bytes(pdfs["unsigned"])
    storage.write_atomically(tmp_path / "plain.pdf", b"new")
    assert (tmp_path / "plain.pdf").read_bytes() == b"new"


def test_a_pipe_or_a_device_is_not_replaced_by_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path(os.devnull)):
        with pytest.raises(NotConfigured, match="is a device or a pipe"):
            storage.write_atomically(path, b"")
    assert run(["diff", f"{GAME}/bonus/A", f"{GAME}/bonus/B", "--pdf", str(pipe)]) == 2
    assert "is a device or a pipe" in capsys.readouterr().err
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_countersign_writes_over_nothing(
    tmp_path: Path, pdfs: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    path, there = tmp_path / "rules.pdf", tmp_path / "rules.countersigned.pdf"
    path.write_bytes(pdfs["final"])
    there.write_bytes(b"approved")
    for out in ([], ["--out", str(path)], ["--out", str(there)]):
        assert run(["countersign", str(path), *out]) == 2
        assert "already exists and is not overwritten" in capsys.readouterr().err
    assert path.read_bytes() == pdfs["final"]
    assert there.read_bytes() == b"approved"
