"""The how-to of the sweep, as a reader would type it."""

import re
from pathlib import Path

import pytest

from certify.cli.app import run
from tests.acceptance.command_line import ROOT

TEXT = (ROOT / "docs" / "how-to" / "sweep.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    declared = re.search(r"```json\n(.*?)```", TEXT, flags=re.DOTALL)
    assert declared
    (tmp_path / "grid.json").write_text(declared[1], encoding="utf-8")
    commands = re.findall(r"^    certify (.+)$", TEXT, flags=re.MULTILINE)
    written = []
    for command in commands:
        assert run(command.split()) == 0
        written.append((tmp_path / "results" / "results.csv").read_bytes())
    assert len(set(written)) == 1
    assert len(written) == 2
    assert "mini-pai-gow/bonus/A" in capsys.readouterr().out
