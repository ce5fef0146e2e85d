"""A folder of declared data as one catalogue: every record that is sound, every fault found."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from certify.intake.decode import decode
from certify.intake.files import NO_OVERLAYS, File, Overlays, read
from certify.intake.layout import SHARED, absolute, is_needed_by, is_of_project, place
from certify.intake.placement import (
    looks_like_json,
    not_json,
    out_of_place,
    rightly_named,
    unmatched,
    wagers_of,
    without_game,
)
from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.model.condition import Event
from certify.model.finding import Document, Finding
from certify.model.game import Game, Strategy, Wager
from certify.model.main_wager import Tie, Ties


def read_catalogue(
    *layers: Path,
    only: str | None = None,
    games: Collection[str] | None = None,
    overlays: Overlays = NO_OVERLAYS,
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read folders of declared data in sorted order.

    Args:
        layers: folders laid out like ``paytables/``. A file takes the place of the one at the same
            place in a layer before; the events of a project are added.
        only: a target; only the files that it rests on are read.
        games: ids of games; of the others only their own file is read, and all that games share.
        overlays: contents in memory.

    Returns:
        The catalogue of every sound record, and every fault found. A record with a fault is left
        out of the catalogue and stands in the findings.
    """

    def wanted(key: str) -> bool:
        head, _, inner = key.partition("/")
        near = games is None or not inner or head in SHARED or head in games
        return near and (only is None or is_needed_by(key, only))

    paths = [files for folder in layers for files in _paths(folder, folder, overlays).items()]
    return _assemble(dict(paths), Catalogue(), overlays, wanted)


def read_game(
    folder: Path, catalogue: Catalogue, *, overlays: Overlays = NO_OVERLAYS
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read one game's folder, wherever it stands, and add it to a catalogue."""
    paths = _paths(folder.absolute(), folder.absolute().parent, overlays)
    return _assemble(paths, catalogue, overlays)


def _paths(folder: Path, root: Path, overlays: Overlays) -> dict[Path, tuple[str, ...]]:
    """Return the files that are JSON, or look it, with their parts below ``root``; sorted."""
    whole = absolute(folder)
    files = {*folder.rglob("*.*"), *(path for path in overlays if path.is_relative_to(whole))}
    return {path: path.relative_to(root).parts for path in sorted(files) if looks_like_json(path)}


def _assemble(
    paths: Mapping[Path, tuple[str, ...]],
    base: Catalogue,
    overlays: Overlays,
    wanted: Callable[[str], bool] = lambda _: True,
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read every file that is wanted and put the sound ones together."""
    findings: list[Finding] = []
    files: dict[str, File] = {}
    in_part: set[str] = set()
    for path, parts in paths.items():
        where = place(parts, own=is_of_project(path.parent))
        if path.suffix != ".json":
            findings.append(not_json(path))
        elif where is None:
            findings.append(out_of_place(path))
        elif wanted(where.key):
            files[where.key] = read(path, where, overlays=overlays)
        else:
            in_part.add(parts[0])
    files, faults = rightly_named(files)
    findings.extend(faults)
    documents = {key: file.document for key, file in files.items()}
    records = {
        key: decode(file.kind, file.document.value)
        for key, file in files.items()
        if file.kind is not None and file.sound
    }
    games = {key: _game(key, files, records) for key in _of("game", files, records)}
    for key in games.keys() - in_part:
        findings.extend(unmatched(key, files))
    findings.extend(without_game(files))
    base = base.only({key for key in base.documents if key.partition("/")[0] not in games})

    def named(kind: str, part: int) -> dict[str, Any]:
        return {key.split("/")[part]: records[key] for key in _of(kind, files, records)}

    catalogue = Catalogue(
        events={**base.events, **_events(records, documents, findings)},
        games={**base.games, **games},
        house_ways={**base.house_ways, **named("house-way", 1)},
        jurisdictions={**base.jurisdictions, **named("jurisdiction", 1)},
        published={**base.published, **named("published", 0)},
        discrepancies={**base.discrepancies, **named("discrepancies", 0)},
        documents={**base.documents, **documents},
        left_out=base.left_out | (files.keys() - records.keys()),
        alternatives={**base.alternatives, **named("alternatives", 1)},
        second_counts={**base.second_counts, **named("second-counts", 0)},
    )
    return catalogue, tuple(findings)


def _of(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> list[str]:
    return [key for key, file in files.items() if file.kind == kind and key in records]


def _events(
    records: Mapping[str, Any], documents: Mapping[str, Document], findings: list[Finding]
) -> dict[str, Event]:
    """Return the events by id; an id that is used twice is a finding."""
    named: dict[str, Event] = {}
    for key in EVENT_FILES:
        for index, event in enumerate(records.get(key, ())):
            if event.id in named:
                place, message = f"/events/{index}/id", f"The event {event.id} is defined twice."
                remedy = "Give one of them another id, or remove it."
                findings.append(documents[key].finding("D004", place, message, remedy))
            named.setdefault(event.id, event)
    return named


def _game(key: str, files: Mapping[str, File], records: Mapping[str, Any]) -> Game:
    """Return a game with its wagers in declared order."""
    game: Game = records[key]
    wagers = [
        _wager(f"{key}/{name}", files, records)
        for name in wagers_of(files[key])
        if f"{key}/{name}" in records
    ]
    whole = replace(game, wagers=tuple(wagers))
    return whole if game.hands.shape.divided else _undivided(whole)


def _undivided(game: Game) -> Game:
    """Return a game whose one hand decides alone, and is played as is best for it."""
    wagers = tuple(
        replace(
            wager,
            options=tuple(
                replace(option, ties=Ties(high=option.ties.high, low=Tie.OTHER_HAND))
                for option in wager.options
            ),
        )
        for wager in game.wagers
    )
    played = any(wager.options for wager in wagers)
    return replace(game, wagers=wagers, strategy=Strategy.OPTIMAL if played else game.strategy)


def _wager(key: str, files: Mapping[str, File], records: Mapping[str, Any]) -> Wager:
    """Return a wager with the records of its folder, sorted as people count."""

    def under(kind: str, prefix: str) -> tuple[Any, ...]:
        keys = [key for key in _of(kind, files, records) if key.startswith(prefix)]
        return tuple(records[key] for key in sorted(keys, key=_as_people_count))

    wager: Wager = records[key]
    return replace(
        wager,
        options=under("main-wager", f"{key}/"),
        paytables=under("paytable", f"{key}/"),
        envies=under("envy", f"{key}/envy/"),
    )


def _as_people_count(key: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", key)]
