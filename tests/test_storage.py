"""Locks, modes and reasons of what is written."""

import errno
import multiprocessing
import os
import stat
import threading
from pathlib import Path

import pytest

from certify import storage
from certify.errors import NotConfigured
from certify.locking import LOCK, lock


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
