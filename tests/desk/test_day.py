"""A compliance officer's day in the browser, from no project to the redline of what comes next."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from certify.signatures.identity_folder import make_archive
from tests.desk.conftest import run
from tests.pipeline.pair_plus import pair_plus

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PEOPLE = ("Jane Doe", "Lee Lab", "Ann Approver")
PASSWORD = "of-a-test"  # noqa: S105 - of keys that the test makes
ACTIONS, TYPED = 35, 8
"""The most actions and typed fields of the day."""


@dataclass(kw_only=True)
class Officer:
    """Somebody at a page, whose actions and typed fields are counted."""

    page: "Page"
    actions: int = 0
    typed: int = 0

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name: str, number: int = 0) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True).nth(number))

    def open(self, name: str) -> None:
        self.click(self.page.locator("summary").filter(has_text=name))

    def click(self, element: "Locator") -> None:
        self.actions += 1
        element.click()

    def fill(self, label: str, text: str) -> None:
        self.typed += 1
        self.page.get_by_label(label, exact=True).fill(text)

    def choose(self, label: str, text: str) -> None:
        self.actions += 1
        self.page.get_by_label(label, exact=True).select_option(label=text)

    def upload(self, label: str, path: Path) -> None:
        self.actions += 1
        self.page.get_by_label(label).set_input_files(path)


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, Path]:
    """A key file for each signer, and a file of their certificates."""
    made = {}
    pem = b""
    for name in PEOPLE:
        data, certificate = make_archive(
            common_name=name, today=dt.datetime.now(dt.UTC).date(), password=PASSWORD
        )
        made[name] = tmp_path / f"{name}.p12"
        made[name].write_bytes(data)
        pem += certificate.pem()
    made["all"] = tmp_path / "signers.pem"
    made["all"].write_bytes(pem)
    return made


@pytest.fixture
def officer(tmp_path: Path, _chromium: "Browser") -> Iterator[Officer]:
    """Somebody at a web app that was started in an empty folder."""
    running = run(tmp_path / "office", CERTIFY_HOME=str(tmp_path / "home"))
    (running.folder / "certify.toml").unlink()
    (running.folder / "paytables").rmdir()
    context = _chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(0)
    page.goto(running.address)
    yield Officer(page=page)
    context.close()
    running.end()


@pytest.mark.slow
def test_a_day_without_a_terminal(  # noqa: PLR0915 - one action a line
    officer: Officer, keys: dict[str, Path], tmp_path: Path
) -> None:
    page, folder = officer.page, tmp_path / "office"
    officer.open("No project is open")
    officer.press("Create a project")
    page.get_by_text(f"Project: {folder}").wait_for()
    pair_plus(folder)  # a game whose counts take no time
    page.reload()

    officer.follow("Three Card Poker")
    officer.open("Copy this game")
    officer.fill("Name of the new game", "Lucky Three")
    officer.press("Copy this game")
    officer.follow("Pay table 1")
    officer.fill("Pays for Straight flush", "41 to 1")
    officer.press("Review changes")
    officer.press("Save")
    page.get_by_role("button", name="Undo the last save").wait_for()

    officer.follow("Submissions")
    officer.choose("Game", "Lucky Three")
    officer.choose("State", "Nevada")
    officer.press("Continue")
    officer.click(page.get_by_label("Pay table 1"))
    officer.fill("The supplier's name", "Example Gaming")
    officer.press("Make the submission")
    page.get_by_text("Unsigned: not for submission.").wait_for()
    officer.follow("Make the signed filing")
    officer.choose("Signature", "a key file (.p12 or .pfx)")
    officer.upload("Key file", keys[PEOPLE[0]])
    officer.fill("Password or PIN", PASSWORD)
    officer.press("Make the submission")
    page.get_by_text("Signed for filing, as its manifest states.").wait_for()

    officer.follow("Trusted signers")
    officer.upload("Certificate file", keys["all"])
    officer.press("Trust this certificate")
    page.get_by_role("rowheader", name=PEOPLE[2]).wait_for()
    officer.follow("Submissions")
    officer.click(page.get_by_role("row", name=PEOPLE[0]).get_by_role("link").first)
    for person in PEOPLE[1:]:
        officer.upload("Key file", keys[person])
        officer.fill("Password or PIN", PASSWORD)
        officer.press("Countersign")
        page.get_by_text(re.compile(f"{person} as their certificates say")).wait_for()
    officer.follow("Verify the documents")
    assert page.get_by_text("Accepted.", exact=True).count() == 3
    officer.follow("Back to the submission")
    officer.press("Register this submission")
    page.get_by_role("cell", name="pending").wait_for()

    officer.follow("Games")
    officer.follow("Pay table 1")
    officer.fill("Pays for Straight flush", "42 to 1")
    officer.press("Review changes")
    page.get_by_text("Filed and pending in Nevada").wait_for()
    officer.fill("Section of the game’s document", "Sheet 2")
    officer.press("Save as a new paytable")
    officer.click(page.get_by_role("link", name=re.compile("^Compare it with")))
    page.get_by_text("42 to 1").first.wait_for()
    assert officer.actions <= ACTIONS
    assert officer.typed <= TYPED
