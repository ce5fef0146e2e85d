import pytest

from certify.report.rules.numbering import bonus_wagers
from certify.report.rules.view import sketch
from tests.documented_games import GAMES
from tests.report.conftest import whole


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
