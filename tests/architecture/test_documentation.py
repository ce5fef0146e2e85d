import json
import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import fields

from certify.review.settings import KINDS, Acceptance
from docs.generate.pages import pages
from docs.generate.settings import SETTINGS, VARIABLES

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
FIXTURES = ROOT / "fixtures"
TEXTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


@cache
def generated() -> dict[str, str]:
    return pages()


def test_page_of_settings_names_each_setting_and_variable() -> None:
    page = generated()["settings.md"]
    shown = set(re.findall(r"^\| `([^`]+)`", page, re.MULTILINE))
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "certify").rglob("*.py"))
    settings = {name for name in KINDS if " " not in name}
    settings |= {f"accepted.{name}" for name in Acceptance.__struct_fields__}
    assert settings | VARIABLES.keys() == shown
    required = {name for name, (_, default) in SETTINGS.items() if default == "required"}
    assert required == {f"accepted.{each.name}" for each in fields(Acceptance) if each.required}
    assert {*re.findall("CERTIFY_[A-Z_]+", code)} == {
        name for name in shown if name.startswith("CERTIFY_")
    }
    assert SETTINGS.keys() == settings  # no meaning of a setting that is gone
    assert "of time and memory, for slow machines; at most 1,000 | `1` | `certify.worker` |" in page


def test_generated_pages_are_current() -> None:
    written = {name: (REFERENCE / name).read_text(encoding="utf-8") for name in generated()}
    assert written == generated(), "run `make docs`"


WHOLE_FILE = {
    "C003", "D002", "J005", "J011", "J014", "R002", "R003", "R004", "R005", "R007", "R008", "R009",
    "D025", "N001", "N002", "R012", "R014", "R029", "R030",
}  # fmt: skip
"""Codes about a whole file or about terms of a submission: no line raises them."""


def test_page_of_a_finding_shows_the_lines_that_raise_it() -> None:
    pages_of_codes = {
        name.removeprefix("findings/").removesuffix(".md"): text
        for name, text in generated().items()
        if re.fullmatch(r"findings/[A-Z][0-9]{3}\.md", name)
    }
    for code, text in pages_of_codes.items():
        _, *example = text.split("The line of a file, between its neighbors, and the finding:")
        assert len(example) == (code not in WHOLE_FILE), code
        for part in example:
            shown = re.findall(r"```(?:json|text)\n(.+?)\n```", part, flags=re.DOTALL)
            assert re.match(rf"\S+:[0-9]+:[0-9]+: \w+ {code}: ", shown[1])
    wrong, right = pages_of_codes["P004"].split("## Right")
    assert '"name": "Four of a Kind", "pays": "2 to 1"' in wrong
    assert '"name": "Four of a Kind", "pays": "20 to 1"' in right
    assert "The line in a file without the finding:" not in pages_of_codes["R023"]  # not one line


@pytest.mark.parametrize("width", ["40", "200"])
def test_generated_pages_do_not_depend_on_the_terminal(
    width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert pages() == generated()


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


def test_fixtures_hold_no_program() -> None:
    assert list(FIXTURES.rglob("*.py")) == []


ABSOLUTE = re.compile(r"\b(every|never|only|always|no others?)\b", re.IGNORECASE)
CLAIMS: dict[str, str] = json.loads((Path(__file__).parent / "claims.json").read_text())
"""Each absolute sentence of the hand-written pages, and the test that shows it."""


def find_absolute(text: str) -> set[str]:
    """Return the sentences, list items and cells of a page that promise without exception."""
    text = re.sub(r"(?sm)^ *```.*?^ *```$|^    [^\n]*$|\$\$.*?\$\$", "", text)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\|))", text)
    cells = (cell for part in parts for cell in re.split(r"(?<!\\)\|", " ".join(part.split())))
    split = (re.split(r"(?<=[.:;!?]) +(?=[A-Z`*\[(“\"])", cell) for cell in cells)
    sentences = (re.sub(r"^[-*\d.]+ ", "", each.strip()) for found in split for each in found)
    return {each for each in sentences if ABSOLUTE.search(re.sub(r"`[^`]*`", "", each))}


def test_each_absolute_sentence_names_the_test_that_shows_it() -> None:
    written = {(REFERENCE / name).resolve() for name in generated()}
    found = set[str]()
    for path in TEXTS:
        if path not in written:
            found |= find_absolute(path.read_text(encoding="utf-8"))
    assert found - CLAIMS.keys() == set(), "weaken the sentence, or add the test that shows it"
    assert CLAIMS.keys() - found == set()
    for sentence, test in CLAIMS.items():
        module, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / module).read_text(encoding="utf-8"), sentence
