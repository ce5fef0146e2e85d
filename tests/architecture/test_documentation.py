import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import fields

from certify import __version__
from certify.cli.app import run
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


if TYPE_CHECKING:
    from playwright.sync_api import Page

DOCS = ROOT / "docs"
CHROMIUM = Path("/usr/bin/chromium")
ADDRESS = "https://git.example.org/certify"
CAPTIONS = [
    "Start", "Officers", "Designers", "Maintainers", "Laboratories", "Administrators", "Reference",
    "Explanation", "Contributors",
]  # fmt: skip
SETTING = "CERTIFY_REPOSITORY_URL"
MOVED: dict[str, str] = runpy.run_path(str(DOCS / "conf.py"))["MOVED"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", DOCS, folder],
        env=os.environ | {SETTING: ADDRESS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def page() -> Iterator["Page"]:
    if not CHROMIUM.exists():
        pytest.skip(f"There is no {CHROMIUM}.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--allow-file-access-from-files"]
        )
        yield browser.new_page()
        browser.close()


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.long
def test_page_has_version_description_source_and_editor(site: Path) -> None:
    sources = sorted(path.relative_to(DOCS) for path in DOCS.rglob("*.md"))
    for source in sources:
        html = text(site / source.with_suffix(".html"))
        assert f"certify {__version__}" in re.findall(r"<title>(.+)</title>", html)[0]
        described = re.findall(r'<meta name="description" content="(.+?)">', html)
        assert [40 <= len(unescape(each)) <= 150 for each in described] == [True], source
        for word in ("blob", "edit"):
            assert f'href="{ADDRESS}/{word}/main/docs/{source.as_posix()}"' in html, source
    assert len(sources) > 50


@pytest.mark.long
def test_a_term_shows_its_meaning_where_a_page_first_uses_it(site: Path) -> None:
    shown = re.findall(r'<abbr title="(.+?)">(.+?)</abbr>', text(site / "how-to/sign.html"))
    assert len(shown) == len(set(shown)) > 2
    assert ("A file with a key and its certificates: .p12 or .pfx.", "PKCS#12 file") in shown
    assert "<abbr" not in text(site / "reference/glossary.html")


def test_no_address_is_assumed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    assert runpy.run_path(str(DOCS / "conf.py"))["html_theme_options"] == {}


@pytest.mark.long
def test_sidebar_is_ordered_by_reader(site: Path) -> None:
    html = text(site / "index.html")
    assert re.findall(r'class="caption-text">(.+?)</span>', html) == CAPTIONS
    groups = re.split(r'class="caption-text">', html)[1:]
    entry = r'<li class="toctree-l1[^"]*"><a class="reference internal" href="([^"#]+)"'
    linked = [re.findall(entry, group) for group in groups]
    assert linked[0][:2] == ["how-to/install.html", "tutorial/first-submission.html"]
    assert linked[-1][:2] == ["contributors/contributing.html", "contributors/changelog.html"]
    assert linked[-1][-1] == "decisions/README.html"


@pytest.mark.long
def test_old_addresses_and_the_list_of_pages_lead_to_pages(site: Path) -> None:
    for old, new in MOVED.items():
        target = re.findall(r'url=(.+?)"', text(site / f"{old}.html"))[0]
        assert (site / old).parent.joinpath(target).resolve() == site / f"{new}.html"
    listed = re.findall(r"\]\((.+?)\)", text(site / "llms.txt"))
    assert {f"_sources/{path.relative_to(DOCS)}.txt" for path in DOCS.rglob("*.md")} == {*listed}
    assert [path for path in listed if not (site / path).is_file()] == []


@pytest.mark.parametrize("name", ["docs/index.md", "README.md"])
def test_home_page_shows_what_the_command_prints(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = text(ROOT / name)
    assert "pictures/report.png" in shown
    assert "pictures/paytable.png" in shown
    (block,) = re.findall(
        r"^```\w+\n\$ (certify evaluate .+?)^```", shown, re.DOTALL | re.MULTILINE
    )
    command, *lines = block.splitlines()
    assert run(command.split()[1:]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line not in (*printed, "…")] == []
    assert len(lines) > 10


@pytest.mark.long
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("aggregate limit", "Declare table terms"),
        ("install", "Install certify"),
        ("python api", "Python interface"),
        ("countersign", "Sign, countersign, verify"),
        ("house edge rtp", "Glossary"),
        ("file a submission", "File a submission"),
        ("sign p12", "File a submission"),
        ("does a change need a filing", "Compare editions and find the filing requirements"),
        ("certify.toml settings", "Settings and environment"),
        ("run the kit", "The laboratory kit"),
        ("envy prize", "Glossary"),
        ("pays for house edge", "Design a paytable for a house edge"),
    ],
)
def test_search_finds_the_page_about_the_words(
    query: str, found: str, site: Path, page: "Page"
) -> None:
    page.goto(f"{(site / 'search.html').as_uri()}?q={query.replace(' ', '+')}")
    page.locator("#search-results h2 + p, #search-results .search-summary").first.wait_for()
    page.locator("ul.search li").first.wait_for()
    assert found in page.locator("ul.search li > a").all_inner_texts()[:2]


@pytest.mark.long
def test_decisions_are_not_searched(site: Path) -> None:
    index = json.loads(text(site / "searchindex.js").removeprefix("Search.setIndex(")[:-1])
    decisions = {
        number for number, page in enumerate(index["docnames"]) if page.startswith("decisions/")
    }
    found = {
        number
        for pages in index["terms"].values()
        for number in (pages if isinstance(pages, list) else [pages])
    }
    assert len(decisions) > 10
    assert decisions & found == set()
    assert len(found) > 200


@pytest.mark.long
def test_commands_can_be_copied_and_output_cannot(site: Path, page: "Page") -> None:
    page.goto((site / "tutorial/first-submission.html").as_uri())
    page.locator("button.copybtn").first.wait_for(state="attached")
    commands = page.locator("div.highlight-none button.copybtn").count()
    assert commands == page.locator("div.highlight-none").count() > 3
    assert page.locator("div.highlight-text").count() > 0
    assert page.locator("div.highlight-text button.copybtn").count() == 0
