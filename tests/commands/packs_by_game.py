"""Games of each family, declared from nothing, as an order files them."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.commands.ante_and_play import ante_and_play
from tests.commands.pair_plus import pair_plus

FIELD = Path(__file__).parents[2] / "fixtures" / "field"


def four_cards(folder: Path) -> Path:
    root = pair_plus(folder)
    path = root / "game.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value["hand"] = {"cards": 5, "back": 4, "front": 0}
    path.write_text(json.dumps(value), encoding="utf-8")
    for table in (root / "pair-plus").glob("[0-9].json"):
        rows = json.loads(table.read_text(encoding="utf-8"))
        pays = [("royal_flush", "Royal flush", "50 to 1"), ("four_of_a_kind", "Fours", "30 to 1")]
        rows |= {
            "cards": 5,
            "rows": [{"event": event, "name": name, "pays": paid} for event, name, paid in pays],
        }
        table.write_text(json.dumps(rows), encoding="utf-8")
    return root


def five_cards(folder: Path) -> Path:
    root = four_cards(folder)
    path = root / "game.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(
        json.dumps({**value, "hand": {"cards": 5, "back": 5, "front": 0}}), encoding="utf-8"
    )
    return root


WRITTEN: dict[str, Callable[[Path], Path]] = {
    "three cards": pair_plus, "three cards with a dealer": ante_and_play,
    "four cards": four_cards, "five cards": five_cards,
}  # fmt: skip
"""Games that a test writes, by their kind."""
