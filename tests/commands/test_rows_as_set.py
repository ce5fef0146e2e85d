import json
from pathlib import Path

import pytest

from certify.declare import blank, new
from certify.declare.blank import WagerRequest
from certify.declare.new import GameRequest
from certify.review.check import check

EVENT = {"document": "harbor", "clause": "1"}


@pytest.mark.parametrize(
    ("house_ways", "messages"),
    [
        # Foxwoods keeps five aces together beside a pair of kings: six hands.
        (["casino-real", "foxwoods"], []),
        (
            ["casino-real", "stones-gambling-hall"],
            [
                "No hand of this deck, set by `casino-real` or `stones-gambling-hall`, matches "
                "the row `Five aces`."
            ],
        ),
    ],
)
def test_a_row_that_another_house_way_pays_is_no_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    house_ways: list[str],
    messages: list[str],
) -> None:
    new.project(tmp_path)
    monkeypatch.chdir(tmp_path)
    asked = GameRequest(id="harbor", blank=True, called="Harbor", document="Rules", clause="1")
    blank.game(asked)
    blank.wager(WagerRequest(target="harbor/bonus", called="Bonus", clause="2"))
    kept = '{"high_hand": {"of_a_kind": {"min": 5}}}'
    blank.event("kept", text="Five aces in the high hand", when=kept, like=None, **EVENT)
    blank.paytable("harbor/bonus/1", rows=["kept=500 to 1", "flush=4 to 1"], clause="3")
    game = Path("paytables/harbor/game.json")
    value = json.loads(game.read_bytes())
    value |= {"house_way": house_ways[0], "house_ways": house_ways}
    game.write_text(json.dumps(value), encoding="utf-8")
    table = Path("paytables/harbor/bonus/1.json")
    named = json.loads(table.read_bytes())
    named["rows"][0]["name"] = "Five aces"
    table.write_text(json.dumps(named), encoding="utf-8")
    found = [finding for finding in check([Path("paytables")]).findings if finding.code == "P002"]
    assert [finding.message for finding in found] == messages
