"""Recount pairs of hands by a plain sum over all sets of cards that two hands may share.

    sum over disjoint (D, P) of g(D, P) = sum over card sets S of (-1)^|S| * G(S),

G(S) is the sum over all dealer's hands D and player's hands P that hold S, with any overlap. The
identity holds because the sum of (-1)^|S| over the sets S within both hands is 1 if they share no
card and 0 otherwise. One S is computed for all sets that differ only in the names of the suits.

For each S, all hands that hold it are read: about 1.9 billion hands for seven of 53 cards. The
dealer's hands among them fill a table of how many have a lower back and a lower front than given
ones; the player's hands look up that table. There are no classes of ranks, no keys shared with the
engine, and no recursion.

Accumulators: G(S) is at most C(54,7)^2 = 3.2e16, its signed parts at most 41 times as much; the sum
over all S of one size is below that of size 0. All stay below 2^63 = 9.2e18.
"""

from typing import Final

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


LOW: Final = 8
HIGH: Final = 16
BYTE: Final = 255
"""A set hand is a label, and from these bits on the places of its front and of its back."""

TOTAL: Final = 0
HOUSE_WIN: Final = 1
HOUSE_LOSE: Final = 2
SEEN_WIN: Final = 3
SEEN_LOSE: Final = 4
KINDS: Final = 5
"""Pairs; won and lost by the house way; some split wins, and every split loses."""


@compiled
def tabulate(
    present: Narrow,
    counted: Narrow,
    total: int,
    dealer: Narrow,
    highs: int,
    lows: int,
    labels: int,
    row: Integers,
    table: Integers,
) -> int:
    """Count the dealer's hands below every back and front; return the last row.

    Args:
        present: kinds of hands.
        counted: how many hands there are of each kind.
        total: how many kinds are present.
        dealer: the set hand of every kind: label, place of the front, place of the back.
        highs: number of backs.
        lows: number of fronts.
        labels: number of labels.
        row: filled with the row of the table for every place of a back, ``highs`` included.
        table: filled by row, place of a front (``lows`` included) and label, flat.
    """
    width = (lows + 1) * labels
    row[: highs + 1] = 0
    for entry in range(total):
        row[(dealer[present[entry]] >> HIGH) + 1] = 1
    used = 0
    for place in range(highs + 1):
        used += row[place]
        row[place] = used
    table[: (used + 1) * width] = 0
    for entry in range(total):
        hand = dealer[present[entry]]
        line = (row[hand >> HIGH] + 1) * width
        place = line + (((hand >> LOW) & BYTE) + 1) * labels + (hand & BYTE)
        table[place] += counted[present[entry]]
    for line in range(1, used + 1):
        start = line * width
        for place in range(start + labels, start + width):
            table[place] += table[place - labels]
        for place in range(start, start + width):
            table[place] += table[place - width]
    return used


@compiled
def add_results(
    present: Narrow,
    counted: Narrow,
    total: int,
    ways: int,
    dealer: Narrow,
    shift: int,
    first: Integers,
    points: Narrow,
    lows: int,
    labels: int,
    row: Integers,
    last: int,
    table: Integers,
    result: Integers,
) -> None:
    """Add how the player's hands fare against the tabulated ones to ``result``, `(labels, KINDS)`.

    A player who sees the dealer's hand wins with some split in the union of what the splits
    win: the sum of what each of them wins, less what each two neighbours win both. The splits of
    a kind, ``first`` to ``first + 1``, are listed from the highest back down. ``shift`` is what a
    player's hand is above the place of the same dealer's hand: a tie is the player's where it is.
    """
    width = (lows + 1) * labels
    end_row, end_column = last * width, lows * labels
    sums = np.zeros((labels, KINDS), dtype=np.int64)
    for entry in range(total):
        hand = present[entry]
        often = np.int64(counted[hand])
        own = dealer[hand] + shift
        line, column = row[own >> HIGH] * width, ((own >> LOW) & BYTE) * labels
        begin, end = first[hand], first[hand + 1]
        top = row[points[begin] >> HIGH] * width
        front = ((points[end - 1] >> LOW) & BYTE) * labels
        for label in range(labels):
            every = table[end_row + end_column + label]
            if every == 0:
                continue
            won = table[line + column + label]
            sums[label, TOTAL] += often * every
            sums[label, HOUSE_WIN] += often * won
            sums[label, HOUSE_LOSE] += often * (
                every - table[line + end_column + label] - table[end_row + column + label] + won
            )
            some, before = 0, 0
            for point in range(begin, end):
                across = row[points[point] >> HIGH] * width + label
                if point > begin:
                    some -= table[across + before]
                before = ((points[point] >> LOW) & BYTE) * labels
                some += table[across + before]
            sums[label, SEEN_WIN] += often * some
            sums[label, SEEN_LOSE] += often * (
                every - table[top + end_column + label] - table[end_row + front + label]
                + table[top + front + label]
            )  # fmt: skip
    for label in range(labels):
        for sort in range(KINDS):
            result[label, sort] += ways * sums[label, sort]


