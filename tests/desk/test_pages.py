"""Every page in a browser: no fault of accessibility, and a picture of it for whoever looks."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from markupsafe import escape

from tests.desk import pictures
from tests.desk.conftest import Client

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


@pytest.fixture(scope="module", params=["light", "dark"])
def reader(request: pytest.FixtureRequest, _shared: Client, _chromium: "Browser") -> Any:  # noqa: ANN401 - a page, yielded
    # axe is put into the page, which the desk's policy forbids to everybody else.
    context = _chromium.new_context(
        base_url=_shared.origin, bypass_csp=True, color_scheme=request.param,
        viewport=SCREEN,
    )  # fmt: skip
    name, _, value = _shared.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": _shared.origin}])
    page = context.new_page()
    page.set_default_timeout(0)
    yield page, request.param
    context.close()


@pytest.mark.parametrize("address", SEEN)
def test_a_page_has_no_fault_of_accessibility(reader: "tuple[Page, str]", address: str) -> None:
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    page, scheme = reader
    answer = page.goto(address)
    page.wait_for_load_state("networkidle")
    assert answer is not None
    assert f"<title>{escape(page.title())}</title>" in answer.text()
    assert "defect of certify" not in page.content()
    if pictures.ALL:
        name = "".join(letter if letter.isalnum() else "-" for letter in address).strip("-")
        page.screenshot(path=Path(pictures.ALL) / f"{name or 'games'}-{scheme}.png", full_page=True)
    if address in pictures.ADDRESSES:
        pictures.take(page, pictures.ADDRESSES[address], scheme)
    tags = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    found = Axe().run(page, options=tags)
    assert [(one["id"], one["nodes"][0]["html"]) for one in found.response["violations"]] == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.set_viewport_size(SCREEN)
