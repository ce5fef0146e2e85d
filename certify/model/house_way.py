"""House ways: how a hand must be set, as sections of rules over a closed vocabulary.

A section takes the hands that its condition describes. Its base rule decides them, unless an
exception applies. Two exceptions that apply to one hand are an error of the house way, unless one
says that it goes before the other; so is a hand without a section or with two.

Reading a hand. The joker is counted with the aces (fully wild: with the rank held most often, the
highest of those); so an ace and the joker are a pair. A *singleton* is a card whose rank is held
once.
"""

from dataclasses import dataclass
from enum import StrEnum

from certify.model.condition import Condition
from certify.model.source import Source, Statement


class Category(StrEnum):
    """The rank of a back, lowest first."""

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
    """How the ranks of the whole hand repeat, whatever else it holds."""

    NO_PAIR = "no_pair"
    ONE_PAIR = "one_pair"
    TWO_PAIR = "two_pair"
    THREE_PAIR = "three_pair"
    TRIPS = "trips"
    TRIPS_AND_PAIR = "trips_and_pair"
    TRIPS_AND_TWO_PAIR = "trips_and_two_pair"
    TWO_TRIPS = "two_trips"
    QUADS = "quads"
    QUADS_AND_PAIR = "quads_and_pair"
    QUADS_AND_TRIPS = "quads_and_trips"
    FIVE_OF_A_KIND = "five_of_a_kind"
    FIVE_OF_A_KIND_AND_PAIR = "five_of_a_kind_and_pair"


class Feature(StrEnum):
    """What a condition may ask of a hand. Ranks are letters; None where there is no such rank."""

    GROUPS = "groups"
    """How the ranks repeat, see `Groups`."""

    BEST_HAND = "best_hand"
    """The highest back that can be formed from all the cards, see `Category`."""

    STRAIGHT_OR_FLUSH = "straight_or_flush"
    """A straight, flush, straight flush or royal flush can be formed, also if it is not best."""

    STRAIGHT_LENGTH = "straight_length"
    """How many of the cards stand in sequence, the joker in a gap or at an end; 0 below five."""

    JOKER = "joker"
    """The hand holds the joker."""

    HIGH_PAIR = "high_pair"
    """The highest rank held exactly twice."""

    LOW_PAIR = "low_pair"
    """The lowest rank held exactly twice; the same as ``high_pair`` where there is one pair."""

    TRIPS = "trips"
    """The highest rank held exactly three times."""

    QUADS = "quads"
    """The rank held four or five times."""

    HIGHEST_SINGLETON = "highest_singleton"
    """The highest singleton."""

    SECOND_SINGLETON = "second_singleton"
    """The second highest singleton."""

    CAN_BE_SET = "can_be_set"
    """The front that this very rule asks for can be set without a foul."""

    IMPROVES_ON = "improves_on"
    """The front that this very rule asks for is higher than that of the rule with this id."""


RANK_FEATURES = (
    Feature.HIGH_PAIR,
    Feature.LOW_PAIR,
    Feature.TRIPS,
    Feature.QUADS,
    Feature.HIGHEST_SINGLETON,
    Feature.SECOND_SINGLETON,
)
"""The features whose values are ranks."""


class NamedFront(StrEnum):
    """A front named by the ranks of its cards; which cards of equal rank is decided by the back.

    Where cards of equal rank can be chosen, the ace and the joker among them, those go in front
    that leave the highest back.
    """

    TWO_HIGHEST_SINGLETONS = "two_highest_singletons"
    SECOND_AND_THIRD_HIGHEST_SINGLETONS = "second_and_third_highest_singletons"
    HIGH_PAIR = "high_pair"
    LOW_PAIR = "low_pair"
    PAIR_OF_TRIPS = "pair_of_trips"
    """Two of the three of a kind; of the higher one where there are two."""

    PAIR_OF_QUADS = "pair_of_quads"
    """Two of the four or five of a kind."""

    ONE_OF_TRIPS_AND_HIGHEST_SINGLETON = "one_of_trips_and_highest_singleton"
    HIGHEST_SINGLETON = "highest_singleton"
    SECOND_HIGHEST_SINGLETON = "second_highest_singleton"
    ONE_OF_HIGH_PAIR = "one_of_high_pair"
    ONE_OF_TRIPS = "one_of_trips"
    """One of the three of a kind; of the higher one where there are two."""


ONE_CARD_FRONTS = (
    NamedFront.HIGHEST_SINGLETON,
    NamedFront.SECOND_HIGHEST_SINGLETON,
    NamedFront.ONE_OF_HIGH_PAIR,
    NamedFront.ONE_OF_TRIPS,
)
"""The named fronts of one card; the others have two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HighestFront:
    """The highest front that can be set without a foul and leaves what it must.

    Of equal fronts the one with the highest back.

    Attributes:
        leaves: the back must be one of these; anything if empty.
        at_least: the front holds a card of this rank or a higher one, or is a pair.
        pair: whether the front must be a pair or must not be one; either if None.
        highest_back: the back must be the highest that can be set.
    """

    leaves: tuple[Category, ...] = ()
    at_least: str | None = None
    pair: bool | None = None
    highest_back: bool = False


FrontSelection = NamedFront | HighestFront


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayRule:
    """One rule: the front it sets, or the section whose rules it sends the hand to (``by``).

    Exactly one of ``front`` and ``by`` is given. A base rule has no ``when``. ``before`` are the
    exceptions of the same section that it goes before where both apply. ``assumption`` says what
    was decided here because the source does not.
    """

    id: str
    text: str
    source: Source
    front: FrontSelection | None = None
    by: str | None = None
    when: Condition | None = None
    before: tuple[str, ...] = ()
    assumption: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWaySection:
    """The hands that ``when`` describes: a base rule, and exceptions to it."""

    id: str
    title: str
    when: Condition
    base: HouseWayRule
    exceptions: tuple[HouseWayRule, ...] = ()

    @property
    def rules(self) -> tuple[HouseWayRule, ...]:
        """The base rule and then the exceptions, as they are printed."""
        return (self.base, *self.exceptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWay:
    """A house way as declared; ``cards`` are dealt to a hand and ``front`` of them set in front.

    ``statements`` are the source's words that hold for every rule; ``general_assumptions`` hold
    for every rule where the source is silent. ``published`` says where it was published, where that
    is not the game's own document.
    """

    id: str
    name: str
    cards: int
    front: int
    source: Source
    sections: tuple[HouseWaySection, ...]
    statements: tuple[Statement, ...] = ()
    general_assumptions: tuple[Statement, ...] = ()
    published: str | None = None

    @property
    def rules(self) -> tuple[HouseWayRule, ...]:
        """Every rule in the order of print."""
        return tuple(rule for section in self.sections for rule in section.rules)

    @property
    def assumptions(self) -> tuple[Statement, ...]:
        """What is assumed where the source is silent: for every rule, then rule by rule."""
        own = tuple(rule.assumption for rule in self.rules if rule.assumption is not None)
        return self.general_assumptions + own
