"""Cards, decks and the shape of a hand."""

from dataclasses import dataclass
from enum import StrEnum

RANKS = "23456789TJQKA"
"""Rank letters, lowest first; a small deck of R ranks uses the highest R of them."""

SUITS = "cdhs"
"""Suit letters: clubs, diamonds, hearts, spades. Red suits are diamonds and hearts."""

JOKER = "Jk"


class JokerRule(StrEnum):
    """What the joker may stand for."""

    BUG = "bug"
    """An ace, or the card that completes a straight, flush, straight flush or royal flush."""

    FULLY_WILD = "fully_wild"
    """Any card that the hand does not hold; five of a kind can be made in any rank."""


class WheelRule(StrEnum):
    """Where A-2-3-4-5 stands among the straights."""

    SECOND_HIGHEST = "second_highest"
    LOWEST = "lowest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """A deck of ``ranks`` ranks (the highest ones) in four suits, and a joker or none."""

    ranks: int = 13
    joker: bool = True

    @property
    def cards(self) -> int:
        """The number of cards."""
        return self.ranks * len(SUITS) + self.joker


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShape:
    """How many cards a hand has and how they are set: ``back`` is the high hand, ``front`` the low.

    ``front`` is 0 where the hand is not divided (a three-card bonus).
    """

    cards: int
    back: int
    front: int
