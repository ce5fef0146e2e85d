"""Every count of the two-hand kernels equals the enumeration of all pairs on tiny decks."""

from collections import Counter
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from certify.kernels import changes, pair_count
from certify.kernels.changes import (
    Change,
    SplitsChange,
    count_changes,
    count_crossed,
    count_dealer_changes,
    find_changes,
)
from certify.kernels.class_arrays import HandClasses, Splits, class_splits, hand_classes
from certify.kernels.concealed import count_concealed
from certify.kernels.events import (
    Regions,
    SetHands,
    fixed_points,
    set_hands,
    staircase_points,
)
from certify.kernels.features import LABEL_BITS, LABELS, Shape, category
from certify.kernels.optimal_plan import Worth
from certify.kernels.pair_count import count_pairs, tasks
from certify.kernels.set_kinds import unpack_kind
from tests.oracle import two_hands as oracle

Kind = tuple[int, int | None, int, int]
Integers = npt.NDArray[np.int64]

DECKS = {
    "3+1 of 16 cards": Shape(ranks=4, joker=False, hand=4, front=1),
    "3+1 of 21 with a bug": Shape(ranks=5, hand=4, front=1),
    "3+1 of 21 fully wild, low wheel, joker above the ace": Shape(
        ranks=5, hand=4, front=1, wild=True, low_wheel=True, joker_beats_ace=True
    ),
    "3+2 of 16, low wheel": Shape(ranks=4, joker=False, hand=5, front=2, low_wheel=True),
    "4+1 of 18 with two bugs, joker above the ace": Shape(
        ranks=4, joker=2, hand=5, front=1, joker_beats_ace=True
    ),
}
SLOW = {
    "4+1 of 17 with a bug, joker above the ace": Shape(
        ranks=4, hand=5, front=1, joker_beats_ace=True
    ),
    "4+1 of 17 fully wild": Shape(ranks=4, hand=5, front=1, wild=True),
    "4+2 of 17 with a bug": Shape(ranks=4, hand=6, front=2),
    "4+1 of 18 with two wild jokers": Shape(ranks=4, joker=2, hand=5, front=1, wild=True),
    "4+1 of 21 fully wild": Shape(ranks=5, hand=5, front=1, wild=True),
    "5+1 of 21 with a bug, low wheel": Shape(ranks=5, hand=6, front=1, low_wheel=True),
    "4+2 of 21 fully wild": Shape(ranks=5, hand=6, front=2, wild=True),
    "5+1 of 22 with two bugs, low wheel": Shape(ranks=5, joker=2, hand=6, front=1, low_wheel=True),
}
QUICK = ("3+1 of 16 cards", "3+1 of 21 with a bug")
ALL_DECKS = [
    *[
        pytest.param(shape, id=name, marks=() if name in QUICK else pytest.mark.further)
        for name, shape in DECKS.items()
    ],
    *[pytest.param(shape, id=name, marks=pytest.mark.slow) for name, shape in SLOW.items()],
]

TWO_IN_FRONT = pytest.param(
    Shape(ranks=5, joker=2, wild=True), id="5+2 of 22 with two wild jokers", marks=pytest.mark.slow
)
"""As large as the slow twin can bear: a minute for each test."""

WHOLE = [
    *[pytest.param(shape, id=name) for name, shape in DECKS.items()],
    *ALL_DECKS[len(DECKS) :],
    TWO_IN_FRONT,
]
"""The decks of the counts themselves: continuous integration has every rule of rank."""


@cache
def deck(shape: Shape) -> tuple[HandClasses, Splits]:
    classes = hand_classes(shape)
    return classes, class_splits(classes)


@cache
def table(shape: Shape) -> oracle.Table:
    game = oracle.Game(*shape)
    return oracle.Table(game, oracle.middle_way, oracle.label_pai_gow)


