"""Solutions as records: written as files are, read back, and judged as any paytable is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certify import library
from certify.checks.context import Context
from certify.checks.jurisdiction.judge import against_filing
from certify.checks.review import review
from certify.engine.solve.openings import Amounts, Table, with_amounts
from certify.errors import NotConfigured, NotReadable
from certify.intake.workspace import Workspace
from certify.model.analysis import Analysis
from certify.model.filed import Filing
from certify.model.finding import Finding, Severity, Unfit
from certify.model.paytable import EnvyTable, Paytable
from certify.model.solution import Kind
from certify.pipeline.check import check
from certify.pipeline.declare.new import check_id, write_new, written
from certify.pipeline.solve.question import Subject
from certify.pipeline.targets import refuse_errors

SOLVED = Path("/solver/solved.json")
"""The file of a solution until it is written: in memory only."""


ENVY = "envy"
"""The folder of a wager's envy tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """A solution as its files declare it, its figures, and the first error in it, if any."""

    table: Table
    analysis: Analysis
    error: Finding | None


def read_back(subject: Subject, amounts: Amounts, *, filing: Filing | None) -> ReadBack:
    """Read a solution as any file is read, count it and judge it.

    It is judged among what is declared, and by the rules of a filing if there is one.

    Raises:
        Unfit: what would be written cannot be read.
    """
    catalogue = filing.catalogue if filing is not None else subject.selection.catalogue
    names, table = set[str](), subject.table
    for path, value in _files(subject, amounts, SOLVED, clause="").items():
        opened = Workspace().with_overlay(path, written(value)).open_file(path, catalogue)
        catalogue = opened.catalogue
        names.add(opened.file.name)
        if isinstance(opened.entry, Paytable):
            table = replace(table, paytable=opened.entry)
        elif isinstance(opened.entry, EnvyTable):
            table = replace(table, envy=opened.entry)
        else:
            raise Unfit(opened.findings)
    analysis = subject.analysis(table, amounts)
    context = Context(catalogue, {table.paytable.target: analysis})
    findings = _judged(table, context, filing, names)
    errors = (finding for finding in findings if finding.severity is Severity.ERROR)
    return ReadBack(table=table, analysis=analysis, error=next(errors, None))


def _judged(
    table: Table, context: Context, filing: Filing | None, names: set[str]
) -> Iterator[Finding]:
    """Yield what is found in the solution's files, and the rules that the filing breaks."""
    yield from (finding for finding in review(context) if finding.file in names)
    if filing is not None:
        game = context.catalogue.games[table.paytable.game]
        tables = (table.paytable,)
        alone = replace(filing, game=game, paytables=tables, analyses=context.analyses)
        yield from against_filing(replace(context, filing=alone))


def write(subject: Subject, amounts: Amounts, path: Path, *, clause: str) -> tuple[Path, ...]:
    """Write a solution as a paytable, and beside it its envy table where a prize was open.

    The id is the file's name. What was written is checked, and taken back if it has an error.
    ``clause`` says in the records where the pays come from.

    Raises:
        NotReadable: the file's name is not an id.
        NotConfigured: a file is there already, or would stand in the installed package.
        Unfit: the records have errors where they stand.
    """
    if path.suffix != ".json":
        raise NotReadable(f"{path} is no JSON file.", remedy="Write the name with .json.")
    check_id(path.stem)
    if path.resolve().is_relative_to(library.paytables().resolve()):
        own = library.own_paytables()
        if not path.resolve().is_relative_to(own.resolve()):
            raise NotConfigured(
                f"{path} stands among the data that come with certify.",
                remedy=f"Write below {own}.",
            )
    files = _files(subject, amounts, path, clause=clause)
    envies = path.parent / ENVY
    made = len(files) > 1 and not envies.exists()
    write_new({path: written(value) for path, value in files.items()})
    try:
        refuse_errors(check(files).findings)
    except Unfit:
        for name in files:
            name.unlink()
        if made:
            envies.rmdir()
        raise
    return tuple(files)


def _files(
    subject: Subject, amounts: Amounts, path: Path, *, clause: str
) -> dict[Path, dict[str, Any]]:
    """Return what the files of a solution hold: an envy table first where a prize is open."""
    table = with_amounts(subject.table, amounts)
    paytable, envy, documents = table.paytable, table.envy, subject.selection.catalogue.documents
    value = _renamed(documents[paytable.target].value, path.stem, clause)
    pays = {row.event: str(row.payout) for row in paytable.rows}
    opened = {opening.id for opening in amounts if opening.kind is Kind.ROW}
    value["rows"] = [
        row | {"pays": pays[row["event"]]} if row["event"] in opened else row
        for row in value["rows"]
        if row["event"] in pays
    ]
    meters = {opening.id: cents for opening, cents in amounts.items() if opening.kind is Kind.METER}
    if meters:
        progressive = value["progressive"]
        levels = [
            row | {"seed_cents": meters[row["level"]]} if row["level"] in meters else row
            for row in progressive["meters"]
        ]
        value["progressive"] = progressive | {"meters": levels}
    if envy is None or not any(opening.kind is Kind.ENVY for opening in amounts):
        return {path: value}
    prizes = {row.event: row.prize_cents for row in envy.rows}
    other = _renamed(documents[envy.target].value, path.stem, clause)
    other["rows"] = [row | {"prize_cents": prizes[row["event"]]} for row in other["rows"]]
    return {path.parent / ENVY / path.name: other, path: value | {"envy": path.stem}}


def _renamed(value: dict[str, Any], name: str, clause: str) -> dict[str, Any]:
    """Return a copy of a record under another id, its source said anew."""
    schema = str(value["$schema"]).rpartition("/")[2]
    source = {"document": value["source"]["document"], "clause": clause or name}
    return value | {"$schema": schema, "id": name, "name": name, "source": source}
