import html
import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.desk.conftest import ROOT, Answer, Client, read_form
from tests.desk.conftest import approve as put_on_record

if TYPE_CHECKING:
    from playwright.sync_api import Page

TARGET = "mini-pai-gow/bonus/A"
ADDRESS = f"/games/{TARGET}"
BUILTIN = ROOT / "paytables" / f"{TARGET}.json"
STRAIGHT = "/rows/6/pays"


@pytest.fixture(autouse=True)
def _without_drafts(desk: Client) -> Iterator[None]:
    """A draft belongs to the test that typed it."""
    yield
    desk.post(f"{ADDRESS}/discard", {})


def get_edge(text: str) -> str:
    found = re.search(r"House edge</dt><dd>([0-9.]+%)", text)
    return found[1] if found else ""


def test_a_pay_that_is_edited_moves_the_edge_as_the_other_paytable_has_it(desk: Client) -> None:
    # A and B differ in the straight alone, 5 to 1 and 4 to 1.
    fields = read_form(desk.get(ADDRESS))
    other = get_edge(desk.get("/games/mini-pai-gow/bonus/B").text)
    edited = desk.post(f"{ADDRESS}/edited", {**fields, STRAIGHT: "4 to 1"})
    assert edited.status == 200
    assert get_edge(edited.text) == other != get_edge(desk.get("/games/mini-pai-gow/bonus/C").text)


@pytest.mark.parametrize("target", [TARGET, "dealer-open-pai-gow/push-ace-high/1"])
def test_the_example_of_a_row_is_paid_by_this_row(desk: Client, target: str) -> None:
    shown = desk.get(f"/games/{target}").text.partition('id="examples"')[2]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', shown, re.DOTALL)
    declared = json.loads((ROOT / "paytables" / f"{target}.json").read_bytes())["rows"]
    assert [html.unescape(name) for name, _ in rows] == [row["name"] for row in declared]
    for (_, row), paid in zip(rows, declared, strict=True):
        mine, _, theirs = (_typed(part) for part in row.partition(" against "))
        asked = f"game={target.partition('/')[0]}&target={target}&hand={mine}&against={theirs}"
        assert json.loads(desk.get(f"/explain.json?{asked}").text)["event"] == paid["event"]


def _typed(row: str) -> str:
    suits = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
    cards = re.findall(r'<span aria-hidden="true">(.*?)</span>', row)
    return "+".join("Jk" if card == "Joker" else card[:-1] + suits[card[-1]] for card in cards)


def test_a_wrong_pay_is_a_finding_in_place(desk: Client) -> None:
    fields = read_form(desk.get(ADDRESS))
    answer = desk.post(f"{ADDRESS}/edited", {**fields, STRAIGHT: "4 too 1"})
    assert (answer.status, get_edge(answer.text)) == (200, "")
    assert '<li class="error">' in answer.text
    wrong = "Straight: enter the pay as 250 to 1, 3 to 2, push or loss."
    assert f'id="fault-6" hx-swap-oob="true">{wrong}</span>' in answer.text
    saved = desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "4 too 1"})
    assert saved.status == 422
    assert not list((desk.folder / "paytables").rglob("*.json"))


def test_a_pay_in_other_words_is_read_and_shown_as_read(desk: Client) -> None:
    fields = read_form(desk.get(ADDRESS))
    answer = desk.post(f"{ADDRESS}/edited", {**fields, STRAIGHT: "4.5-to-1"})
    assert 'class="faint" id="fault-6" hx-swap-oob="true">Read as 9 to 2.</span>' in answer.text
    assert get_edge(answer.text)
    assert read_form(desk.get(ADDRESS))[STRAIGHT] == "9 to 2"


def test_what_is_typed_is_offered_again(desk: Client) -> None:
    fields = read_form(desk.get(ADDRESS))
    desk.post(f"{ADDRESS}/edited", {**fields, STRAIGHT: "6 to 1"})
    again = desk.get(ADDRESS)
    assert read_form(again)[STRAIGHT] == "6 to 1"
    assert "Your draft, not saved yet." in again.text
    desk.post(f"{ADDRESS}/discard", {})
    assert read_form(desk.get(ADDRESS))[STRAIGHT] == "5 to 1"


