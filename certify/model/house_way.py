"""House ways: declared rules in sections, and the result of their audit.

A section covers the hands that match its condition. Its base rule decides them unless an exception
applies. It is an error of the house way if two exceptions apply to one hand and neither precedes
the other, or if a hand has no section or two.

`certify.model.vocabulary` has the features of a hand and the named fronts.
"""

from enum import StrEnum

from msgspec import Struct

from certify.model.condition import AllOf, Condition
from certify.model.game import JokerRule
from certify.model.source import Source, Statement
from certify.model.vocabulary import Category, NamedFront


class HighestFront(Struct, frozen=True, kw_only=True):
    """The highest low hand that avoids a foul and leaves the required cards.

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


class HouseWayRule(Struct, frozen=True, kw_only=True):
    """One rule: the low hand it sets, or the section to which it delegates the hand (``by``).

    Exactly one of ``front`` and ``by`` is given. A base rule has no ``when``. ``before`` are the
    exceptions of the same section that it goes before where both apply. ``assumption`` says what
    was decided here because the source does not.
    """

    id: str
    source: Source
    front: FrontSelection | None = None
    by: str | None = None
    when: Condition | None = None
    before: tuple[str, ...] = ()
    assumption: Statement | None = None


class HouseWaySection(Struct, frozen=True, kw_only=True):
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


class HouseWay(Struct, frozen=True, kw_only=True):
    """A declared house way for hands of ``cards`` cards with ``front`` cards in the low hand.

    ``statements`` are the source's words that hold for every rule. ``general_assumptions`` hold for
    every rule where the source is silent. ``published`` says where it was published, if that is not
    the game's document.
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
        """The assumptions where the source is silent: general ones first, then by rule."""
        own_assumptions = tuple(
            rule.assumption for rule in self.rules if rule.assumption is not None
        )
        return self.general_assumptions + own_assumptions


def nothing_set(cards: int) -> HouseWay:
    """Return the placeholder house way for hands that are not divided: all cards stay together.

    It has no id, as no file declares it, and it is not printed.
    """
    source = Source(document="", clause="")
    base = HouseWayRule(id="undivided.all", source=source, front=HighestFront())
    every = HouseWaySection(id="undivided", title="", when=AllOf(conditions=()), base=base)
    return HouseWay(id="", name="", cards=cards, front=0, source=source, sections=(every,))


class ProblemKind(StrEnum):
    """The kind of error in a house way."""

    MALFORMED = "malformed"
    """A rule refers to an unknown name, or its id is not unique."""

    UNCOVERED = "uncovered"
    """No section applies to the hand."""

    TWO_SECTIONS = "two_sections"
    """More than one section applies to the hand."""

    TWO_EXCEPTIONS = "two_exceptions"
    """Two exceptions of a section apply and neither takes precedence."""

    CANNOT_BE_SET = "cannot_be_set"
    """The rule that decides asks for a front that the hand does not hold."""

    FOUL = "foul"
    """The deciding rule requires a low hand that is higher than any possible high hand."""


class HouseWayProblem(Struct, frozen=True, kw_only=True):
    """Something wrong with a house way.

    Attributes:
        kind: the kind of problem.
        ids: the sections or rules concerned.
        message: one sentence.
        remedy: one sentence.
        hands: number of hands concerned, 0 for a malformed house way.
        disagreeing: number of these hands that the two rules would set differently.
        example: one such hand, its cards separated by blanks.
    """

    kind: ProblemKind
    ids: tuple[str, ...]
    message: str
    remedy: str
    hands: int = 0
    disagreeing: int = 0
    example: str = ""

    def __str__(self) -> str:
        """Return the message with the example hand."""
        return f"{self.message} Example: {self.example}." if self.example else self.message


class RuleUse(Struct, frozen=True, kw_only=True):
    """The number of hands that a rule decided and delegated, with an example of each."""

    rule: str
    decided: int
    sent: int
    example: str | None


class HouseWayAudit(Struct, frozen=True, kw_only=True):
    """The result of an audit: `uses` in printed order; their `decided` sum to `hands`.

    The sum is smaller if there are problems. A malformed house way has no uses.
    """

    house_way: str
    hands: int
    uses: tuple[RuleUse, ...]
    problems: tuple[HouseWayProblem, ...]

    @property
    def idle(self) -> tuple[str, ...]:
        """The rules that no hand uses."""
        return tuple(use.rule for use in self.uses if use.decided + use.sent == 0)


class AuditedInGame(Struct, frozen=True, kw_only=True):
    """The audit of a house way over the hands of a game, read with one of its joker rules.

    ``own_joker`` says whether that is the game's joker rule or another that it allows.
    """

    game: str
    joker: JokerRule
    own_joker: bool
    audit: HouseWayAudit
