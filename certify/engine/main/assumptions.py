"""What the figures of a main wager take for granted, said beside them.

A statement with an effect is an assumption: it could be otherwise. One without is a convention of
the count. An assumption that a game may declare itself has the id of the declared one, and what is
declared goes before.
"""

from collections.abc import Iterator

from certify.model.cards import JokerRule, WheelRule
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.source import Statement

JOKER = {
    JokerRule.BUG: "The joker is an ace, or completes a straight, flush, straight flush or royal "
    "flush.",
    JokerRule.FULLY_WILD: "The joker is any card that the set hand does not hold.",
}
HOUSE_WAY = "house-way-open"

WHEEL = {
    WheelRule.SECOND_HIGHEST: "A-2-3-4-5 is the second highest straight.",
    WheelRule.LOWEST: "A-2-3-4-5 is the lowest straight.",
}


def assumptions(
    option: MainWager, *, game: Game, house_way: HouseWay, strategy: Strategy
) -> tuple[Statement, ...]:
    """Return the declared assumptions, the house way's, then those of the count."""
    found: dict[str, Statement] = {}
    declared = (*game.assumptions, *option.assumptions, *house_way.assumptions)
    for one in (*declared, *_counted(option, game, house_way, strategy)):
        found.setdefault(one.id, one)
    return tuple(found.values())


def _counted(
    option: MainWager, game: Game, house_way: HouseWay, strategy: Strategy
) -> Iterator[Statement]:
    source = option.source
    if game.hands.deck.joker:
        yield Statement(id="base-joker", text=JOKER[game.hands.joker], source=source)
    yield Statement(id="base-wheel", text=WHEEL[game.hands.wheel], source=source)
    yield Statement(id="base-copies", text="The dealer wins ties of either hand.", source=source)
    yield Statement(
        id=HOUSE_WAY if house_way.id == game.house_way else f"{HOUSE_WAY}.{house_way.id}",
        text=f"The dealer sets every hand by the house way “{house_way.name}”.",
        source=house_way.source,
        effect="With another house way the figures differ.",
    )
    yield Statement(
        id=f"strategy-{strategy}",
        text=_strategy(game, house_way, strategy),
        source=source,
        effect="Better play lowers the house edge."
        if strategy is Strategy.HOUSE_WAY
        else "No other play has a lower house edge.",
    )
    if option.raise_ is not None:
        yield Statement(
            id="base-raise",
            text=f"{option.raise_.name} is made on exactly the hands that gain by it.",
            source=option.raise_.source,
            effect="Making it on other hands raises the house edge.",
        )
    if option.raise_ is not None and any(rule.outcome for rule in option.dealer_rules):
        yield Statement(
            id="base-raise-ended",
            text=f"{option.raise_.name} is returned where the dealer's hand ends the round before "
            "hands are compared.",
            source=option.raise_.source,
        )
    if option.commission is not None and option.commission.prepaid:
        yield Statement(
            id="base-prepaid",
            text="A commission posted in advance is lost with a losing wager and returned "
            "otherwise; return and edge are per unit of wager and commission together.",
            source=source,
        )
    if option.commission is not None:
        yield Statement(
            id="exact-commission",
            text="The commission is taken exactly, without rounding to chips.",
            source=source,
            effect="Rounding a commission up raises the edge on small wagers.",
        )


def _strategy(game: Game, house_way: HouseWay, strategy: Strategy) -> str:
    if strategy is Strategy.HOUSE_WAY:
        return f"The player sets every hand by the same house way “{house_way.name}”."
    if game.dealer_exposed:
        return "The player sees the dealer's set hand and sets as well as that allows."
    return "The player sees only the own cards and sets as well as that allows, hand by hand."
