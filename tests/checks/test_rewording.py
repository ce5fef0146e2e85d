"""No check decides by words: every bad file, its sentences reworded, has the same findings."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.checks.test_fixtures import CASES, LIBRARY, run_case, write_finding
from tests.rewording import mask, reword_folder

ABOUT_WORDS = {
    "D012": "how a sentence spells an amount of money",
    "D022": "the quantities of a sentence against the values that are declared",
    "D024": "the printed name of a hand against the standard names of other hands",
    "D027": "the lowest hand of a rule against the lowest paid row",
    "R015": "the words of the artwork against the names that are filed",
    "R027": "the numbers of a rule's text against its parameters",
}
"""Codes that judge words themselves, each with what it judges."""


@pytest.fixture(scope="module")
def turned_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The valid library with its sentences reworded."""
    return reword_folder(LIBRARY, tmp_path_factory.mktemp("turned") / "valid")


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.parent.name not in ABOUT_WORDS],
    ids=lambda item: f"{item.parent.name}-{item.name}",
)
def test_the_same_findings_have_the_same_positions(
    case: Path, turned_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turned = reword_folder(case, tmp_path / case.parent.name / case.name)
    run = tmp_path / "run"
    run.mkdir()
    monkeypatch.chdir(run)
    found = map(write_finding, run_case(turned, run, valid=turned_library))
    expected = json.loads((case / "expected.json").read_bytes())
    assert [*map(mask_words, found)] == [*map(mask_words, expected)]


def mask_words(finding: dict[str, Any]) -> dict[str, Any]:
    """Return a finding with every letter of its sentences masked."""
    return finding | {name: mask(finding[name]) for name in ("message", "remedy")}
