"""Every hand of a deck by its form, and how each form is set: the ground of the second exact count.

A *form* is a hand up to the names of its suits. Of the hands that differ only so, the one stands
for all whose four sets of ranks do not increase from suit to suit. Hands are numbered in
colexicographic order: cards ``c0 < c1 < ...`` have the number C(c0, 1) + C(c1, 2) + ...

Forms are read with `plain.hands` and `plain.house_way` alone, card by card and split by split.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled
from certify.kernels.plain.hands import CARDS, FEATURES, RANKS, read_features
from certify.kernels.plain.house_way import (
    HOUSE_FEATURES,
    NO_RULE,
    STACK,
    holds,
    house_split,
    rank_splits,
    read_house_features,
)

Integers = npt.NDArray[np.int64]
Narrow = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]

MOST: Final = 8
"""More cards than a hand or a shared set has."""


@compiled
def step(cards: Integers, number: int, deck: int) -> int:
    """Put the next set of ``number`` cards in the place of ``cards``; 0 if there is none."""
    for place in range(number):
        limit = cards[place + 1] if place + 1 < number else deck
        if cards[place] + 1 < limit:
            cards[place] += 1
            for lower in range(place):
                cards[lower] = lower
            return 1
    return 0


@compiled
def suit_sets(cards: Integers, number: int, ranks: int, sets: Integers) -> None:
    """Fill in the set of ranks of every suit, a bit each; jokers are in none."""
    sets[:] = 0
    for place in range(number):
        if cards[place] < 4 * ranks:
            sets[cards[place] % 4] |= 1 << (cards[place] // 4)


@compiled
def likenesses(sets: Integers) -> int:
    """Return how many hands differ by their suits' names only, 0 if another stands for them."""
    ways, run = 24, 1
    for suit in range(1, 4):
        if sets[suit] > sets[suit - 1]:
            return 0
        run = run + 1 if sets[suit] == sets[suit - 1] else 1
        ways //= run
    return ways


@compiled
def list_forms(number: int, ranks: int, joker: int, cards: Bytes, ways: Bytes) -> int:
    """List the forms of ``number`` cards, and how many hands each stands for; return how many.

    With no room in ``ways`` they are only counted.
    """
    hand = np.arange(MOST)
    sets = np.zeros(4, dtype=np.int64)
    form = 0
    while True:
        suit_sets(hand, number, ranks, sets)
        times = likenesses(sets)
        if times:
            if len(ways):
                ways[form] = times
                for place in range(number):
                    cards[form, place] = hand[place]
            form += 1
        if not step(hand, number, 4 * ranks + joker):
            return form


@compiled
def number_hands(number: int, ranks: int, joker: int, choose: Integers, form: Narrow) -> None:
    """Fill in the form of every hand, by the hand's number; ``choose`` has the binomials."""
    hand = np.arange(MOST)
    sets = np.zeros(4, dtype=np.int64)
    deck = 4 * ranks + joker
    next_form, place = 0, 0
    while True:
        suit_sets(hand, number, ranks, sets)
        if likenesses(sets):
            form[place] = next_form
            next_form += 1
        place += 1
        if not step(hand, number, deck):
            break
    hand = np.arange(MOST)
    place = 0
    while True:
        suit_sets(hand, number, ranks, sets)
        if not likenesses(sets):
            form[place] = form[number_of_form(hand, number, ranks, sets, choose)]
        place += 1
        if not step(hand, number, deck):
            return


@compiled
def number_of_form(
    cards: Integers, number: int, ranks: int, sets: Integers, choose: Integers
) -> int:
    """Return the number of the hand that stands for this one; ``sets`` are put in order."""
    for suit in range(1, 4):
        other = suit
        while other > 0 and sets[other] > sets[other - 1]:
            sets[other], sets[other - 1] = sets[other - 1], sets[other]
            other -= 1
    total, held = 0, 0
    for rank in range(ranks):
        for suit in range(4):
            if (sets[suit] >> rank) & 1:
                held += 1
                total += choose[4 * rank + suit, held]
    for place in range(held, number):
        total += choose[cards[place], place + 1]
    return int(total)


