import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.figures.evaluate import Settings, evaluate
from certify.figures.second_counts import recount_paytables
from certify.figures.targets import select
from certify.filing.documents import PARTS, build_submission, count_filing
from certify.filing.evidence import build_evidence, censuses
from certify.filing.order import build_filing
from certify.model.finding import Severity
from certify.model.submission import Filing, Order, Status, Submission
from certify.review.check import check
from tests.commands.ante_and_play import ante_and_play
from tests.commands.pair_plus import GAME, pair_plus
from tests.commands.submissions import (
    build_without_counts,
    compose_part,
    count_submission,
    read_part,
)
from tests.commands.test_kit import reproduce, unzip_kit

SIX_DECKS = {"ranks": 13, "joker": False, "decks": 6}
SOURCE = {"document": GAME, "clause": "Ours"}
LOW_PAIR = {"low_hand": {"of_a_kind": 2}}
EVENTS = [
    {"id": "low_pair", "text": "A pair in the low hand", "when": LOW_PAIR, "source": SOURCE},
    {"id": "ours", "text": "Pairs", "player": {"pairs": 1}, "dealer": {"pairs": 1},
     "source": SOURCE},
]  # fmt: skip


def change(path: Path, **value: Any) -> None:  # noqa: ANN401 - JSON
    declared = json.loads(path.read_text(encoding="utf-8")) | value
    path.write_text(json.dumps(declared), encoding="utf-8")


def found(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    monkeypatch.chdir(root.parents[1])
    findings = check([Path("paytables")]).findings
    return [(one.code, one.pointer, one.message) for one in findings]


@pytest.mark.parametrize(
    ("game", "finding"),
    [
        (
            {"deck": {**SIX_DECKS, "joker": True}, "joker": "bug"},
            ("M006", "/hand", "with jokers"),
        ),
        (
            {"deck": SIX_DECKS, "hand": {"cards": 7, "back": 5, "front": 0}},
            ("M006", "/hand", "Hands of 7 cards from a shoe"),
        ),
    ],
)
def test_a_shoe_has_no_joker_and_at_most_six_cards(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: dict[str, Any],
    finding: tuple[str, str, str],
) -> None:
    root = pair_plus(tmp_path)
    change(root / "game.json", **game)
    code, pointer, words = finding
    messages = [text for *place, text in found(root, monkeypatch) if place == [code, pointer]]
    assert [words in text for text in messages] == [True]


def test_a_shoe_has_no_main_wager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = ante_and_play(tmp_path)
    change(root / "game.json", deck=SIX_DECKS)
    assert ("M006", "/hand", "Hands from a shoe of 6 decks are not set or compared.") in found(
        root, monkeypatch
    )


@pytest.mark.parametrize(
    ("table", "deck", "finding"),
    [
        (("together", 7, "flush"), {}, ("P013", "/cards", "two hands have 6")),
        (("together", 3, "low_pair"), {}, ("P014", "/hand", "not set by a house way")),
        (("both", 3, "flush"), SIX_DECKS, ("P010", "/rows/0/event", "describes one hand")),
        (("both", 3, "low_pair"), SIX_DECKS, ("P010", "/rows/0/event", "describes one hand")),
    ],
)
def test_what_cards_of_both_hands_can_be(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    table: tuple[str, int, str],
    deck: dict[str, Any],
    finding: tuple[str, str, str],
) -> None:
    root = pair_plus(tmp_path)
    events = json.dumps({"$schema": "events.schema.json", "events": EVENTS})
    (root.parent / "events.json").write_text(events, encoding="utf-8")
    if deck:
        change(root / "game.json", deck=deck)
    hand, cards, event = table
    rows = [{"event": event, "name": "Our Hand", "pays": "2 to 1"}]
    change(root / "pair-plus" / "1.json", hand=hand, cards=cards, rows=rows)
    change(root / "pair-plus" / "wager.json", hand=hand)
    code, pointer, words = finding
    messages = [text for *place, text in found(root, monkeypatch) if place == [code, pointer]]
    assert [words in text for text in messages] == [True]


def test_six_cards_of_both_hands_rank_as_five_of_six(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same game a hand of three cards ranks by all of them."""
    root = pair_plus(tmp_path)
    rows = [{"event": "flush", "name": "Flush", "pays": "2 to 1"}]
    change(root / "pair-plus" / "1.json", hand="together", cards=6, rows=rows)
    # The wager and its other paytable are on another hand.
    assert {code for code, *_ in found(root, monkeypatch)} == {"D014", "P017"}
    first, second = evaluate(select(GAME), Settings())
    assert (first.total, first.rows[0].combinations) == (20_358_520, 4 * (1_287 * 39 + 1_716))
    assert second.total == 22_100
    selection = select(f"{GAME}/pair-plus/1")
    paytable = selection.game.wagers[0].paytables[0]
    (again,) = recount_paytables(selection.catalog, [paytable], game=selection.game)
    assert again.agrees


def test_suits_of_a_game_that_is_filed_are_recounted_in_the_kit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = pair_plus(tmp_path)
    three = {"id": "hearts", "text": "Three hearts", "when": {"hearts": 3}, "source": SOURCE}
    events = json.dumps({"$schema": "events.schema.json", "events": [three]})
    (root.parent / "events.json").write_text(events, encoding="utf-8")
    rows = [{"event": "hearts", "name": "Three hearts", "pays": "60 to 1"}]
    change(root / "pair-plus" / "1.json", rows=rows)
    monkeypatch.chdir(tmp_path)
    order = Order(game=GAME, jurisdiction="nevada")
    ended = reproduce(unzip_kit(count_filing(build_filing(order)), tmp_path))
    assert ended.returncode == 0, ended.stdout
    assert f"agrees   {GAME}/pair-plus/1: 2 rows" in ended.stdout
    analysis = evaluate(select(f"{GAME}/pair-plus/1"), Settings())[0]
    assert analysis.rows[0].combinations == 286
    printed = read_part(count_submission(GAME, "nevada"), "mathematics")
    assert "of the same colors or suits where a wager asks for them" in printed


FIXTURES = Path(__file__).parents[2] / "fixtures"
FIFTY_TWO = "pai-gow-with-52-cards"
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
    shutil.copytree(FIXTURES / "games" / FIFTY_TWO, root / FIFTY_TWO)
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
        order = Order(game=FIFTY_TWO, jurisdiction=state)
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
