"""Pairs of disjoint hands: against the enumeration of all pairs, and by a second derivation."""

from collections import Counter
from collections.abc import Hashable
from functools import cache
from itertools import combinations, permutations
from math import comb

import pytest

from certify.errors import NotConfigured
from certify.kernels.features import HandFeatures, Shape
from certify.kernels.two_hand_census import count_two_hands
from tests.marks import further
from tests.oracle import one_hand as oracle

Suits = tuple[tuple[int, int], ...]
"""For each suit how many cards both hands have."""

Seen = tuple[bool, tuple[int, ...], int, int, int]


def read_features(held: HandFeatures) -> Seen:
    sizes = [size for size in (4, 3, 2, 1) for _ in range(held.groups >> (4 * (size - 1)) & 15)]
    return (
        bool(held.joker), tuple(sizes), held.straight, held.flush, held.straight_flush
    )  # fmt: skip


def count_hand(table: oracle.Table, hand: oracle.Hand) -> Seen:
    ranks = Counter(card[0] for card in hand if card is not None)
    return (
        None in hand,
        tuple(sorted(ranks.values(), reverse=True)),
        oracle.straight_length(table, hand),
        oracle.flush_length(table, hand),
        oracle.straight_flush_length(table, hand),
    )


def dealer_label(seen: Seen) -> Hashable:
    joker, _, straight, flush, _ = seen
    return (joker, flush > 0) if straight or flush else None


def player_label(seen: Seen) -> Hashable:
    _, sizes, straight, flush, straight_flush = seen
    return (sizes[0], straight_flush, flush) if sizes[0] > 1 or straight or flush else None


@pytest.mark.parametrize(
    ("ranks", "joker", "hand", "size"),
    [(4, 1, 4, 3), (6, 1, 3, 3), (5, 2, 3, 3),
     *further([(5, 0, 4, 3), (4, 0, 5, 3), (4, 1, 5, 4), (4, 2, 4, 4)])],
)  # fmt: skip
def test_every_pair_of_a_tiny_deck(ranks: int, joker: int, hand: int, size: int) -> None:
    table = oracle.Table(ranks=ranks, joker=joker, size=size)
    deck = table.deck()
    hands: Counter[tuple[int, Hashable, Hashable]] = Counter()
    for places in combinations(range(len(deck)), hand):
        seen = count_hand(table, [deck[place] for place in places])
        held = sum(1 << place for place in places)
        hands[held, dealer_label(seen), player_label(seen)] += 1
    pairs: Counter[tuple[Hashable, Hashable]] = Counter()
    everyone = list(hands)
    for first, dealer, _ in everyone:
        pairs.update((dealer, player) for second, _, player in everyone if not first & second)
    counted = count_two_hands(
        Shape(ranks, joker, hand, hand - size),
        lambda held: dealer_label(read_features(held)),
        lambda held: player_label(read_features(held)),
    )
    assert {labels: number for labels, number in counted.items() if number} == pairs


def ace_high(held: HandFeatures) -> str | None:
    """Name an ace-high pai gow by its ace, the joker being one."""
    if held.straight or held.flush or held.groups >> 4:
        return None
    if held.joker:
        return None if held.aces else "joker"
    return "ace" if held.aces else None


def test_two_ace_high_pai_gows_by_a_second_derivation() -> None:
    """Both hands have different ranks: only how many ranks they share matters, suit by suit."""
    counted = count_two_hands(
        Shape(13, True, 7, 2), ace_high, lambda held: "ace high" if ace_high(held) else None
    )
    assert sum(counted.values()) == comb(53, 7) * comb(46, 7) == 8_250_459_031_214_400
    windows = [{(low + step) % 13 for step in range(5)} for low in range(-1, 9)]

    def no_straight(ranks: frozenset[int], spare: int) -> bool:
        return all(len(window & ranks) + spare < 5 for window in windows)

    natural = [
        ranks
        for ranks in map(frozenset, combinations(range(13), 7))
        if 12 in ranks and no_straight(ranks, 0)
    ]
    holding = [
        ranks for ranks in map(frozenset, combinations(range(12), 6)) if no_straight(ranks, 1)
    ]
    assert (
        deals(natural, natural, 4, 4) + deals(natural, holding, 4, 3) == counted["ace", "ace high"]
    )
    assert deals(holding, natural, 3, 4) == counted["joker", "ace high"]


def deals(first: list[frozenset[int]], second: list[frozenset[int]], most: int, other: int) -> int:
    """Deal suits to all pairs of rank sets: none equal in a shared rank, no flush in either."""
    shared = Counter(len(item & two) for item in first for two in second)
    sizes = len(first[0]), len(second[0])
    return sum(
        number * suits_apart(sizes[0] - common, sizes[1] - common, common, most, other)
        for common, number in shared.items()
    )


@cache
def suits_apart(first: int, second: int, common: int, most: int, other: int) -> int:
    """Count by how many cards of each suit both hands have, at most ``most`` and ``other``.

    Which suit is which does not matter, so the suits are kept sorted.
    """
    ways: Counter[Suits] = Counter({((0, 0),) * 4: 1})
    first_only: list[tuple[int | None, int | None]] = [(suit, None) for suit in range(4)]
    second_only: list[tuple[int | None, int | None]] = [(None, suit) for suit in range(4)]
    both: list[tuple[int | None, int | None]] = list(permutations(range(4), 2))
    for choices, times in ((first_only, first), (second_only, second), (both, common)):
        for _ in range(times):
            after: Counter[Suits] = Counter()
            for held, number in ways.items():
                for mine, theirs in choices:
                    new = tuple(
                        sorted(
                            (one + (place == mine), two + (place == theirs))
                            for place, (one, two) in enumerate(held)
                        )
                    )
                    if all(one <= most and two <= other for one, two in new):
                        after[new] += number
            ways = after
    return ways.total()


def test_whole_deck_sums_for_ordinary_labels() -> None:
    counted = count_two_hands(
        Shape(13, True, 6, 1),
        lambda held: bool(held.flush) or None,
        lambda held: bool(held.straight) or None,
    )
    assert sum(counted.values()) == comb(53, 6) * comb(47, 6)
    flushes = sum(number for (dealer, _), number in counted.items() if dealer)
    hands = sum(
        comb(13, suited) * 4 * comb(39, 6 - joker - suited)
        for joker in (0, 1)
        for suited in range(5 - joker, 7 - joker)
    )
    assert flushes == hands * comb(47, 6)


def test_two_suits_that_could_flush_are_refused() -> None:
    with pytest.raises(NotConfigured, match="two suits"):
        count_two_hands(Shape(13, True, 7, 3), lambda _: None, lambda _: None)
