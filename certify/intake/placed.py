"""A record that takes its place in a catalogue, and its file by its key."""

from dataclasses import replace
from typing import Any

from certify.model.catalogue import BUILTIN_EVENTS, Catalogue
from certify.model.condition import Event
from certify.model.document import Document
from certify.model.game import Game, Wager
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.paytable import EnvyTable, Paytable
from certify.model.terms import TERMS, Terms

OfAWager = Paytable | EnvyTable | MainWager
"""What belongs to a wager of a game."""

Record = OfAWager | HouseWay | Jurisdiction | Terms
"""What can stand in a file of its own, outside a catalogue's folder."""

Declared = Record | Game | Wager | tuple[Event, ...]
"""What a file of a catalogue declares."""

_LISTS = {MainWager: "options", Paytable: "paytables", EnvyTable: "envies"}
"""Where a wager has what belongs to it."""


def placed(
    catalogue: Catalogue, record: Declared, document: Document, *, last: bool = False
) -> Catalogue:
    """Return the catalogue with a record in place of the one with its id.

    Args:
        catalogue: everything declared; it holds the game and the wager of the record.
        record: what the file declares. A game keeps its wagers, a wager what belongs to it.
        document: the file.
        last: whether what belongs to a wager comes after the others there, so that it is the
            duplicate where it pays the same as one of them.
    """
    changed: dict[str, Any] = {}
    match record:
        case Terms():
            key = TERMS
        case HouseWay():
            key = f"house-ways/{record.id}"
            changed["house_ways"] = {**catalogue.house_ways, record.id: record}
        case Jurisdiction():
            key = f"jurisdictions/{record.id}"
            changed["jurisdictions"] = {**catalogue.jurisdictions, record.id: record}
        case Game():
            key = record.id
            game = replace(record, wagers=catalogue.games[key].wagers)
            changed["games"] = {**catalogue.games, key: game}
        case tuple():
            key = BUILTIN_EVENTS
            before = {event["id"] for event in catalogue.documents[key].value["events"]}
            others = {name: event for name, event in catalogue.events.items() if name not in before}
            changed["events"] = {event.id: event for event in record} | others
        case _:
            key = record.target
            game = _with_record(catalogue.games[record.game], record, last=last)
            changed["games"] = {**catalogue.games, game.id: game}
    return replace(catalogue, documents={**catalogue.documents, key: document}, **changed)


def _with_record(game: Game, record: OfAWager | Wager, *, last: bool) -> Game:
    def changed(wager: Wager) -> Wager:
        if isinstance(record, Wager):
            held = {name: getattr(wager, name) for name in _LISTS.values()}
            return replace(record, **held) if wager.id == record.id else wager
        if wager.id != record.wager:
            return wager
        name = _LISTS[type(record)]
        by_id = {known.id: known for known in getattr(wager, name)}
        if last:
            by_id.pop(record.id, None)
        records: Any = tuple((by_id | {record.id: record}).values())
        return replace(wager, **{name: records})

    return replace(game, wagers=tuple(changed(wager) for wager in game.wagers))
