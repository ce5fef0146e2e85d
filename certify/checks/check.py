"""Checks: a finding code, its page and its judge declared together, and the data they receive."""

import inspect
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from importlib import import_module
from types import ModuleType

from certify.checks.fault import Fault, Location
from certify.errors import CertifyError
from certify.model.analysis import Analysis
from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.model.comparison import FigureJudgement
from certify.model.filed import Filing
from certify.model.finding import Code, Document, Finding, Severity
from certify.model.game import Game, Wager
from certify.model.house_way import AuditedInGame
from certify.model.jurisdiction import Terms
from certify.model.main_wager import DealerRule, MainWager
from certify.model.paytable import EarlierPays, EnvyRow, EnvyTable, Paytable, Row


@dataclass(frozen=True, slots=True)
class Context:
    """What is judged, as far as it is there: what was not counted is not judged by its counts.

    Attributes:
        catalogue: the records.
        analyses: the figures by target.
        judgements: the audit of the printed figures.
        house_ways: the audits of house ways; None where they were not made.
        filing: what is filed in a jurisdiction, judged by its rules.
        terms: the terms of the filing, or of a table on its own.
        game: the game that these terms are to fit; None where they name it, or may fit any.
        refusals: why a target cannot be counted.
        takers: the places of the rows that are awarded the hands of a paytable's row, given by its
            place; empty where no hand of the deck is like that, None where nobody can say.
        noted: the keys of the files whose notes are asked for; None for all.
        earlier_pays: the pays of the built-in and approved paytables with the same id, by target.
        main_edges: the house edges of main wagers that were counted earlier, by target. A check
            counts none.
    """

    catalogue: Catalogue
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
    judgements: tuple[FigureJudgement, ...] = ()
    _: KW_ONLY
    house_ways: tuple[AuditedInGame, ...] | None = None
    filing: Filing | None = None
    terms: Terms | None = None
    game: Game | None = None
    refusals: Mapping[str, CertifyError] = field(default_factory=dict)
    takers: Callable[[Paytable, int], tuple[int, ...] | None] | None = None
    noted: Collection[str] | None = None
    earlier_pays: Mapping[str, Sequence[EarlierPays]] = field(default_factory=dict)
    main_edges: Mapping[str, Fraction] = field(default_factory=dict)

    def asks_for(self, code: Code, fault: Fault) -> bool:
        """Whether a fault is to become a finding: any but a note in a file that nobody named."""
        is_note = (fault.severity or code.severity) is Severity.NOTE
        return not is_note or self.noted is None or fault.key in self.noted

    def finding(self, code: Code, fault: Fault) -> Finding:
        """Return a fault as the finding of a code, in the file with its key."""
        documents = self.catalogue.documents
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
        """Everything that can be a target: games, wagers, paytables, options, envy tables."""
        keys = set(self.catalogue.documents)
        keys |= {record.target for wager in self.wagers for record in wager.records}
        shared = {*EVENT_FILES, "house-ways", "jurisdictions"}
        heads = {key.partition("/")[0] for key in keys} - shared
        files = {f"{head}/{name}" for head in heads for name in ("published", "discrepancies")}
        return tuple(sorted(key for key in keys - files if key.partition("/")[0] in heads))

    def has_file(self, key: str) -> bool:
        """Whether there is a file for this key; its record may be left out for its faults."""
        return key in self.catalogue.documents

    @property
    def games(self) -> tuple[Game, ...]:
        """Every game, in declared order."""
        return tuple(self.catalogue.games.values())

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """Every wager of every game."""
        return tuple(wager for game in self.games for wager in game.wagers)

    @property
    def options(self) -> tuple[MainWager, ...]:
        """Every option of every main wager."""
        return tuple(option for wager in self.wagers for option in wager.options)

    def paytables(self) -> Iterator[tuple[Wager, Paytable]]:
        """Yield every paytable with its wager."""
        for wager in self.wagers:
            for paytable in wager.paytables:
                yield wager, paytable

    def rows(self) -> Iterator[tuple[Paytable, Row, Location]]:
        """Yield every row of every paytable."""
        for _, paytable in self.paytables():
            for row, at in Location(paytable.target).items("/rows", paytable.rows):
                yield paytable, row, at

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
        """Return the hands of each event's first row; nothing where it was not counted."""
        analysis = self.analyses.get(paytable.target)
        return {row.event: row.combinations for row in reversed(analysis.rows)} if analysis else {}


Judge = Callable[[Context], Iterator[Fault]]
"""The whole context in, the places at fault out."""


@dataclass(frozen=True, slots=True)
class Check:
    """A finding code and its judge."""

    code: Code
    judge: Judge

    def __call__(self, context: Context) -> Iterator[Finding]:
        """Yield the findings of this code that are asked for."""
        return (
            context.finding(self.code, fault)
            for fault in self.judge(context)
            if context.asks_for(self.code, fault)
        )


def finds(
    code: str,
    title: str,
    *,
    severity: Severity = Severity.ERROR,
    mend: str,
    remedy: str = "",
    wrong: str,
    right: str,
) -> Callable[[Judge], Check]:
    """Declare the judge of a finding code: its docstring says why the code matters.

    The arguments are the other parts of the code's page; see `Code`.
    """

    def declare(judge: Judge) -> Check:
        why = inspect.getdoc(judge) or ""
        page = Code(
            code, title, severity, why=why, mend=mend, wrong=wrong, right=right, remedy=remedy
        )
        return Check(page, judge)

    return declare


def declared(package: ModuleType) -> Iterator[object]:
    """Yield what the modules of a package declare, the package's folders below included."""
    for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield from vars(import_module(name)).values()
