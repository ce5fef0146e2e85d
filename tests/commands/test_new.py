import json
import re
from datetime import date
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from certify import library
from certify.cli.app import run
from certify.commands.diff import DiffRequest, diff
from certify.declare.new import MATCHES, write_for_editors
from certify.declare.rewriting import difference, replace_values, resolve_pointer
from certify.intake.layout import SECOND_COUNTS, place
from certify.intake.schema import kinds
from certify.intake.strict_json import scan


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


TEXT = """{"name":"Old",  "players": 6,
  "rows": [
    {"event": "flush", "name": "Flush", "pays": "4 to 1"},
    {"event": "straight", "name": "Straight",   "pays": "2 to 1"}
  ],
  "a/b": {"~": "Tilde"}
}
"""
DOCUMENT = scan(TEXT.encode(), "x.json")[0]


def test_only_the_texts_that_are_named_are_changed() -> None:
    values = {
        "/name": "Zürich “9”",
        "/players": "7",
        "/rows/1/pays": "3 to 1",
        "/rows/0/name": "Flush",
        "/rows/7/name": "Nothing",
        "/a~1b/~0": "Changed",
    }
    expected = TEXT.replace('"Old"', '"Zürich “9”"').replace("2 to 1", "3 to 1")
    assert replace_values(DOCUMENT, values) == expected.replace("Tilde", "Changed")
    assert replace_values(DOCUMENT, {}) == TEXT


def test_rows_are_moved_taken_out_and_added_as_they_are_written() -> None:
    flush, straight = (line.strip(" ,") for line in TEXT.split("\n")[2:4])
    turned = replace_values(DOCUMENT, {"/rows": "1 0", "/rows/0/pays": "5 to 1"})
    five = flush.replace("4 to 1", "5 to 1")
    assert f"    {straight},\n    {five}\n  ]" in turned
    assert replace_values(DOCUMENT, {"/rows": "1"}) == TEXT.replace(f"{flush},\n    ", "")
    new = {"/rows": "0 +1 1", "/rows/+1/event": "pair", "/rows/+1/pays": "1 to 1"}
    pair = '{"event": "pair", "name": "", "pays": "1 to 1"}'
    assert replace_values(DOCUMENT, new) == TEXT.replace(flush, f"{flush},\n    {pair}")


def test_a_row_is_added_to_the_only_one() -> None:
    text = '{"rows": [{"event": "a"}]}'
    document = scan(text.encode(), "x.json")[0]
    added = replace_values(document, {"/rows": "0 +1", "/rows/+1/event": "b"})
    assert added == ('{"rows": [{"event": "a"},\n    {"event": "b", "name": "", "pays": ""}]}')


def test_the_value_at_a_pointer() -> None:
    assert resolve_pointer(DOCUMENT, "/a~1b/~0") == "Tilde"
    assert resolve_pointer(DOCUMENT, "/rows/1/event") == "straight"
    assert resolve_pointer(DOCUMENT, "") is DOCUMENT.value
    for nowhere in ("/rows/2", "/rows/x", "/name/0", "/none"):
        assert resolve_pointer(DOCUMENT, nowhere) is None


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_difference_has_one_layout_and_two_lines_around_it(indent: int | None) -> None:
    before = {
        "rules": [{"id": n, "text": f"Sentence {n}.", "source": {"clause": n}} for n in "12345"],
        "rows": [{"event": "flush", "pays": "4 to 1"}, {"event": "straight", "pays": "push"}],
    }
    after = json.loads(json.dumps(before))
    after["rules"][3]["text"] = "Another sentence. " * 9
    after["rows"][1]["pays"] = "1 to 1"
    lines = difference(*(json.dumps(value, indent=indent) for value in (before, after)))
    assert [(line.kind, line.text) for line in lines] == [
        ("kept", "    {"),
        ("kept", '      "id": "4",'),
        ("removed", '      "text": "Sentence 4.",'),
        ("added", f'      "text": "{"Another sentence. " * 9}",'),
        ("kept", '      "source": {"clause": "4"}'),
        ("kept", "    },"),
        ("kept", '  "rows": ['),
        ("kept", '    {"event": "flush", "pays": "4 to 1"},'),
        ("removed", '    {"event": "straight", "pays": "push"}'),
        ("added", '    {"event": "straight", "pays": "1 to 1"}'),
        ("kept", "  ]"),
        ("kept", "}"),
    ]
    assert list(difference(json.dumps(before), json.dumps(before, indent=4))) == []
