"""Types of one submission: the request, the resolved filing, and the documents' contents."""

import datetime as dt
import hashlib
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct, field
from msgspec.structs import replace

from certify.errors import InvariantBroken
from certify.formatting import join_words
from certify.model.analysis import Analysis, Census, LimitAnalysis
from certify.model.approval import Consulted
from certify.model.catalog import Catalog
from certify.model.comparison import CrossCheck, FigureJudgement, RuleJudgement
from certify.model.explanation import Example
from certify.model.finding import Document, Finding
from certify.model.game import Game, Strategy, Wager
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import IN_PLACE, ChecklistItem, Jurisdiction, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import HandOf, Paytable
from certify.model.request import Request, argument, option
from certify.model.source import Banking, Concern, Statement, belonging
from certify.model.topic import Procedure, Topic
from certify.model.vocabulary import Category

CLAUSES = "standing_clauses"
"""The section of the rules of play that prints the jurisdiction's own clauses."""


class CountOrigin(StrEnum):
    """The origin of a verification count."""

    BUILT_IN = "built_in"
    """It ships with certify."""

    THIS_USER = "this_user"
    """Made by the user who submits: it has the MAC of that user's cache."""

    DECLARED = "declared"
    """Declared by the project and not made here."""


class Change(StrEnum):
    """The difference between a project's file and the library."""

    REPLACES = "replaces"
    ADDED = "added"


class Letter(Struct, frozen=True, kw_only=True):
    """The laboratory's letter as a file; ``data`` is None if it is embedded elsewhere."""

    name: str
    sha256: str
    data: bytes | None = None


class Provenance(Struct, frozen=True, kw_only=True):
    """Origin of the records, verification counts and papers of a submission.

    Attributes:
        records: how records differ from certify's, by path: what replaces a shipped record, and
            each jurisdiction, template and schema that certify does not ship.
        counts: who made each declared verification count, by its digest.
        papers: SHA-256 of each cited paper that has a file, by document id; not of what is shipped.
        letter: the laboratory's letter, None without one.
    """

    records: Mapping[str, Change] = field(default_factory=dict)
    counts: Mapping[str, CountOrigin] = field(default_factory=dict)
    papers: Mapping[str, str] = field(default_factory=dict)
    letter: Letter | None = None

    @property
    def replaced_records(self) -> tuple[str, ...]:
        """Records by which a document stays a draft unless the preparer accepts them."""
        return tuple(path for path in self.records if path.startswith(TO_ACCEPT))


TO_ACCEPT = ("paytables/jurisdictions/", "templates/", "schemas/")
"""Folders of a jurisdiction's rules and of the documents' text and form."""


class Order(Request, frozen=True, kw_only=True):
    """A request for a submission: the options of `certify submit`, without signer and folder."""

    game: Annotated[str, argument("Name of a filing of the project, or id of a game.")] = ""
    jurisdiction: Annotated[
        str, option("Id of a jurisdiction, such as nevada or wsgc; required with a game.")
    ] = ""
    paytables: Annotated[
        tuple[str, ...],
        option(
            "Paytable or main option to file; repeat for more. If no paytable is named, all are "
            "filed; an option that is named as GAME/main/ID is then filed alone.",
            "--paytable", metavar="ID",
        ),
    ] = ()  # fmt: skip
    house_way: Annotated[
        str | None, option("House way of the dealer. Default: the game's own.")
    ] = None
    strategy: Annotated[Strategy | None, option("Player strategy.")] = None
    as_of: Annotated[
        dt.date | None,
        option("Date of the rules to apply (YYYY-MM-DD). Default: the revision date."),
    ] = None
    kit: Annotated[bool, option("Add the laboratory kit (zip).")] = False
    register: Annotated[
        Path | None, option("Register of approvals. Default: the project's register.json.")
    ] = None
    terms: Annotated[Path | None, option("File of a filing elsewhere, or of table terms.")] = None
    accept_replaced: Annotated[
        bool,
        option("Accept replaced jurisdictions and templates; the documents declare them."),
    ] = False

    def names(self, record: MainWager | Paytable) -> bool:
        """Return True if the request includes an option or paytable, by its id or its target."""
        return not {record.id, record.target}.isdisjoint(self.paytables)

    @property
    def stated_command(self) -> str:
        """The command as evidence states it, with the usual names of the preparer's files."""
        register, terms = self.register and Path("register.json"), self.terms and Path("terms.json")
        return replace(self, register=register, terms=terms).command

    @property
    def command(self) -> str:
        """The shortest command for the same submission, without signer and folder."""
        options = [("--jurisdiction", self.jurisdiction)] if self.jurisdiction else []
        options += [("--paytable", name) for name in self.paytables]
        values = {
            "--house-way": self.house_way,
            "--strategy": self.strategy,
            "--as-of": self.as_of,
            "--register": self.register,
            "--terms": self.terms,
        }
        options += [(option, str(value)) for option, value in values.items() if value is not None]
        accepted = ["--accept-replaced"] if self.accept_replaced else []
        return shlex.join(
            ["certify", "submit", self.game, *chain.from_iterable(options), *accepted]
        )


