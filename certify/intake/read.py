"""Read all declared files and validate their locations."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from certify.formatting import did_you_mean
from certify.intake.faults import D001, D002, D003, D010
from certify.intake.files import NO_OVERLAYS, File, Overlays, read
from certify.intake.layout import (
    SHARED,
    PathNames,
    absolute,
    display_path,
    is_needed_by,
    is_of_project,
    place,
)
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.condition import Event
from certify.model.finding import Document, Finding
from certify.model.game import Game, Strategy, Wager
from certify.model.main_wager import Tie, Ties
from certify.received.files import is_plain_name, walk

OF_WAGER = ("wager", "paytable", "main-wager", "envy")
"""The kinds of files in a wager's folder."""


def normalize_folder_ids(files: Mapping[str, File]) -> tuple[dict[str, File], tuple[Finding, ...]]:
    """Return the files as if each folder had the name that its files agree on.

    A folder of a game or a wager whose files all say one other id is one finding, and its files
    are judged under that id; or not at all if another folder has it.

    Returns:
        The files by key, and every fault of theirs.
    """
    findings: list[Finding] = []
    for folder, kind in _folders(files):
        inside = {key: file for key, file in files.items() if _holds(folder, key)}
        ids = _read_ids(inside, kind)
        head, _, name = folder.rpartition("/")
        others = set(ids.values())
        if len(others) != 1 or name in others:
            continue
        (other,) = others
        first = inside[folder if folder in ids else min(ids)]
        findings.append(
            first.document.finding(
                D001.id,
                _pointer(first, kind),
                f"The folder is {name}, but all of its files name {other}.",
                f"Rename the folder to {other}, or write {name} in all of its files.",
                related=tuple(file.name for file in inside.values() if file is not first),
            )
        )
        home = f"{head}/{other}" if head else other
        taken = any(_holds(home, key) for key in files)
        renamed = {}
        for key, file in files.items():
            if key not in inside:
                renamed[key] = file
            elif taken:
                renamed[key] = replace(file, kind=None, findings=_without(file, kind))
            else:
                key_there = f"{home}{key[len(folder) :]}"
                renamed[key_there] = replace(file, findings=_without(file, kind))
        files = renamed
    findings += [finding for file in files.values() for finding in file.findings]
    return dict(files), tuple(findings)


def _folders(files: Mapping[str, File]) -> list[tuple[str, str]]:
    """Return the folders of wagers and of games, with the kind of record that is their head."""
    wagers = {"/".join(key.split("/")[:2]) for key, file in files.items() if file.kind in OF_WAGER}
    games = {key.partition("/")[0] for key in files} - {*SHARED, *EVENT_FILES}
    return [
        *((name, "wager") for name in sorted(wagers)),
        *((name, "game") for name in sorted(games)),
    ]


def _holds(folder: str, key: str) -> bool:
    return key == folder or key.startswith(f"{folder}/")


def _pointer(file: File, kind: str) -> str:
    return "/id" if file.kind == kind else f"/{kind}"


def _read_ids(files: Mapping[str, File], kind: str) -> dict[str, str]:
    """Return the id of the game or the wager in each file, if it has one."""
    values = {key: (file.document.value, _pointer(file, kind)[1:]) for key, file in files.items()}
    return {
        key: value[name]
        for key, (value, name) in values.items()
        if isinstance(value, dict) and isinstance(value.get(name), str)
    }


def _without(file: File, kind: str) -> tuple[Finding, ...]:
    """Return a file's findings without the one that its folder has."""
    reported = (D001.id, _pointer(file, kind))
    return tuple(
        finding for finding in file.findings if (finding.code, finding.pointer) != reported
    )


