"""M codes: main wagers, dealer rules and the ranking of a game."""

from collections.abc import Iterator, Mapping
from operator import ge

from certify.checks.framework import Context, Fault, Location, check, statements
from certify.formatting import exact_percentage, join_words
from certify.model.condition import Condition, asks_as_set
from certify.model.finding import Severity
from certify.model.game import (
    FULL_HAND,
    RANKS,
    Game,
    HandRules,
    JokerRule,
    WagerKind,
    uncountable,
    uncountable_wager,
)
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.paytable import HandOf
from certify.model.source import Banking, Statement
from certify.model.topic import Topic
from certify.model.vocabulary import AfterFold, Category


@check(
    "M001",
    "The name of a dealer rule contradicts its outcome",
    fix=(
        "Start the id with the outcome: push_, lose_ or win_ (win_ if the rule changes the "
        "pay of a win)."
    ),
    wrong='{"id": "push_two_jacks", "outcome": "lose"}',
    right='{"id": "lose_two_jacks", "outcome": "lose"}',
)
def rule_named_otherwise(context: Context) -> Iterator[Fault]:
    """Figures are listed under the rule's id. A row named "push" that loses would be misread."""
    for _, rule, at in context.dealer_rules():
        (start, _, rest), ends = rule.id.partition("_"), str(rule.outcome or "win")
        if start != ends:
            remedy = f"Rename it to {ends}_{rest}, or correct its outcome."
            yield at.fault("/id", f"The outcome of the rule {rule.id} is {ends}.", remedy)


@check(
    "M002",
    "Two dealer rules have one id",
    fix="Give each rule its own id.",
    wrong='two rules with {"id": "push_dealer_pai_gow"}',
    right='{"id": "push_dealer_ace_high"} and {"id": "push_dealer_king_high"}',
)
def rule_twice(context: Context) -> Iterator[Fault]:
    """Their hands would be counted in one row that could not be traced to a clause."""
    for option, rule, at in context.dealer_rules():
        if any(before.id == rule.id for before in option.dealer_rules[: at.index]):
            yield at.fault("/id", f"An earlier rule has the id {rule.id}.")


@check(
    "M003",
    "A commission is not between 0% and 100%",
    fix='Write the share that the source prints, such as "5%", or omit the commission.',
    wrong='{"rate": "0%", "prepaid": false}',
    right='{"rate": "5%", "prepaid": false}',
)
def commission_range(context: Context) -> Iterator[Fault]:
    """A commission of 0% has no effect, and one of 100% or more leaves no win. Both are probably
    typing errors.
    """
    for option in context.options:
        if option.commission is not None and not 0 < option.commission.rate < 1:
            rate = exact_percentage(option.commission.rate)
            message = f"A commission of {rate} is not between 0% and 100%."
            yield Fault(option.target, "/commission/rate", message)


@check(
    "M004",
    "A dealer rule can never decide",
    fix="Remove one of the rules, or correct its condition.",
    wrong='two rules with {"when": {"pai_gow_high": "A"}}',
    right='{"when": {"pai_gow_high": "A"}} and {"when": {"pai_gow_high": "K"}}',
)
def rule_shadowed(context: Context) -> Iterator[Fault]:
    """An earlier rule with the same condition decides first."""
    for option, rule, at in context.dealer_rules():
        alike = [before for before in option.dealer_rules[: at.index] if before.when == rule.when]
        if alike:
            yield at.fault("/when", f"{alike[0].id} has the same condition and decides first.")


MAIN = "main"
"""The wager whose folder holds options of the base game."""


