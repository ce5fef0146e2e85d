"""What differs between two paytables, games or house ways, by meaning and in exact figures."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from certify.model.finding import Finding
from certify.model.jurisdiction import RuleVersion


class ChangeKind(StrEnum):
    """What became of a row."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Unit(StrEnum):
    """How a figure is printed."""

    PERCENT = "percent"
    """A share of one."""

    ODDS = "odds"
    """Times the amount wagered."""

    CENTS = "cents"
    COUNT = "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """One row of a table: what it paid and pays, and how many hands it takes.

    ``table`` is the part it stands in: rows, envy, outcomes.
    """

    table: str
    kind: ChangeKind
    event: str
    name: str
    before: str
    after: str
    hands_before: int | None = None
    hands_after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChange:
    """One declared value that is not a row: the award, the base wager, a meter, the order."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChange:
    """One exact figure before and after; None where one side has no such figure."""

    name: str
    unit: Unit
    before: Fraction | None
    after: Fraction | None

    @property
    def change(self) -> Fraction | None:
        """After less before, exactly; None where one of them is not there."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDifference:
    """Two paytables, or two options of a main wager; one side is None if only the other has it."""

    before: str | None
    after: str | None
    rows: tuple[RowChange, ...]
    facts: tuple[FactChange, ...]
    figures: tuple[FigureChange, ...]

    @property
    def changed(self) -> bool:
        """Whether anything differs but the id."""
        return bool(
            self.before is None
            or self.after is None
            or self.rows
            or self.facts
            or any(figure.before != figure.after for figure in self.figures)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherSetting:
    """Hands that two house ways set differently, by the rules that decide, with one such hand."""

    rule_before: str
    rule_after: str
    hands: int
    example: tuple[str, ...]
    front_before: tuple[str, ...]
    front_after: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayDifference:
    """Two house ways over every hand: ``different`` of ``hands`` are set to other ranks.

    ``figures`` are the house edges of main wagers under each, where a game was given.
    """

    before: str
    after: str
    hands: int
    different: int
    settings: tuple[OtherSetting, ...]
    figures: tuple[FigureChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingNeed:
    """What the change needs in one jurisdiction, by which rule, as well as its text is known.

    ``needed`` is None where something differs and no known text says whether that is filed.
    """

    jurisdiction: str
    needed: bool | None
    rule: str
    text: RuleVersion | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Everything that differs between two sides, and what filing it needs.

    ``findings`` say the same at its place in the files, which are ``checked``.
    """

    before: str
    after: str
    records: tuple[RecordDifference, ...]
    house_way: HouseWayDifference | None
    filings: tuple[FilingNeed, ...]
    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything differs."""
        of_the_way = self.house_way is not None and self.house_way.different > 0
        return of_the_way or any(record.changed for record in self.records)
