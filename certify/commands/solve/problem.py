"""Problem of a search for pays, and its solutions as records."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from msgspec import Struct, field
from msgspec.structs import replace

from certify import library
from certify.checks.framework import Context
from certify.checks.r_jurisdictions.judge import against_filing
from certify.checks.review import review
from certify.declare.new import check_id, copy_record, format_record, write_new
from certify.engine.pay_unknowns import Amounts, Table, replace_amounts
from certify.errors import NotConfigured, NotReadable
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import Selection, name_target, refuse_errors, select_sound, unknown_id
from certify.formatting import read_cents, read_whole
from certify.intake.workspace import Workspace
from certify.model.analysis import Analysis, By, Kind, Unknown
from certify.model.finding import Finding, Unfit
from certify.model.game import Wager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.request import MeterCents, Request, Target, argument, option
from certify.model.submission import Filing
from certify.review.check import check

NOUNS = {Kind.ROW: "row", Kind.ENVY: "envy prize", Kind.METER: "meter"}


class EdgeBand(Struct, frozen=True, kw_only=True):
    """House edges from ``low`` to ``high``, as shares of the wager."""

    low: Fraction
    high: Fraction

    name: ClassVar[str] = "edge"
    example: ClassVar[str] = "4.5..5.5 for a house edge from 4.5% to 5.5%"
    number: ClassVar[str] = r"-?[0-9]+(\.[0-9]+)?%?"
    unit: ClassVar[str] = "percentages"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the band of a text such as ``4.5..5.5``.

        Raises:
            NotReadable: it is not two rising numbers.
        """
        low, dots, high = text.partition("..")
        if not dots or not all(re.fullmatch(cls.number, end) for end in (low, high)):
            raise NotReadable(
                f"--{cls.name}: {text} is not a band.", remedy=f"Write {cls.example}."
            )
        whole = 100 if cls.unit == "percentages" else 1
        ends = [Fraction(end.removesuffix("%")) / whole for end in (low, high)]
        if ends[0] > ends[1]:
            raise NotReadable(
                f"--{cls.name}: the upper bound of {text} is below the lower one.",
                remedy=f"Write the lower bound first: {cls.example}.",
            )
        return cls(low=ends[0], high=ends[1])

    def __contains__(self, figure: Fraction) -> bool:
        return self.low <= figure <= self.high


class HitBand(EdgeBand, frozen=True, kw_only=True):
    """Hit frequencies from ``low`` to ``high``, as shares of all hands."""

    name = "hits"
    example = "20..25 for a hit frequency from 20% to 25%"
    number = r"[0-9]+(\.[0-9]+)?%?"


class DeviationBand(EdgeBand, frozen=True, kw_only=True):
    """Standard deviations from ``low`` to ``high``, in units of the wager."""

    name = "deviation"
    example = "3..4.5 for a standard deviation from 3 to 4.5"
    number = r"[0-9]+(\.[0-9]+)?"
    unit = "numbers"


def read_bounds(texts: Sequence[str]) -> dict[Unknown, tuple[int, int]]:
    """Return bounds written as NAME=LOW..HIGH: units of a row, dollars of a prize or a meter.

    Raises:
        NotReadable: a text is not of this form.
    """
    bounds = {}
    for text in texts:
        name, equals, values = text.partition("=")
        low, dots, high = values.partition("..")
        if not equals or not dots:
            raise _refuse_bound(text)
        unknown = Unknown.parse(name)
        read = read_whole if unknown.kind is Kind.ROW else read_cents
        ends = read(low), read(high)
        if ends[0] is None or ends[1] is None:
            raise _refuse_bound(text)
        bounds[unknown] = ends[0], ends[1]
    return bounds


def _refuse_bound(text: str) -> NotReadable:
    return NotReadable(
        f"--bound: {text} is not NAME=LOW..HIGH.",
        remedy="Write for example --bound flush=3..6, or --bound envy:flush=5..50 (dollars).",
    )


