"""The commands of the tutorial and the how-to guides, in the environment of the repository.

`test_pages_from_the_wheel.py` runs every block as a user has certify, in some twenty minutes.
"""

import os
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from certify import evaluate
from certify.cli.app import run
from certify.formatting import percentage
from tests.acceptance.command_line import ROOT
from tests.acceptance.pages import HOW_TO, TUTORIAL, arguments, blocks, write_file, write_own_files
from tests.commands.conftest import reading, work_once
from tests.homes import new_home
from tests.marks import further

__all__ = ["reading", "work_once"]  # fixtures: documents printed once, and read in this process

ELSEWHERE = {
    "administer.md": "tests/signatures/test_restore.py",
    "check-in-ci.md": "tests/acceptance/test_ci_steps.py",
    "compare-house-ways.md": "tests/acceptance/test_compare.py",
    "file-a-submission.md": "tests/acceptance/test_file_a_submission.py",
    "key-ceremony.md": "tests/acceptance/test_key_ceremony.py",
    "declare-a-jurisdiction.md": "tests/acceptance/test_declare_a_jurisdiction.py",
    "sweep.md": "tests/acceptance/test_small_commands.py",
}
"""Guides whose commands another test runs, because some are meant to fail or need more files."""

OTHER_PROGRAMS = {"install.md", "windows.md"}
"""Guides that install certify. Other tests follow them (`tests/architecture`)."""

FROM_THE_WHEEL = {
    "declare-a-filing.md", "declare-a-house-way.md",
    "declare-table-terms.md", "reproduce.md", "sign.md",
}  # fmt: skip
"""Guides that only the slow test runs: they write submissions or edit a file."""

QUICK = sorted(
    {path.name for path in HOW_TO.glob("*.md")} - ELSEWHERE.keys() - OTHER_PROGRAMS - FROM_THE_WHEEL
)


@pytest.mark.parametrize(
    "page", [*(page for page in QUICK if page != "redline.md"), *further(["redline.md"])]
)
def test_every_command_of_the_page_succeeds(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    write_own_files(page, folder)
    for block in blocks(page):
        if block.name:
            write_file(block, Path())
            continue
        for command in block.commands if not block.language else ():
            word, *given = arguments(command)
            if word == "cd":
                os.chdir(given[0])
            elif word == "certify":
                code = run(given)
                output = capsys.readouterr()
                assert code == 0, f"{command}\n{output.out}{output.err}"


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