def check_wager_folders(key: str, files: Mapping[str, File]) -> Iterator[Finding]:
    """Yield wagers that the game lists and that have no file, and the other way round."""
    document, wagers = files[key].document, list_wagers(files[key])
    folders = {
        name.split("/")[1]
        for name, file in files.items()
        if name.startswith(f"{key}/") and file.kind in OF_WAGER
    }
    for index, name in enumerate(wagers):
        if f"{key}/{name}" not in files:
            fix = "Declare the wager, or remove it from the list."
            yield document.finding(
                D003.id,
                f"/wagers/{index}",
                f"The game lists the wager {name}, but there is no {name}/wager.json.",
                did_you_mean(name, sorted(folders - set(wagers)), fix),
                related=_list_wager_files(f"{key}/{name}", files),
            )
    for name in sorted(folders - set(wagers)):
        yield document.finding(
            D003.id,
            "/wagers",
            f"The folder {name} contains a wager that the game does not list.",
            f"Add {name} to `wagers` in print order, or remove the folder.",
            related=_list_wager_files(f"{key}/{name}", files),
        )


def list_wagers(game: File) -> list[str]:
    """Return the wagers that a game's file lists, in printed order."""
    return list(dict.fromkeys(game.document.value["wagers"]))


def _list_wager_files(key: str, files: Mapping[str, File]) -> tuple[str, ...]:
    """Return the files of a wager's folder as findings show them."""
    return tuple(file.name for name, file in files.items() if _holds(key, name))


def check_game_exists(files: Mapping[str, File]) -> Iterator[Finding]:
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


def out_of_place(path: Path) -> Finding:
    """Return the finding on a file in an unexpected place."""
    return _passed_over(
        path,
        "No file is expected here, so nothing was read from it.",
        "Move it to <game>/<wager>/<paytable>.json, or out of the folder of declared data.",
    )


def _passed_over(path: Path, message: str, remedy: str) -> Finding:
    return Document(path=display_path(path)).finding(D002.id, "", message, remedy)


def looks_like_json(path: Path) -> bool:
    """Return True if a file name is that of JSON, or a likely mistake: ``1.jsn``, ``1.json.txt``.

    A program (``app.js``) and the lock of a register (``register.json.lock``) are not JSON.
    """
    name = path.name.lower()
    meant = ".jso" in name or ".jsn" in name
    return meant and not name.startswith(".") and not name.endswith(".lock")


def read_catalog(
    *layers: Path,
    only: str | None = None,
    games: Collection[str] | None = None,
    overlays: Overlays = NO_OVERLAYS,
) -> tuple[Catalog, tuple[Finding, ...]]:
    """Read folders of declared data in sorted order.

    Args:
        layers: folders laid out like ``paytables/``. A file replaces the one at the same path in an
            earlier layer; the events of a project are added.
        only: a target; only the files that it depends on are read.
        games: ids of games; of other games only the main file is read, with all shared files.
        overlays: contents in memory.

    Returns:
        The catalog of every valid entry, and every fault found. A file with a fault is not in the
        catalog, only in the findings.
    """

    def is_needed(key: str) -> bool:
        head, _, inner = key.partition("/")
        near = games is None or not inner or head in SHARED or head in games
        return near and (only is None or is_needed_by(key, only))

    paths = [files for folder in layers for files in _paths(folder, folder, overlays).items()]
    return _assemble(dict(paths), Catalog(), overlays, is_needed)


def read_game(
    folder: Path, catalog: Catalog, *, overlays: Overlays = NO_OVERLAYS
) -> tuple[Catalog, tuple[Finding, ...]]:
    """Read one game's folder, in any location, and add it to a catalog."""
    paths = _paths(folder.absolute(), folder.absolute().parent, overlays)
    return _assemble(paths, catalog, overlays)


def _paths(folder: Path, root: Path, overlays: Overlays) -> dict[Path, tuple[str, ...]]:
    """Return the files that are JSON, or look it, with their parts below ``root``; sorted.

    A hidden folder has none: it comes from a run that was killed while it wrote the folder.
    """
    whole = absolute(folder)
    files = {*walk(folder), *(path for path in overlays if path.is_relative_to(whole))}
    named = {path: path.relative_to(root).parts for path in sorted(files) if looks_like_json(path)}
    return {
        path: parts for path, parts in named.items() if not any(part[0] == "." for part in parts)
    }


