"""Several people, one folder: rights of new files, tried with two accounts as far as possible."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from certify import storage
from certify.errors import NotConfigured
from certify.locking import LOCK, lock
from certify.project_log import LOG, read_log

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
