"""Base games of hands that are not divided, the slow and obvious way: every hand meets every other.

It shares nothing with the package but the rules of the games. A card is ``4 * rank + suit``, rank 0
the lowest of the deck; there is no joker. A hand's value is a tuple that Python compares, and its
place among all values a number that numpy compares.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np

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
    """A deck, hands, and how one round of a base game is settled.

    ``tie`` is what a tie nets. ``qualifies`` is asked of the dealer's hand: where it does not hold
    the wager wins 1 to 1 and a raise, as large as the wager, is returned. ``raises``: the player
    may raise, and with ``folds`` gives the wager up otherwise. ``bonus`` is what an own hand is
    paid beside, unless it is folded.
    """

    ranks: int
    cards: int
    order: Sequence[str] = FIVE_CARDS
    low_wheel: bool = True
    tie: int = 0
    qualifies: Callable[[Value], bool] | None = None
    raises: bool = False
    folds: bool = False
    bonus: Callable[[Value], int] | None = None


class Outcome(NamedTuple):
    """Pairs by action and result, the edge, and the hands that were raised."""

    pairs: Counter[str]
    edge: Fraction
    raised: tuple[Hand, ...]


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


def every_pair(rules: Rules) -> Outcome:
    """Meet every hand with every hand that shares no card with it, each played as is best."""
    hands = list(combinations(range(4 * rules.ranks), rules.cards))
    values = [find_value(hand, rules) for hand in hands]
    ladder = {value: place for place, value in enumerate(sorted(set(values)))}
    place = np.array([ladder[value] for value in values])
    mask = np.array([sum(1 << card for card in hand) for hand in hands])
    compared = np.array([rules.qualifies is None or rules.qualifies(value) for value in values])
    pairs: Counter[str] = Counter()
    raised: list[Hand] = []
    won = 0
    for at, hand in enumerate(hands):
        met = (mask & mask[at]) == 0
        paid = int((met & ~compared).sum())
        met &= compared
        wins, loses = int((met & (place < place[at])).sum()), int((met & (place > place[at])).sum())
        ties = int(met.sum()) - wins - loses
        bonus = (rules.bonus(values[at]) if rules.bonus else 0) * (paid + wins + loses + ties)
        once = paid + wins - loses + rules.tie * ties + bonus
        twice = paid + 2 * (wins - loses + rules.tie * ties) + bonus
        given_up = -(paid + wins + loses + ties)
        without = given_up if rules.folds else once
        raises = rules.raises and twice > without
        if raises:
            raised.append(hand)
        won += twice if raises else without
        done = "raised" if raises else "folded" if rules.folds else ""
        for name, number in (("paid", paid), ("win", wins), ("tie", ties), ("lose", loses)):
            pairs[f"{name} {done}".strip()] += number
    return Outcome(+pairs, -Fraction(won, pairs.total()), tuple(raised))
