import json
from pathlib import Path
from typing import Any

import pytest

from certify.errors import NotConfigured
from tests.acceptance.command_line import ROOT, Certify

GAME = Path("paytables/odd/game.json")
WAY = ROOT / "fixtures/house-ways/short-hands-one-card.json"
BAD = Path("paytables/mini-pai-gow/bonus/bad.json")


@pytest.fixture
def game(certify: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the file of a sound game in a project that also holds a paytable with a wrong pay."""
    monkeypatch.chdir(tmp_path)
    assert certify("init", ".").code == 0
    made = ("--blank", "--called", "Odd", "--document", "Odd", "--clause", "1")
    assert certify("new", "game", "odd", *made).code == 0
    assert certify("new", "paytable", "mini-pai-gow/bonus/bad", "--clause", "1").code == 0
    BAD.write_text(BAD.read_text("utf-8").replace("50 to 1", "50 two 1", 1), encoding="utf-8")
    way = json.loads(WAY.read_bytes())
    way_file = Path(f"paytables/house-ways/{way['id']}.json")
    way_file.parent.mkdir()
    way_file.write_text(json.dumps(way), encoding="utf-8")
    value: dict[str, Any] = json.loads(GAME.read_bytes())
    ways = {"players": 1, "house_way": way["id"], "house_ways": [way["id"]]}
    return value | ways | {"hand": {"cards": 4, "back": 3, "front": 1}}


def found(certify: Certify, game: dict[str, Any]) -> dict[str, dict[str, Any]]:
    GAME.write_text(json.dumps(game), encoding="utf-8")
    ran = certify("check", "--format", "json")
    assert (ran.code, "error" in ran.json) == (1, False)
    assert [each["code"] for each in ran.json["findings"] if each["file"] == BAD.as_posix()] == [
        "S005"
    ]
    return {each["code"]: each for each in ran.json["findings"]}


@pytest.mark.parametrize(
    ("ranks", "jokers", "message"),
    [
        (6, 2, "With 4 cards, two suits could make a flush of 3 at once."),
        (13, 2, "With 4 cards, two suits could make a flush of 3 at once."),
    ],
)
def test_hands_with_two_flushes_are_a_finding_of_their_game(
    certify: Certify, game: dict[str, Any], ranks: int, jokers: int, message: str
) -> None:
    findings = found(certify, game | {"deck": {"ranks": ranks, "joker": jokers}})
    place = {"file": GAME.as_posix(), "pointer": "/hand", "message": message}
    assert findings["M006"] | place == findings["M006"]
    assert "H011" not in findings  # said once, and not of the house way


def test_hands_that_are_not_divided_are_refused_at_their_paytable(
    certify: Certify, game: dict[str, Any]
) -> None:
    """High Card Flush: seven cards, flushes of three in two suits; a wager on it is not counted."""
    side = GAME.parent / "side"
    side.mkdir()
    source = {"source": {"document": "odd", "clause": "1"}}
    named = {"game": "odd", "hand": "player", **source}
    wager = {"$schema": "wager.schema.json", "id": "side", "name": "Side", "kind": "bonus"}
    (side / "wager.json").write_text(json.dumps(wager | named | {"rules": []}), encoding="utf-8")
    row = {"event": "three_card_flush", "name": "Flush", "pays": "3 to 1"}
    table = {"$schema": "paytable.schema.json", "id": "1", "wager": "side", "name": "1", "cards": 7}
    rows = {"award": "first_row_contained", "rows": [row | {"event": "flush"}], "assumptions": []}
    (side / "1.json").write_text(json.dumps(table | named | rows), encoding="utf-8")
    (GAME.parent / "main").rename("main")
    for name in ("house_way", "house_ways", "strategy"):
        game.pop(name, None)
    hand = {"cards": 7, "back": 3, "front": 0}
    findings = found(certify, game | {"hand": hand, "wagers": ["side"]})
    assert findings["P014"]["file"] == f"{side}/1.json"
    assert findings["P014"]["message"].startswith("With 7 cards two suits could ")
    assert findings["P014"]["remedy"] == "Set `back` to 5 or more, or deal fewer cards."
    hand |= {"back": 5}
    assert "P014" not in found(certify, game | {"hand": hand, "wagers": ["side"]})


def test_any_refusal_of_an_audit_is_a_finding_of_the_house_way(
    certify: Certify, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NotConfigured("This cannot be audited.", remedy="Correct it.")

    monkeypatch.setattr("certify.review.check.audit_house_ways", refuse)
    finding = found(certify, game)["H011"]
    assert (finding["severity"], finding["message"]) == ("error", "This cannot be audited.")
    assert finding["file"] == f"paytables/house-ways/{game['house_way']}.json"
