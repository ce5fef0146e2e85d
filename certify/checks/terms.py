"""Checks of the terms of a table: they name what the game has, and do not contradict themselves."""

from collections.abc import Iterator

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault, Location
from certify.formatting import did_you_mean, money
from certify.model.game import Game, Wager
from certify.model.terms import TERMS, AggregateLimit, LinkedMeter, Terms


@finds(
    "R021",
    "The terms name a wager or a meter that the game does not have",
    mend="Correct the id. With `game` in the file its wagers are those of one game.",
    wrong='{"game": "mini-pai-gow", "largest_wagers": {"bonuss": 2500}}',
    right='{"game": "mini-pai-gow", "largest_wagers": {"bonus": 2500}}',
)
def unknown_in_terms(context: Context) -> Iterator[Fault]:
    """A limit on a wager that is not there limits nothing, and the rules of play would not print
    it.
    """
    terms, games = context.terms, _games(context)
    if terms is None:
        return
    if not games:
        remedy = did_you_mean(terms.game or "", tuple(context.catalogue.games))
        yield Fault(TERMS, "/game", f"There is no game {terms.game}.", remedy)
        return
    of = f" in {games[0].name}" if len(games) == 1 else " in any game"
    wagers = tuple(dict.fromkeys(wager.id for game in games for wager in game.wagers))
    for name, at in _wagers_named(terms):
        if name not in wagers:
            yield at.fault("", f"There is no wager {name}{of}.", did_you_mean(name, wagers))
    meters = _meters(games)
    for linked, at in _linked(terms):
        name, level = linked.paytable, linked.level
        if name not in meters:
            message = f"No paytable {name} with a meter is declared{of}."
            yield at.fault("/paytable", message, did_you_mean(name, tuple(meters)))
        elif level not in meters[name]:
            message = f"{name} has no meter {level}."
            yield at.fault("/level", message, did_you_mean(level, meters[name]))


@finds(
    "R022",
    "The terms contradict themselves",
    mend="Correct one of the two.",
    wrong='{"least_wagers": {"main": 5000}, "largest_wagers": {"main": 2500}}',
    right='{"least_wagers": {"main": 500}, "largest_wagers": {"main": 2500}}',
)
def contradictions(context: Context) -> Iterator[Fault]:
    """A minimum above the maximum, two limits on one wager, a meter that is linked twice, or the
    terms of another game: one of two things would be printed, and the other not.
    """
    terms = context.terms
    if terms is None:
        return
    if context.game is not None and terms.game not in (None, context.game.id):
        yield Fault(
            TERMS,
            "/game",
            f"The terms are those of {terms.game}, and {context.game.id} is filed.",
            "Give the terms of a table with this game.",
        )
    for game in _games(context):
        for wager in game.wagers:
            yield from _least_above_largest(terms, wager)
    yield from _limited_twice(terms)
    seen = set()
    for linked, at in _linked(terms):
        if linked in seen:
            message = f"Meter {linked.level} of {linked.paytable} is linked twice."
            remedy = "Name a meter once: all that are linked to it stand in one list."
            yield at.fault("", message, remedy)
        seen.add(linked)


def _least_above_largest(terms: Terms, wager: Wager) -> Iterator[Fault]:
    """Yield that a wager's minimum is above its maximum, where the terms state one of them."""
    least, largest = terms.least(wager), terms.largest(wager)
    stated = {"least_wagers": terms.least_wagers, "largest_wagers": terms.largest_wagers}
    named = [name for name, amounts in stated.items() if wager.id in dict(amounts)]
    if named and least is not None and largest is not None and least > largest:
        yield Fault(
            TERMS,
            f"/{named[0]}/{wager.id}",
            f"The minimum wager on {wager.name} is {money(least)}, and the maximum "
            f"{money(largest)}.",
            "State a minimum that is not above the maximum.",
        )


def _limited_twice(terms: Terms) -> Iterator[Fault]:
    seen = set()
    for limit, name, at in _limits(terms):
        if (name, limit.scope) in seen:
            message = f"{name} stands in two limits for one {limit.scope}."
            remedy = "State one limit for a wager, or one for a player and one for the table."
            yield at.fault("", message, remedy)
        seen.add((name, limit.scope))


def _games(context: Context) -> tuple[Game, ...]:
    """Return the games that the terms can be of: the one that is filed or named, or else all."""
    terms, games = context.terms, context.catalogue.games
    if context.game is not None:
        return (context.game,)
    if terms is None or terms.game is None:
        return context.games
    return (games[terms.game],) if terms.game in games else ()


def _wagers_named(terms: Terms) -> Iterator[tuple[str, Location]]:
    for property_, amounts in (
        ("largest_wagers", terms.largest_wagers),
        ("least_wagers", terms.least_wagers),
        ("player_advantage", terms.player_advantage),
    ):
        for name, _ in amounts:
            yield name, Location(TERMS, f"/{property_}/{name}")
    for _, name, at in _limits(terms):
        yield name, at


def _limits(terms: Terms) -> Iterator[tuple[AggregateLimit, str, Location]]:
    """Yield every wager that stands in a limit."""
    for limit, at in Location(TERMS).items("/aggregate_limits", terms.aggregate_limits or ()):
        for name, inner in at.items("/wagers", limit.wagers):
            yield limit, name, inner


def _linked(terms: Terms) -> Iterator[tuple[LinkedMeter, Location]]:
    for link, at in Location(TERMS).items("/links", terms.links or ()):
        yield from at.items("", link)


def _meters(games: tuple[Game, ...]) -> dict[str, tuple[str, ...]]:
    """Return the names of the meters of every paytable that has any."""
    return {
        table.id: tuple(meter.level for meter in table.meters)
        for game in games
        for wager in game.wagers
        for table in wager.paytables
        if table.progressive is not None
    }