@compiled
def read_labels(
    cards: Bytes, rules: Integers, code: Integers, asked: Integers, labels: Integers
) -> None:
    """Fill in for every form which conditions its hands meet, a bit each.

    Args:
        cards: of every form.
        rules: see `plain.hands`.
        code: conditions, see `plain.house_way`.
        asked: first and last row of every condition.
        labels: filled in.
    """
    number = rules[CARDS]
    hand = np.zeros(number, dtype=np.int64)
    held = np.zeros(rules[RANKS], dtype=np.int64)
    own = np.zeros(rules[RANKS], dtype=np.int64)
    features = np.zeros(len(FEATURES), dtype=np.int64)
    nothing = np.zeros((1, 8), dtype=np.int64)
    none = np.zeros(1, dtype=np.int64)
    stack = np.zeros(STACK, dtype=np.int64)
    for form in range(len(labels)):
        for place in range(number):
            hand[place] = cards[form, place]
        read_features(hand, rules, held, own, features)
        for bit in range(len(asked)):
            labels[form] |= holds(asked[bit, 0], asked[bit, 1], code, features, 0, nothing,
                                  nothing, nothing, none, stack) << bit  # fmt: skip


@compiled
def set_forms(
    cards: Bytes,
    rules: Integers,
    fronts: Integers,
    code: Integers,
    sections: Integers,
    ways: Integers,
    before: Integers,
    named: Integers,
    own: Narrow,
    best: Narrow,
    sizes: Bytes,
    places: Bytes,
) -> int:
    """Set every form by a house way, and list the splits that no other equals or beats in both.

    Args:
        cards: of every form.
        rules: see `plain.hands`.
        fronts: splits; see `plain.house_way` for this and the other tables.
        code: conditions.
        sections: of the house way.
        ways: its rules.
        before: which rules go before which.
        named: ranks of the named fronts.
        own: ``(forms, 2)``, filled with back and front of the house way.
        best: ``(forms, splits + 1, 2)``, filled from the highest back down, fronts rising, and
            after them the split of the house way.
        sizes: how many there are before the latter, at least one.
        places: where the split of the house way stands first.

    Returns:
        0, or -3 where the house way does not decide a hand.
    """
    number = rules[CARDS]
    hand = np.zeros(number, dtype=np.int64)
    held = np.zeros(rules[RANKS], dtype=np.int64)
    house = np.zeros(len(HOUSE_FEATURES), dtype=np.int64)
    values = np.zeros((4, len(fronts)), dtype=np.int64)
    choices = np.zeros(len(ways), dtype=np.int64)
    fired = np.zeros(len(ways), dtype=np.int64)
    stack = np.zeros(STACK, dtype=np.int64)
    for form in range(len(cards)):
        for place in range(number):
            hand[place] = cards[form, place]
        rank_splits(hand, fronts, rules, held, values)
        read_house_features(hand, rules, values, held, house)
        split = house_split(code, sections, ways, before, named, house, values, choices, fired,
                                stack)  # fmt: skip
        if split < 0:
            return NO_RULE
        own[form, 0], own[form, 1] = values[0, split], values[1, split]
        sizes[form] = list_best(values, best[form])
        best[form, sizes[form]] = own[form]
        for place in range(sizes[form], -1, -1):
            if best[form, place, 0] == own[form, 0] and best[form, place, 1] == own[form, 1]:
                places[form] = place
    return 0


@compiled
def list_best(values: Integers, best: Narrow) -> int:
    """List the splits that no other equals or beats in both hands; return how many."""
    listed = 0
    ceiling, floor = -1, -1
    while True:
        # The highest back below the last one whose front is above the last one.
        high, low = -1, -1
        for split in range(values.shape[1]):
            if not values[3, split] or values[1, split] <= floor:
                continue
            if ceiling >= 0 and values[0, split] >= ceiling:
                continue
            if values[0, split] > high or (values[0, split] == high and values[1, split] > low):
                high, low = values[0, split], values[1, split]
        if high < 0:
            return listed
        best[listed, 0], best[listed, 1] = high, low
        ceiling, floor = high, low
        listed += 1
