"""Every statement and every source of the declared records, with its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from certify.checks.context import Context, records_of
from certify.model.game import Game, Wager
from certify.model.source import Source, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A statement, the key of its file, and its pointer there."""

    key: str
    pointer: str
    statement: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Sourced:
    """A source, the key of its file, and the pointer of its object there."""

    key: str
    pointer: str
    source: Source


def statements(context: Context) -> Iterator[Stated]:
    """Yield every statement of the declared records, sub-steps after their statement."""
    for game in context.catalogue.games.values():
        yield from _game(game)
    for game, wager in context.wagers():
        yield from _wager(f"{game.id}/{wager.id}", wager)
    for way in context.catalogue.house_ways.values():
        yield from _walk(f"house-ways/{way.id}", "/statements", way.statements)
    for where in context.catalogue.jurisdictions.values():
        yield from _walk(f"jurisdictions/{where.id}", "/clauses", where.clauses)


def sources(context: Context) -> Iterator[Sourced]:
    """Yield every source of the declared records."""
    for place, event in enumerate(context.catalogue.events.values()):
        yield Sourced(key="events", pointer=f"/events/{place}/source", source=event.source)
    for one in statements(context):
        if not one.key.startswith(("house-ways/", "jurisdictions/")):
            pointer = f"{one.pointer}/source"
            yield Sourced(key=one.key, pointer=pointer, source=one.statement.source)
    for game, wager in context.wagers():
        key = f"{game.id}/{wager.id}"
        yield Sourced(key=key, pointer="/source", source=wager.source)
        for record in records_of(wager):
            yield Sourced(key=record.target, pointer="/source", source=record.source)
        for table in wager.envies:
            yield Sourced(key=f"{key}/envy/{table.id}", pointer="/source", source=table.source)
        for option in wager.options:
            for place, rule in enumerate(option.dealer_rules):
                pointer = f"/dealer_rules/{place}/source"
                yield Sourced(key=option.target, pointer=pointer, source=rule.source)
    yield from _printed(context)


def _printed(context: Context) -> Iterator[Sourced]:
    """Yield the sources of printed figures and of discrepancies."""
    for game, figures in context.catalogue.published.items():
        for place, figure in enumerate(figures):
            pointer = f"/figures/{place}/source"
            yield Sourced(key=f"{game}/published", pointer=pointer, source=figure.source)
    for game, discrepancies in context.catalogue.discrepancies.items():
        for place, one in enumerate(discrepancies):
            for index, source in enumerate(one.sources):
                pointer = f"/discrepancies/{place}/sources/{index}"
                yield Sourced(key=f"{game}/discrepancies", pointer=pointer, source=source)


def _game(game: Game) -> Iterator[Stated]:
    for place, section in enumerate(game.sections):
        yield from _walk(game.id, f"/sections/{place}/statements", section.statements)
    yield from _walk(game.id, "/definitions", game.definitions)
    yield from _walk(game.id, "/assumptions", game.assumptions)


def _wager(key: str, wager: Wager) -> Iterator[Stated]:
    yield from _walk(key, "/rules", wager.rules)
    if wager.absent is not None:
        yield Stated(key=key, pointer="/absent", statement=wager.absent)
    for record in records_of(wager):
        yield from _walk(record.target, "/assumptions", record.assumptions)


def _walk(key: str, pointer: str, statements: Sequence[Statement]) -> Iterator[Stated]:
    for place, statement in enumerate(statements):
        inner = f"{pointer}/{place}"
        yield Stated(key=key, pointer=inner, statement=statement)
        yield from _walk(key, f"{inner}/parts", statement.parts)
