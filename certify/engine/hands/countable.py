"""Wagers on one hand that cannot be counted, with the reasons."""

from collections.abc import Collection, Sequence
from typing import Final

from certify.engine.hands.features import CARD_FEATURES
from certify.errors import NotConfigured
from certify.model.condition import Event
from certify.model.game import HandRules
from certify.model.hand_limits import MOST_IN_SHOE
from certify.model.paytable import HandOf, Paytable
from certify.model.vocabulary import EventFeature

PAIR: Final = 2


def find_refusal(hands: HandRules, cards: int, features: Collection[str]) -> NotConfigured | None:
    """Return the reason why hands cannot be counted by features, or None."""
    deck = hands.deck
    by_card = CARD_FEATURES & set(features)
    if by_card and (deck.joker or cards > MOST_IN_SHOE):
        return NotConfigured(
            f"Hands of {cards} cards of this deck cannot be counted by {str(min(by_card))!r}.",
            remedy=f"Use it for hands of at most {MOST_IN_SHOE} cards without a joker.",
        )
    suited_pair = EventFeature.SUITED_PAIR in features and cards - hands.shape.back == PAIR
    if suited_pair and (by_card or deck.decks > 1):
        return NotConfigured(
            "Hands that are counted card by card cannot be counted by 'suited_pair'.",
            remedy="Remove it from the events of this paytable.",
        )
    return None


def hands_of_wager(paytable: Paytable, events: Sequence[Event], hands: HandRules) -> HandRules:
    """Return the rules of the hand that a wager uses.

    Raises:
        NotConfigured: cards of two hands as one are to be set.
    """
    if paytable.hand is HandOf.TOGETHER and any(event.needs_set_hand for event in events):
        raise NotConfigured(
            "Cards of the player and the dealer as one hand are not set by a house way.",
            remedy="Use events on all cards of the hand.",
            pointer="/hand",
        )
    return hands.for_wager(paytable)
