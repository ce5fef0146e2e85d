"""Checks of the rules and tables that interpretations mark."""

from collections.abc import Iterator

from certify.checks.check import Context, Fault, Location, check, statements
from certify.formatting import did_you_mean
from certify.model.catalog import Catalog
from certify.model.game import Game
from certify.model.source import CLAUSE, PLACES_OF_GAME, PLACES_OF_MAIN, PLACES_OF_WAGER


@check(
    "D021",
    "An interpretation marks nothing that is printed",
    fix="Name in `marks` the rule, row or table of the game that the interpretation is about.",
    wrong='{"id": "high-ace", "text": "...", "effect": "...", "marks": ["bonus/ro_paid"]}',
    right='{"id": "high-ace", "text": "...", "effect": "...", "marks": ["bonus/row_paid"]}',
)
def unmarked(context: Context) -> Iterator[Fault]:
    """The rules of play print a dagger (†) at each rule that an interpretation is about, and the
    mathematics report lists the interpretation with the number of that rule. Without one, a reader
    cannot see that the rule could be read otherwise, or which rule a listed figure is about. An
    alternative marks what the assumptions in its `of` mark, unless it has `marks`. An assumption on
    figures only (`concern`) marks nothing.
    """
    catalog = context.catalog
    if catalog.left_out:
        return  # a mark can be of a file that has another fault
    printed = {game.id: _list_places(catalog, game) for game in catalog.games.values()}
    every = frozenset().union(*printed.values())
    for statement, at in statements(catalog):
        known = printed.get(at.key.partition("/")[0], every)
        yield from _find_unknown(statement.marks, at, known)
    assumed = _list_assumed(catalog)
    for owner, listed in catalog.alternatives.items():
        if owner not in printed:
            continue  # of a house way alone, or of a game that is not in the catalog
        known = printed[owner]
        for each, at in Location(f"alternatives/{owner}").items(
            "/alternatives", listed.alternatives
        ):
            yield from _find_unknown(each.marks, at, known)
            if not each.marks and assumed and assumed.isdisjoint(each.of):
                yield at.fault("/of", "It names no assumption, and there are no `marks`.")


def _find_unknown(marks: tuple[str, ...], at: Location, known: frozenset[str]) -> Iterator[Fault]:
    for mark, inner in at.items("/marks", marks):
        if known and mark not in known:
            message = f"The rules of play print nothing with the id {mark}."
            yield inner.fault("", message, did_you_mean(mark, tuple(known)))


def _list_assumed(catalog: Catalog) -> frozenset[str]:
    """Return the ids of all assumptions, and of rules that can be read otherwise."""
    stated = [each for each, _ in statements(catalog)]
    stated += [each for way in catalog.house_ways.values() for each in way.assumptions]
    return frozenset(each.id for each in stated if each.effect is not None)


def _list_places(catalog: Catalog, game: Game) -> frozenset[str]:
    """Return the ids of all that rules of play of a game can print with a dagger."""
    places = {*PLACES_OF_GAME, *PLACES_OF_MAIN}
    for each, at in statements(catalog):
        if at.key.partition("/")[0] == game.id:
            places.add(each.id)
    for way in catalog.house_ways.values():
        places.update(each.id for each in (*way.statements, *way.assumptions))
        places.update(rule.id for rule in way.rules)
    for where in catalog.jurisdictions.values():
        places.update(f"{CLAUSE}{each.id}" for each in where.clauses)
    for wager in game.wagers:
        places.update(f"{wager.id}/{name}" for name in PLACES_OF_WAGER)
        for option in wager.options:
            places.update(rule.id for rule in option.dealer_rules)
            places.update(bonus.id for bonus in option.bonus)
        for table in wager.paytables:
            places.update(f"{wager.id}/{row.event}" for row in table.rows)
    return frozenset(places)
