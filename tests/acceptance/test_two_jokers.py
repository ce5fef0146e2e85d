import json
from math import comb
from pathlib import Path

import pytest

from tests.acceptance.command_line import Certify

TARGET = "harbor/main/standard"
HAND = "Jk Jk As Ks Qs 2d 3c"


@pytest.fixture
def harbor(tmp_path: Path, certify: Certify, monkeypatch: pytest.MonkeyPatch) -> Certify:
    """Declare a game from nothing, with two jokers in its deck; run commands in its project."""
    certify("init", tmp_path / "our")
    monkeypatch.chdir(tmp_path / "our")
    options = ("--called", "Harbor Pai Gow", "--document", "Harbor Pai Gow: Rules", "--clause", "1")
    assert certify("new", "game", "harbor", "--blank", *options).code == 0
    path = Path("paytables/harbor/game.json")
    game = json.loads(path.read_text(encoding="utf-8"))
    game["deck"]["joker"] = 2
    path.write_text(json.dumps(game), encoding="utf-8")
    return certify


def test_a_hand_of_both_jokers_is_set_and_each_way_is_listed_once(harbor: Certify) -> None:
    printed = harbor("explain", TARGET, HAND, "--dealer", "Td 9d 8c 7h 2s 4c 4h").out
    assert "high hand Jk Jk As 3c 2d (A-2-3-4-5, a straight), low hand Ks Qs" in printed
    assert "Jk Jk As Ks Qs  a royal flush" in printed
    assert printed.count("\nJk As Ks Qs 3c  ") == 1
    more = harbor("explain", TARGET, "Jk Jk Jk Ks Qs 2d 3c")
    assert more.code != 0
    assert "Jk" in more.err


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["house-way", "optimal"])
def test_every_deal_of_the_full_deck_is_counted(harbor: Certify, strategy: str) -> None:
    found = harbor("evaluate", TARGET, "--strategy", strategy, "--format", "json").json
    assert int(found["total_combinations"]) == comb(54, 7) * comb(47, 7)
    assert sum(int(row["combinations"]) for row in found["rows"]) == comb(54, 7) * comb(47, 7)
    again = harbor("crosscheck", TARGET, "--again", "--strategy", strategy)
    assert again.code == 0
    assert "agrees" in again.out
