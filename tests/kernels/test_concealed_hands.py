"""Concealed play hand by hand: the worst hands that are reported, and which splits are left out."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from certify.errors import InvariantBroken
from certify.kernels import concealed
from certify.kernels.class_arrays import HandClasses, Splits, class_splits, hand_classes
from certify.kernels.features import Shape, category
from certify.kernels.optimal_plan import Plan, Worth, most_flushes, prepare
from certify.kernels.suit_isomorphism import WORST
from tests.kernels.test_two_hands import WORTHS, dealer, deck, group_by_label, worst
from tests.oracle import two_hands as oracle

DECKS = {
    "3+1 of 16 cards": Shape(ranks=4, joker=False, hand=4, front=1),
    "4+1 of 17 with a bug": Shape(ranks=4, hand=5, front=1),
    "4+1 of 18 with two wild jokers": Shape(ranks=4, joker=2, hand=5, front=1, wild=True),
}
EVERY_DECK = pytest.mark.parametrize(
    "shape",
    [
        *[*DECKS.values()][:2],
        *(pytest.param(shape, marks=pytest.mark.further) for shape in [*DECKS.values()][2:]),
    ],
    ids=DECKS,
)
EVERY_WORTH = pytest.mark.parametrize("worth", WORTHS.values(), ids=WORTHS)

Keys = tuple[int, int]
R = TypeVar("R")


def game(shape: Shape, *, flushes: bool = True) -> oracle.Game:
    return oracle.Game(*shape, flushes=flushes)


@cache
def table(shape: Shape, *, flushes: bool = True) -> oracle.Table:
    return oracle.Table(game(shape, flushes=flushes), oracle.middle_way, oracle.label_pai_gow)


def convert_cards(shape: Shape, numbers: Iterable[int]) -> oracle.Cards:
    jokers = iter(oracle.JOKERS)
    return tuple(
        next(jokers) if card == 4 * shape.ranks else (int(card) // 4, int(card) % 4)
        for card in numbers
    )


def up_to_suits(hand: oracle.Cards) -> tuple[tuple[int, int], ...]:
    """The first of the hands that suits make of this one; the joker has none."""
    natural = [(rank, suit) for rank, suit in hand if rank is not None and suit is not None]
    jokers = [(-1, -1)] * (len(hand) - len(natural))
    return min(
        tuple(sorted([(rank, suits[suit]) for rank, suit in natural] + jokers))
        for suits in permutations(range(4))
    )


def costs(shape: Shape, worth: tuple[Worth, ...]) -> Iterator[tuple[oracle.Cards, int]]:
    """Yield every hand of the deck with what the worst way costs on it."""
    seen, listed = table(shape), group_by_label(worth)
    for hand in seen.game.hands:
        best = max(
            seen.value(seen.judge(hand, setting), listed)[0]
            for setting in oracle.find_frontier(seen.game, hand)
        )
        house = seen.judge(hand, oracle.worst_way(seen.game, hand))
        yield hand, best - seen.value(house, listed)[0]


def frontier_keys(shape: Shape, hand: oracle.Cards) -> set[Keys]:
    """The categories of the frontier's backs and fronts."""
    return {(high[0], low[0]) for high, low in oracle.find_frontier(game(shape), hand)}


@EVERY_WORTH
@EVERY_DECK
def test_the_worst_hands_are_those_that_lose_most(shape: Shape, worth: tuple[Worth, ...]) -> None:
    classes, settings = deck(shape)
    rule = classes.joker.astype(np.int64)
    counts = concealed.count_concealed(
        classes, settings, dealer(shape), worst(settings), rule, worth
    )
    cost_of = {up_to_suits(hand): cost for hand, cost in costs(shape, worth)}
    lost = sorted((cost for cost in cost_of.values() if cost), reverse=True)
    assert [costly.cost for costly in counts.worst] == lost[:WORST]
    hands = [convert_cards(shape, costly.cards) for costly in counts.worst]
    assert len({up_to_suits(hand) for hand in hands}) == len(hands)
    for hand, costly in zip(hands, counts.worst, strict=True):
        assert list(costly.cards) == sorted(costly.cards, reverse=True)
        assert set(hand) <= set(table(shape).game.deck)
        assert cost_of[up_to_suits(hand)] == costly.cost
        best, house = ((category(high), category(low)) for high, low in (costly.best, costly.house))
        assert best in frontier_keys(shape, hand)
        (high, low) = oracle.worst_way(game(shape), hand)
        assert house == (high[0], low[0])


@EVERY_WORTH
@EVERY_DECK
def test_what_the_house_way_loses_is_reported_by_its_rules(
    shape: Shape, worth: tuple[Worth, ...]
) -> None:
    classes, settings = deck(shape)
    rule = 2 * classes.joker.astype(np.int64)
    counts = concealed.count_concealed(
        classes, settings, dealer(shape), worst(settings), rule, worth
    )
    hands, cost = [0] * 5, [0] * 5
    for hand, lost in costs(shape, worth):
        place = 2 * oracle.count_jokers(hand)
        hands[place] += lost > 0
        cost[place] += lost
    size = 1 + 2 * shape.joker
    assert counts.rule_hands == tuple(hands[:size])
    assert counts.rule_cost == tuple(cost[:size])


