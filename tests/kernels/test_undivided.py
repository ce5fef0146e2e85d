"""Hands of one size or of two, against plain enumeration of every deal of a small deck."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from certify.kernels.class_arrays import class_splits, hand_classes
from certify.kernels.features import Shape
from certify.kernels.undivided import count_undivided, prepare
from tests.oracle.undivided import Rules, Value, find_value

# Won, tied, lost; against a dealer below and from a pair up; folded, raised once, raised twice.
WORTH = (((-5, -5, -5), (-5, -5, -5)), ((3, 3, 3), (6, 1, -8)), ((7, 3, -1), (11, 0, -14)))


def best(hand: tuple[int, ...], rules: Rules) -> Value:
    return max(find_value(cards, rules) for cards in combinations(hand, rules.cards))


def plain_count(
    rules: Rules, player: int, dealer: int, *, seen: bool
) -> tuple[Counter[tuple[int, int, int]], Counter[int], int]:
    """Deals by action, label and result; hands by action; and the worth of all deals."""
    deck = range(4 * rules.ranks)
    deals: Counter[tuple[int, int, int]] = Counter()
    hands: Counter[int] = Counter()
    total = 0
    values = {hand: best(hand, rules) for hand in combinations(deck, dealer)}
    for mine in combinations(deck, player):
        value = best(mine, rules)
        left = [card for card in deck if card not in mine]
        for shown in [(card,) for card in left] if seen else [()]:
            met: Counter[tuple[int, int]] = Counter()
            hidden = [card for card in left if card not in shown]
            for rest in combinations(hidden, dealer - len(shown)):
                theirs = values[tuple(sorted((*shown, *rest)))]
                result = 1 - (value > theirs) + (value < theirs)
                met[int(theirs[0] > 0), result] += 1
            worth = [
                sum(WORTH[action][label][result] * times for (label, result), times in met.items())
                for action in range(3)
            ]
            # The largest raise is for a pair or better.
            action = max(range(3 if value[0] > 0 else 2), key=lambda each: (worth[each], -each))
            total += worth[action]
            hands[action] += 1
            for (label, result), times in met.items():
                deals[action, label, result] += times
    return +deals, hands, total


@pytest.mark.parametrize(
    ("ranks", "cards", "player", "dealer", "seen"),
    [(5, 3, 3, 3, False), (4, 3, 3, 3, True), (4, 3, 4, 3, True), (4, 3, 3, 5, True),
     (4, 3, 4, 5, False), (4, 4, 4, 5, False)],
)  # fmt: skip
def test_every_deal_of_a_small_deck_is_counted(
    ranks: int, cards: int, player: int, dealer: int, seen: bool
) -> None:
    rules = Rules(ranks=ranks, cards=cards)
    classes = hand_classes(Shape(ranks=ranks, joker=0, hand=cards, front=0, low_wheel=True))
    high = class_splits(classes).high[:, 0]
    _, key = np.unique(high, return_inverse=True)
    paired = (high >= 1 << 20).astype(np.int64)
    plan = prepare(
        classes,
        key.ravel(),
        paired,
        paired,
        np.array([WORTH, WORTH], dtype=np.int64).reshape(2, 3, 2, 3),
        np.array([[True, True, False], [True, True, True]]),
        player=player,
        dealer=dealer,
        seen=seen,
    )
    tally = count_undivided(plan)
    deals, hands, worth = plain_count(rules, player, dealer, seen=seen)
    found = tally.outcome.sum(axis=0)
    assert {tuple(place): found[tuple(place)] for place in np.argwhere(found).tolist()} == deals
    assert dict(enumerate(tally.hands.sum(axis=0).tolist())) == {n: hands[n] for n in range(3)}
    assert tally.best.sum() == worth
    assert not tally.outcome[0, 2].any()
