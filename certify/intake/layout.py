"""Places of declared files and their dependencies, by their keys in a catalog.

Only this module decides which files a target or another file needs. `is_needed_by` is the basic
relation; `DependencyGraph` adds dependencies that only the contents of files show.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from certify.library import project
from certify.model.catalog import BUILTIN_EVENTS, EVENT_FILES, OWN_EVENTS, Catalog
from certify.model.condition import Event
from certify.model.finding import Document
from certify.model.game import Game, Wager
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import FILING, TERMS, Jurisdiction, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import EntryOfWager, EnvyTable, Paytable
from certify.received.files import PROJECT

SHARED = {
    "alternatives": "alternatives",
    "house-ways": "house-way",
    "jurisdictions": "jurisdiction",
}
"""Folders of records that every game may use, and the kind of file that they hold."""

EVENTS = "events.json"
"""The file that makes a folder a catalog."""

PAYTABLES = "paytables"
"""The folder of declared data, in a library and in a project."""

FILINGS = "filings"
"""The folder of a project's filings."""

SECOND_COUNTS = "second-counts"
"""The file of a game's second counts."""

OWN = "project"
"""The name of a project's layer in evidence."""

OF_A_GAME = ("published", "discrepancies", SECOND_COUNTS)
"""Files of a game in addition to its main file."""


class Place(Struct, frozen=True, kw_only=True):
    """The kind of a file, its key in the catalog, and its required ids, by its path."""

    kind: str
    key: str
    ids: tuple[tuple[str, str], ...] = ()


def place(parts: Sequence[str], *, of_project: bool = False) -> Place | None:
    """Return the place of the file at ``parts`` below the catalog's folder, or None.

    ``of_project``: the folder belongs to a project, whose events are added to the built-in ones.
    """
    *folders, name = parts
    stem = name.removesuffix(".json")
    if not folders:
        key = OWN_EVENTS if of_project else BUILTIN_EVENTS
        return Place(kind="events", key=key) if name == EVENTS else None
    if folders[0] in SHARED:
        if len(folders) > 1:
            return None
        return Place(kind=SHARED[folders[0]], key=f"{folders[0]}/{stem}", ids=(("id", stem),))
    return _place_in_game(folders, stem)


def _place_in_game(folders: Sequence[str], stem: str) -> Place | None:
    game = folders[0]
    if len(folders) == 1:
        if stem == "game":
            return Place(kind="game", key=game, ids=(("id", game),))
        return Place(kind=stem, key=f"{game}/{stem}") if stem in OF_A_GAME else None
    wager, inner = folders[1], folders[2:]
    key = f"{game}/{wager}"
    ids = (("id", stem), ("game", game), ("wager", wager))
    if inner == ["envy"]:
        return Place(kind="envy", key=f"{key}/envy/{stem}", ids=ids)
    if inner:
        return None
    if stem == "wager":
        return Place(kind="wager", key=key, ids=(("id", wager), ("game", game)))
    return Place(kind="main-wager" if wager == "main" else "paytable", key=f"{key}/{stem}", ids=ids)


def catalog_folder(path: Path) -> Path | None:
    """Return the catalog's folder that contains ``path``, or None."""
    catalogs = (
        folder
        for folder in path.absolute().parents
        if is_file(f"{folder}/{EVENTS}") or is_of_project(folder)
    )
    return next(catalogs, None)


def is_of_project(folder: Path) -> bool:
    """Return True if a folder holds a project's declared data, layered over the built-in data."""
    return folder.name == PAYTABLES and is_file(folder.parent / PROJECT)


def filing_place(path: Path) -> Place | None:
    """Return the place of a file among the filings of a project; None of any other file."""
    folder = path.absolute().parent
    if folder.name != FILINGS or not is_file(folder.parent / PROJECT):
        return None
    return Place(kind=FILING, key=TERMS, ids=(("id", path.stem),))


def game_folder(path: Path) -> Path | None:
    """Return the folder of the game that contains ``path``, or None."""
    parents = path.absolute().parents
    return next((folder for folder in parents if is_file(folder / "game.json")), None)


def absolute(path: Path) -> Path:
    """Return the whole path without ``..``; links are not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def is_file(path: Path | str) -> bool:
    """Return True if the path is a file; False for an invalid path (too long, for example)."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file() raises there


