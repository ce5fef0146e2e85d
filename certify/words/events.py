"""Printed texts of events, which depend on the hands that a wager uses."""

from collections.abc import Iterable

from certify.model.condition import Event
from certify.model.game import RANKS, HandRules, JokerRule
from certify.words.groups import NUMBERS


def describe_event(event: Event, hands: HandRules, cards: int) -> str:
    """Return the printed text of an event for hands of so many cards.

    A text names the joker as the deck and the rules have it. ``{royal}`` and ``{wheel}`` are the
    highest cards and the ace with the lowest ones, as many as make a straight; ``{cards}`` is the
    number of cards.
    """
    ranks = RANKS[-hands.deck.ranks :]
    complete = min(hands.shape.back, cards)
    text = event.text
    if not hands.deck.joker:
        text = event.text_without_joker or text
    elif hands.joker is JokerRule.FULLY_WILD:
        text = event.text_fully_wild or text
    for name, value in (
        ("{royal}", _join_ranks(reversed(ranks[-complete:]))),
        ("{wheel}", _join_ranks((ranks[-1], *ranks[: complete - 1]))),
        ("{cards}", NUMBERS[cards] if cards < len(NUMBERS) else str(cards)),
    ):
        text = text.replace(name, value)
    return text


def _join_ranks(ranks: Iterable[str]) -> str:
    return "-".join("10" if rank == "T" else rank for rank in ranks)
