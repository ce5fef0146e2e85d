"""Comparisons: verification counts, judgments, redlines of records, and house ways side by side."""

import re
from collections.abc import Mapping
from datetime import date
from difflib import SequenceMatcher
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from certify.model.analysis import Input
from certify.model.finding import Finding
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import Rule, RuleVersion
from certify.model.main_wager import MainWager
from certify.model.source import PublishedFigure


class HouseWayMatrix(Struct, frozen=True, kw_only=True):
    """One option of a main wager, by every house way of the dealer and of the player.

    Edges are per unit staked, by the ids of the dealer's and of the player's house way. ``best``
    is the edge against the best play by the dealer's; nothing where it was not asked for.
    """

    option: MainWager
    edges: Mapping[tuple[str, str], Fraction]
    best: Mapping[str, Fraction]

    def cost(self, dealer: str, player: str) -> Fraction | None:
        """Return the cost of the player's house way against best play; None if unknown."""
        best = self.best.get(dealer)
        return None if best is None else self.edges[dealer, player] - best


class HouseWayComparison(Struct, frozen=True, kw_only=True):
    """Every house way that fits a game, against every option.

    ``unsound`` are ids of house ways that do not set every hand of this game in one way.
    """

    game: Game
    ways: tuple[HouseWay, ...]
    matrices: tuple[HouseWayMatrix, ...]
    unsound: tuple[str, ...]
    inputs: tuple[Input, ...]
    engine_version: str


class CountCell(Struct, frozen=True, kw_only=True):
    """One row of a paytable: its name, our combinations and theirs; None if one is missing."""

    event: str
    name: str
    ours: int | None
    theirs: int | None

    @property
    def agrees(self) -> bool:
        """True if both counts exist and are equal."""
        return self.ours is not None and self.ours == self.theirs


class CountComparison(Struct, frozen=True, kw_only=True):
    """A laboratory's counts of one paytable against ours, cell by cell."""

    target: str
    file: str
    cells: tuple[CountCell, ...]

    @property
    def agrees(self) -> bool:
        """True if all cells agree."""
        return all(cell.agrees for cell in self.cells)


class Agreement(StrEnum):
    """The result of comparing a printed figure with ours at the printed precision."""

    AGREES = "agrees"
    DIFFERS = "differs"
    AGREES_UNDER_READING = "agrees_under_reading"
    """Only as the record's ``reading`` says: another paytable or another convention."""

    NOT_COMPUTABLE = "not_computable"


class FigureJudgement(Struct, frozen=True, kw_only=True):
    """One printed figure, the exact value as the rules read, and the verdict with its reason."""

    figure: PublishedFigure
    agreement: Agreement
    recomputed: Fraction | None
    reason: str = ""


class Comparison(Struct, frozen=True, kw_only=True):
    """One share of a target by the engine (``exact``) and by the recount (``other``)."""

    event: str
    exact: Fraction
    other: Fraction
    agrees: bool


NOT_COUNTED = "not counted"
NOT_COVERED = "not covered"
"""The methods of a check without a recount: none was made, or certify cannot make one."""


class CrossCheck(Struct, frozen=True, kw_only=True):
    """The recount of one target over ``rounds`` hands or pairs of hands.

    ``house_way`` and ``strategy`` are the play of a main wager. A stored count has the ``digest``
    of its inputs, the day, ``counted``, and the ``version`` of certify that counted by the program
    with the SHA-256 ``recount``, as far as it is recorded. Without comparisons there was no count.
    ``declared``: the project declares the verification count, which
    was not made here.
    """

    target: str
    method: str
    rounds: int
    comparisons: tuple[Comparison, ...]
    house_way: str | None = None
    strategy: Strategy | None = None
    digest: str | None = None
    counted: date | None = None
    version: str | None = None
    recount: str = ""
    declared: bool = False

    @property
    def agrees(self) -> bool:
        """Every comparison agrees, and there is one."""
        return bool(self.comparisons) and all(comparison.agrees for comparison in self.comparisons)

    @property
    def is_verified(self) -> bool:
        """True if a verification count agrees and was made here or ships with certify."""
        return self.agrees and not self.declared


