import json
import re
from pathlib import Path

import pytest

from certify.cli.app import run
from tests.acceptance.command_line import ROOT

PAGE = ROOT / "docs" / "how-to" / "compare-house-ways.md"
COMMANDS = re.findall(r"^    certify (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)


@pytest.mark.long
def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = {command: run(command.split()) for command in COMMANDS}
    # The template holds no counts yet, so that every row differs.
    assert ended.pop("compare counts.csv mini-pai-gow/bonus/A") == 1
    assert set(ended.values()) == {0}
    out = capsys.readouterr().out
    assert "mini-pai-gow/main/1: house edge in percent" in out
    compared = json.loads(out[out.index('{\n  "game"') :].partition("\n}\n")[0] + "}")
    (cell, *_) = compared["options"][0]["cells"]
    assert run(["evaluate", "mini-pai-gow/main", "--format", "json"]) == 0
    assert cell["house_edge"] == json.loads(capsys.readouterr().out)["house_edge"]
    assert (tmp_path / "ways.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "ways.xlsx").exists()
