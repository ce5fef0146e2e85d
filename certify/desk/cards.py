"""Cards as a page shows them: to be clicked, and as they are held."""

from collections.abc import Collection, Iterable
from typing import Any

from certify.model.cards import JOKER, RANKS, SUITS, Deck

SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RED = "hd"
RANK_NAMES = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


def card(name: str) -> dict[str, Any]:
    """Return one card, such as ``As``, for a template."""
    if name == JOKER:
        return {"id": name, "rank": "Joker", "suit": "", "red": False, "name": "joker"}
    rank, suit = name[0], name[1]
    words = f"{RANK_NAMES.get(rank, rank)} of {NAMES[suit]}"
    written = "10" if rank == "T" else rank
    return {
        "id": name, "rank": written, "suit": SYMBOLS[suit], "red": suit in RED, "name": words,
    }  # fmt: skip


def cards(names: Iterable[str]) -> list[dict[str, Any]]:
    """Return cards for a template."""
    return [card(name) for name in names]


def grid(deck: Deck, taken: Collection[str]) -> list[list[dict[str, Any]]]:
    """Return a deck to click on: a line for each suit, the joker after the last."""
    ranks = RANKS[len(RANKS) - deck.ranks :]
    lines = [[f"{rank}{suit}" for rank in reversed(ranks)] for suit in reversed(SUITS)]
    if deck.joker:
        lines[-1].append(JOKER)
    return [[{**card(name), "taken": name in taken} for name in line] for line in lines]