def test_what_is_saved_differs_in_the_line_that_was_edited(desk: Client) -> None:
    before = BUILTIN.read_text(encoding="utf-8")
    fields = read_form(desk.get(ADDRESS))
    review = desk.post(f"{ADDRESS}/review", {**fields, STRAIGHT: "6 to 1"})
    marked = re.findall(r'<span class="(added|removed)">.*?</span>(.*?)</span>', review.text)
    assert [(kind, "Straight" in line) for kind, line in marked] == [
        ("removed", True), ("added", True),
    ]  # fmt: skip
    assert desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "6 to 1"}).status == 303
    own = (desk.folder / "paytables" / f"{TARGET}.json").read_text(encoding="utf-8")
    assert own == before.replace('"pays": "5 to 1"', '"pays": "6 to 1"').replace(
        "../../../schemas/paytable.schema.json", "paytable.schema.json"
    )
    assert BUILTIN.read_text(encoding="utf-8") == before
    assert read_form(desk.get(ADDRESS))[STRAIGHT] == "6 to 1"
    assert desk.post(f"{ADDRESS}/undo", read_form(desk.get(ADDRESS))).status == 303
    assert not list((desk.folder / "paytables").rglob("*.json"))


def test_of_two_windows_the_second_is_refused(desk: Client) -> None:
    fields = read_form(desk.get(ADDRESS))
    assert desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "6 to 1"}).status == 303
    second = desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "7 to 1"})
    assert second.status == 409
    assert desk.post(f"{ADDRESS}/undo", fields).status == 409
    # Who saved, and when, as the log of the project has it.
    assert re.search(rf"At \S+Z, \S+ saved {TARGET} after you opened it\.", second.text)
    assert "<h1>Not saved</h1>" in second.text
    settled = settle(desk, {"use /rows/6": "mine"})
    assert (read_form(settled)[STRAIGHT], STRAIGHT) == ("7 to 1", "/rows/6/pays")
    own = desk.folder / "paytables" / f"{TARGET}.json"
    assert '"6 to 1"' in own.read_text(encoding="utf-8")
    own.write_text(own.read_text(encoding="utf-8").replace("6 to 1", "8 to 1"), encoding="utf-8")
    assert desk.post(f"{ADDRESS}/undo", read_form(desk.get(ADDRESS))).status == 409


def settle(desk: Client, choices: dict[str, str]) -> Answer:
    """Settle the only conflict of the page; return the page as it is then."""
    (address,) = re.findall(r'href="([^"]+/conflict\?window=[^"]*)"', desk.get(ADDRESS).text)
    asked = desk.get(html.unescape(address))
    assert asked.status == 200, asked.text
    answer = desk.post(f"{ADDRESS}/conflict", {**read_form(asked), **choices})
    assert (answer.status, answer.headers.get("location")) == (303, ADDRESS)
    assert "/conflict" not in desk.get(ADDRESS).text
    return desk.get(ADDRESS)


def test_two_windows_of_one_paytable_lose_nothing(desk: Client) -> None:
    first, second = (read_form(desk.get(ADDRESS)) for _ in range(2))
    assert "another window" not in desk.post(f"{ADDRESS}/edited", first | {STRAIGHT: "6 to 1"}).text
    other = second | {STRAIGHT: "7 to 1", "/rows/5/pays": "8 to 1"}
    assert "changed in another window" in desk.post(f"{ADDRESS}/edited", other).text
    assert read_form(desk.get(ADDRESS))[STRAIGHT] == "6 to 1"
    shown = desk.get(html.unescape(f"{ADDRESS}/conflict?window={second['window']}")).text
    assert "Straight (straight): 7 to 1" in shown
    assert "Straight (straight): 6 to 1" in shown
    assert "Two Pair" not in shown  # both have it as it is in the file
    fields = read_form(settle(desk, {"use /rows/6": "theirs", "use /rows/5": "mine"}))
    assert (fields[STRAIGHT], fields["/rows/5/pays"]) == ("6 to 1", "8 to 1")
    # The first window goes on typing: its text is not mixed with the result.
    assert (
        "changed in another window"
        in desk.post(f"{ADDRESS}/edited", first | {STRAIGHT: "9 to 1"}).text
    )
    fields = read_form(settle(desk, {"all": "mine"}))
    assert (fields[STRAIGHT], fields["/rows/5/pays"]) == ("9 to 1", "7 to 1")


