from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from markupsafe import escape
from starlette.routing import Match, Route

from certify.desk.app import build_pages
from certify.desk.jobs import Desk
from tests.desk import pictures
from tests.desk.conftest import Client, look_for_faults, open_reader
from tests.marks import further, long

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAYTABLE = "/games/mini-pai-gow/bonus/A"
SEEN = (
    "/",
    "/?q=nothing-is-called-so",
    "/games/mini-pai-gow",
    PAYTABLE,
    "/games/emperors-challenge-exposed/emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D01",
    "/options/mini-pai-gow/main/1",
    "/rules",
    "/rules/mini-pai-gow",
    "/rules/emperors-challenge-exposed?jurisdiction=wsgc",
    "/games/mini-pai-gow/found",
    "/house-ways",
    "/compare",
    "/compare?before=foxwoods&after=mgm-grand",
    "/compare/house-ways/mini-pai-gow",
    "/house-ways/mini-pai-gow?card=As&card=Kd&card=Jk&card=2c&card=2d&card=9h",
    "/house-ways/mini-pai-gow?hand=As+Kd",
    "/house-ways/mini-pai-gow/uses",
    "/explain?game=mini-pai-gow&hand=As+Ad+Ah+Kd+2c+2d&against=3s+3d+4c+5h+7d+9s",
    "/explain",
    "/create/copy/mini-pai-gow",
    "/import?game=mini-pai-gow",
    "/games/mini-pai-gow/bonus/A/events",
    "/games/mini-pai-gow/bonus/A/compare",
    "/games/mini-pai-gow/bonus/A/design",
    "/games/emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-03",
    "/deleted",
    "/today",
    "/no-such-page",
)


OTHER_CASES = (
    "/games/emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-03",
    "/rules/emperors-challenge-exposed?jurisdiction=wsgc",
    "/house-ways/mini-pai-gow?card=As&card=Kd&card=Jk&card=2c&card=2d&card=9h",
)
"""Pages of a template that another address of `SEEN` opens, too."""


@pytest.fixture(scope="module")
def reader(_shared: Client, _chromium: "Browser") -> Iterator["Page"]:
    yield from open_reader(_shared, _chromium)


@pytest.mark.parametrize(
    "address",
    [
        PAYTABLE,
        *long(page for page in SEEN if page not in (PAYTABLE, *OTHER_CASES)),
        *further(OTHER_CASES),
    ],
)
def test_a_page_has_no_fault_of_accessibility(reader: "Page", address: str) -> None:
    page = reader
    answer = page.goto(address)
    page.wait_for_load_state("networkidle")
    assert answer is not None
    assert f"<title>{escape(page.title())}</title>" in answer.text()
    assert "defect of certify" not in page.content()
    if address in pictures.ADDRESSES:
        pictures.take(page, pictures.ADDRESSES[address])
    name = "".join(letter if letter.isalnum() else "-" for letter in address).strip("-")
    look_for_faults(page, name or "games")


ELSEWHERE = {
    "/submissions/{folder:path}/{id}", "/jobs/{job}", "/submit/preview/{job}", "/register",
    "/cases/{game}/{jurisdiction}", "/submit",
    "/filings/{game}", "/impact/{target:path}", "/signers", "/cases", "/verify", "/jobs", "/log",
}  # fmt: skip
"""Pages that `tests.desk.test_signing` opens, as it does those that answer a form."""

OWN = {"/sources/{game}": "opened by `tests.desk.test_sources`, with the rules of an own game"}

ALIKE = {
    "/submit/preview/{job}/{part}": "a document, which is no page",
    "/submit/made/{job}": "leads to the page of a submission",
    "/jobs/{job}/state": "a part of the page of a job",
    "/compare/files/{job}": "the comparison of entries, of files",
    "/options/{game}/{wager}/{option}/counted/{job}": "the page of an option",
    "/rules/{game}/printed": "a document, which is no page",
    "/import/{job}": "opened by `tests.desk.test_imports`",
    "/rules/{game}/conflict": "the page of two versions of a paytable",
    "/sources/{game}/conflict": "the page of two versions of a paytable",
    "/games/{game}/{wager}/{table}/conflict": "opened by `tests.desk.test_paytable`",
    "/games/{game}/{wager}/{table}/design/{job}": "opened by `tests.desk.test_design`",
}


def test_every_page_is_opened() -> None:
    routes = [
        route
        for route in build_pages(Desk(port=0)).routes
        if isinstance(route, Route)
        and "GET" in (route.methods or ())
        and not route.path.endswith((".json", ".csv", ".xlsx", ".pdf", "{name}"))
    ]
    opened = set(ELSEWHERE)
    for address in SEEN:
        scope = {"type": "http", "method": "GET", "path": address.partition("?")[0]}
        opened.add(next((r.path for r in routes if r.matches(scope)[0] is Match.FULL), ""))
    assert {route.path for route in routes} - opened == {*ALIKE, *OWN}
