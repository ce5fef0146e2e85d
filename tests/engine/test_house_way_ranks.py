"""What a house way asks for, in both counts; singletons and straights also read off the cards."""

import random
from itertools import combinations

import numpy as np
import pytest

from certify.engine.house_way.features import GROUPS, GROUPS_ORDER, hand_facts
from certify.kernels.class_arrays import hand_classes
from certify.kernels.features import Shape
from certify.kernels.plain import hands as plain
from certify.kernels.plain.house_way import HOUSE_FEATURES, rank_splits, read_house_features
from certify.kernels.splits import class_splits
from certify.model.vocabulary import Category, HouseWayFeature

SINGLETONS = [
    HouseWayFeature.HIGHEST_SINGLETON,
    HouseWayFeature.SECOND_SINGLETON,
    HouseWayFeature.THIRD_SINGLETON,
    HouseWayFeature.FOURTH_SINGLETON,
    HouseWayFeature.FIFTH_SINGLETON,
]


def by_hand(shape: Shape, cards: list[int]) -> dict[str, int]:
    """Ranks count from 1; the joker is with the aces, or fully wild with the most held."""
    held = [card // 4 + 1 for card in cards if card < 4 * shape.ranks]
    joker = len(held) < len(cards)
    runs = [[shape.ranks, *range(1, shape.back)]]
    runs += [list(range(low, low + shape.back)) for low in range(1, shape.ranks - shape.back + 2)]
    formed = [run[-1] for run in runs if len(set(run) - set(held)) <= joker]
    if joker:
        most = max(held, key=lambda rank: (held.count(rank), rank))
        held.append(most if shape.wild else shape.ranks)
    alone = sorted((rank for rank in held if held.count(rank) == 1), reverse=True)
    return {
        HouseWayFeature.STRAIGHT_RANK: max(formed, default=0),
        **dict(zip(SINGLETONS, [*alone, 0, 0, 0, 0, 0], strict=False)),
    }


@pytest.mark.parametrize(
    "shape",
    [
        Shape(),
        Shape(wild=True),
        Shape(ranks=9, joker=False),
        Shape(ranks=6, hand=6, front=1),
        Shape(ranks=4, hand=4, front=1, wild=True),
    ],
    ids=["whole deck", "fully wild", "nine ranks", "six ranks", "four ranks"],
)
def test_what_a_house_way_asks_for_is_read_alike(shape: Shape) -> None:
    classes = hand_classes(shape)
    facts = hand_facts(classes, class_splits(classes))
    rules = np.zeros(plain.KINDS + len(Category), dtype=np.int64)
    rules[plain.KINDS :] = np.arange(len(Category))
    rules[[plain.RANKS, plain.JOKER, plain.CARDS, plain.FRONT, plain.SIZE, plain.WILD]] = [
        shape.ranks, shape.joker, shape.hand, shape.front, shape.back, shape.wild,
    ]  # fmt: skip
    fronts = np.array(
        [
            sum(1 << place for place in chosen)
            for chosen in combinations(range(shape.hand), shape.front)
        ]
    )
    values = np.zeros((4, len(fronts)), dtype=np.int64)
    held = np.zeros(shape.ranks, dtype=np.int64)
    features = np.zeros(len(HOUSE_FEATURES), dtype=np.int64)
    groups = {
        24 * five + 12 * four + 4 * three + two: name
        for (five, four, three, two), name in GROUPS.items()
    }
    dice = random.Random(7)  # noqa: S311 - hands to compare
    size = len(classes.cards)
    seen = set()
    for row in dice.sample(range(size), min(size, 3000)):
        cards = [int(card) for card in classes.cards[row]]
        expected = by_hand(shape, cards)
        in_order = np.array(sorted(cards))
        rank_splits(in_order, fronts, rules, held, values)
        read_house_features(in_order, rules, values, held, features)
        for name, rank in expected.items():
            assert facts.features[name][row] == rank, (name, cards)
            assert features[HOUSE_FEATURES.index(HouseWayFeature(name))] == rank, (name, cards)
        for place, feature in enumerate(HOUSE_FEATURES[1:], 1):
            assert facts.features[feature][row] == features[place], (feature, cards)
        assert GROUPS_ORDER[facts.features[HouseWayFeature.GROUPS][row]] is groups[features[0]]
        seen.add(expected[HouseWayFeature.STRAIGHT_RANK])
    assert {0, shape.back - 1, shape.ranks} <= seen or shape.ranks == shape.back + 1
