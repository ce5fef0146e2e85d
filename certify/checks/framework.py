"""Declare checks: codes, faults, locations, the context of a run, and the parts of a catalog."""

import inspect
import pkgutil
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from msgspec import Struct, field

from certify.errors import CertifyError
from certify.formatting import did_you_mean
from certify.model.analysis import Analysis
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.comparison import FigureJudgement
from certify.model.condition import Event
from certify.model.finding import Code, Document, Finding, Severity
from certify.model.game import Game, Wager
from certify.model.house_way import AuditedInGame
from certify.model.jurisdiction import Rule, Terms
from certify.model.main_wager import DealerRule, MainWager
from certify.model.paytable import EarlierVersion, EnvyRow, EnvyTable, Paytable, Row
from certify.model.source import Source, Statement
from certify.model.submission import Filing

Item = TypeVar("Item")


class Fault(Struct, frozen=True):
    """A problem in a declared file: key, pointer and message.

    ``remedy`` and ``severity`` are those of the check where they are left out. ``related`` are the
    keys of other files that take part in it.
    """

    key: str
    pointer: str
    message: str
    remedy: str = ""
    severity: Severity | None = None
    related: tuple[str, ...] = ()


class Location(Struct, frozen=True):
    """A position in a declared file: key, pointer, and index in the enclosing list."""

    key: str
    pointer: str = ""
    index: int = 0

    def inner(self, pointer: str) -> "Location":
        """Return the part at ``pointer`` from here."""
        return Location(self.key, f"{self.pointer}{pointer}")

    def items(self, pointer: str, values: Iterable[Item]) -> Iterator[tuple[Item, "Location"]]:
        """Yield the items of the list at ``pointer`` from here, each with its location."""
        for index, value in enumerate(values):
            yield value, Location(self.key, f"{self.pointer}{pointer}/{index}", index)

    def fault(
        self,
        inner: str,
        message: str,
        remedy: str = "",
        *,
        severity: Severity | None = None,
        related: tuple[str, ...] = (),
    ) -> Fault:
        """Return a fault at ``inner``, a pointer from here."""
        pointer = f"{self.pointer}{inner}"
        return Fault(self.key, pointer, message, remedy, severity=severity, related=related)

    def unknown(
        self, inner: str, name: str | None, names: Collection[str], message: str
    ) -> Iterator[Fault]:
        """Yield the fault at ``inner`` of a name that is not among some, with similar names."""
        if name is not None and name not in names:
            listed = sorted(names) if isinstance(names, set | frozenset) else tuple(names)
            yield self.fault(inner, message, did_you_mean(name, listed))


