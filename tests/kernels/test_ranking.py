"""Keys rank hands as the rules do, and the classes partition the deck as published."""

from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest

from certify.errors import NotConfigured
from certify.kernels.class_arrays import class_splits, hand_classes
from certify.kernels.features import (
    FIVE_CARD_ORDER,
    Shape,
    back_key,
    category,
    front_key,
    lone_joker_key,
    pack_order,
    reorder_category,
)
from certify.model.vocabulary import Category
from tests.oracle import two_hands as oracle

RANKS = "23456789TJQKA"
CATEGORIES = [str(category) for category in Category]
OF_THREE_CARDS = pack_order([0, 1, 5, 4, 3, 8])
"""High card, pair, flush, straight, three of a kind, straight flush."""

OF_FOUR_CARDS = pack_order([0, 1, 2, 4, 5, 3, 8, 7])
"""As some four-card games rank: three of a kind above a flush, four of a kind above all."""


def key(text: str, *, wild: bool = False, low_wheel: bool = False) -> int:
    cards = text.split()
    natural = [card for card in cards if card != "Jk"]
    counts = sum(1 << (4 * RANKS.index(card[0])) for card in natural)
    suited = len({card[1] for card in natural}) == 1
    return back_key(
        counts, int("Jk" in cards), int(suited), 13, len(cards), int(wild), int(low_wheel),
        FIVE_CARD_ORDER,
    )  # fmt: skip


def name_category(text: str, *, wild: bool = False) -> str:
    return CATEGORIES[category(key(text, wild=wild))]


@pytest.mark.parametrize(
    ("text", "bug", "wild"),
    [
        ("As Ad Ah Ac Jk", "five_of_a_kind", "five_of_a_kind"),
        ("Ks Kd Kh Kc Jk", "four_of_a_kind", "five_of_a_kind"),
        ("Ks Kd Kh 2c Jk", "three_of_a_kind", "four_of_a_kind"),
        ("Ks Kd 2h 2c Jk", "two_pair", "full_house"),
        ("Ks Kd Ah 2c Jk", "two_pair", "three_of_a_kind"),
        ("Ks Qd 9h 2c Jk", "high_card", "pair"),
        ("As Qd 9h 2c Jk", "pair", "pair"),
        ("Ks Qs Ts Js Jk", "royal_flush", "royal_flush"),
        ("9s 8s 7s 5s Jk", "straight_flush", "straight_flush"),
        ("9s 8s 7s 2s Jk", "flush", "flush"),
        ("2s 3d 4h 5c Jk", "straight", "straight"),
        ("As 3s 4s 5s Jk", "straight_flush", "straight_flush"),
    ],
)
def test_the_joker(text: str, bug: str, wild: str) -> None:
    assert name_category(text) == bug
    assert name_category(text, wild=True) == wild


def test_the_order_of_five_card_hands() -> None:
    ascending = [
        "Ks Qd 9h 3c 2s", "As Qd 9h 3c 2s", "2s 2d 5h 4c 3s", "2s 2d 6h 4c 3s", "As Ad 5h 4c 3s",
        "3s 3d 2h 2c 4s", "3s 3d 2h 2c 5s", "2s 2d 2h 4c 3s", "2s 3d 4h 5c 6s", "9s Td Jh Qc Ks",
        "As 2d 3h 4c 5s", "As Kd Qh Jc Ts", "7s 5s 4s 3s 2s", "As Ks Qs Js 9s", "2s 2d 2h 3c 3s",
        "2s 2d 2h 2c 3s", "2s 3s 4s 5s 6s", "9s Ts Js Qs Ks", "As 2s 3s 4s 5s", "As Ks Qs Js Ts",
        "As Ad Ah Ac Jk",
    ]  # fmt: skip
    keys = [key(text) for text in ascending]
    assert keys == sorted(set(keys))


def test_the_wheel_is_second_highest_or_lowest() -> None:
    wheel, six, king = "As 2d 3h 4c 5s", "2s 3d 4h 5c 6s", "9s Td Jh Qc Ks"
    assert key(six) < key(king) < key(wheel)
    assert key(wheel, low_wheel=True) < key(six, low_wheel=True)


