"""The restore drill of docs/how-to/administer.md: a project and its keys in a new place."""

import datetime as dt
import shutil
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.filing.identities import folder
from certify.signatures.identity_folder import init_development
from certify.signatures.sign import sign

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
