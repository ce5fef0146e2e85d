"""A folder of declared data as one catalogue: every record that is sound, every fault found."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certify.intake.decode import decode
from certify.intake.files import File, read
from certify.intake.layout import SHARED, catalogue_folder, concerns, place, shown
from certify.model.catalogue import Catalogue
from certify.model.condition import Event
from certify.model.document import Document
from certify.model.finding import Finding, Severity
from certify.model.game import Game, Wager
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable

EMPTY = Catalogue(
    events={},
    games={},
    house_ways={},
    jurisdictions={},
    published={},
    discrepancies={},
    documents={},
)
"""A catalogue of nothing, to add a game to."""

Record = Paytable | EnvyTable | MainWager
"""What can stand in a file of its own, outside a catalogue's folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """One file read on its own: its record, and the catalogue with the record in its place."""

    record: Record | None
    catalogue: Catalogue
    file: File
    findings: tuple[Finding, ...]


def read_catalogue(folder: Path, only: str | None = None) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read a folder of declared data in sorted order.

    Args:
        folder: a folder laid out like ``paytables/``.
        only: a target; only the files that it rests on are read.

    Returns:
        The catalogue of every sound record, and every fault found. A record with a fault is left
        out of the catalogue and stands in the findings.
    """
    paths = {path: path.relative_to(folder).parts for path in _json_files(folder)}
    return _assemble(paths, EMPTY, only)


def read_game(folder: Path, catalogue: Catalogue) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read one game's folder, wherever it stands, and add it to a catalogue."""
    whole = folder.absolute()
    paths = {path: path.relative_to(whole.parent).parts for path in _json_files(whole)}
    return _assemble(paths, catalogue, None)


def read_file(path: Path, catalogue: Catalogue) -> tuple[Record | None, tuple[Finding, ...]]:
    """Read a paytable, an envy table or an option of a main wager from any path.

    Its id need not be in the catalogue; its game and its wager must be.
    """
    reading = open_file(path, catalogue)
    return reading.record, reading.findings


def open_file(path: Path, catalogue: Catalogue) -> FileReading:
    """Read one file, and put its record into the catalogue in place of the one with its id."""
    folder = catalogue_folder(path)
    file = read(path, place(path.absolute().relative_to(folder).parts) if folder else None)
    nothing = FileReading(record=None, catalogue=catalogue, file=file, findings=file.findings)
    if not file.sound or file.document is None or file.kind is None:
        return nothing
    if file.kind not in ("paytable", "envy", "main-wager"):
        return nothing
    record: Record = decode(file.kind, file.document.value)
    unknown = tuple(_homeless(file.document, record, catalogue))
    if unknown:
        return replace(nothing, findings=unknown)
    return replace(nothing, record=record, catalogue=_with(catalogue, record, file.document))


def _json_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.json") if not path.name.startswith("."))


