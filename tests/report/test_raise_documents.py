import re
from functools import cache
from pathlib import Path

import pytest

from certify.filing.documents import count_filing
from certify.filing.order import build_filing
from certify.model.submission import Order, Submission
from tests.commands.packs_by_game import FIELD
from tests.commands.submissions import build_without_counts, compose_part, count_submission
from tests.commands.test_kit import reproduce, unzip_kit
from tests.html_documents import parse, read_text
from tests.marks import further

UNFIT = re.compile(
    r"pai gow|house way|\bfouls?\b|(high|low) hand|set(ting)? the hands?|both wagers and"
    r"|(?<!stored )\bcop(y|ies)\b(?! of (these|a card))|first wager|1 times|its own cards",
    re.IGNORECASE,
)
"""Words of hands that are set in two, of two wagers where there are three, and odd ones."""

FIVE_CARD_NAMES = re.compile(
    r"full house|five cards (in sequence|of one suit)|A-2-3-4-5|A-K-Q-J-10"
)

SAID = {
    "caribbean-stud": (
        "The player receives five cards, and the dealer receives five, one of them face up.",
        "After looking at the player's own cards and at the dealer's card that is face up, the "
        "player folds or makes Raise. Raise is 2 times the Ante.",
        "The dealer turns the dealer's other cards face up.",
        "The player folds Loss –",
        "The player's hand is higher 1 to 1 By the player's hand; otherwise 1 to 1",
        "The hands tie Push Push",
        "Royal flush a royal flush 100 to 1 Straight flush a straight flush of five cards 50 to 1 "
        "Four of a kind four cards of one rank 20 to 1 Full house three cards of one rank and two "
        "cards of another rank 7 to 1",
        "It is per unit of the Ante and includes Raise.",
        "Raise: Two pair 2 to 1",
    ),
    "four-card-poker": (
        "The player receives five cards, and the dealer receives six, one of them face up. A hand "
        "is the best four of its cards.",
        "Play is at least equal to the Ante and at most 3 times the Ante.",
        "Every hand of the dealer qualifies for Play.",
        "The player's hand is higher, or the hands tie 1 to 1 1 to 1 By the player's hand",
        "The dealer's hand is higher Loss Loss By the player's hand",
        "the cards set apart from them do not count.",
    ),
    "crazy-4-poker": (
        "Before the deal, the player makes the Ante and Super Bonus. Super Bonus is equal to the "
        "Ante.",
        "The player receives five cards, and the dealer receives five, face down.",
        "Play is equal to the Ante. The player may make it up to 3 times the Ante with (two cards "
        "of one rank and a highest pair of aces), two ranks with at least two cards, three or more "
        "cards of one rank, a straight of four cards or a flush of four cards.",
        "The dealer's hand: queen high or lower. The Ante pushes, whatever the player holds.",
        "The dealer's hand for Play: not queen high or lower. With any other hand of the dealer, "
        "Play wins.",
        "the Ante pushes. Push 1 to 1 By the player's hand; otherwise push",
        "The dealer's hand is higher Loss Loss By the player's hand; otherwise loss",
        "The player folds Loss – Loss",
        "It is per unit of the Ante and includes Play and Super Bonus.",
        "Four aces four cards of one rank and four aces 200 to 1 Four of a kind four cards of one "
        "rank 30 to 1 Straight flush a straight flush of four cards 15 to 1",
        "Super Bonus (with the Ante)",
    ),
}
"""Sentences and rows of the rules of play."""

COUNTED = {
    "caribbean-stud": (
        "19,933,230,517,200 deals of two hands without a common card, counted once per card that "
        "the dealer can show",
        "Raise is made where that is best for the player's hand, after seeing one of the dealer's "
        "cards",
        "Royal flush Ante 1 to 1; Raise 100 to 1 16,759,740",
        "Folded Ante loss 9,523,005,974,460",
        "house edge of 5.2243%",
        "the house keeps 2.5553% (element of risk)",
        "201 to 1 (with Raise)",
    ),
    "four-card-poker": (
        "2,598,960 hands of 5 cards and 20,358,520 hands of 6 cards",
        "The best four cards of the player's hand are compared with the best four of the dealer's",
        "out of the deck and the card that is seen in the hand.",
        "Straight flush Four cards in sequence and of one suit 2,072",
        "Pair Two cards of one rank 1,047,552",
        "house edge of 2.7879%",
        "1.3013% (element of risk)",
    ),
    "crazy-4-poker": (
        "without seeing the dealer's cards",
        "Ante push; Play 1 to 1; Super Bonus 200 to 1",
        "Folded Ante loss; Super Bonus loss",
        "The net result of Ante, Super Bonus and Play together counts; return, house edge and "
        "standard deviation are per unit of the Ante.",
        "K-Q-8-4 and each higher hand",
        "house edge of 3.4189%",
        "1.0901% (element of risk)",
        "204 to 1 (with Play and Super Bonus)",
    ),
}
"""Sentences and rows of the report. Counts: the sources of the game, and of the hands of five cards
that count as four, plain enumeration."""