def test_a_save_leaves_the_draft_of_another_window(desk: Client) -> None:
    first, second = (read_form(desk.get(ADDRESS)) for _ in range(2))
    desk.post(f"{ADDRESS}/edited", first | {STRAIGHT: "6 to 1", "/rows/3/pays": "24 to 1"})
    saved = second | {STRAIGHT: "7 to 1", "/rows/5/pays": "8 to 1"}
    assert desk.post(f"{ADDRESS}/save", saved).status == 303
    assert read_form(desk.get(ADDRESS))[STRAIGHT] == "7 to 1"
    # A row that one window changed is chosen as changed; of a row that both did, nothing is.
    shown = desk.get(f"{ADDRESS}/conflict?window={first['window']}").text
    offered = re.findall(r'name="use /rows/(\d)" value="(\w+)"(?: required)?( checked)?', shown)
    assert [(row, version) for row, version, checked in offered if checked] == [
        ("3", "mine"), ("5", "theirs"),
    ]  # fmt: skip
    assert [row for row, _, _ in offered] == ["3", "3", "5", "5", "6", "6"]
    fields = read_form(settle(desk, {"use /rows/6": "mine", "use /rows/5": "theirs"}))
    assert (fields[STRAIGHT], fields["/rows/5/pays"]) == ("6 to 1", "8 to 1")
    assert desk.post(f"{ADDRESS}/undo", read_form(desk.get(ADDRESS))).status == 303


@pytest.fixture
def approve(desk: Client) -> Iterator[Callable[[], None]]:
    """Put the paytable on record as approved; the test leaves no register."""
    yield lambda: put_on_record(desk, TARGET)
    (desk.folder / "register.json").unlink(missing_ok=True)
    for path in (desk.folder / "paytables").rglob("*.json"):
        path.unlink()


def test_an_approved_paytable_is_saved_under_another_id_only(
    desk: Client, approve: Callable[[], None]
) -> None:
    assert "Approved in Nevada" not in desk.get(ADDRESS).text
    approve()
    shown = desk.get(ADDRESS)
    assert (
        "<strong>Approved in Nevada</strong> since January 2, 2026 (register entry nevada-1)"
        in shown.text
    )
    fields = {**read_form(shown), STRAIGHT: "6 to 1"}
    review = desk.post(f"{ADDRESS}/review", fields).text
    assert "<code>R014</code>" in review
    assert "<strong>Approved in Nevada</strong>" in review
    assert f'action="{ADDRESS}/save"' not in review
    assert f'action="{ADDRESS}/save-as"' in review
    refused = desk.post(f"{ADDRESS}/save", fields)
    assert refused.status == 422
    assert "Not saved: approved or filed content must not change." in refused.text
    assert "the form New paytable of the game" in refused.text
    for name, clause in (("A", "Sheet 2"), ("B", "Sheet 2"), ("../A", "Sheet 2"), ("A2", "")):
        answer = desk.post(f"{ADDRESS}/save-as", {**fields, "new_id": name, "clause": clause})
        assert answer.status in {404, 422}
    assert not list((desk.folder / "paytables").rglob("*.json"))

    saved = desk.post(f"{ADDRESS}/save-as", {**fields, "new_id": "A2", "clause": "Sheet 2"})
    assert saved.status == 303
    assert saved.headers["location"] == f"{ADDRESS}2?from={TARGET}"
    page = desk.get(f"{ADDRESS}2?from={TARGET}")
    assert f'href="/compare?before={TARGET}&amp;after={TARGET}2"' in page.text
    badge = '<span class="badge">approved in Nevada</span>'
    assert desk.get("/games/mini-pai-gow").text.count(badge) == 1
    assert read_form(page)[STRAIGHT] == "6 to 1"
    assert "Approved in" not in page.text
    (own,) = (desk.folder / "paytables").rglob("*.json")
    new, old = json.loads(own.read_bytes()), json.loads(BUILTIN.read_bytes())
    assert (new["id"], new["source"]["clause"]) == ("A2", "Sheet 2")
    assert [row["pays"] for row in new["rows"]] == [
        "6 to 1" if place == 6 else row["pays"] for place, row in enumerate(old["rows"])
    ]
    assert read_form(desk.get(ADDRESS))[STRAIGHT] == "5 to 1"


