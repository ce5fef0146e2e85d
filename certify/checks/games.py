"""Checks of games: the main wager that is filed, the hands that are counted, the house ways."""

from collections.abc import Iterator

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault, Location
from certify.formatting import did_you_mean
from certify.model.cards import is_base_game, uncountable
from certify.model.game import Game, WagerKind

MAIN = "main"
"""The wager whose folder holds options of the base game."""


@finds(
    "M005",
    "A game has no main wager that can be filed",
    mend='Declare the main wager in the folder "main", of the kind "main", with an option.',
    wrong='{"wagers": ["bonus"]}',
    right='{"wagers": ["main", "bonus"]}, with main/wager.json and main/standard.json',
)
def main_wager_missing(context: Context) -> Iterator[Fault]:
    """What is filed is an option of the main wager, with other wagers beside it. Without one there
    is nothing to file, but of a game whose hands are not divided in two.
    """
    for game in context.games:
        yield from _of_another_kind(game)
        if not is_base_game(game.hands.shape):
            continue
        main = next((wager for wager in game.wagers if wager.id == MAIN), None)
        if main is not None and main.absent is not None and not main.options:
            yield Fault(
                f"{game.id}/{MAIN}",
                "/absent",
                "The main wager has no option, so the game cannot be filed.",
                "Declare an option of it, even where the source leaves its rules to the casino.",
            )
        elif main is None and not context.has_file(f"{game.id}/{MAIN}"):
            message = "The game has no main wager, so it cannot be filed."
            remedy = f"Declare one in the folder {MAIN}, and list it."
            yield Fault(game.id, "/wagers", message, remedy)


def _of_another_kind(game: Game) -> Iterator[Fault]:
    """Yield wagers whose kind is not that of their folder."""
    for wager in game.wagers:
        if (wager.id == MAIN) is not (wager.kind is WagerKind.MAIN):
            yield Fault(
                wager.target,
                "/kind",
                f"The wager {wager.id} is of the kind {wager.kind}; the main wager, and no other, "
                f"stands in the folder {MAIN}.",
                "Correct the kind, or rename the folder.",
            )


@finds(
    "M006",
    "The hands of a game cannot be dealt or counted",
    mend="Correct the deck, the hand or the number of players.",
    wrong='{"hand": {"cards": 7, "back": 5, "front": 1}}',
    right='{"hand": {"cards": 7, "back": 5, "front": 2}}',
)
def hands_uncountable(context: Context) -> Iterator[Fault]:
    """Every deal is counted exactly, for hands that are divided in two, of a deck in which no hand
    holds two flushes. Other hands have no figures, and too many players no cards.
    """
    for game in context.games:
        deck, shape = game.hands.deck, game.hands.shape
        options = any(wager.options for wager in game.wagers)
        why = uncountable(deck, shape) if options or is_base_game(shape) else None
        if why is not None:
            yield Fault(game.id, "/hand", why.message, why.remedy)
        elif shape.front == 0 and shape.back > shape.cards:
            yield Fault(
                game.id,
                "/hand/back",
                f"A complete hand of {shape.back} cards cannot be made of {shape.cards}.",
                "Correct the numbers: `back` is what a straight or a flush needs.",
            )
        needed = (game.players + 1) * shape.cards
        if needed > deck.cards:
            yield Fault(
                game.id,
                "/players",
                f"{game.players} players and the dealer need {needed} cards, and the deck has "
                f"{deck.cards}.",
                "Correct the number of players, of cards or of ranks.",
            )


@finds(
    "H001",
    "A game names a house way that is not declared",
    mend="Correct the id, or declare the house way in house-ways/<id>.json.",
    wrong='{"house_ways": ["foxwods"]}',
    right='{"house_ways": ["foxwoods"]}',
)
def house_way_missing(context: Context) -> Iterator[Fault]:
    """The edge of a game has no meaning without the way the dealer's hand is set."""
    known = tuple(context.catalogue.house_ways)
    for game in context.games:
        if not game.house_way:
            continue
        named = list(Location(game.id).items("/house_ways", game.house_ways))
        if game.house_way not in game.house_ways:
            named.append((game.house_way, Location(game.id, "/house_way")))
        for name, at in named:
            if name not in known and not context.has_file(f"house-ways/{name}"):
                yield at.fault("", f"There is no house way {name}.", did_you_mean(name, known))


@finds(
    "H002",
    "The default house way is not among those that may be used",
    mend='Add the default to "house_ways", or choose another default.',
    remedy="Add it to `house_ways`, or choose another default.",
    wrong='{"house_way": "foxwoods", "house_ways": ["trump-plaza"]}',
    right='{"house_way": "foxwoods", "house_ways": ["foxwoods", "trump-plaza"]}',
)
def house_way_not_allowed(context: Context) -> Iterator[Fault]:
    """Every figure without another choice would rest on a house way that the game excludes."""
    for game in context.games:
        way = game.house_way
        if way and way not in game.house_ways:
            message = f"The default {way} is not among the house ways that may be used."
            yield Fault(game.id, "/house_way", message)


@finds(
    "H003",
    "A house way sets hands of another size",
    mend="Name a house way that deals and divides as many cards as the game.",
    remedy="Name a house way for the hands of this game.",
    wrong="a game of six cards with a house way of seven",
    right="a game of seven cards with a house way of seven",
)
def house_way_size(context: Context) -> Iterator[Fault]:
    """A house way for seven cards cannot set the six cards of another game."""
    for game in context.games:
        shape = game.hands.shape
        for name, at in Location(game.id).items("/house_ways", game.house_ways):
            way = context.catalogue.house_ways.get(name)
            if way is not None and (way.cards, way.front) != (shape.cards, shape.front):
                yield at.fault(
                    "",
                    f"{name} sets {way.front} of {way.cards} cards in front; the game sets "
                    f"{shape.front} of {shape.cards}.",
                    related=(f"house-ways/{name}",),
                )
