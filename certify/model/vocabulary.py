"""The words for hands: one closed vocabulary for events and house ways, data and code.

The schemas allow these words and no others (`tests/intake/test_schemas.py`), and both counts read
them. A hand has one name everywhere: ``three_of_a_kind``, never another word for it.

For house ways the joker counts as an ace (fully wild: as the rank held most often, the highest of
several); an ace and the joker are a pair. A *singleton* is a card whose rank is held once.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Category(StrEnum):
    """The rank of a high hand, lowest first."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"
    FIVE_OF_A_KIND = "five_of_a_kind"


class Groups(StrEnum):
    """The repetition of ranks in the whole hand, whatever else it holds."""

    NO_PAIR = "no_pair"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE_PAIR = "three_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    THREE_OF_A_KIND_AND_PAIR = "three_of_a_kind_and_pair"
    THREE_OF_A_KIND_AND_TWO_PAIR = "three_of_a_kind_and_two_pair"
    TWO_SETS_OF_THREE_OF_A_KIND = "two_sets_of_three_of_a_kind"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FOUR_OF_A_KIND_AND_PAIR = "four_of_a_kind_and_pair"
    FOUR_OF_A_KIND_AND_THREE_OF_A_KIND = "four_of_a_kind_and_three_of_a_kind"
    FIVE_OF_A_KIND = "five_of_a_kind"
    FIVE_OF_A_KIND_AND_PAIR = "five_of_a_kind_and_pair"


class EventFeature(StrEnum):
    """Hand features for events; ``schemas/common.schema.json`` defines each."""

    JOKER = "joker"
    JOKERS = "jokers"
    OF_A_KIND = "of_a_kind"
    SECOND_OF_A_KIND = "second_of_a_kind"
    PAIRS = "pairs"
    HIGHEST_PAIR = "highest_pair"
    SECOND_PAIR = "second_pair"
    ACES = "aces"
    STRAIGHT_LENGTH = "straight_length"
    FLUSH_LENGTH = "flush_length"
    STRAIGHT_FLUSH_LENGTH = "straight_flush_length"
    ROYAL_FLUSH = "royal_flush"
    ACE_TO_FIVE_STRAIGHT_FLUSH = "ace_to_five_straight_flush"
    SUITED_PAIR = "suited_pair"
    PAI_GOW_HIGH = "pai_gow_high"
    NATURAL_OF_A_KIND = "natural_of_a_kind"
    NATURAL_SECOND_OF_A_KIND = "natural_second_of_a_kind"
    NATURAL_STRAIGHT_LENGTH = "natural_straight_length"
    NATURAL_FLUSH_LENGTH = "natural_flush_length"
    NATURAL_STRAIGHT_FLUSH_LENGTH = "natural_straight_flush_length"
    NATURAL_ROYAL_FLUSH = "natural_royal_flush"
    NATURAL_ACE_TO_FIVE_STRAIGHT_FLUSH = "natural_ace_to_five_straight_flush"
    NATURAL_ACES = "natural_aces"
    KINGS = "kings"
    QUEENS = "queens"
    TENS = "tens"
    NINES = "nines"
    EIGHTS = "eights"
    SEVENS = "sevens"
    SIXES = "sixes"
    FIVES = "fives"
    FOURS = "fours"
    THREES = "threes"
    TWOS = "twos"
    JACKS = "jacks"
    RED_CARDS = "red_cards"
    ONE_COLOUR = "one_colour"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    HEARTS = "hearts"
    SPADES = "spades"
    SAME_CARD = "same_card"
    TOTAL = "total"


RANK_COUNTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        EventFeature.KINGS: "K",
        EventFeature.QUEENS: "Q",
        EventFeature.TENS: "T",
        EventFeature.NINES: "9",
        EventFeature.EIGHTS: "8",
        EventFeature.SEVENS: "7",
        EventFeature.SIXES: "6",
        EventFeature.FIVES: "5",
        EventFeature.FOURS: "4",
        EventFeature.THREES: "3",
        EventFeature.TWOS: "2",
    }
)
"""The features that count the natural cards of a rank, which the census is asked for by name.

Natural aces and jacks it always has: there is a feature for each, and no rank without one.
"""


COLOUR_FEATURES = frozenset({EventFeature.RED_CARDS, EventFeature.ONE_COLOUR})

CARD_FEATURES = frozenset(
    {
        EventFeature.CLUBS,
        EventFeature.DIAMONDS,
        EventFeature.HEARTS,
        EventFeature.SPADES,
        EventFeature.SAME_CARD,
    }
)
"""Features that only a count card by card tells apart."""

SUIT_FEATURES = COLOUR_FEATURES | CARD_FEATURES | {EventFeature.SUITED_PAIR}
"""Features that name suits: classes of hands tell of ranks and of a flush only."""


class HandPart(StrEnum):
    """The part of a hand that a condition tests."""

    WHOLE = "whole"
    """All cards; in a comparison of two hands, the highest five cards of each."""

    HIGH_HAND = "high_hand"
    """The high hand as set by the house way."""

    LOW_HAND = "low_hand"
    """The low hand as set by the house way."""

    @property
    def is_set(self) -> bool:
        """True if the house way determines the cards."""
        return self is not HandPart.WHOLE


LOW_HAND_FEATURES = (
    EventFeature.JOKER,
    EventFeature.OF_A_KIND,
    EventFeature.HIGHEST_PAIR,
    EventFeature.ACES,
    EventFeature.PAI_GOW_HIGH,
    EventFeature.JACKS,
)
"""Features for conditions on a low hand; ``pai_gow_high`` is its highest card, null for a pair."""