class Standing(StrEnum):
    """The verdict on a requirement in a submission."""

    SATISFIED = "satisfied"
    NOT_SATISFIED = "not_satisfied"
    TO_BE_SETTLED = "to_be_settled"
    """An unofficial text contradicts it: a warning at most."""

    UNVERIFIED = "unverified"
    """No official text of the rule was read, or a fact is not declared."""

    BY_PEOPLE = "by_people"
    """Manual review: a person must supply or judge it."""

    NOT_APPLICABLE = "not_applicable"


class RuleJudgement(Struct, frozen=True, kw_only=True):
    """One rule of a jurisdiction in the text that was applied, with its verdict.

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
    def unread_citation(self) -> str:
        """The citation of the text if it applies and was not read officially, or empty."""
        if self.version is None or self.version.official:
            return ""
        return "" if self.standing is Standing.NOT_APPLICABLE else self.version.citation


class ChangeKind(StrEnum):
    """The kind of change of a row."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Unit(StrEnum):
    """The unit in which a figure is printed."""

    PERCENT = "percent"
    """A share of one."""

    ODDS = "odds"
    """Times the amount wagered."""

    CENTS = "cents"
    COUNT = "count"


class RowChange(Struct, frozen=True, kw_only=True):
    """One row of a table: its old and new pay, and its number of hands.

    ``table`` is its part: rows, envy, outcomes.
    """

    table: str
    kind: ChangeKind
    event: str
    name: str
    before: str
    after: str
    hands_before: int | None = None
    hands_after: int | None = None


class FactChange(Struct, frozen=True, kw_only=True):
    """One declared value that is not a row: the award, the base wager, a meter, the order."""

    name: str
    before: str
    after: str