def test_what_was_approved_is_not_undone(desk: Client, approve: Callable[[], None]) -> None:
    fields = read_form(desk.get(ADDRESS))
    assert desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "6 to 1"}).status == 303
    approve()
    refused = desk.post(f"{ADDRESS}/undo", read_form(desk.get(ADDRESS)))
    assert refused.status == 422
    assert "<code>R014</code>" in refused.text
    assert read_form(desk.get(ADDRESS))[STRAIGHT] == "6 to 1"


def test_a_broken_register_lets_nothing_be_saved(desk: Client, approve: Callable[[], None]) -> None:
    fields = read_form(desk.get(ADDRESS))
    approve()
    (desk.folder / "register.json").write_text("{", encoding="utf-8")
    assert desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "6 to 1"}).status == 422
    assert not list((desk.folder / "paytables").rglob("*.json"))


@pytest.mark.parametrize("field", ["/rows/6/name", "/rows/6/pays", "/rows/6/event"])
def test_a_hostile_text_is_printed_as_text(desk: Client, field: str) -> None:
    hostile = '"><script>alert(1)</script>\u202e{{ 7 * 7 }}'
    fields = {**read_form(desk.get(ADDRESS)), field: hostile}
    for act in ("edited", "found", "review", "save"):
        answer = desk.post(f"{ADDRESS}/{act}", fields)
        assert answer.status in {200, 303, 422}
        assert "<script>alert" not in answer.text
        assert "\u202e" not in answer.text
        assert "49" not in re.findall(r"alert\(1\).{0,60}", answer.text)
    again = desk.get(ADDRESS)
    assert again.status == 200
    assert "<script>alert" not in again.text


def test_a_field_that_is_no_text_of_the_file_changes_nothing(desk: Client) -> None:
    fields = read_form(desk.get(ADDRESS))
    strange = {"/rows/99/pays": "1 to 1", "/rows/0": "x", "/id": "B", "/rows/../id": "B"}
    assert "No changes." in desk.post(f"{ADDRESS}/review", {**fields, **strange}).text


def arrange_rows(desk: Client, fields: dict[str, str], act: str, **more: str) -> dict[str, str]:
    answer = desk.post(f"{ADDRESS}/rows", {**fields, "act": act, **more})
    assert answer.status == 303, answer.text
    return read_form(desk.get(ADDRESS))


def test_rows_are_moved_and_added_and_nothing_else_changes(desk: Client) -> None:
    before = BUILTIN.read_text(encoding="utf-8")
    rows = [line for line in before.split("\n") if line.startswith('    {"event"')]
    first = read_form(desk.get(ADDRESS))
    fields = arrange_rows(desk, first, "up 1")
    fields = arrange_rows(desk, fields, "add", new_event="pair")
    assert fields["/rows"] == "1 0 2 3 4 5 6 7 8 +1"
    assert "Your draft, not saved yet." in desk.get(ADDRESS).text
    assert desk.post(f"{ADDRESS}/save", fields).status == 422  # the new row pays nothing yet
    fields |= {"/rows/+1/pays": "push", STRAIGHT: "6 to 1"}
    assert "Pair" in desk.post(f"{ADDRESS}/review", fields).text
    assert desk.post(f"{ADDRESS}/save", fields).status == 303
    own = (desk.folder / "paytables" / f"{TARGET}.json").read_text(encoding="utf-8")
    new = '    {"event": "pair", "name": "Pair", "pays": "push"}'
    moved = [rows[1], rows[0], *rows[2:8], f"{rows[8]},", new]
    asked = before.replace("\n".join(rows), "\n".join(moved))
    asked = asked.replace('"pays": "5 to 1"', '"pays": "6 to 1"')
    assert own == asked.replace("../../../schemas/paytable.schema.json", "paytable.schema.json")
    assert desk.post(f"{ADDRESS}/undo", read_form(desk.get(ADDRESS))).status == 303
    assert read_rows(desk) == {name: first[name] for name in first if name.startswith("/rows")}


def read_rows(desk: Client) -> dict[str, str]:
    fields = read_form(desk.get(ADDRESS))
    return {name: fields[name] for name in fields if name.startswith("/rows")}


def test_a_removed_row_is_missed_where_another_reading_names_it(desk: Client) -> None:
    fields = arrange_rows(desk, read_form(desk.get(ADDRESS)), "remove 8")
    assert fields["/rows"] == "0 1 2 3 4 5 6 7"
    assert "There is no two_pair." in desk.post(f"{ADDRESS}/found", fields).text
    for row in range(7):
        fields = arrange_rows(desk, fields, f"remove {row}")
    last = desk.post(f"{ADDRESS}/rows", {**fields, "act": "remove 7"})
    assert (last.status, "This is the last row" in last.text) == (422, True)


