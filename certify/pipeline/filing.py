"""What is filed: an order read against what is declared, and the records that it names."""

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path

from certify import library
from certify.checks.context import Context
from certify.checks.review import review
from certify.checks.walk import statements
from certify.errors import NotConfigured
from certify.intake.read import read_catalogue
from certify.intake.templates import own_templates, read_templates
from certify.intake.terms import read_terms
from certify.model.approval import Consulted
from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.model.document import Document
from certify.model.filed import FiledGame
from certify.model.finding import Severity, Unfit
from certify.model.game import Game, Strategy
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.terms import TERMS, Terms
from certify.pipeline.figures.countable import refused_options
from certify.pipeline.register.register import consult
from certify.pipeline.targets import unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What the user asked for; ``command`` is printed as the way to make the same documents."""

    game: str
    jurisdiction: str
    command: str
    paytables: tuple[str, ...] = ()
    house_way: str | None = None
    strategy: Strategy | None = None
    as_of: dt.date | None = None
    kit: bool = False
    register: Path | None = None
    terms: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing(FiledGame):
    """The records that an order names, and in its catalogue all that they refer to.

    Nothing else is at hand when the documents are made. So what they print can be made again
    from what they embed, which is every file of the catalogue. ``templates`` are the folders of
    the user's own templates, whose files are among those of the catalogue.
    """

    catalogue: Catalogue
    templates: tuple[Path, ...] = ()
    terms: Terms | None = None
    register: Consulted | None = None

    @property
    def report_id(self) -> str:
        """The name of the filing, with which the names of its files begin."""
        option = f".{self.main.id}" if self.main is not None else ""
        return f"{self.game.id}.{self.jurisdiction.id}{option}.r{self.game.revision}"

    @property
    def documents(self) -> list[Document]:
        """The declared files of this filing, in the order of their keys."""
        documents = sorted(self.catalogue.documents.items())
        return [document for _, document in documents if document is not self.second_counts]

    @property
    def own(self) -> list[Document]:
        """The files of the game itself."""
        whole = f"{self.game.id}/"
        documents = sorted(self.catalogue.documents.items())
        own = [document for key, document in documents if f"{key}/".startswith(whole)]
        return [document for document in own if document is not self.second_counts]

    @property
    def second_counts(self) -> Document | None:
        """The file of the game's second counts: figures, not rules, and confidential as they."""
        return self.catalogue.documents.get(f"{self.game.id}/second-counts")


def filing_of(order: Order, *layers: Path) -> Filing:
    """Read what is declared and choose what is filed.

    Args:
        order: what is asked for.
        layers: the folders of declared data; without any, those of the library and the project.

    Raises:
        NotConfigured: an id is unknown, or two options of the main wager are named.
        Unfit: the declared data, the rules of the jurisdiction or the terms have errors.
    """
    layers = layers or library.layers()
    catalogue, findings = read_catalogue(*layers)
    errors = tuple(finding for finding in findings if finding.severity is Severity.ERROR)
    if errors:
        raise Unfit(errors)
    if order.game not in catalogue.games:
        raise unknown("game", order.game, catalogue.games)
    if order.jurisdiction not in catalogue.jurisdictions:
        raise unknown("jurisdiction", order.jurisdiction, catalogue.jurisdictions)
    game = catalogue.games[order.game]
    options = tuple(option for wager in game.wagers for option in wager.options)
    paytables = tuple(table for wager in game.wagers for table in wager.paytables)
    records: tuple[MainWager | Paytable, ...] = (*options, *paytables)
    ids = {name for record in records for name in (record.id, record.target)}
    for name in order.paytables:
        if name not in ids:
            raise unknown("paytable", name, sorted(ids))
    chosen = tuple(
        option for option in options if {option.id, option.target} & set(order.paytables)
    )
    if any(option not in game.filed_with(chosen[0]) for option in chosen):
        raise NotConfigured(
            f"A submission has one option of the main wager, and {len(chosen)} are named.",
            remedy="File each option in a submission of its own.",
        )
    terms = None
    if order.terms is not None:
        terms, document = read_terms(order.terms)
        catalogue = replace(catalogue, documents={**catalogue.documents, TERMS: document})
    catalogue = catalogue.only(_keys(catalogue, game, order.jurisdiction))
    _refuse_unfit(catalogue, game, order.jurisdiction, terms)
    templates = own_templates(layers)
    catalogue = replace(catalogue, documents={**catalogue.documents, **read_templates(templates)})
    chosen_tables = tuple(
        paytable for paytable in paytables if {paytable.id, paytable.target} & set(order.paytables)
    )
    filed = {paytable.target for paytable in chosen_tables or paytables}
    catalogue = one_table_each(catalogue, game)
    game = catalogue.games[game.id]
    return Filing(
        catalogue=catalogue,
        game=game,
        jurisdiction=catalogue.jurisdictions[order.jurisdiction],
        main=next(iter((*chosen, *options)), None),
        paytables=tuple(
            table for wager in game.wagers for table in wager.paytables if table.target in filed
        ),
        templates=templates,
        terms=terms,
    )