class Filing(Struct, frozen=True, kw_only=True):
    """The entries of a game that an order files, and in its catalog all that they refer to.

    The documents print nothing else, so what they embed, every file of the catalog, is enough to
    make them again.

    Attributes:
        order: the request.
        game: the game; several tables that pay a wager at once are merged in one.
        jurisdiction: where it is filed.
        main: the filed option of the main wager, with others only where the player chooses among
            them (`options`); None where there is no main wager.
        paytables: the filed bonus paytables.
        catalog: the declared files and entries.
        declared: the same with the paytables that are not filed, of which registers state digests.
        templates: folders of the user's templates, whose files are in the catalog.
        terms: the terms of the table, as far as they are stated.
        register: the answer of a register of approvals; None where none was consulted.
        provenance: the origin of the entries, and the laboratory's letter.
        analyses: the figures by target; empty until they are counted.
        examples: the worked examples; None until they are made.
    """

    order: Order
    game: Game
    jurisdiction: Jurisdiction
    main: MainWager | None
    paytables: tuple[Paytable, ...]
    catalog: Catalog = field(default_factory=Catalog)
    declared: Catalog = field(default_factory=Catalog)
    templates: tuple[Path, ...] = ()
    terms: Terms = field(default_factory=Terms)
    register: Consulted | None = None
    provenance: Provenance = field(default_factory=Provenance)
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
    examples: tuple[Example, ...] | None = None

    @property
    def parts(self) -> dict[str, Any]:
        """The fields by name, for building a `Submission`."""
        return {name: getattr(self, name) for name in Filing.__struct_fields__}

    @property
    def option(self) -> MainWager:
        """The option of the main wager that is filed.

        Raises:
            InvariantBroken: the game has no main wager.
        """
        if self.main is None:
            raise InvariantBroken(f"{self.game.id} has no main wager.")
        return self.main

    @property
    def options(self) -> tuple[MainWager, ...]:
        """The options of the main wager that are filed, the named one first."""
        return self.game.options_with(self.main)

    @property
    def records(self) -> tuple[MainWager | Paytable, ...]:
        """The filed options and paytables."""
        return (*self.options, *self.paytables)

    @property
    def ranking(self) -> tuple[Category, ...]:
        """The categories of undivided hands, highest first; empty if no filed wager ranks them."""
        uses = any(table.hand is not HandOf.TOGETHER for table in self.paytables)
        compared = self.main is not None
        return self.game.hands.rank(compared=compared) if uses or compared else ()

    def filter_statements(self, statements: Iterable[Statement]) -> tuple[Statement, ...]:
        """Return the statements that apply to the submission, with its players and its strategy."""
        played = self.order.strategy or self.game.strategy
        others = {f"strategy-{each}" for each in Strategy if each is not played}
        applying = belonging(
            [each for each in statements if each.id not in others],
            options={option.id for option in self.options},
            wagers={wager.id for wager in self.wagers},
            jurisdiction=self.jurisdiction.id,
            dealt=self.game.dealt,
        )
        players = self.terms.players
        if players is None:
            return applying
        return tuple(
            replace(
                each,
                text=f"The table seats up to {players} player{'s' * (players != 1)}.",
                source=replace(each.source, clause=f"{IN_PLACE} {each.source.clause}"),
            )
            if each.topic is Topic.SEATS and players != self.game.players
            else each
            for each in applying
            if not (each.topic is Topic.SEATS and each.open)
        )

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """The submitted wagers, including the main wager."""
        main, filed = self.main, {table.wager for table in self.paytables}
        return tuple(each for each in self.game.wagers if main in each.options or each.id in filed)

    @property
    def progressives(self) -> tuple[Paytable, ...]:
        """The filed paytables with a meter."""
        return tuple(table for table in self.paytables if table.progressive is not None)

    @property
    def placeholders(self) -> tuple[Paytable, ...]:
        """The filed paytables whose pays are not those for which approval is requested."""
        return tuple(table for table in self.paytables if table.placeholder is not None)

    def needs_procedure(self, procedure: Procedure) -> bool:
        """Return True if the filed rules must describe a procedure."""
        if procedure.needs_meter and not self.progressives:
            return False
        if procedure.is_optional:
            return any(procedure in item.proof for item in self.jurisdiction.checklist)
        if procedure is Procedure.SETTLEMENT:
            return self.main is not None
        if procedure.needs_banking_player:
            return self.game.banked_by is not Banking.HOUSE
        return self.game.hands.shape.is_divided or not procedure.needs_division

    def is_settled(self, procedure: Procedure) -> bool:
        """Return True if the terms, or a printed statement, answer the topic of a procedure.

        The rules of a round are printed with those of the main wager.
        """
        sections = self.jurisdiction.sections
        printed = {"round" if name == "main" else name for name in sections}
        if procedure in dict(self.terms.procedures) and procedure.section in printed:
            return True
        statements = [
            statement
            for section in self.game.sections
            if section.id in printed
            for statement in section.statements
        ]
        statements += self.jurisdiction.clauses if CLAUSES in sections else ()
        return any(
            each.replaced_by is procedure and not each.open
            for each in self.filter_statements(statements)
        )

    def join_names(self, wagers: Iterable[Wager]) -> str:
        """Return the names of wagers as a list in a sentence."""
        return join_words(wager.name for wager in wagers)

    def tables(self, wager: Wager) -> tuple[Paytable, ...]:
        """Return the filed paytables of a wager."""
        return tuple(table for table in self.paytables if table.wager == wager.id)

    def maximum_wager(self, wager: Wager) -> int | None:
        """Return the largest wager in cents that is declared, or else the largest lawful one."""
        largest = self.terms.largest(wager)
        return self.wager_limit_cents if largest is None else largest

    @property
    def wager_limit_cents(self) -> int | None:
        """The largest wager in cents that the jurisdiction allows on the day, or None."""
        text = self.jurisdiction.wager_limit(self.as_of)
        return None if text is None else text.parameter("largest_wager_cents")

    @property
    def unaccepted_records(self) -> tuple[str, ...]:
        """The files that do not come with certify and that are not accepted."""
        return () if self.order.accept_replaced else self.provenance.replaced_records

    @property
    def report_id(self) -> str:
        """The id of the submission, with which the names of its files begin.

        It names the subject, the revision and its date; other contents have another id.
        """
        option = (self.main.id,) if self.main is not None else ()
        named = re.sub(r"[^A-Za-z0-9._-]", "-", self.game.revision)
        revision = (f"r{named}", self.game.revised.isoformat())
        where = (self.jurisdiction.id, *((self.terms.id,) if self.terms.id else ()))
        return ".".join((self.game.id, *where, *option, *self._choices(), *revision))

    def _choices(self) -> Iterator[str]:
        """Yield each choice that differs from the default."""
        order = self.order
        tables = sorted(table.target for table in self.paytables if order.names(table))
        if order.paytables and not self.paytables:
            yield "main-alone"
        elif len(tables) == 1:
            yield tables[0].removeprefix(f"{self.game.id}/").replace("/", "-")
        elif tables:
            digest = hashlib.sha256("\n".join(tables).encode()).hexdigest()
            yield f"{len(tables)}-paytables-{digest[:8]}"
        if order.house_way not in {None, self.game.house_way}:
            yield str(order.house_way)
        if order.strategy not in {None, self.game.strategy}:
            yield str(order.strategy)
        if self.terms.joker is not None:
            yield self.terms.joker.replace("_", "-")
        if self.as_of != self.game.revised:
            yield f"rules-of-{self.as_of}"

    @property
    def as_of(self) -> dt.date:
        """The day whose rules apply: that of the order, or that of the game's revision."""
        return self.order.as_of or self.game.revised

    @property
    def documents(self) -> list[Document]:
        """The declared files of this filing, in the order of their keys."""
        documents = sorted(self.catalog.documents.items())
        return [document for _, document in documents if document is not self.second_counts]

    @property
    def game_files(self) -> list[Document]:
        """The files of the game itself."""
        return [
            document
            for key, document in sorted(self.catalog.documents.items())
            if f"{key}/".startswith(f"{self.game.id}/") and document is not self.second_counts
        ]

    @property
    def second_counts(self) -> Document | None:
        """The file of the game's verification counts, which is as confidential as the figures."""
        return self.catalog.documents.get(f"{self.game.id}/second-counts")


