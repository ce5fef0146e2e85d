"""Features of a hand: the closed vocabulary, the values of one hand, and what cannot be counted.

Names and meanings are those of the condition in ``schemas/common.schema.json``. A *bug* joker is an
ace, or completes a straight, flush, straight flush or royal flush. A *fully wild* joker is any card
that is not in the hand; each feature uses it for its own maximum: the greatest count, the longest
run, the highest rank. *Natural* features ignore jokers.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Final, NamedTuple

from certify.errors import NotConfigured
from certify.kernels.classes import SUIT_BITS
from certify.kernels.features import BITS, COUNT_BITS, EVERY_RANK, HandFeatures
from certify.model.condition import Event, FeatureValue
from certify.model.game import MOST_IN_SHOE, RANKS, HandRules, JokerRule
from certify.model.paytable import HandOf, Paytable
from certify.model.vocabulary import (
    CARD_FEATURES,
    HIGH_HAND_FEATURES,
    LOW_HAND_FEATURES,
    RANK_COUNTS,
    EventFeature,
    HandPart,
)

ACE: Final = RANKS[-1]
SUITED_PAIRS: Final = MappingProxyType({0: None, 0b011: "AK", 0b101: "AQ", 0b110: "KQ"})
SUIT_COUNTS: Final[Mapping[str, int]] = MappingProxyType(
    {
        EventFeature.CLUBS: 0,
        EventFeature.DIAMONDS: 1,
        EventFeature.HEARTS: 2,
        EventFeature.SPADES: 3,
    }
)
"""The features that count cards of a suit, with its place in `SUITS`."""


FROM_ABOVE: Final = MappingProxyType({rank: len(RANKS) - i for i, rank in enumerate(RANKS)})
"""The places of ranks from the top: 1 for the ace."""

SIZES: Final = (6, 5, 4, 3, 2, 1)
"""The possible numbers of natural cards of one rank: more than four only in a shoe."""


class Hand(NamedTuple):
    """Features of a hand, with the rules that define their meaning.

    ``ranks`` is the number of ranks of the deck, ``cards`` the number of cards of the hand, the
    joker included.
    """

    held: HandFeatures
    joker: JokerRule
    ranks: int
    cards: int

    @property
    def wild(self) -> int:
        """The number of fully wild jokers in the hand."""
        return self.held.joker if self.joker is JokerRule.FULLY_WILD else 0

    @property
    def bug(self) -> int:
        """The number of bugs in the hand."""
        return self.held.joker if self.joker is JokerRule.BUG else 0

    def natural_groups(self) -> tuple[int, ...]:
        """Return the number of natural cards of each held rank, largest first."""
        return _list_groups(self.held.groups | self.held.more_groups << BITS["groups"])

    def groups(self) -> tuple[int, ...]:
        """Return the number of cards of each held rank, largest first.

        Bugs are aces. Fully wild jokers join the largest group.
        """
        return _join_jokers(self.natural_groups(), self.held.aces, self.bug, self.wild)

    def count(self, rank: str) -> int:
        """Return the number of natural cards of a rank; the hand must have been counted by rank."""
        place = self.ranks - FROM_ABOVE[rank]
        return self.held.counts >> (COUNT_BITS * place) & 15 if place >= 0 else 0

    def letter(self, rank: int) -> str | None:
        """Return the letter of a rank counted from 1 at the deck's lowest; None for 0."""
        return RANKS[len(RANKS) - self.ranks + rank - 1] if rank else None


@cache
def _list_groups(groups: int) -> tuple[int, ...]:
    """Return the sizes of groups, largest first, from four bits per size for their number."""
    return tuple(size for size in SIZES for _ in range(groups >> (4 * (size - 1)) & 15))


@cache
def _join_jokers(sizes: tuple[int, ...], aces: int, bugs: int, wild: int) -> tuple[int, ...]:
    """Return the sizes of groups with bugs as aces and wild jokers in the largest group."""
    joined = list(sizes)
    if bugs:
        if aces:
            joined.remove(aces)
        joined.append(aces + bugs)
    elif wild:
        joined[:1] = [joined[0] + wild if joined else wild]
    return tuple(sorted(joined, reverse=True))


def of_a_kind(hand: Hand) -> int:
    """Most cards of one rank; bugs are aces, fully wild jokers join the largest group."""
    return hand.groups()[0]


def second_of_a_kind(hand: Hand) -> int:
    """Most cards of another rank, the joker used as for `of_a_kind`; 0 if there is none."""
    return _second(hand.groups())


def _second(groups: Sequence[int]) -> int:
    return groups[1] if len(groups) > 1 else 0


def pairs(hand: Hand) -> int:
    """Ranks held at least twice; bugs are aces, a fully wild joker pairs a single card.

    Two fully wild jokers are a separate pair if no card is single.
    """
    if hand.wild:
        sizes = hand.natural_groups()
        singles = sizes.count(1)
        joker_pair = hand.wild > 1 and len(sizes) < hand.ranks
        return len(sizes) - singles + max(min(singles, hand.wild), joker_pair)
    return sum(size > 1 for size in hand.groups())


