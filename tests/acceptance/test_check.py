import json
import shutil
from pathlib import Path

import pytest

from certify import library
from tests.acceptance.command_line import Certify


def test_project_is_the_folder_around_that_holds_paytables(
    certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "paytables"
    shutil.copytree(library.paytables() / "mini-pai-gow", root / "mini-pai-gow")
    (tmp_path / "docs" / "notes").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "docs" / "notes")
    path = root / "mini-pai-gow" / "bonus" / "A.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"pays": "', '"pays": "x', 1), encoding="utf-8")
    ran = certify("check", "--format", "json")
    assert ran.code == 1
    assert {
        finding["code"] for finding in ran.json["findings"] if finding["severity"] == "error"
    } == {"S005"}
    assert ran.json["checked"] == len(list(root.rglob("*.json")))


def test_where_there_is_no_project_nothing_is_checked(
    certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = certify("check", "--format", "json")
    assert ran.code == 3
    assert ran.json == {
        "error": {
            "exit_code": 3,
            "message": "There is no folder paytables here or above, so nothing was checked.",
            "remedy": "Name files or folders, create a project with `certify init`, or check the "
            "library with --builtin.",
        },
        "findings": [],
        "checked": 0,
    }


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nowhere.json",), 3),
        (("--colour",), 2),
        (("--builtin", "nowhere.json"), 2),
        (("--artwork", "card.txt"), 2),
        (("x" * 300 + ".json",), 3),
    ],
)
def test_what_went_wrong_is_json_too(
    arguments: tuple[str, ...], code: int, certify: Certify
) -> None:
    ran = certify("check", "--format", "json", *arguments)
    assert (ran.code, ran.json["error"]["exit_code"], ran.json["findings"]) == (code, code, [])
    assert ran.json["error"]["message"] in ran.err


def test_a_sound_rule_pack_and_sound_terms_pass_outside_a_project(
    certify: Certify, tmp_path: Path
) -> None:
    pack = shutil.copy(library.paytables() / "jurisdictions" / "nevada.json", tmp_path)
    terms = tmp_path / "terms.json"
    value = {"$schema": "filing.schema.json", "game": "mini-pai-gow"}
    terms.write_text(json.dumps(value), encoding="utf-8")
    assert certify("check", pack, terms).code == 0
