"""No check decides by words: every bad file, its sentences reworded, has the same findings."""

from pathlib import Path

import pytest

from certify.model.finding import Finding
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


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.parent.name not in ABOUT_WORDS],
    ids=lambda item: f"{item.parent.name}-{item.name}",
)
def test_the_same_findings_have_the_same_positions(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    valid = reword_folder(LIBRARY, tmp_path / "valid")
    turned = reword_folder(case, tmp_path / case.parent.name / case.name)
    found = []
    for number, (one, library) in enumerate([(case, LIBRARY), (turned, valid)]):
        run = tmp_path / str(number)
        run.mkdir()
        monkeypatch.chdir(run)
        found.append([mask_words(finding) for finding in run_case(one, run, valid=library)])
    assert found[0] == found[1]


def mask_words(finding: Finding) -> dict[str, object]:
    """Return a finding with every letter of its sentences masked."""
    written = write_finding(finding)
    return written | {name: mask(written[name]) for name in ("message", "remedy")}