@check(
    "M005",
    "A game has no main wager that can be filed",
    fix='Declare the main wager in the folder "main", with the kind "main" and an option.',
    wrong='{"wagers": ["bonus"]}',
    right='{"wagers": ["main", "bonus"]}, with main/wager.json and main/standard.json',
)
def main_wager_missing(context: Context) -> Iterator[Fault]:
    """A submission contains an option of the main wager, so a game without one cannot be filed.
    Games with undivided hands are exempt.
    """
    for game in context.games:
        for wager in game.wagers:
            if (wager.id == MAIN) is not (wager.kind is WagerKind.MAIN):
                yield Fault(
                    wager.target,
                    "/kind",
                    f"The wager {wager.id} has the kind {wager.kind}; only the main wager may be "
                    f"in the folder {MAIN}.",
                    "Correct the kind, or rename the folder.",
                )
        if not game.hands.shape.is_divided:
            continue
        main = next((wager for wager in game.wagers if wager.id == MAIN), None)
        if main is not None and main.absent is not None and not main.options:
            yield Fault(
                f"{game.id}/{MAIN}",
                "/absent",
                "The main wager has no option, so the game cannot be filed.",
                "Declare an option, even if the source leaves the rules to the casino.",
            )
        elif main is None and not context.has_file(f"{game.id}/{MAIN}"):
            message = "The game has no main wager, so it cannot be filed."
            remedy = f"Declare one in the folder {MAIN}, and list it."
            yield Fault(game.id, "/wagers", message, remedy)


@check(
    "M006",
    "The hands of a game cannot be dealt or counted",
    fix="Correct the deck, the hand or the number of players.",
    wrong='{"hand": {"cards": 7, "back": 5, "front": 1}}',
    right='{"hand": {"cards": 7, "back": 5, "front": 2}}',
)
def hands_uncountable(context: Context) -> Iterator[Fault]:
    """Exact counts of a main wager need hands that are divided in two, from a deck in which no hand
    has two flushes, or undivided hands of at most six cards, of which the best three to five are
    compared. The table needs enough cards for all players.
    """
    for game in context.games:
        deck, shape = game.hands.deck, game.hands.shape
        why = uncountable_wager(deck, shape.cards)
        if game.options or shape.is_divided:
            why = why or uncountable(deck, shape)
        if why is not None:
            yield Fault(game.id, "/hand", why.message, why.remedy)
        elif shape.front == 0 and shape.back > shape.cards:
            yield Fault(
                game.id,
                "/hand/back",
                f"A complete hand of {shape.back} cards cannot be made of {shape.cards}.",
                "Correct the numbers: `back` is the number of cards of a straight or a flush.",
            )
        needed = game.players * shape.cards + shape.dealer
        if needed > deck.cards:
            yield Fault(
                game.id,
                "/players",
                f"{game.players} players and the dealer need {needed} cards, and the deck has "
                f"{deck.cards}.",
                "Correct the number of players, of cards or of ranks.",
            )


ORDER = "/ranking/highest_first"
"""Pointer to a game's list of hand categories."""


MAKEUP = {
    Category.HIGH_CARD: (1, 0, 0, 0),
    Category.PAIR: (2, 0, 0, 0),
    Category.TWO_PAIR: (2, 2, 0, 0),
    Category.THREE_OF_A_KIND: (3, 0, 0, 0),
    Category.STRAIGHT: (1, 0, 1, 0),
    Category.FLUSH: (1, 0, 0, 1),
    Category.FULL_HOUSE: (3, 2, 0, 0),
    Category.FOUR_OF_A_KIND: (4, 0, 0, 0),
    Category.STRAIGHT_FLUSH: (1, 0, 1, 1),
    Category.FIVE_OF_A_KIND: (5, 0, 0, 0),
}
"""Least cards of one rank and of another, least straights and flushes in a hand of each category.

A hand contains every category of which it has as much or more.
"""


@check(
    "M007",
    "The ranking of hands is incomplete or wrong",
    fix="List every possible category of a hand once, highest first.",
    wrong='of three cards: {"highest_first": ["straight_flush", "straight", "flush", "pair"]}',
    right='{"highest_first": ["straight_flush", "three_of_a_kind", "straight", "flush", "pair", '
    '"high_card"]}',
)
def order_incomplete(context: Context) -> Iterator[Fault]:
    """Hands are compared by this ranking, so each category occurs once. A hand counts as the
    highest category that it contains: every flush would be a high card if high card were above
    flush. With a joker, more cards of one rank must be the better hand. Divided hands have the
    ranking of five cards.
    """
    for game in context.games:
        if game.hands.ranking is None:
            continue
        if game.hands.shape.is_divided:
            message = "The hands of the game are divided, so they have the ranking of five cards."
            yield Fault(game.id, "/ranking", message, "Remove the ranking.")
            continue
        for pointer, message, remedy in _check_ranking(
            game.hands, game.hands.ranking.highest_first
        ):
            yield Fault(game.id, pointer, message, remedy)