class Context(Struct, frozen=True, dict=True):
    """Inputs of the checks. Fields that were not computed are empty; checks that need them are
    skipped.

    Attributes:
        catalog: the records.
        analyses: the figures by target.
        judgements: the audit of the printed figures.
        house_ways: the audits of house ways; None where they were not made.
        filing: what is filed in a jurisdiction, judged by its rules.
        terms: the terms of the filing, or of a table on its own.
        game: the game that these terms are to fit; None where they name it, or may fit any.
        refusals: why a target cannot be counted.
        winning_rows: a function of a paytable and a row's index. It returns the indexes of the rows
            that win the row's hands: none if the deck has no such hand, None if unknown.
        notes_for: the keys of the files whose notes are asked for; None for all.
        involves: a function of the keys of a fault's files, True if the fault is requested; None
            for all.
        judged: the targets of the paytables that are judged by themselves; None for all. All are
            compared with each other.
        earlier_versions: the built-in and approved entries with the same id, by target.
        main_edges: the house edges of main wagers that were counted earlier, by target. A check
            counts none.
    """

    catalog: Catalog
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
    judgements: tuple[FigureJudgement, ...] = ()
    house_ways: tuple[AuditedInGame, ...] | None = None
    filing: Filing | None = None
    terms: Terms | None = None
    game: Game | None = None
    refusals: Mapping[str, CertifyError] = field(default_factory=dict)
    winning_rows: Callable[[Paytable, int], tuple[int, ...] | None] | None = None
    notes_for: Collection[str] | None = None
    involves: Callable[..., bool] | None = None
    judged: Collection[str] | None = None
    earlier_versions: Mapping[str, Sequence[EarlierVersion]] = field(default_factory=dict)
    main_edges: Mapping[str, Fraction] = field(default_factory=dict)

    def is_requested(self, code: Code, fault: Fault) -> bool:
        """Return False for faults that were not requested, and for notes in other files."""
        if self.involves is not None and not self.involves(fault.key, *fault.related):
            return False
        is_note = (fault.severity or code.severity) is Severity.NOTE
        return not is_note or self.notes_for is None or fault.key in self.notes_for

    def finding(self, code: Code, fault: Fault) -> Finding:
        """Return the finding for a fault of a code."""
        documents = self.catalog.documents
        severity, remedy = fault.severity or code.severity, code.advice(fault.remedy)
        others = dict.fromkeys(documents[key].path for key in fault.related if key in documents)
        document = documents.get(fault.key, Document(path=fault.key))
        return document.finding(
            code.id,
            fault.pointer,
            fault.message,
            remedy,
            severity=severity,
            related=tuple(path for path in others if path != document.path),
        )

    @property
    def targets(self) -> tuple[str, ...]:
        """All targets: games, wagers, paytables, options, envy tables."""
        keys = set(self.catalog.documents)
        keys |= {record.target for wager in self.wagers for record in wager.records}
        shared = {*EVENT_FILES, "house-ways", "jurisdictions"}
        heads = {key.partition("/")[0] for key in keys} - shared
        files = {f"{head}/{name}" for head in heads for name in ("published", "discrepancies")}
        return tuple(sorted(key for key in keys - files if key.partition("/")[0] in heads))

    def has_file(self, key: str) -> bool:
        """Return True if there is a file for this key, even one with errors."""
        return key in self.catalog.documents

    @property
    def games(self) -> tuple[Game, ...]:
        """Every game, in declared order."""
        return tuple(self.catalog.games.values())

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """Every wager of every game."""
        return tuple(wager for game in self.games for wager in game.wagers)

    @property
    def options(self) -> tuple[MainWager, ...]:
        """Every option of every main wager."""
        return tuple(option for wager in self.wagers for option in wager.options)

    def paytables(self) -> Iterator[tuple[Wager, Paytable]]:
        """Yield every judged paytable with its wager."""
        for wager in self.wagers:
            for paytable in wager.paytables:
                if self.judged is None or paytable.target in self.judged:
                    yield wager, paytable

    @cached_property
    def rows(self) -> tuple[tuple[Paytable, Row, Location], ...]:
        """Every row of every judged paytable."""
        return tuple(
            (paytable, row, at)
            for _, paytable in self.paytables()
            for row, at in Location(paytable.target).items("/rows", paytable.rows)
        )

    def envies(self) -> Iterator[tuple[Wager, EnvyTable]]:
        """Yield every envy table with its wager."""
        for wager in self.wagers:
            for table in wager.envies:
                yield wager, table

    def prizes(self) -> Iterator[tuple[EnvyTable, EnvyRow, Location]]:
        """Yield every row of every envy table."""
        for _, table in self.envies():
            for row, at in Location(table.target).items("/rows", table.rows):
                yield table, row, at

    def dealer_rules(self) -> Iterator[tuple[MainWager, DealerRule, Location]]:
        """Yield every dealer rule of every option."""
        for option in self.options:
            for rule, at in Location(option.target).items("/dealer_rules", option.dealer_rules):
                yield option, rule, at

    def counts(self, paytable: Paytable) -> Mapping[str, int]:
        """Return the hands of each event's first row; empty if the paytable was not counted."""
        analysis = self.analyses.get(paytable.target)
        return {row.event: row.combinations for row in reversed(analysis.rows)} if analysis else {}


Judge = Callable[[Context], Iterator[Fault]]
"""The whole context in, the places at fault out."""


class Check(Struct, frozen=True):
    """A finding code and its check function."""

    code: Code
    judge: Judge

    def __call__(self, context: Context) -> Iterator[Finding]:
        """Yield the requested findings of this code."""
        return (
            context.finding(self.code, fault)
            for fault in self.judge(context)
            if context.is_requested(self.code, fault)
        )