class Question(Request, frozen=True, kw_only=True):
    """Options of `certify solve`; money in cents, ``bounds`` of rows in units of the wager.

    ``jurisdiction`` and ``terms`` select the rules that solutions must meet, in force on ``as_of``.
    """

    target: Annotated[Target, argument("One bonus paytable: GAME/WAGER/PAYTABLE, or a JSON file.")]
    edge: Annotated[EdgeBand, option("Target house edge in percent, such as 4.5..5.5.")]
    unknowns: Annotated[
        tuple[Unknown, ...],
        option(
            "Unknowns: events of rows, envy:EVENT, meter:LEVEL.", "--open",
            metavar="NAME,...", by_comma=True,
        ),
    ]  # fmt: skip
    bounds: Annotated[
        Mapping[Unknown, tuple[int, ...]],
        option(
            "Minimum and maximum of an unknown; prizes in dollars.", "--bound",
            metavar="NAME=LOW..HIGH", read=read_bounds,
        ),
    ] = field(default_factory=dict)  # fmt: skip
    hits: Annotated[
        HitBand | None, option("Hit frequency in percent, such as 20..25.", metavar="LOW..HIGH")
    ] = None
    deviation: Annotated[
        DeviationBand | None, option("Standard deviation, such as 3..4.5.", metavar="LOW..HIGH")
    ] = None
    by: Annotated[By, option("Ranking of solutions.")] = By.DISTANCE
    limit: Annotated[
        int, option("Number of solutions to list; all are counted.", least=1, most=1000)
    ] = 20
    step_cents: Annotated[
        int, option("Step of prizes and meters in dollars.", "--step", least=1)
    ] = 100
    players: Annotated[
        int | None,
        option("Bettors whose hands win prizes; the game's if prizes are open.", least=1, most=8),
    ] = None
    meters: Annotated[
        Mapping[str, MeterCents],
        option("Amount of a known meter in dollars; repeat for more.", "--meter"),
    ] = field(default_factory=dict)
    jurisdiction: Annotated[str | None, option("Jurisdiction whose rules apply.")] = None
    terms: Annotated[
        Path | None, option("File of table terms, for the rules of --jurisdiction.")
    ] = None
    as_of: Annotated[dt.date | None, option("Date of the rules to apply (YYYY-MM-DD).")] = None
    may_omit: Annotated[bool, option("Allow solutions without open rows.")] = False
    write: Annotated[Path | None, option("Write a solution as a paytable to this new file.")] = None
    choose: Annotated[
        int | None,
        option("Number of the solution to write. Default: 1.", least=1, most=1000),
    ] = None

    def __post_init__(self) -> None:
        """Refuse values that do not fit their fields, or one another."""
        Request.__post_init__(self)
        for unknown, ends in self.bounds.items():
            if len(ends) != 2 or not 1 <= ends[0] <= ends[1]:  # noqa: PLR2004 - least and most
                raise NotReadable(
                    f"The range of {unknown} allows no value from 1.",
                    remedy="Write the lower bound first, at least 1.",
                )
        if self.choose is not None and self.write is None:
            raise NotReadable(
                "A solution is chosen, but no file to write it to.",
                remedy="Add --write FILE, or omit --choose.",
            )


class Subject(Struct, frozen=True, kw_only=True):
    """The requested table, and the number of bettors whose hands count; None without prizes."""

    question: Question
    selection: Selection
    wager: Wager
    table: Table
    players: int | None

    def unknowns(self, kind: Kind) -> list[Unknown]:
        """Return the unknowns of one kind."""
        return [unknown for unknown in self.question.unknowns if unknown.kind is kind]

    def analysis(self, table: Table, amounts: Amounts) -> Analysis:
        """Return the figures of the table with other amounts, also on its meters."""
        opened = {pay.id: cents or 0 for pay, cents in amounts.items() if pay.kind is Kind.METER}
        meters = {**self.question.meters, **opened}
        envies = (table.envy,) if table.envy else ()
        wager = replace(self.wager, paytables=(table.paytable,), envies=envies)
        chosen = replace(self.selection, records=((wager, table.paytable),))
        (analysis,) = evaluate(chosen, Settings(players=self.players, meters=meters))
        return analysis

    def edge(self, analysis: Analysis) -> Fraction:
        """Return the house edge that the band is about.

        Raises:
            NotConfigured: a meter that is neither open nor given decides it.
        """
        edge = analysis.house_edge
        if edge is None:
            meters = analysis.progressive.meters if analysis.progressive else ()
            level = next((meter.level for meter in meters if meter.amount is None), "")
            raise NotConfigured(
                f"The house edge depends on meter {level}, which is neither open nor given.",
                remedy=f"Open it with --open meter:{level}, or give --meter {level}=AMOUNT.",
            )
        by_players = analysis.envy.house_edge_by_players if analysis.envy else {}
        return edge if self.players is None else by_players[self.players]


