"""Hands of one size or of two, and a game of three cards whose figures are published."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from msgspec.structs import replace

from certify.engine.main.dealer_labels import build_regions
from certify.kernels.class_arrays import class_splits, hand_classes
from certify.kernels.concealed import count_concealed
from certify.kernels.events import set_hands
from certify.kernels.features import CATEGORY_SHIFT, Shape
from certify.kernels.optimal_plan import Worth
from certify.kernels.set_kinds import unpack_kind
from certify.kernels.undivided import count_undivided, prepare
from certify.model.main_wager import Tie, Ties
from tests.oracle.undivided import Rules, Value, find_value

# Hands of one size or of two, against plain enumeration of every deal of a small deck.


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


# A game outside the family whose figures are published: fold, raise and a dealer who qualifies.
# Three-card poker's ante and play, counted by the kernels on the whole deck. A hand is not
# divided, so it has one split with nothing in front; straights rank above flushes, and three of
# a kind above both.


HANDS, LEFT = comb(52, 3), comb(49, 3)
RANKED = {0: 0, 1: 1, 5: 2, 4: 3, 3: 4, 8: 5, 9: 5}
"""By the category of a five-card hand, the place of the same three cards in this game."""

QUEEN = 11 << 16
"""The key of the lowest hand with a queen, ranks counted from a two as 1."""

LOWEST_RAISE = (10, 4, 2)
"""A queen, a six and a four, ranks counted from a two as 0."""

BONUS = Fraction(720 * 1 + 52 * 4 + 48 * 5, HANDS)
"""What the ante bonus returns: 1 for a straight, 4 for three of a kind, 5 for a straight flush."""


def test_ante_and_play_is_as_published() -> None:
    """House edge 3.3730 %, element of risk 2.0147 %, played from Q-6-4 up.

    Source: Wizard of Odds, Three Card Poker (wizardofodds.com/games/three-card-poker).
    """
    classes = hand_classes(Shape(joker=0, hand=3, front=0, low_wheel=True))
    splits = class_splits(classes)
    place = np.vectorize(RANKED.__getitem__, otypes=[np.int32])(splits.high >> CATEGORY_SHIFT)
    digits = splits.high & ((1 << CATEGORY_SHIFT) - 1)
    splits = replace(splits, high=(place << CATEGORY_SHIFT) | digits)
    none = np.zeros(len(classes.counts), dtype=np.int64)
    qualifies = (splits.high[:, 0] >= QUEEN).astype(np.int64)
    # Against no queen the ante wins and the play wager is returned; a fold loses the ante.
    fold, play = Worth((0, 0), (0, 0), (0, 0)), Worth((0, 2), (0, 2), (2, 1))
    counts = count_concealed(
        classes,
        splits,
        set_hands(splits, none, qualifies),
        none,
        none,
        [fold, play],
        regions=build_regions(Ties(high=Tie.PUSH, low=Tie.OTHER_HAND)),
    )
    folded, ((_, _, paid), (won, lost, compared)) = counts.optimal
    given_up = sum(dealt for *_, dealt in folded)
    assert given_up + paid + compared == HANDS * LEFT
    edge = Fraction(given_up - paid - 2 * (won - lost), HANDS * LEFT) - BONUS
    wagered = 2 - Fraction(given_up, HANDS * LEFT)
    assert float(edge) == pytest.approx(0.033730, abs=5e-7)
    assert float(edge / wagered) == pytest.approx(0.020147, abs=5e-7)
    assert given_up == LEFT * sum(map(is_folded, combinations(range(52), 3)))
    folds: Counter[tuple[int, int]] = Counter()
    for way, action, kind, hands in counts.played:
        (place, first), (_, second) = unpack_kind(kind)
        if (way, action) == (0, 0):
            assert place == 0
            folds[first - 1, second - 1] += hands
    assert folds == Counter(
        tuple(sorted((card // 4 for card in hand), reverse=True)[:2])
        for hand in combinations(range(52), 3)
        if is_folded(hand)
    )


def is_folded(hand: tuple[int, int, int]) -> bool:
    """Return True for a hand without a pair, straight or flush below the lowest that is played."""
    ranks = sorted((card // 4 for card in hand), reverse=True)
    straight = ranks in ([12, 1, 0], [ranks[0], ranks[0] - 1, ranks[0] - 2])
    flush = len({card % 4 for card in hand}) == 1
    return len(set(ranks)) == 3 and not straight and not flush and tuple(ranks) < LOWEST_RAISE
