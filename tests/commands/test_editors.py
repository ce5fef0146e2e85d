import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from certify import library
from certify.cli.app import run
from certify.declare.new import MATCHES, write_for_editors
from certify.intake.layout import SECOND_COUNTS, place
from certify.intake.schema import kinds

FILES = sorted(
    path.relative_to(library.paytables()) for path in library.paytables().rglob("*.json")
)


def matches(pattern: str, path: Path) -> bool:
    """Return True if a pattern of an editor matches a file: one star matches no folder."""
    inner = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.fullmatch(inner, path.as_posix()) is not None


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_file_has_the_schema_of_its_place_and_no_other(path: Path) -> None:
    kinds = [
        kind
        for kind, patterns in MATCHES.items()
        if any(matches(pattern, path) for pattern in patterns if pattern[0] != "!")
        and not any(matches(pattern[1:], path) for pattern in patterns if pattern[0] == "!")
    ]
    known = place(path.parts)
    assert known is not None
    # Second counts are written by the tool; nobody edits them.
    assert kinds == ([] if known.kind == SECOND_COUNTS else [known.kind])


def test_a_new_record_names_a_schema_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["init", str(tmp_path)]) == 0
    monkeypatch.chdir(tmp_path)
    assert run(["new", "paytable", "mini-pai-gow/bonus/D", "--clause", "1"]) == 0
    record = tmp_path / "paytables/mini-pai-gow/bonus/D.json"
    value = json.loads(record.read_text(encoding="utf-8"))
    schema = json.loads((record.parent / value["$schema"]).read_text(encoding="utf-8"))
    assert schema["title"] == "Paytable"
    Draft202012Validator(schema).validate(value)
    assert run(["check"]) == 0


def test_settings_name_existing_files_and_those_of_the_user_remain(tmp_path: Path) -> None:
    assert write_for_editors(tmp_path) == (
        tmp_path / ".schemas",
        tmp_path / ".vscode/settings.json",
    )
    settings = json.loads((tmp_path / ".vscode/settings.json").read_text(encoding="utf-8"))
    for entry in settings["json.schemas"]:
        assert (tmp_path / entry["url"]).is_file()
    assert settings["json.schemas"][-1]["fileMatch"] == ["/filings/*.json"]
    written = {path.name.partition(".")[0] for path in (tmp_path / ".schemas").iterdir()}
    assert written == {*kinds()}
    (tmp_path / ".vscode/settings.json").write_text("{}", encoding="utf-8")
    assert write_for_editors(tmp_path) == (tmp_path / ".schemas",)
    assert (tmp_path / ".vscode/settings.json").read_text(encoding="utf-8") == "{}"
