"""A game of three cards whose figures are published."""

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
from certify.model.main_wager import Tie, Ties

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
