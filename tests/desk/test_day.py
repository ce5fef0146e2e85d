import datetime as dt
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from certify.signatures.identity_folder import make_archive
from tests.commands.pair_plus import pair_plus
from tests.desk.conftest import ROOT, SCREEN, look_for_faults, run
from tests.homes import new_home

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PEOPLE = ("Jane Doe", "Lee Lab", "Ann Approver")
PASSWORD = "of-a-test"  # noqa: S105 - of keys that the test makes
ACTIONS, TYPED = 30, 9
"""The most actions and typed fields from nothing to three signatures, verified and registered."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """A built-in game: the paytable and the row that are changed, and what the row then pays."""

    game: str
    table: str
    target: str
    row: str
    pays: tuple[str, str]


MINI = Model(
    game="Mini Pai Gow",
    table="A",
    target="bonus/A",
    row="Four of a Kind",
    pays=("51 to 1", "52 to 1"),
)
SMALL = Model(
    game="Three Card Poker",
    table="Pay table 1",
    target="pair-plus/1",
    row="Straight flush",
    pays=("41 to 1", "42 to 1"),
)
"""A game of the test's library; its counts take no time."""


@dataclass(kw_only=True)
class Officer:
    page: "Page"
    actions: int = 0
    typed: int = 0

    def see(self, name: str | re.Pattern[str]) -> None:
        """Wait for a text; an error on the page fails at once."""
        error = self.page.locator(".fault[role=alert]")
        self.page.get_by_text(name).or_(error).first.wait_for()
        assert error.all_inner_texts() == []

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name: str, number: int = 0) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True).nth(number))

    def expand(self, name: str) -> None:
        self.click(self.page.locator("summary").filter(has_text=name))

    def click(self, element: "Locator") -> None:
        self.actions += 1
        element.click()

    def fill(self, label: str, text: str) -> None:
        self.typed += 1
        self.page.get_by_label(label, exact=True).fill(text)

    def choose(self, label: str, text: str) -> None:
        self.actions += 1
        chosen = self.page.get_by_label(label, exact=True)
        self.pick(chosen, chosen.locator("option").filter(has_text=text).first.inner_text())

    def pick(self, chosen: "Locator", entry: str) -> None:
        chosen.select_option(label=entry)

    def upload(self, label: str, path: Path) -> None:
        self.actions += 1
        self.page.get_by_label(label).set_input_files(path)


FOCUSED = """element => {
  if (element !== document.activeElement) return false;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom } = element.getBoundingClientRect();
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) throw Error("focus is not visible");
  if (bottom < 0 || top > innerHeight) throw Error("the focused element is off the screen");
  return true;
}"""
MOST_KEYS = 300
"""Presses of Tab after which an element is taken for unreachable."""


@dataclass(kw_only=True)
class Typist(Officer):
    """Somebody without a mouse: each element is reached by Tab, and its focus is visible."""

    def reach(self, element: "Locator") -> None:
        """Press Tab until an element has the focus."""
        element.wait_for()
        for _ in range(MOST_KEYS):
            if element.evaluate(FOCUSED):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"Tab does not reach {element}.")

    def click(self, element: "Locator") -> None:
        self.actions += 1
        self.reach(element)
        kind = element.evaluate("element => element.type ?? ''")
        self.page.keyboard.press("Space" if kind in {"checkbox", "radio"} else "Enter")

    def fill(self, label: str, text: str) -> None:
        self.typed += 1
        self.reach(self.page.get_by_label(label, exact=True))
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def pick(self, chosen: "Locator", entry: str) -> None:
        self.reach(chosen)
        self.page.keyboard.type(entry)
        assert chosen.evaluate("element => element.selectedOptions[0].label") == entry


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
def window(model: Model, tmp_path: Path, _chromium: "Browser") -> Iterator["Page"]:
    """A web app that was started in an empty folder."""
    environment = {"CERTIFY_HOME": str(new_home(tmp_path / "home"))}
    if model is SMALL:
        shared = ("schemas", "templates", "paytables/jurisdictions")
        for name in shared:
            shutil.copytree(ROOT / name, tmp_path / "library" / name)
        events = "paytables/events.json"
        shutil.copy(ROOT / events, tmp_path / "library" / events)
        game = pair_plus(tmp_path / "library") / "game.json"
        game.write_text(game.read_text(encoding="utf-8").replace('"1.0"', '"1"'), encoding="utf-8")
        environment["CERTIFY_LIBRARY"] = str(tmp_path / "library")
    running = run(tmp_path / "office", **environment)
    (running.folder / "certify.toml").unlink()
    (running.folder / "paytables").rmdir()
    context = _chromium.new_context(
        viewport=SCREEN,
        reduced_motion="reduce",
        bypass_csp=True,  # for the scripts of `look_for_faults`
    )
    page = context.new_page()
    page.set_default_timeout(0)
    page.goto(running.page.as_uri())
    page.wait_for_url(f"{running.address}/")
    yield page
    context.close()
    running.end()