count = cache(count_submission)


@cache
def build_uncounted(game: str) -> Submission:
    return build_without_counts(build_filing(Order(game=game, jurisdiction="nevada")))


def read(submission: Submission, part: str) -> str:
    root = parse(compose_part(submission, part))  # type: ignore[arg-type]
    body = root.find("body")
    assert body is not None
    return re.sub(r"\s+([,.;:])", r"\1", " ".join(" ".join(body.itertext()).split()))


@pytest.fixture(params=["crazy-4-poker", *further(["caribbean-stud", "four-card-poker"])])
def submission(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Submission:
    monkeypatch.chdir(FIELD)
    return count(request.param, "nevada")


@pytest.mark.parametrize("game", SAID)
def test_the_rules_say_how_the_cards_are_dealt(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIELD)
    (dealt,) = (sentence for sentence in SAID[game] if sentence.startswith("The player receives"))
    printed = read(build_uncounted(game), "rules")
    assert dealt in printed
    royal_flush = "A royal flush is A-K-Q-J-10 of one suit." in printed
    assert royal_flush == (game == "caribbean-stud")
    assert re.search(
        r"does not fold\. Hands: .+?\. A \$10 Ante wins .+? (Raise|Play) wins", printed
    )


def test_rules_and_report_say_how_the_game_is_played(submission: Submission) -> None:
    game = submission.game.id
    for part, expected in (("rules", SAID[game]), ("mathematics", COUNTED[game])):
        printed = read(submission, part)
        assert [words for words in expected if words not in printed] == []
        assert [found[0] for found in UNFIT.finditer(printed)] == []
        if submission.game.hands.shape.back == 4:
            assert [found[0] for found in FIVE_CARD_NAMES.finditer(printed)] == []
        concealed = "without seeing the dealer's cards" in printed or "face down" in printed
        assert concealed == (not submission.game.hands.shape.dealer_shows)


def test_each_count_of_a_row_is_printed_in_the_order_of_the_pays(submission: Submission) -> None:
    (analysis,) = submission.comparison
    root = parse(compose_part(submission, "mathematics"))
    name = f"table-outcomes-{submission.option.id}"
    (table,) = (table for table in root.iter("table") if table.get("id") == name)
    lines = [[read_text(cell) for cell in row] for row in table.iter("tr")][1:-1]
    assert [line[2] for line in lines] == [f"{row.combinations:,}" for row in analysis.rows]
    raised = submission.option.raise_
    assert raised is not None
    paid = [row.reason.raise_pay for row in analysis.rows if row.reason and row.reason.raise_pay]
    assert paid == [pay.id for pay in raised.pays]


def test_the_kit_counts_every_deal(submission: Submission) -> None:
    assert "as the kit does not count these deals." not in read(submission, "mathematics")


def test_the_memo_asks_for_nothing_that_is_printed_or_refused(submission: Submission) -> None:
    memo = read(submission, "memo")
    assert "This version of certify cannot make one." not in memo
    assert "certify crosscheck" in memo
    assert "the description of the game" not in memo


@pytest.mark.parametrize(
    ("game", "target", "words"),
    [
        ("crazy-4-poker", "main/standard", "its counts are taken as stated"),
        ("three-card-poker", "six-card-bonus/1", "8 rows"),
    ],
)
def test_the_kit_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, target: str, words: str
) -> None:
    monkeypatch.chdir(FIELD)
    filing = count_filing(build_filing(Order(game=game, jurisdiction="nevada")))
    ended = reproduce(unzip_kit(filing, tmp_path))
    assert ended.returncode == 0, ended.stdout
    assert f"agrees   {game}/{target}: {words}" in ended.stdout


@pytest.mark.parametrize("game", SAID)
def test_an_example_shows_every_card_once(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIELD)
    submission = build_uncounted(game)
    shape = submission.game.hands.shape
    root = parse(compose_part(submission, "rules"))
    (table,) = (table for table in root.iter("table") if table.get("class") == "examples")
    for row in [*table.iter("tr")][1:]:
        case, hands, _ = row
        player, *dealer = hands.iter("p")
        faces = [
            sum(part.get("class", "").startswith("card ") for part in side.iter("span"))
            for side in (player, *dealer)
        ]
        folded = read_text(case) == "A fold"
        seen = [1] * shape.dealer_shows
        assert faces == [shape.cards, *(seen if folded else [shape.dealer])]
        for side in dealer:
            marks = [read_text(part) for part in side.iter("span") if part.get("class") == "clause"]
            assert marks == ["face up" if folded else "(face up)"] * len(seen)


def test_another_state_prints_the_same_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FIELD)
    printed = read(count("crazy-4-poker", "pennsylvania"), "rules")
    assert [words for words in SAID["crazy-4-poker"] if words not in printed] == []
    assert [found[0] for found in UNFIT.finditer(printed)] == []
