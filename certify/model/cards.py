"""Cards, decks and the shape of a hand."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

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
    """A deck of ``ranks`` ranks (the highest ones) in four suits, and none, one or two jokers."""

    ranks: int = 13
    joker: int = 1

    @property
    def cards(self) -> int:
        """The number of cards."""
        return self.ranks * len(SUITS) + self.joker


@cache
def deck_cards(deck: Deck) -> tuple[str, ...]:
    """Return every card of a deck, jokers last."""
    natural = (rank + suit for rank in RANKS[len(RANKS) - deck.ranks :] for suit in SUITS)
    return (*natural, *[JOKER] * deck.joker)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShape:
    """How many cards a hand has and how they are set: ``back`` is the high hand, ``front`` the low.

    ``front`` is 0 where the hand is not divided (three-card poker); a straight or a flush needs
    ``back`` cards all the same.
    """

    cards: int
    back: int
    front: int

    @property
    def divided(self) -> bool:
        """Whether a hand is set in two."""
        return self.front > 0


def is_base_game(shape: HandShape) -> bool:
    """Return whether hands are set and compared; without it there are wagers on one hand alone."""
    return shape.front > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncountable:
    """Why hands of a deck cannot be counted, and how to mend it."""

    message: str
    remedy: str


def uncountable(deck: Deck, shape: HandShape) -> Uncountable | None:
    """Return why no base game with these hands can be counted; None if it can.

    At most one suit may be able to hold a flush: that is what the count stands on.
    """
    if shape.cards != shape.back + shape.front:
        return Uncountable(
            message=f"A hand of {shape.cards} cards is not a back of {shape.back} and a front of "
            f"{shape.front}.",
            remedy="Correct the numbers: the whole hand is divided.",
        )
    if shape.back not in (3, 4, 5) or shape.front not in (0, 1, 2):
        return Uncountable(
            message=f"A back of {shape.back} and a front of {shape.front} cards cannot be counted.",
            remedy="Set a back of 3 to 5 cards and a front of 1 or 2, or of 0 for hands that are "
            "not divided.",
        )
    if not shape.back <= deck.ranks <= len(RANKS):
        return Uncountable(
            message=f"A deck of {deck.ranks} ranks cannot be counted with a back of {shape.back} "
            "cards.",
            remedy="Use at least as many ranks as the back has cards, and at most 13.",
        )
    if shape.cards >= 2 * shape.back - deck.joker:
        return Uncountable(
            message=f"With {shape.cards} cards two suits could make a flush of {shape.back} at "
            "once.",
            remedy=f"Deal fewer cards, or take {'a' if deck.joker > 1 else 'the'} joker out.",
        )
    return None
