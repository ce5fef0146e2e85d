"""Compare: files that somebody was sent, and house ways against one another."""

import datetime as dt
import html
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from certify.cli.app import run as command
from certify.desk.answers import LARGEST
from certify.signatures.identity_folder import init_development
from tests.desk.conftest import ROOT, Answer, Client, finish, send

if TYPE_CHECKING:
    from playwright.sync_api import Page

GAME = "mini-pai-gow"
TODAY = dt.datetime.now(dt.UTC).date()
DECLARED = ROOT / "paytables" / GAME / "bonus" / "A.json"


@pytest.fixture
def revision(tmp_path: Path) -> Path:
    """Another revision of a paytable, as somebody sends it: the straight pays 4 to 1."""
    path = tmp_path / "A-revised.json"
    text = DECLARED.read_text(encoding="utf-8")
    path.write_text(text.replace('"pays": "5 to 1"', '"pays": "4 to 1"'), encoding="utf-8")
    return path


def compare(desk: Client, before: Path | str, after: Path | str) -> Answer:
    """Send the form: a path is a file, a text the name of a record."""
    sides = {"before": before, "after": after}
    files = {
        f"{side}_file": (path.name, path.read_bytes())
        for side, path in sides.items()
        if isinstance(path, Path)
    }
    named = {side: name for side, name in sides.items() if isinstance(name, str)}
    answer = send(desk, "/compare", files, **named)
    return finish(desk, answer) if answer.status == 303 else answer


def test_two_files_are_compared_as_the_command_does(
    desk: Client,
    revision: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copy(DECLARED, revision.parent / "A.json")
    answer = compare(desk, revision.parent / "A.json", revision)
    assert answer.status == 200
    shown = html.unescape(answer.text)
    assert "Straight" in shown.partition("Rows that differ")[2]
    assert "Filings needed" in shown
    address = answer.text.partition('href="/compare/files/')[2].partition('"')[0]
    monkeypatch.chdir(revision.parent)
    assert command(["diff", "A.json", revision.name, "--format", "json"]) == 0
    assert desk.get(f"/compare/files/{address}").text == capsys.readouterr().out


def test_a_file_is_compared_with_what_is_declared(desk: Client, revision: Path) -> None:
    shown = compare(desk, f"{GAME}/bonus/B", revision).text
    # B differs from A in the straight alone, and the revision has taken that over.
    assert "Rows that differ" not in shown
    assert f"{GAME}/bonus/B to {GAME}/bonus/A" in shown


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("x.txt", b"{}", "cannot be compared"),
        ("x.json", b"{" * 100_000, ""),
        ("x.json", b"", ""),
        ("../../x.json", b'{"id": "A"}', ""),
        ("x.pdf", b"%PDF-1.7\n" + b"<<" * 10_000, ""),
        ("x.json", b" " * (LARGEST + 1), "was not read"),
    ],
)
def test_a_hostile_file_is_refused_in_words(
    desk: Client, name: str, data: bytes, words: str
) -> None:
    answer = send(desk, "/compare", {"before_file": (name, data)}, after=f"{GAME}/bonus/A")
    if answer.status == 303:
        answer = finish(desk, answer)
    assert answer.status in {404, 422}
    assert words in html.unescape(answer.text)
    assert "defect" not in answer.text
    assert not list(desk.folder.rglob("x.json"))


def test_a_side_that_is_missing_or_unknown_is_reported(desk: Client, revision: Path) -> None:
    missing = send(desk, "/compare", {"before_file": (revision.name, revision.read_bytes())})
    assert "There is no entry after." in missing.text
    unknown = compare(desk, revision, "../certify.toml")
    assert unknown.status == 404


@pytest.mark.long
def test_the_matrix_of_house_ways_is_that_of_the_command(
    desk: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.folder)
    address = f"/compare/house-ways/{GAME}"
    answer = finish(desk, desk.post(f"{address}/count", {}))
    assert answer.status == 200
    assert f"{GAME}/main/1: house edge in percent" in answer.text
    assert command(["compare", "house-ways", GAME, "--format", "json"]) == 0
    said = capsys.readouterr().out
    assert desk.get(f"{address}.json").text == said
    (cell, *_) = json.loads(said)["options"][0]["cells"]
    assert cell["house_edge_percent"][:5] in answer.text
    assert f'href="/house-ways/{GAME}"' in answer.text


def test_a_person_compares_two_files(window: "Page", revision: Path) -> None:
    window.goto("/compare")
    for side, file in (("Before", DECLARED), ("After", revision)):
        group = window.get_by_role("group", name=side)
        group.get_by_label("Choose a file, or drop it here").set_input_files(file)
    window.get_by_role("button", name="Compare the files").click()
    window.get_by_role("heading", name="Filings needed").wait_for()
    assert window.get_by_role("region", name="Rows that differ").inner_text().count("4 to 1") == 1


@pytest.mark.slow
def test_two_documents_are_compared_by_what_they_embed(
    desk: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    init_development(tmp_path / "home" / "keys", name="Test Only", today=TODAY)
    documents: list[Path] = []
    for table in "AB":
        # A process of its own: the browser's event loop would keep it from signing.
        words = ["submit", GAME, "--jurisdiction", "nevada", "--out", str(tmp_path / table)]
        subprocess.run(
            [sys.executable, "-m", "certify", *words, "--paytable", f"{GAME}/bonus/{table}"],
            check=True,
        )
        documents += (tmp_path / table).glob("*.mathematics.pdf")
    shown = html.unescape(compare(desk, *documents).text)
    assert f"{GAME}/bonus/A to {GAME}/bonus/B" in shown
    assert "and no figures: mini-pai-gow/main/1." in shown
