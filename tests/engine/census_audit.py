"""The census of the engine against that of the recount, cell by cell."""

from collections.abc import Collection
from dataclasses import dataclass

from certify.engine.hands.conditions import Cell, count
from certify.engine.hands.features import FEATURES
from certify.model.game import HandRules, JokerRule
from certify.model.vocabulary import CARD_FEATURES
from certify_recount.census import census as recount_census
from certify_recount.hands import Deck

CLASS_FEATURES = [name for name in FEATURES if name not in CARD_FEATURES]
"""The features that are known of a hand by its class, in decks with jokers too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CensusAudit:
    """The outcome: hands and cells compared, and the cells that differ with both counts."""

    hands: int
    cells: int
    differences: tuple[tuple[Cell, int, int], ...]


def audit_census(
    hands: HandRules, *, cards: int, features: Collection[str] = CLASS_FEATURES
) -> CensusAudit:
    """Count all hands twice by ``features``; a difference lists the engine's count first."""
    census = count(hands, cards=cards, features=features)
    deck = Deck(
        ranks=hands.deck.ranks,
        jokers=int(hands.deck.joker),
        complete=min(hands.shape.back, cards),
        wild=hands.joker is JokerRule.FULLY_WILD,
        decks=hands.deck.decks,
    )
    seen = recount_census(cards, deck, census.features)
    differences = tuple(
        (cell, census.cells.get(cell, 0), seen[cell])
        for cell in {*census.cells, *seen}
        if census.cells.get(cell, 0) != seen[cell]
    )
    return CensusAudit(hands=census.total, cells=len(seen), differences=differences)
