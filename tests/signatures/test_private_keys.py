import datetime as dt
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.errors import NotConfigured
from certify.filing.identities import folder
from certify.signatures.identity_folder import identities, init_development, load, register_root
from certify.signatures.sign import sign
from certify.storage import NotPrivate, read_private

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
TODAY = datetime.now(UTC).date()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "home"
    monkeypatch.setenv("CERTIFY_HOME", str(path))
    monkeypatch.delenv("CERTIFY_KEY_PASSWORD", raising=False)
    init_development(path / "keys", name="Tester", today=TODAY)
    (stored,) = identities(path / "keys")
    register_root(path / "keys", stored.certificate.pem())
    return path


FOLDERS = (".", "keys", "keys/roots")
SECRETS = ("keys/development-tester.p12", "keys/development-tester.password")

USES = {
    "verify": ["verify", "document.pdf"],
    "reproduce": ["reproduce", "document.pdf"],
    "countersign": ["countersign", "document.pdf"],
    "list": ["keys", "list"],
    "trust": ["keys", "trust", "root.pem"],
}


@pytest.fixture
def working_folder(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "document.pdf").write_bytes(b"%PDF-1.7\n")
    (root,) = (home / "keys/roots").iterdir()
    (folder / "root.pem").write_bytes(root.read_bytes())
    return folder


@pytest.mark.usefixtures("working_folder")
@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("use", USES)
def test_a_folder_that_others_may_write_to_is_refused(
    home: Path, folder: str, use: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / folder
    path.chmod(0o770)
    assert run(USES[use]) == 2
    said = capsys.readouterr().err
    assert f"Error: {path} is not private: other users may write to it." in said
    assert f"chmod 700 {path}" in said


@pytest.mark.usefixtures("working_folder")
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_that_others_may_read_is_closed(home: Path, folder: str) -> None:
    (home / folder).chmod(0o755)
    assert run(["keys", "list"]) == 0
    assert (home / folder).stat().st_mode & 0o777 == 0o700


def test_a_root_behind_a_link_is_refused(home: Path, tmp_path: Path) -> None:
    (home / "keys/roots").rename(tmp_path / "elsewhere")
    (home / "keys/roots").symlink_to(tmp_path / "elsewhere")
    assert run(["keys", "list"]) == 2


def test_folders_are_made_private_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        init_development(tmp_path / "keys", name="Tester", today=TODAY)
        (stored,) = identities(tmp_path / "keys")
        register_root(tmp_path / "keys", stored.certificate.pem())
    finally:
        os.umask(before)
    for private in (tmp_path / "keys", tmp_path / "keys/roots"):
        assert private.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
@pytest.mark.parametrize("name", SECRETS)
def test_a_key_or_a_password_that_others_may_access_is_refused(
    home: Path, name: str, mode: int
) -> None:
    path = home / name
    path.chmod(mode)
    with pytest.raises(NotPrivate, match="other users may access it") as refused:
        load(home / SECRETS[0])
    assert f"chmod 600 {path}" in refused.value.remedy
    path.chmod(0o600)
    assert load(home / SECRETS[0]).development


def test_a_secret_of_another_user_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    owner = (home / SECRETS[1]).stat().st_uid
    if owner == 0:  # the administrator may own a secret
        assert read_private(home / SECRETS[1])
        os.chown(home / SECRETS[1], 4711, -1)
    with pytest.raises(NotPrivate, match="it belongs to another user"):
        read_private(home / SECRETS[1])


def test_a_password_comes_through_a_pipe(home: Path) -> None:
    """As from `--password-file <(pass show key)`; a pipe has no permissions to check."""
    password = (home / SECRETS[1]).read_bytes()
    reader, writer = os.pipe()
    os.write(writer, password + b"\n")
    os.close(writer)
    (home / SECRETS[1]).unlink()
    assert load(home / SECRETS[0], password_file=Path(f"/dev/fd/{reader}")).development
    os.close(reader)


@pytest.mark.parametrize("endless", ["/dev/zero", "large"])
def test_a_password_file_is_read_with_a_bound(home: Path, tmp_path: Path, endless: str) -> None:
    path = Path(endless) if endless.startswith("/") else tmp_path / endless
    if endless == "large":
        path.write_bytes(b"x" * 5000)
        path.chmod(0o600)
    with pytest.raises(NotConfigured, match=r"cannot be read: it has more than 4,096 bytes\."):
        load(home / SECRETS[0], password_file=path)


BREAKS: dict[str, Callable[[Path], None]] = {
    "keys": lambda home: (home / "keys").chmod(0o777),
    "roots": lambda home: (home / "keys/roots").chmod(0o777),
    "key": lambda home: (home / SECRETS[0]).chmod(0o644),
    "password": lambda home: (home / SECRETS[1]).chmod(0o644),
}


@pytest.mark.parametrize("name", BREAKS)
def test_doctor_reports_what_is_not_private(
    home: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["doctor"])
    assert "not private" not in capsys.readouterr().out
    BREAKS[name](home)
    assert run(["doctor"]) == 2
    assert "is not private: " in capsys.readouterr().out


# The restore drill of docs/how-to/administer.md: a project and its keys in a new place


ADD = ("register", "add", "mini-pai-gow/bonus/A", "--jurisdiction", "nevada")


@pytest.mark.long
def test_what_is_saved_is_enough_to_go_on(
    unsigned: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    monkeypatch.setenv("CERTIFY_HOME", str(old / "home"))
    assert run(["init", str(old / "project")]) == 0
    monkeypatch.chdir(old / "project")
    assert run([*ADD, "--status", "pending"]) == 0
    Path("filings").mkdir()
    moment = dt.datetime.now(dt.UTC)
    identity = init_development(folder(), today=moment.date())
    made = sign(unsigned, identity=identity, reason="", location="", signing_time=moment)
    Path("filings/rules.pdf").write_bytes(made.data)

    shutil.copytree(old / "project", new / "project")
    shutil.copytree(old / "home" / "keys", new / "home" / "keys")
    shutil.rmtree(old)
    monkeypatch.setenv("CERTIFY_HOME", str(new / "home"))
    monkeypatch.chdir(new / "project")
    (new / "home").chmod(0o700)
    capsys.readouterr()
    assert run(["log", "--verify"]) == 0
    assert run(["register", "list"]) == 0
    assert "mini-pai-gow/bonus/A" in capsys.readouterr().out
    assert run(["register", "check"]) == 0
    assert run(["verify", "filings/rules.pdf"]) == 0
    assert run([*ADD, "--status", "rejected"]) == 0
    assert run(["log", "--verify"]) == 0
    assert "3 lines. The chain is whole." in capsys.readouterr().out
