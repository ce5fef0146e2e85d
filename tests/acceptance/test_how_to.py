"""The tutorial and the how-to guides work as printed, from an empty folder."""

import os
import re
import shlex
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from certify import evaluate
from certify.cli.app import run
from certify.formatting import percentage
from tests.acceptance.command_line import ROOT
from tests.homes import new_home

HOW_TO = ROOT / "docs" / "how-to"
TUTORIAL = "../tutorial/first-submission.md"

ELSEWHERE = {
    "check-in-ci.md": "tests/acceptance/test_gates.py",
    "compare-house-ways.md": "tests/acceptance/test_compare.py",
    "declare-a-jurisdiction.md": "tests/acceptance/test_declare_a_jurisdiction.py",
    "sweep.md": "tests/acceptance/test_sweep.py",
}
"""Guides whose commands another test runs, because some are meant to fail or need more files."""

OTHER_PROGRAMS = {"install.md", "windows.md"}
"""Guides that install certify. Other tests follow them (`tests/architecture`)."""

SLOW = {TUTORIAL, "create-a-project.md", "declare-table-terms.md", "reproduce.md", "sign.md"}
"""Guides that write submissions."""

PAGES = sorted(
    path.name for path in HOW_TO.glob("*.md") if path.name not in ELSEWHERE.keys() | OTHER_PROGRAMS
)


def read_commands(page: str) -> list[list[str]]:
    """Return the commands of a page: its indented lines, in order."""
    text = (HOW_TO / page).read_text(encoding="utf-8").replace(" \\\n", " ")
    return [
        shlex.split(line)
        for line in text.splitlines()
        if line.startswith(("    certify ", "    cd "))
    ]


def read_files(page: str) -> list[tuple[str, str]]:
    """Return the files that a page shows: its fenced blocks whose first line names one."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    return re.findall(r"^```[a-z]+ (\S+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def belongs_to_game(name: str) -> bool:
    """Return True for a file that a command of the page writes and the page shows edited."""
    return Path(name).parts[0] == "paytables"


def expand_patterns(arguments: list[str]) -> list[str]:
    """Return the arguments with the files that each pattern matches, as a shell passes them."""
    return [
        name
        for argument in arguments
        for name in (sorted(map(str, Path().glob(argument))) if "*" in argument else [argument])
    ]


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] * (page in SLOW)) for page in (TUTORIAL, *PAGES)],
)
def test_every_command_of_the_page_succeeds(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shown = read_files(page)
    for name, content in shown:
        if not belongs_to_game(name):
            Path(name).write_text(content, encoding="utf-8")
    for word, *arguments in read_commands(page):
        if word == "cd":
            os.chdir(arguments[0])
            continue
        code = run(expand_patterns(arguments))
        output = capsys.readouterr()
        assert code == 0, f"{arguments}\n{output.out}{output.err}"
        for name, content in shown:
            if belongs_to_game(name) and arguments[:3] == ["new", "game", Path(name).parts[1]]:
                Path(name).write_text(content, encoding="utf-8")


def test_the_edge_of_the_tutorial_follows_from_the_pay_that_it_changes() -> None:
    """Each of the 19,752 hands with four of a kind is paid 10 units less."""
    text = (HOW_TO / TUTORIAL).read_text(encoding="utf-8")
    (before,) = evaluate("mini-pai-gow/bonus/A").analyses
    assert before.house_edge is not None
    after = before.house_edge + Fraction(10 * 19752, comb(53, 6))
    assert f"{percentage(after)}  = {after}" in text
    assert f"house edge was {percentage(before.house_edge)} " in text


@pytest.mark.parametrize("page", ELSEWHERE)
def test_another_test_runs_the_page(page: str) -> None:
    assert page in (ROOT / ELSEWHERE[page]).read_text(encoding="utf-8")