def test_a_page_from_before_the_rows_were_moved_does_not_move_them_back(desk: Client) -> None:
    first = read_form(desk.get(ADDRESS))
    moved = arrange_rows(desk, first, "up 1")
    assert "in another window" in desk.post(f"{ADDRESS}/edited", first).text
    assert read_rows(desk) == {name: moved[name] for name in moved if name.startswith("/rows")}


@pytest.mark.parametrize(
    "act", ["", "up", "up 99", "left 1", "remove x", "add", "add no_such_event", "up +9"]
)
def test_an_act_on_no_row_is_refused(desk: Client, act: str) -> None:
    fields = read_form(desk.get(ADDRESS))
    answer = desk.post(f"{ADDRESS}/rows", {**fields, "act": act, "new_event": ""})
    assert answer.status in {404, 422}
    assert "no such" in answer.text


def test_an_arrangement_names_rows_and_nothing_else(desk: Client) -> None:
    fields = read_form(desk.get(ADDRESS)) | {"/rows": "0 0 1 2 3 4 5 6 7 8 9 ../x -1 <b> +1234"}
    assert "No changes." in desk.post(f"{ADDRESS}/review", fields).text


@pytest.mark.parametrize(
    "target",
    [
        "mini-pai-gow/bonus/..%2F..%2F..%2Fcertify",
        "..%2F..%2Fetc/passwd/x",
        "mini-pai-gow/bonus/A.json.json",
        "mini-pai-gow/bonus/%00",
        "mini-pai-gow/bonus/a",
        "house-ways/foxwoods/x",
    ],
)
def test_an_id_is_never_a_path(desk: Client, target: str) -> None:
    assert desk.get(f"/games/{target}").status == 404
    assert desk.post(f"/games/{target}/save", {}).status == 404


def test_a_person_changes_a_pay_and_saves_it(window: "Page", desk: Client) -> None:
    window.goto("/")
    window.get_by_role("searchbox").fill("Mini")
    window.get_by_role("link", name="A", exact=True).click()
    window.wait_for_url(f"**{ADDRESS}")  # loaded: before, htmx does not see what is typed
    edge = window.locator("#figures dd").first
    before = edge.inner_text()
    pay = window.get_by_label("Pays for Straight", exact=True)
    pay.fill("4 to 1")
    window.wait_for_function(
        "before => document.querySelector('#figures dd')?.innerText !== before", arg=before
    )
    assert pay.evaluate("field => field === document.activeElement")
    pay.fill("4 too 1")
    window.locator("#found .findings li.error").first.wait_for()
    pay.fill("4 to 1")
    window.locator("#figures dl").wait_for()
    window.get_by_role("button", name="Review changes").click()
    changed = window.get_by_role("region", name="Changed rows").locator("tbody tr")
    assert "5 to 1\t4 to 1" in changed.inner_text()  # refused if there are several
    window.get_by_role("button", name="Save", exact=True).click()
    window.get_by_role("button", name="Undo the last save").wait_for()
    own = desk.folder / "paytables" / f"{TARGET}.json"
    assert '"Straight", "pays": "4 to 1"' in own.read_text(encoding="utf-8")


def test_a_person_moves_a_row_and_adds_one(window: "Page") -> None:
    window.goto(ADDRESS)
    window.wait_for_load_state("networkidle")
    window.get_by_role("button", name="Move Royal Flush up").click()
    assert list_column(window, "event")[:2] == ["royal flush", "five aces"]
    window.get_by_label("Event for the new row").fill("pair")
    window.keyboard.press("Enter")
    assert window.evaluate("document.activeElement.name") == "/rows/+1/pays"
    window.keyboard.type("1 to 1")
    window.get_by_text("Available events").click()
    window.get_by_role("button", name="Add a row for full house").wait_for()
    window.get_by_role("button", name="Review changes").click()
    window.get_by_role("heading", name="Review changes").wait_for()
    assert "new row\t1 to 1" in window.get_by_role("region", name="Changed rows").inner_text()