class FigureChange(Struct, frozen=True, kw_only=True):
    """One exact figure before and after; None if one side has no such figure."""

    name: str
    unit: Unit
    before: Fraction | None
    after: Fraction | None

    @property
    def change(self) -> Fraction | None:
        """The exact difference, after minus before; None if either value is missing."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


class RecordDifference(Struct, frozen=True, kw_only=True):
    """Two paytables, or two options of a main wager; one side is None if only the other has it.

    ``counted`` is False if only declared values were compared, and no figures. ``terms`` are the
    names of the changed terms of two filings that concern both entries.
    """

    before: str | None
    after: str | None
    rows: tuple[RowChange, ...]
    facts: tuple[FactChange, ...]
    figures: tuple[FigureChange, ...]
    counted: bool = True
    terms: tuple[str, ...] = ()

    @property
    def has_changes(self) -> bool:
        """True if anything other than the id differs."""
        return bool(self.terms) or self.differs

    @property
    def differs(self) -> bool:
        """True if the entry or one of its figures differs, and not only the terms around it."""
        return bool(
            self.before is None
            or self.after is None
            or self.rows
            or self.facts
            or any(figure.before != figure.after for figure in self.figures)
        )

    @property
    def has_other_figures(self) -> bool:
        """True if a row, its pay or its hands, or a figure differs, or a side is missing."""
        return (
            None in (self.before, self.after)
            or any(
                (row.before, row.hands_before) != (row.after, row.hands_after) for row in self.rows
            )
            or any(figure.before != figure.after for figure in self.figures)
        )


class Words(Struct, frozen=True, kw_only=True):
    """Some words of a text: added, removed, or, with None, in both texts."""

    change: ChangeKind | None
    text: str

    @property
    def removed(self) -> bool:
        """True for words of the old text alone."""
        return self.change is ChangeKind.REMOVED

    @property
    def added(self) -> bool:
        """True for words of the new text alone."""
        return self.change is ChangeKind.ADDED


class Part(StrEnum):
    """The part of a filing that a change belongs to."""

    FIGURES = "figures"
    TERMS = "terms"
    TEXT = "text"
    """Sentences, names, sources, and other values on which no figure depends."""


class ValueChange(Struct, frozen=True, kw_only=True):
    """One declared value that differs; None if one side has no such value.

    ``file`` is the name of the file and ``path`` its property, by ids and names. ``rule`` is the
    number of the rule of play that prints it, empty if none does. ``title`` names the value in the
    redline of two filings; a value that is ``whole`` is not compared by word.
    """

    file: str
    path: str
    before: str | None
    after: str | None
    part: Part = Part.FIGURES
    rule: str = ""
    title: str = ""
    whole: bool = False

    @property
    def name(self) -> str:
        """The title, or the file and the property in words."""
        path = self.path.strip("/").replace("_", " ")
        return self.title or ": ".join(filter(None, (self.file, path)))

    @property
    def words(self) -> tuple[Words, ...]:
        """The new text, with the words that were added and removed."""
        if self.whole and self.before is not None and self.after is not None:
            return (
                Words(change=ChangeKind.REMOVED, text=self.before),
                Words(change=None, text=" "),
                Words(change=ChangeKind.ADDED, text=self.after),
            )
        old, new = (re.findall(r"\s*\S+", side or "") for side in (self.before, self.after))
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        pieces: list[Words] = []
        for tag, first, last, begin, end in matcher.get_opcodes():
            if tag == "equal":
                pieces.append(Words(change=None, text="".join(new[begin:end])))
                continue
            for kind, part in (
                (ChangeKind.REMOVED, old[first:last]),
                (ChangeKind.ADDED, new[begin:end]),
            ):
                if part:
                    pieces.append(Words(change=kind, text="".join(part)))
        return tuple(pieces)


class OtherSetting(Struct, frozen=True, kw_only=True):
    """Hands that two house ways set differently, by the rules that decide, with one such hand."""

    rule_before: str
    rule_after: str
    hands: int
    example: tuple[str, ...]
    front_before: tuple[str, ...]
    front_after: tuple[str, ...]


class HouseWayDifference(Struct, frozen=True, kw_only=True):
    """Two house ways over every hand: ``different`` of ``hands`` are set to other ranks.

    ``figures`` are the house edges of main wagers under each, where a game was given.
    """

    before: str
    after: str
    hands: int
    different: int
    settings: tuple[OtherSetting, ...]
    figures: tuple[FigureChange, ...] = ()


class FilingNeed(Struct, frozen=True, kw_only=True):
    """The submission that a change needs in one jurisdiction, and the rule that says so.

    ``needed`` is None if something differs and no known text covers it.
    """

    jurisdiction: str
    name: str
    needed: bool | None
    rule: str
    text: RuleVersion | None
    detail: str


class Difference(Struct, frozen=True, kw_only=True):
    """All differences between two sides, and the submissions that they need.

    ``values`` are the declared values that differ; their rules are numbered as in the rules of play
    for the jurisdiction ``numbered_for``. ``only_game``: one side is a filing and the other is not,
    so its terms, jurisdiction and templates were not compared. ``findings`` say the same at its
    place in the files, which are ``checked``.
    """

    before: str
    after: str
    records: tuple[RecordDifference, ...]
    house_way: HouseWayDifference | None
    filings: tuple[FilingNeed, ...]
    values: tuple[ValueChange, ...] = ()
    numbered_for: str = ""
    only_game: bool = False
    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()

    @property
    def has_changes(self) -> bool:
        """True if anything differs."""
        of_the_way = self.house_way is not None and self.house_way.different > 0
        of_records = any(record.has_changes for record in self.records)
        return of_the_way or of_records or bool(self.values)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of a filing that differ: of a record as a whole, its figures."""
        differing = {change.part for change in self.values}
        if any(record.has_other_figures for record in self.records):
            differing.add(Part.FIGURES)
        return tuple(part for part in Part if part in differing)


class SecondCount(Struct, frozen=True, kw_only=True):
    """Pairs of hands by row of one target, and the house edge that follows.

    ``digest`` is of the declared values that were counted, not of their words: a count belongs to
    whatever has its digest. ``counted`` is the day, ``version`` the certify that counted, and
    ``recount`` the SHA-256 of its `certify_recount`, empty in files of certify 0.2.0 and earlier.
    ``house_way`` and ``strategy`` are of a main wager; a wager on both hands has neither, and its
    ``house_edge`` is None where it does not follow from the counts alone. ``rows`` of no pair may
    be left out. ``mac`` is that of the user who counted, see `certify.engine.count_cache.seal`.
    """

    target: str
    digest: str
    counted: date
    version: str
    rows: Mapping[str, int]
    house_way: str | None = None
    strategy: Strategy | None = None
    house_edge: Fraction | None = None
    recount: str = ""
    mac: str = ""

    @property
    def pairs(self) -> int:
        """The number of ordered pairs of disjoint hands."""
        return sum(self.rows.values())
