"""From an order to a submission: the value that the documents print."""

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path

from certify import __version__, library
from certify.checks.codes import OF_RULES
from certify.checks.context import Context
from certify.checks.jurisdiction.checklist import checklist_of
from certify.checks.jurisdiction.judge import wager_limit
from certify.checks.review import review
from certify.checks.walk import statements
from certify.engine.count_cache import counting_anew
from certify.engine.hands.awards import event_counts
from certify.engine.hands.events import find
from certify.errors import NotConfigured
from certify.intake.read import read_catalogue
from certify.intake.terms import read_terms
from certify.model.analysis import Analysis
from certify.model.approval import Consulted
from certify.model.catalogue import Catalogue
from certify.model.census import Census
from certify.model.condition import FeatureValue
from certify.model.document import Document
from certify.model.finding import Finding, Severity, Unfit
from certify.model.game import Game, Strategy, Wager
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Status, Submission
from certify.model.terms import TERMS, Terms
from certify.pipeline.alternatives import priced
from certify.pipeline.audit import judge_figures
from certify.pipeline.countable import refused_options
from certify.pipeline.crosscheck.verification import cross_checks
from certify.pipeline.evaluate import Progress, Settings, evaluate, house_way_of
from certify.pipeline.limits import least_limits
from certify.pipeline.register.register import consult
from certify.pipeline.submit.rules import filed, judge_rules
from certify.pipeline.submit.worked_examples import examples_of
from certify.pipeline.targets import Selection, unknown

LADDER = (
    "five_aces", "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush",
    "straight", "three_of_a_kind", "two_pair", "pair", "ace_high_pai_gow", "king_high_pai_gow",
    "queen_high_pai_gow", "jack_high_pai_gow", "ten_high_pai_gow", "nine_high_pai_gow",
    "eight_high_pai_gow", "seven_high_pai_gow",
)  # fmt: skip
"""The names of hands, highest first, that the table of hand frequencies goes through."""


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
class Filing:
    """The records that an order names, and in its catalogue all that they refer to.

    Nothing else is at hand when the documents are made. So what they print can be made again
    from what they embed, which is every file of the catalogue.
    """

    catalogue: Catalogue
    game: Game
    jurisdiction: Jurisdiction
    option: MainWager
    paytables: tuple[Paytable, ...]
    terms: Terms | None = None
    register: Consulted | None = None

    @property
    def report_id(self) -> str:
        """The name of the filing, with which the names of its files begin."""
        return f"{self.game.id}.{self.jurisdiction.id}.{self.option.id}.r{self.game.revision}"

    @property
    def options(self) -> tuple[MainWager, ...]:
        """The options of the main wager that are filed, the named one first."""
        return self.game.filed_with(self.option)

    @property
    def documents(self) -> list[Document]:
        """The declared files of this filing, in the order of their keys."""
        found = sorted(self.catalogue.documents.items())
        return [document for _, document in found if document is not self.second_counts]

    @property
    def own(self) -> list[Document]:
        """The files of the game itself."""
        whole = f"{self.game.id}/"
        found = sorted(self.catalogue.documents.items())
        own = [document for key, document in found if f"{key}/".startswith(whole)]
        return [document for document in own if document is not self.second_counts]

    @property
    def second_counts(self) -> Document | None:
        """The file of the game's second counts: figures, not rules, and confidential as they."""
        return self.catalogue.documents.get(f"{self.game.id}/second-counts")


def filing_of(order: Order, folder: Path | None = None) -> Filing:
    """Read what is declared and choose what is filed.

    Raises:
        NotConfigured: an id is unknown, or two options of the main wager are named.
        Unfit: the declared data, the rules of the jurisdiction or the terms have errors.
    """
    catalogue, findings = read_catalogue(folder or library.paytables())
    errors = tuple(one for one in findings if one.severity is Severity.ERROR)
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
    ids = {name for one in records for name in (one.id, one.target)}
    for name in order.paytables:
        if name not in ids:
            raise unknown("paytable", name, sorted(ids))
    chosen = tuple(one for one in options if {one.id, one.target} & set(order.paytables))
    if any(one not in game.filed_with(chosen[0]) for one in chosen):
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
    chosen_tables = tuple(one for one in paytables if {one.id, one.target} & set(order.paytables))
    return Filing(
        catalogue=catalogue,
        game=game,
        jurisdiction=catalogue.jurisdictions[order.jurisdiction],
        option=chosen[0] if chosen else options[0],
        paytables=chosen_tables or paytables,
        terms=terms,
    )


def _refuse_unfit(catalogue: Catalogue, game: Game, jurisdiction: str, terms: Terms | None) -> None:
    """Refuse a game that cannot be filed, rules that cannot be judged by, terms that do not fit.

    It is refused before anything is counted, for what `check` finds.

    Raises:
        Unfit: a file of the game, or one that it shares, has errors.
    """
    keys = {f"jurisdictions/{jurisdiction}", TERMS, "events", game.id}
    keys |= {f"house-ways/{one}" for one in game.house_ways}
    keys |= {one for one in catalogue.documents if one.startswith(f"{game.id}/")}
    files = {catalogue.documents[key].path for key in keys if key in catalogue.documents}
    refusals = refused_options(catalogue, {game.id})
    found = review(catalogue, {}, terms=terms, game=game, refusals=refusals)
    errors = tuple(one for one in found if one.severity is Severity.ERROR and one.file in files)
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
    found = consult(
        order.register,
        catalogue=filing.catalogue,
        game=filing.game,
        jurisdiction=filing.jurisdiction.id,
        records=(*filing.options, *filing.paytables),
        house_way=order.house_way or filing.game.house_way,
    )
    return replace(filing, register=found)


