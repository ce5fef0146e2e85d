"""How it is counted: the deck, every hand by its name, and two counts made by hand."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from typing import Any

from certify.errors import InvariantBroken
from certify.model.cards import RANKS, SUITS, JokerRule
from certify.model.census import Census
from certify.model.condition import FeatureValue
from certify.model.submission import Submission

BY_HAND = "nine_high_pai_gow"
FIVE_ACES = "five_aces"
RUN = 5
"""Cards of a straight and of a flush."""


def method(submission: Submission) -> dict[str, Any]:
    """Return how the figures of a submission are counted, by hand where this deck allows it."""
    census, main = submission.frequencies, submission.main
    option = submission.analyses.get(main.target) if main is not None else None
    return {
        "cards": census.cards,
        "hands": census.total,
        "deals": option.total if option is not None else None,
        "exposed": submission.game.dealer_exposed,
        "names": [_named(submission, cell[0], n) for cell, n in census.cells.items()],
        "nine_high": _nine_high(submission, census),
        "five_aces": _five_aces(submission, census),
    }


def _named(
    submission: Submission, event: FeatureValue, hands: int
) -> tuple[str, str, int, Fraction]:
    """Return what hands are called, what they are, and how many; of the rest only that."""
    share = Fraction(hands, submission.frequencies.total)
    if event is None:
        return "", "", hands, share
    record = submission.catalogue.events[str(event)]
    words = record.words(joker=submission.game.hands.deck.joker > 0)
    return record.name or words, words, hands, share


def _nine_high(submission: Submission, census: Census) -> dict[str, Any] | None:
    """Count nine-high pai gow from first principles, where the game has such hands.

    That is ``choices`` of ranks times the ``suits`` that hold no flush. ``flushes`` of these have
    five cards or more of one suit: ``per_suit`` for each of the four. ``terms`` are its parts: so
    many cards of the suit, the ways to choose them, and the suits of the others.
    """
    hands, counted = submission.game.hands, census.cells.get((BY_HAND,))
    whole = hands.deck.ranks == len(RANKS) and hands.joker is JokerRule.BUG
    if counted is None or not whole or hands.shape.back != RUN:
        return None
    cards = hands.shape.cards
    below = RANKS[: RANKS.index("9")]
    rank_sets = [
        "-".join(("9", *reversed(chosen)))
        for chosen in combinations(below, cards - 1)
        if not _straight([RANKS.index(rank) for rank in (*chosen, "9")])
    ]
    sizes = range(RUN, cards + 1)
    terms = [(n, comb(cards, n), (len(SUITS) - 1) ** (cards - n)) for n in sizes]
    per_suit = sum(ways * rest for _, ways, rest in terms)
    suits = len(SUITS) ** cards
    made = len(rank_sets) * (suits - len(SUITS) * per_suit)
    if made != counted:
        raise InvariantBroken(f"By hand there are {made} of {BY_HAND}, the census has {counted}.")
    return {
        "cards": cards,
        "rank_sets": rank_sets,
        "choices": len(rank_sets),
        "suits": suits,
        "terms": terms,
        "per_suit": per_suit,
        "flushes": len(SUITS) * per_suit,
        "hands": counted,
        "joker": hands.deck.joker > 0,
        "several_jokers": hands.deck.joker > 1,
    }


def _straight(places: list[int]) -> bool:
    """Whether five of the ranks, lowest first, stand in sequence."""
    run = longest = 1
    for low, high in pairwise(places):
        run = run + 1 if high == low + 1 else 1
        longest = max(longest, run)
    return longest >= RUN


def _five_aces(submission: Submission, census: Census) -> dict[str, int] | None:
    """Count five aces from first principles: the cards beside them are any of the others."""
    deck, counted = submission.game.hands.deck, census.cells.get((FIVE_ACES,))
    if counted is None or deck.joker != 1:
        return None
    beside, others = census.cards - RUN, deck.cards - RUN
    if comb(others, beside) != counted:
        raise InvariantBroken(f"The census has {counted} hands of five aces.")
    return {"beside": beside, "others": others, "hands": counted}
