"""A copy of a game with a document of its own."""

import json
from pathlib import Path

import pytest

from certify.cli.app import run
from certify.library import find_declared
from certify.review.check import check


@pytest.mark.parametrize("like", ["mini-pai-gow", "pai-gow-mania", "dealer-open-pai-gow"])
def test_a_copy_names_neither_the_original_nor_its_document(
    like: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    arguments = ["--like", like, "--called", "牌九扑克", "--supplier", "Acme"]
    arguments += ["--document", "牌九扑克: Rules", "--dated", "May 2026"]
    assert run(["new", "game", "acme", *arguments]) == 0
    found = check([Path()])
    assert [each for each in found.findings if each.severity == "error"] == []
    assert [each for each in found.findings if each.code in ("D018", "D008")] == []
    path = find_declared(f"{like}/game.json")
    assert path is not None
    original = json.loads(path.read_bytes())
    names = [original["name"], *original.get("aliases", ()), original["document"]["title"]]
    names += [each["id"] for each in original.get("references", ())]
    for file in (tmp_path / "paytables/acme").rglob("*.json"):
        text = file.read_text(encoding="utf-8")
        assert [name for name in names if name in text] == [], file
        assert f'"document": "{original["document"]["id"]}"' not in text
    game = json.loads((tmp_path / "paytables/acme/game.json").read_bytes())
    assert game["supplier"] == "Acme"
    assert game["document"]["title"] == "牌九扑克: Rules"
    assert game["document"]["revision"] == "May 2026"
    assert not (tmp_path / "paytables/acme/published.json").exists()
