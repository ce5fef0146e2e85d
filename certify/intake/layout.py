"""Where each kind of file stands in a folder of declared data, and which ids its place gives it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from certify.library import PROJECT, project
from certify.model.catalogue import BUILTIN_EVENTS, OWN_EVENTS

SHARED = {
    "alternatives": "alternatives",
    "house-ways": "house-way",
    "jurisdictions": "jurisdiction",
}
"""Folders of records that every game may use, and the kind of file that they hold."""

EVENTS = "events.json"
"""The file that makes a folder a catalogue."""

PAYTABLES = "paytables"
"""The folder of declared data, in a library and in a project."""

SECOND_COUNTS = "second-counts"
"""The file of a game's second counts."""

OWN = "project"
"""What evidence calls the layer of a project's own files."""

OF_A_GAME = ("published", "discrepancies", SECOND_COUNTS)
"""Files of a game beside its own file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a file is by its place: its kind, its key in the catalogue, the ids it must carry."""

    kind: str
    key: str
    ids: Mapping[str, str] = field(default_factory=dict)


def place(parts: Sequence[str], *, own: bool = False) -> Place | None:
    """Return what the file at ``parts`` below the catalogue's folder is; None if nothing.

    ``own``: the folder is a project's, whose events are added to the built-in ones.
    """
    *folders, name = parts
    stem = name.removesuffix(".json")
    if not folders:
        key = OWN_EVENTS if own else BUILTIN_EVENTS
        return Place(kind="events", key=key) if name == EVENTS else None
    if folders[0] in SHARED:
        if len(folders) > 1:
            return None
        return Place(kind=SHARED[folders[0]], key=f"{folders[0]}/{stem}", ids={"id": stem})
    return _in_a_game(folders, stem)


def _in_a_game(folders: Sequence[str], stem: str) -> Place | None:
    game = folders[0]
    if len(folders) == 1:
        if stem == "game":
            return Place(kind="game", key=game, ids={"id": game})
        return Place(kind=stem, key=f"{game}/{stem}") if stem in OF_A_GAME else None
    wager, inner = folders[1], folders[2:]
    key = f"{game}/{wager}"
    if inner == ["envy"]:
        ids = {"id": stem, "game": game, "wager": wager}
        return Place(kind="envy", key=f"{key}/envy/{stem}", ids=ids)
    if inner:
        return None
    if stem == "wager":
        return Place(kind="wager", key=key, ids={"id": wager, "game": game})
    kind = "main-wager" if wager == "main" else "paytable"
    return Place(kind=kind, key=f"{key}/{stem}", ids={"id": stem, "game": game, "wager": wager})


def catalogue_folder(path: Path) -> Path | None:
    """Return the catalogue's folder that ``path`` stands in, or None."""
    for folder in path.absolute().parents:
        if is_file(folder / EVENTS) or is_of_project(folder):
            return folder
    return None


def is_of_project(folder: Path) -> bool:
    """Whether a folder holds the declared data of a project, to be layered over the built-in."""
    return folder.name == PAYTABLES and is_file(folder.parent / PROJECT)


def game_folder(path: Path) -> Path | None:
    """Return the folder of the game that ``path`` stands in, or None."""
    for folder in path.absolute().parents:
        if is_file(folder / "game.json"):
            return folder
    return None


def absolute(path: Path) -> Path:
    """Return the whole path without ``..``; links are not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def is_file(path: Path) -> bool:
    """Whether there is a file; no where the path cannot be one (it is too long, say)."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file() raises there


def is_folder(path: Path) -> bool:
    """Whether there is a folder; no where the path cannot be one."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir() raises there


def filed_as(path: Path) -> str:
    """Return a path as evidence names it, wherever the library stands and certify runs.

    A declared file's starts at ``paytables/``, one of a project's at ``project/paytables/``; a
    user's own file has its name alone.
    """
    whole = absolute(path)
    folder = catalogue_folder(whole)
    if folder is None:
        game = game_folder(whole)
        if game is None:
            return whole.name
        folder = game.parent
    layer = f"{OWN}/{PAYTABLES}" if is_of_project(folder) else PAYTABLES
    return f"{layer}/{whole.relative_to(folder).as_posix()}"


def shown(path: Path) -> str:
    """Return a path as people see it: from here if it is below, else from the catalogue's parent.

    Always with ``/``, so that a finding reads the same on every system. In a project, the files
    that come with certify are told apart from its own.
    """
    whole, here = path.absolute(), Path.cwd()
    if whole.is_relative_to(here):
        return whole.relative_to(here).as_posix()
    folder = catalogue_folder(whole)
    if folder is None:
        return whole.as_posix()
    inner = whole.relative_to(folder.parent).as_posix()
    return f"certify/{inner}" if project() and not is_of_project(folder) else inner