def highest_pair(hand: Hand) -> str | None:
    """Highest rank held at least twice; fully wild jokers pair the highest card, or are aces."""
    if hand.wild:
        return ACE if hand.wild > 1 else hand.letter(hand.held.top)
    if hand.bug and hand.held.aces + hand.bug > 1:
        return ACE
    return hand.letter(hand.held.top_pair)


def second_pair(hand: Hand) -> str | None:
    """Second highest rank held at least twice; every use of fully wild jokers is tried."""
    ace = COUNT_BITS * (hand.ranks - 1)
    if not hand.wild:
        return hand.letter(_second_pair(hand.held.counts + (hand.bug << ace), 0, hand.ranks))
    return hand.letter(_second_pair(hand.held.counts, hand.wild, hand.ranks))


@cache
def _second_pair(counts: int, wild: int, ranks: int) -> int:
    """Return the second highest rank, from 1, of which ``counts`` and the jokers make two."""
    number = {rank: counts >> (COUNT_BITS * rank) & 15 for rank in range(ranks)}
    best = 0
    for chosen in combinations_with_replacement(range(ranks), wild):
        numbers = Counter(number)
        numbers.update(chosen)
        twice = [rank for rank in range(ranks) if numbers[rank] > 1]
        if len(twice) > 1:
            best = max(best, twice[-2] + 1)
    return best


def aces(hand: Hand) -> int:
    """Aces held, jokers of either rule counted as such."""
    return hand.held.aces + hand.held.joker


def suited_pair(hand: Hand) -> str | None:
    """Beside a royal flush or natural A-2-3-4-5: the natural pair of one other suit."""
    return SUITED_PAIRS[hand.held.suited_pair]


def pai_gow_high(hand: Hand) -> str | None:
    """Highest card of a hand without pair, straight and flush; a fully wild joker makes a pair."""
    features = hand.held
    if hand.wild or features.straight or features.flush or hand.groups()[0] > 1:
        return None
    return ACE if hand.bug else hand.letter(features.top)


def one_colour(hand: Hand) -> bool:
    """All natural cards are red, or all are black."""
    return hand.held.red in (0, hand.cards - hand.held.joker)


def total(hand: Hand) -> int:
    """Sum of the card values: an ace is 1, face cards are 10, a joker is 0."""
    return sum(value * hand.count(rank) for rank, value in VALUES.items())


VALUES: Final = MappingProxyType(
    {rank: min(place + 2, 10) for place, rank in enumerate(RANKS[:-1])} | {ACE: 1}
)


def _make_counter(rank: str) -> Callable[[Hand], int]:
    return lambda hand: hand.count(rank)


def _make_suit_counter(place: int) -> Callable[[Hand], int]:
    return lambda hand: hand.held.suits >> (SUIT_BITS * place) & 7


FEATURES: Final[Mapping[str, Callable[[Hand], FeatureValue]]] = MappingProxyType(
    {
        EventFeature.JOKER: lambda hand: bool(hand.held.joker),
        EventFeature.JOKERS: lambda hand: hand.held.joker,
        EventFeature.OF_A_KIND: of_a_kind,
        EventFeature.SECOND_OF_A_KIND: second_of_a_kind,
        EventFeature.PAIRS: pairs,
        EventFeature.HIGHEST_PAIR: highest_pair,
        EventFeature.SECOND_PAIR: second_pair,
        EventFeature.ACES: aces,
        EventFeature.STRAIGHT_LENGTH: lambda hand: hand.held.straight,
        EventFeature.FLUSH_LENGTH: lambda hand: hand.held.flush,
        EventFeature.STRAIGHT_FLUSH_LENGTH: lambda hand: hand.held.straight_flush,
        EventFeature.ROYAL_FLUSH: lambda hand: bool(hand.held.royal),
        EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH: lambda hand: bool(hand.held.wheel),
        EventFeature.SUITED_PAIR: suited_pair,
        EventFeature.PAI_GOW_HIGH: pai_gow_high,
        EventFeature.NATURAL_OF_A_KIND: lambda hand: max(hand.natural_groups(), default=0),
        EventFeature.NATURAL_SECOND_OF_A_KIND: lambda hand: _second(hand.natural_groups()),
        EventFeature.NATURAL_STRAIGHT_LENGTH: lambda hand: hand.held.natural_straight,
        EventFeature.NATURAL_FLUSH_LENGTH: lambda hand: hand.held.natural_flush,
        EventFeature.NATURAL_STRAIGHT_FLUSH_LENGTH: lambda hand: hand.held.natural_straight_flush,
        EventFeature.NATURAL_ROYAL_FLUSH: lambda hand: bool(hand.held.natural_royal),
        EventFeature.NATURAL_ACE_TO_FIVE_STRAIGHT_FLUSH: lambda hand: bool(hand.held.natural_wheel),
        EventFeature.NATURAL_ACES: lambda hand: hand.held.aces,
        **{name: _make_counter(rank) for name, rank in RANK_COUNTS.items()},
        EventFeature.JACKS: lambda hand: hand.held.jacks,
        EventFeature.RED_CARDS: lambda hand: hand.held.red,
        EventFeature.ONE_COLOUR: one_colour,
        **{name: _make_suit_counter(place) for name, place in SUIT_COUNTS.items()},
        EventFeature.SAME_CARD: lambda hand: hand.held.same_card,
        EventFeature.TOTAL: total,
    }
)
"""Features for conditions. Counts by rank or color are of natural cards."""

