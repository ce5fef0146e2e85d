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
    declared = re.findall(r"```json (\S+)\n(.*?)```", TEXT, flags=re.DOTALL)
    assert [name for name, _ in declared] == ["grid.json", "states.json"]
    for name, text in declared:
        (tmp_path / name).write_text(text, encoding="utf-8")
    commands = re.findall(r"^    certify (.+)$", TEXT, flags=re.MULTILINE)
    written: dict[str, list[bytes]] = {}
    for command in commands:
        arguments = command.split()
        assert run(arguments) == 0
        folder = arguments[arguments.index("--out") + 1]
        results = (tmp_path / folder / "results.csv").read_bytes()
        written.setdefault(folder, []).append(results)
    assert {folder: len(results) for folder, results in written.items()} == {
        "results": 2,
        "by-state": 1,
    }
    assert len(set(written["results"])) == 1
    header = written["by-state"][0].decode().splitlines()[0].split(",")
    columns = re.findall(r"^\| (`.+?) \|", TEXT, flags=re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", "".join(columns))) <= set(header)
    assert "mini-pai-gow/bonus/A" in capsys.readouterr().out
