"""Conditions over the closed vocabulary of hand features, and the events made of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from certify.model.source import Source

FeatureValue = int | bool | str | None
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureTest:
    """One feature of a hand is one of ``values``, or an integer from ``minimum`` to ``maximum``.

    Either ``values`` is not empty, or at least one bound is given.
    """

    feature: str
    values: tuple[FeatureValue, ...] = ()
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOf:
    """Every condition holds (always, if there is none)."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """At least one condition holds."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """The condition does not hold."""

    condition: "Condition"


Condition = FeatureTest | AllOf | AnyOf | Not


def translate(
    condition: Condition,
    *,
    test: Callable[[FeatureTest], T],
    every: Callable[[Sequence[T]], T],
    some: Callable[[Sequence[T]], T],
    negate: Callable[[T], T],
) -> T:
    """Return what a condition becomes, its parts before the whole: a predicate, flags, words."""

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


def tests_of(condition: Condition | None) -> Iterator[FeatureTest]:
    """Yield every test of a condition in the order in which it stands; none of no condition."""
    match condition:
        case FeatureTest():
            yield condition
        case AllOf(conditions=parts) | AnyOf(conditions=parts):
            for part in parts:
                yield from tests_of(part)
        case Not(condition=part):
            yield from tests_of(part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A named set of hands: ``when`` describes the hand that the wager looks at.

    An event of two hands has ``dealer`` and perhaps ``player`` instead of ``when``.
    ``text`` is what the rules print, ``text_without_joker`` what they print for a deck without one
    if ``text`` speaks of it, ``name`` what tables of hands call it; ``source`` the clause that
    defines it.
    """

    id: str
    text: str
    source: Source
    name: str | None = None
    when: Condition | None = None
    player: Condition | None = None
    dealer: Condition | None = None
    text_without_joker: str | None = None

    def words(self, *, joker: bool) -> str:
        """Return what is printed for a deck with a joker or without one."""
        return self.text if joker else self.text_without_joker or self.text

    @property
    def two_handed(self) -> bool:
        """Whether the event looks at more than one hand."""
        return self.when is None
