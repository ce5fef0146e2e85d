"""The ranking of hands in words, highest first, as every game of this family has it."""

from dataclasses import dataclass

from certify.model.cards import JokerRule
from certify.model.game import HandRules
from certify.report.tables import Table, table

FIVE_OF_A_KIND = {
    JokerRule.BUG: ("Five aces", "Four aces and the joker."),
    JokerRule.FULLY_WILD: ("Five of a kind", "Four cards of one rank and the joker."),
}

FLUSH = ("Flush", "Five cards of one suit.")
FLUSH_WITH_JOKER = (
    "Flush",
    "Five cards of one suit; the joker is the highest card that is missing.",
)

BACK_RANKINGS = (
    ("Royal flush", "A-K-Q-J-10 of one suit."),
    ("Straight flush", "Five cards in sequence and of one suit."),
    ("Four of a kind", "Four cards of one rank."),
    ("Full house", "Three cards of one rank and two of another."),
    FLUSH,
    ("Straight", "Five cards in sequence."),
    ("Three of a kind", "Three cards of one rank."),
    ("Two pair", "Two cards of one rank and two of another."),
    ("One pair", "Two cards of one rank."),
    ("High card", "None of these; the highest card decides, then the next."),
)
"""Name and words of each five-card hand below five of a kind."""

FRONT_RANKINGS = {
    0: "The hand is not divided.",
    1: "The low hand is one card: the higher rank is the higher hand.",
    2: "The low hand is two cards: a pair beats any two cards without one; otherwise the higher "
    "card decides, then the other. Straights and flushes do not count in it.",
}
"""By the number of cards in the front hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rankings:
    """The ranking of the high hand as a table, of the low hand as a sentence."""

    back: Table
    front: str


def rankings(hands: HandRules) -> Rankings:
    """Return the ranking that a game's joker and the sizes of its hands give."""
    rows = list(BACK_RANKINGS)
    if hands.deck.joker:
        rows[rows.index(FLUSH)] = FLUSH_WITH_JOKER
        rows.insert(0, FIVE_OF_A_KIND[hands.joker])
    return Rankings(
        back=table(
            f"Ranking of the {hands.shape.back}-card high hand, highest first",
            "Hand @28 | What it is",
            rows,
        ),
        front=FRONT_RANKINGS[hands.shape.front],
    )
