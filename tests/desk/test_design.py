"""Design of a paytable in the web app: the search is that of `certify solve`."""

import html
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from certify import api
from tests.desk.conftest import ROOT, Client, finish, look_for_faults, open_reader, read_form

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TARGET = "mini-pai-gow/bonus/A"
ADDRESS = f"/games/{TARGET}"
FLUSH, STRAIGHT = "/rows/5/pays", "/rows/6/pays"
FORM = {"edge_low": "8", "edge_high": "9", "open": "straight", "by": "distance"}


@pytest.fixture(autouse=True)
def _without_drafts(desk: Client) -> Iterator[None]:
    """A draft belongs to the test that typed it."""
    yield
    desk.post(f"{ADDRESS}/discard", {})


def lower_flush(desk: Client) -> dict[str, object]:
    """Type 6 to 1 for a flush; return the file as it would be saved."""
    fields = read_form(desk.get(ADDRESS)) | {FLUSH: "6 to 1"}
    assert desk.post(f"{ADDRESS}/edited", fields).status == 200
    value = json.loads((ROOT / "paytables" / f"{TARGET}.json").read_bytes())
    value["rows"][5]["pays"] = "6 to 1"
    return value  # type: ignore[no-any-return]


def test_the_draft_is_solved_as_by_the_command_and_one_click_takes_a_solution(
    desk: Client,
) -> None:
    value = lower_flush(desk)
    assert not api.solve(TARGET, "8..9", ["straight"]).count  # as it is saved
    (solution,) = api.solve(value, "8..9", ["straight"]).solutions
    begun = desk.post(f"{ADDRESS}/design", FORM)
    shown = finish(desk, begun)
    assert shown.status == 200, shown.text
    (row,) = re.findall(r'<tr id="solution-.*?</tr>', shown.text)
    assert f"<td>{solution.paytable.rows[6].payout}</td>" in row
    assert f"{float(solution.edge * 100):.4f}%" in row
    assert 'value="straight" checked' in shown.text
    (act,) = re.findall(rf'action="({ADDRESS}/design/[^"]+)"', shown.text)
    assert desk.post(act, {"choose": "2"}).status == 404
    assert desk.post(act, {"choose": "1"}).headers["location"] == ADDRESS
    editor = desk.get(ADDRESS)
    assert (read_form(editor)[FLUSH], read_form(editor)[STRAIGHT]) == ("6 to 1", "4 to 1")
    assert f"{float(solution.edge * 100):.4f}%" in editor.text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"edge_low": ""}, "Type two percentages, the smaller one first."),
        ({"edge_high": "7"}, "Type two percentages, the smaller one first."),
        ({"hits_low": "a", "hits_high": "b"}, "Type two percentages, the smaller one first."),
        ({"deviation_low": "3"}, "Type two numbers, the smaller one first."),
        ({"open": ""}, "Choose the rows that may change."),
        ({"straight_low": "9", "straight_high": "x"}, "Type two whole numbers"),
    ],
)
def test_a_field_that_cannot_be_read_is_marked(
    desk: Client, fields: dict[str, str], fault: str
) -> None:
    given = {name: value for name, value in (FORM | fields).items() if value}
    answer = desk.post(f"{ADDRESS}/design", given)
    assert answer.status == 422
    assert fault in html.unescape(answer.text)
    assert "--" not in re.sub(r"<[^>]*>", "", answer.text)


def test_a_search_that_is_too_large_says_so_in_words_of_the_form(desk: Client) -> None:
    rows = [
        "five_aces",
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
        "full_house",
        "flush",
        "straight",
    ]
    opened = urlencode([("open", event) for event in rows])
    form = urlencode({"csrf": desk.csrf, "edge_low": "1", "edge_high": "9"})
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": desk.origin}
    begun = desk.ask("POST", f"{ADDRESS}/design", f"{form}&{opened}".encode(), kind)
    shown = finish(desk, begun)
    assert "There are too many choices" in shown.text
    assert "--bound" not in shown.text


def test_paytables_of_a_wager_are_shown_side_by_side(desk: Client) -> None:
    # A and B differ in the straight alone, 5 to 1 and 4 to 1.
    shown = desk.get(f"{ADDRESS}/compare?with=B").text
    line = re.compile(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>')
    lines = line.findall(shown)
    assert [name for name, cells in lines if "<mark>" in cells] == ["straight"]
    assert dict(lines)["straight"] == "<td>5 to 1</td><td><mark>4 to 1</mark></td>"
    lower_flush(desk)
    lines = line.findall(desk.get(f"{ADDRESS}/compare?with=B").text)
    assert dict(lines)["flush"] == "<td>6 to 1</td><td><mark>7 to 1</mark></td>"


@pytest.fixture(scope="module")
def reader(_shared: Client, _chromium: "Browser") -> Iterator["Page"]:
    yield from open_reader(_shared, _chromium)


def test_solutions_and_a_conflict_have_no_fault_of_accessibility(
    reader: "Page", desk: Client
) -> None:
    reader.goto(f"{ADDRESS}/design")
    reader.get_by_label("House edge, from").fill("3")
    reader.get_by_label("House edge, to").fill("9")
    for row in ("Flush", "Straight"):
        reader.get_by_role("checkbox", name=row, exact=True).check()
    reader.get_by_role("button", name="Find pays").click()
    reader.get_by_role("heading", name="Solutions").wait_for()
    look_for_faults(reader, "design-solutions")
    first, second = (read_form(desk.get(ADDRESS)) for _ in range(2))
    desk.post(f"{ADDRESS}/edited", first | {FLUSH: "6 to 1"})
    desk.post(f"{ADDRESS}/edited", second | {STRAIGHT: "6 to 1"})
    reader.goto(f"{ADDRESS}/conflict?window={second['window']}")
    look_for_faults(reader, "conflict")