def _assemble(
    paths: Mapping[Path, tuple[str, ...]],
    base: Catalog,
    overlays: Overlays,
    is_wanted: Callable[[str], bool] = lambda _: True,
) -> tuple[Catalog, tuple[Finding, ...]]:
    """Read every file that is wanted and put the sound ones together."""
    findings: list[Finding] = []
    files: dict[str, File] = {}
    in_part: set[str] = set()
    names = PathNames()
    for path, parts in paths.items():
        where = place(parts, of_project=is_of_project(path.parent))
        device = next((part for part in parts if not is_plain_name(part)), None)
        if device is not None:
            message = f"Windows allows no file named {device}, so nothing was read from the file."
            remedy = "it is the name of a device, or has a character that is not allowed."
            findings.append(_passed_over(path, message, f"Rename {device}: {remedy}"))
        elif path.suffix != ".json":
            message = "The name does not end with .json, so nothing was read from the file."
            name = f"{path.name[: path.name.lower().rindex('.js')]}.json"
            remedy = f"Rename it to {name}, or move it out of the folder of declared data."
            findings.append(_passed_over(path, message, remedy))
        elif where is None:
            findings.append(out_of_place(path))
        elif is_wanted(where.key):
            files[where.key] = read(path, where, overlays=overlays, names=names)
        else:
            in_part.add(parts[0])
    files, faults = normalize_folder_ids(files)
    findings.extend(faults)
    documents = {key: file.document for key, file in files.items()}
    records = {key: file.record for key, file in files.items() if file.sound}
    games = {key: _game(key, files, records) for key in _list_records("game", files, records)}
    for key in games.keys() - in_part:
        findings.extend(check_wager_folders(key, files))
    findings.extend(check_game_exists(files))
    base = base.only({key for key in base.documents if key.partition("/")[0] not in games})

    def by_id(kind: str, part: int) -> dict[str, Any]:
        return {key.split("/")[part]: records[key] for key in _list_records(kind, files, records)}

    return Catalog(
        events={**base.events, **_events(records, documents, findings)},
        games={**base.games, **games},
        house_ways={**base.house_ways, **by_id("house-way", 1)},
        jurisdictions={**base.jurisdictions, **by_id("jurisdiction", 1)},
        published={**base.published, **by_id("published", 0)},
        discrepancies={**base.discrepancies, **by_id("discrepancies", 0)},
        documents={**base.documents, **documents},
        left_out=base.left_out | (files.keys() - records.keys()),
        alternatives={**base.alternatives, **by_id("alternatives", 1)},
        second_counts={**base.second_counts, **by_id("second-counts", 0)},
    ), tuple(findings)


def _list_records(kind: str, files: Mapping[str, File], records: Mapping[str, Any]) -> list[str]:
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
                remedy = "Rename one of them, or remove it."
                findings.append(documents[key].finding("D004", place, message, remedy))
            named.setdefault(event.id, event)
    return named


def _game(key: str, files: Mapping[str, File], records: Mapping[str, Any]) -> Game:
    """Return a game with its wagers in declared order."""
    game: Game = records[key]
    wagers = [
        _wager(f"{key}/{name}", files, records)
        for name in list_wagers(files[key])
        if f"{key}/{name}" in records
    ]
    whole = replace(game, wagers=tuple(wagers))
    return whole if game.hands.shape.is_divided else _complete_undivided(whole)


def _complete_undivided(game: Game) -> Game:
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
    """Return a wager with the entries of its folder, sorted naturally."""

    def values_below(kind: str, prefix: str) -> tuple[Any, ...]:
        keys = [key for key in _list_records(kind, files, records) if key.startswith(prefix)]
        return tuple(records[key] for key in sorted(keys, key=_natural_key))

    wager: Wager = records[key]
    return replace(
        wager,
        options=values_below("main-wager", f"{key}/"),
        paytables=values_below("paytable", f"{key}/"),
        envies=values_below("envy", f"{key}/envy/"),
    )


def _natural_key(key: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", key)]
