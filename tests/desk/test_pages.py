"""Every page in a browser: no fault of accessibility, and a picture of it for whoever looks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from markupsafe import escape

from tests.desk import pictures
from tests.desk.conftest import Client, look_for_faults, open_reader

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

SCREEN: "ViewportSize" = {"width": 1280, "height": 900}
PHONE: "ViewportSize" = {"width": 390, "height": 844}

SEEN = (
    "/",
    "/?q=nothing-is-called-so",
    "/games/mini-pai-gow",
    "/games/mini-pai-gow/bonus/A",
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
    "/no-such-page",
)


@pytest.fixture(scope="module")
def reader(_shared: Client, _chromium: "Browser") -> Iterator["Page"]:
    yield from open_reader(_shared, _chromium)


@pytest.mark.parametrize("address", SEEN)
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
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    # No part of the page scrolls sideways either, once it is laid out; code keeps its lines.
    fits = "[...document.querySelectorAll('.wide')].every(p => p.scrollWidth <= p.clientWidth)"
    page.wait_for_function(fits)
    page.set_viewport_size(SCREEN)
