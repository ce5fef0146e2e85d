"""Checks of the terms of a table: they name what the game has, and do not contradict themselves."""

from collections.abc import Iterator

from certify.checks.context import Context, did_you_mean
from certify.checks.pages import rule_pack as pages
from certify.formatting import money
from certify.model.finding import Finding
from certify.model.game import Game, Wager
from certify.model.terms import TERMS, LinkedMeter, Terms


def unknown_in_terms(context: Context) -> Iterator[Finding]:
    """R021: the terms name only wagers and meters of their game."""
    terms = context.terms
    if terms is None:
        return
    games = _games(context, terms)
    if not games:
        known = tuple(context.catalogue.games)
        yield _unknown(context, "/game", f"There is no game {terms.game}.", terms.game, known)
        return
    of = f" in {games[0].name}" if len(games) == 1 else " in any game"
    wagers = tuple(dict.fromkeys(one.id for game in games for one in game.wagers))
    for pointer, name in _wagers_named(terms):
        if name not in wagers:
            yield _unknown(context, pointer, f"There is no wager {name}{of}.", name, wagers)
    meters = _meters(games)
    for pointer, one in _linked(terms):
        if one.paytable not in meters:
            message = f"No paytable {one.paytable} with a meter is declared{of}."
            yield _unknown(context, f"{pointer}/paytable", message, one.paytable, tuple(meters))
        elif one.level not in meters[one.paytable]:
            message = f"{one.paytable} has no meter {one.level}."
            levels = meters[one.paytable]
            yield _unknown(context, f"{pointer}/level", message, one.level, levels)


def contradictions(context: Context) -> Iterator[Finding]:
    """R022: the terms do not contradict themselves, nor the game that is filed."""
    terms = context.terms
    if terms is None:
        return
    if context.game is not None and terms.game not in (None, context.game.id):
        yield context.finding(
            pages.R022,
            TERMS,
            "/game",
            f"The terms are those of {terms.game}, and {context.game.id} is filed.",
            "Give the terms of a table with this game.",
        )
    for wager in (one for game in _games(context, terms) for one in game.wagers):
        yield from _least_above_largest(context, terms, wager)
    yield from _limited_twice(context, terms)
    seen = set()
    for pointer, one in _linked(terms):
        if one in seen:
            yield context.finding(
                pages.R022,
                TERMS,
                pointer,
                f"Meter {one.level} of {one.paytable} is linked twice.",
                "Name a meter once: all that are linked to it stand in one list.",
            )
        seen.add(one)


def _least_above_largest(context: Context, terms: Terms, wager: Wager) -> Iterator[Finding]:
    """Yield that a wager's minimum is above its maximum, where the terms state one of them."""
    least, largest = terms.least(wager), terms.largest(wager)
    stated = {
        "least_wagers": wager.id in dict(terms.least_wagers),
        "largest_wagers": wager.id in dict(terms.largest_wagers),
    }
    if least is None or largest is None or least <= largest or not any(stated.values()):
        return
    place = next(name for name, here in stated.items() if here)
    yield context.finding(
        pages.R022,
        TERMS,
        f"/{place}/{wager.id}",
        f"The minimum wager on {wager.name} is {money(least)}, and the maximum {money(largest)}.",
        "State a minimum that is not above the maximum.",
    )


def _limited_twice(context: Context, terms: Terms) -> Iterator[Finding]:
    seen = set()
    for place, limit in enumerate(terms.aggregate_limits or ()):
        for index, name in enumerate(limit.wagers):
            if (name, limit.scope) in seen:
                yield context.finding(
                    pages.R022,
                    TERMS,
                    f"/aggregate_limits/{place}/wagers/{index}",
                    f"{name} stands in two limits for one {limit.scope}.",
                    "State one limit for a wager, or one for a player and one for the table.",
                )
            seen.add((name, limit.scope))


def _games(context: Context, terms: Terms) -> tuple[Game, ...]:
    """Return the games that the terms can be of: the one that is filed or named, or else all."""
    if context.game is not None:
        return (context.game,)
    games = context.catalogue.games
    if terms.game is None:
        return tuple(games.values())
    return (games[terms.game],) if terms.game in games else ()


def _wagers_named(terms: Terms) -> Iterator[tuple[str, str]]:
    for name, _ in terms.largest_wagers:
        yield f"/largest_wagers/{name}", name
    for name, _ in terms.least_wagers:
        yield f"/least_wagers/{name}", name
    for place, limit in enumerate(terms.aggregate_limits or ()):
        for index, name in enumerate(limit.wagers):
            yield f"/aggregate_limits/{place}/wagers/{index}", name


def _linked(terms: Terms) -> Iterator[tuple[str, LinkedMeter]]:
    for place, link in enumerate(terms.links or ()):
        for index, one in enumerate(link):
            yield f"/links/{place}/{index}", one


def _meters(games: tuple[Game, ...]) -> dict[str, tuple[str, ...]]:
    """Return the names of the meters of every paytable that has any."""
    return {
        table.id: tuple(meter.level for meter in table.progressive.meters)
        for game in games
        for wager in game.wagers
        for table in wager.paytables
        if table.progressive is not None
    }


def _unknown(
    context: Context, pointer: str, message: str, name: str | None, known: tuple[str, ...]
) -> Finding:
    remedy = did_you_mean(name or "", known)
    return context.finding(pages.R021, TERMS, pointer, message, remedy)