def test_the_joker_in_a_flush_is_the_highest_rank_missing() -> None:
    assert key("Ks Qs 9s 2s Jk") == key("As Ks Qs 9s 2s")
    assert key("As Qs 9s 2s Jk") == key("As Ks Qs 9s 2s")


def test_a_lone_joker_is_an_ace_or_beats_one() -> None:
    ace = front_key(1 << 48, 0, 13, 0)
    assert lone_joker_key(13, 0) == ace
    assert lone_joker_key(13, 1) > ace
    assert front_key(0, 1, 13, 0) == ace


def test_an_ace_high_hand_may_accompany_a_lone_joker() -> None:
    # Mini Pai Gow, important note 1: ace high in back with the joker as the low hand is acceptable.
    classes = hand_classes(Shape(hand=6, front=1, joker_beats_ace=True))
    settings = class_splits(classes)
    high_card = settings.high < 1 << 20
    joker_front = (classes.cards[:, settings.fronts[:, 0]] == 52) & high_card
    with_ace = (classes.counts >> 48 > 0)[:, None] & joker_front
    assert with_ace.any()
    assert settings.legal[with_ace].all()
    assert not settings.legal[joker_front & ~with_ace].any()


def test_an_order_of_categories_is_read_back() -> None:
    assert pack_order([0, 1, 2, 3, 4, 5, 6, 7, 8, 10]) == FIVE_CARD_ORDER
    for order, kinds in ((OF_THREE_CARDS, [0, 1, 5, 4, 3, 8, 9]), (FIVE_CARD_ORDER, range(11))):
        assert [reorder_category(place << 20, order) for place in range(len(kinds))] == [*kinds]


def test_classes_of_seven_cards_as_published() -> None:
    # Pai gow hands by top card and the best hands of seven cards: Wizard of Odds' tables.
    classes = hand_classes(Shape())
    assert classes.rank_classes == 67_600
    assert len(classes.counts) - classes.rank_classes == 224_653
    assert classes.plain.sum() == comb(53, 7)
    assert classes.hands[classes.rank_classes :].sum() == 6_416_124
    settings = class_splits(classes)
    best: Any = np.where(settings.legal, settings.high, 0).max(axis=1)  # category takes arrays too
    top = (best >> 16) & 15
    plain = [int(classes.plain[(category(best) == 0) & (top == 8 + n)].sum()) for n in range(6)]
    assert plain == [31_080, 248_640, 963_480, 2_719_500, 6_386_940, 14_430_780]
    found = {
        name: int(classes.plain[category(best) == number].sum())
        for number, name in enumerate(CATEGORIES)
    }
    assert found["five_of_a_kind"] == 1_128
    assert found["royal_flush"] == 26_132
    assert found["straight_flush"] == 184_832
    assert found["four_of_a_kind"] == 307_472
    assert found["full_house"] == 4_188_528
    assert found["flush"] == 6_172_088
    assert found["straight"] == 11_236_028
    assert found["three_of_a_kind"] == 7_470_676