def list_column(window: "Page", name: str) -> list[str]:
    """Return the texts of a column of the sheet, from top to bottom."""
    fields = window.locator(f"#sheet tbody[data-row] input[name$='/{name}']")
    return [field.input_value() for field in fields.all()]


def test_keys_go_down_a_column_and_undo_goes_back(window: "Page") -> None:
    window.goto(ADDRESS)
    window.wait_for_load_state("networkidle")
    pays = list_column(window, "pays")
    window.get_by_label("Pays for Flush", exact=True).focus()
    window.keyboard.press("Enter")
    assert window.evaluate("document.activeElement.name") == STRAIGHT
    window.keyboard.press("ArrowUp")
    window.keyboard.press("ArrowDown")
    window.keyboard.type("6 to 1")  # the cell that a key reaches is selected
    window.keyboard.press("Alt+ArrowUp")
    assert list_column(window, "event")[5:7] == ["straight", "flush"]
    assert list_column(window, "pays")[5:7] == ["6 to 1", "7 to 1"]
    for _ in range(2):
        window.keyboard.press("Control+Z")
    assert list_column(window, "pays") == pays
    window.keyboard.press("Control+Y")
    assert list_column(window, "pays")[6] == "6 to 1"
    window.get_by_text("Your draft, not saved yet.").wait_for()


def test_a_table_is_copied_and_pasted_with_tabs(window: "Page", desk: Client) -> None:
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.goto(ADDRESS)
    window.wait_for_load_state("networkidle")
    window.get_by_label("Printed name of row Flush", exact=True).focus()
    window.get_by_label("Pays for Straight", exact=True).click(modifiers=["Shift"])
    window.keyboard.press("Control+C")
    copied = window.evaluate("navigator.clipboard.readText()")
    assert copied == "Flush\t7 to 1\nStraight\t5 to 1"
    window.evaluate("navigator.clipboard.writeText('1:1\\n3/2\\n')")
    window.get_by_label("Pays for Three of a Kind", exact=True).focus()
    window.keyboard.press("Control+V")
    window.evaluate("navigator.clipboard.writeText('Pair\\tOne Pair\\teven money')")
    window.get_by_label("Event for the new row").focus()
    window.keyboard.press("Control+V")
    window.get_by_text("Read as 3 to 2.").wait_for()
    window.get_by_text("Read as 1 to 1.").nth(1).wait_for()
    fields = read_form(desk.get(ADDRESS))
    assert [fields[f"/rows/{row}/pays"] for row in ("7", "8", "+1")] == [
        "1 to 1", "3 to 2", "1 to 1",
    ]  # fmt: skip
    assert (fields["/rows/+1/event"], fields["/rows/+1/name"]) == ("pair", "One Pair")


def test_only_events_that_the_deck_can_deal_are_offered(window: "Page") -> None:
    # A hand of this game has six cards.
    window.goto(ADDRESS)
    window.wait_for_load_state("networkidle")
    offered = window.locator("#offered option").evaluate_all("all => all.map(each => each.value)")
    assert {"five aces", "two pair", "pair"} < set(offered)
    assert "seven card straight flush" not in offered


def test_an_event_that_is_not_known_is_named_in_its_row(desk: Client) -> None:
    fields = read_form(desk.get(ADDRESS)) | {"/rows/6/event": "Four of a  kynd"}
    answer = desk.post(f"{ADDRESS}/edited", fields)
    assert "Straight: choose an event from the list." in answer.text
    answer = desk.post(f"{ADDRESS}/edited", fields | {"/rows/6/event": "Pair"})
    assert "choose an event" not in answer.text


def test_a_key_after_a_pay_moves_no_row(window: "Page") -> None:
    """The change is sent while a button of the row has the focus, which has its own address."""
    window.goto(ADDRESS)
    window.wait_for_load_state("networkidle")
    edge = window.locator("#figures dd").first.inner_text()
    pay = window.get_by_label("Pays for Straight", exact=True)
    pay.focus()
    window.keyboard.press("Control+A")
    window.keyboard.type("9 to 1")
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.formAction").endswith("/rows")
    window.wait_for_function(
        "edge => document.querySelector('#figures dd')?.innerText !== edge", arg=edge
    )
    assert window.get_by_role("button", name="Review changes").count() == 1
    assert pay.get_attribute("name") == "/rows/6/pays"
    window.once("dialog", lambda dialog: dialog.accept())
    window.get_by_role("button", name="Discard the draft").click()