def is_folder(path: Path) -> bool:
    """Return True if the path is a folder; False for an invalid path."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir() raises there


def evidence_path(path: Path) -> str:
    """Return the path to use in evidence, independent of this machine's folders.

    Paths of built-in files start with ``paytables/``, those of a project with
    ``project/paytables/``. Any other file has its name alone.
    """
    whole = absolute(path)
    folder = catalog_folder(whole)
    if folder is None:
        game = game_folder(whole)
        if game is None:
            return whole.name
        folder = game.parent
    layer = f"{OWN}/{PAYTABLES}" if is_of_project(folder) else PAYTABLES
    return f"{layer}/{whole.relative_to(folder).as_posix()}"


def display_path(path: Path) -> str:
    """Return a path relative to the current folder if below it, else to the catalog's parent.

    Always with ``/``: a finding reads the same on every system. A file of a project is relative to
    the current folder; in a project, the files that come with certify are named ``certify/``.
    """
    whole, here = path.absolute(), Path.cwd()
    if whole.is_relative_to(here):
        return whole.relative_to(here).as_posix()
    folder = catalog_folder(whole)
    if folder is None:
        return whole.as_posix()
    if is_of_project(folder) and whole.drive == here.drive:
        return Path(os.path.relpath(whole, here)).as_posix()
    inner = whole.relative_to(folder.parent).as_posix()
    return f"certify/{inner}" if project() else inner


class PathNames:
    """Displayed paths and evidence paths of many files; each folder is looked up once."""

    def __init__(self) -> None:
        self._folders: dict[tuple[Callable[[Path], str], str], str] = {}

    def display(self, path: Path) -> str:
        """Return `display_path` of a file."""
        return self._name(display_path, path)

    def evidence(self, path: Path) -> str:
        """Return `evidence_path` of a file."""
        return self._name(evidence_path, path)

    def _name(self, name_of: Callable[[Path], str], path: Path) -> str:
        folder, name = os.path.split(path)
        if (name_of, folder) not in self._folders:
            self._folders[name_of, folder] = name_of(Path(folder, "x"))[:-1]
        return f"{self._folders[name_of, folder]}{name}"


def is_needed_by(key: str, target: str) -> bool:
    """Return True if a target needs the file with this key."""
    return needs_any(target, {key}, folders_of([key]))


def folders_of(keys: Iterable[str]) -> set[str]:
    """Return the games, the wagers and the folders that hold the files with these keys."""
    return {key[:end] for key in keys for end, letter in enumerate(key) if letter == "/"}


def needs_any(target: str, keys: Collection[str], folders: Collection[str]) -> bool:
    """Return True if a target needs one of some files; ``folders`` are `folders_of` their keys.

    A game needs all its own files and all shared files. A wager or a paytable needs its game's file
    and verification counts, its wager's file, the wager's envy tables, and the events. Only the
    main wager needs the house ways.
    """
    if target in keys or target in folders or any(key in keys for key in EVENT_FILES):
        return True
    game, _, rest = target.partition("/")
    wager = rest.partition("/")[0]
    if (not wager or wager == "main") and any(folder in folders for folder in SHARED):
        return True
    return bool(wager) and (
        game in keys
        or f"{game}/{SECOND_COUNTS}" in keys
        or f"{game}/{wager}" in keys
        or f"{game}/{wager}/envy" in folders
    )


def list_deciding(keys: Iterable[str], targets: Collection[str]) -> Iterator[str]:
    """Yield the keys of files on which the figures of some paytables or options depend."""
    # All ids of a wager need the same files, except the file of each paytable or option.
    wagers = {f"{target.rpartition('/')[0]}/" for target in targets}
    for key in keys:
        head, _, tail = key.partition("/")
        if head in ("alternatives", "jurisdictions") or tail in OF_A_GAME:
            continue
        if key in targets or any(is_needed_by(key, wager) for wager in wagers):
            yield key


def depends_on(key: str, other: str) -> bool:
    """Return True if the file with this key can be checked only if another file is valid."""
    head, _, tail = key.partition("/")
    if head == "house-ways":
        return key == other or ("/" not in other and other not in EVENT_FILES)
    return is_affected(head if tail in OF_A_GAME else key, {other}, folders_of([other]))


def is_affected(file: str, keys: Collection[str], folders: Collection[str]) -> bool:
    """Return True if one of some files alone can cause a finding in a file.

    Published figures and house ways depend on many files; of their findings, only the files that a
    finding names are the cause.
    """
    return file in keys or (file.partition("/")[0] not in SHARED and needs_any(file, keys, folders))


class DependencyGraph(Struct, frozen=True, dict=True):
    """Dependencies between the named files of a catalog and all others.

    ``keys`` are those of the named files.
    """

    catalog: Catalog
    keys: Collection[str]

    def affects(self, *files: str) -> bool:
        """Return True if a named file can cause a finding that involves these files."""
        return any(is_affected(file, self.keys, self._folders) for file in files)

    @cached_property
    def _folders(self) -> Collection[str]:
        return folders_of(self.keys)

    def affected_options(self) -> Iterator[tuple[Game, MainWager]]:
        """Yield the options of main wagers that a named file can affect."""
        for game in self.catalog.games.values():
            yield from ((game, option) for option in game.options if self.affects(option.target))

    @cached_property
    def affected_paytables(self) -> frozenset[str]:
        """Targets of the paytables in which a named file can cause a finding.

        A finding in a paytable may involve the discrepancies of its game.
        """
        return frozenset(
            table.target
            for game in self.catalog.games.values()
            for table in game.paytables
            if self.affects(table.target, f"{game.id}/discrepancies")
        )

    def paytables_to_count(self) -> tuple[Paytable, ...]:
        """Return the affected paytables, and those that affected figures or counts are about.

        A figure that is published of one paytable and read as another's needs the counts of both.
        """
        games = self.catalog.games.values()
        tables = [table for game in games for table in game.paytables]
        named = self.affected_paytables
        needed: set[str | None] = set(named)
        for game, figures in self.catalog.published.items():
            affected = self.affects(f"{game}/published")
            for figure in figures:
                both = {figure.target, figure.reading.target if figure.reading else None}
                if affected or both & named:
                    needed |= both
        for game, counts in self.catalog.second_counts.items():
            if f"{game}/second-counts" in self.keys:
                needed |= {count.target for count in counts}
        return tuple(table for table in tables if table.target in needed)

    def house_ways_to_audit(self) -> tuple[str, ...]:
        """Return the named house ways, and those that a named game may use."""
        games = self.catalog.games
        used = {way for key in self.keys if key in games for way in games[key].house_ways}
        return tuple(
            way
            for way in self.catalog.house_ways
            if way in used or f"house-ways/{way}" in self.keys
        )


def files_of_game(keys: Iterable[str], game: Game) -> set[str]:
    """Return the keys of a game's own files, the events, and the house ways that it may use."""
    files = {key for key in keys if f"{key}/".startswith(f"{game.id}/")}
    return files | {*EVENT_FILES, *(f"house-ways/{way}" for way in game.house_ways)}


