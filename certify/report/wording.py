"""How the declared words are printed: clauses, statements, pays, cards, names of ranks."""

from collections.abc import Iterable
from dataclasses import dataclass

from certify.formatting import as_odds, exact_percentage, listed, money, plain
from certify.model.alternative import Figure
from certify.model.audit import Standing
from certify.model.cards import JOKER
from certify.model.game import Strategy
from certify.model.jurisdiction import Bearer, Confidence, RuleVersion
from certify.model.limit import LimitAnalysis
from certify.model.payout import Basis, Payout
from certify.model.paytable import HandsOf
from certify.model.published import Quantity
from certify.model.terms import AggregateLimit, Scope

SUIT_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


PLAYERS_TEXT = {
    HandsOf.PLAYERS_DEALT_IN: "who is dealt in, with or without this wager",
    HandsOf.PLAYERS_WITH_THE_WAGER: "who has made this wager too",
}

UNSTATED = "not stated"
"""What is printed of a name or an amount that no source gives."""

STRATEGY_TEXT = {
    Strategy.HOUSE_WAY: "house way",
    Strategy.OPTIMAL: "optimal play",
}

FIGURE_TEXT = {
    Figure.HOUSE_EDGE: "house edge",
    Figure.FULL_TABLE: "house edge at a full table",
    Figure.FIXED_RETURN: "return of the fixed payouts",
}

QUANTITY_TEXT = {
    Quantity.COMBINATIONS: "Combinations",
    Quantity.PROBABILITY: "Probability",
    Quantity.ROW_RETURN: "Return",
    Quantity.TOTAL_RETURN: "Total return",
    Quantity.HOUSE_EDGE: "House edge",
    Quantity.HOUSE_EDGE_WITH_PLAYERS: "House edge",
    Quantity.ENVY_ROW_RETURN: "Return of a prize",
    Quantity.ENVY_ROW_PROBABILITY: "Probability of a prize",
    Quantity.ENVY_ROW_COMBINATIONS: "Combinations of a prize",
    Quantity.ENVY_PER_OTHER_PLAYER: "Prizes, each other player",
    Quantity.TOTAL_COMBINATIONS: "Total combinations",
    Quantity.TOTAL_PROBABILITY: "Total probability",
    Quantity.NOT_COMPUTABLE: "Not computable",
}

SCOPE_TEXT = {Scope.PLAYER: "to one player", Scope.TABLE: "at one table"}

STANDING_TEXT = {
    Standing.SATISFIED: "satisfied",
    Standing.NOT_SATISFIED: "not satisfied",
    Standing.TO_BE_SETTLED: "to be settled",
    Standing.UNVERIFIED: "to be stated",
    Standing.BY_PEOPLE: "to be decided",
    Standing.NOT_APPLICABLE: "not applicable",
}

BEARER_TEXT = {
    Bearer.OURS: "this filing",
    Bearer.THEIRS: "supplier or casino",
    Bearer.LABORATORY: "laboratory",
}

KNOWN_TEXT = {
    Confidence.VERIFIED_TEXT: "verified text",
    Confidence.SECONDARY: "secondary text",
    Confidence.RECALL: "text from memory",
}
"""How a text is known, as the words after which its date stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card as drawn: rank and suit, its words for a reader that cannot see it."""

    rank: str
    suit: str
    style: str


UNBROKEN = "\u00a0"
"""A blank at which no line ends."""


def known_by(version: RuleVersion) -> str:
    """Return how a text is known and of when it is: ``secondary text of 2008-05-01``."""
    date = f"of {version.text_date}" if version.text_date else "of no known date"
    return f"{KNOWN_TEXT[version.confidence]} {date}"


def unbroken(words: str) -> str:
    """Return words that stay on one line."""
    return words.replace(" ", UNBROKEN)


def pays(payout: Payout) -> str:
    """Return a pay as printed: ``5,000 to 1``, ``Push``, ``100% of meter 1``."""
    if payout.basis in (Basis.TO, Basis.FOR):
        return as_odds(payout.amount, payout.basis)
    if payout.basis is Basis.METER:
        return f"{exact_percentage(payout.amount)} of meter {payout.meter}"
    return {Basis.PUSH: "Push", Basis.LOSS: "Loss"}[payout.basis]


def pay_amount(payout: Payout) -> str:
    """Return the pay without its basis, for a table that states the basis once: ``150``."""
    odds = payout.basis in (Basis.TO, Basis.FOR) and payout.amount.denominator == 1
    return plain(payout.amount) if odds else pays(payout)


def label(table_id: str) -> str:
    """Return what a paytable is called in print: a code stands alone, a number does not."""
    return table_id if table_id.isupper() and "-" in table_id else f"Paytable {table_id}"


def limit_text(limit: AggregateLimit) -> str:
    """Return amount and scope, and that other wagers share it: ``$10,000 to one player``."""
    together = f", together for {listed(limit.wagers)}" if len(limit.wagers) > 1 else ""
    return f"{money(limit.cents)} {SCOPE_TEXT[limit.scope]}{together}"


def limits_text(limit: LimitAnalysis) -> str:
    """Return all limits that a wager is under, in words."""
    return listed(map(limit_text, limit.limits))


def lower_first(words: str) -> str:
    """Return words as they go on in a sentence: ``With one pair`` becomes ``with one pair``."""
    return words[:1].lower() + words[1:]


def as_written(words: str) -> str:
    """Return words with a capital first letter: ``push`` becomes ``Push``."""
    return words[:1].upper() + words[1:]


def card(code: str) -> Card:
    """Return the drawing of a card such as ``Td`` or ``Jk``."""
    if code == JOKER:
        return Card(rank="Joker", suit="", style="joker")
    rank = "10" if code[0] == "T" else code[0]
    style = "red" if code[1] in "dh" else "black"
    return Card(rank=rank, suit=SUIT_GLYPHS[code[1]], style=style)


def card_text(code: str) -> str:
    """Return a card in a line of text: ``10♦``, ``Joker``."""
    shown = card(code)
    return f"{shown.rank}{shown.suit}"


def cards(codes: Iterable[str]) -> tuple[Card, ...]:
    """Return the drawings of several cards."""
    return tuple(card(code) for code in codes)
