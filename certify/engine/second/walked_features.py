"""The features of a hand as the walk over every hand sees it, in the vocabulary's own values."""

from typing import Final

from certify.kernels.partition.walk import Holding
from certify.model.cards import RANKS
from certify.model.condition import FeatureValue
from certify.model.vocabulary import RANK_COUNTS

PAIRS: Final = (None, "AK", "AQ", "KQ")


def feature_values(holding: Holding, *, ranks: int, cards: int) -> dict[str, FeatureValue]:
    """Return the features of a hand that the walk has seen, in the vocabulary's own values."""

    def letter(rank: int) -> str | None:
        return RANKS[-ranks:][rank - 1] if rank else None

    values: dict[str, FeatureValue] = dict(holding._asdict())
    values["joker"] = holding.jokers > 0
    for name in (
        "royal_flush",
        "natural_royal_flush",
        "ace_to_five_straight_flush",
        "natural_ace_to_five_straight_flush",
    ):
        values[name] = bool(values[name])
    for name in ("highest_pair", "second_pair", "pai_gow_high"):
        values[name] = letter(getattr(holding, name))
    values["suited_pair"] = PAIRS[holding.suited_pair]
    values["one_colour"] = holding.red_cards in (0, cards - holding.jokers)
    for name, rank in RANK_COUNTS.items():
        place = RANKS.index(rank) - (len(RANKS) - ranks)
        values[name] = holding.counts >> (4 * place) & 15 if place >= 0 else 0
    return values
