"""A submission: everything that the two documents of one game and jurisdiction print."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from certify.errors import InvariantBroken
from certify.model.analysis import Analysis, Census, LimitAnalysis
from certify.model.comparison import CrossCheck, FigureJudgement, RuleJudgement
from certify.model.filed import Filing
from certify.model.finding import Finding
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import ChecklistItem
from certify.model.source import Concern, Statement

if TYPE_CHECKING:
    from certify.model.explanation import Example


class Status(StrEnum):
    """What a document is worth: only a final one may be filed."""

    FINAL = "final"
    DRAFT = "draft"
    """Signed with a development key, or with rules or templates that nobody has accepted."""

    UNSIGNED = "unsigned"


class ItemState(StrEnum):
    """Where an item of the filing stands."""

    DONE = "done"
    """Every fact that it rests on is stated in these documents."""

    OPEN = "open"
    """Something is not stated, or is for others to bring; the detail says what to supply."""

    NOT_NEEDED = "not_needed"
    """It is without object in this filing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistLine:
    """One item of the filing; ``judgement`` is that of the rule, where its test decides."""

    item: ChecklistItem
    state: ItemState
    detail: str
    judgement: RuleJudgement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission(Filing):
    """A filing with everything that its documents print; every figure is still exact.

    Attributes:
        way: the dealer's house way; None where hands are not divided.
        frequencies: the count of every hand by name.
        comparison: the filed option under each strategy, as information.
        other_options: the options that are not filed, as information.
        other_ways: the filed options by each other house way that the rules leave to the casino,
            with its name.
        least_limits: the effect of the least aggregate payout limit that may be set, by target,
            where the terms leave limits open.
    """

    way: HouseWay | None
    frequencies: Census
    examples: "tuple[Example, ...]"
    figures: tuple[FigureJudgement, ...]
    rules: tuple[RuleJudgement, ...]
    crosschecks: tuple[CrossCheck, ...]
    checklist: tuple[ChecklistLine, ...]
    findings: tuple[Finding, ...]
    engine_version: str
    evidence_sha256: str
    status: Status
    comparison: tuple[Analysis, ...] = ()
    other_options: tuple[Analysis, ...] = ()
    other_ways: tuple[tuple[str, Analysis], ...] = ()
    least_limits: Mapping[str, LimitAnalysis] = field(default_factory=dict)

    @property
    def house_way(self) -> HouseWay:
        """The house way that the dealer sets by.

        Raises:
            InvariantBroken: there is none, as hands are not divided.
        """
        if self.way is None:
            raise InvariantBroken(f"{self.game.id} has no house way.")
        return self.way

    @property
    def raised(self) -> str:
        """The name of the raise that the main wager has, empty where it has none."""
        raised = self.main.raise_ if self.main is not None else None
        return raised.name if raised is not None else ""

    @property
    def assumptions(self) -> tuple[Statement, ...]:
        """What is assumed of the game and of the house way; definitions with an effect are, too."""
        decided = (each for each in self.game.definitions if each.effect is not None)
        of_the_way = self.way.assumptions if self.way is not None else ()
        return (*decided, *self.game.assumptions, *of_the_way)

    def readings(self, assumptions: Iterable[Statement]) -> tuple[Statement, ...]:
        """Return the assumptions that belong to what is filed and by which the game is played."""
        return tuple(
            reading for reading in self.printed(assumptions) if reading.concern is Concern.PLAY
        )
