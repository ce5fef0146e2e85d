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
    """One share of a target by the engine (``exact``) and by the recount (``other``)."""

    event: str
    exact: Fraction
    other: Fraction
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheck:
    """The recount of one target over ``rounds`` hands or pairs of hands.

    ``house_way`` and ``strategy`` say how a main wager was played. A count that was kept has the
    ``digest`` of what was counted and the day, ``counted``. Without comparisons there was none.
    ``declared``: the project declares the second count; nobody here has made it.
    """

    target: str
    method: str
    rounds: int
    comparisons: tuple[Comparison, ...]
    house_way: str | None = None
    strategy: Strategy | None = None
    digest: str | None = None
    counted: date | None = None
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
