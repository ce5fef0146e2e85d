"""What the figures of a paytable take for granted, said beside them."""

from collections.abc import Iterator, Sequence

from certify.model.cards import JokerRule
from certify.model.game import HandRules
from certify.model.paytable import Award, EnvyTable, HandOf, Paytable
from certify.model.source import Statement

JOKER = {
    JokerRule.BUG: (
        "The joker is a bug: an ace, or the card that completes a straight, a flush, a straight "
        "flush or a royal flush."
    ),
    JokerRule.FULLY_WILD: (
        "The joker is fully wild: any card that the hand does not hold, for five of a kind too."
    ),
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
    paytable: Paytable, *, hands: HandRules, envy: EnvyTable | None, stated: Sequence[Statement]
) -> tuple[Statement, ...]:
    """Return the declared assumptions, then those of the count; a declared id is not repeated."""
    found: dict[str, Statement] = {}
    for statement in (*stated, *paytable.assumptions, *_counted(paytable, hands, envy)):
        found.setdefault(statement.id, statement)
    return tuple(found.values())


def _counted(paytable: Paytable, hands: HandRules, envy: EnvyTable | None) -> Iterator[Statement]:
    deck = hands.deck
    cards = f"{deck.cards} cards" + (", one of them the joker" if deck.joker else ", no joker")
    hand = (
        "The dealer's and the player's hands are" if paytable.hand is HandOf.BOTH else "A hand is"
    )
    yield Statement(
        id="deal",
        text=f"{hand} {paytable.cards} cards of a deck of {cards}; every deal is equally likely.",
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
            id="dynamic-draw",
            text=(
                "The return is that of the default pays. How likely each draw of dynamic pays is, "
                "the source does not say, so its effect is given as a range over "
                f"{paytable.dynamic.minimum_rows} to {paytable.dynamic.maximum_rows} drawn rows."
            ),
            source=paytable.source,
        )
    if envy is not None:
        yield Statement(
            id="envy-wager",
            text=(
                "Envy prizes are counted at the qualifying wager unless another is asked for, per "
                "other player who has made a wager; a higher wager has the same prizes and so a "
                "smaller share of them."
            ),
            source=envy.source,
        )
