"""Checks of games: main wagers, hands, house ways that they name, hands that are not divided."""

from collections.abc import Iterator

from certify.checks.check import Context, Fault, Location, finds
from certify.formatting import did_you_mean, exact_percentage, listed
from certify.model.condition import Condition, asks_as_set
from certify.model.game import Game, HandRules, WagerKind, is_base_game, uncountable
from certify.model.main_wager import MainWager
from certify.model.vocabulary import Category

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


@finds(
    "M001",
    "The name of a dealer rule contradicts its outcome",
    mend="Start the id with push_, lose_ or win_, as the rule ends: win_ where a win pays "
    "something else.",
    wrong='{"id": "push_two_jacks", "outcome": "lose"}',
    right='{"id": "lose_two_jacks", "outcome": "lose"}',
)
def rule_named_otherwise(context: Context) -> Iterator[Fault]:
    """Figures are listed under the rule's id; a row called "push" that loses would be misread."""
    for _, rule, at in context.dealer_rules():
        (start, _, rest), ends = rule.id.partition("_"), str(rule.outcome or "win")
        if start != ends:
            remedy = f"Call it {ends}_{rest}, or correct how it ends."
            yield at.fault("/id", f"The rule {rule.id} ends with {ends}.", remedy)


@finds(
    "M002",
    "Two dealer rules have one id",
    mend="Give each rule an id of its own.",
    wrong='two rules with {"id": "push_dealer_pai_gow"}',
    right='{"id": "push_dealer_ace_high"} and {"id": "push_dealer_king_high"}',
)
def rule_twice(context: Context) -> Iterator[Fault]:
    """Their hands would be counted in one row, and neither could be traced to its clause."""
    for option, rule, at in context.dealer_rules():
        if any(before.id == rule.id for before in option.dealer_rules[: at.index]):
            yield at.fault("/id", f"A rule before this one is called {rule.id} already.")


@finds(
    "M003",
    "A commission is not between 0% and 100%",
    mend='Write the share that the source prints, such as "5%", or leave the commission out.',
    remedy="Write the share that the source prints, or leave the commission out.",
    wrong='{"rate": "0%", "prepaid": false}',
    right='{"rate": "5%", "prepaid": false}',
)
def commission_range(context: Context) -> Iterator[Fault]:
    """A commission of nothing is none, and one of everything or more leaves no win; both are
    slips.
    """
    for option in context.options:
        if option.commission is not None and not 0 < option.commission.rate < 1:
            rate = exact_percentage(option.commission.rate)
            message = f"A commission of {rate} is not between 0% and 100%."
            yield Fault(option.target, "/commission/rate", message)


@finds(
    "M004",
    "A dealer rule can never decide",
    mend="Remove one of the rules, or correct its condition.",
    wrong='two rules with {"when": {"pai_gow_high": "A"}}',
    right='{"when": {"pai_gow_high": "A"}} and {"when": {"pai_gow_high": "K"}}',
)
def rule_shadowed(context: Context) -> Iterator[Fault]:
    """A rule before it has the same condition and decides first."""
    for option, rule, at in context.dealer_rules():
        alike = [before for before in option.dealer_rules[: at.index] if before.when == rule.when]
        if alike:
            yield at.fault("/when", f"{alike[0].id} has the same condition and decides first.")
