"""A hand as it lies on the layout, drawn as cards."""

from collections.abc import Mapping
from dataclasses import dataclass

from certify.model.example import SetHand
from certify.report.wording import Card, cards


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHand:
    """One side's cards: as dealt, or set in high and low hand, with the number of the rule."""

    name: str
    cards: tuple[Card, ...]
    high: tuple[Card, ...]
    low: tuple[Card, ...]
    rule: str


def shown_hand(name: str, hand: SetHand, numbers: Mapping[str, str]) -> ShownHand:
    """Return a hand as it is drawn; ``numbers`` has those of the rules, by their ids."""
    return ShownHand(
        name=name,
        cards=cards(hand.cards),
        high=cards(hand.back),
        low=cards(hand.front),
        rule=numbers.get(hand.rule, ""),
    )
