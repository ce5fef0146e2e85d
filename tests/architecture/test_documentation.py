"""The documentation says what the code does."""

import re
from pathlib import Path

import pytest

from docs.generate.pages import pages

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
FIXTURES = ROOT / "fixtures"
TEXTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
PAGES = pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_generated_page_is_current(name: str) -> None:
    assert (REFERENCE / name).read_text(encoding="utf-8") == PAGES[name], "run `make docs`"


@pytest.mark.parametrize("width", ["40", "200"])
def test_generated_pages_do_not_depend_on_the_terminal(
    width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert pages() == PAGES


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    inner = [one for one in links if "://" not in one and not one.startswith("mailto:")]
    assert [one for one in inner if not (path.parent / one).exists()] == []


def test_every_folder_of_fixtures_is_described() -> None:
    described = (FIXTURES / "README.md").read_text(encoding="utf-8")
    folders = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
    missing = [
        name
        for name in folders
        if f"`{name}/" not in described and not list((FIXTURES / name).glob("README.md"))
    ]
    assert missing == []


def test_every_command_of_the_contract_exists() -> None:
    headings = re.findall(r"^## certify (.+)$", PAGES["commands.md"], flags=re.MULTILINE)
    commands = {
        "check", "evaluate", "explain", "audit", "crosscheck", "diff", "submit", "verify",
        "reproduce", "rule", "keys", "doctor", "new", "register",
    }  # fmt: skip
    assert {one.split()[0] for one in headings} >= commands


def test_fixtures_hold_no_program() -> None:
    assert list(FIXTURES.rglob("*.py")) == []
