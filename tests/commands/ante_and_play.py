"""Ante and Play of three-card poker, declared from nothing: a base game of undivided hands."""

from pathlib import Path
from typing import Any

from tests.commands.pair_plus import game, write_json

GAME = "trio"
SOURCE = {"document": GAME, "clause": "Ante and Play"}
LOWEST_FIRST = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
NOT_QUALIFIED = list("56789TJ")
"""Highest cards of hands that hold nothing and are below a queen."""


BONUSES = (
    ("straight_flush", "Straight flush", 5),
    ("three_of_a_kind", "Three of a kind", 4),
    ("straight", "Straight", 1),
)
"""What the ante bonus pays to 1."""


def ante_and_play(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "certify.toml").touch()
    root = folder / "paytables" / GAME
    write_json(root / "game.json", declared_game())
    wager = {"id": "main", "game": GAME, "name": "Ante and Play", "kind": "main"}
    write_json(
        root / "main" / "wager.json",
        wager | {"hand": "both", "rules": [], "source": SOURCE},
    )
    write_json(root / "main" / "standard.json", option())
    return root


def declared_game() -> dict[str, Any]:
    value = game()
    ranking = {"highest_first": [*reversed(LOWEST_FIRST)], "source": SOURCE}
    value["document"] = {**value["document"], "id": GAME, "title": "Trio Poker"}
    sections = [
        {
            **section,
            "statements": [{**statement, "source": SOURCE} for statement in section["statements"]],
        }
        for section in value["sections"]
    ]
    own = {"id": GAME, "name": "Trio Poker", "wagers": ["main"], "ranking": ranking}
    return {**value, **own, "sections": sections}


def option() -> dict[str, Any]:
    not_qualified = {"pai_gow_high": NOT_QUALIFIED}
    return {
        "id": "standard",
        "game": GAME,
        "wager": "main",
        "name": "Ante and Play",
        "win_pays": "1 to 1",
        "ties": {"high": "push"},
        "dealer_rules": [
            {
                "id": "win_dealer_not_qualified",
                "when": not_qualified,
                "outcome": "win",
                "text": "A dealer's hand below queen high does not qualify: the ante wins.",
                "source": SOURCE,
            }
        ],
        "raise": {
            "id": "play",
            "name": "Play",
            "size": "1",
            "qualifies": {"not": not_qualified},
            "text": "After seeing the cards, the player may make a Play wager equal to the ante.",
            "source": SOURCE,
            "fold": {"text": "A player who does not play folds: the ante loses.", "source": SOURCE},
        },
        "bonus": [
            {
                "id": kind,
                "name": name,
                "when": {"straight_flush_length": 3}
                if kind == "straight_flush"
                else {"of_a_kind": 3}
                if kind == "three_of_a_kind"
                else {"straight_length": 3},
                "pays": f"{pays} to 1",
                "text": f"The ante bonus pays {pays} to 1: {name}.",
                "source": SOURCE,
            }
            for kind, name, pays in BONUSES
        ],
        "source": SOURCE,
    }
