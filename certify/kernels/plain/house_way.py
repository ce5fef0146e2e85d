"""House ways read the plain way: rule by rule over every split of one hand.

The tables are the declared house way and conditions and nothing more (see `plain.hands`):

- ``code``: conditions in postfix order, a row each: operation, feature or count, set of values.
- ``sections``: start and end of the condition, first rule, end of the rules; the first rule of a
  section is its base rule, the others are exceptions.
- ``ways``: for every rule start and end of its condition, what it puts in front (see `choose`), the
  kinds that the back must be, the lowest rank in front, 1 if the front must be a pair or -1 if
  it must not be one, whether the back must be the highest, and the section it sends the hand to,
  or -1.
- ``before``: whether the first rule goes before the second where both apply.
- ``named``: for every named front the places of its ranks in the features.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled
from certify.kernels.plain.hands import (
    DIGIT,
    FLUSH,
    FRONT,
    KIND,
    PAIR,
    RANKS,
    ROYAL_FLUSH,
    SIZE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    WILD,
    back_value,
    front_value,
    longest_run,
)
from certify.model.vocabulary import HouseWayFeature

Integers = npt.NDArray[np.int64]

TEST: Final = 0
ALL: Final = 1
ANY: Final = 2
NOT: Final = 3
CAN_BE_SET: Final = 4
IMPROVES_ON: Final = 5

HOUSE_FEATURES: Final = (
    HouseWayFeature.GROUPS,
    HouseWayFeature.BEST_HAND,
    HouseWayFeature.STRAIGHT_OR_FLUSH,
    HouseWayFeature.JOKER,
    HouseWayFeature.HIGH_PAIR,
    HouseWayFeature.LOW_PAIR,
    HouseWayFeature.THREE_OF_A_KIND,
    HouseWayFeature.FOUR_OF_A_KIND,
    HouseWayFeature.HIGHEST_SINGLETON,
    HouseWayFeature.SECOND_SINGLETON,
    HouseWayFeature.THIRD_SINGLETON,
    HouseWayFeature.STRAIGHT_LENGTH,
    HouseWayFeature.FOURTH_SINGLETON,
    HouseWayFeature.FIFTH_SINGLETON,
    HouseWayFeature.STRAIGHT_RANK,
)
"""What `read_house_features` fills in. Groups are a sum: 1 for a pair, then 4, 12 and 24."""

NOT_ASKED: Final = -2
NO_SPLIT: Final = -1
NO_RULE: Final = -3
"""A hand that no rule or more than one rule decides, or whose rule cannot be followed."""

STACK: Final = 64
"""Parts of one condition that may be open at a time."""


@compiled
def rank_splits(
    cards: Integers, fronts: Integers, rules: Integers, held: Integers, values: Integers
) -> None:
    """Fill in for every split: back, front, front with a lone joker as an ace, no foul."""
    ranks_back = np.zeros(len(cards) - rules[FRONT], dtype=np.int64)
    ranks_front = np.zeros(rules[FRONT], dtype=np.int64)
    for split in range(len(fronts)):
        in_front = 0
        in_back = 0
        for place in range(len(cards)):
            if (fronts[split] >> place) & 1:
                ranks_front[in_front] = cards[place]
                in_front += 1
            else:
                ranks_back[in_back] = cards[place]
                in_back += 1
        values[0, split] = back_value(ranks_back, rules, held)
        values[1, split] = front_value(ranks_front, rules, 0)
        values[2, split] = front_value(ranks_front, rules, 1)
        values[3, split] = values[0, split] >= values[2, split]


@compiled
def highest_straight(held: Integers, joker: int, ranks: int, size: int) -> int:
    """Return the top rank, from 1, of the highest straight of ``size`` cards; 0 if there is none.

    ``held`` counts the natural cards by rank; the ace is also below the lowest rank.
    """
    for top in range(ranks - 1, size - 3, -1):
        missing = 0
        for step in range(size):
            place = top - step
            rank = place if place >= 0 else ranks - 1
            missing += held[rank] == 0
        if missing <= joker:
            return int(top + 1)
    return 0


@compiled
def read_house_features(
    cards: Integers, rules: Integers, values: Integers, held: Integers, features: Integers
) -> None:
    """Fill in what a house way asks for, see `HOUSE_FEATURES`; ranks count from 1, 0 is none."""
    ranks = rules[RANKS]
    held[:] = 0
    joker = 0
    for card in cards:
        if card >= 4 * ranks:
            joker += 1
        else:
            held[card // 4] += 1
    run = longest_run(held, len(cards), joker, ranks, rules[SIZE])
    top = highest_straight(held, joker, ranks, rules[SIZE])
    if joker:
        joined = ranks - 1
        if rules[WILD]:
            most = 0
            for rank in range(ranks):
                if held[rank] >= most and held[rank]:
                    most = held[rank]
                    joined = rank
        held[joined] += joker
    features[:] = 0
    features[11] = run
    features[14] = top
    for rank in range(ranks):
        times = held[rank]
        if times == 1:
            features[13], features[12], features[10] = features[12], features[10], features[9]
            features[9], features[8] = features[8], rank + 1
        elif times == 2:
            features[0] += 1
            features[4] = rank + 1
            if features[5] == 0:
                features[5] = rank + 1
        elif times == 3:
            features[0] += 4
            features[6] = rank + 1
        elif times == 4:
            features[0] += 12
            features[7] = rank + 1
        elif times >= 5:
            features[0] += 24
            features[7] = rank + 1
    for split in range(values.shape[1]):
        kind = values[0, split] // KIND
        features[1] = max(features[1], kind)
        if kind in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH):
            features[2] = 1
    features[3] = joker > 0


@compiled
def choose(rule: int, ways: Integers, named: Integers, features: Integers, values: Integers) -> int:
    """Return the split that a rule asks for, -1 if there is none.

    It is no foul. Of several it is the highest front, of equal ones that with the highest back, of
    equal ones that with the joker rather than an ace in front.
    """
    front, leaves, at_least, pair = ways[rule, 2], ways[rule, 3], ways[rule, 4], ways[rule, 5]
    highest = 0
    if ways[rule, 6]:
        for split in range(values.shape[1]):
            if values[3, split]:
                highest = max(highest, values[0, split])
    wanted = -1
    if front >= 0:
        first = features[named[front, 0]]
        wanted = first * DIGIT**4
        if first == 0:
            return NO_SPLIT
        if named[front, 1] >= 0:
            last = features[named[front, 1]]
            if last == 0:
                return NO_SPLIT
            if first == last:
                wanted = PAIR * KIND + first * DIGIT**4
            else:
                wanted = max(first, last) * DIGIT**4 + min(first, last) * DIGIT**3
    best = NO_SPLIT
    for split in range(values.shape[1]):
        if not values[3, split]:
            continue
        plain = values[2, split]
        if front >= 0:
            if plain != wanted:
                continue
        else:
            if leaves and not (leaves >> (values[0, split] // KIND)) & 1:
                continue
            if plain < at_least * DIGIT**4 or (pair and (plain // KIND == PAIR) != (pair > 0)):
                continue
            if values[0, split] < highest:
                continue
        if (
            best < 0
            or plain > values[2, best]
            or (
                plain == values[2, best]
                and (
                    values[0, split] > values[0, best]
                    or (values[0, split] == values[0, best] and values[1, split] > values[1, best])
                )
            )
        ):
            best = split
    return best


@compiled
def holds(
    start: int,
    end: int,
    code: Integers,
    features: Integers,
    rule: int,
    ways: Integers,
    named: Integers,
    values: Integers,
    choices: Integers,
    stack: Integers,
) -> int:
    """Return whether a condition holds; no condition always does. ``stack`` is room to work in."""
    if start == end:
        return 1
    top = 0
    for row in range(start, end):
        operation, about, wanted = code[row, 0], code[row, 1], code[row, 2]
        if operation == TEST:
            stack[top] = (wanted >> features[about]) & 1
            top += 1
        elif operation == NOT:
            stack[top - 1] = 1 - stack[top - 1]
        elif operation in (ALL, ANY):
            truth = 1 if operation == ALL else 0
            for place in range(top - about, top):
                if operation == ALL:
                    truth &= stack[place]
                else:
                    truth |= stack[place]
            top -= about
            stack[top] = truth
            top += 1
        else:
            if choices[rule] == NOT_ASKED:
                choices[rule] = choose(rule, ways, named, features, values)
            mine = choices[rule]
            if operation == CAN_BE_SET:
                stack[top] = (mine >= 0) == wanted
            else:
                if choices[about] == NOT_ASKED:
                    choices[about] = choose(about, ways, named, features, values)
                other = choices[about]
                height = values[2, mine] if mine >= 0 else -1
                against = values[2, other] if other >= 0 else -1
                stack[top] = height > against
            top += 1
    return int(stack[0])


@compiled
def house_split(
    code: Integers,
    sections: Integers,
    ways: Integers,
    before: Integers,
    named: Integers,
    features: Integers,
    values: Integers,
    choices: Integers,
    fired: Integers,
    stack: Integers,
) -> int:
    """Return the split that a house way chooses; ``fired`` counts the rule that decided."""
    choices[:] = NOT_ASKED
    section = -1
    for place in range(len(sections)):
        if holds(sections[place, 0], sections[place, 1], code, features, 0, ways, named, values,
                 choices, stack):  # fmt: skip
            if section >= 0:
                return NO_RULE
            section = place
    if section < 0:
        return NO_RULE
    while True:
        base, end = sections[section, 2], sections[section, 3]
        winner = base
        winners = 0
        for rule in range(base + 1, end):
            if not holds(ways[rule, 0], ways[rule, 1], code, features, rule, ways, named, values,
                         choices, stack):  # fmt: skip
                continue
            beaten = 0
            for other in range(base + 1, end):
                if before[other, rule] and holds(
                    ways[other, 0], ways[other, 1], code, features, other, ways, named, values,
                    choices, stack,
                ):  # fmt: skip
                    beaten = 1
            if not beaten:
                winner = rule
                winners += 1
        if winners > 1:
            return NO_RULE
        if ways[winner, 7] < 0:
            split = choose(winner, ways, named, features, values)
            if split < 0:
                return NO_RULE
            fired[winner] += 1
            return split
        section = ways[winner, 7]