@pytest.mark.parametrize(
    "shape",
    [
        Shape(ranks=5, hand=5, front=1),
        Shape(ranks=6, hand=5, front=1, wild=True, low_wheel=True),
        Shape(ranks=5, joker=2, hand=5, front=1, wild=True),
        Shape(ranks=5, joker=False, hand=5, front=2, low_wheel=True),
        Shape(ranks=6, joker=0, hand=3, front=0, low_wheel=True, order=OF_THREE_CARDS),
        Shape(ranks=6, hand=3, front=0, order=OF_THREE_CARDS),
        Shape(ranks=5, hand=4, front=0, wild=True, order=OF_FOUR_CARDS),
        Shape(ranks=5, hand=5, front=0),
        pytest.param(Shape(ranks=5, joker=2, front=2), marks=pytest.mark.further),
        pytest.param(
            Shape(ranks=6, joker=2, hand=6, front=1, wild=True, low_wheel=True),
            marks=pytest.mark.further,
        ),
    ],
    ids=str,
)
def test_backs_rank_as_the_oracle_ranks_them(shape: Shape) -> None:
    # Every back of the deck, both ways: the same order, and equal keys for equal values.
    game = oracle.Game(*shape)
    keys: dict[oracle.Value, int] = {}
    for cards in combinations(game.deck, shape.back):
        natural = [card for card in cards if card not in oracle.JOKERS]
        counts = sum(1 << (4 * rank) for rank, _ in natural if rank is not None)
        found = back_key(
            counts, len(cards) - len(natural), int(len({suit for _, suit in natural}) == 1),
            shape.ranks, shape.back, int(shape.wild), int(shape.low_wheel), shape.order,
        )  # fmt: skip
        value = oracle.find_value(game, cards, front=False)
        assert keys.setdefault(value, found) == found
        assert category(found) == value[0]
    assert [keys[value] for value in sorted(keys)] == sorted(set(keys.values()))


@pytest.mark.parametrize(
    "shape",
    [
        Shape(ranks=4, hand=5, front=2),
        Shape(hand=8, front=2),
        Shape(hand=7, front=3),
        Shape(ranks=4, hand=7, front=2),
        Shape(ranks=14),
    ],
    ids=str,
)
def test_decks_that_cannot_be_counted_are_refused(shape: Shape) -> None:
    with pytest.raises(NotConfigured):
        hand_classes(shape)


@pytest.mark.parametrize("joker", [0, 1, 2])
@pytest.mark.parametrize("ranks", [3, 4])
def test_a_deck_is_refused_exactly_where_two_suits_can_hold_a_flush(ranks: int, joker: int) -> None:
    deck = [card % 4 for card in range(4 * ranks)] + [-1] * joker
    for hand in range(2, 8):
        dealt = set(suits_of_hands(deck, hand))
        for front in range(hand):
            shape = Shape(ranks=ranks, joker=joker, hand=hand, front=front)
            if not min(3, hand) <= shape.back <= min(5, ranks):
                continue
            twice = any(
                sum(
                    suits.count(suit) > 0 and suits.count(suit) + suits.count(-1) >= shape.back
                    for suit in range(4)
                )
                > 1
                for suits in dealt
            )
            if twice:
                with pytest.raises(NotConfigured, match="two suits"):
                    shape.check()
            else:
                shape.check()


def suits_of_hands(deck: list[int], hand: int) -> Iterator[tuple[int, ...]]:
    """Yield the suits of hands, which a deck deals often."""
    for counts in product(*(range(deck.count(suit) + 1) for suit in (-1, 0, 1, 2, 3))):
        if sum(counts) == hand:
            yield tuple(
                suit
                for suit, count in zip((-1, 0, 1, 2, 3), counts, strict=True)
                for _ in range(count)
            )


@pytest.mark.parametrize(
    ("shape", "fits"),
    [
        (Shape(ranks=2, joker=0, hand=3, front=0), False),
        (Shape(ranks=3, joker=0, hand=3, front=0), True),
        (Shape(ranks=13, joker=0, hand=5, front=0), True),
        (Shape(ranks=14, joker=0, hand=5, front=0), False),
        (Shape(ranks=13, joker=0, hand=0, front=0), False),
        (Shape(ranks=13, joker=0, hand=1, front=0), False),
        (Shape(ranks=13, joker=0, hand=2, front=0), True),
        (Shape(ranks=13, joker=0, hand=7, front=2), True),
        (Shape(ranks=13, joker=0, hand=8, front=3), False),
        (Shape(ranks=13, joker=0, hand=6, front=0), False),
        (Shape(ranks=4, joker=0, hand=5, front=0), False),
        (Shape(ranks=13, joker=0, hand=3, front=1), False),
    ],
    ids=str,
)
def test_the_dimensions_of_decks_that_can_be_counted(shape: Shape, *, fits: bool) -> None:
    if fits:
        shape.check()
        return
    with pytest.raises(NotConfigured, match="cannot be counted"):
        shape.check()
