"""Every hand that holds given cards, looked up one by one."""

import numpy as np

from certify.kernels.compiled import compiled
from certify.kernels.plain.forms import MOST, Bytes, Integers, Narrow


@compiled
def holders(
    shared: Bytes,
    size: int,
    number: int,
    deck: int,
    choose: Integers,
    kind: Narrow,
    present: Narrow,
    counted: Narrow,
) -> int:
    """Count all hands of ``number`` cards that hold the shared ones, by their kind.

    A card's part in the number of a hand depends on how many cards are below it: for a free card
    those of ``shared`` below are known, for a shared card the free ones are counted.

    Args:
        shared: the cards that every hand holds, rising.
        size: how many these are.
        number: cards of a hand.
        deck: cards of the deck.
        choose: binomials.
        kind: of every hand, by its number.
        present: filled with the kinds that there are.
        counted: by kind, all 0; filled with how many hands there are.

    Returns:
        How many kinds there are.
    """
    free = np.zeros(deck, dtype=np.int64)
    below = np.zeros(MOST, dtype=np.int64)
    count, at = 0, 0
    for card in range(deck):
        if at < size and shared[at] == card:
            below[at] = count
            at += 1
        else:
            free[count] = card
            count += 1
    more = number - size
    if more == 0:
        hand = 0
        for nth in range(size):
            hand += choose[shared[nth], nth + 1]
        present[0] = kind[hand]
        counted[kind[hand]] = 1
        return 1
    part = np.zeros((more, count), dtype=np.int64)
    for place in range(more):
        for nth in range(count):
            part[place, nth] = choose[free[nth], place + free[nth] - nth + 1]
    chosen = np.arange(MOST)
    under = np.zeros(MOST, dtype=np.int64)
    total = 0
    while True:
        # All but the lowest free card stay; it takes every place below the second.
        base = 0
        for place in range(1, more):
            base += part[place, chosen[place]]
        for nth in range(size):
            under[nth] = nth
            for place in range(1, more):
                under[nth] += chosen[place] < below[nth]
        last = chosen[1] if more > 1 else count
        for lowest in range(last):
            hand = base + part[0, lowest]
            for nth in range(size):
                hand += choose[shared[nth], under[nth] + (lowest < below[nth]) + 1]
            held = kind[hand]
            if counted[held] == 0:
                present[total] = held
                total += 1
            counted[held] += 1
        chosen[0] = last - 1
        place = 1
        while place < more:
            limit = chosen[place + 1] if place + 1 < more else count
            if chosen[place] + 1 < limit:
                break
            place += 1
        if place >= more:
            return total
        chosen[place] += 1
        for lower in range(place):
            chosen[lower] = lower
