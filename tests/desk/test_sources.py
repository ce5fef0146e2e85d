import html
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.commands.pair_plus import GAME, pair_plus
from tests.desk.conftest import Client, look_for_faults, open_reader
from tests.marks import long

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ADDRESS = f"/sources/{GAME}"
FIGURE = {
    "target": f"{GAME}/pair-plus/1",
    "quantity": "house_edge",
    "printed": "2.32%",
    "convention": "plain",
    "source/clause": "Analysis",
}
"""The edge of 40-30-6-4-1. Source: Wizard of Odds, Three Card Poker."""

DISCREPANCY = {
    "kind": "gap",
    "title": "Nothing on fouls",
    "words/0": "foul",
    "effect": "No figure changes.",
    "resolution": "Left to the casino.",
    "sources/0/clause": "Rules",
}


def read_fields(desk: Client, kind: str) -> dict[str, str]:
    answer = desk.get(ADDRESS)
    assert answer.status == 200, answer.text
    shown = answer.text.partition(f'name="file" value="{kind}"')[2]
    form = f'<input name="file" value="{kind}">{shown.partition("</form>")[0]}'
    fields = dict(re.findall(r'<input [^>]*?name="([^"]+)"[^>]*? value="([^"]*)"', form))
    for select in re.findall(r"<select.*?</select>", form, re.DOTALL):
        name = re.findall(r'name="([^"]+)"', select)[0]
        fields[name] = (re.findall(r'value="([^"]+)" selected', select) or [""])[0]
    return {name: html.unescape(text) for name, text in fields.items()}


@pytest.mark.parametrize(
    ("kind", "entry", "wrong", "code"),
    [
        ("published", FIGURE, {"printed": "3.32%"}, "F001"),
        ("discrepancies", DISCREPANCY, {"title": ""}, "S001"),
    ],
)
def test_records_of_the_document_are_added_edited_and_removed(
    desk: Client, kind: str, entry: dict[str, str], wrong: dict[str, str], code: str
) -> None:
    at = "/figures" if kind == "published" else "/discrepancies"
    path = pair_plus(desk.folder) / f"{kind}.json"
    assert f'href="{ADDRESS}"' in desk.get(f"/games/{GAME}").text
    assert desk.post(f"{ADDRESS}/begin", {"file": kind}).status == 303
    added = desk.post(f"{ADDRESS}/arrange", {**read_fields(desk, kind), "act": f"add {at}"})
    assert added.headers["location"] == f"{ADDRESS}#{at}/+1"
    typed = {f"{at}/+1/{name}": text for name, text in entry.items()}
    answer = desk.post(f"{ADDRESS}/edited", read_fields(desk, kind) | typed)
    assert "Your draft is kept" in answer.text
    fields = read_fields(desk, kind)
    assert {name: fields[name] for name in typed} == typed  # reloaded, or opened again
    faulty = fields | {f"{at}/+1/{name}": text for name, text in wrong.items()}
    review = desk.post(f"{ADDRESS}/review", faulty).text
    assert f"<code>{code}</code>" in review
    assert f'action="{ADDRESS}/save"' not in review
    assert desk.post(f"{ADDRESS}/save", faulty).status == 422
    desk.post(f"{ADDRESS}/edited", fields)
    assert '<li class="error">' not in desk.post(f"{ADDRESS}/review", fields).text
    assert desk.post(f"{ADDRESS}/save", fields).status == 303
    (saved,) = json.loads(path.read_bytes())[at[1:]]
    source = {"document": GAME, "clause": entry[next(n for n in entry if n.endswith("clause"))]}
    expected = {name: text for name, text in entry.items() if "/" not in name}
    listed = {"words": ["foul"], "sources": [source]} if "words/0" in entry else {"source": source}
    assert saved == {"id": f"{at[1:]}.1", **expected, **listed}
    saved_fields = read_fields(desk, kind)
    clause = next(name for name in saved_fields if name.endswith("/clause"))
    assert desk.post(f"{ADDRESS}/save", saved_fields | {clause: "Section 2"}).status == 303
    assert '"clause": "Section 2"' in path.read_text(encoding="utf-8")
    form = {**read_fields(desk, kind), "act": f"remove {at} 0"}
    assert desk.post(f"{ADDRESS}/arrange", form).status == 303
    assert desk.post(f"{ADDRESS}/save", read_fields(desk, kind)).status == 303
    assert json.loads(path.read_bytes())[at[1:]] == []
    assert desk.post(f"{ADDRESS}/undo", read_fields(desk, kind)).status == 303
    assert len(json.loads(path.read_bytes())[at[1:]]) == 1


def test_records_of_a_built_in_game_are_not_edited(desk: Client) -> None:
    assert "/sources/" not in desk.get("/games/mini-pai-gow").text
    assert desk.get("/sources/mini-pai-gow").status == 404
    for act in ("begin", "edited", "arrange", "review", "save"):
        form = {"file": "discrepancies", "act": "remove /discrepancies 0"}
        assert desk.post(f"/sources/mini-pai-gow/{act}", form).status == 404
    pair_plus(desk.folder)
    for kind in ("../game", "second-counts", ""):
        assert desk.post(f"{ADDRESS}/begin", {"file": kind}).status == 404


@pytest.fixture
def reader(_shared: Client, _chromium: "Browser") -> Iterator["Page"]:
    yield from open_reader(_shared, _chromium)


@pytest.mark.parametrize("name", long(["own-game"]))
def test_the_pages_of_an_own_game_have_no_fault(reader: "Page", desk: Client, name: str) -> None:
    pair_plus(desk.folder)
    reader.goto(f"/games/{GAME}")
    reader.get_by_role("link", name="Figures and discrepancies of its document").click()
    for words in ("printed figures", "discrepancies"):
        reader.get_by_role("button", name=f"Start the list of {words}").click()
    reader.get_by_role("button", name="Add a figure").click()
    reader.get_by_role("group", name="figures.1").wait_for()
    reader.wait_for_load_state("networkidle")  # before, htmx does not see what is typed
    reader.get_by_label("Figure as printed").fill("2.32%")
    reader.get_by_text("Your draft is kept, not saved yet.").wait_for()
    reader.get_by_role("button", name="Add a discrepancy").click()
    reader.get_by_role("group", name="discrepancies.1").wait_for()
    assert reader.get_by_label("Figure as printed").input_value() == "2.32%"
    look_for_faults(reader, f"{name}-sources")
    reader.get_by_role("button", name="Review changes to printed figures").click()
    look_for_faults(reader, f"{name}-review")
    reader.goto(f"/rules/{GAME}")
    reader.get_by_role("button", name="Add a sentence to Dealing", exact=True).click()
    reader.get_by_label("New sentence", exact=True).wait_for()
    reader.wait_for_load_state("networkidle")
    reader.get_by_label("New sentence", exact=True).fill("Cards are dealt one at a time.")
    reader.get_by_label("Topic").select_option("misdeal")
    reader.frame_locator("#printed").get_by_text("Cards are dealt one at a time.").wait_for()
    reader.get_by_role("button", name="Move up: new sentence").click()
    assert reader.get_by_label("New sentence", exact=True).input_value()
    look_for_faults(reader, f"{name}-rules")
    for kind in ("published", "discrepancies"):
        desk.post(f"{ADDRESS}/discard", {"file": kind})
    desk.post(f"/rules/{GAME}/discard", {"file": GAME})
