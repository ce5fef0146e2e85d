"""One file on its own: a paytable that a user writes anywhere, judged among what is declared."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certify import library
from certify.formatting import did_you_mean
from certify.intake.decode import decode
from certify.intake.files import File, read
from certify.intake.placement import D010
from certify.intake.read import read_catalogue
from certify.model.catalogue import Catalogue
from certify.model.document import Document
from certify.model.finding import Finding
from certify.model.game import Wager
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.terms import TERMS, Terms

Record = Paytable | EnvyTable | MainWager | HouseWay | Jurisdiction | Terms
"""What can stand in a file of its own, outside a catalogue's folder."""

OfAWager = Paytable | EnvyTable | MainWager
"""Those that belong to a wager of a game."""

_OF_RECORDS = ("paytable", "envy", "main-wager", "house-way", "jurisdiction", "terms")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """One file read on its own: its record, the catalogue with the record in its place, its faults.

    ``record`` is None where the file has faults or is of another kind (a game, the events, ...).
    """

    record: Record | None
    catalogue: Catalogue
    file: File
    findings: tuple[Finding, ...]


def open_file(path: Path, catalogue: Catalogue | None = None) -> FileReading:
    """Read one file, and put its record into a catalogue in place of the one with its id.

    Args:
        path: the file, of any kind, anywhere.
        catalogue: what it is judged among; if None, what the library declares of its game.
    """
    file = read(path, None)
    if catalogue is None:
        value = file.document.value
        game = value.get("game") if isinstance(value, dict) else None
        games = (game,) if isinstance(game, str) else None
        catalogue, _ = read_catalogue(*library.layers(), games=games)
    nothing = FileReading(record=None, catalogue=catalogue, file=file, findings=file.findings)
    if file.kind not in _OF_RECORDS or not file.sound:
        return nothing
    record: Record = decode(file.kind, file.document.value)
    if isinstance(record, HouseWay | Jurisdiction):
        return replace(nothing, record=record, catalogue=shared(catalogue, record, file.document))
    if isinstance(record, Terms):
        documents = {**catalogue.documents, TERMS: file.document}
        return replace(nothing, record=record, catalogue=replace(catalogue, documents=documents))
    unknown = tuple(_homeless(file.document, record, catalogue))
    if unknown:
        return replace(nothing, findings=(*file.findings, *unknown))
    return replace(nothing, record=record, catalogue=of_a_wager(catalogue, record, file.document))


def shared(catalogue: Catalogue, record: HouseWay | Jurisdiction, document: Document) -> Catalogue:
    """Return the catalogue with a record that games share in place of the one with its id."""
    if isinstance(record, HouseWay):
        ways = {**catalogue.house_ways, record.id: record}
        catalogue, folder = replace(catalogue, house_ways=ways), "house-ways"
    else:
        packs = {**catalogue.jurisdictions, record.id: record}
        catalogue, folder = replace(catalogue, jurisdictions=packs), "jurisdictions"
    documents = {**catalogue.documents, f"{folder}/{record.id}": document}
    return replace(catalogue, documents=documents)


def _homeless(document: Document, record: OfAWager, catalogue: Catalogue) -> Iterator[Finding]:
    """Yield a game or a wager that the record names and that is not declared."""
    game = catalogue.games.get(record.game)
    if game is None:
        yield _unknown(document, "game", record.game, tuple(catalogue.games))
        return
    wagers = tuple(wager.id for wager in game.wagers)
    if record.wager not in wagers:
        yield _unknown(document, "wager", record.wager, wagers)


def _unknown(document: Document, kind: str, name: str, known: tuple[str, ...]) -> Finding:
    message = f"There is no {kind} {name}."
    return document.finding(D010.id, f"/{kind}", message, did_you_mean(name, known))


def of_a_wager(catalogue: Catalogue, record: OfAWager, document: Document) -> Catalogue:
    """Return the catalogue with the record in its wager, and its file by its key."""
    game = catalogue.games[record.game]
    wagers = tuple(
        _holding(wager, record) if wager.id == record.wager else wager for wager in game.wagers
    )
    inner = f"envy/{record.id}" if isinstance(record, EnvyTable) else record.id
    return replace(
        catalogue,
        games={**catalogue.games, game.id: replace(game, wagers=wagers)},
        documents={**catalogue.documents, f"{game.id}/{record.wager}/{inner}": document},
    )


def _holding(wager: Wager, record: OfAWager) -> Wager:
    if isinstance(record, Paytable):
        return replace(wager, paytables=_put(wager.paytables, record))
    if isinstance(record, MainWager):
        return replace(wager, options=_put(wager.options, record))
    return replace(wager, envies=_put(wager.envies, record))


def _put(records: tuple[Any, ...], record: OfAWager) -> tuple[Any, ...]:
    """Return the records with this one last, in place of the one with its id.

    Last, so that it is the duplicate where it pays the same as one that is declared.
    """
    return (*(known for known in records if known.id != record.id), record)
