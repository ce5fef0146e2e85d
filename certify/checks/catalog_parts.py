"""Iteration over the parts of a catalog: statements, events, rules and sources."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from certify.checks.framework import Location
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.condition import Event
from certify.model.game import Wager
from certify.model.jurisdiction import Rule
from certify.model.source import Source, Statement

Item = TypeVar("Item")


def statements(catalog: Catalog) -> Iterator[tuple[Statement, Location]]:
    """Yield every statement, sub-steps after their statement."""
    for game in catalog.games.values():
        at = Location(game.id)
        for section, inner in at.items("/sections", game.sections):
            yield from _walk(inner, "statements", section.statements)
        yield from _walk(at, "definitions", game.definitions)
        yield from _walk(at, "assumptions", game.assumptions)
    for game in catalog.games.values():
        for wager in game.wagers:
            at = Location(wager.target)
            yield from _walk(at, "rules", wager.rules)
            if wager.absent is not None:
                yield wager.absent, Location(at.key, "/absent")
            for record in wager.records:
                yield from _walk(Location(record.target), "assumptions", record.assumptions)
    for way in catalog.house_ways.values():
        yield from _walk(Location(f"house-ways/{way.id}"), "statements", way.statements)
    for where in catalog.jurisdictions.values():
        yield from _walk(Location(f"jurisdictions/{where.id}"), "clauses", where.clauses)


def events(catalog: Catalog) -> Iterator[tuple[Event, Location]]:
    """Yield every declared event."""
    for key in EVENT_FILES:
        if key in catalog.documents and key not in catalog.left_out:
            declared = catalog.documents[key].value["events"]
            for value, at in Location(key).items("/events", declared):
                yield catalog.events[value["id"]], at


def rules(catalog: Catalog) -> Iterator[tuple[Rule, Location]]:
    """Yield every rule of every jurisdiction."""
    for where in catalog.jurisdictions.values():
        yield from Location(f"jurisdictions/{where.id}").items("/rules", where.rules)


def sources(catalog: Catalog) -> Iterator[tuple[Source, Location]]:
    """Yield every declared source."""
    for event, at in events(catalog):
        yield event.source, at.inner("/source")
    for statement, at in statements(catalog):
        if not at.key.startswith(("house-ways/", "jurisdictions/")):
            yield statement.source, at.inner("/source")
    for game in catalog.games.values():
        for wager in game.wagers:
            yield from _wager_sources(wager)
    for name, figures in catalog.published.items():
        for figure, at in Location(f"{name}/published").items("/figures", figures):
            yield figure.source, at.inner("/source")
    for name, discrepancies in catalog.discrepancies.items():
        file = Location(f"{name}/discrepancies")
        for discrepancy, at in file.items("/discrepancies", discrepancies):
            yield from at.items("/sources", discrepancy.sources)


def _wager_sources(wager: Wager) -> Iterator[tuple[Source, Location]]:
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


def repeats(values: Iterable[Item], key: Callable[[Item], Hashable]) -> Iterator[tuple[Item, Item]]:
    """Yield each value whose key an earlier value has, with the first value of that key."""
    first: dict[Hashable, Item] = {}
    for value in values:
        original = first.setdefault(key(value), value)
        if original is not value:
            yield value, original
