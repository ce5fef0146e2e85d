"""Slips in copies of built-in entries: every difference is listed, and outliers are warnings."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from certify.model.finding import Severity
from certify.review.check import check

ROOT = Path(__file__).parents[2]
TREASURE = "emperors-challenge-exposed/emperors-treasure-progressive/PT-BJS-EC-ET-0"
NEW = ("P016", "P018", "P019", "P020", "D024")

Change = Callable[[Any], None]


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Change], list[str]]:
    """Return a function that changes a project's copy of an entry and returns its findings."""
    monkeypatch.chdir(tmp_path)
    Path("certify.toml").touch()

    def run(target: str, change: Change) -> list[str]:
        value = json.loads((ROOT / f"paytables/{target}.json").read_bytes())
        del value["$schema"]
        change(value)
        path = Path(f"paytables/{target}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
        found = [each for each in check([path]).findings if each.code in NEW]
        words = {Severity.NOTE: "note", Severity.WARNING: "warning", Severity.ERROR: "error"}
        return [f"{each.code} {words[each.severity]} {each.pointer}" for each in found]

    return run


def put(*path: str | int, value: object) -> Change:
    """Return a function that sets the value at a path."""

    def change(record: Any) -> None:  # noqa: ANN401 - a JSON value
        for part in path[:-1]:
            record = record[part]
        record[path[-1]] = value

    return change


def exchange_names(value: Any) -> None:  # noqa: ANN401 - a JSON value
    first, second = value["rows"][2:4]
    first["name"], second["name"] = second["name"], first["name"]


def count_stake(value: Any) -> None:  # noqa: ANN401 - a JSON value
    for row in value["rows"]:
        row["pays"] = row["pays"].replace("for", "to")


BONUS = "mini-pai-gow/bonus/A"
MAIN = "pai-gow-mania/main/commission-5-percent"
ENVY = "emperors-challenge-exposed/emperors-treasure/envy/E01"


@pytest.mark.parametrize(
    ("target", "change", "expected"),
    [
        (BONUS, lambda _: None, []),
        (BONUS, put("name", value="Ours"), []),
        (BONUS, put("rows", 4, "pays", value="21 to 1"), ["P016 note /rows/4/pays"]),
        (BONUS, put("rows", 4, "pays", value="200 to 1"), ["P016 warning /rows/4/pays"]),
        (MAIN, put("commission", "rate", value="4%"), ["P016 note /commission/rate"]),
        (ENVY, put("rows", 0, "prize_cents", value=1000), ["P016 note /rows/0/prize_cents"]),
        (BONUS, lambda value: value["rows"].pop(2), ["P016 note ", "P020 warning /rows/1"]),
        (BONUS, lambda value: value["rows"].pop(1), ["P016 note ", "P020 warning /rows/0"]),
        (BONUS, exchange_names, ["D024 error /rows/2/name", "D024 error /rows/3/name"]),
        (
            f"{TREASURE}1",
            put("rows", 0, "pays", value="1%"),
            ["P016 note /rows/0/pays", "P019 warning /rows/0/pays"],
        ),
        (
            f"{TREASURE}3",  # its second row wins the whole, too
            put("rows", 0, "pays", value="1%"),
            ["P016 note /rows/0/pays", "P019 warning /rows/0/pays"],
        ),
        (f"{TREASURE}1", put("name", value="PT-BJS-EC-ET-10"), ["P018 warning /name"]),
        (f"{TREASURE}1", put("name", value="Treasure"), []),
        (
            f"{TREASURE}1",
            put("progressive", "base_wager_cents", value=1),
            [
                "P016 note /progressive/base_wager_cents",
                "P018 warning /progressive/base_wager_cents",
            ],
        ),
        (
            f"{TREASURE}1",
            count_stake,
            [*(f"P016 note /rows/{row}/pays" for row in range(3, 8)), "P018 warning /rows"],
        ),
    ],
)
def test_slip_is_reported_at_its_place(
    judge: Callable[[str, Change], list[str]], target: str, change: Change, expected: list[str]
) -> None:
    assert sorted(judge(target, change)) == sorted(expected)


@pytest.mark.parametrize("folder", ["paytables", "fixtures/field/paytables"])
def test_no_table_of_the_library_and_the_samples_is_an_outlier(folder: str) -> None:
    assert [each for each in check([ROOT / folder]).findings if each.code in NEW] == []
