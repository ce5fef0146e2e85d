"""Judgements: printed figures against recomputed ones, two derivations, rules of a jurisdiction."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction

from certify.model.game import Strategy
from certify.model.jurisdiction import Rule, RuleVersion
from certify.model.published import PublishedFigure


class Agreement(StrEnum):
    """How a printed figure compares with the recomputed one at its printed precision."""

    AGREES = "agrees"
    DIFFERS = "differs"
    AGREES_UNDER_READING = "agrees_under_reading"
    """Only as the record's ``reading`` says: another paytable or another convention."""

    NOT_COMPUTABLE = "not_computable"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureJudgement:
    """One printed figure, the exact value as the rules read, and the verdict with its reason."""

    figure: PublishedFigure
    agreement: Agreement
    recomputed: Fraction | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One count of a target by method A (exact) and method B, and how far apart they are.

    A simulation has ``standard_error``, ``z`` and ``chance``, the probability that a correct table
    is seen as far off as this or farther; a count has none of them: it agrees or not.
    Shares, not counts, where method B saw another number of hands.
    """

    event: str
    exact: Fraction
    other: Fraction
    agrees: bool
    standard_error: Fraction | None = None
    z: Fraction | None = None
    chance: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheck:
    """A second derivation of one target: ``rounds`` hands or deals, ``seed`` if simulated.

    ``house_way`` and ``strategy`` say how a main wager was played. A count that was kept has the
    ``digest`` of what was counted and the day, ``counted``. Without comparisons there was none.
    ``deck`` is the smaller deck on which the hands were met, where it is not the game's own.
    ``declared``: the project declares the second count; nobody here has made it.
    """

    target: str
    method: str
    rounds: int
    comparisons: tuple[Comparison, ...]
    seed: int | None = None
    house_way: str | None = None
    strategy: Strategy | None = None
    digest: str | None = None
    counted: date | None = None
    deck: str = ""
    declared: bool = False

    @property
    def agrees(self) -> bool:
        """Every comparison agrees, and there is one."""
        return bool(self.comparisons) and all(comparison.agrees for comparison in self.comparisons)

    @property
    def verified(self) -> bool:
        """Whether a second count was made, here or by certify itself, and agrees."""
        return self.agrees and not self.declared


class Standing(StrEnum):
    """Where a requirement stands in a submission."""

    SATISFIED = "satisfied"
    NOT_SATISFIED = "not_satisfied"
    TO_BE_SETTLED = "to_be_settled"
    """A text that is not official speaks against it: a warning, never more."""

    UNVERIFIED = "unverified"
    """No official text of the rule was read, or a fact is not declared."""

    BY_PEOPLE = "by_people"
    """Somebody must bring or judge it; the tool cannot."""

    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleJudgement:
    """One rule of a jurisdiction in the text that was applied, and what came of it.

    ``section`` is where the documents satisfy it; ``notice`` a sentence that the rules of play have
    to print of it.
    """

    rule: Rule
    version: RuleVersion | None
    standing: Standing
    detail: str
    section: str = ""
    notice: str = ""

    @property
    def unconfirmed(self) -> str:
        """The citation of the text if it applies and was not read officially, or nothing."""
        if self.version is None or self.version.official:
            return ""
        return "" if self.standing is Standing.NOT_APPLICABLE else self.version.citation
