"""Checks of main wagers and house ways."""

from collections.abc import Iterator

from certify.checks.context import Context, did_you_mean
from certify.checks.pages import wagers as pages
from certify.formatting import exact_percentage
from certify.model.finding import Finding


def rule_named_otherwise(context: Context) -> Iterator[Finding]:
    """M001: a dealer rule is called push, lose or win as it ends."""
    for _, option in context.options():
        for place, rule in enumerate(option.dealer_rules):
            ends = str(rule.outcome or "win")
            if rule.id.partition("_")[0] != ends:
                yield context.finding(
                    pages.M001,
                    option.target,
                    f"/dealer_rules/{place}/id",
                    f"The rule {rule.id} ends with {ends}.",
                    f"Call it {ends}_{rule.id.partition('_')[2]}, or correct how it ends.",
                )


def rule_twice(context: Context) -> Iterator[Finding]:
    """M002: no two dealer rules of an option share an id."""
    for _, option in context.options():
        for place, rule in enumerate(option.dealer_rules):
            if any(one.id == rule.id for one in option.dealer_rules[:place]):
                yield context.finding(
                    pages.M002,
                    option.target,
                    f"/dealer_rules/{place}/id",
                    f"A rule before this one is called {rule.id} already.",
                    "Give each rule an id of its own.",
                )


def commission_range(context: Context) -> Iterator[Finding]:
    """M003: a commission takes something, and not everything."""
    for _, option in context.options():
        if option.commission is not None and not 0 < option.commission.rate < 1:
            yield context.finding(
                pages.M003,
                option.target,
                "/commission/rate",
                f"A commission of {exact_percentage(option.commission.rate)} is not between 0% and "
                "100%.",
                "Write the share that the source prints, or leave the commission out.",
            )


def rule_shadowed(context: Context) -> Iterator[Finding]:
    """M004: no dealer rule repeats the condition of one before it."""
    for _, option in context.options():
        for place, rule in enumerate(option.dealer_rules):
            before = [one for one in option.dealer_rules[:place] if one.when == rule.when]
            if before:
                yield context.finding(
                    pages.M004,
                    option.target,
                    f"/dealer_rules/{place}/when",
                    f"{before[0].id} has the same condition and decides first.",
                    "Remove one of the rules, or correct its condition.",
                )


def house_way_missing(context: Context) -> Iterator[Finding]:
    """H001: every house way that a game names is declared."""
    known = tuple(context.catalogue.house_ways)
    for game in context.catalogue.games.values():
        named = [("/house_way", game.house_way)] if game.house_way not in game.house_ways else []
        named += [(f"/house_ways/{index}", one) for index, one in enumerate(game.house_ways)]
        for pointer, name in named:
            if name not in known and not context.has_file(f"house-ways/{name}"):
                yield context.finding(
                    pages.H001,
                    game.id,
                    pointer,
                    f"There is no house way {name}.",
                    did_you_mean(name, known),
                )


def house_way_not_allowed(context: Context) -> Iterator[Finding]:
    """H002: the default is one of the house ways that may be used."""
    for game in context.catalogue.games.values():
        if game.house_way not in game.house_ways:
            yield context.finding(
                pages.H002,
                game.id,
                "/house_way",
                f"The default {game.house_way} is not among the house ways that may be used.",
                "Add it to `house_ways`, or choose another default.",
            )


def house_way_size(context: Context) -> Iterator[Finding]:
    """H003: a house way deals and divides as many cards as the game."""
    for game in context.catalogue.games.values():
        for index, name in enumerate(game.house_ways):
            way = context.catalogue.house_ways.get(name)
            shape = game.hands.shape
            if way is not None and (way.cards, way.front) != (shape.cards, shape.front):
                yield context.finding(
                    pages.H003,
                    game.id,
                    f"/house_ways/{index}",
                    f"{name} sets {way.front} of {way.cards} cards in front; the game sets "
                    f"{shape.front} of {shape.cards}.",
                    "Name a house way for the hands of this game.",
                    related=(f"house-ways/{name}",),
                )
