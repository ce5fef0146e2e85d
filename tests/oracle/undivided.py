"""Hands that are not divided and their values, the slow and obvious way.

It shares nothing with the package but the rules of the games. A card is ``4 * rank + suit``, rank 0
the lowest of the deck; there is no joker. A hand's value is a tuple that Python compares.
"""

from collections.abc import Sequence
from typing import NamedTuple

Hand = tuple[int, ...]
Value = tuple[int, tuple[int, ...]]

FIVE_CARDS = (
    *("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"),
    *("four_of_a_kind", "straight_flush"),
)
"""Lowest first."""

GROUPS = {
    (1,): "high_card", (2,): "pair", (2, 2): "two_pair", (3,): "three_of_a_kind",
    (3, 2): "full_house", (4,): "four_of_a_kind",
}  # fmt: skip


class Rules(NamedTuple):
    """A deck, and how hands of it rank."""

    ranks: int
    cards: int
    order: Sequence[str] = FIVE_CARDS
    low_wheel: bool = True


def find_kind(hand: Hand, rules: Rules) -> tuple[str, tuple[int, ...]]:
    """The category of a hand and what decides within it."""
    ranks = sorted((card // 4 for card in hand), reverse=True)
    times = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    digits = tuple(rank for _, rank in times)
    if len(digits) < len(hand):
        sizes = tuple(number for number, _ in times if number > 1)
        return GROUPS[sizes], digits
    run = ranks[0] - ranks[-1] == len(hand) - 1
    wheel = ranks[0] == rules.ranks - 1 and ranks[1:] == list(range(len(hand) - 2, -1, -1))
    flush = len({card % 4 for card in hand}) == 1
    if run or wheel:
        top: float = ranks[0]
        if wheel and not run:
            top = -1 if rules.low_wheel else ranks[0] - 0.5
        return "straight_flush" if flush else "straight", (int(2 * top),)
    return "flush" if flush else "high_card", digits


def find_value(hand: Hand, rules: Rules) -> Value:
    """The value of a hand: the place of its category, and what decides within it."""
    kind, digits = find_kind(hand, rules)
    return rules.order.index(kind), digits
