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


def files(page: str) -> dict[str, str]:
    """Return the files that a page shows: its fenced blocks whose first line names one."""
    text = (ROOT / "docs" / "how-to" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```[a-z]+ (\S+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return dict(blocks)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_succeeds(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in files(page).items():
        Path(name).write_text(content, encoding="utf-8")
    for word, *arguments in commands(page):
        if word == "cd":
            os.chdir(arguments[0])
            continue
        code = run(arguments)
        said = capsys.readouterr()
        assert code == 0, f"{arguments}\n{said.out}{said.err}"
