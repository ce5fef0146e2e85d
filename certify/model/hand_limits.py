"""Hands and decks that cannot be counted, with the reason."""

from msgspec import Struct

from certify.model.game import RANKS, Deck, HandShape


class Uncountable(Struct, frozen=True, kw_only=True):
    """The reason why hands of a deck cannot be counted, and the fix."""

    message: str
    remedy: str


COMPARED = (3, 4, 5)
"""The numbers of cards of a hand that is compared."""

MOST_COMPARED = 6
"""The cards of the largest undivided hand that is compared."""


def uncountable(deck: Deck, shape: HandShape) -> Uncountable | None:
    """Return the reason why a base game with these hands cannot be counted, or None."""
    if deck.decks > 1:
        return Uncountable(
            message=f"Hands from a shoe of {deck.decks} decks are not set or compared.",
            remedy="Declare only wagers on dealt cards, or a single deck.",
        )
    if shape.back not in COMPARED or shape.front not in (0, 1, 2):
        return Uncountable(
            message=(
                f"A high hand of {shape.back} and a low hand of {shape.front} cards cannot be "
                "counted."
            ),
            remedy="Set `back` to 3 to 5 and `front` to 1 or 2, or to 0 for undivided hands.",
        )
    if not shape.back <= deck.ranks <= len(RANKS):
        return Uncountable(
            message=f"A deck of {deck.ranks} ranks cannot be counted with a high hand of "
            f"{shape.back} cards.",
            remedy="Use at least as many ranks as the high hand has cards, and at most 13.",
        )
    return (_uncountable_divided if shape.is_divided else _uncountable_undivided)(deck, shape)


def _uncountable_divided(deck: Deck, shape: HandShape) -> Uncountable | None:
    """Return the reason why divided hands cannot be counted, or None.

    The count requires that at most one suit can hold a flush.
    """
    if shape.dealer != shape.cards or shape.dealer_shows:
        return Uncountable(
            message="Only undivided hands can have a dealer's hand of another size or a dealer's "
            "card that the player sees.",
            remedy="Remove `dealer_cards` and `dealer_shows`, or set `front` to 0.",
        )
    if shape.cards != shape.back + shape.front:
        return Uncountable(
            message=(
                f"A hand of {shape.cards} cards does not divide into {shape.back} and "
                f"{shape.front}."
            ),
            remedy="Correct the numbers: `back` and `front` must add up to `cards`.",
        )
    if shape.cards >= 2 * shape.back - deck.joker:
        return Uncountable(
            message=(
                f"With {shape.cards} cards, two suits could make a flush of {shape.back} at once."
            ),
            remedy=f"Set `back` to {(shape.cards + deck.joker) // 2 + 1} or more, or deal fewer "
            "cards.",
        )
    return None


def _uncountable_undivided(deck: Deck, shape: HandShape) -> Uncountable | None:
    """Return the reason why undivided hands of these sizes cannot be compared, or None."""
    for cards in (shape.cards, shape.dealer):
        if not shape.back <= cards <= MOST_COMPARED:
            return Uncountable(
                message=f"The best {shape.back} of {cards} cards cannot be compared.",
                remedy=f"Deal {shape.back} to {MOST_COMPARED} cards.",
            )
    if deck.joker and {shape.cards, shape.dealer} != {shape.back}:
        return Uncountable(
            message=f"The best {shape.back} of more cards cannot be compared with a joker.",
            remedy=f"Declare the deck without a joker, or deal {shape.back} cards.",
        )
    return None


MOST_IN_SHOE = 6
"""The largest hand that is counted card by card: from a shoe, or by its suits."""


def uncountable_wager(deck: Deck, cards: int) -> Uncountable | None:
    """Return the reason why a wager on dealt cards of a shoe cannot be counted, or None."""
    if deck.decks > 1 and deck.joker:
        return Uncountable(
            message="A shoe of several decks cannot be counted with jokers.",
            remedy="Declare the deck without a joker, or a single deck.",
        )
    if deck.decks > 1 and cards > MOST_IN_SHOE:
        return Uncountable(
            message=f"Hands of {cards} cards from a shoe cannot be counted.",
            remedy=f"Use at most {MOST_IN_SHOE} cards.",
        )
    return None
