"""Pair Plus of three-card poker, declared from nothing: a game whose hands are not divided."""

import json
from pathlib import Path
from typing import Any

from certify.received.files import PROJECT

GAME = "three-card-poker"
SOURCE = {"document": GAME, "clause": "Pair Plus"}
EVENTS = (
    ("three_card_natural_straight_flush", "Straight flush", "40 to 1", 48),
    ("three_card_three_of_a_kind", "Three of a kind", "30 to 1", 52),
    ("three_card_straight", "Straight", "6 to 1", 720),
    ("three_card_flush", "Flush", "4 to 1", 1_096),
    ("three_card_pair", "Pair", "1 to 1", 3_744),
)
"""Event, name, pay of the first table and hands of 22,100.

Source: Wizard of Odds, Three Card Poker (wizardofodds.com/games/three-card-poker).
"""


def pair_plus(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PROJECT).touch()
    root = folder / "paytables" / GAME
    write_json(root / "game.json", {**game(), "wagers": ["pair-plus"]})
    wager = {"id": "pair-plus", "game": GAME, "name": "Pair Plus", "kind": "bonus"}
    rules = [{"id": "pair-plus.cards", "text": "The wager is on the player's three cards.",
              "topic": "cards_used", "source": SOURCE}]  # fmt: skip
    write_json(
        root / "pair-plus" / "wager.json",
        {**wager, "hand": "player", "rules": rules, "source": SOURCE},
    )
    for name, flush in (("1", "4 to 1"), ("2", "3 to 1")):
        pays_of = {event: pays for event, _, pays, _ in EVENTS} | {"three_card_flush": flush}
        rows = [
            {"event": event, "name": row, "pays": pays_of[event]} for event, row, _, _ in EVENTS
        ]
        table = {"id": name, "game": GAME, "wager": "pair-plus", "name": f"Pay table {name}"}
        more = {"hand": "player", "cards": 3, "award": "first_row_contained", "source": SOURCE}
        write_json(root / "pair-plus" / f"{name}.json", {**table, **more, "rows": rows})
    return root


def game() -> dict[str, Any]:
    """Return the value of the game's file, without its wagers."""
    statements = ("description", "round", "dealing", "irregularities", "notices")
    return {
        "id": GAME,
        "name": "Three Card Poker",
        "supplier": None,
        "revision": "1.0",
        "revised": "2026-11-22",
        "document": {"id": GAME, "title": "Three Card Poker", "publisher": None, "file": "-"},
        "deck": {"ranks": 13, "joker": False},
        "hand": {"cards": 3, "back": 3, "front": 0},
        "wheel": "lowest",
        "dealer_exposed": False,
        "players": 6,
        "sections": [
            {"id": name, "title": name.title(), "statements": [_statement(name)]}
            for name in statements
        ],
        "definitions": [],
    }


def _statement(name: str) -> dict[str, Any]:
    return {
        "id": f"{name}.one",
        "text": f"The {name} is as printed.",
        "topic": "description",
        "source": SOURCE,
    }


def write_json(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
