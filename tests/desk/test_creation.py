import json
import re
from pathlib import Path

import pytest

from certify import library
from certify.desk.answers import Form
from certify.desk.creation import ACTS
from certify.errors import NotConfigured
from tests.desk.conftest import Client, read_form

MODEL = "mini-pai-gow"
COPY = "lucky-seven-pai-gow"
TABLE = f"{COPY}/bonus/X1"
FIELDS = {
    "called": "Lucky Seven Pai Gow",
    "supplier": "Acme",
    "document": "Lucky Seven Pai Gow: Rules of Play",
    "dated": "May 2026",
    "clause": "Rules",
}


def find_faults(text: str) -> list[str]:
    """Return the names of the fields with a fault."""
    return re.findall(r'id="(\w+)_fault"', text)


def test_a_game_is_copied_changed_renamed_deleted_and_restored(desk: Client) -> None:
    offered = desk.get(f"/games/{MODEL}").text
    assert f'action="/create/copy/{MODEL}"' in offered
    assert f'action="/create/delete/{MODEL}"' not in offered  # it comes with certify
    empty = desk.post(f"/create/copy/{MODEL}", {"called": ""})
    assert empty.status == 422
    assert find_faults(empty.text) == ["called", "supplier", "document", "dated"]
    copied = desk.post(f"/create/copy/{MODEL}", FIELDS)
    assert copied.headers["location"] == f"/games/{COPY}"
    again = desk.post(f"/create/copy/{MODEL}", FIELDS)
    assert (again.status, "already exists" in again.text) == (422, True)
    assert find_faults(again.text) == ["id"]

    asked = {"new_id": "X1", "like": f"{COPY}/bonus/A", "clause": "Sheet 2"}
    assert desk.post(f"/create/paytable/{COPY}", asked).headers["location"] == f"/games/{TABLE}"
    file = desk.folder / "paytables" / f"{TABLE}.json"
    assert desk.post(f"/create/rename/{TABLE}", {"name": "Lucky"}).status == 303
    assert json.loads(file.read_bytes())["name"] == "Lucky"

    written = file.read_bytes()
    undo = desk.post(f"/create/delete/{TABLE}", {}).headers["location"]
    assert not file.exists()
    assert f'action="/create/restore/{TABLE}"' in desk.get(undo).text
    assert desk.post(f"/create/restore/{TABLE}", {}).headers["location"] == f"/games/{TABLE}"
    assert file.read_bytes() == written
    undo = desk.post(f"/create/delete/{COPY}", {}).headers["location"]
    assert not list((desk.folder / "paytables").rglob("*.json"))
    assert f"{COPY} was deleted" in desk.get(undo).text
    for key in (MODEL, "..", f"{MODEL}/../../certify"):
        assert desk.post(f"/create/delete/{key}", {}).status in {404, 422}
    assert (desk.folder / "certify.toml").exists()


@pytest.mark.parametrize(
    ("called", "typed", "made"),
    [
        ("牌九扑克", "lucky-dragon", "lucky-dragon"),
        ("Señor Pai Gow", "", "senor-pai-gow"),
        ("牌九扑克 Pai Gow", "", "pai-gow"),
        ("牌九扑克", "", ""),
        ("Mini Pai Gow", "", ""),
        ("Lucky Pai Gow", "lucky pai gow", ""),
    ],
)
def test_a_copy_has_a_name_in_any_script_and_an_id(
    desk: Client, called: str, typed: str, made: str
) -> None:
    answer = desk.post(f"/create/copy/{MODEL}", FIELDS | {"called": called, "id": typed})
    own = desk.folder / "paytables"
    if made:
        assert answer.headers["location"] == f"/games/{made}"
        game = json.loads((own / made / "game.json").read_bytes())
        assert (game["name"], game["supplier"]) == (called, "Acme")
        assert f"<h1>{called}</h1>" in desk.get(f"/games/{made}").text
    else:
        assert (answer.status, find_faults(answer.text)) == (422, ["id"])
        assert f'value="{called}"' in answer.text
        assert not list(own.rglob("*.json"))


def test_a_blank_game_gets_a_wager_a_paytable_and_an_event(desk: Client) -> None:
    own, sources = desk.folder / "paytables", {"document": "Royal Rules", "clause": "1"}
    steps = {
        "game/": {"called": "Royal Pai Gow", **sources},
        "wager/royal-pai-gow": {
            "called": "Royal Bonus", "clause": "2", "hand": "player", "kind": "bonus",
        },
        "paytable/royal-pai-gow": {
            "new_id": "1", "like": "royal-pai-gow/royal-bonus/", "clause": "3",
            "row": "flush=4 to 1",
        },
        "event/royal-pai-gow/royal-bonus/1": {
            "id": "royal_match", "text": "A royal match", "clause": "4", "like": "flush",
        },
        "jurisdiction/": {
            "called": "Utopia", "regulator": "Board", "clause": "UC 1", "address": "https://utopia.gov",
        },
    }  # fmt: skip
    for act, fields in steps.items():
        made = desk.post(f"/create/{act}", fields)
        assert made.status == 303, made.text
        assert desk.get(made.headers["location"]).status == 200
    table = json.loads((own / "royal-pai-gow/royal-bonus/1.json").read_bytes())
    assert [(row["event"], row["pays"]) for row in table["rows"]] == [("flush", "4 to 1")]
    (event,) = json.loads((own / "events.json").read_bytes())["events"]
    assert event["source"]["clause"] == "4"
    assert json.loads((own / "jurisdictions/utopia.json").read_bytes())["regulator"] == "Board"
    wager = steps["wager/royal-pai-gow"]
    wrong = desk.post("/create/wager/royal-pai-gow", wager | {"hand": "third", "called": ""})
    assert (wrong.status, find_faults(wrong.text)) == (422, ["called", "hand"])
    for key in ("no-game", ""):
        assert desk.post(f"/create/wager/{key}", wager).status == 404


def test_an_edit_that_contradicts_a_printed_figure_is_saved_as_a_new_paytable(
    desk: Client,
) -> None:
    address = "/games/emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-03"
    fields = {**read_form(desk.get(address)), "/rows/1/pays": "1500 to 1"}
    review = desk.post(f"{address}/review", fields).text
    assert "The source document prints other figures for this paytable" in review
    assert f'action="{address}/save"' not in review
    saved = desk.post(f"{address}/save-as", {**fields, "new_id": "ET-99", "clause": "Sheet 2"})
    assert saved.headers["location"].startswith(address.replace("PT-FLT-EC-ET-03", "ET-99?from"))


def test_a_project_is_created_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    form = Form(values={"folder": [str(tmp_path / "new")]})
    assert ACTS["project"]("", form) == "/"
    assert library.project() == tmp_path / "new"
    with pytest.raises(NotConfigured, match="is in the project"):
        ACTS["project"]("", form)