class Status(StrEnum):
    """Document status; only FINAL may be filed."""

    FINAL = "final"
    DRAFT = "draft"
    """Signed with a development key, or with rules or templates that nobody has accepted."""

    UNSIGNED = "unsigned"


class ItemState(StrEnum):
    """The state of an item of the submission."""

    DONE = "done"
    """These documents declare all facts that it depends on."""

    OPEN = "open"
    """Something is missing or comes from others; the detail says what to supply."""

    NOT_NEEDED = "not_needed"
    """It does not apply to this submission."""


class ChecklistLine(Struct, frozen=True, kw_only=True):
    """One item of the submission; ``judgement`` is that of the rule, if its test decides."""

    item: ChecklistItem
    state: ItemState
    detail: str
    judgement: RuleJudgement | None = None


class Enclosure(Struct, frozen=True, kw_only=True):
    """A filed file as the manifest lists it; ``part`` is the end of its name."""

    name: str
    part: str
    sha256: str
    confidential: bool


class Submission(Filing, frozen=True, kw_only=True):
    """A filing with everything that its documents print; every figure is still exact.

    Attributes:
        way: the dealer's house way; None where hands are not divided.
        frequencies: the count of every hand by name.
        comparison: the filed option under each strategy, as information.
        other_options: the options that are not filed, as information.
        other_ways: the filed options by each other house way that the rules allow, with its name.
        least_limits: the effect of the least aggregate payout limit that may be set, by target,
            where the terms leave limits open.
        recount_sha256, build_sha256: digests of the program of verification counts, and of certify.
        stated_resolutions, stated_marks: those that evidence states; None where they are derived.
        enclosures: the files that the letter lists; empty until they are made.
    """

    way: HouseWay | None
    frequencies: Census
    examples: tuple[Example, ...]
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
    recount_sha256: str = ""
    build_sha256: str = ""
    stated_resolutions: Mapping[str, str] | None = None
    stated_marks: frozenset[str] | None = None
    enclosures: tuple[Enclosure, ...] = ()

    @property
    def resolutions(self) -> Mapping[str, str]:
        """The resolution of each discrepancy of the source, by its id."""
        if self.stated_resolutions is not None:
            return self.stated_resolutions
        declared = self.catalog.discrepancies.get(self.game.id, ())
        return {each.id: each.resolution for each in declared}

    @property
    def favorable_ways(self) -> tuple[tuple[str, Analysis], ...]:
        """The ``other_ways`` with which the player has an advantage."""
        return tuple(each for each in self.other_ways if (each[1].house_edge or 0) < 0)

    @property
    def house_way(self) -> HouseWay:
        """The dealer's house way.

        Raises:
            InvariantBroken: hands are not divided, and there is no house way.
        """
        if self.way is None:
            raise InvariantBroken(f"{self.game.id} has no house way.")
        return self.way

    @property
    def raise_name(self) -> str:
        """The name of the raise of the main wager, empty without one."""
        raised = self.main.raise_ if self.main is not None else None
        return raised.name if raised is not None else ""

    @property
    def assumptions(self) -> tuple[Statement, ...]:
        """The assumptions of the game and the house way, and definitions that have an effect."""
        decided = (each for each in self.game.definitions if each.effect is not None)
        of_the_way = self.way.assumptions if self.way is not None else ()
        return (*decided, *self.game.assumptions, *of_the_way)

    def readings(self, assumptions: Iterable[Statement]) -> tuple[Statement, ...]:
        """Return the assumptions on play that apply to the submission."""
        applied = self.filter_statements(assumptions)
        return tuple(reading for reading in applied if reading.concern is Concern.PLAY)
