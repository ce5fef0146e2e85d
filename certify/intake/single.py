"""One file on its own: a paytable that a user writes anywhere, judged among what is declared."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from certify import library
from certify.formatting import did_you_mean
from certify.intake.decode import decode
from certify.intake.files import File, read
from certify.intake.placed import OfAWager, Record, placed
from certify.intake.placement import D010
from certify.intake.read import read_catalogue
from certify.model.catalogue import Catalogue
from certify.model.document import Document
from certify.model.finding import Finding

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
    if isinstance(record, OfAWager):
        unknown = tuple(_homeless(file.document, record, catalogue))
        if unknown:
            return replace(nothing, findings=(*file.findings, *unknown))
    catalogue = placed(catalogue, record, file.document, last=True)
    return replace(nothing, record=record, catalogue=catalogue)


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
