"""How it is counted: the deck, every hand by its name, and two counts made by hand."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb

from certify.errors import InvariantBroken
from certify.model.cards import RANKS, SUITS, JokerRule
from certify.model.census import Census
from certify.model.condition import FeatureValue
from certify.model.submission import Submission

BY_HAND = "nine_high_pai_gow"
FIVE_ACES = "five_aces"
RUN = 5
"""Cards of a straight and of a flush."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedHand:
    """A name of hands: what it is, and how many there are."""

    name: str
    text: str
    hands: int
    share: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class NineHigh:
    """Nine-high pai gow by hand: ``rank_sets`` times the suits that hold no flush.

    ``flushes`` of ``suits`` have five cards or more of one suit: ``per_suit`` for each of the four.
    ``terms`` are its parts: so many cards of the suit, the ways to choose them, and the suits of
    the others. ``joker``: the deck has one, which would be an ace.
    """

    cards: int
    rank_sets: tuple[str, ...]
    choices: int
    suits: int
    terms: tuple[tuple[int, int, int], ...]
    per_suit: int
    flushes: int
    hands: int
    joker: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveAces:
    """Five aces by hand: the cards beside them are any of ``others``."""

    beside: int
    others: int
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingMethod:
    """What the report counts, and the counts by hand that this deck allows."""

    cards: int
    hands: int
    deals: int | None
    exposed: bool
    names: tuple[NamedHand, ...]
    nine_high: NineHigh | None
    five_aces: FiveAces | None


def method(submission: Submission) -> CountingMethod:
    """Return how the figures of a submission are counted."""
    census = submission.frequencies
    main = submission.main
    option = submission.analyses.get(main.target) if main is not None else None
    return CountingMethod(
        cards=census.cards,
        hands=census.total,
        deals=option.total if option is not None else None,
        exposed=submission.game.dealer_exposed,
        names=tuple(_named(submission, cell[0], n) for cell, n in census.cells.items()),
        nine_high=_nine_high(submission, census),
        five_aces=_five_aces(submission, census),
    )


def _named(submission: Submission, event: FeatureValue, hands: int) -> NamedHand:
    """Return what hands are called and what they are; of the rest there is nothing to say."""
    share = Fraction(hands, submission.frequencies.total)
    if event is None:
        return NamedHand(name="", text="", hands=hands, share=share)
    event_record = submission.events[str(event)]
    words = event_record.words(joker=submission.game.hands.deck.joker > 0)
    return NamedHand(name=event_record.name or words, text=words, hands=hands, share=share)


def _nine_high(submission: Submission, census: Census) -> NineHigh | None:
    """Count nine-high pai gow from first principles, where the game has such hands."""
    hands, counted = submission.game.hands, census.cells.get((BY_HAND,))
    whole = hands.deck.ranks == len(RANKS) and hands.joker is JokerRule.BUG
    if counted is None or not whole or hands.shape.back != RUN:
        return None
    cards = hands.shape.cards
    below = RANKS[: RANKS.index("9")]
    rank_sets = tuple(
        "-".join(("9", *reversed(chosen)))
        for chosen in combinations(below, cards - 1)
        if not _straight([RANKS.index(rank) for rank in (*chosen, "9")])
    )
    sizes = range(RUN, cards + 1)
    terms = tuple((n, comb(cards, n), (len(SUITS) - 1) ** (cards - n)) for n in sizes)
    per_suit = sum(ways * rest for _, ways, rest in terms)
    suits = len(SUITS) ** cards
    made = len(rank_sets) * (suits - len(SUITS) * per_suit)
    if made != counted:
        raise InvariantBroken(f"By hand there are {made} of {BY_HAND}, the census has {counted}.")
    return NineHigh(
        cards=cards,
        rank_sets=rank_sets,
        choices=len(rank_sets),
        suits=suits,
        terms=terms,
        per_suit=per_suit,
        flushes=len(SUITS) * per_suit,
        hands=counted,
        joker=hands.deck.joker > 0,
    )


def _straight(places: list[int]) -> bool:
    """Whether five of the ranks, lowest first, stand in sequence."""
    run = longest = 1
    for low, high in pairwise(places):
        run = run + 1 if high == low + 1 else 1
        longest = max(longest, run)
    return longest >= RUN


def _five_aces(submission: Submission, census: Census) -> FiveAces | None:
    deck, counted = submission.game.hands.deck, census.cells.get((FIVE_ACES,))
    if counted is None or deck.joker != 1:
        return None
    beside, others = census.cards - RUN, deck.cards - RUN
    if comb(others, beside) != counted:
        raise InvariantBroken(f"The census has {counted} hands of five aces.")
    return FiveAces(beside=beside, others=others, hands=counted)
