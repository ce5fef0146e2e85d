"""The tutorial and the how-to guides as a reader follows them: their blocks, in order."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.acceptance.command_line import ROOT

HOW_TO = ROOT / "docs" / "how-to"
TUTORIAL = "../tutorial/first-submission.md"
PAGES = (TUTORIAL, *sorted(path.name for path in HOW_TO.glob("*.md")))

FILES = {"keep-the-register.md": "letter.pdf"}
"""A file that the reader of a page has."""

BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<info>.*)\n(?P<fenced>(?:.*\n)*?)(?P=indent)```$"
    r"|(?:^    .*\n|^\n(?=    ))+",
    flags=re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page: a file that it shows, output, an excerpt, or commands."""

    language: str
    name: str
    text: str

    @property
    def start(self) -> str:
        """The first line, by which a test names the block."""
        return self.text.partition("\n")[0].strip()

    @property
    def commands(self) -> list[str]:
        """The lines to type; a line that ends with a backslash is continued."""
        joined = re.sub(r" *\\\n *", " ", self.text)
        return [line.strip() for line in joined.splitlines() if line.strip()]


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of a page in order; an indented block has no language."""
    for found in BLOCK.finditer((HOW_TO / page).read_text(encoding="utf-8")):
        language, _, name = (found["info"] or "").partition(" ")
        if not language.startswith("{"):  # a note or a warning
            yield Block(language, name, (found["fenced"] or found[0]).lstrip("\n"))


def write_own_files(page: str, folder: Path) -> None:
    """Write what the reader of a page has: a project, and the file of `FILES`."""
    if "in your project" in " ".join((HOW_TO / page).read_text(encoding="utf-8").split()):
        (folder / "certify.toml").touch()
        (folder / "paytables").mkdir()
    if page in FILES:
        (folder / FILES[page]).write_bytes(b"a letter")


def write_file(block: Block, folder: Path) -> None:
    (folder / block.name).write_text(block.text, encoding="utf-8")


def arguments(command: str) -> list[str]:
    """Return the words of a command with the files that each pattern matches, as a shell does."""
    return [
        name
        for word in shlex.split(command, comments=True)
        for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, (path, before)
    path.write_text(text.replace(before, after), encoding="utf-8")
