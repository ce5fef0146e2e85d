"""The audit of the census: the partition against the walk over every hand, cell by cell."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from certify.engine.hands.census import count
from certify.engine.hands.conditions import Cell
from certify.engine.hands.features import FEATURES
from certify.engine.second.walked_features import feature_values
from certify.kernels.partition.walk import walk
from certify.model.cards import JokerRule
from certify.model.game import HandRules
from certify.model.vocabulary import RANK_COUNTS


@dataclass(frozen=True, slots=True, kw_only=True)
class CensusAudit:
    """The outcome: hands and cells compared, and the cells that differ with both counts."""

    hands: int
    cells: int
    differences: tuple[tuple[Cell, int, int], ...]


def audit_census(
    hands: HandRules, *, cards: int, features: Collection[str] = FEATURES
) -> CensusAudit:
    """Count all hands twice, by ``features``, and compare cell by cell.

    The census counts classes of hands; the walk looks at every single hand and shares no code with
    it. A difference lists the census's count, then the walk's.

    Raises:
        NotConfigured: the deck cannot be counted.
        InvariantBroken: one of the counts does not sum to the number of hands.
    """
    census = count(hands, cards=cards, features=features)
    walked = walk(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=cards,
        size=min(hands.shape.back, cards),
        wild=hands.joker is JokerRule.FULLY_WILD,
        asked=0 if RANK_COUNTS.keys().isdisjoint(features) else (1 << hands.deck.ranks) - 1,
    )
    seen: Counter[Cell] = Counter()
    for holding, number in walked.items():
        values = feature_values(holding, ranks=hands.deck.ranks, cards=cards)
        seen[tuple(values[name] for name in census.features)] += number
    differences = tuple(
        (cell, census.cells.get(cell, 0), seen[cell])
        for cell in {*census.cells, *seen}
        if census.cells.get(cell, 0) != seen[cell]
    )
    return CensusAudit(hands=census.total, cells=len(seen), differences=differences)