COPY = "Lucky Dragon"
DEVELOPMENT = "development key"


def create_game(officer: Officer, model: Model, folder: Path) -> None:
    page = officer.page
    officer.press("Create a project")
    officer.see(f"Project: {folder}")
    officer.follow(model.game)
    officer.expand("Copy this game")
    officer.fill("Name of the new game", COPY)
    officer.fill("Supplier of the new game", "Example Gaming")
    officer.fill("Title of its document", f"{COPY}: Rules of Play")
    officer.fill("Date or revision of its document", "May 2026")
    officer.fill("Section with its rules", "Rules")
    officer.press("Copy this game")
    page.get_by_role("heading", name=COPY, exact=True).wait_for()
    officer.follow(model.table)
    officer.fill(f"Pays for {model.row}", model.pays[0])
    officer.press("Review changes")
    officer.press("Save")
    page.get_by_role("button", name="Undo the last save").wait_for()


def make_draft(officer: Officer) -> None:
    officer.follow("Make a submission")
    officer.choose("State", "Nevada")
    officer.press("Continue")
    officer.choose("Signature", DEVELOPMENT)
    officer.press("Make the submission")
    officer.see("Draft: signed with a development key")


def make_filing(officer: Officer, keys: dict[str, Path]) -> None:
    page = officer.page
    officer.follow("Trusted signers")
    officer.upload("Certificate file", keys["all"])
    officer.press("Trust this certificate")
    page.get_by_role("rowheader", name=PEOPLE[2]).wait_for()
    officer.follow("Cases")
    officer.follow("Make the signed filing")
    officer.upload("Key file", keys[PEOPLE[0]])
    officer.fill("Password or PIN", PASSWORD)
    officer.press("Make the submission")
    officer.see("Signed for filing, as its manifest states.")
    for person in PEOPLE[1:]:
        officer.upload("Key file", keys[person])
        officer.fill("Password or PIN", PASSWORD)
        officer.press("Countersign")
        officer.see(re.compile(f"{person} as their certificates say"))
    officer.follow("Verify the documents")
    officer.see(re.compile(r"^Accepted\.$"))
    assert page.get_by_text("Refused.", exact=True).count() == 0
    officer.follow("Back to the submission")
    officer.follow("Register")  # a signed filing is entered as pending
    page.get_by_role("cell", name="pending").first.wait_for()


def revise(officer: Officer, model: Model) -> None:
    """Change the registered paytable, make the next revision, and compare it with the filing."""
    officer.follow(f"lucky-dragon/{model.target}")
    officer.fill(f"Pays for {model.row}", model.pays[1])
    officer.press("Review changes")
    officer.see("Filed and pending in Nevada")
    officer.press("Save as a new paytable")
    officer.follow("Make a submission")
    officer.press("Continue")
    officer.fill("Reason for the change", f"{model.row} pays {model.pays[1]}.")
    officer.choose("Signature", DEVELOPMENT)
    officer.press("Make the submission")
    officer.see("Draft: signed with a development key")
    officer.press("Compare")


@pytest.mark.long
@pytest.mark.parametrize("model", [SMALL])
def test_a_draft_is_made_with_the_keyboard_alone(
    model: Model, window: "Page", tmp_path: Path
) -> None:
    officer = Typist(page=window)
    look_for_faults(window, "no-project")
    create_game(officer, model, tmp_path / "office")
    make_draft(officer)


@pytest.mark.slow
@pytest.mark.parametrize("officer_type", [Officer, Typist])
@pytest.mark.parametrize("model", [MINI])
def test_a_day_without_a_terminal(
    officer_type: type[Officer],
    model: Model,
    window: "Page",
    keys: dict[str, Path],
    tmp_path: Path,
) -> None:
    officer = officer_type(page=window)
    create_game(officer, model, tmp_path / "office")
    make_draft(officer)
    make_filing(officer, keys)
    assert officer.actions <= ACTIONS
    assert officer.typed <= TYPED
    revise(officer, model)
    officer.see(f"lucky-dragon/{model.target} to lucky-dragon/{model.target}-2")
    (row,) = window.get_by_role("row").filter(has_text=model.pays[0]).all()
    assert model.pays[1] in row.inner_text()
    assert window.get_by_role("row").filter(has_text="House edge").count() == 1
