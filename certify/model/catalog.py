"""The catalog: all declared files, read and checked."""

from collections.abc import Collection, Mapping
from typing import TypeVar

from msgspec import Struct, field

from certify.model.comparison import SecondCount
from certify.model.condition import Event
from certify.model.finding import Document
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.model.jurisdiction import Jurisdiction
from certify.model.source import Alternatives, Discrepancy, PublishedFigure

BUILTIN_EVENTS, OWN_EVENTS = EVENT_FILES = ("events", "own-events")
"""The keys of the files of events: the built-in one, and a project's."""


class Catalog(Struct, frozen=True, kw_only=True):
    """The declared records by id, and the files they came from.

    ``published``, ``discrepancies`` and ``second_counts`` are by game id. ``documents`` maps a
    record's key to the file it was read from; keys are targets (``game``, ``game/wager``,
    ``game/wager/paytable``, ``game/wager/envy/id``) and `EVENT_FILES`, ``house-ways/id``,
    ``jurisdictions/id``, ``alternatives/id``, ``game/published``, ``game/discrepancies``,
    ``game/second-counts``. ``left_out`` are the keys of files with faults, whose records are not
    here.
    """

    events: Mapping[str, Event] = field(default_factory=dict)
    games: Mapping[str, Game] = field(default_factory=dict)
    house_ways: Mapping[str, HouseWay] = field(default_factory=dict)
    jurisdictions: Mapping[str, Jurisdiction] = field(default_factory=dict)
    published: Mapping[str, tuple[PublishedFigure, ...]] = field(default_factory=dict)
    discrepancies: Mapping[str, tuple[Discrepancy, ...]] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    alternatives: Mapping[str, Alternatives] = field(default_factory=dict)
    second_counts: Mapping[str, tuple[SecondCount, ...]] = field(default_factory=dict)

    @property
    def own_events(self) -> frozenset[str]:
        """The ids of the events that a project declares; none if their file has faults."""
        file = None if OWN_EVENTS in self.left_out else self.documents.get(OWN_EVENTS)
        return frozenset(event["id"] for event in file.value["events"]) if file else frozenset()

    def jurisdiction_name(self, id_: str) -> str:
        """Return the printed name of a jurisdiction, or its id if it is not declared."""
        jurisdiction = self.jurisdictions.get(id_)
        return jurisdiction.name if jurisdiction else id_

    def only(self, keys: Collection[str]) -> "Catalog":
        """Return a catalog with only the files with these keys."""
        return Catalog(
            events=self.events if BUILTIN_EVENTS in keys else {},
            games=_select_records(self.games, "{}", keys),
            house_ways=_select_records(self.house_ways, "house-ways/{}", keys),
            jurisdictions=_select_records(self.jurisdictions, "jurisdictions/{}", keys),
            published=_select_records(self.published, "{}/published", keys),
            discrepancies=_select_records(self.discrepancies, "{}/discrepancies", keys),
            alternatives=_select_records(self.alternatives, "alternatives/{}", keys),
            left_out=self.left_out & frozenset(keys),
            second_counts=_select_records(self.second_counts, "{}/second-counts", keys),
            documents={key: document for key, document in self.documents.items() if key in keys},
        )


Record = TypeVar("Record")


def _select_records(
    records: Mapping[str, Record], key: str, keys: Collection[str]
) -> dict[str, Record]:
    """Return the records whose file has one of the keys; ``key`` is the form of such a key."""
    return {name: record for name, record in records.items() if key.format(name) in keys}
