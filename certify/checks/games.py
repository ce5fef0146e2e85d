"""Checks of games: is there a main wager to file, and can its hands be dealt and counted?"""

from collections.abc import Iterator

from certify.checks.context import Context
from certify.checks.pages import wagers as pages
from certify.model.cards import uncountable
from certify.model.finding import Finding
from certify.model.game import Game, WagerKind

MAIN = "main"
"""The wager whose folder holds options of the base game."""


def main_wager_missing(context: Context) -> Iterator[Finding]:
    """M005: a game has one main wager, and it has an option: that is what is filed."""
    for game in context.catalogue.games.values():
        yield from _of_another_kind(context, game)
        main = next((one for one in game.wagers if one.id == MAIN), None)
        if main is not None and main.absent is not None and not main.options:
            yield context.finding(
                pages.M005,
                f"{game.id}/{MAIN}",
                "/absent",
                "The main wager has no option, so the game cannot be filed.",
                "Declare an option of it, even where the source leaves its rules to the casino.",
            )
        elif main is None and not context.has_file(f"{game.id}/{MAIN}"):
            yield context.finding(
                pages.M005,
                game.id,
                "/wagers",
                "The game has no main wager, so it cannot be filed.",
                f"Declare one in the folder {MAIN}, and list it.",
            )


def _of_another_kind(context: Context, game: Game) -> Iterator[Finding]:
    """Yield wagers whose kind is not that of their folder."""
    for wager in game.wagers:
        if (wager.id == MAIN) is not (wager.kind is WagerKind.MAIN):
            yield context.finding(
                pages.M005,
                f"{game.id}/{wager.id}",
                "/kind",
                f"The wager {wager.id} is of the kind {wager.kind}; the main wager, and no other, "
                f"stands in the folder {MAIN}.",
                "Correct the kind, or rename the folder.",
            )


def hands_uncountable(context: Context) -> Iterator[Finding]:
    """M006: the hands of a game can be dealt from its deck, divided and counted."""
    for game in context.catalogue.games.values():
        deck, shape = game.hands.deck, game.hands.shape
        why = uncountable(deck, shape)
        if why is not None:
            yield context.finding(pages.M006, game.id, "/hand", why.message, why.remedy)
        needed = (game.players + 1) * shape.cards
        if needed > deck.cards:
            yield context.finding(
                pages.M006,
                game.id,
                "/players",
                f"{game.players} players and the dealer need {needed} cards, and the deck has "
                f"{deck.cards}.",
                "Correct the number of players, of cards or of ranks.",
            )
