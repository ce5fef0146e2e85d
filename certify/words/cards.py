"""The cards of a game, and of a wager, in plain words."""

from certify.model.game import RANKS, SUITS, Deck, HandShape
from certify.model.paytable import HandOf
from certify.words.conditions import number
from certify.words.groups import plural

JOKERS = ("", " and one joker", " and two jokers")


def describe_deck(deck: Deck) -> str:
    """Return the sentence on the deck or the shoe: its cards, its decks and its jokers."""
    of_one = deck.ranks * len(SUITS)
    lowest = RANKS[-deck.ranks]
    whole = deck.ranks == len(RANKS)
    if deck.decks > 1:
        decks = number(deck.decks)
        cards = f"{decks} standard {of_one}-card decks" if whole else f"{decks} decks"
        cards += ", shuffled together"
    else:
        cards = f"a standard {of_one}-card deck" if whole else "one deck"
    if not whole:
        cards += f" with only {plural(lowest)} through aces in four suits"
    total = "" if deck.cards == of_one and whole else f" ({deck.cards} cards)"
    return f"The game uses {cards}{JOKERS[deck.joker]}{total}."


def describe_cards(hand: HandOf, cards: int, shape: HandShape, *, added: bool) -> str:
    """Return the sentence on the cards that decide a wager on ``cards`` cards of a ``hand``.

    ``added``: the wager is added to a game that may deal further cards to either side.
    """
    of_player = min(cards, shape.cards)
    of_dealer = {HandOf.BOTH: shape.dealer, HandOf.TOGETHER: cards - of_player}.get(hand, cards)
    player = _of_side("player", of_player, first=added or of_player < shape.cards)
    dealer = _of_side("dealer", of_dealer, first=added or of_dealer < shape.dealer)
    match hand:
        case HandOf.PLAYER:
            return f"This wager is on the {player}."
        case HandOf.DEALER:
            return f"This wager is on the {dealer}."
        case HandOf.PLAYER_OR_DEALER:
            return (
                f"This wager is on the {player}, or on the {dealer} if the player chooses so "
                "before the deal."
            )
        case HandOf.BOTH:
            return f"This wager is on the {player} and the {dealer}, each as a hand."
        case HandOf.TOGETHER:
            return (
                f"This wager is on the {player} and the {dealer}, together as one hand of "
                f"{number(cards)} cards."
            )


def _of_side(whose: str, cards: int, *, first: bool) -> str:
    """Return ``dealer's first card``, ``player's seven cards``."""
    numbered = "card" if cards == 1 else f"{number(cards)} cards"
    return f"{whose}'s {'first ' if first else ''}{numbered}"