def find_subject(question: Question) -> Subject:
    """Return the table that a question is about.

    Raises:
        NotConfigured: it is not one bonus paytable, has no edge, or lacks a requested unknown.
    """
    selection = select_sound(question.target)
    tables = selection.tables
    if len(tables) != 1 or len(selection.records) != 1:
        named = ", ".join(table.target for _, table in tables)
        raise NotConfigured(
            f"{name_target(question.target)} is not a single bonus paytable.",
            remedy=f"Name one: {named}." if named else "Name one, not a main wager.",
        )
    wager, paytable = tables[0]
    if paytable.dynamic is not None:
        raise NotConfigured(
            f"{paytable.target} draws its pays, and the chances of the draw are "
            "undeclared, so it has no house edge.",
            remedy="Solve a paytable without dynamic pays.",
        )
    table = Table(paytable=paytable, envy=wager.find_envy(paytable))
    _refuse_unknown(question, table)
    prizes = any(pay.kind is Kind.ENVY for pay in question.unknowns)
    if question.players is not None and table.envy is None:
        raise NotConfigured(
            f"{paytable.target} has no prizes for other players' hands.",
            remedy="Omit --players.",
        )
    return Subject(
        question=question,
        selection=selection,
        wager=wager,
        table=table,
        players=question.players or (selection.game.players if prizes else None),
    )


def _refuse_unknown(question: Question, table: Table) -> None:
    """Refuse unknowns that the table does not have, or that are paid in another way."""
    levels = [meter.level for meter in table.paytable.meters]
    prizes = [row.event for row in table.envy.rows] if table.envy else []
    metered = {row.event: row.payout.meter for row in table.paytable.rows if row.payout.meter}
    names = {
        Kind.ROW: [row.event for row in table.paytable.rows],
        Kind.ENVY: prizes,
        Kind.METER: levels,
    }
    for pay in dict.fromkeys((*question.unknowns, *question.bounds)):
        if pay.id not in names[pay.kind]:
            raise unknown_id(NOUNS[pay.kind], pay.id, names[pay.kind])
        if pay.kind is Kind.ROW and pay.id in metered:
            raise NotConfigured(
                f"{pay} is paid from meter {metered[pay.id]}, not at odds.",
                remedy=f"Open the meter: --open meter:{metered[pay.id]}.",
            )
        if pay.kind is Kind.METER and pay.id in question.meters:
            raise NotConfigured(
                f"Meter {pay.id} is both open and given.", remedy="Remove one of the two."
            )
        if pay not in question.unknowns:
            raise NotConfigured(f"{pay} has bounds but is not open.", remedy=f"Add --open {pay}.")


SOLVED = Path("/solver/solved.json")
"""The file of a solution until it is written: in memory only."""


ENVY = "envy"
"""The folder of a wager's envy tables."""


class VerifiedSolution(Struct, frozen=True, kw_only=True):
    """A solution as its files declare it, its figures, and the first error in it, if any."""

    table: Table
    analysis: Analysis
    error: Finding | None


def read_back(subject: Subject, amounts: Amounts, *, filing: Filing | None) -> VerifiedSolution:
    """Read a solution like any file, count it and check it.

    It is checked with the catalog, and by the rules of a submission if there is one.

    Raises:
        Unfit: the files would be unreadable.
    """
    catalog = filing.catalog if filing is not None else subject.selection.catalog
    names, table = set[str](), subject.table
    for path, value in _files(subject, amounts, SOLVED, clause="").items():
        opened = Workspace().overlay(path, format_record(value)).open_file(path, catalog)
        catalog = opened.catalog
        names.add(opened.file.name)
        if isinstance(opened.entry, Paytable):
            table = replace(table, paytable=opened.entry)
        elif isinstance(opened.entry, EnvyTable):
            table = replace(table, envy=opened.entry)
        else:
            raise Unfit(opened.findings)
    analysis = subject.analysis(table, amounts)
    context = Context(catalog, {table.paytable.target: analysis})
    findings = _judge_solution(table, context, filing, names)
    errors = (finding for finding in findings if finding.is_error)
    return VerifiedSolution(table=table, analysis=analysis, error=next(errors, None))