@EVERY_WORTH
@EVERY_DECK
def test_the_selected_splits_are_the_best_ones_without_flushes(
    shape: Shape, worth: tuple[Worth, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without slack the bound selects the best splits against dealers without flushes."""
    classes, settings = deck(shape)
    way = worst(settings)
    plan = prepare(classes, settings, dealer(shape), way, np.zeros_like(way), worth)
    seen: list[Any] = []
    for name in ("candidates", "promising"):
        monkeypatch.setattr(concealed, name, record_calls(seen, getattr(concealed, name)))
    for part in concealed.tasks(plan, slots_per_task=2000):
        concealed.run(replace(plan, slack=0), part)
    rows = 0
    for ((_, members), (listed, _)), ((*_, row, column, _, _), kept) in zip(
        seen[::2], seen[1::2], strict=True
    ):
        kept_of = {(r, c) for r, c, is_kept in zip(row, column, kept, strict=True) if is_kept}
        for place, member in enumerate(members):
            rows += 1
            best = best_places(plan, worth, int(member), listed[place].tolist())
            assert {c for r, c in kept_of if r == place} == best
    assert rows == len(classes.counts)


def record_calls(
    seen: list[tuple[tuple[object, ...], R]], function: Callable[..., R]
) -> Callable[..., R]:
    def call(*arguments: object) -> R:
        seen.append((arguments, function(*arguments)))
        return seen[-1][1]

    return call


def best_places(plan: Plan, worth: tuple[Worth, ...], row: int, listed: list[int]) -> set[int]:
    """Places of a class's best splits and of the house way's, by the slow twin."""
    shape = plan.classes.shape
    settings = [value_setting(plan, row, split) if split >= 0 else None for split in listed]
    plain, weights = table(shape, flushes=False), group_by_label(worth)
    hand = convert_cards(shape, plan.classes.cards[row])
    values = {
        place: plain.value(plain.judge(hand, setting), weights)[0]
        for place, setting in enumerate(settings)
        if setting is not None
    }
    house = settings.index(value_setting(plan, row, int(plan.choice[row])))
    return {house} | {place for place, value in values.items() if value == max(values.values())}


def value_setting(plan: Plan, row: int, split: int) -> oracle.Setting:
    """Value a split of the hand that represents a class; a rank class has no flush."""
    shape = plan.classes.shape
    cards = convert_cards(shape, plan.classes.cards[row])
    front = [int(place) for place in plan.splits.fronts[split]]
    back = tuple(card for place, card in enumerate(cards) if place not in front)
    return (
        oracle.find_value(game(shape), back, front=False),
        oracle.find_value(game(shape), tuple(cards[place] for place in front), front=True),
    )


def tiny() -> tuple[HandClasses, Splits, npt.NDArray[np.int64], tuple[Worth, ...]]:
    classes = hand_classes(DECKS["3+1 of 16 cards"])
    settings = class_splits(classes)
    none = np.zeros(len(classes.counts), dtype=np.int64)
    return classes, settings, none, (Worth((1,) * 4, (1,) * 4, (0,) * 4),)


def test_counts_that_miss_a_pair_are_refused() -> None:
    classes, settings, none, worth = tiny()
    plan = prepare(classes, settings, dealer(classes.shape), worst(settings), none, worth)
    tallies = [concealed.run(plan, part) for part in concealed.tasks(plan)]
    concealed.combine(plan, tallies)
    for way in (0, 1):
        tallies[0].outcome[way, 0, 0, 2] -= 1
        with pytest.raises(InvariantBroken, match="concealed"):
            concealed.combine(plan, tallies)
        tallies[0].outcome[way, 0, 0, 2] += 1


@pytest.mark.parametrize(
    "shape", [*DECKS.values(), Shape(ranks=4, hand=4, front=1, wild=True)], ids=str
)
def test_the_bound_on_flushes_holds_for_every_hand_of_the_player(shape: Shape) -> None:
    """Find the most hands with a flush in the cards that a hand leaves."""
    deck_of = game(shape)
    most = 0
    flushes = oracle.bits(flush(shape, hand) for hand in deck_of.hands)
    apart = table(shape).apart
    for hand in deck_of.hands:
        most = max(most, (apart(hand) & flushes).bit_count())
    assert most_flushes(shape) == most


def flush(shape: Shape, hand: oracle.Cards) -> bool:
    suits = [suit for rank, suit in hand if rank is not None]
    jokers = oracle.count_jokers(hand)
    return any(suits.count(suit) + jokers >= shape.back for suit in range(4))