def middle(settings: Splits) -> Integers:
    rows = np.arange(len(settings.frontier))
    choice: Integers = settings.frontier[rows, (settings.frontier_size - 1) // 2].astype(np.int64)
    return choice


def worst(settings: Splits) -> Integers:
    rank = (settings.high.astype(np.int64) << 32) | settings.low
    choice: Integers = np.where(settings.legal, rank, np.iinfo(np.int64).max).argmin(axis=1)
    return choice


def labels(classes: HandClasses, settings: Splits) -> Integers:
    highest: Any = np.where(settings.legal, settings.high, 0).max(axis=1)
    best = category(highest)  # which takes arrays too
    pair_of_kings = ((classes.counts >> (4 * (classes.shape.ranks - 2))) & 15) > 1
    label: Integers = np.where(best == 0, 1 + classes.joker, np.where(pair_of_kings, 3, 0))
    return label


def dealer(shape: Shape) -> SetHands:
    classes, settings = deck(shape)
    return set_hands(settings, middle(settings), labels(classes, settings))


@pytest.mark.parametrize("shape", WHOLE)
def test_fixed_play_equals_enumeration(shape: Shape) -> None:
    classes, settings = deck(shape)
    top = set_hands(settings, settings.frontier[:, 0], labels(classes, settings))
    counts = count_pairs(classes, dealer(shape), fixed_points(top, dealer(shape)))
    expected = table(shape).play(table(shape).set_by(oracle.top_way))
    assert {
        label: [counts.total[label], counts.win[label], counts.lose[label]] for label in expected
    } == expected


@pytest.mark.parametrize("most", [pair_count.MOST, 0], ids=["one step", "two steps"])
@pytest.mark.parametrize("shape", WHOLE)
def test_exposed_play_equals_enumeration(
    shape: Shape, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_count, "MOST", most)
    classes, settings = deck(shape)
    points = staircase_points(settings, dealer(shape))
    assert {task.taken for task in tasks(classes, dealer(shape), points)} == {1 if most else 2}
    counts = count_pairs(classes, dealer(shape), points)
    expected = table(shape).play(table(shape).find_settings())
    assert {
        label: [counts.total[label], counts.win[label], counts.lose[label]] for label in expected
    } == expected
    pairs = comb(shape.cards, shape.hand) * comb(shape.cards - shape.hand, shape.hand)
    assert sum(counts.total) == pairs


@pytest.mark.parametrize("exposed", [True, False], ids=["exposed", "same way"])
@pytest.mark.parametrize("shape", ALL_DECKS)
def test_changes_of_settings_equal_two_enumerations(shape: Shape, *, exposed: bool) -> None:
    classes, settings = deck(shape)
    top = set_hands(settings, settings.frontier[:, 0], labels(classes, settings))
    side = Change(dealer(shape), top)
    changes = count_changes(classes, side, SplitsChange(settings, settings) if exposed else side)
    then, now = (
        dealt.play(dealt.find_settings() if exposed else dealt.set_by(way))
        for way in (oracle.middle_way, oracle.top_way)
        for dealt in [oracle.Table(table(shape).game, way, oracle.label_pai_gow)]
    )
    assert then != now
    assert {
        label: [changes.total[label], changes.win[label], changes.lose[label]] for label in now
    } == {
        label: [one - other for one, other in zip(now[label], then[label], strict=True)]
        for label in now
    }


OTHER_TIES = {
    "taken by the player": Regions(win=((1, 1),), safe=((2, 1), (1, 2))),
    "of both hands pushing": Regions(win=((0, 0),), safe=((2, 0), (1, 1), (0, 2))),
    "taken by nobody": Regions(win=((1, 0), (0, 1)), safe=((2, 0), (1, 1), (0, 2))),
}


@pytest.mark.parametrize("regions", OTHER_TIES.values(), ids=OTHER_TIES)
@pytest.mark.parametrize("exposed", [True, False], ids=["exposed", "same way"])
def test_changes_with_other_ties_equal_two_counts(regions: Regions, *, exposed: bool) -> None:
    shape = SLOW["4+2 of 17 with a bug"]
    classes, settings = deck(shape)
    top = set_hands(settings, settings.frontier[:, 0], labels(classes, settings))
    then, now = (
        count_pairs(
            classes,
            hands,
            staircase_points(settings, hands, regions)
            if exposed
            else fixed_points(hands, hands, regions),
        )
        for hands in (dealer(shape), top)
    )
    side = Change(dealer(shape), top)
    changes = count_changes(
        classes, side, SplitsChange(settings, settings) if exposed else side, regions=regions
    )
    assert then != now
    for kind in range(len(changes)):
        assert changes[kind] == tuple(
            one - other for one, other in zip(now[kind], then[kind], strict=True)
        )


@pytest.mark.parametrize("exposed", [True, False], ids=["exposed", "same way"])
@pytest.mark.parametrize("shape", [*ALL_DECKS, TWO_IN_FRONT])
def test_another_rank_of_the_wheel_is_counted_by_the_hands_that_it_changes(
    shape: Shape, *, exposed: bool
) -> None:
    shapes = [shape._replace(low_wheel=low) for low in (False, True)]
    decks = [deck(each) for each in shapes]
    ranked_otherwise = (decks[0][1].high != decks[1][1].high).any()
    assert ranked_otherwise == (shape.ranks > shape.back)  # else it is the ace-high straight
    hands = [dealer(each) for each in shapes]
    then, now = (
        count_pairs(
            classes,
            side,
            staircase_points(settings, side) if exposed else fixed_points(side, side),
        )
        for (classes, settings), side in zip(decks, hands, strict=True)
    )
    changes = count_changes(
        decks[0][0],
        Change(*hands),
        SplitsChange(*(settings for _, settings in decks)) if exposed else Change(*hands),
    )
    for kind in range(len(changes)):
        assert changes[kind] == tuple(
            one - other for one, other in zip(now[kind], then[kind], strict=True)
        )


def test_settings_that_do_not_differ_change_nothing() -> None:
    shape = SLOW["4+2 of 17 with a bug"]
    classes, _ = deck(shape)
    same = Change(dealer(shape), dealer(shape))
    for found in (count_changes(classes, same, same), count_crossed(classes, same, same)):
        assert {*found.total, *found.win, *found.lose} == {0}


@pytest.mark.parametrize("room", [LABEL_BITS, LABEL_BITS + 1], ids=["one by one", "two, then one"])
def test_changes_of_the_dealer_in_one_pass_equal_each_alone(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = SLOW["4+2 of 17 with a bug"]
    classes, settings = deck(shape)
    label = np.arange(len(settings.frontier)) % LABELS
    ways = (middle(settings), settings.frontier[:, 0], worst(settings))
    hands = [set_hands(settings, way, each) for way in ways for each in (label, label[::-1])]
    dealers = [Change(hands[0], side) for side in hands[1:4]]
    joined = [find_changes(dealer) for dealer in dealers]
    together = count_dealer_changes(classes, joined, settings)
    assert together == [
        count_changes(classes, dealer, SplitsChange(settings, settings)) for dealer in dealers
    ]
    assert len(set(together)) == len(dealers)
    monkeypatch.setattr(changes, "count_free_bits", lambda *_: room)
    assert count_dealer_changes(classes, joined, settings) == together


@pytest.mark.parametrize("shape", ALL_DECKS)
def test_both_sides_by_separate_ways_equal_enumeration(shape: Shape) -> None:
    """From both by the middle way to the dealer by the top way and the player by the worst."""
    classes, settings = deck(shape)
    middle, label = dealer(shape), labels(classes, settings)
    top = set_hands(settings, settings.frontier[:, 0], label)
    low = set_hands(settings, worst(settings), label)
    tables = [
        table(shape),
        oracle.Table(table(shape).game, oracle.top_way, oracle.label_pai_gow),
    ]
    settle = {
        (number, way.__name__): dealt.play(dealt.set_by(way))
        for number, dealt in enumerate(tables)
        for way in (oracle.middle_way, oracle.worst_way)
    }
    before = settle[0, "middle_way"]
    alone = {
        (1, "middle_way"): (Change(middle, top), Change(middle, middle)),
        (0, "worst_way"): (Change(middle, middle), Change(middle, low)),
        (1, "worst_way"): (Change(middle, top), Change(middle, low)),
    }
    for key, sides in alone.items():
        changes = count_changes(classes, *sides)
        assert {
            label: [changes.total[label], changes.win[label], changes.lose[label]]
            for label in before
        } == {
            label: [
                one - other for one, other in zip(settle[key][label], before[label], strict=True)
            ]
            for label in before
        }
    crossed = count_crossed(classes, Change(middle, top), Change(middle, low))
    assert any(crossed.win)
    for place in before:
        parts = zip(
            settle[1, "worst_way"][place], settle[1, "middle_way"][place],
            settle[0, "worst_way"][place], before[place], strict=True,
        )  # fmt: skip
        assert [crossed.total[place], crossed.win[place], crossed.lose[place]] == [
            both - one - other + neither for both, one, other, neither in parts
        ]


WORTHS = {
    "commission": (Worth((19, 19, 19, 19), (20, 20, 20, 20), (0,) * 4),),
    "channels and a raise": (
        Worth((1, 0, 2, 1), (1, 0, 1, 3), (0,) * 4),
        Worth((2, 0, 2, 2), (2, 0, 1, 4), (0,) * 4),
    ),
    "a fold and two sizes": (
        Worth((0,) * 4, (0,) * 4, (0,) * 4),
        Worth((2, 0, 2, 1), (2, 0, 2, 1), (1, 0, 1, 2)),
        Worth((4, 0, 4, 1), (4, 0, 4, 1), (1, 0, 1, 2)),
    ),
}


def group_by_label(worth: tuple[Worth, ...]) -> list[list[tuple[int, ...]]]:
    """Group the worths of a win, a loss and a round by action and label."""
    return [list(zip(*of, strict=True)) for of in worth]


@pytest.mark.parametrize("worth", WORTHS.values(), ids=WORTHS)
@pytest.mark.parametrize("shape", ALL_DECKS)
def test_concealed_play_equals_enumeration(shape: Shape, worth: tuple[Worth, ...]) -> None:
    classes, settings = deck(shape)
    rule = classes.joker.astype(np.int64)
    counts = count_concealed(classes, settings, dealer(shape), worst(settings), rule, worth)
    expected = table(shape).play_concealed(oracle.worst_way, group_by_label(worth))
    for action, label in expected.optimal:
        assert list(counts.optimal[action][label]) == expected.optimal[action, label]
        assert list(counts.house[action][label]) == expected.house[action, label]
    if len(worth) == 1:
        known = [expected.house.get((0, label), (0, 0, 0)) for label in range(4)]
        assert counts == count_concealed(
            classes, settings, dealer(shape), worst(settings), rule, worth, house=known
        )
    chosen = [any(total for _, _, total in labels) for labels in counts.optimal]
    assert chosen.count(True) >= min(2, len(worth))  # each deck chooses; not each ever folds
    assert sum(counts.rule_hands) == expected.differing
    assert sum(counts.rule_cost) == expected.cost
    assert counts.worst
    assert counts.worst[0].cost > 0
    played: Counter[tuple[object, ...]] = Counter()
    for way, action, kind, hands in counts.played:
        played[way, action, kind_of_key(kind)] += hands
    wanted: Counter[tuple[object, ...]] = Counter()
    for (way, action, setting), hands in expected.played.items():
        wanted[way, action, kind_of_setting(setting)] += hands
    assert played == wanted
    changed: Counter[tuple[object, ...]] = Counter()
    for house, best, hands, cost in counts.changed:
        changed[kind_of_key(house), kind_of_key(best), "hands"] += hands
        changed[kind_of_key(house), kind_of_key(best), "cost"] += cost
    lost: Counter[tuple[object, ...]] = Counter()
    for (of_house, of_best), (number, value) in expected.changed.items():
        lost[kind_of_setting(of_house), kind_of_setting(of_best), "hands"] += number
        lost[kind_of_setting(of_house), kind_of_setting(of_best), "cost"] += value
    assert changed == lost


def kind_of_key(kind: int) -> Kind:
    """Category and first rank, from 0, of both hands; no rank of a straight."""
    (high, rank), low = unpack_kind(kind)
    return high, None if high in oracle.SEQUENCES else rank - 1, low[0], low[1] - 1


def kind_of_setting(setting: oracle.Setting) -> Kind:
    (high, ranks), (low, others) = setting
    return high, None if high in oracle.SEQUENCES else ranks[0], low, others[0]


def test_sets_of_hands_as_bits_equal_pair_by_pair() -> None:
    # The oracle itself, once without its shortcut.
    shape = Shape(ranks=3, hand=4, front=1)
    game = oracle.Game(*shape)
    small = oracle.Table(game, oracle.middle_way, oracle.label_pai_gow)
    options = [oracle.find_settings(game, hand) for hand in game.hands]

    def wins(one: int, other: int) -> bool | None:
        high, low = small.set_hand[one]
        if any(h > high and w > low for h, w in options[other]):
            return True
        return None if any(h > high or w > low for h, w in options[other]) else False

    assert small.find_settings() == options
    assert small.outcomes(wins) == small.play(options)