def one_table_each(catalogue: Catalogue, game: Game) -> Catalogue:
    """Return the catalogue with what several tables pay a wager at once added up in one.

    Raises:
        NotConfigured: the pays of the tables cannot be added up.
    """
    if not any(table.also for wager in game.wagers for table in wager.paytables):
        return catalogue
    from certify.engine.bonus.joint import joined

    together, events = joined(game, catalogue.events, catalogue.house_ways.get(game.house_way))
    return replace(catalogue, events=events, games={**catalogue.games, game.id: together})


def _refuse_unfit(catalogue: Catalogue, game: Game, jurisdiction: str, terms: Terms | None) -> None:
    """Refuse a game that cannot be filed, rules that cannot be judged by, terms that do not fit.

    It is refused before anything is counted, for what `check` finds.

    Raises:
        Unfit: a file of the game, or one that it shares, has errors.
    """
    keys = {f"jurisdictions/{jurisdiction}", TERMS, *EVENT_FILES, game.id}
    keys |= {f"house-ways/{house_way}" for house_way in game.house_ways}
    keys |= {document for document in catalogue.documents if document.startswith(f"{game.id}/")}
    files = {catalogue.documents[key].path for key in keys if key in catalogue.documents}
    refusals = refused_options(catalogue, {game.id})
    findings = review(Context(catalogue, terms=terms, game=game, refusals=refusals))
    errors = tuple(
        finding
        for finding in findings
        if finding.severity is Severity.ERROR and finding.file in files
    )
    if errors:
        raise Unfit(errors)


def consulted(filing: Filing, order: Order) -> Filing:
    """Return the filing with what the register of the order says of it.

    Raises:
        NotConfigured: there is no such register.
        Unfit: the register has errors, or an id is on record with other content.
    """
    if order.register is None:
        return filing
    register = consult(
        order.register,
        catalogue=filing.catalogue,
        game=filing.game,
        jurisdiction=filing.jurisdiction.id,
        records=(*filing.options, *filing.paytables),
        house_way=order.house_way or filing.game.house_way,
    )
    return replace(filing, register=register)


def _keys(catalogue: Catalogue, game: Game, jurisdiction: str) -> set[str]:
    """Return the keys of the files that a filing rests on, and of those that they name."""
    own = {key for key in catalogue.documents if f"{key}/".startswith(f"{game.id}/")}
    keys = own | {*EVENT_FILES, TERMS, f"jurisdictions/{jurisdiction}"}
    keys |= {f"house-ways/{house_way}" for house_way in game.house_ways}
    keys |= {f"alternatives/{name}" for name in (game.id, *game.house_ways)}
    named = {statement.jurisdiction for statement, _ in statements(catalogue.only(keys))}
    return keys | {f"jurisdictions/{name}" for name in named if name is not None}