@compiled
def add_hands(
    present: Narrow,
    counted: Narrow,
    total: int,
    ways: int,
    first: Integers,
    points: Narrow,
    lows: int,
    labels: int,
    row: Integers,
    last: int,
    table: Integers,
    fared: Integers,
) -> None:
    """Add what every split wins and loses against the tabulated hands to ``fared``.

    ``fared`` is by split, label and win or loss. In the end it is a sum over all hands of a form:
    at most 24 * C(46,7) * 2^7 on the way.
    """
    width = (lows + 1) * labels
    end_row, end_column = last * width, lows * labels
    for entry in range(total):
        hand = present[entry]
        often = ways * np.int64(counted[hand])
        for point in range(first[hand], first[hand + 1]):
            line = row[points[point] >> HIGH] * width
            column = ((points[point] >> LOW) & BYTE) * labels
            for label in range(labels):
                below = table[line + column + label]
                fared[point, label, 0] += often * below
                fared[point, label, 1] += often * (
                    table[end_row + end_column + label] - table[line + end_column + label]
                    - table[end_row + column + label] + below
                )  # fmt: skip


@compiled
def sum_results(
    shared: Bytes,
    ways: Bytes,
    number: int,
    deck: int,
    choose: Integers,
    kind: Narrow,
    present: Narrow,
    counted: Narrow,
    dealer: Narrow,
    shift: int,
    first: Integers,
    points: Narrow,
    highs: int,
    lows: int,
    labels: int,
    row: Integers,
    table: Integers,
    result: Integers,
) -> None:
    """Add G(S) for all ``shared`` S of one size, not empty, to ``result``, `(labels, KINDS)`."""
    for nth in range(len(shared)):
        total = holders(shared[nth], shared.shape[1], number, deck, choose, kind, present, counted)
        last = tabulate(present, counted, total, dealer, highs, lows, labels, row, table)
        add_results(
            present, counted, total, ways[nth], dealer, shift, first, points, lows, labels, row,
            last, table, result,
        )  # fmt: skip
        for place in range(total):
            counted[present[place]] = 0


@compiled
def sum_hands(
    shared: Bytes,
    ways: Bytes,
    number: int,
    deck: int,
    choose: Integers,
    kind: Narrow,
    present: Narrow,
    counted: Narrow,
    dealer: Narrow,
    first: Integers,
    points: Narrow,
    highs: int,
    lows: int,
    labels: int,
    row: Integers,
    table: Integers,
    fared: Integers,
) -> None:
    """Add to every form its part of G(S) for all ``shared`` S of one size, not empty."""
    sign = 1 - 2 * (shared.shape[1] % 2)
    for nth in range(len(shared)):
        total = holders(shared[nth], shared.shape[1], number, deck, choose, kind, present, counted)
        last = tabulate(present, counted, total, dealer, highs, lows, labels, row, table)
        add_hands(
            present, counted, total, sign * np.int64(ways[nth]), first, points, lows, labels, row,
            last, table, fared,
        )  # fmt: skip
        for place in range(total):
            counted[present[place]] = 0


@compiled
def sum_kinds(
    shared: Bytes,
    ways: Bytes,
    number: int,
    deck: int,
    choose: Integers,
    kind: Narrow,
    present: Narrow,
    counted: Narrow,
    result: Integers,
) -> None:
    """Add the pairs of kinds for all ``shared`` S of one size, not empty, to ``result``."""
    for nth in range(len(shared)):
        total = holders(shared[nth], shared.shape[1], number, deck, choose, kind, present, counted)
        for a in range(total):
            for b in range(total):
                pairs = np.int64(counted[present[a]]) * counted[present[b]]
                result[present[a], present[b]] += ways[nth] * pairs
        for place in range(total):
            counted[present[place]] = 0
