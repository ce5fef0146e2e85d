"""Every statement and every source of the declared records, with its place."""

from collections.abc import Iterator, Sequence

from certify.checks.fault import Location
from certify.model.catalogue import EVENT_FILES, Catalogue
from certify.model.condition import Event
from certify.model.game import Wager
from certify.model.source import Source, Statement


def statements(catalogue: Catalogue) -> Iterator[tuple[Statement, Location]]:
    """Yield every statement of the declared records, sub-steps after their statement."""
    for game in catalogue.games.values():
        at = Location(game.id)
        for section, inner in at.items("/sections", game.sections):
            yield from _walk(inner, "statements", section.statements)
        yield from _walk(at, "definitions", game.definitions)
        yield from _walk(at, "assumptions", game.assumptions)
    for game in catalogue.games.values():
        for wager in game.wagers:
            at = Location(wager.target)
            yield from _walk(at, "rules", wager.rules)
            if wager.absent is not None:
                yield wager.absent, Location(at.key, "/absent")
            for record in wager.records:
                yield from _walk(Location(record.target), "assumptions", record.assumptions)
    for way in catalogue.house_ways.values():
        yield from _walk(Location(f"house-ways/{way.id}"), "statements", way.statements)
    for where in catalogue.jurisdictions.values():
        yield from _walk(Location(f"jurisdictions/{where.id}"), "clauses", where.clauses)


def events(catalogue: Catalogue) -> Iterator[tuple[Event, Location]]:
    """Yield every declared event."""
    for key in EVENT_FILES:
        if key in catalogue.documents and key not in catalogue.left_out:
            declared = catalogue.documents[key].value["events"]
            for value, at in Location(key).items("/events", declared):
                yield catalogue.events[value["id"]], at


def sources(catalogue: Catalogue) -> Iterator[tuple[Source, Location]]:
    """Yield every source of the declared records."""
    for event, at in events(catalogue):
        yield event.source, at.inner("/source")
    for statement, at in statements(catalogue):
        if not at.key.startswith(("house-ways/", "jurisdictions/")):
            yield statement.source, at.inner("/source")
    for game in catalogue.games.values():
        for wager in game.wagers:
            yield from _of_wager(wager)
    for name, figures in catalogue.published.items():
        for figure, at in Location(f"{name}/published").items("/figures", figures):
            yield figure.source, at.inner("/source")
    for name, discrepancies in catalogue.discrepancies.items():
        file = Location(f"{name}/discrepancies")
        for discrepancy, at in file.items("/discrepancies", discrepancies):
            yield from at.items("/sources", discrepancy.sources)


def _of_wager(wager: Wager) -> Iterator[tuple[Source, Location]]:
    yield wager.source, Location(wager.target, "/source")
    for record in wager.records:
        yield record.source, Location(record.target, "/source")
    for table in wager.envies:
        yield table.source, Location(table.target, "/source")
    for option in wager.options:
        for rule, at in Location(option.target).items("/dealer_rules", option.dealer_rules):
            yield rule.source, at.inner("/source")


def _walk(
    at: Location, name: str, listed: Sequence[Statement]
) -> Iterator[tuple[Statement, Location]]:
    for statement, inner in at.items(f"/{name}", listed):
        yield statement, inner
        yield from _walk(inner, "parts", statement.parts)
