import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

from certify.desk.answers import takes_forms
from certify.desk.app import build_pages
from certify.desk.jobs import Desk
from certify.storage import LOCK
from tests.desk.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GAME = "mini-pai-gow"
PICTURES = os.environ.get("CERTIFY_PICTURES")


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.live: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [given[name] or "" for name in ("href", "src") if name in given]
        self.anchors |= {given["id"] or ""} if "id" in given else set()
        live = tag in {"form", "button", "script", "iframe"}
        live |= any(name.startswith(("hx-", "on")) for name in given)
        self.live += [tag] if live else []


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project over a library with the smallest game."""
    library, project = tmp_path_factory.mktemp("library"), tmp_path_factory.mktemp("project")
    (library / "schemas").symlink_to(ROOT / "schemas")
    (library / "templates").symlink_to(ROOT / "templates")
    declared = ROOT / "paytables"
    shutil.copytree(declared / GAME, library / "paytables" / GAME)
    for name in ("events.json", f"house-ways/{GAME}.json", "jurisdictions/nevada.json"):
        (library / "paytables" / name).parent.mkdir(exist_ok=True)
        shutil.copy(declared / name, library / "paytables" / name)
    (project / "library").symlink_to(library)
    (project / "certify.toml").write_text("", encoding="utf-8")
    return project


def export(project: Path, folder: str) -> subprocess.CompletedProcess[str]:
    """Export the pages of a project as a person does."""
    return subprocess.run(
        [sys.executable, "-m", "certify", "desk", "--export", folder],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CERTIFY_LIBRARY": str(project / "library")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def site(project: Path) -> Path:
    said = export(project, "out/site")
    assert said.returncode == 0, said.stderr
    folder = project / "out" / "site"
    assert said.stdout == (
        f"{len(list(_files(folder)))} files written. Open out/site/index.html in a browser.\n"
    )
    return folder


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _pages(folder: Path) -> dict[Path, Page]:
    return {
        path: Page(path.read_text(encoding="utf-8"))
        for path in _files(folder)
        if path.suffix == ".html"
    }


def test_every_link_leads_to_a_file_and_every_file_is_linked(site: Path) -> None:
    pages, reached = _pages(site), {site / "index.html"}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            assert parts.scheme + parts.netloc + parts.query == "", (path, link)
            named = path.parent / unquote(parts.path) if parts.path else path
            target = Path(os.path.normpath(named))
            assert target.is_relative_to(site), (path, link)
            assert target.is_file(), (path, link)
            if parts.fragment and target in pages:
                assert parts.fragment in pages[target].anchors, (path, link)
            reached.add(target)
    assert reached == set(_files(site))


def test_nothing_of_it_asks_for_a_server(site: Path) -> None:
    for path, page in _pages(site).items():
        assert page.live == [], path
    assert not any(path.suffix == ".js" for path in _files(site))


def test_it_tells_nothing_of_the_machine(site: Path, project: Path) -> None:
    for path in _files(site):
        text = path.read_text(encoding="utf-8")
        for place in (str(project), str(ROOT), str(project.parent), "127.0.0.1"):
            assert place not in text, path


def test_every_table_of_the_game_is_there(site: Path) -> None:
    for name in ("bonus/A", "bonus/B", "bonus/C", "bonus/community"):
        text = (site / "games" / GAME / f"{name}.html").read_text(encoding="utf-8")
        assert "House edge" in text
        assert (site / "games" / GAME / f"{name}.json").is_file()
    for name in (f"options/{GAME}/main/1", f"house-ways/{GAME}", f"games/{GAME}/found"):
        assert (site / f"{name}.html").is_file()


def test_the_picture_of_the_edges_has_each_table_in_the_line_of_its_wager(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    lines = re.findall(
        r'<span>([^<]+)</span>\n<svg [^>]*role="img".*?>(.*?)</svg>', text, re.DOTALL
    )
    drawn = {
        wager: dict(re.findall(r"<title>(.+?): ([\d.]+)%</title>", line)) for wager, line in lines
    }
    assert list(drawn.pop("Mini Pai Gow: Bonus")) == ["A", "B", "C", "With Community Bonus"]
    # The main wager is drawn where its count is kept already.
    main = {"Mini Pai Gow: Mini Pai Gow Poker wager": ["Mini Pai Gow Poker wager with double down"]}
    assert {wager: list(tables) for wager, tables in drawn.items()} in ({}, main)
    axis = re.findall(r'text-anchor="middle">([\d.]+)%', text)
    most = max(float(edge) for edge in re.findall(r"<title>.+?: ([\d.]+)%</title>", text))
    assert float(axis[-2]) <= most < float(axis[-1])


def test_every_page_is_whole(site: Path) -> None:
    for path in _files(site):
        assert "<title>Error" not in path.read_text(encoding="utf-8"), path


def _lost_envy_table(value: dict[str, Any]) -> None:
    value["envy"] = "nowhere"


def _no_cards(value: dict[str, Any]) -> None:
    del value["cards"]


@pytest.mark.parametrize(
    ("file", "spoil", "shown", "message"),
    [
        (f"{GAME}/bonus/A.json", _lost_envy_table, f"games/{GAME}/bonus/A.html", "nowhere"),
        (f"house-ways/{GAME}.json", _no_cards, f"rules/{GAME}.html", "house way"),
    ],
)
def test_a_project_with_a_fault_is_written_too_and_the_page_says_what_is_wrong(
    project: Path,
    file: str,
    spoil: Callable[[dict[str, Any]], None],
    shown: str,
    message: str,
) -> None:
    value = json.loads((ROOT / "paytables" / file).read_text(encoding="utf-8"))
    spoil(value)
    path = project / "paytables" / file
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    try:
        said = export(project, "faulty")
        assert said.returncode == 0, said.stderr
        assert message in (project / "faulty" / shown).read_text(encoding="utf-8")
        for answer in (project / "faulty").rglob("*.json"):
            json.loads(answer.read_text(encoding="utf-8"))
    finally:
        shutil.rmtree(project / "paytables")
        shutil.rmtree(project / "faulty", ignore_errors=True)


def test_a_folder_that_holds_something_is_left_alone(project: Path) -> None:
    folder = project / "full"
    folder.mkdir()
    (folder / "kept.txt").write_text("mine", encoding="utf-8")
    said = export(project, "full")
    assert said.returncode == 2
    assert "full is not an empty folder, so nothing was written." in said.stderr
    assert [path.name for path in folder.iterdir()] == ["kept.txt"]
    shutil.rmtree(folder)
    assert [path.name for path in project.iterdir() if path.name.startswith(".")] == [LOCK]


def test_a_desk_that_is_read_takes_no_form() -> None:
    app = build_pages(Desk(port=1, read_only=True))
    assert not any(takes_forms(route) for route in app.routes)
    paths = {getattr(route, "path", "") for route in app.routes}
    assert not any(
        path.startswith(("/submit", "/cases", "/verify", "/register", "/jobs", "/log"))
        for path in paths
    )


def test_a_reviewer_reads_it_from_the_folder(
    site: Path,
    _chromium: "Browser",  # noqa: PT019 - the browser is the value
) -> None:
    context = _chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(0)
    page.goto((site / "index.html").as_uri())
    page.get_by_role("link", name="A", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "Bonus: A"
    assert page.locator("body").evaluate("one => getComputedStyle(one).margin") == "0px"
    page.get_by_role("link", name="Mini Pai Gow", exact=True).click()
    page.get_by_role("link", name="Check the files of this game").click()
    page.get_by_role("link", name="House ways").click()
    page.get_by_role("link", name="Mini Pai Gow").first.click()
    page.get_by_role("link", name=re.compile("how often each rule decides")).click()
    page.get_by_role("table").first.wait_for()
    context.close()
    if PICTURES:
        shown = _chromium.new_page(viewport={"width": 1280, "height": 900})
        shown.set_default_timeout(0)
        for path in _pages(site):
            name = str(path.relative_to(site)).replace("/", "-")
            shown.goto(path.as_uri())
            shown.screenshot(path=Path(PICTURES) / f"site-{name}.png", full_page=True)
        shown.close()
