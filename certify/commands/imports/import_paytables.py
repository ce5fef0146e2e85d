"""Import of paytables from vendors' files into the project, all or nothing."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from certify import library, storage
from certify.commands.imports.build import ANSWERS, Import
from certify.commands.imports.records import (
    ImportedTable,
    ImportRequest,
    ImportResult,
    Paper,
    Record,
    slugify,
)
from certify.declare import user_state
from certify.declare.new import format_record, read_record, write_new
from certify.declare.rewriting import difference
from certify.declare.vendor_events import Question
from certify.errors import NotConfigured, NotReadable
from certify.figures.audit import judge_figure
from certify.figures.evaluate import evaluate_each
from certify.figures.targets import load_catalog, lookup, refuse_errors
from certify.filing.listing import refuse_approved_rules
from certify.formatting import percentage
from certify.intake.grids import read_grids
from certify.intake.vendor_tables import VendorTable, find_tables, find_unread, fold
from certify.intake.workspace import Workspace
from certify.model.catalog import Catalog
from certify.model.comparison import Agreement, FigureJudgement
from certify.model.game import Game
from certify.model.source import Convention, PublishedFigure

MARKS = {"added": "+", "removed": "-", "kept": " "}

SHOWN = 8
"""Places that a note lists."""


def import_paytables(request: ImportRequest) -> ImportResult:
    """Read the paytables of vendors' files, and write them into the project, all or nothing.

    Nothing is written while a line is doubtful, or a declared paytable has other rows.

    Raises:
        NotReadable: a file cannot be read, or has no table.
        NotConfigured: an id is unknown, there is no project, or the rules are approved.
        Unfit: the declared data has errors.
    """
    if request.basis not in {None, "to", "for"}:
        raise NotReadable(f"{request.basis} is not a basis.", remedy="Use --basis to or for.")
    papers = [_read_paper(path) for path in request.files]
    grids = {paper.name: read_grids(paper.data, paper.name) for paper in papers}
    read = [(paper, find_tables(grids[paper.name])) for paper in papers]
    for paper, tables in read:
        if not tables:
            raise NotReadable(
                f"{paper.name} has no table of pays.",
                remedy="Give each table a line with the headings Hand and Pays.",
            )
    catalog = load_catalog()
    built = Import(request, catalog, _find_game(request, catalog, read))
    for paper, tables in read:
        built.add(paper, tables)
        unread = list(find_unread(grids[paper.name], tables))
        if unread:
            more = f" and {len(unread) - SHOWN} more" if len(unread) > SHOWN else ""
            built.notes.append(f"{paper.name}: no table has {', '.join(unread[:SHOWN])}{more}")
    result = _judge(built)
    if request.preview or result.refused or not built.records:
        return result
    return replace(result, written=_write(built, papers))


def _read_paper(path: Path) -> Paper:
    data = storage.read_bytes(path)
    name = slugify(path.stem)[:40] or "file"
    return Paper(id=f"{name}-{hashlib.sha256(data).hexdigest()[:8]}", name=path.name, data=data)


def _find_game(
    request: ImportRequest, catalog: Catalog, read: Sequence[tuple[Paper, list[VendorTable]]]
) -> Game:
    """Return the game that is given, or the only one that the files name."""
    if request.game is not None:
        return lookup("game", request.game, catalog.games)
    texts = {fold(text) for _, tables in read for table in tables for text in table.above}
    named = [
        game
        for game in catalog.games.values()
        if any(fold(name) in text for name in (game.name, *game.aliases) for text in texts)
    ]
    if len(named) != 1:
        raise NotConfigured(
            "The files do not name one game.", remedy="Name the game with --game ID."
        )
    return named[0]


def _judge(built: Import) -> ImportResult:
    """Return the tables with their edges, their judged figures and their differences."""
    folder = library.project()
    top = (folder / "paytables") if folder else library.paytables()
    workspace = Workspace(folder=top)
    for target, record in built.records.items():
        workspace = workspace.overlay(top / f"{target}.json", format_record(record))
    catalog, findings = workspace.load({built.game.id})
    refuse_errors(findings)
    before = {table.target: table for wager in built.game.wagers for table in wager.paytables}
    after = {
        table.target: table
        for wager in catalog.games[built.game.id].wagers
        for table in wager.paytables
        if table.target in built.records
    }
    analyses, _ = evaluate_each(catalog, after.values())
    declared, _ = evaluate_each(built.catalog, [before[key] for key in after if key in before])
    tables = []
    for target, record in built.records.items():
        path = library.find_declared(f"{target}.json")
        old = None if path is None else format_record(read_record(path)).decode()
        new = format_record(record).decode()
        analysis, previous = analyses.get(target), declared.get(target)
        for row in analysis.rows[:-1] if analysis else ():
            if not row.combinations:
                text = f"no hand is left for {row.event}; the rows above take them all"
                built.questions[row.name, text] = Question(
                    place=built.places[target],
                    name=row.name,
                    text=text,
                    field="matches",
                    key=row.name,
                )
        judged = _judge_figures(
            [each for each in built.figures if each["target"] == target], analyses
        )
        new_edge, old_edge = (
            percentage(each.house_edge) if each and each.house_edge is not None else None
            for each in (analysis, previous)
        )
        lines = () if old in {None, new} else difference(old or "", new)
        tables.append(
            ImportedTable(
                target=target,
                place=built.places[target],
                state="new" if old is None else "unchanged" if old == new else "differs",
                rows=tuple(record["rows"]),
                reasons=built.reasons[target],
                house_edge=new_edge,
                declared_edge=old_edge,
                figures=len(judged),
                agreeing=sum(each.agreement is Agreement.AGREES for each in judged),
                differing=tuple(each for each in judged if each.agreement is Agreement.DIFFERS),
                difference=tuple(f"{MARKS[line.kind]} {line.text}" for line in lines),
            )
        )
    return ImportResult(
        game=built.game.id,
        tables=(*tables, *built.doubtful),
        questions=tuple(built.questions.values()),
        notes=tuple(built.notes),
        answered=built.answered,
        events=built.events if built.questions or built.answers else (),
    )


def _judge_figures(records: Sequence[Record], analyses: Mapping[str, Any]) -> list[FigureJudgement]:
    """Judge the figures of a table; its returns include the stake if they agree only then."""

    def judge(figures: Sequence[Record]) -> list[FigureJudgement]:
        return [judge_figure(convert(each, PublishedFigure), analyses) for each in figures]

    returns = [each for each in records if each["convention"] == Convention.NET]
    staked = [each | {"convention": str(Convention.STAKE_INCLUDED)} for each in returns]
    if _differs(judge(returns)) and not _differs(judge(staked)):
        for each, other in zip(returns, staked, strict=True):
            each.update(other)
    return judge(records)


def _differs(judged: Sequence[FigureJudgement]) -> bool:
    return any(each.agreement is Agreement.DIFFERS for each in judged)


def _write(built: Import, papers: Sequence[Paper]) -> tuple[str, ...]:
    """Write new records, figures and the papers; remember the answers."""
    refuse_approved_rules(built.game)
    top, game = library.own_paytables(), built.game
    files = {
        top / f"{target}.json": format_record(record)
        for target, record in built.records.items()
        if library.find_declared(f"{target}.json") is None
    }
    replaced = {}
    for name, key, added in (
        ("game", "references", [_reference(paper, game) for paper in papers]),
        ("published", "figures", built.figures),
    ):
        declared = library.find_declared(f"{game.id}/{name}.json")
        empty: Record = {"$schema": "published.schema.json", "document": game.document.id}
        value = read_record(declared) if declared else empty
        listed = value.get(key, [])
        present = {each["id"] for each in listed}
        value[key] = [*listed, *(each for each in added if each["id"] not in present)]
        path = top / game.id / f"{name}.json"
        if value[key] != listed:
            replaced[path] = (storage.read_present(path), format_record(value))
    user_state.store(ANSWERS, game.supplier or game.id, {"base": "", "values": built.answers})
    if not files and top / game.id / "published.json" not in replaced:
        return ()
    for paper in papers:
        path = top.parent / "sources" / paper.file
        replaced[path] = (storage.read_present(path), paper.data)
    return tuple(map(str, write_new(files, replaced)))


def _reference(paper: Paper, game: Game) -> Record:
    return {
        "id": paper.id,
        "title": paper.name,
        "publisher": game.supplier,
        "file": paper.file,
        "sha256": hashlib.sha256(paper.data).hexdigest(),
    }