HIGH_HAND_FEATURES = (
    EventFeature.JOKER,
    EventFeature.OF_A_KIND,
    EventFeature.SECOND_OF_A_KIND,
    EventFeature.PAIRS,
    EventFeature.HIGHEST_PAIR,
    EventFeature.ACES,
    EventFeature.STRAIGHT_LENGTH,
    EventFeature.FLUSH_LENGTH,
    EventFeature.STRAIGHT_FLUSH_LENGTH,
    EventFeature.ROYAL_FLUSH,
    EventFeature.PAI_GOW_HIGH,
    EventFeature.JACKS,
)
"""Features for conditions on a high hand: its ranks, and straights or flushes."""


class Higher(StrEnum):
    """The higher of two compared hands."""

    PLAYER = "player"
    DEALER = "dealer"
    COPY = "copy"
    """Neither: both have the same rank."""


class HouseWayFeature(StrEnum):
    """Hand features for house ways. Ranks are letters; None if there is no such rank."""

    GROUPS = "groups"
    """The repetition of ranks, see `Groups`."""

    BEST_HAND = "best_hand"
    """The highest high hand that can be formed from all the cards, see `Category`."""

    STRAIGHT_OR_FLUSH = "straight_or_flush"
    """A straight, flush, straight flush or royal flush can be formed, even if it is not best."""

    STRAIGHT_LENGTH = "straight_length"
    """The number of cards in sequence, with the joker in a gap or at an end; 0 below five."""

    JOKER = "joker"
    """The hand holds the joker."""

    HIGH_PAIR = "high_pair"
    """The highest rank held exactly twice."""

    LOW_PAIR = "low_pair"
    """The lowest rank held exactly twice; the same as ``high_pair`` where there is one pair."""

    THREE_OF_A_KIND = "three_of_a_kind"
    """The highest rank held exactly three times."""

    FOUR_OF_A_KIND = "four_of_a_kind"
    """The rank held four or five times."""

    HIGHEST_SINGLETON = "highest_singleton"
    """The highest singleton."""

    SECOND_SINGLETON = "second_singleton"
    """The second highest singleton."""

    THIRD_SINGLETON = "third_singleton"
    """The third highest singleton."""

    FOURTH_SINGLETON = "fourth_singleton"
    """The fourth highest singleton."""

    FIFTH_SINGLETON = "fifth_singleton"
    """The fifth highest singleton."""

    STRAIGHT_RANK = "straight_rank"
    """The top card of the highest straight that can be formed; A-2-3-4-5 is topped by its five."""

    CAN_BE_SET = "can_be_set"
    """The front that this very rule asks for can be set without a foul."""

    IMPROVES_ON = "improves_on"
    """The front that this very rule asks for is higher than that of the rule with this id."""


RANK_FEATURES = (
    HouseWayFeature.HIGH_PAIR,
    HouseWayFeature.LOW_PAIR,
    HouseWayFeature.THREE_OF_A_KIND,
    HouseWayFeature.FOUR_OF_A_KIND,
    HouseWayFeature.HIGHEST_SINGLETON,
    HouseWayFeature.SECOND_SINGLETON,
    HouseWayFeature.THIRD_SINGLETON,
    HouseWayFeature.FOURTH_SINGLETON,
    HouseWayFeature.FIFTH_SINGLETON,
    HouseWayFeature.STRAIGHT_RANK,
)
"""The features whose values are ranks."""


class NamedFront(StrEnum):
    """A low hand named by the ranks of its cards; cards of equal rank are chosen by the high hand.

    Where cards of equal rank can be chosen, the ace and the joker among them, those go in front
    that leave the highest back.
    """

    TWO_HIGHEST_SINGLETONS = "two_highest_singletons"
    SECOND_AND_THIRD_HIGHEST_SINGLETONS = "second_and_third_highest_singletons"
    HIGH_PAIR = "high_pair"
    LOW_PAIR = "low_pair"
    TWO_OF_THREE_OF_A_KIND = "two_of_three_of_a_kind"
    """Two of the three of a kind; of the higher one where there are two."""

    TWO_OF_FOUR_OF_A_KIND = "two_of_four_of_a_kind"
    """Two of the four or five of a kind."""

    ONE_OF_THREE_OF_A_KIND_AND_HIGHEST_SINGLETON = "one_of_three_of_a_kind_and_highest_singleton"
    HIGHEST_SINGLETON = "highest_singleton"
    SECOND_HIGHEST_SINGLETON = "second_highest_singleton"
    ONE_OF_HIGH_PAIR = "one_of_high_pair"
    ONE_OF_THREE_OF_A_KIND = "one_of_three_of_a_kind"
    """One of the three of a kind; of the higher one where there are two."""


ONE_CARD_FRONTS = (
    NamedFront.HIGHEST_SINGLETON,
    NamedFront.SECOND_HIGHEST_SINGLETON,
    NamedFront.ONE_OF_HIGH_PAIR,
    NamedFront.ONE_OF_THREE_OF_A_KIND,
)
"""The named fronts of one card; the others have two."""


class Paid(StrEnum):
    """The results of a wager with which a pay for the player's own hand is due."""

    ALWAYS = "always"
    IF_WON = "if_won"
    IF_NOT_LOST = "if_not_lost"


class AfterFold(StrEnum):
    """The treatment of a wager after a fold of the main wager."""

    PLAYS = "plays"
    LOSES = "loses"