def _judge_solution(
    table: Table, context: Context, filing: Filing | None, names: set[str]
) -> Iterator[Finding]:
    """Yield findings on the solution's files, and the rules that its submission breaks."""
    documents = context.catalog.documents.items()
    keys = {key for key, document in documents if document.path in names}
    yield from review(replace(context, involves=lambda key, *_: key in keys))
    if filing is not None:
        game = context.catalog.games[table.paytable.game]
        tables = (table.paytable,)
        alone = replace(filing, game=game, paytables=tables, analyses=context.analyses)
        yield from against_filing(replace(context, filing=alone))


def write(subject: Subject, amounts: Amounts, path: Path, *, clause: str) -> tuple[Path, ...]:
    """Write a solution as a paytable, with an envy table if a prize was unknown.

    The id is the file's name. The files are checked after writing, and removed if they have an
    error. ``clause`` is the source of the pays in the files.

    Raises:
        NotReadable: the file's name is not an id.
        NotConfigured: a file exists already, or would be in the installed package.
        Unfit: the written files have errors.
    """
    if path.suffix != ".json":
        raise NotReadable(f"{path} is not a JSON file.", remedy="Write the name with .json.")
    check_id(path.stem)
    if path.resolve().is_relative_to(library.paytables().resolve()):
        folder = library.own_paytables()
        if not path.resolve().is_relative_to(folder.resolve()):
            raise NotConfigured(
                f"{path} is in the library of certify.",
                remedy=f"Write to a folder below {folder}.",
            )
    files = _files(subject, amounts, path, clause=clause)
    envies = path.parent / ENVY
    is_new = len(files) > 1 and not envies.exists()
    write_new({path: format_record(value) for path, value in files.items()})
    try:
        refuse_errors(check(files).findings)
    except Unfit:
        for name in files:
            name.unlink()
        if is_new:
            envies.rmdir()
        raise
    return tuple(files)


def _files(
    subject: Subject, amounts: Amounts, path: Path, *, clause: str
) -> dict[Path, dict[str, Any]]:
    """Return the contents of a solution's files: an envy table first if a prize is unknown."""
    table = replace_amounts(subject.table, amounts)
    paytable, envy, documents = table.paytable, table.envy, subject.selection.catalog.documents
    value = _copy_value(documents[paytable.target].value, path.stem, clause)
    pays = {row.event: str(row.payout) for row in paytable.rows}
    opened = {unknown.id for unknown in amounts if unknown.kind is Kind.ROW}
    value["rows"] = [
        row | {"pays": pays[row["event"]]} if row["event"] in opened else row
        for row in value["rows"]
        if row["event"] in pays
    ]
    meters = {unknown.id: cents for unknown, cents in amounts.items() if unknown.kind is Kind.METER}
    if meters:
        progressive = value["progressive"]
        levels = [
            row | {"seed_cents": meters[row["level"]]} if row["level"] in meters else row
            for row in progressive["meters"]
        ]
        value["progressive"] = progressive | {"meters": levels}
    if envy is None or not any(unknown.kind is Kind.ENVY for unknown in amounts):
        return {path: value}
    prizes = {row.event: row.prize_cents for row in envy.rows}
    other = _copy_value(documents[envy.target].value, path.stem, clause)
    other["rows"] = [row | {"prize_cents": prizes[row["event"]]} for row in other["rows"]]
    return {path.parent / ENVY / path.name: other, path: value | {"envy": path.stem}}


def _copy_value(value: dict[str, Any], name: str, clause: str) -> dict[str, Any]:
    """Return a copy of a file's value with another id and another source clause."""
    schema = str(value["$schema"]).rpartition("/")[2]
    return copy_record(value, name, clause or name) | {"$schema": schema}
