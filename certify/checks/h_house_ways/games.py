"""H codes: the house ways that a game names."""

from collections.abc import Iterator

from certify.checks.framework import Context, Fault, Location, check
from certify.formatting import did_you_mean


@check(
    "H001",
    "A game names a house way that is not declared",
    fix="Correct the id, or declare the house way in house-ways/<id>.json.",
    wrong='{"house_ways": ["foxwods"]}',
    right='{"house_ways": ["foxwoods"]}',
)
def house_way_missing(context: Context) -> Iterator[Fault]:
    """The edge of a game depends on how the dealer's hand is set."""
    known = tuple(context.catalog.house_ways)
    for game in context.games:
        if not game.house_way:
            continue
        named = list(Location(game.id).items("/house_ways", game.house_ways))
        if game.house_way not in game.house_ways:
            named.append((game.house_way, Location(game.id, "/house_way")))
        for name, at in named:
            if name not in known and not context.has_file(f"house-ways/{name}"):
                yield at.fault("", f"There is no house way {name}.", did_you_mean(name, known))


@check(
    "H002",
    "The default house way is not an allowed one",
    fix='Add the default to "house_ways", or choose another default.',
    wrong='{"house_way": "foxwoods", "house_ways": ["trump-plaza"]}',
    right='{"house_way": "foxwoods", "house_ways": ["foxwoods", "trump-plaza"]}',
)
def house_way_not_allowed(context: Context) -> Iterator[Fault]:
    """Default figures would use a house way that the game excludes."""
    for game in context.games:
        way = game.house_way
        if way and way not in game.house_ways:
            message = f"The default {way} is not among the house ways that may be used."
            yield Fault(game.id, "/house_way", message)


@check(
    "H003",
    "A house way is for hands of another size",
    fix="Use a house way that deals and divides as many cards as the game.",
    wrong="a game of six cards with a house way of seven",
    right="a game of seven cards with a house way of seven",
)
def house_way_size(context: Context) -> Iterator[Fault]:
    """A house way for seven cards cannot set the six cards of another game."""
    for game in context.games:
        shape = game.hands.shape
        for name, at in Location(game.id).items("/house_ways", game.house_ways):
            way = context.catalog.house_ways.get(name)
            if way is not None and (way.cards, way.front) != (shape.cards, shape.front):
                yield at.fault(
                    "",
                    f"{name} sets {way.front} of {way.cards} cards in the low hand; the game sets "
                    f"{shape.front} of {shape.cards}.",
                    related=(f"house-ways/{name}",),
                )