def check(
    code: str,
    title: str,
    *,
    severity: Severity = Severity.ERROR,
    fix: str,
    wrong: str,
    right: str,
) -> Callable[[Judge], Check]:
    """Declare the check of a finding code; its docstring says why the code matters.

    The arguments are the other parts of the code's page; see `Code`.
    """

    def declare(judge: Judge) -> Check:
        why = inspect.getdoc(judge) or ""
        page = Code(code, title, why=why, fix=fix, wrong=wrong, right=right, severity=severity)
        return Check(page, judge)

    return declare


def iter_modules(package: ModuleType) -> Iterator[ModuleType]:
    """Yield the modules of a package and its subpackages."""
    for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield import_module(name)


def statements(catalog: Catalog) -> Iterator[tuple[Statement, Location]]:
    """Yield every statement, sub-steps after their statement."""
    for game in catalog.games.values():
        at = Location(game.id)
        for section, inner in at.items("/sections", game.sections):
            yield from _walk(inner, "statements", section.statements)
        yield from _walk(at, "definitions", game.definitions)
        yield from _walk(at, "assumptions", game.assumptions)
    for game in catalog.games.values():
        for wager in game.wagers:
            at = Location(wager.target)
            yield from _walk(at, "rules", wager.rules)
            if wager.absent is not None:
                yield wager.absent, Location(at.key, "/absent")
            for record in wager.records:
                yield from _walk(Location(record.target), "assumptions", record.assumptions)
    for way in catalog.house_ways.values():
        yield from _walk(Location(f"house-ways/{way.id}"), "statements", way.statements)
    for where in catalog.jurisdictions.values():
        yield from _walk(Location(f"jurisdictions/{where.id}"), "clauses", where.clauses)


def events(catalog: Catalog) -> Iterator[tuple[Event, Location]]:
    """Yield every declared event."""
    for key in EVENT_FILES:
        if key in catalog.documents and key not in catalog.left_out:
            for value, at in Location(key).items("/events", catalog.documents[key].value["events"]):
                yield catalog.events[value["id"]], at


def rules(catalog: Catalog) -> Iterator[tuple[Rule, Location]]:
    """Yield every rule of every jurisdiction."""
    for where in catalog.jurisdictions.values():
        yield from Location(f"jurisdictions/{where.id}").items("/rules", where.rules)


def sources(catalog: Catalog) -> Iterator[tuple[Source, Location]]:
    """Yield every declared source."""
    for event, at in events(catalog):
        yield event.source, at.inner("/source")
    for statement, at in statements(catalog):
        if not at.key.startswith(("house-ways/", "jurisdictions/")):
            yield statement.source, at.inner("/source")
    for game in catalog.games.values():
        for wager in game.wagers:
            yield from _wager_sources(wager)
    for name, figures in catalog.published.items():
        for figure, at in Location(f"{name}/published").items("/figures", figures):
            yield figure.source, at.inner("/source")
    for name, discrepancies in catalog.discrepancies.items():
        file = Location(f"{name}/discrepancies")
        for discrepancy, at in file.items("/discrepancies", discrepancies):
            yield from at.items("/sources", discrepancy.sources)


def _wager_sources(wager: Wager) -> Iterator[tuple[Source, Location]]:
    yield wager.source, Location(wager.target, "/source")
    for record in wager.records:
        yield record.source, Location(record.target, "/source")
    for table in wager.envies:
        yield table.source, Location(table.target, "/source")
    for option in wager.options:
        for rule, at in Location(option.target).items("/dealer_rules", option.dealer_rules):
            yield rule.source, at.inner("/source")


def _walk(
    at: Location, name: str, listed: Sequence[Statement]
) -> Iterator[tuple[Statement, Location]]:
    for statement, inner in at.items(f"/{name}", listed):
        yield statement, inner
        yield from _walk(inner, "parts", statement.parts)


def walk_objects(value: object, pointer: str = "") -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield each object in a JSON value with its pointer, outer ones first."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from walk_objects(item, f"{pointer}/{index}")
    elif isinstance(value, Mapping):
        yield value, pointer
        for name, part in value.items():
            yield from walk_objects(part, f"{pointer}/{name}")


def repeats(values: Iterable[Item], key: Callable[[Item], Hashable]) -> Iterator[tuple[Item, Item]]:
    """Yield each value whose key an earlier value has, with the first value of that key."""
    first: dict[Hashable, Item] = {}
    for value in values:
        original = first.setdefault(key(value), value)
        if original is not value:
            yield value, original
