"""Storage, shared folders, the log of a project, and CSV files."""

import ast
import csv
import errno
import hashlib
import io
import json
import multiprocessing
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from certify import storage
from certify.cli.app import run
from certify.errors import NotConfigured
from certify.formatting import csv_bytes
from certify.project_log import LOG, Entry, append, logged, read_log
from certify.storage import LOCK, lock

# Locks, modes and reasons of what is written.


def add_one(path: Path) -> None:
    """Read a number, and write the next one."""
    for _ in range(20):
        with lock(path.parent), lock(path.parent / "paytables"):
            storage.write_atomically(path, str(int(path.read_text()) + 1).encode())


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_the_lock_of_a_project_loses_no_write(tmp_path: Path, kind: str) -> None:
    (tmp_path / "certify.toml").touch()
    path = tmp_path / "number.txt"
    path.write_text("0")
    begin = multiprocessing.get_context("fork").Process if kind == "processes" else threading.Thread
    writers = [begin(target=add_one, args=(path,)) for _ in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_text() == "120"


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "victim.txt").write_text("precious")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / LOCK).symlink_to("../victim.txt")
    with pytest.raises(NotConfigured, match=r"certify\.lock"), lock(folder):
        pass
    assert (tmp_path / "victim.txt").read_text() == "precious"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSYS, "has no file locks"),
        (errno.ENOLCK, "has no file locks"),
        (errno.EROFS, "is read-only"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_the_reason_of_a_missing_lock_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(NotConfigured) as caught, lock(tmp_path):
        pass
    assert LOCK in caught.value.message
    assert os.strerror(number) in caught.value.message
    assert words in caught.value.remedy


def test_a_file_keeps_its_mode_and_a_new_one_has_the_usual(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    before = os.umask(0o027)
    try:
        storage.write_atomically(path, b"1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o600)
        storage.write_atomically(path, b"2")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        storage.write_folder(tmp_path / "made", {"a/b.txt": b""})
        assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o750
    finally:
        os.umask(before)


# Several people, one folder: rights of new files, tried with two accounts as far as possible.


SETPRIV = shutil.which("setpriv")
CAN_CHANGE = os.name == "posix" and os.geteuid() == 0 and SETPRIV
READS_ALL = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
"""The accounts may read everything, because Python may be in the home of root; not write."""

ALICE, BOB, TEAM = 64_101, 64_102, 64_100
ROOT = Path(__file__).parents[1]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) & 0o777


@pytest.fixture(params=[0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def write_each(folder: Path) -> dict[str, int]:
    """Write a file, a folder and a confidential file in a folder; return their modes."""
    storage.write_atomically(folder / "inner" / "a.txt", b"a")
    storage.write_folder(folder / "new", {"inner/a.txt": b"a"})
    storage.write_folder(folder / "secret", {"a.txt": b"a"}, confined=True)
    storage.write_atomically(folder / "key", b"a", mode=0o600)
    with lock(folder):
        pass
    return {
        path.relative_to(folder).as_posix(): mode(path)
        for path in folder.rglob("*")
        if path.name != "certify.toml"
    }


def test_new_files_of_a_shared_folder_have_the_rights_of_its_group(
    tmp_path: Path, umask: int
) -> None:
    (tmp_path / "certify.toml").touch()
    tmp_path.chmod(0o2770)
    assert write_each(tmp_path) == {
        **dict.fromkeys(("inner", "new", "new/inner"), 0o777 & ~umask | 0o070),
        **dict.fromkeys(("inner/a.txt", "new/inner/a.txt"), 0o666 & ~umask | 0o060),
        LOCK: 0o660,
        "key": 0o600,
        "secret": 0o770,
        "secret/a.txt": 0o660 & ~umask,
    }


@pytest.mark.parametrize("open_to", [0o700, 0o755, 0o1777], ids=oct)
def test_other_folders_keep_the_rights_of_the_umask(
    tmp_path: Path, umask: int, open_to: int
) -> None:
    (tmp_path / "certify.toml").touch()
    tmp_path.chmod(open_to)
    found = write_each(tmp_path)
    assert found["inner/a.txt"] == found["new/inner/a.txt"] == 0o666 & ~umask
    assert found["inner"] == found["new"] == 0o777 & ~umask


def test_a_file_of_another_group_is_not_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o770)
    real = Path.stat

    def stat_of_another_group(path: Path, **options: bool) -> os.stat_result:
        status = real(path, **options)
        if path == tmp_path:
            return status
        return os.stat_result((*status[:5], status.st_gid + 1, *status[6:]))

    monkeypatch.setattr(Path, "stat", stat_of_another_group)
    storage.write_atomically(tmp_path / "a.txt", b"a")
    monkeypatch.undo()
    assert mode(tmp_path / "a.txt") & 0o060 == 0o060 & ~0o077


def test_a_lock_that_cannot_be_opened_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / LOCK
    path.touch()
    real = os.open

    def refuse(name: str, *options: int, **others: int) -> int:
        if str(name) == str(path):
            raise PermissionError(13, "Permission denied", str(name))
        return real(name, *options, **others)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(NotConfigured) as caught, lock(tmp_path):
        pass
    assert caught.value.message == f"Cannot write {path}: Permission denied."
    assert caught.value.remedy == f"Its owner can run: chmod g+w {path}"


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder of a team, in which two accounts have their homes next to the project."""
    top = Path(tempfile.mkdtemp(prefix="certify-two-"))
    top.chmod(0o755)
    for name, user in (("alice", ALICE), ("bob", BOB)):
        (top / name).mkdir()
        os.chown(top / name, user, user)
    folder = top / "project"
    folder.mkdir()
    os.chown(folder, 0, TEAM)
    folder.chmod(0o2775)
    yield folder
    shutil.rmtree(top)


SCRIPT = """
import sys
from pathlib import Path
from certify.cli.app import run
from certify.model.submission import Status
from certify.filing.delivery import deliver
from certify.filing.delivery import OutputFile
from certify.project_log import logged

for arguments in sys.argv[2:]:
    assert run(arguments.split()) == 0, arguments
files = [OutputFile(part=part, data=sys.argv[1].encode()) for part in ("a.txt", "manifest.json")]
with logged("submit"):
    deliver(Path("drafts"), "id", files, status=Status.DRAFT)
"""


def run_as(account: str, folder: Path, *commands: str) -> None:
    """Run commands and write a submission as an account with the usual umask."""
    user = {"alice": ALICE, "bob": BOB}[account]
    rights = (f"--reuid={user}", f"--regid={user}", f"--groups={TEAM}", *READS_ALL)
    places = {"CERTIFY_HOME": "home", "CERTIFY_CACHE": "cache"}
    others = {name: str(folder.parent / account / place) for name, place in places.items()}
    ended = subprocess.run(
        [SETPRIV or "", *rights, sys.executable, "-c", SCRIPT, account, *commands],
        cwd=folder,
        umask=0o022,
        env={**os.environ, **others, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.skipif(not CAN_CHANGE, reason="two accounts need root and setpriv")
def test_two_accounts_work_in_one_project(shared: Path) -> None:
    add = "register add mini-pai-gow/bonus/{} --jurisdiction nevada --status pending"
    new = "new paytable mini-pai-gow/bonus/{} --like A --clause 1"
    run_as("alice", shared, "init", add.format("A"), new.format("of-alice"))
    run_as("bob", shared, add.format("B"), new.format("of-bob"))
    run_as("alice", shared, add.format("of-bob"))
    lines = [*read_log(shared / LOG)]
    assert not any(line.fault for line in lines)
    users = [line.entry.user for line in lines if line.entry]
    alice, bob = f"user {ALICE}", f"user {BOB}"
    assert users == [*[alice] * 4, *[bob] * 3, *[alice] * 2]
    assert all(path.stat().st_gid == TEAM for path in shared.rglob("*"))
    folders = [path for path in shared.rglob("*") if path.is_dir()]
    assert all(path.stat().st_mode & 0o2070 == 0o2070 for path in folders)
    for name in (LOG, LOCK, "register.json"):
        assert mode(shared / name) & 0o060 == 0o060


# The log of a project: its chain, its lines after faults, and received logs.


ENTRY = Entry(
    time="2026-11-28T12:00:00Z",
    user="alice",
    command=("submit", "mini-pai-gow"),
    version="1.0",
    build="0" * 64,
    inputs={},
    outputs={"out/a.pdf": "1" * 64},
    keys={},
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty project, in which the user is."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "certify.toml").touch()
    monkeypatch.chdir(folder)
    return folder


def faults(path: Path) -> list[str]:
    return [line.fault for line in read_log(path) if line.fault]


def write_lines(project: Path, number: int = 4) -> Path:
    for _ in range(number):
        append(project, ENTRY)
    return project / LOG


def test_a_command_logs_what_it_read_and_wrote(project: Path, tmp_path: Path) -> None:
    (project / "in.json").write_text("{}")
    with logged("try", "it"):
        storage.read_bytes(project / "in.json")
        storage.write_atomically(Path("in.json"), b"[]")
        storage.write_folder(project / "new", {"a.txt": b"a"})
        storage.write_atomically(tmp_path / "outside.txt", b"b")
        storage.remove(project / "new" / "a.txt", b"a")
        storage.write_atomically(storage.home() / "cache.json", b"{}")
    (line,) = read_log(project / LOG)
    assert line.entry is not None
    assert line.entry.command == ("try", "it")
    assert line.entry.inputs["in.json"] == hashlib.sha256(b"{}").hexdigest()
    assert line.entry.outputs == {
        "in.json": hashlib.sha256(b"[]").hexdigest(),
        "new/a.txt": None,
        str(tmp_path / "outside.txt"): hashlib.sha256(b"b").hexdigest(),
    }


def test_the_account_is_that_of_the_system(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "mallory")
    with logged("try"):
        storage.write_atomically(project / "a.txt", b"a")
    (line,) = read_log(project / LOG)
    assert line.entry is not None
    assert line.entry.user == project.owner()


def test_a_command_that_fails_logs_what_it_wrote(project: Path) -> None:
    def fail() -> None:
        storage.write_atomically(project / "a.txt", b"a")
        storage.write_atomically(project / "b.txt", b"b")
        (project / "b.txt").unlink()
        raise NotConfigured("no")

    with pytest.raises(NotConfigured, match="no"), logged("try"):
        fail()
    (line,) = read_log(project / LOG)
    assert line.entry is not None
    assert line.entry.outputs == {"a.txt": hashlib.sha256(b"a").hexdigest(), "b.txt": None}


def test_a_command_that_writes_nothing_and_one_outside_have_no_line(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with logged("read"):
        storage.read_bytes(project / "certify.toml")
    assert not (project / LOG).exists()
    monkeypatch.chdir(tmp_path)
    with logged("write"):
        storage.write_atomically(tmp_path / "a.txt", b"a")
    assert not (tmp_path / LOG).exists()
    with logged("write from outside"):
        storage.write_atomically(project / "a.txt", b"a")
    assert len([*read_log(project / LOG)]) == 1


def test_requests_at_the_same_time_are_apart(project: Path) -> None:
    import contextvars

    def request(name: str, inner: Callable[[], None]) -> None:
        with logged(name, alone=True):
            storage.write_atomically(project / name, b"")
            inner()

    def second() -> None:
        contextvars.copy_context().run(request, "second", lambda: None)

    contextvars.copy_context().run(request, "first", second)
    entries = [line.entry for line in read_log(project / LOG)]
    assert [[*entry.outputs] for entry in entries if entry] == [["second"], ["first"]]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda lines: [lines[0], lines[1].replace(b"alice", b"mallo"), *lines[2:]], "line 2"),
        (lambda lines: [lines[0], *lines[2:]], "Line 2 "),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "Line 2 "),
        (lambda lines: [lines[0], lines[0], *lines[1:]], "Line 2 "),
        (lambda lines: lines[1:], "first line"),
        (lambda lines: [*lines[:3], b"{}\n"], "Line 4 is not complete"),
        (lambda lines: [lines[0], lines[1].replace(b"\n", b"\r\n"), *lines[2:]], "line 2"),
    ],
    ids=["changed", "removed", "moved", "added", "first removed", "last changed", "line end"],
)
def test_a_change_names_its_line(
    project: Path, change: Callable[[list[bytes]], list[bytes]], expected: str
) -> None:
    path = write_lines(project)
    assert faults(path) == []
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    assert expected in faults(path)[0]


def test_a_line_cut_short_does_not_spoil_the_next(project: Path) -> None:
    path = write_lines(project, 2)
    path.write_bytes(path.read_bytes()[:-40])
    assert faults(path) == ["Line 2 is not complete, or was changed."]
    append(project, ENTRY)
    assert faults(path) == []
    assert [line.entry is None for line in read_log(path)] == [False, True, False]
    text = path.read_bytes().replace(b'"user": "ali', b'"user": "bob', 2)
    path.write_bytes(text)
    assert faults(path)


def test_removal_at_the_end_shows_by_the_last_digest(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(project)
    last = [*read_log(path)][-1].sha256
    append(project, ENTRY)
    assert run(["log", "--verify", "--last", last]) == 0
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    assert run(["log", "--verify"]) == 0
    assert run(["log", "--verify", "--last", last]) == 1
    assert f"No line has the digest {last}" in capsys.readouterr().out


def test_the_command_prints_lines_for_people_and_scripts(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines(project, 2)
    assert run(["log"]) == 0
    text = capsys.readouterr().out
    assert "alice  certify 1.0 (build 000000000000)" in text
    assert f"wrote    out/a.pdf  {'1' * 64}" in text
    assert "2 lines. The chain is whole." in text
    assert run(["log", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    last = hashlib.sha256((project / LOG).read_bytes().splitlines()[-1]).hexdigest()
    assert answer["last_sha256"] == last
    assert answer["lines"][1]["entry"]["previous"] == answer["lines"][0]["sha256"]


def test_a_received_log_cannot_control_the_terminal(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(project, 1)
    path.write_text(path.read_text().replace("alice", "\\u001b[2J\\u202e"))
    assert run(["log"]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["link out", "link inside", "pipe", "folder"])
def test_a_log_that_is_no_file_is_refused(
    project: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = (project.parent if kind == "link out" else project) / "victim.txt"
    victim.write_text("precious")
    match kind:
        case "pipe":
            os.mkfifo(project / LOG)
        case "folder":
            (project / LOG).mkdir()
        case _:
            (project / LOG).symlink_to(victim)
    with pytest.raises(NotConfigured, match=LOG):
        append(project, ENTRY)
    with logged("try"):
        storage.write_atomically(project / "a.txt", b"a")
    assert "is not in the log of the project. Cannot write" in capsys.readouterr().err
    assert victim.read_text() == "precious"
    assert run(["log", "--verify"]) != 0


@pytest.mark.parametrize("text", ["[" * 100_000, "{}", '{"time": 1}', "\x00"])
def test_a_hostile_line_is_no_entry(project: Path, text: str) -> None:
    path = write_lines(project, 1)
    path.write_text(f"{text}\n{path.read_text()}")
    assert [line.entry is None for line in read_log(path)] == [True, False]
    assert faults(path)


PACKAGE = Path(__file__).parents[1] / "certify"
FORMULAS = (
    '=HYPERLINK("http://example.invalid","x")', "+1+1", "-1+1", "-1+1|<img>", "@SUM(A1)",
    "\t=1+1", "\r=1+1", "\n=1+1", " =1+1", "=1", "-A1", "-", "+", "--1", "-1e5|x",
)  # fmt: skip
PLAIN = (
    "-1/2",
    "-0.7163",
    "+1",
    "-5%",
    "-1,000",
    "1/2",
    "50 to 1",
    "",
    "–",
    "Royal flush, no joker",
)


def cells(data: bytes) -> list[list[str]]:
    return [*csv.reader(io.StringIO(data.decode(), newline=""))]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_run_as_a_formula(text: str) -> None:
    assert cells(csv_bytes(("name",), [(text,)])) == [["name"], ["'" + text.replace("\r", "\n")]]


@pytest.mark.parametrize("text", PLAIN)
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert cells(csv_bytes(("name", "x"), [(text, 1)])) == [["name", "x"], [text, "1"]]


def test_nothing_is_an_empty_cell() -> None:
    assert csv_bytes(("a", "b"), [(None, True)]) == b"a,b\n,True\n"


WRITERS = {"csv.writer", "csv.DictWriter"}


def test_no_other_module_writes_csv() -> None:
    writers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and ast.unparse(node) in WRITERS)
        or (isinstance(node, ast.ImportFrom) and node.module == "csv")
    }
    assert writers == {"formatting.py"}
