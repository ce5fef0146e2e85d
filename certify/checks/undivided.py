"""Checks of hands that are not divided: their order, and that nothing is said of two hands."""

from collections.abc import Iterator

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault
from certify.formatting import listed
from certify.model.condition import Condition, asks_as_set
from certify.model.game import HandRules
from certify.model.main_wager import MainWager
from certify.model.vocabulary import Category

ORDER = "/ranking/highest_first"
"""Where a game lists the categories of its hands."""

OF_A_KIND = (
    Category.FIVE_OF_A_KIND,
    Category.FOUR_OF_A_KIND,
    Category.FULL_HOUSE,
    Category.THREE_OF_A_KIND,
    Category.TWO_PAIR,
    Category.PAIR,
    Category.HIGH_CARD,
)
"""Hands by how often they hold a rank, highest first."""


@finds(
    "M007",
    "The order of hands is not that of every hand of a game",
    mend="List every category that a hand of the game can be, once, the highest first.",
    wrong='of three cards: {"highest_first": ["straight_flush", "straight", "flush", "pair"]}',
    right='{"highest_first": ["straight_flush", "three_of_a_kind", "straight", "flush", "pair", '
    '"high_card"]}',
)
def order_incomplete(context: Context) -> Iterator[Fault]:
    """Hands are compared by this order, so each has one place in it. A joker makes more cards of
    one rank, which must then be the better hand. Where hands are divided, they rank as five cards.
    """
    for game in context.games:
        if game.hands.ranking is None:
            continue
        if game.hands.shape.divided:
            message = "The hands of the game are divided, and rank as five cards do."
            yield Fault(game.id, "/ranking", message, "Leave the ranking out.")
            continue
        for pointer, message, remedy in _misplaced(game.hands, game.hands.ranking.highest_first):
            yield Fault(game.id, pointer, message, remedy)


def _misplaced(hands: HandRules, order: tuple[Category, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with an order: where, what, and how to mend it."""
    for place, category in enumerate(order):
        if category not in hands.categories:
            message = (
                f"No hand of {hands.shape.cards} cards of this deck is ranked as {words(category)}."
            )
            yield f"{ORDER}/{place}", message, "Leave it out."
        elif category in order[:place]:
            message = f"The order lists {words(category)} twice."
            yield f"{ORDER}/{place}", message, "Leave one of them out."
    missing = [words(category) for category in reversed(hands.categories) if category not in order]
    if missing:
        remedy = f"Put {listed(missing)} in place; a royal flush is the highest straight flush."
        yield ORDER, f"The order leaves out {listed(missing)}.", remedy
    alike = [category for category in order if category in OF_A_KIND]
    if hands.deck.joker and alike != sorted(alike, key=OF_A_KIND.index):
        rising = listed([words(category) for category in OF_A_KIND if category in alike])
        message = "With a joker in the deck, more cards of one rank must be the higher hand."
        yield ORDER, message, f"List {rising} in this order, whatever stands between them."


def words(category: Category) -> str:
    """Return a category of hands in words."""
    return category.replace("_", " ")


@finds(
    "M008",
    "An option speaks of two hands where hands are not divided",
    mend="Say under `high` who takes a tie, and of the whole hand what it holds.",
    wrong='{"ties": {"high": "push", "low": "dealer"}}',
    right='{"ties": {"high": "push"}}',
)
def two_hands_of_one(context: Context) -> Iterator[Fault]:
    """Where hands are not divided, the one hand decides alone: no low hand can tie, and no house
    way sets a high hand.
    """
    for game in context.games:
        if game.hands.shape.divided:
            continue
        for option in (option for wager in game.wagers for option in wager.options):
            document = context.catalogue.documents.get(option.target)
            ties = document.value.get("ties", {}) if document is not None else {}
            for name in ("low", "both_push"):
                if name in ties:
                    message = "The hands of the game are not divided: there is no low hand."
                    yield Fault(option.target, f"/ties/{name}", message, "Leave it out.")
            for condition, pointer in _conditions(option):
                if asks_as_set(condition):
                    message = "The hands of the game are not divided, and no house way sets them."
                    yield Fault(option.target, pointer, message, "Ask it of the whole hand.")


def _conditions(option: MainWager) -> Iterator[tuple[Condition, str]]:
    """Yield what an option asks of the dealer's hand and of the player's, with its place."""
    for place, rule in enumerate(option.dealer_rules):
        yield rule.when, f"/dealer_rules/{place}/when"
    if option.raise_ is not None:
        yield option.raise_.qualifies, "/raise/qualifies"
    for place, bonus in enumerate(option.bonus):
        yield bonus.when, f"/bonus/{place}/when"
