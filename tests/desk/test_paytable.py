"""The paytable's page: what is typed is answered, judged, drafted, compared, saved and undone."""

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.desk.conftest import ROOT, Client, form_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

TARGET = "mini-pai-gow/bonus/A"
ADDRESS = f"/games/{TARGET}"
BUILTIN = ROOT / "paytables" / f"{TARGET}.json"
STRAIGHT = "/rows/6/pays"


def edge_in(text: str) -> str:
    found = re.search(r"House edge</dt><dd>([0-9.]+%)", text)
    return found[1] if found else ""


def test_a_pay_that_is_edited_moves_the_edge_as_the_other_paytable_has_it(desk: Client) -> None:
    # A and B differ in the straight alone, 5 to 1 and 4 to 1.
    fields = form_of(desk.get(ADDRESS))
    other = edge_in(desk.get("/games/mini-pai-gow/bonus/B").text)
    edited = desk.post(f"{ADDRESS}/edited", {**fields, STRAIGHT: "4 to 1"})
    assert edited.status == 200
    assert edge_in(edited.text) == other != edge_in(desk.get("/games/mini-pai-gow/bonus/C").text)
    desk.post(f"{ADDRESS}/discard", {})


def test_a_wrong_pay_is_a_finding_in_place(desk: Client) -> None:
    fields = form_of(desk.get(ADDRESS))
    answer = desk.post(f"{ADDRESS}/edited", {**fields, STRAIGHT: "4 too 1"})
    assert (answer.status, edge_in(answer.text)) == (200, "")
    assert '<li class="error">' in answer.text
    saved = desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "4 too 1"})
    assert saved.status == 422
    assert not list((desk.folder / "paytables").rglob("*.json"))
    desk.post(f"{ADDRESS}/discard", {})


def test_what_is_typed_is_offered_again(desk: Client) -> None:
    fields = form_of(desk.get(ADDRESS))
    desk.post(f"{ADDRESS}/edited", {**fields, STRAIGHT: "6 to 1"})
    again = desk.get(ADDRESS)
    assert form_of(again)[STRAIGHT] == "6 to 1"
    assert "This is your draft" in again.text
    desk.post(f"{ADDRESS}/discard", {})
    assert form_of(desk.get(ADDRESS))[STRAIGHT] == "5 to 1"


def test_what_is_saved_differs_in_the_line_that_was_edited(desk: Client) -> None:
    before = BUILTIN.read_text(encoding="utf-8")
    fields = form_of(desk.get(ADDRESS))
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
    assert form_of(desk.get(ADDRESS))[STRAIGHT] == "6 to 1"
    assert desk.post(f"{ADDRESS}/undo", {}).status == 303
    assert not list((desk.folder / "paytables").rglob("*.json"))


def test_of_two_windows_the_second_is_refused(desk: Client) -> None:
    fields = form_of(desk.get(ADDRESS))
    assert desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "6 to 1"}).status == 303
    second = desk.post(f"{ADDRESS}/save", {**fields, STRAIGHT: "7 to 1"})
    assert second.status == 409
    assert "was changed meanwhile" in second.text
    own = desk.folder / "paytables" / f"{TARGET}.json"
    assert '"6 to 1"' in own.read_text(encoding="utf-8")
    own.write_text(own.read_text(encoding="utf-8").replace("6 to 1", "8 to 1"), encoding="utf-8")
    assert desk.post(f"{ADDRESS}/undo", {}).status == 409


@pytest.mark.parametrize("field", ["/rows/6/name", "/rows/6/pays", "/rows/6/event"])
def test_a_hostile_text_is_printed_as_text(desk: Client, field: str) -> None:
    hostile = '"><script>alert(1)</script>\u202e{{ 7 * 7 }}'
    fields = {**form_of(desk.get(ADDRESS)), field: hostile}
    for act in ("edited", "found", "review", "save"):
        answer = desk.post(f"{ADDRESS}/{act}", fields)
        assert answer.status in {200, 303, 422}
        assert "<script>alert" not in answer.text
        assert "\u202e" not in answer.text
        assert "49" not in re.findall(r"alert\(1\).{0,60}", answer.text)
    again = desk.get(ADDRESS)
    assert again.status == 200
    assert "<script>alert" not in again.text
    desk.post(f"{ADDRESS}/discard", {})


def test_a_field_that_is_no_text_of_the_file_changes_nothing(desk: Client) -> None:
    fields = form_of(desk.get(ADDRESS))
    strange = {"/rows/99/pays": "1 to 1", "/rows/0": "x", "/id": "B", "/rows/../id": "B"}
    assert "Nothing was changed" in desk.post(f"{ADDRESS}/review", {**fields, **strange}).text


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


def test_the_record_is_the_one_of_the_command(desk: Client) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "certify", "evaluate", TARGET, "--format", "json"],
        cwd=desk.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert desk.get(f"{ADDRESS}.json").text == said.stdout


def test_a_person_changes_a_pay_and_saves_it(window: "Page", desk: Client) -> None:
    window.goto("/")
    window.get_by_role("searchbox").fill("Mini")
    window.get_by_role("link", name="A", exact=True).click()
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
    window.get_by_role("button", name="Review what changes").click()
    assert window.locator(".difference .added").count() == 1
    window.get_by_role("button", name="Save").click()
    window.get_by_role("button", name="Undo the last save").wait_for()
    own = desk.folder / "paytables" / f"{TARGET}.json"
    assert '"Straight", "pays": "4 to 1"' in own.read_text(encoding="utf-8")
