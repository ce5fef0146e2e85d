import json
from datetime import date
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.commands.diff import DiffRequest, diff


def test_house_way_is_sound(tmp_path: Path) -> None:
    assert run(["new", "house-way", "our-way", "--like", "foxwoods", "--out", str(tmp_path)]) == 0
    path = tmp_path / "our-way.json"
    assert json.loads(path.read_text(encoding="utf-8"))["id"] == "our-way"
    found = diff(DiffRequest(before="foxwoods", after=str(path), as_of=date(2026, 11, 21)))
    assert found.house_way is not None
    assert found.house_way.different == 0


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["new", "house-way", "our-way", "--like", "foxwoods", "--out", str(tmp_path)]
    assert run(arguments) == 0
    assert run(arguments) == 2
    assert "already exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "like", "words"),
    [
        ("our way", "foxwoods", "is not an id"),
        ("../our-way", "foxwoods", "is not an id"),
        ("our-way", "foxwods", "Did you mean foxwoods"),
        ("our-way", "../events", "There is no house way"),
    ],
)
def test_wrong_names_are_refused(
    name: str, like: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "house-way", name, "--like", like, "--out", str(tmp_path)]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
