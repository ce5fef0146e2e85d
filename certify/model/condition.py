"""Conditions over the closed vocabulary of hand features, and events defined by them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from certify.model.source import Source
from certify.model.vocabulary import SUIT_FEATURES, EventFeature, HandPart, Higher

FeatureValue = int | bool | str | None
T = TypeVar("T")


class FeatureTest(Struct, frozen=True, kw_only=True):
    """One feature of a hand is one of ``values``, or an integer from ``minimum`` to ``maximum``.

    Either ``values`` is not empty, or at least one bound is given. ``part`` is the hand that is
    asked: all the cards, or one of the two hands that the house way sets from them.
    """

    feature: str
    values: tuple[FeatureValue, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    part: HandPart = HandPart.WHOLE

    @property
    def name(self) -> str:
        """The feature, prefixed with the tested part of the hand: ``low_hand.highest_pair``."""
        return part_feature(self.part, self.feature)


def part_feature(part: HandPart, feature: str) -> str:
    """Return the name of a feature of a part of the hand in a census."""
    return feature if part is HandPart.WHOLE else f"{part}.{feature}"


class AllOf(Struct, frozen=True, kw_only=True):
    """Every condition holds (always, if there is none)."""

    conditions: tuple["Condition", ...]


class AnyOf(Struct, frozen=True, kw_only=True):
    """At least one condition holds."""

    conditions: tuple["Condition", ...]


class Not(Struct, frozen=True, kw_only=True):
    """The condition does not hold."""

    condition: "Condition"


ANY_HAND = FeatureTest(feature=EventFeature.OF_A_KIND, minimum=1)
"""A condition that holds for every hand."""

Condition = FeatureTest | AllOf | AnyOf | Not


def translate(
    condition: Condition,
    *,
    test: Callable[[FeatureTest], T],
    every: Callable[[Sequence[T]], T],
    some: Callable[[Sequence[T]], T],
    negate: Callable[[T], T],
) -> T:
    """Fold a condition bottom-up with one function per node type."""

    def again(part: Condition) -> T:
        return translate(part, test=test, every=every, some=some, negate=negate)

    match condition:
        case FeatureTest():
            return test(condition)
        case AllOf(conditions=parts):
            return every([again(part) for part in parts])
        case AnyOf(conditions=parts):
            return some([again(part) for part in parts])
        case Not(condition=part):
            return negate(again(part))


def iter_tests(condition: Condition | None) -> Iterator[FeatureTest]:
    """Yield every test of a condition in its order; none if the condition is None."""
    match condition:
        case FeatureTest():
            yield condition
        case AllOf(conditions=parts) | AnyOf(conditions=parts):
            for part in parts:
                yield from iter_tests(part)
        case Not(condition=part):
            yield from iter_tests(part)


def asks_as_set(condition: Condition | None) -> bool:
    """Return True if a condition depends on how the house way sets the hand."""
    return any(test.part.is_set for test in iter_tests(condition))


class Compare(Struct, frozen=True, kw_only=True):
    """Comparison of two hands; an empty tuple accepts every result.

    ``best_hand``: the highest five cards of each whole hand, however it is set. ``high_hand`` and
    ``low_hand``: the two hands as set by the house way on both sides.
    """

    best_hand: tuple[Higher, ...] = ()
    high_hand: tuple[Higher, ...] = ()
    low_hand: tuple[Higher, ...] = ()

    @property
    def results(self) -> dict[HandPart, tuple[Higher, ...]]:
        """The accepted results, by compared part of the hand."""
        listed = {
            HandPart.WHOLE: self.best_hand,
            HandPart.HIGH_HAND: self.high_hand,
            HandPart.LOW_HAND: self.low_hand,
        }
        return {part: results for part, results in listed.items() if results}


class TwoHands(Struct, frozen=True, kw_only=True):
    """Conditions on the player's and the dealer's hands, and on which hand is higher.

    ``together`` is a condition on the cards of both as one hand.
    """

    player: Condition | None = None
    dealer: Condition | None = None
    together: Condition | None = None
    compare: Compare | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions on cards, of either side and of all."""
        sides = (self.player, self.dealer, self.together)
        return tuple(condition for condition in sides if condition is not None)

    @property
    def results(self) -> dict[HandPart, tuple[Higher, ...]]:
        """The accepted results, by compared part of the hand."""
        return self.compare.results if self.compare else {}


class Event(Struct, frozen=True, kw_only=True):
    """A named set of hands: ``when`` describes the hand that the wager depends on.

    An event of two hands has ``dealer``, ``player``, ``together`` and ``compare``, at least one of
    them, instead of ``when``; or ``either``, several of these, one of which must hold. ``text`` is
    printed in the rules (see `describe_event`), ``text_without_joker`` for a deck without a joker
    and ``text_fully_wild`` for a fully wild joker, if they differ. ``name`` is printed in tables of
    hands; ``source`` is the clause that defines the event.
    """

    id: str
    text: str
    source: Source
    name: str | None = None
    when: Condition | None = None
    player: Condition | None = None
    dealer: Condition | None = None
    together: Condition | None = None
    compare: Compare | None = None
    either: tuple[TwoHands, ...] = ()
    text_without_joker: str | None = None
    text_fully_wild: str | None = None

    @property
    def two_handed(self) -> bool:
        """True if the event depends on more than one hand."""
        return self.when is None

    @property
    def deals(self) -> tuple[TwoHands, ...]:
        """The ways to meet an event of two hands, one at least; none of an event of one hand."""
        if not self.two_handed:
            return ()
        return self.either or (
            TwoHands(
                player=self.player,
                dealer=self.dealer,
                together=self.together,
                compare=self.compare,
            ),
        )

    @property
    def as_deals(self) -> tuple[TwoHands, ...]:
        """The ways to meet the event; of an event of one hand, a condition on all cards."""
        return self.deals or (TwoHands(together=self.when),)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Every condition on a hand, of either side or of all cards."""
        own = () if self.when is None else (self.when,)
        return (*own, *(condition for deal in self.deals for condition in deal.conditions))

    @property
    def compares(self) -> bool:
        """True if the event depends on which of two hands is higher."""
        return any(deal.results for deal in self.deals)

    @property
    def looks_at_cards(self) -> bool:
        """True if the event of two hands depends on suits, or on the cards of both at once."""
        tests = (test for condition in self.conditions for test in iter_tests(condition))
        return any(test.feature in SUIT_FEATURES for test in tests) or any(
            deal.together is not None for deal in self.deals
        )

    @property
    def needs_set_hand(self) -> bool:
        """True if the event depends on how the house way sets a hand."""
        parts = {test.part for condition in self.conditions for test in iter_tests(condition)}
        parts |= {part for deal in self.deals for part in deal.results}
        return any(part.is_set for part in parts)
