"""Every hand up to suit isomorphism, with the value of every split that may be best.

What a hand Y expects of a split is a sum of tabulated answers: one for its ranks, as if the
dealer had no flush, and one for each suit, for the dealers with a flush in that suit. The latter
depends on the ranks Y_s that the hand holds in the suit and on its ranks, not on the other suits.

The hands of a rank class are enumerated by giving each rank's cards to suits, so that the four
suits' holdings never increase: one hand per isomorphism class, standing for 24 hands, or 12, 6, 4,
1 if some suits hold the same. In a flush class the other cards (at most two) leave few patterns.

A *slot* is a place in the list of suit queries. A class with f ranks that some suits hold and some
do not has 2^f subsets (and, in flush classes, one more for the flush suit), in turn for each of its
listed splits; bit j of a subset is the j-th such rank from the lowest up.

Width. Counts of dealer's hands are below 2^31 and weighted by less than 2^20; sums over players are
at most the number of ordered pairs (2^54) times a weight: `concealed` checks that this fits 2^62.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compile_allocating, compile_lazily

Integers = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

WIN: Final = 0
LOSE: Final = 1
TOTAL: Final = 2
OPTIMAL: Final = 0
HOUSE: Final = 1
WORST: Final = 16
"""The number of hands to list on which the house way costs most."""


class Rows(NamedTuple):
    """The classes of one task and their frontier splits.

    Attributes:
        counts: ranks of the class, packed four bits a rank.
        others: ranks of the cards outside the flush suit; -1 for rank classes.
        joker: number of jokers in the class.
        ways: number of ways to deal them.
        begin: `(rows + 1,)`, start of the queries of the class's splits.
        slot: start of its suit slots.
        house: position of the house way's split in the class's splits.
        rule: number of the deciding house-way rule.
        rank_place: for each query of a split the position of its answer in the rank values.
        rank_total: for each class the position of its total in the rank values.
        suit_place: for each slot the position of its answer in the suit values.
    """

    counts: Integers
    others: Integers
    joker: Integers
    ways: Integers
    begin: Integers
    slot: Integers
    house: Integers
    rule: Integers
    rank_place: Places
    rank_total: Places
    suit_place: Places


class Tally(NamedTuple):
    """Sums of a task.

    Attributes:
        outcome: `(2, actions, channels, 3)`: optimal or house way, action, channel, and pairs won,
            lost and all.
        rule_hands: by house-way rule, hands on which the house way is worth less than the best.
        rule_cost: by rule, the value lost on them, in units of the weights.
        worst_cost: `(WORST,)`, the greatest values lost on one hand, descending.
        worst_hand: `(WORST, 7)`: row, best and house way's split, and the suits' subsets.
        isomorphism_classes: `(1,)`, number of isomorphism classes met.
        played: `(2, actions, splits)`: optimal or house way, action, listed split: hands played so.
        changed: `(2, splits)`: the hands for which a split is worth more than the house way's, and
            the value lost on them.
    """

    outcome: Integers
    rule_hands: Integers
    rule_cost: Integers
    worst_cost: Integers
    worst_hand: Integers
    isomorphism_classes: Integers
    played: Integers
    changed: Integers


@compile_lazily
def copy(row: Integers, to: Integers) -> None:
    """Write a row over another: rows that are assigned take seconds to compile, for their error."""
    for place in range(len(row)):
        to[place] = row[place]


@compile_lazily
def settle(
    rows: Rows,
    row: int,
    subsets: Integers,
    size: int,
    rank_value: Integers,
    suit_value: Integers,
    weight: Integers,
    terms: Integers,
    tally: Tally,
    answer: Integers,
) -> None:
    """Choose the best split of one isomorphism class and add it, and the house way's, to the tally.

    Args:
        rows: the classes.
        row: the hand's class.
        subsets: the four suits' subsets.
        size: hands in the isomorphism class by their natural cards.
        rank_value: `(places, 2 * channels)`, the two answers to a query (see `SplitQueries`).
        suit_value: the same, for suit queries.
        weight: `(actions, 3, channels)`: gain of a win, cost of a loss, worth of any round.
        terms: `(queries, 3)`, how the answers about a split add up.
        tally: results.
        answer: `(4, 2 * channels)`, scratch: the best, this, all, the house way's.
    """
    actions, _, channels = weight.shape
    size *= rows.ways[row]
    begin = rows.begin[row]
    splits_of_row = rows.begin[row + 1] - begin
    queries = len(terms)
    stride = splits_of_row + 1
    slot = rows.slot[row]
    best, best_value, house_value = 0, 0, 0
    best_action, house_action = 0, 0
    house = rows.house[row]
    total_place = rows.rank_total[row]
    for split in range(splits_of_row // queries):
        for channel in range(channels):
            total = rank_value[total_place, 2 * channel]
            for suit in range(4):
                all_place = rows.suit_place[slot + subsets[suit] * stride + splits_of_row]
                total += suit_value[all_place, 2 * channel]
            missed, lost = 0, 0
            for query in range(split * queries, (split + 1) * queries):
                place = rows.rank_place[begin + query]
                either = rank_value[place, 2 * channel]
                both = rank_value[place, 2 * channel + 1]
                for suit in range(4):
                    place = rows.suit_place[slot + subsets[suit] * stride + query]
                    either += suit_value[place, 2 * channel]
                    both += suit_value[place, 2 * channel + 1]
                term = query - split * queries
                missed += terms[term, 0] * either + terms[term, 1] * both
                lost += terms[term, 2] * both
            answer[1, 2 * channel] = total - missed
            answer[1, 2 * channel + 1] = lost
            answer[2, 2 * channel] = total
        value, action = 0, 0
        for other in range(actions):
            expected = 0
            for channel in range(channels):
                expected += weight[other, 0, channel] * answer[1, 2 * channel]
                expected -= weight[other, 1, channel] * answer[1, 2 * channel + 1]
                expected += weight[other, 2, channel] * answer[2, 2 * channel]
            if other == 0 or expected > value:
                value, action = expected, other
        if split == 0 or value > best_value:
            best, best_value, best_action = split, value, action
            copy(answer[1], answer[0])
        if split == house:
            house_value, house_action = value, action
            copy(answer[1], answer[3])
    for channel in range(channels):
        total = answer[2, 2 * channel]
        outcome = tally.outcome[OPTIMAL, best_action, channel]
        outcome[WIN] += size * answer[0, 2 * channel]
        outcome[LOSE] += size * answer[0, 2 * channel + 1]
        outcome[TOTAL] += size * total
        outcome = tally.outcome[HOUSE, house_action, channel]
        outcome[WIN] += size * answer[3, 2 * channel]
        outcome[LOSE] += size * answer[3, 2 * channel + 1]
        outcome[TOTAL] += size * total
    tally.isomorphism_classes[0] += 1
    first = begin // queries
    tally.played[OPTIMAL, best_action, first + best] += size
    tally.played[HOUSE, house_action, first + house] += size
    cost = best_value - house_value
    if cost > 0:
        tally.rule_hands[rows.rule[row]] += size
        tally.rule_cost[rows.rule[row]] += size * cost
        tally.changed[0, first + best] += size
        tally.changed[1, first + best] += size * cost
        if cost > tally.worst_cost[WORST - 1]:
            at = WORST - 1
            while at > 0 and tally.worst_cost[at - 1] < cost:
                tally.worst_cost[at] = tally.worst_cost[at - 1]
                copy(tally.worst_hand[at - 1], tally.worst_hand[at])
                at -= 1
            tally.worst_cost[at] = cost
            tally.worst_hand[at, 0] = row
            tally.worst_hand[at, 1] = best
            tally.worst_hand[at, 2] = house
            for suit in range(4):
                tally.worst_hand[at, 3 + suit] = subsets[suit]


@compile_allocating
def settle_rows(
    rows: Rows,
    ranks: int,
    needed: int,
    rank_value: Integers,
    suit_value: Integers,
    weight: Integers,
    terms: Integers,
    tally: Tally,
) -> None:
    """Settle every hand of every class of a task.

    Args:
        rows: the classes.
        ranks: ranks of the deck.
        needed: cards of a flush; as many less do as there are jokers.
        rank_value: answers of the rank queries.
        suit_value: answers of the suit queries.
        weight: see `settle`.
        terms: see `settle`.
        tally: results.
    """
    answer = np.zeros((4, 2 * weight.shape[2]), dtype=np.int64)
    subsets = np.zeros(4, dtype=np.int64)
    for row in range(len(rows.counts)):
        if rows.others[row] < 0:
            settle_rank_class(
                rows, row, ranks, needed - rows.joker[row], rank_value, suit_value, weight, terms,
                tally, answer,
            )  # fmt: skip
            continue
        free, doubled = 0, 0
        for rank in range(ranks):
            count = (rows.others[row] >> (4 * rank)) & 15
            free += 1 if count else 0
            doubled += 1 if count == 2 else 0
        flush = 1 << free
        subsets[0], subsets[1], subsets[2], subsets[3] = flush, flush - 1, 0, 0
        size = 12 if free else 4
        if doubled:
            subsets[2] = 1
        settle(rows, row, subsets, size, rank_value, suit_value, weight, terms, tally, answer)
        if free == 2:
            subsets[1], subsets[2] = 1, 2
            settle(rows, row, subsets, 24, rank_value, suit_value, weight, terms, tally, answer)


@compile_allocating
def settle_rank_class(
    rows: Rows,
    row: int,
    ranks: int,
    needed: int,
    rank_value: Integers,
    suit_value: Integers,
    weight: Integers,
    terms: Integers,
    tally: Tally,
    answer: Integers,
) -> None:
    """Settle every hand of one rank class that is no flush, one of each isomorphism class."""
    repeats = np.zeros(8, dtype=np.int64)
    bit = np.zeros(8, dtype=np.int64)
    depth, free = 0, 0
    for rank in range(ranks):
        count = (rows.counts[row] >> (4 * rank)) & 15
        if count:
            repeats[depth] = count
            bit[depth] = 1 << free if count < 4 else 0
            free += 1 if count < 4 else 0
            depth += 1
    masks = np.zeros((9, 4), dtype=np.int64)
    cards = np.zeros((9, 4), dtype=np.int64)
    choice = np.zeros(9, dtype=np.int64)
    level = 0
    while level >= 0:
        if level == depth:
            size, run = 24, 1
            for suit in range(1, 4):
                run = run + 1 if masks[level, suit] == masks[level, suit - 1] else 1
                size //= run
            settle(
                rows, row, masks[level], size, rank_value, suit_value, weight, terms, tally, answer
            )
            level -= 1
            continue
        chosen = choice[level]
        if chosen == 16:
            choice[level] = 0
            level -= 1
            continue
        choice[level] += 1
        number, fits = 0, True
        for suit in range(4):
            has = (chosen >> suit) & 1
            number += has
            masks[level + 1, suit] = masks[level, suit] | (bit[level] if has else 0)
            cards[level + 1, suit] = cards[level, suit] + has
            if has and cards[level + 1, suit] >= needed:
                fits = False
            if (
                has
                and suit > 0
                and masks[level, suit] == masks[level, suit - 1]
                and not (chosen >> (suit - 1)) & 1
            ):
                fits = False
        if fits and number == repeats[level]:
            level += 1
            choice[level] = 0
