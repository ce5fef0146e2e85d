"""Messages are prose: no representation of Python reaches one, and no fix changes the wager."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from certify.errors import NotConfigured
from certify.model.paytable import HandOf
from docs.generate import refusals
from tests.conftest import REPRESENTATION

ROOT = Path(__file__).parents[2]


def test_an_error_with_a_representation_fails_its_test() -> None:
    with pytest.raises(AssertionError, match="HandOf"):
        raise NotConfigured(f"The hand is {HandOf.BOTH!r}.")
    with pytest.raises(AssertionError, match="HandOf"):
        raise NotConfigured("Another hand.", remedy=f"Use {HandOf.BOTH!r}.")


def test_no_message_of_a_finding_or_a_page_has_a_representation() -> None:
    files = [
        *(ROOT / "fixtures").rglob("expected.json"),
        *(ROOT / "docs" / "reference").rglob("*.md"),
    ]
    assert len(files) > 100
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    assert [path for path, text in texts.items() if REPRESENTATION.search(text)] == []


ANOTHER_WAGER = re.compile(
    r"\b(remove|use|compare|declare|write) .*\b"
    r"(events?|features|bonus|commission|comparison|concealed|joker|row)\b",
    re.IGNORECASE,
)
"""Words of a fix that would have another wager counted than the one that was meant."""


def list_fixes() -> Iterator[str]:
    for names in refusals.SOURCES.values():
        for name in names:
            tree = ast.parse((refusals.PACKAGE / name).read_text(encoding="utf-8"))
            yield from (fix for _, fix in refusals.list_refusals(tree))


def test_no_fix_of_a_refusal_leads_to_another_wager() -> None:
    """A declaration that cannot be counted is corrected only if it is wrong."""
    fixes = [*list_fixes()]
    assert len(fixes) > 40
    assert [fix for fix in fixes if ANOTHER_WAGER.search(fix) and " if " not in fix] == []
