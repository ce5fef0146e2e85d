import random
from collections import Counter

import pytest

from certify.engine.house_way.features import GROUPS_ORDER, hand_facts
from certify.kernels.class_arrays import class_splits, hand_classes
from certify.kernels.features import Shape
from certify.model.vocabulary import Category, HouseWayFeature
from certify_recount.set_hands import WILD, Card, Rules, Table

SINGLETONS = [
    HouseWayFeature.HIGHEST_SINGLETON,
    HouseWayFeature.SECOND_SINGLETON,
    HouseWayFeature.THIRD_SINGLETON,
    HouseWayFeature.FOURTH_SINGLETON,
    HouseWayFeature.FIFTH_SINGLETON,
]


RANKS = {
    *SINGLETONS,
    HouseWayFeature.STRAIGHT_RANK,
    HouseWayFeature.HIGH_PAIR,
    HouseWayFeature.LOW_PAIR,
    HouseWayFeature.THREE_OF_A_KIND,
    HouseWayFeature.FOUR_OF_A_KIND,
}


def build_rules(shape: Shape) -> Rules:
    return Rules(
        ranks=shape.ranks, jokers=int(shape.joker), cards=shape.hand, back=shape.back,
        front=shape.front, wild=shape.wild, low_wheel=shape.low_wheel, joker_beats_ace=False,
    )  # fmt: skip


def convert_cards(shape: Shape, cards: list[int]) -> tuple[Card, ...]:
    """Return ranks, each with whether it is of the suit of a flush, if there is one."""
    natural = [card for card in cards if card < 4 * shape.ranks]
    jokers = len(cards) - len(natural)
    suit, most = Counter(card % 4 for card in natural).most_common(1)[0]
    flush = most + jokers >= shape.back
    hand = sorted(((card // 4, flush and card % 4 == suit) for card in natural), reverse=True)
    return (*hand, *[(WILD, True)] * jokers)


def read_ranks(shape: Shape, cards: list[int]) -> dict[str, int]:
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
        pytest.param(Shape(), marks=pytest.mark.long),
        pytest.param(Shape(wild=True), marks=pytest.mark.long),
        Shape(ranks=9, joker=False),
        Shape(ranks=6, hand=6, front=1),
        Shape(ranks=4, hand=4, front=1, wild=True),
    ],
    ids=["whole deck", "fully wild", "nine ranks", "six ranks", "four ranks"],
)
def test_tests_of_a_house_way_agree_in_both_counts(shape: Shape) -> None:
    classes = hand_classes(shape)
    facts = hand_facts(classes, class_splits(classes))
    table = Table(build_rules(shape), None)
    dice = random.Random(7)  # noqa: S311 - hands to compare
    size = len(classes.cards)
    seen = set()
    for row in dice.sample(range(size), min(size, 3000)):
        cards = [int(card) for card in classes.cards[row]]
        expected = read_ranks(shape, cards)
        hand = convert_cards(shape, cards)
        _, kinds = table.splits(hand)
        features = table.features(hand, kinds)
        for name, rank in expected.items():
            assert facts.features[name][row] == rank, (name, cards)
        for feature, value in features.items():
            kept = facts.features[HouseWayFeature(feature)][row]
            if feature == HouseWayFeature.GROUPS:
                assert GROUPS_ORDER[kept] == value, cards
            elif feature == HouseWayFeature.BEST_HAND:
                assert list(Category)[kept] == value, cards
            elif feature in RANKS:
                assert kept == (0 if value is None else value + 1), (feature, cards)
            else:
                assert kept == value, (feature, cards)
        seen.add(expected[HouseWayFeature.STRAIGHT_RANK])
    assert {0, shape.back - 1, shape.ranks} <= seen or shape.ranks == shape.back + 1
