"""Worked examples and the layout of the rules of play."""

import re
from collections.abc import Callable

import pytest

from certify.model.submission import Submission
from certify.report.rules.numbering import bonus_wagers
from certify.report.rules.view import sketch
from tests.commands.submissions import compose_part
from tests.documented_games import GAMES
from tests.html_documents import parse, read_text
from tests.report.conftest import whole

Make = Callable[..., Submission]


def find_examples(submission: Submission, wager: str) -> list[tuple[str, str]]:
    """Return the rows of the table of a wager's examples: each case and its settlement."""
    root = parse(compose_part(submission, "rules"))
    (table,) = (
        table
        for table in root.iter("table")
        if (table[0].text or "").strip() == f"{wager}: examples"
    )
    texts = [[read_text(cell) for cell in row] for row in table.iter("tr")]
    return [(case, settled) for case, _cards, settled in texts[1:]]


WON = re.compile(r"a \$([0-9,]+) wager wins \$([0-9,]+) and is returned\. ([0-9,]+) to 1\.$")


def test_amounts_in_words_follow_from_the_pays(make: Make, game: str) -> None:
    submission = make(game, "nevada")
    filed = {table.wager for table in submission.paytables}
    examples = [
        each
        for wager in submission.game.wagers
        if wager.id in filed
        for each in find_examples(submission, wager.name)
    ]
    wins = [WON.search(settled) for case, settled in examples if case.startswith("A win")]
    assert any(wins)
    for win in filter(None, wins):
        stake, won, pays = (int(number.replace(",", "")) for number in win.groups())
        assert won == stake * pays
    for case, settled in examples:
        if case.startswith("A loss"):
            assert re.search(r"a \$(10|5|1) wager loses\. Loss\.$", settled)


def test_a_share_of_a_meter_is_stated_in_dollars(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada")
    shares = [
        settled
        for wager in submission.game.wagers
        if any(table.wager == wager.id and table.progressive for table in submission.paytables)
        for case, settled in find_examples(submission, wager.name)
        if case.startswith("A share of a meter")
    ]
    assert "pays 10% of meter 1: with $10,000 on it, $1,000. 10% of meter 1." in shares[0]


def test_a_prize_is_for_another_players_hand(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada")
    with_prizes = next(wager for wager in submission.game.wagers if wager.envies)
    (prize,) = (
        settled
        for case, settled in find_examples(submission, with_prizes.name)
        if case.startswith("Another player's hand")
    )
    assert prize.startswith("Another player holds four ")
    assert prize.endswith("Every other wager of $5 or more is paid $5 for Four-of-a-Kind. $5.")


def test_commission_is_taken_from_a_win_or_posted_in_advance(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    main = next(wager for wager in submission.game.wagers if wager.options)
    taken, posted = (option.id for option in submission.options)
    examples = dict(find_examples(submission, main.name))
    assert f"{taken}: A $10 wager wins $9.50." in examples["A win"]
    assert f"{posted}: A $10 wager with $0.50 posted wins $10." in examples["A win"]
    assert "A $10 wager with $0.50 posted loses $10.50." in examples["A loss"]


BLANK = "The rule on fouls is still to be supplied."
FOUL_RULES = {
    "dealer-open-pai-gow": "A foul loses the Pai Gow wager, unless the dealer's ace-high pai gow "
    "pushes it.",
    "mini-pai-gow": "A foul is settled by the rule of traditional pai gow poker.",
}
"""The rules of play on the wager after a foul; the other games leave it to the terms."""


def test_each_game_shows_what_its_players_dispute(make: Make, game: str) -> None:
    submission = make(game, "wsgc")
    (main,) = (wager for wager in submission.game.wagers if wager.options)
    examples = find_examples(submission, main.name)
    cases = [case for case, _ in examples]
    for disputed in ("A foul", "A copy", "Set against the house way"):
        shown = [case for case in cases if case.startswith(disputed)]
        assert len(shown) == 1  # of all options, where several are filed
    for case, settled in examples:
        if case.startswith("A foul"):
            assert " is fouled: its high hand does not rank above its low hand. " in settled
            assert settled.endswith(f"{FOUL_RULES.get(game, BLANK)} Foul.")
        if case.startswith("Set against"):
            assert " By the house way the high hand would be " in settled
            assert re.search(r": the wager would (be returned|lose)\..*(Push|1 to 1)", settled)


def test_a_dealers_hand_that_was_chosen_and_a_drawn_payout_are_shown(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada")
    examples = {
        case.split("PT")[0]: settled
        for wager in ("Pai Gow Insurance", "Emperor's Treasure Dynamic Progressive")
        for case, settled in find_examples(submission, wager)
    }
    assert examples["The dealer's hand was chosen"] == (
        "The player chose the dealer's hand before the deal, and the player's own hand does not "
        "count. The dealer holds no pair, no straight and no flush, ace high. Ace-High pays 2 to "
        "1: a $10 wager wins $20 and is returned. 2 to 1."
    )
    assert examples["A dynamic payout"] == (
        "A full house, aces over tens. Full House is drawn for this round: its payout is "
        "3 for 1 instead of 2 for 1. Full House pays 3 for 1: a $1 wager is paid $3 in total. "
        "3 for 1."
    )


@pytest.mark.parametrize("game", GAMES)
def test_each_offered_wager_has_one_spot(game: str) -> None:
    submission = whole(game, "nevada")
    main = [submission.game.find_wager(submission.option).name, submission.raise_name]
    spots = [*(wager.name for wager in bonus_wagers(submission)), *filter(None, main)]
    shape = submission.game.hands.shape
    hands = {"Low hand": shape.front, "High hand": shape.back}
    drawn = sketch(submission)
    assert drawn.message.split("; ") == [*spots, *hands]
    circles = [stroke.path for stroke in drawn.strokes if "a" in stroke.path]
    assert len(set(circles)) == len(circles) == len(spots)
    words = " ".join(text.words for text in drawn.texts)
    for name in spots:
        assert name in words
    for name, cards in hands.items():
        assert f"{name} ({cards})" in words
    assert all(0 <= text.x <= drawn.width and text.y <= drawn.height for text in drawn.texts)
