"""The log of a project: its chain, its lines after faults, and received logs."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from certify import storage
from certify.cli.app import run
from certify.errors import NotConfigured
from certify.project_log import LOG, Entry, append, logged, read_log

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