def _assemble(
    paths: Mapping[Path, tuple[str, ...]], base: Catalogue, only: str | None
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read every file and put the sound ones together."""
    findings: list[Finding] = []
    files: dict[str, File] = {}
    for path, parts in paths.items():
        where = place(parts)
        if where is None:
            findings.append(_out_of_place(path))
        elif concerns(where.key, only):
            files[where.key] = file = read(path, where)
            findings.extend(file.findings)
    documents = {key: one.document for key, one in files.items() if one.document}
    records = {
        key: decode(one.kind, one.document.value)
        for key, one in files.items()
        if one.sound and one.kind and one.document
    }
    games = {key: _game(key, files, records, findings) for key in _of("game", files, records)}
    catalogue = Catalogue(
        events={**base.events, **_events(records.get("events", ()), documents, findings)},
        games={**base.games, **games},
        house_ways={**base.house_ways, **_shared("house-ways", files, records)},
        jurisdictions={**base.jurisdictions, **_shared("jurisdictions", files, records)},
        published={**base.published, **_by_game("published", files, records)},
        discrepancies={**base.discrepancies, **_by_game("discrepancies", files, records)},
        documents={**base.documents, **documents},
    )
    return catalogue, tuple(findings)


def _of(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> list[str]:
    return [key for key, file in files.items() if file.kind == kind and key in records]


def _shared(folder: str, files: Mapping[str, File], records: Mapping[str, Any]) -> dict[str, Any]:
    return {records[key].id: records[key] for key in _of(SHARED[folder], files, records)}


def _by_game(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> dict[str, Any]:
    return {key.partition("/")[0]: records[key] for key in _of(kind, files, records)}


def _events(
    events: Iterable[Event], documents: Mapping[str, Document], findings: list[Finding]
) -> dict[str, Event]:
    """Return the events by id; an id that is used twice is a finding."""
    named: dict[str, Event] = {}
    for index, event in enumerate(events):
        if event.id in named:
            findings.append(
                documents["events"].finding(
                    code="D004",
                    severity=Severity.ERROR,
                    pointer=f"/events/{index}/id",
                    message=f"The event {event.id} is defined twice.",
                    remedy="Give one of them another id, or remove it.",
                )
            )
        named.setdefault(event.id, event)
    return named


def _game(
    key: str, files: Mapping[str, File], records: Mapping[str, Any], findings: list[Finding]
) -> Game:
    """Return a game with its wagers in declared order."""
    game: Game = records[key]
    document = files[key].document
    listed: list[str] = list(document.value["wagers"]) if document else []
    wagers = [
        _wager(f"{key}/{name}", files, records)
        for name in dict.fromkeys(listed)
        if f"{key}/{name}" in records
    ]
    if document:
        findings.extend(_unmatched(key, listed, files, document))
    return replace(game, wagers=tuple(wagers))


def _wager(key: str, files: Mapping[str, File], records: Mapping[str, Any]) -> Wager:
    """Return a wager with the records of its folder, sorted as people count."""

    def under(kind: str, prefix: str) -> tuple[Any, ...]:
        keys = [one for one in _of(kind, files, records) if one.startswith(prefix)]
        return tuple(records[one] for one in sorted(keys, key=_as_people_count))

    wager: Wager = records[key]
    return replace(
        wager,
        options=under("main-wager", f"{key}/"),
        paytables=under("paytable", f"{key}/"),
        envies=under("envy", f"{key}/envy/"),
    )


def _as_people_count(key: str) -> list[tuple[int, str]]:
    return [(int(one), "") if one.isdigit() else (-1, one) for one in re.split(r"(\d+)", key)]


def _unmatched(
    key: str, listed: list[str], files: Mapping[str, File], document: Document
) -> Iterator[Finding]:
    """Yield wagers that the game lists and that have no file, and the other way round."""
    folders = {one.split("/")[1] for one, file in files.items() if _is_of_wager(one, key, file)}
    complete = any(one.startswith(f"{key}/") and one.count("/") == 1 for one in files)
    for index, name in enumerate(listed):
        if f"{key}/{name}" not in files and (not folders or name in folders or complete):
            near = difflib.get_close_matches(name, sorted(folders - set(listed)), n=1)
            yield document.finding(
                code="D003",
                severity=Severity.ERROR,
                pointer=f"/wagers/{index}",
                message=f"The game lists the wager {name}, and there is no {name}/wager.json.",
                remedy=f"Did you mean {near[0]}?"
                if near
                else "Declare the wager, or do not list it.",
            )
    for name in sorted(folders - set(listed)):
        yield document.finding(
            code="D003",
            severity=Severity.ERROR,
            pointer="/wagers",
            message=f"The folder {name} holds a wager that the game does not list.",
            remedy=f"Add {name} to `wagers` at its place in print, or remove the folder.",
        )


def _is_of_wager(one: str, key: str, file: File) -> bool:
    return one.startswith(f"{key}/") and file.kind in ("wager", "paytable", "main-wager", "envy")


def _out_of_place(path: Path) -> Finding:
    return Finding(
        code="D002",
        severity=Severity.ERROR,
        file=shown(path),
        message="No file is expected at this place, so nothing was read from it.",
        remedy="Move it to <game>/<wager>/<paytable>.json, or out of the folder of declared data.",
    )


def _homeless(document: Document, record: Record, catalogue: Catalogue) -> Iterator[Finding]:
    """Yield a game or a wager that the record names and that is not declared."""
    game = catalogue.games.get(record.game)
    if game is None:
        yield _unknown(document, "game", record.game, tuple(catalogue.games))
        return
    wagers = tuple(one.id for one in game.wagers)
    if record.wager not in wagers:
        yield _unknown(document, "wager", record.wager, wagers)


def _unknown(document: Document, kind: str, name: str, known: tuple[str, ...]) -> Finding:
    near = difflib.get_close_matches(name, known, n=1)
    return document.finding(
        code="D010",
        severity=Severity.ERROR,
        pointer=f"/{kind}",
        message=f"There is no {kind} {name}.",
        remedy=f"Did you mean {near[0]}?" if near else f"Declared: {', '.join(known) or 'none'}.",
    )


def _with(catalogue: Catalogue, record: Record, document: Document) -> Catalogue:
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


def _holding(wager: Wager, record: Record) -> Wager:
    if isinstance(record, Paytable):
        return replace(wager, paytables=_put(wager.paytables, record))
    if isinstance(record, MainWager):
        return replace(wager, options=_put(wager.options, record))
    return replace(wager, envies=_put(wager.envies, record))


def _put(records: tuple[Any, ...], record: Record) -> tuple[Any, ...]:
    """Return the records with this one in the place of the one with its id, or at the end."""
    ids = [one.id for one in records]
    if record.id not in ids:
        return (*records, record)
    return tuple(record if one.id == record.id else one for one in records)
