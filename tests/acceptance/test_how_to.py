"""The pages on declaring things work as they are printed, from an empty folder."""

import os
import re
import shlex
from pathlib import Path

import pytest

from certify.cli.app import run
from tests.acceptance.command_line import ROOT

PAGES = (
    "declare-a-game.md",
    "declare-an-event.md",
    "declare-a-house-way.md",
    "design-a-paytable.md",
    "monitor-the-floor.md",
)


def commands(page: str) -> list[list[str]]:
    """Return the commands of a page: its indented lines, in order."""
    text = (ROOT / "docs" / "how-to" / page).read_text(encoding="utf-8")
    return [
        shlex.split(line)
        for line in text.splitlines()
        if line.startswith(("    certify ", "    cd "))
    ]


def files(page: str) -> list[tuple[str, str]]:
    """Return the files that a page shows: its fenced blocks whose first line names one."""
    text = (ROOT / "docs" / "how-to" / page).read_text(encoding="utf-8")
    return re.findall(r"^```[a-z]+ (\S+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def of_a_game(name: str) -> bool:
    """Whether a file is one that a command of the page made, and the page shows changed."""
    return Path(name).parts[0] == "paytables"


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_succeeds(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = files(page)
    for name, content in shown:
        if not of_a_game(name):
            Path(name).write_text(content, encoding="utf-8")
    for word, *arguments in commands(page):
        if word == "cd":
            os.chdir(arguments[0])
            continue
        code = run(arguments)
        said = capsys.readouterr()
        assert code == 0, f"{arguments}\n{said.out}{said.err}"
        for name, content in shown:
            if of_a_game(name) and arguments[:3] == ["new", "game", Path(name).parts[1]]:
                Path(name).write_text(content, encoding="utf-8")
