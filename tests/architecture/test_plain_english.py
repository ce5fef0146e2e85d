import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

BANNED = re.compile(
    r"\b(nought|mend(ed|ing|s)?|beside|by people|second counts?|kept counts?|catalogues?"
    r"|(?<!card )rooms?|the desk|told|as it (came|stands)|in the place of|of (its|their|one's) own"
    r"|what is left|stands? (in|on|at|for|beside|below|above|under|there|here)|door|anew"
    r"|judgements?|licences?|colours?|neighbours?|base games?"
    r"|what (is|was) (filed|declared|counted)|somebody|laid over)\b",
    re.IGNORECASE,
)
"""Phrases and words that the glossary or the style guide replaces."""

QUOTED = re.compile(
    r"```.*?```|`[^`]*`|^    .*$|\[[^\]]*\]\([^)]*\)|“[^”]*”|\"[^\"\n]*\"",
    re.DOTALL | re.MULTILINE,
)
"""Code, links and quotations, which may use any word."""

PAGES = sorted(
    path
    for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    if path.name != "glossary.md" and path.parent.name not in {"findings", "games"}
)
"""All pages but the glossary, which lists the banned words, and those with names of a source."""


def find_banned(text: str) -> list[str]:
    return [match.group() for match in BANNED.finditer(QUOTED.sub(" ", text))]


def find_descriptions(value: Any) -> Iterator[str]:  # noqa: ANN401 - a JSON value
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in {"title", "description"} and isinstance(inner, str):
                yield inner
            yield from find_descriptions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from find_descriptions(inner)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page_has_no_banned_phrase(path: Path) -> None:
    assert find_banned(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "schemas").glob("*.json")), ids=lambda path: path.name
)
def test_schema_has_no_banned_phrase(path: Path) -> None:
    texts = find_descriptions(json.loads(path.read_text(encoding="utf-8")))
    assert [phrase for text in texts for phrase in find_banned(text)] == []


@pytest.mark.parametrize(
    "text", ["The record stands in a room.", "Mend the file.", "Its colour is told by people."]
)
def test_a_banned_phrase_is_found(text: str) -> None:
    assert find_banned(text)