def _check_ranking(hands: HandRules, order: tuple[Category, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield the position, message and fix of each problem of a ranking."""
    for place, category in enumerate(order):
        if category not in hands.categories:
            message = f"No hand of {hands.shape.cards} cards of this deck is {words(category)}."
            yield f"{ORDER}/{place}", message, "Remove it."
        elif category in order[:place]:
            message = f"The ranking lists {words(category)} twice."
            yield f"{ORDER}/{place}", message, "Remove one of them."
    missing = [words(category) for category in reversed(hands.categories) if category not in order]
    if missing:
        remedy = f"Add {join_words(missing)}; a royal flush is the highest straight flush."
        yield ORDER, f"The ranking does not contain {join_words(missing)}.", remedy
    alike = [category for category in order if not any(MAKEUP[category][2:])]
    rising = sorted(alike, key=lambda category: MAKEUP[category], reverse=True)
    if hands.deck.joker and alike != rising:
        message = "With a joker in the deck, more cards of one rank must be the higher hand."
        listed = join_words([words(category) for category in rising])
        yield ORDER, message, f"List {listed} in this order; other categories may be between them."
    for place, category in enumerate(order):
        before = () if hands.deck.joker and category in alike else order[:place]
        above = [words(other) for other in before if all(map(ge, MAKEUP[category], MAKEUP[other]))]
        if above and category not in before:
            message = f"Every {words(category)} contains {above[0]}, which the ranking lists above."
            remedy = f"List {words(category)} above {join_words(above)}."
            yield f"{ORDER}/{place}", message, remedy


def words(category: Category) -> str:
    """Return a category of hands in words."""
    return category.replace("_", " ")


@check(
    "M008",
    "An option refers to two hands of an undivided game",
    fix="Declare the winner of a tie under `high`, and use conditions on the whole hand.",
    wrong='{"ties": {"high": "push", "low": "dealer"}}',
    right='{"ties": {"high": "push"}}',
)
def two_hands_of_one(context: Context) -> Iterator[Fault]:
    """An undivided hand decides alone: there is no low hand to tie, and no house way sets a high
    hand.
    """
    for game in context.games:
        if game.hands.shape.is_divided:
            continue
        for option in game.options:
            document = context.catalog.documents.get(option.target)
            ties = document.value.get("ties", {}) if document is not None else {}
            for name in ("low", "both_push"):
                if name in ties:
                    message = "The hands of the game are not divided: there is no low hand."
                    yield Fault(option.target, f"/ties/{name}", message, "Remove it.")
            for condition, pointer in _conditions(option):
                if asks_as_set(condition):
                    message = "The hands of the game are not divided, and no house way sets them."
                    yield Fault(
                        option.target, pointer, message, "Use a condition on the whole hand."
                    )


def _conditions(option: MainWager) -> Iterator[tuple[Condition, str]]:
    """Yield the conditions of an option with their locations."""
    for place, rule in enumerate(option.dealer_rules):
        yield rule.when, f"/dealer_rules/{place}/when"
    if option.raise_ is not None:
        yield option.raise_.qualifies, "/raise/qualifies"
    yield from zip(option.own_conditions, option.own_pointers, strict=True)


@check(
    "M009",
    "This version cannot print true documents of the game",
    severity=Severity.WARNING,
    fix="Use `evaluate`, `explain` and `crosscheck`; this version cannot file the game.",
    wrong='{"deck": {"ranks": 13, "joker": 2}}',
    right='{"deck": {"ranks": 13, "joker": true}}',
)
def unfilable(context: Context) -> Iterator[Fault]:
    """Documents print sentences on the ranking of hands, the joker, how hands are set and compared,
    and the number of hands of each name. They follow the game: hands divided into a high hand of
    five cards and a low hand, with at most one joker; undivided hands without a joker; wagers on
    dealt cards of a shoe; cards of the player and the dealer as one hand. For any other game, a
    signed page could contain a false statement. So it could if a statement does not follow what a
    filing chooses. If the joker is fully wild or may be, `fits` of each statement on the joker says
    for which one it is printed; in a house way these have the `topic` `joker`. If players bank,
    `fits` of each statement on banking says so, too.
    `evaluate`, `explain` and `crosscheck` work for such a game; `submit` and its preview refuse it
    before they count anything.
    """
    for game in context.catalog.games.values():
        for pointer, message in _untrue(game):
            yield Fault(game.id, pointer, message)
        if _may_be_wild(game):
            yield from _find_unscoped_house_ways(game, context.catalog.house_ways)
    for statement, at in statements(context.catalog):
        owner = context.catalog.games.get(at.key.partition("/")[0])
        if owner is not None:
            yield from _find_unscoped(statement, at, owner)


def _find_unscoped(statement: Statement, at: Location, game: Game) -> Iterator[Fault]:
    """Yield a statement of a game that is printed whatever joker or bank is filed."""
    if _may_be_wild(game) and statement.topic is Topic.JOKER and statement.fits.wild is None:
        yield at.fault("", f"{statement.id} is on the joker, but not for which joker.", _FITS)
    house = game.banked_by is Banking.HOUSE
    if statement.topic is Topic.BANKING and not house and statement.fits.banking is None:
        yield at.fault("", f"{statement.id} is on banking, but not for which bank.", _FITS)


def _may_be_wild(game: Game) -> bool:
    """Return True if the joker of a game is fully wild, or a filing may choose that it is."""
    return JokerRule.FULLY_WILD in (game.hands.joker, *game.hands.joker_choices) and (
        game.hands.deck.joker > 0
    )


def _find_unscoped_house_ways(game: Game, ways: Mapping[str, HouseWay]) -> Iterator[Fault]:
    """Yield a house way of a game that states one use of the joker whatever joker is filed."""
    for name, at in Location(game.id).items("/house_ways", game.house_ways):
        way = ways.get(name)
        for statement in (*way.statements, *way.assumptions) if way is not None else ():
            if statement.topic is Topic.JOKER and statement.fits.wild is None:
                message = f"{statement.id} of {name} is on the joker, but not for which joker."
                yield at.fault("", message, _FITS, related=(f"house-ways/{name}",))


_FITS = "Add `fits` with `wild` or `banking`."


def _untrue(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each property of a game that the documents do not describe."""
    deck, shape = game.hands.deck, game.hands.shape
    if deck.ranks != len(RANKS):
        yield "/deck/ranks", f"Documents describe decks of 13 ranks; this one has {deck.ranks}."
    if deck.joker > 1:
        yield "/deck/joker", "Documents describe decks with at most one joker; this one has two."
    elif deck.joker and not shape.is_divided:
        yield "/hand", "Documents describe undivided hands only for a deck without a joker."
    elif deck.joker and any(table.hand is HandOf.TOGETHER for table in game.paytables):
        message = "Documents describe cards of two hands as one only for a deck without a joker."
        yield "/deck/joker", message
    if shape.is_divided and shape.back != FULL_HAND:
        message = f"Documents describe a high hand of five cards; this game's has {shape.back}."
        yield "/hand/back", message


@check(
    "M010",
    "A wager states the effect of a fold, but no hand can be folded",
    fix="Remove `after_fold`, or declare `fold` in the raise of the main wager.",
    wrong='{"after_fold": "loses"} in a game without a fold',
    right="no `after_fold`",
)
def fold_missing(context: Context) -> Iterator[Fault]:
    """The declaration says how a player can lose a wager, and no figure and no document follows it.
    Either the fold is missing, so that the figures are those of another game, or the value is a
    remainder of one.
    """
    for game in context.games:
        loses = [
            (wager.target, "/after_fold")
            for wager in game.wagers
            if wager.after_fold is AfterFold.LOSES
        ]
        plays = [
            (option.target, "/companion/after_fold")
            for option in game.options
            if option.companion is not None
            and option.companion.after_fold is AfterFold.PLAYS
            and not option.has_fold
        ]
        folds = any(option.has_fold for option in game.options)
        for target, pointer in (*plays, *(() if folds else loses)):
            yield Fault(target, pointer, "No hand of the main wager can be folded.")