def _keys(catalogue: Catalogue, game: Game, jurisdiction: str) -> set[str]:
    """Return the keys of the files that a filing rests on, and of those that they name."""
    own = {key for key in catalogue.documents if f"{key}/".startswith(f"{game.id}/")}
    keys = own | {"events", TERMS, f"jurisdictions/{jurisdiction}"}
    keys |= {f"house-ways/{one}" for one in game.house_ways}
    keys |= {f"alternatives/{one}" for one in (game.id, *game.house_ways)}
    context = Context(catalogue=catalogue.only(keys), analyses={})
    named = {one.statement.jurisdiction for one in statements(context)}
    return keys | {f"jurisdictions/{one}" for one in named if one is not None}


def analyses_of(
    filing: Filing, order: Order, progress: Progress | None = None
) -> dict[str, Analysis]:
    """Return the analysis of every record that is filed, by target, other readings counted.

    The figures of what is filed are counted in this run; those of other readings may be kept.
    """
    records: list[tuple[Wager, Paytable | MainWager]] = [
        (wager, record)
        for wager in filing.game.wagers
        for record in (*wager.options, *wager.paytables)
        if record in filing.options or record in filing.paytables
    ]
    selection = Selection(catalogue=filing.catalogue, game=filing.game, records=tuple(records))
    settings = Settings(
        house_way=order.house_way,
        strategy=order.strategy,
        terms=filing.terms or Terms(),
        lawful_cents=wager_limit(filing.jurisdiction, order.as_of or filing.game.revised),
        progress=progress,
    )
    with counting_anew():
        own = {one.target: one for one in evaluate(selection, settings)}
    return priced(selection, settings, own)


def submission_of(
    filing: Filing,
    order: Order,
    analyses: dict[str, Analysis],
    *,
    status: Status,
    evidence_sha256: str,
) -> Submission:
    """Return everything that the documents print.

    Raises:
        Unfit: the review found errors.
    """
    game, catalogue = filing.game, filing.catalogue
    as_of = order.as_of or game.revised
    figures = judge_figures(catalogue, game, analyses)
    house_way = house_way_of(catalogue, game, order.house_way)
    examples = examples_of(filing, house_way)
    asked = filed(
        game=game,
        option=filing.option,
        paytables=filing.paytables,
        analyses=analyses,
        jurisdiction=filing.jurisdiction,
        as_of=as_of,
        terms=filing.terms,
        examples=examples,
        standings=filing.register.standings if filing.register else None,
        names=filing.register.namesakes if filing.register else None,
    )
    found = review(catalogue, analyses, figures, filing=asked)
    findings = tuple(one for one in found if _concerns(one, filing))
    errors = tuple(one for one in findings if one.severity is Severity.ERROR)
    if errors:
        raise Unfit(errors)
    rules = judge_rules(asked)
    comparison, others = _comparison(filing, order, analyses), _other_options(filing, order)
    also = [analyses[one.target] for one in filing.options if one != filing.option]
    return Submission(
        report_id=filing.report_id,
        game=game,
        jurisdiction=filing.jurisdiction,
        as_of=as_of,
        house_way=house_way,
        option=filing.option,
        paytables=filing.paytables,
        events=catalogue.events,
        analyses=analyses,
        frequencies=frequencies(filing),
        examples=examples,
        discrepancies=catalogue.discrepancies.get(game.id, ()),
        figures=figures,
        rules=rules,
        crosschecks=cross_checks(filing, (*comparison, *also, *others), house_way=house_way),
        checklist=checklist_of(asked, rules),
        findings=findings,
        engine_version=__version__,
        evidence_sha256=evidence_sha256,
        command=order.command,
        status=status,
        terms=filing.terms or Terms(),
        register=filing.register,
        sources={one.filed_as: one.sha256 for one in filing.documents},
        comparison=comparison,
        other_options=others,
        least_limits=least_limits(asked),
    )


def _concerns(finding: Finding, filing: Filing) -> bool:
    """Say whether a finding is about the filed game, or about its filing by the rules."""
    return finding.code in OF_RULES or finding.file in {one.path for one in filing.own}


def _comparison(
    filing: Filing, order: Order, analyses: dict[str, Analysis]
) -> tuple[Analysis, ...]:
    """Return the filed option under each strategy, the filed one's own first."""
    own = analyses[filing.option.target]
    others = [one for one in Strategy if own.main is not None and one is not own.main.strategy]
    return (own, *(_option(filing, order, filing.option, one) for one in others))


def _other_options(filing: Filing, order: Order) -> tuple[Analysis, ...]:
    options = (option for wager in filing.game.wagers for option in wager.options)
    return tuple(
        _option(filing, order, option, order.strategy)
        for option in options
        if option not in filing.options
    )


def _option(filing: Filing, order: Order, option: MainWager, strategy: Strategy | None) -> Analysis:
    wager = next(one for one in filing.game.wagers if option in one.options)
    selection = Selection(catalogue=filing.catalogue, game=filing.game, records=((wager, option),))
    return evaluate(selection, Settings(house_way=order.house_way, strategy=strategy))[0]


def frequencies(filing: Filing) -> Census:
    """Count every hand by its name, highest first; the names cover the deck."""
    hands = filing.game.hands
    known = [name for name in LADDER if name in filing.catalogue.events]
    events = find(filing.catalogue.events, known)
    total, counts = event_counts(events, range(len(events)), hands=hands, cards=hands.shape.cards)
    cells: dict[tuple[FeatureValue, ...], int] = {
        (event.id,): count for event, count in zip(events, counts, strict=True) if count
    }
    rest = total - sum(counts)
    if rest:
        cells[(None,)] = rest
    return Census(features=("hand",), cards=hands.shape.cards, total=total, cells=cells)