_KINDS: Final = ("groups", "more_groups", "aces", "joker")
"""Fields that determine the number of cards of each rank, including jokers."""

FIELDS: Final[Mapping[str, Collection[str]]] = MappingProxyType(
    {
        EventFeature.JOKER: ("joker",),
        EventFeature.JOKERS: ("joker",),
        EventFeature.OF_A_KIND: _KINDS,
        EventFeature.SECOND_OF_A_KIND: _KINDS,
        EventFeature.PAIRS: _KINDS,
        EventFeature.HIGHEST_PAIR: ("joker", "aces", "top", "top_pair"),
        EventFeature.SECOND_PAIR: ("joker", "counts"),
        EventFeature.ACES: ("aces", "joker"),
        EventFeature.STRAIGHT_LENGTH: ("straight",),
        EventFeature.FLUSH_LENGTH: ("flush",),
        EventFeature.STRAIGHT_FLUSH_LENGTH: ("straight_flush",),
        EventFeature.ROYAL_FLUSH: ("royal",),
        EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH: ("wheel",),
        EventFeature.SUITED_PAIR: ("suited_pair",),
        EventFeature.PAI_GOW_HIGH: (*_KINDS, "straight", "flush", "top"),
        EventFeature.NATURAL_OF_A_KIND: ("groups", "more_groups"),
        EventFeature.NATURAL_SECOND_OF_A_KIND: ("groups", "more_groups"),
        EventFeature.NATURAL_STRAIGHT_LENGTH: ("natural_straight",),
        EventFeature.NATURAL_FLUSH_LENGTH: ("natural_flush",),
        EventFeature.NATURAL_STRAIGHT_FLUSH_LENGTH: ("natural_straight_flush",),
        EventFeature.NATURAL_ROYAL_FLUSH: ("natural_royal",),
        EventFeature.NATURAL_ACE_TO_FIVE_STRAIGHT_FLUSH: ("natural_wheel",),
        EventFeature.NATURAL_ACES: ("aces",),
        **dict.fromkeys(RANK_COUNTS, ("counts",)),
        EventFeature.JACKS: ("jacks",),
        EventFeature.RED_CARDS: ("red",),
        EventFeature.ONE_COLOUR: ("red", "joker"),
        **dict.fromkeys(SUIT_COUNTS, ("suits",)),
        EventFeature.SAME_CARD: ("same_card",),
        EventFeature.TOTAL: ("counts",),
    }
)
"""Functions from a hand to each feature."""

PART_FEATURES: Final[Mapping[HandPart, tuple[str, ...]]] = MappingProxyType(
    {
        HandPart.WHOLE: tuple(FEATURES),
        HandPart.HIGH_HAND: HIGH_HAND_FEATURES,
        HandPart.LOW_HAND: LOW_HAND_FEATURES,
    }
)
"""Features for conditions on all cards, and on the two hands that are set."""


def asked_ranks(features: Collection[str], ranks: int) -> int:
    """Return a mask of the ranks whose cards must be counted for features."""
    if not {EventFeature.SECOND_PAIR, EventFeature.TOTAL}.isdisjoint(features):
        return EVERY_RANK
    places = (RANKS.index(RANK_COUNTS[name]) for name in RANK_COUNTS.keys() & set(features))
    below = len(RANKS) - ranks
    return sum(15 << (COUNT_BITS * (place - below)) for place in places if place >= below)


PAIR: Final = 2


def find_refusal(hands: HandRules, cards: int, features: Collection[str]) -> NotConfigured | None:
    """Return the reason why hands cannot be counted by features, or None."""
    deck = hands.deck
    by_card = CARD_FEATURES & set(features)
    if by_card and (deck.joker or cards > MOST_IN_SHOE):
        return NotConfigured(
            f"Hands of {cards} cards of this deck cannot be counted by {str(min(by_card))!r}.",
            remedy=f"Correct the event if it is wrong; certify counts it for hands of at most "
            f"{MOST_IN_SHOE} cards without a joker.",
        )
    suited_pair = EventFeature.SUITED_PAIR in features and cards - hands.shape.back == PAIR
    if suited_pair and (by_card or deck.decks > 1):
        return NotConfigured(
            "Hands that are counted card by card cannot be counted by 'suited_pair'.",
            remedy="Correct the event if it is wrong; otherwise certify cannot count this wager.",
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
            remedy="Correct the event or `hand` if one is wrong; "
            "otherwise certify cannot count this wager.",
            pointer="/hand",
        )
    return hands.for_wager(paytable)
