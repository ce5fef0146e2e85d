"""Import of vendors' files in the web app: the request and the result are those of the command."""

import html
import json
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from certify import import_paytables
from certify.library import paytables
from tests.commands.vendor_files import binder
from tests.desk.conftest import Answer, Client, finish, look_for_faults, open_reader, send

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EXPRESS, EMPEROR = "commission-free-pai-gow-express", "emperors-challenge-exposed"
TABLE = f"{EXPRESS}/dynasty-bonus/W8"
PASTED = (
    "Dynasty Bonus\nTable W8\n\nHand\tPays\n5 Aces\t400 to 1\nBig Boat\t5 to 1\nTrips\t3 to 1\n"
)


@pytest.fixture(autouse=True)
def _without_papers(desk: Client) -> Iterator[None]:
    """The copies of vendors' files belong to the test that imported them."""
    yield
    shutil.rmtree(desk.folder / "sources", ignore_errors=True)


def begin(client: Client, files: dict[str, tuple[str, bytes]], **fields: str) -> tuple[str, Answer]:
    """Send files; return the address of their preview, and the page."""
    return follow(client, send(client, "/import", files, **fields))


def follow(client: Client, answer: Answer) -> tuple[str, Answer]:
    job = answer.headers.get("location", "").rpartition("/")[2]
    return f"/import/{job}", finish(client, answer)


def read_result(client: Client, address: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(client.get(f"{address}/record.json").data)
    return value


def list_files(client: Client) -> set[str]:
    return {path.stem for path in (client.folder / "paytables").rglob("*.json")}


def test_a_pasted_table_is_asked_answered_and_taken_over(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, shown = begin(desk, {}, pasted=PASTED, game=EXPRESS)
    assert '<select id="question_1" name="matches/Big Boat">' in shown.text
    assert 'name="take"' not in shown.text
    assert "<td>question</td>" in shown.text
    monkeypatch.chdir(desk.folder)
    (desk.folder / "pasted.txt").write_bytes(PASTED.rstrip("\n").encode())
    given = {"Big Boat": "full_house"}
    asked = import_paytables("pasted.txt", game=EXPRESS, preview=True)
    assert read_result(desk, address) == json.loads(json.dumps(asked.to_dict()))

    # Typed with the button that takes over, the answer was in no preview: it is shown first.
    answers = {"matches/Big Boat": given["Big Boat"], "take": "yes"}
    address, shown = follow(desk, desk.post(address, answers))
    assert list_files(desk) == set()
    answered = import_paytables("pasted.txt", game=EXPRESS, matches=given, preview=True)
    assert read_result(desk, address) == json.loads(json.dumps(answered.to_dict()))
    assert "<td>answer</td>" in shown.text
    address, taken = follow(desk, desk.post(address, answers))
    written = read_result(desk, address)["written"]
    assert f'<a href="/games/{TABLE}">' in taken.text
    assert {path.rpartition("/")[2] for path in written} >= {"W8.json", "game.json"}
    assert desk.get(f"/games/{TABLE}").status == 200

    text = PASTED.replace("400 to 1", "300 to 1")
    address, shown = begin(desk, {}, pasted=text, game=EXPRESS)  # the answer is remembered
    assert '<span class="added">' in shown.text
    assert "300 to 1" in shown.text
    place = read_result(desk, address)["tables"][0]["place"]
    assert f'name="tables/{place}"' in html.unescape(shown.text)
    answers = {f"tables/{place}": "W9"}
    address, shown = follow(desk, desk.post(address, answers))
    assert [each["state"] for each in read_result(desk, address)["tables"]] == ["new"]
    answers |= {"matches/Big Boat": "full_house", "take": "yes"}  # the form has the remembered one
    address, _ = follow(desk, desk.post(address, answers))
    assert "W9" in list_files(desk)


def test_a_figure_that_differs_is_shown_with_both_counts(desk: Client) -> None:
    # Commission Free Pai Gow Express prints 1,128 hands with five aces.
    text = "Dynasty Bonus\nTable W7\n\nHand\tPays\tCombinations\n5 Aces\t400 to 1\t{}\n"
    agrees = begin(desk, {}, pasted=text.format("1,128"), game=EXPRESS)[1]
    assert '<p class="good">1 of 1 printed figures agree with ours.' in agrees.text
    differs = begin(desk, {}, pasted=text.format("1,129"), game=EXPRESS)[1]
    assert "printed 1,129, computed 1,128" in differs.text


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("bad.xlsx", b"PK\3\4 nothing", "cannot be read"),
        ("../../bad.exe", b"MZ", "bad.exe is not a file of paytables"),
        ("", b"", "Choose a file, or paste a table."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(
    desk: Client, name: str, data: bytes, reason: str
) -> None:
    answer = send(desk, "/import", {"file": (name, data)}, game=EXPRESS)
    shown = finish(desk, answer) if answer.status == 303 else answer
    assert shown.status == 422
    assert reason in html.unescape(shown.text)
    assert "Traceback" not in shown.text


ACTIONS, ENTRIES = 6, 500
"""The most actions for the binder, and about how many values it has: of each row two or more."""


def test_a_binder_of_35_tables_is_imported_with_one_question(desk: Client) -> None:
    data, tables = binder(paytables(), EMPEROR)
    assert len(tables) == 35
    assert sum(len(row) for rows in tables.values() for row in rows) > ENTRIES
    address, _ = begin(desk, {"file": ("binder.xlsx", data)}, game=EMPEROR)
    actions = 3  # Import on the page of the game, the file, Read the tables
    (asked,) = read_result(desk, address)["questions"]
    assert asked["answer"] == "--base-wager AMOUNT"  # an option more, in a terminal
    # Emperor's Challenge: the progressives are for a wager of $1.
    answers = {"base_wager_cents": "1"}
    address, _ = follow(desk, desk.post(address, answers))
    address, taken = follow(desk, desk.post(address, {**answers, "take": "yes"}))
    actions += 3  # the amount, Read again, Take over
    assert actions <= ACTIONS
    assert "Taken over" in taken.text
    for target, rows in tables.items():
        record = json.loads((desk.folder / "paytables" / f"{target}.json").read_bytes())
        assert [simplify(row) for row in record["rows"]] == [simplify(row) for row in rows]
        envy = f"{target.rpartition('/')[0]}/envy/{record['id']}"
        assert record.get("envy") == (record["id"] if envy in tables else None)


def simplify(row: dict[str, Any]) -> dict[str, Any]:
    """Return the event and the amount of a row, without its printed names."""
    return {name: row[name] for name in row if name in {"event", "pays", "meter", "prize_cents"}}


@pytest.fixture(scope="module")
def reader(_shared: Client, _chromium: "Browser") -> Iterator["Page"]:
    yield from open_reader(_shared, _chromium)


@pytest.mark.usefixtures("desk")
def test_the_preview_has_no_fault_of_accessibility(reader: "Page") -> None:
    text = PASTED.replace("Trips", "Natural Wonder") + "\nTable W8\nHand\tPays\n5 Aces\t9 to 1\n"
    text += "\nTable 3\nHand\tPays\tCombinations\n5 Aces\t500 to 1\t1,129\n"
    reader.goto(f"/import?game={EXPRESS}")
    reader.get_by_label("Or paste a table").fill(text)
    reader.get_by_role("button", name="Read the tables").click()
    reader.get_by_role("heading", name="Questions").wait_for()
    look_for_faults(reader, "import-preview")
