"""The audit of the census: the partition against the walk over every hand, cell by cell."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from certify.engine.hands.census import count
from certify.engine.hands.conditions import Cell
from certify.engine.hands.features import FEATURES
from certify.kernels.partition.walk import Holding, walk
from certify.model.cards import RANKS, JokerRule
from certify.model.condition import FeatureValue
from certify.model.game import HandRules
from certify.model.progress import Progress
from certify.model.vocabulary import RANK_COUNTS

PAIRS: Final = (None, "AK", "AQ", "KQ")


@dataclass(frozen=True, slots=True, kw_only=True)
class CensusAudit:
    """The outcome: hands and cells compared, and the cells that differ with both counts."""

    hands: int
    cells: int
    differences: tuple[tuple[Cell, int, int], ...]


def audit_census(hands: HandRules, *, cards: int, progress: Progress | None = None) -> CensusAudit:
    """Count all hands twice, by every feature, and compare cell by cell.

    The census counts classes of hands; the walk looks at every single hand and shares no code with
    it. A difference lists the census's count, then the walk's.

    Raises:
        NotConfigured: the deck cannot be counted.
        InvariantBroken: one of the counts does not sum to the number of hands.
    """
    census = count(hands, cards=cards, features=FEATURES)
    walked = walk(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=cards,
        size=min(hands.shape.back, cards),
        wild=hands.joker is JokerRule.FULLY_WILD,
        asked=(1 << hands.deck.ranks) - 1,
        progress=progress,
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


def feature_values(holding: Holding, *, ranks: int, cards: int) -> dict[str, FeatureValue]:
    """Return the features of a hand that the walk has seen, in the vocabulary's own values."""

    def letter(rank: int) -> str | None:
        return RANKS[-ranks:][rank - 1] if rank else None

    values: dict[str, FeatureValue] = dict(holding._asdict())
    values["joker"] = holding.jokers > 0
    for name in ("royal_flush", "natural_royal_flush", "ace_to_five_straight_flush"):
        values[name] = bool(values[name])
    for name in ("highest_pair", "second_pair", "pai_gow_high"):
        values[name] = letter(getattr(holding, name))
    values["suited_pair"] = PAIRS[holding.suited_pair]
    values["one_colour"] = holding.red_cards in (0, cards - holding.jokers)
    for name, rank in RANK_COUNTS.items():
        place = RANKS.index(rank) - (len(RANKS) - ranks)
        values[name] = holding.counts >> (4 * place) & 15 if place >= 0 else 0
    return values
