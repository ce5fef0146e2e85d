"""What the figures of a paytable take for granted, said beside them.

A statement with an effect is an assumption: it could be otherwise. One without is a convention of
the count.
"""

from collections.abc import Iterator, Sequence

from certify.model.cards import JokerRule
from certify.model.game import HandRules
from certify.model.paytable import Award, EnvyTable, HandsOf, Paytable
from certify.model.source import Statement

JOKER = {
    JokerRule.BUG: (
        "The joker is an ace, or completes a straight, flush, straight flush or royal flush."
    ),
    JokerRule.FULLY_WILD: (
        "The joker is fully wild: any card that the hand does not hold, for five of a kind too."
    ),
}
DRAW = "draw-open"
"""The id under which a paytable may declare the same of its draw itself."""

PLAYERS = {
    HandsOf.PLAYERS_DEALT_IN: "at the table, with or without this wager",
    HandsOf.PLAYERS_WITH_THE_WAGER: "at the table who has made this wager too",
}

AWARD = {
    Award.FIRST_ROW_CONTAINED: (
        "A hand is paid once, for the first row in printed order that its cards contain, however "
        "it is set."
    ),
    Award.HIGHEST_RANKING_HAND: (
        "A hand is paid once, for its highest ranking hand among the rows, even where a lower "
        "ranking row pays more."
    ),
}


def assumptions(
    paytable: Paytable,
    *,
    hands: HandRules,
    envy: EnvyTable | None,
    stated: Sequence[Statement],
    wager_cents: int | None = None,
) -> tuple[Statement, ...]:
    """Return the declared assumptions, then those of the count; a declared id is not repeated.

    ``wager_cents`` is the wager that envy prizes are counted at; the qualifying one if None.
    """
    found: dict[str, Statement] = {}
    counted = [*_counted(paytable, hands), *_envy(envy, wager_cents)]
    for statement in (*stated, *paytable.assumptions, *counted):
        found.setdefault(statement.id, statement)
    return tuple(found.values())


def _counted(paytable: Paytable, hands: HandRules) -> Iterator[Statement]:
    deck = hands.deck
    cards = f"{deck.cards} cards" + (", one of them the joker" if deck.joker else "")
    yield Statement(
        id="deal",
        text=f"A hand is {paytable.cards} cards of a deck of {cards}; every deal is equally "
        "likely.",
        source=paytable.source,
    )
    if deck.joker:
        yield Statement(id="joker-rule", text=JOKER[hands.joker], source=paytable.source)
    yield Statement(id="award", text=AWARD[paytable.award], source=paytable.source)
    if paytable.progressive is not None:
        yield Statement(
            id="base-wager",
            text="Fixed pays and meters are counted in units of the base wager.",
            source=paytable.source,
        )
    if paytable.dynamic is not None:
        yield Statement(
            id=DRAW,
            text=(
                "The return is that of the default pays. How likely each draw of dynamic pays is, "
                "the source does not say, so its effect is given as a range over "
                f"{paytable.dynamic.minimum_rows} to {paytable.dynamic.maximum_rows} drawn rows."
            ),
            source=paytable.source,
            effect="With the chances of the draw the added return would be one figure inside the "
            "range.",
        )


def _envy(envy: EnvyTable | None, wager_cents: int | None) -> Iterator[Statement]:
    if envy is None:
        return
    wager = (
        "the wager that qualifies"
        if wager_cents in {None, envy.qualifying_wager_cents}
        else "the wager that is given"
    )
    yield Statement(
        id="envy-wager",
        text=f"The {envy.called} prizes are counted at {wager}, for each other player "
        f"{PLAYERS[envy.hands_of]}.",
        source=envy.source,
        effect="The prizes are fixed amounts: they are a smaller share of a larger wager. With "
        "fewer other players the house edge is higher.",
    )
