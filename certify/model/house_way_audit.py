"""What an audit of a house way finds, over every hand of a game: plain values."""

from dataclasses import dataclass
from enum import StrEnum

from certify.model.cards import JokerRule


class ProblemKind(StrEnum):
    """What can be wrong with a house way."""

    MALFORMED = "malformed"
    """A rule names something that is not there, or is named twice."""

    UNCOVERED = "uncovered"
    """No section takes the hand."""

    TWO_SECTIONS = "two_sections"
    """More than one section takes the hand."""

    TWO_EXCEPTIONS = "two_exceptions"
    """Two exceptions of a section apply and neither goes before the other."""

    CANNOT_BE_SET = "cannot_be_set"
    """The rule that decides asks for a front that the hand does not hold."""

    FOUL = "foul"
    """The rule that decides asks for a front that is higher than any back beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayProblem:
    """Something wrong with a house way.

    Attributes:
        kind: what is wrong.
        ids: the sections or rules concerned.
        message: one sentence.
        remedy: one sentence.
        hands: how many hands are concerned, 0 for a malformed record.
        disagreeing: of those, how many the two rules would set differently.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleUse:
    """How often a rule decided, how often it sent a hand on, and a hand for which it did."""

    rule: str
    decided: int
    sent: int
    example: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayAudit:
    """What the audit found: `uses` in the order of print; their `decided` sum to `hands`.

    The sum is smaller if there are problems; for a malformed record there are no uses.
    """

    house_way: str
    hands: int
    uses: tuple[RuleUse, ...]
    problems: tuple[HouseWayProblem, ...]

    @property
    def idle(self) -> tuple[str, ...]:
        """The rules that no hand ever needs."""
        return tuple(use.rule for use in self.uses if use.decided + use.sent == 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedInGame:
    """The audit of a house way over the hands of a game, read with one of its joker rules.

    ``own_joker`` says whether that is the game's joker rule or another that it allows.
    """

    game: str
    joker: JokerRule
    own_joker: bool
    audit: HouseWayAudit
