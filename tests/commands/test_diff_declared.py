"""The redline of everything declared: each leaf that is printed or counted, by rule and by word."""

import copy
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.commands.diff import DiffResult, answer
from certify.figures.targets import Selection, select_entries
from certify.filing.compare_records import Compared, compare_records
from certify.filing.declaration import OWN_ID, selected_values
from certify.filing.redline import IN_ROWS, compare_values
from certify.intake.decode import decode
from certify.model.catalog import EVENT_FILES
from certify.model.finding import Document
from certify.model.game import Game
from tests.catalog import catalog
from tests.marks import further

Json = dict[Any, Any] | list[Any]

PAYTABLES = Path(__file__).parents[2] / "paytables"


def leaves(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for name, part in parts:
        if isinstance(part, dict | list) and part:
            yield from leaves(part, (*path, name))
        else:
            yield (*path, name)


def changed(value: Json, path: tuple[Any, ...]) -> Json:
    value = copy.deepcopy(value)
    inner = value
    for name in path[:-1]:
        inner = inner[name]
    old = inner[path[-1]]
    inner[path[-1]] = not old if isinstance(old, bool) else f"{old} other"
    return value


def printed_files(game: Game, documents: dict[str, Document]) -> list[str]:
    shared = {f"house-ways/{way}" for way in game.house_ways}
    shared |= {f"alternatives/{name}" for name in (game.id, *game.house_ways)}
    return [
        key
        for key in documents
        if key == game.id or key.startswith(f"{game.id}/") or key in {*shared, *EVENT_FILES}
    ]


@pytest.mark.parametrize("name", ["mini-pai-gow", *further(["dealer-open-pai-gow"])])
def test_each_leaf_of_the_files_of_a_game_is_compared(name: str) -> None:
    known = catalog()
    selection = select_entries(known, known.games[name])
    names = {record.target: f"{wager.id}/{record.id}" for wager, record in selection.records}
    before = selected_values(selection, names)
    used = {event["id"] for event in before["events"]}
    unseen = []
    seen = 0
    for key in printed_files(selection.game, dict(known.documents)):
        document = known.documents[key]
        for path in leaves(document.value):
            if path == ("$schema",) or (is_record(key) and path[0] in OWN_ID):
                continue  # what a file is; targets are compared by their ids
            if key in EVENT_FILES and document.value["events"][path[1]]["id"] not in used:
                continue
            value = changed(document.value, path)
            seen += 1
            if not is_reported(selection, key, path, value, names):
                unseen.append((key, path))
    assert seen > 500
    assert not unseen


def is_record(key: str) -> bool:
    return key.count("/") >= 2


def is_reported(
    selection: Selection,
    key: str,
    path: tuple[Any, ...],
    value: Json,
    names: dict[str, str],
) -> bool:
    if is_record(key) and path[0] == "rows" and path[-1] in IN_ROWS:
        return rows_differ(selection, key, path)
    document = replace(selection.catalog.documents[key], value=value)
    other = replace(selection.catalog, documents={**selection.catalog.documents, key: document})
    before = selected_values(selection, names)
    after = selected_values(replace(selection, catalog=other), names)
    touched = {name for name in {**before, **after} if before.get(name) != after.get(name)}
    old, new = ({name: side[name] for name in touched if name in side} for side in (before, after))
    return any(compare_values(old, new))


def rows_differ(selection: Selection, key: str, path: tuple[Any, ...]) -> bool:
    """Return True if another pay, name or event of a row is a difference of rows."""
    value = selection.catalog.documents[key].value
    other = copy.deepcopy(value)
    pays = {"pays": "777 to 1", "prize_cents": 77700, "name": "Other", "event": "five_aces_other"}
    other["rows"][path[1]][path[-1]] = pays[path[-1]]
    envy = "/envy/" in key
    (record, *_) = (record for _, record in selection.tables)
    sides = [decode("envy" if envy else "paytable", side) for side in (value, other)]
    old, new = (
        Compared(record=record, envy=side) if envy else Compared(record=side) for side in sides
    )
    return bool(compare_records(old, new).rows)


@pytest.fixture
def changed_game(tmp_path: Path) -> Path:
    folder = tmp_path / "mini-pai-gow"
    shutil.copytree(PAYTABLES / "mini-pai-gow", folder)
    path = folder / "game.json"
    value = json.loads(path.read_text())
    sections = {section["id"]: section["statements"] for section in value["sections"]}
    misdeal = next(
        each for each in sections["irregularities"] if each["id"] == "irregularities.misdeal"
    )
    misdeal["text"] = misdeal["text"].replace("voids", "never voids")
    sections["round"].insert(0, sections["dealing"].pop())  # a rule that moves
    path.write_text(json.dumps(value))
    return folder


def test_a_changed_rule_is_reported_by_number_and_word(
    changed_game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdf = tmp_path / "redline.pdf"
    command = ["diff", "mini-pai-gow", str(changed_game)]
    assert run([*command, "--pdf", str(pdf)]) == 0
    text = capsys.readouterr().out
    assert "6.1  game: irregularities.misdeal/text\n  A misdeal {+never+} voids all hands." in text
    assert pdf.is_file()
    run([*command, "--format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["changed"] is True
    (moved, rule) = sorted(answer["declared"], key=lambda each: each["path"])
    assert (rule["rule"], rule["before"]) == ("6.1", "A misdeal voids all hands.")
    assert {"change": "added", "text": " never"} in rule["words"]
    # A moved rule is in another section; its text is the same, so it is no changed rule.
    assert (moved["path"].partition("/")[2], moved["before"], moved["after"]) == (
        "section", "dealing", "round",
    )  # fmt: skip


def test_two_files_of_terms_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = str(library.schemas() / "filing.schema.json")
    for name, cents in (("a", 10000), ("b", 20000)):
        value = {"$schema": schema, "game": "mini-pai-gow", "largest_wagers": {"bonus": cents}}
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    assert run(["diff", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 0
    printed = capsys.readouterr().out
    assert "largest wagers/bonus\n  [-10000-]{+20000+}" in printed
    assert "Declared values differ. No figures were compared." in printed
    assert "the same" not in printed


def test_a_file_alone_is_compared_with_one_of_its_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    terms = tmp_path / "terms.json"
    terms.write_text('{"$schema": "filing.schema.json", "game": "mini-pai-gow"}', encoding="utf-8")
    for other in ("house-ways/foxwoods", "mini-pai-gow"):
        assert run(["diff", str(terms), other]) == 2
        assert "are of different kinds" in capsys.readouterr().err


def test_the_child_with_limits_compares_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long texts of a received document can take more time than all else."""
    compared: list[object] = []

    def to_dict(result: DiffResult) -> dict[str, Any]:
        compared.append(result)
        return {}

    monkeypatch.setattr(DiffResult, "to_dict", to_dict)
    target = "mini-pai-gow/bonus/A"
    job = {"before": target, "after": target, "game": None, "main": False, "as_of": "2026-11-29"}
    answer(json.dumps(job).encode(), lambda *_: None)
    assert len(compared) == 1
