"""Entries of a catalog: put one in place of another, and find the file of one by its key."""

from dataclasses import replace
from typing import Any

from certify.intake.layout import EVENTS, Place, place
from certify.model.catalogue import BUILTIN_EVENTS, Catalogue
from certify.model.condition import Event
from certify.model.finding import Document
from certify.model.game import Game, Wager
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import TERMS, Jurisdiction, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable

EntryOfWager = Paytable | EnvyTable | MainWager
"""Entries in the folder of a wager."""

Entry = EntryOfWager | HouseWay | Jurisdiction | Terms
"""Entries that a file outside a folder of declared data can hold."""

Declared = Entry | Game | Wager | tuple[Event, ...]
"""Contents of a file of a catalog."""

_LISTS = {MainWager: "options", Paytable: "paytables", EnvyTable: "envies"}
"""The field of a wager that lists each kind of entry."""


def with_entry(
    catalogue: Catalogue, entry: Declared, document: Document, *, last: bool = False
) -> Catalogue:
    """Return the catalog with an entry in place of the one with its id.

    Args:
        catalogue: the catalog; it holds the game and the wager of the entry.
        entry: the decoded file. A game keeps its wagers, a wager its entries.
        document: the file.
        last: whether an entry of a wager comes after the others there, so that it is reported as
            the duplicate where it pays the same as one of them.
    """
    changed: dict[str, Any] = {}
    match entry:
        case Terms():
            key = TERMS
        case HouseWay():
            key = f"house-ways/{entry.id}"
            changed["house_ways"] = {**catalogue.house_ways, entry.id: entry}
        case Jurisdiction():
            key = f"jurisdictions/{entry.id}"
            changed["jurisdictions"] = {**catalogue.jurisdictions, entry.id: entry}
        case Game():
            key = entry.id
            game = replace(entry, wagers=catalogue.games[key].wagers)
            changed["games"] = {**catalogue.games, key: game}
        case tuple():
            key = BUILTIN_EVENTS
            before = {event["id"] for event in catalogue.documents[key].value["events"]}
            others = {name: event for name, event in catalogue.events.items() if name not in before}
            changed["events"] = {event.id: event for event in entry} | others
        case _:
            key = entry.target
            game = _with_entry(catalogue.games[entry.game], entry, last=last)
            changed["games"] = {**catalogue.games, game.id: game}
    return replace(catalogue, documents={**catalogue.documents, key: document}, **changed)


def _with_entry(game: Game, entry: EntryOfWager | Wager, *, last: bool) -> Game:
    def changed(wager: Wager) -> Wager:
        if isinstance(entry, Wager):
            held = {name: getattr(wager, name) for name in _LISTS.values()}
            return replace(entry, **held) if wager.id == entry.id else wager
        if wager.id != entry.wager:
            return wager
        name = _LISTS[type(entry)]
        by_id = {known.id: known for known in getattr(wager, name)}
        if last:
            by_id.pop(entry.id, None)
        entries: Any = tuple((by_id | {entry.id: entry}).values())
        return replace(wager, **{name: entries})

    return replace(game, wagers=tuple(changed(wager) for wager in game.wagers))


def place_of(catalogue: Catalogue, key: str) -> Place | None:
    """Return the place of the file with a key; None where no file has such a key."""
    *folders, last = key.split("/")
    if not folders:
        return place((EVENTS,) if key == BUILTIN_EVENTS else (key, "game.json"))
    game = catalogue.games.get(folders[0])
    if len(folders) == 1 and game is not None and last in {wager.id for wager in game.wagers}:
        return place((*folders, last, "wager.json"))
    return place((*folders, f"{last}.json"))
