"""Games that can be filed: those of which every printed sentence is known to be true."""

from collections.abc import Iterator

from certify.checks.context import Context
from certify.checks.fault import Fault
from certify.model.cards import RANKS, JokerRule
from certify.model.finding import Code, Finding
from certify.model.game import Game

BACK = 5
"""Cards of the high hand in the pai gow poker that documents describe."""

THREE = 3
"""Cards of an undivided hand that documents describe, as long as nothing is compared with it."""

M009 = Code(
    "M009",
    "A game cannot be filed with the sentences that documents print",
    why="""Documents print fixed sentences: the ranking of hands, what a joker is, how hands are
    set and compared, how many hands of each name there are. They are known to be true of pai gow
    poker: hands of six or seven cards in a high hand of five and a low hand, from a whole deck
    with at most one joker that is an ace or completes a straight or a flush. They are also true of
    wagers on an undivided hand of three cards from a deck without a joker, without a main wager.
    Of another game a signed page could say what is not so. `evaluate`, `explain` and `crosscheck`
    work for every game; `submit` and its preview refuse this one before anything is counted.""",
    mend="Count the game with `evaluate`, `explain` and `crosscheck`; this version cannot file it.",
    wrong='{"deck": {"ranks": 13, "joker": true}, "joker": "fully_wild"}',
    right='{"deck": {"ranks": 13, "joker": true}, "joker": "bug"}',
)


def unfilable(context: Context, game: Game) -> Iterator[Finding]:
    """Yield why the documents of a game could print what is not true of it."""
    for pointer, message in _untrue(game):
        yield context.finding(M009, Fault(game.id, pointer, message))


def _untrue(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each place at which a game is another one than documents describe, and how."""
    deck, shape = game.hands.deck, game.hands.shape
    if deck.ranks != len(RANKS):
        yield "/deck/ranks", f"Documents describe decks of 13 ranks; this one has {deck.ranks}."
    if deck.joker > 1:
        yield "/deck/joker", "Documents describe decks with at most one joker; this one has two."
    elif deck.joker and game.hands.joker is not JokerRule.BUG:
        message = "Documents describe a joker that is an ace or completes a straight or a flush."
        yield "/joker", message
    if not shape.divided:
        yield from _untrue_of_undivided(game)
    elif shape.back != BACK:
        message = f"Documents describe a high hand of five cards; this game's has {shape.back}."
        yield "/hand/back", message


def _untrue_of_undivided(game: Game) -> Iterator[tuple[str, str]]:
    shape = game.hands.shape
    if (shape.cards, shape.back) != (THREE, THREE) or game.hands.deck.joker:
        yield (
            "/hand",
            "Of hands that are not divided in two, documents describe three cards of a deck "
            "without a joker.",
        )
    elif game.options:
        yield "/wagers", "Documents describe no main wager of hands that are not divided in two."
