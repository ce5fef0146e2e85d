"""Messages on pages: no words of a terminal."""

import ast
import re
from collections.abc import Iterator

import pytest

from certify.report.compose import name_pages
from tests.desk.conftest import ROOT

NO_PAGE = ("audit", "compare", "crosscheck", "doctor", "reproduce", "rule", "countersign")
"""Commands that no page runs: a message names them as they are typed."""

OPTION = re.compile(r"(?<![\w-])--[a-z]{2,}")


def iter_messages(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of errors and findings, with X for each value in them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            named = [each.value for each in node.keywords if each.arg in ("remedy", "fix")]
            for value in (*node.args[:1], *named):
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value
                elif isinstance(value, ast.JoinedStr):
                    yield "".join(
                        str(part.value) if isinstance(part, ast.Constant) else "X"
                        for part in value.values
                    )


def list_messages() -> list[str]:
    files = (ROOT / "certify").rglob("*.py")
    return [text for path in files for text in iter_messages(ast.parse(path.read_bytes()))]


def test_no_message_on_a_page_has_words_of_a_terminal() -> None:
    messages = [text for text in list_messages() if " " in text]
    terminal = [text for text in messages if "`certify " in text or OPTION.search(text)]
    assert len(terminal) > 60
    for text in terminal:
        words = name_pages(text)
        left = re.findall(r"`certify ([a-z-]+)", words)
        assert [command for command in left if command not in NO_PAGE] == [], words
        assert not OPTION.search(re.sub("`[^`]*`", "", words)), words


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Choose another folder with --out.", "Choose another folder with the field Folder."),
        (
            "Use --jurisdiction, or --identity ID.",
            "Use the field Jurisdiction, or the field Signer.",
        ),
        (
            "Create a revision: `certify new revision x --text CHANGES`.",
            "Create a revision: the page Rules.",
        ),
        ("Run `certify crosscheck x --again`.", "Run `certify crosscheck x --again`."),
    ],
)
def test_a_message_names_pages_and_fields(message: str, words: str) -> None:
    assert name_pages(message) == words
