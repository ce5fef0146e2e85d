"""A folder of declared data as one catalogue: every record that is sound, every fault found."""

import difflib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from certify.intake.decode import decode
from certify.intake.files import File, read
from certify.intake.layout import SHARED, concerns, is_of_project, place, shown
from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.model.condition import Event
from certify.model.document import Document
from certify.model.finding import Code, Finding, Severity
from certify.model.game import Game, Wager

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


def read_catalogue(
    *layers: Path, only: str | None = None, games: Collection[str] | None = None
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read folders of declared data in sorted order.

    Args:
        layers: folders laid out like ``paytables/``. A file takes the place of the one at the same
            place in a layer before; the events of a project are added.
        only: a target; only the files that it rests on are read.
        games: ids of games; of the others only their own file is read, and all that games share.

    Returns:
        The catalogue of every sound record, and every fault found. A record with a fault is left
        out of the catalogue and stands in the findings.
    """

    def wanted(key: str) -> bool:
        head, _, inner = key.partition("/")
        near = games is None or not inner or head in SHARED or head in games
        return near and concerns(key, only)

    paths = [files for folder in layers for files in _paths(folder, folder).items()]
    return _assemble(dict(paths), EMPTY, wanted)


def read_game(folder: Path, catalogue: Catalogue = EMPTY) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read one game's folder, wherever it stands, and add it to a catalogue."""
    return _assemble(_paths(folder.absolute(), folder.absolute().parent), catalogue)


def _paths(folder: Path, root: Path) -> dict[Path, tuple[str, ...]]:
    """Return the JSON files of ``folder``, sorted, each with its parts below ``root``."""
    found = sorted(path for path in folder.rglob("*.json") if not path.name.startswith("."))
    return {path: path.relative_to(root).parts for path in found}


def _assemble(
    paths: Mapping[Path, tuple[str, ...]],
    base: Catalogue,
    wanted: Callable[[str], bool] = lambda _: True,
) -> tuple[Catalogue, tuple[Finding, ...]]:
    """Read every file that is wanted and put the sound ones together."""
    findings: list[Finding] = []
    files: dict[str, File] = {}
    in_part: set[str] = set()
    for path, parts in paths.items():
        where = place(parts, own=is_of_project(path.parent))
        if where is None:
            findings.append(out_of_place(path))
        elif wanted(where.key):
            files[where.key] = read(path, where)
        else:
            in_part.add(parts[0])
    findings.extend(finding for file in files.values() for finding in file.findings)
    documents = {key: one.document for key, one in files.items()}
    records = {
        key: decode(one.kind, one.document.value)
        for key, one in files.items()
        if one.kind is not None and one.sound
    }
    games = {key: _game(key, files, records) for key in _of("game", files, records)}
    for key in games.keys() - in_part:
        findings.extend(_unmatched(key, files))
    findings.extend(_without_game(files))
    base = _without(base, games)
    catalogue = Catalogue(
        events={**base.events, **_events(records, documents, findings)},
        games={**base.games, **games},
        house_ways={**base.house_ways, **_shared("house-ways", files, records)},
        jurisdictions={**base.jurisdictions, **_shared("jurisdictions", files, records)},
        published={**base.published, **_by_game("published", files, records)},
        discrepancies={**base.discrepancies, **_by_game("discrepancies", files, records)},
        documents={**base.documents, **documents},
        left_out=base.left_out | (files.keys() - records.keys()),
        alternatives={**base.alternatives, **_shared("alternatives", files, records)},
        second_counts={**base.second_counts, **_by_game("second-counts", files, records)},
    )
    return catalogue, tuple(findings)


def _without(base: Catalogue, games: Collection[str]) -> Catalogue:
    """Return a catalogue without some games and everything of theirs."""

    def others(found: Mapping[str, Any]) -> dict[str, Any]:
        return {key: one for key, one in found.items() if key.partition("/")[0] not in games}

    return replace(
        base,
        games=others(base.games),
        published=others(base.published),
        discrepancies=others(base.discrepancies),
        documents=others(base.documents),
        left_out=frozenset(one for one in base.left_out if one.partition("/")[0] not in games),
    )


def _of(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> list[str]:
    return [key for key, file in files.items() if file.kind == kind and key in records]


def _shared(folder: str, files: Mapping[str, File], records: Mapping[str, Any]) -> dict[str, Any]:
    return {records[key].id: records[key] for key in _of(SHARED[folder], files, records)}


def _by_game(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> dict[str, Any]:
    return {key.partition("/")[0]: records[key] for key in _of(kind, files, records)}


def _events(
    records: Mapping[str, Any], documents: Mapping[str, Document], findings: list[Finding]
) -> dict[str, Event]:
    """Return the events by id; an id that is used twice is a finding."""
    named: dict[str, Event] = {}
    for key in EVENT_FILES:
        for index, event in enumerate(records.get(key, ())):
            if event.id in named:
                findings.append(
                    documents[key].finding(
                        "D004",
                        f"/events/{index}/id",
                        f"The event {event.id} is defined twice.",
                        "Give one of them another id, or remove it.",
                    )
                )
            named.setdefault(event.id, event)
    return named


def _game(key: str, files: Mapping[str, File], records: Mapping[str, Any]) -> Game:
    """Return a game with its wagers in declared order."""
    game: Game = records[key]
    wagers = [
        _wager(f"{key}/{name}", files, records)
        for name in _listed(files[key])
        if f"{key}/{name}" in records
    ]
    return replace(game, wagers=tuple(wagers))


def _listed(game: File) -> list[str]:
    return list(dict.fromkeys(game.document.value["wagers"]))


def _wager(key: str, files: Mapping[str, File], records: Mapping[str, Any]) -> Wager:
    """Return a wager with the records of its folder, sorted as people count."""

    def under(kind: str, prefix: str) -> tuple[Any, ...]:
        keys = [one for one in _of(kind, files, records) if one.startswith(prefix)]
        return tuple(records[key] for key in sorted(keys, key=_as_people_count))

    wager: Wager = records[key]
    return replace(
        wager,
        options=under("main-wager", f"{key}/"),
        paytables=under("paytable", f"{key}/"),
        envies=under("envy", f"{key}/envy/"),
    )


def _as_people_count(key: str) -> list[tuple[int, str]]:
    return [(int(one), "") if one.isdigit() else (-1, one) for one in re.split(r"(\d+)", key)]


D003 = Code(
    "D003",
    "The game's list of wagers and its folders differ",
    why="""A wager that the rules name and that is not declared would be missing from the documents;
    one that is declared and not listed would never be printed.""",
    mend="Declare the wager in <wager>/wager.json and list it in the game's file, or do neither.",
    wrong='{"wagers": ["main", "dynasty"]} beside the folder dynasty-bonus',
    right='{"wagers": ["main", "dynasty-bonus"]} beside the folder dynasty-bonus',
)


def _unmatched(key: str, files: Mapping[str, File]) -> Iterator[Finding]:
    """Yield wagers that the game lists and that have no file, and the other way round."""
    document, listed = files[key].document, _listed(files[key])
    folders = {one.split("/")[1] for one, file in files.items() if _is_of_wager(one, key, file)}
    for index, name in enumerate(listed):
        if f"{key}/{name}" not in files:
            near = difflib.get_close_matches(name, sorted(folders - set(listed)), n=1)
            yield document.finding(
                D003.id,
                f"/wagers/{index}",
                f"The game lists the wager {name}, and there is no {name}/wager.json.",
                f"Did you mean {near[0]}?" if near else "Declare the wager, or do not list it.",
                related=_within(f"{key}/{name}", files),
            )
    for name in sorted(folders - set(listed)):
        yield document.finding(
            D003.id,
            "/wagers",
            f"The folder {name} holds a wager that the game does not list.",
            f"Add {name} to `wagers` at its place in print, or remove the folder.",
            related=_within(f"{key}/{name}", files),
        )


def _within(key: str, files: Mapping[str, File]) -> tuple[str, ...]:
    """Return the files of a wager's folder as findings show them."""
    return tuple(
        file.name for one, file in files.items() if one == key or one.startswith(f"{key}/")
    )


D010 = Code(
    "D010",
    "A file names a game or a wager that is not declared",
    why="Without its game there are no deck, no hands and no rules to count by.",
    mend="Correct the id, or declare the game or the wager first.",
    wrong='{"game": "dealer-open", "wager": "chan-chu"}',
    right='{"game": "dealer-open-pai-gow", "wager": "chan-chu"}',
)


def _without_game(files: Mapping[str, File]) -> Iterator[Finding]:
    """Yield the files of a game's folder that has no ``game.json``."""
    for key, file in files.items():
        head, _, inner = key.partition("/")
        if inner and head not in SHARED and head not in files:
            yield file.document.finding(
                D010.id,
                "/game",
                f"There is no game {head}.",
                f"Declare it in {head}/game.json, or move the file to its game's folder.",
            )


def _is_of_wager(one: str, key: str, file: File) -> bool:
    return one.startswith(f"{key}/") and file.kind in ("wager", "paytable", "main-wager", "envy")


D002 = Code(
    "D002",
    "A file stands where none is expected",
    why="Nothing is read from it, and somebody may believe that it counts.",
    mend="""Move it to its place (<game>/<wager>/<paytable>.json, envy tables in the folder envy
    below), or out of the folder of declared data.""",
    wrong="dynasty-bonus/old/3.json",
    right="dynasty-bonus/3.json",
)


def out_of_place(path: Path) -> Finding:
    """Return the finding about a file that nothing is expected in."""
    return Finding(
        code=D002.id,
        severity=Severity.ERROR,
        file=shown(path),
        message="No file is expected at this place, so nothing was read from it.",
        remedy="Move it to <game>/<wager>/<paytable>.json, or out of the folder of declared data.",
    )
