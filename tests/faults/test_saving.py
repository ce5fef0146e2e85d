"""Two at once: processes that save different rows, and an editor that knows of no lock."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from certify import library, storage
from certify.declare import deletion, editing, user_state
from certify.errors import CertifyError, ChangedMeanwhile

from .__main__ import use_sample_library
from .saving import TIMES
from .writers import GAME, OTHER, TABLE, WRITERS

ROOT = Path(__file__).parents[2]
PROCESSES = (("save_row", 0), ("save_row", 1), ("undo_row", 2), ("revise_and_delete", 0))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.setenv("CERTIFY_LIBRARY", str(library.root()))
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    use_sample_library(tmp_path / "library")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.long
def test_processes_that_save_different_rows_at_once_lose_nothing(project: Path) -> None:
    WRITERS["save"].prepare(project)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.faults.saving", kind, str(number)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for kind, number in PROCESSES
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.close()
    for process in running:
        assert process.wait() == 0, process.stderr and process.stderr.read()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()
    rows = editing.open_file(TABLE).value["rows"]
    assert [row["name"] for row in rows[:2]] == [f"Row {TIMES - 1}"] * 2
    game = editing.open_file(GAME).value
    assert [each["revision"] for each in game["changes"]][-TIMES:] == [
        f"0-{number}" for number in range(TIMES)
    ]
    assert not (project / "paytables" / f"{OTHER}.json").exists()
    deletion.restore(OTHER)
    assert editing.open_file(OTHER).value["name"] == f"Name {TIMES - 1}"


REPLACING = (
    *("new wager", "new event", "save over a built-in file", "save", "revise", "undo"),
    *("register", "register correct", "terms", "terms in place of others", "second count"),
    *("countersign", "init"),
)


@pytest.mark.parametrize("name", REPLACING)
def test_an_editor_that_saves_meanwhile_loses_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    writer = WRITERS[name]
    writer.prepare(project)
    edited: list[Path] = []
    write_sibling: Callable[..., Path] = storage.write_sibling

    def write_after_an_editor(path: Path, data: bytes, **options: object) -> Path:
        if path.absolute().is_relative_to(project) and not path.parent.name.startswith("."):
            path.write_bytes(b"of the editor")
            edited.append(path)
        return write_sibling(path, data, **options)

    with monkeypatch.context() as patched:
        patched.setattr(storage, "write_sibling", write_after_an_editor)
        with pytest.raises(CertifyError):
            writer.act(project)
    assert edited[-1].read_bytes() == b"of the editor"


def test_what_an_editor_changes_is_not_deleted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = WRITERS["delete a paytable"]
    writer.prepare(project)
    path = project / "paytables" / f"{TABLE}.json"
    store = user_state.store

    def store_after_an_editor(kind: str, *rest: object) -> None:
        path.write_bytes(b"of the editor")
        store(kind, *rest)  # type: ignore[arg-type] # passed on

    with monkeypatch.context() as patched:
        patched.setattr(user_state, "store", store_after_an_editor)
        with pytest.raises(ChangedMeanwhile):
            writer.act(project)
    assert path.read_bytes() == b"of the editor"


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_countersigned_file_is_as_private_as_the_signed_one(project: Path) -> None:
    writer = WRITERS["countersign"]
    writer.prepare(project)
    before = os.umask(0o022)
    try:
        writer.act(project)
    finally:
        os.umask(before)
    assert (project / "rules.countersigned.pdf").stat().st_mode & 0o777 == 0o600