Entry = EntryOfWager | HouseWay | Jurisdiction | Terms
"""Entries that a file outside a folder of declared data can hold."""

Declared = Entry | Game | Wager | tuple[Event, ...]
"""Contents of a file of a catalog."""

_LISTS = {MainWager: "options", Paytable: "paytables", EnvyTable: "envies"}
"""The field of a wager that lists each kind of entry."""


def replace_entry(
    catalog: Catalog, entry: Declared, document: Document, *, last: bool = False
) -> Catalog:
    """Return the catalog with an entry in place of the one with its id.

    Args:
        catalog: the catalog; it holds the game and the wager of the entry.
        entry: the decoded file. A game keeps its wagers, a wager its entries.
        document: the file.
        last: True to put an entry of a wager after the others, which makes it the reported
            duplicate if it pays the same as another one.
    """
    changed: dict[str, Any] = {}
    match entry:
        case Terms():
            key = TERMS
        case HouseWay():
            key = f"house-ways/{entry.id}"
            changed["house_ways"] = {**catalog.house_ways, entry.id: entry}
        case Jurisdiction():
            key = f"jurisdictions/{entry.id}"
            changed["jurisdictions"] = {**catalog.jurisdictions, entry.id: entry}
        case Game():
            key = entry.id
            game = replace(entry, wagers=catalog.games[key].wagers)
            changed["games"] = {**catalog.games, key: game}
        case tuple():
            key = BUILTIN_EVENTS
            before = {event["id"] for event in catalog.documents[key].value["events"]}
            others = {name: event for name, event in catalog.events.items() if name not in before}
            changed["events"] = {event.id: event for event in entry} | others
        case _:
            key = entry.target
            game = _add_entry(catalog.games[entry.game], entry, last=last)
            changed["games"] = {**catalog.games, game.id: game}
    return replace(catalog, documents={**catalog.documents, key: document}, **changed)


def _add_entry(game: Game, entry: EntryOfWager | Wager, *, last: bool) -> Game:
    def add_to_wager(wager: Wager) -> Wager:
        if isinstance(entry, Wager):
            entries_by_list = {name: getattr(wager, name) for name in _LISTS.values()}
            return replace(entry, **entries_by_list) if wager.id == entry.id else wager
        if wager.id != entry.wager:
            return wager
        name = _LISTS[type(entry)]
        by_id = {other.id: other for other in getattr(wager, name)}
        if last:
            by_id.pop(entry.id, None)
        entries: Any = tuple((by_id | {entry.id: entry}).values())
        return replace(wager, **{name: entries})

    return replace(game, wagers=tuple(add_to_wager(wager) for wager in game.wagers))


def find_place(catalog: Catalog, key: str) -> Place | None:
    """Return the place of the file with a key; None if no file has such a key."""
    *folders, last = key.split("/")
    if not folders:
        return place((EVENTS,) if key == BUILTIN_EVENTS else (key, "game.json"))
    game = catalog.games.get(folders[0])
    if len(folders) == 1 and game is not None and last in {wager.id for wager in game.wagers}:
        return place((*folders, last, "wager.json"))
    return place((*folders, f"{last}.json"))
