import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.filing.documents import PARTS, build_submission, count_filing
from certify.filing.evidence import build_evidence, censuses
from certify.filing.order import build_filing
from certify.model.finding import Severity
from certify.model.submission import Filing, Order, Status, Submission
from certify.review.check import check
from tests.commands.submissions import build_without_counts, compose_part

FIXTURES = Path(__file__).parents[2] / "fixtures"
GAME = "pai-gow-with-52-cards"
STATES = ("nevada", "wsgc")

_tag = re.compile(r"<(style|script).*?</\1>|<[^>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    filing: Filing
    submission: Submission
    evidence: str


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("declared") / "paytables"
    shutil.copytree(library.paytables() / "jurisdictions", root / "jurisdictions")
    shutil.copy(library.paytables() / "events.json", root)
    shutil.copytree(FIXTURES / "games" / GAME, root / GAME)
    (root / "house-ways").mkdir()
    shutil.copy(FIXTURES / "house-ways" / "fifty-two-cards.json", root / "house-ways")
    return root


@pytest.fixture(
    scope="module", params=["laid out", pytest.param("counted", marks=pytest.mark.slow)]
)
def submissions(request: pytest.FixtureRequest, folder: Path) -> list[Made]:
    """Make the submission for each state; only the slow one counts the main wager, and twice."""
    made = []
    for state in STATES:
        order = Order(game=GAME, jurisdiction=state)
        filing = build_filing(order, folder)
        if request.param == "counted":
            submission = build_submission(count_filing(filing), status=Status.UNSIGNED)
        else:
            submission = build_without_counts(filing)
        evidence = build_evidence(replace(filing, analyses=submission.analyses), Status.UNSIGNED)
        made.append(Made(filing=filing, submission=submission, evidence=evidence.decode()))
    return made


def test_nothing_is_wrong_with_it(folder: Path) -> None:
    assert [
        finding for finding in check([folder]).findings if finding.severity is Severity.ERROR
    ] == []


def test_no_word_about_a_joker_is_printed(submissions: list[Made]) -> None:
    for submission in submissions:
        for part in PARTS:
            text = " ".join(_tag.sub(" ", compose_part(submission.submission, part)).split())
            assert part in {"memo", "letter"} or "52 cards" in text
            assert [text[at.start() - 60 : at.end() + 60] for at in joker(text)] == []


def joker(text: str) -> Iterator[re.Match[str]]:
    return re.finditer("joker|Jk", text, re.IGNORECASE)


def test_no_word_about_a_joker_is_in_evidence_and_kit(submissions: list[Made]) -> None:
    for submission in submissions:
        checklist = " ".join(
            f"{line.item.text} {line.detail}" for line in submission.submission.checklist
        )
        assert list(joker(submission.evidence + checklist)) == []
        found = list(censuses(submission.filing))
        deck = 4 * submission.filing.game.hands.deck.ranks
        assert [census.total for census in found] == [comb(deck, census.cards) for census in found]
        assert not any("joker" in census.features for census in found)
