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

The worth of a split is the sum of what its ranks and the four suits add to it, so a hand takes five
additions for each split and action. What is played is counted by part, and the dealer's hands are
added up once for each part.

Width. Counts of dealer's hands are below 2^31 and weighted by less than 2^20; sums over players are
at most the number of ordered pairs (2^54) times a weight: `concealed` checks that this fits 2^62.
A sum that is not complete may wrap.
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
        queries: number of queries about a split.
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
    queries: int
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
        played: `(2, actions, splits)`: optimal or house way, action, listed split: hands played so.
        changed: `(2, splits)`: the hands for which a split is worth more than the house way's, and
            the value lost on them.
    """

    outcome: Integers
    rule_hands: Integers
    rule_cost: Integers
    worst_cost: Integers
    worst_hand: Integers
    played: Integers
    changed: Integers


class Parts(NamedTuple):
    """Contributions of the parts of a hand to each split of its class. Scratch, filled by class.

    A hand has five parts: its ranks, and what each suit holds. The parts of a class are its
    subsets, and its ranks last. A line is one split for one part.

    Attributes:
        answer: `(lines, 3 * channels)`, the dealer's hands: won, lost, all.
        worth: `(lines * actions,)`, their worth under each of the player's actions.
        hands: `(2, lines * actions)`, optimal or house way: the hands that have the part and are
            played so.
    """

    answer: Integers
    worth: Integers
    hands: Integers


@compile_lazily
def copy(row: Integers, to: Integers) -> None:
    """Write a row over another: rows that are assigned take seconds to compile, for their error."""
    for place in range(len(row)):
        to[place] = row[place]


@compile_lazily
def add_up(
    value: Integers,
    place: Places,
    begin: int,
    total_place: int,
    terms: Integers,
    weight: Integers,
    parts: Parts,
    line: int,
    splits: int,
) -> None:
    """Write what one part of the hands of a class adds to each split.

    Args:
        value: `(places, 2 * channels)`, the two answers to a query (see `SplitQueries`).
        place: the positions of answers in `value`.
        begin: of the first split's first query in `place`.
        total_place: position of the total in `value`.
        terms: `(queries, 3)`, how the answers about a split add up.
        weight: `(actions, 3, channels)`: gain of a win, cost of a loss, worth of any round.
        parts: filled.
        line: the line of the first split.
        splits: number of splits.
    """
    actions, _, channels = weight.shape
    queries = len(terms)
    for split in range(splits):
        answer = parts.answer[line + split]
        for channel in range(channels):
            total = value[total_place, 2 * channel]
            missed, lost = 0, 0
            for term in range(queries):
                at = place[begin + split * queries + term]
                both = value[at, 2 * channel + 1]
                missed += terms[term, 0] * value[at, 2 * channel] + terms[term, 1] * both
                lost += terms[term, 2] * both
            answer[3 * channel + WIN] = total - missed
            answer[3 * channel + LOSE] = lost
            answer[3 * channel + TOTAL] = total
        for action in range(actions):
            worth = 0
            for channel in range(channels):
                worth += weight[action, 0, channel] * answer[3 * channel + WIN]
                worth -= weight[action, 1, channel] * answer[3 * channel + LOSE]
                worth += weight[action, 2, channel] * answer[3 * channel + TOTAL]
            parts.worth[(line + split) * actions + action] = worth


@compile_lazily
def settle(
    rows: Rows,
    row: int,
    subsets: Integers,
    size: int,
    actions: int,
    width: int,
    parts: Parts,
    tally: Tally,
) -> None:
    """Choose the best split and action for one isomorphism class, and count its hands.

    Args:
        rows: the classes.
        row: the hand's class.
        subsets: the four suits' subsets, and the number of subsets of the class.
        size: hands in the isomorphism class by their natural cards.
        actions: the player's actions.
        width: number of splits times actions.
        parts: what the parts add to each split; their hands are counted here.
        tally: results, of which those of costs are added to here.
    """
    worth, hands = parts.worth, parts.hands
    size *= rows.ways[row]
    first, second, third, fourth, ranks = (
        subsets[0] * width,
        subsets[1] * width,
        subsets[2] * width,
        subsets[3] * width,
        subsets[4] * width,
    )
    house = rows.house[row] * actions
    best, best_value, played, house_value = 0, 0, house, 0
    for place in range(width):
        value = (
            worth[ranks + place]
            + worth[first + place]
            + worth[second + place]
            + worth[third + place]
            + worth[fourth + place]
        )
        if place == 0 or value > best_value:
            best, best_value = place, value
        if house <= place < house + actions and (place == house or value > house_value):
            played, house_value = place, value
    for part in (first, second, third, fourth, ranks):
        hands[OPTIMAL, part + best] += size
        hands[HOUSE, part + played] += size
    cost = best_value - house_value
    if cost > 0:
        best //= actions
        listed = rows.begin[row] // rows.queries + best
        tally.rule_hands[rows.rule[row]] += size
        tally.rule_cost[rows.rule[row]] += size * cost
        tally.changed[0, listed] += size
        tally.changed[1, listed] += size * cost
        if cost > tally.worst_cost[WORST - 1]:
            at = WORST - 1
            while at > 0 and tally.worst_cost[at - 1] < cost:
                tally.worst_cost[at] = tally.worst_cost[at - 1]
                copy(tally.worst_hand[at - 1], tally.worst_hand[at])
                at -= 1
            tally.worst_cost[at] = cost
            tally.worst_hand[at, 0] = row
            tally.worst_hand[at, 1] = best
            tally.worst_hand[at, 2] = rows.house[row]
            for suit in range(4):
                tally.worst_hand[at, 3 + suit] = subsets[suit]


@compile_lazily
def add_hands(parts: Parts, lines: int, splits: int, first: int, tally: Tally) -> None:
    """Add the hands of a class, of all parts, to the tally, and set their numbers back to 0.

    Args:
        parts: the hands by part, and what they add.
        lines: number of lines of the class; the last ones are those of its ranks.
        splits: number of splits of the class.
        first: position of its first split.
        tally: results.
    """
    _, actions, channels, _ = tally.outcome.shape
    for way in range(2):
        for line in range(lines):
            for action in range(actions):
                number = parts.hands[way, line * actions + action]
                if number == 0:
                    continue
                parts.hands[way, line * actions + action] = 0
                for channel in range(channels):
                    for result in range(3):
                        tally.outcome[way, action, channel, result] += (
                            number * parts.answer[line, 3 * channel + result]
                        )
                if line >= lines - splits:
                    tally.played[way, action, first + line - lines + splits] += number


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
        weight: see `add_up`.
        terms: see `add_up`.
        tally: results.
    """
    actions, _, channels = weight.shape
    queries = len(terms)
    most = 0
    for row in range(len(rows.counts)):
        asked = rows.begin[row + 1] - rows.begin[row]
        most = max(most, (rows.slot[row + 1] - rows.slot[row]) // (asked + 1) * asked + asked)
    parts = Parts(
        np.zeros((most // queries, 3 * channels), dtype=np.int64),
        np.zeros(most // queries * actions, dtype=np.int64),
        np.zeros((2, most // queries * actions), dtype=np.int64),
    )
    subsets = np.zeros(5, dtype=np.int64)
    for row in range(len(rows.counts)):
        begin = rows.begin[row]
        asked = rows.begin[row + 1] - begin
        splits = asked // queries
        number = (rows.slot[row + 1] - rows.slot[row]) // (asked + 1)
        for subset in range(number):
            slot = rows.slot[row] + subset * (asked + 1)
            add_up(
                suit_value, rows.suit_place, slot, rows.suit_place[slot + asked], terms, weight,
                parts, subset * splits, splits,
            )  # fmt: skip
        add_up(
            rank_value, rows.rank_place, begin, rows.rank_total[row], terms, weight,
            parts, number * splits, splits,
        )  # fmt: skip
        width = splits * actions
        if rows.others[row] < 0:
            settle_rank_class(
                rows, row, ranks, needed - rows.joker[row], number, actions, width, parts, tally
            )
        else:
            free, doubled = 0, 0
            for rank in range(ranks):
                count = (rows.others[row] >> (4 * rank)) & 15
                free += 1 if count else 0
                doubled += 1 if count == 2 else 0
            flush = 1 << free
            subsets[0], subsets[1], subsets[2], subsets[3] = flush, flush - 1, 0, 0
            subsets[4] = number
            size = 12 if free else 4
            if doubled:
                subsets[2] = 1
            settle(rows, row, subsets, size, actions, width, parts, tally)
            if free == 2:
                subsets[1], subsets[2] = 1, 2
                settle(rows, row, subsets, 24, actions, width, parts, tally)
        add_hands(parts, (number + 1) * splits, splits, begin // queries, tally)


@compile_allocating
def settle_rank_class(
    rows: Rows,
    row: int,
    ranks: int,
    needed: int,
    number: int,
    actions: int,
    width: int,
    parts: Parts,
    tally: Tally,
) -> None:
    """Settle every hand of one rank class that is no flush, one of each isomorphism class.

    ``number`` is that of its subsets; see `settle` for the other arguments.
    """
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
    masks = np.zeros((9, 5), dtype=np.int64)
    cards = np.zeros((9, 4), dtype=np.int64)
    choice = np.zeros(9, dtype=np.int64)
    for place in range(len(masks)):
        masks[place, 4] = number
    level = 0
    while level >= 0:
        if level == depth:
            size, run = 24, 1
            for suit in range(1, 4):
                run = run + 1 if masks[level, suit] == masks[level, suit - 1] else 1
                size //= run
            settle(rows, row, masks[level], size, actions, width, parts, tally)
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
