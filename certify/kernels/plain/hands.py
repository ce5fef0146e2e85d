"""Dealing and reading hands the plain way: the second opinion on what the exact kernels count.

Nothing here is shared with the classes, keys and censuses of the exact count, and no idea of
theirs: cards are dealt one by one, every card that a joker may stand for is tried, every split is
looked at. A card is ``4 * rank + suit`` with rank 0 the lowest; jokers are ``4 * ranks`` and one
more. Suits 1 and 2 are red. A value is a kind and five digits in base 16; a greater value is a
better hand.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled
from certify.model.vocabulary import EventFeature

Integers = npt.NDArray[np.int64]

LOSE: Final = 0
PUSH: Final = 1
WIN: Final = 2

# Places in an array of rules.
RANKS: Final = 0
JOKER: Final = 1
CARDS: Final = 2
FRONT: Final = 3
SIZE: Final = 4
WILD: Final = 5
LOW_WHEEL: Final = 6
JOKER_BEATS_ACE: Final = 7
KINDS: Final = 8
"""Where the place of every kind of hand begins, the lowest first."""

DIGIT: Final = 16
KIND: Final = DIGIT**5
HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
THREE: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR: Final = 7
STRAIGHT_FLUSH: Final = 8
ROYAL_FLUSH: Final = 9
FIVE: Final = 10

FEATURES: Final = (
    EventFeature.JOKER,
    EventFeature.OF_A_KIND,
    EventFeature.SECOND_OF_A_KIND,
    EventFeature.PAIRS,
    EventFeature.HIGHEST_PAIR,
    EventFeature.ACES,
    EventFeature.STRAIGHT_LENGTH,
    EventFeature.FLUSH_LENGTH,
    EventFeature.STRAIGHT_FLUSH_LENGTH,
    EventFeature.ROYAL_FLUSH,
    EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH,
    EventFeature.SUITED_PAIR,
    EventFeature.PAI_GOW_HIGH,
    EventFeature.JACKS,
    EventFeature.RED_CARDS,
    EventFeature.ONE_COLOUR,
    EventFeature.JOKERS,
    EventFeature.SECOND_PAIR,
    EventFeature.NATURAL_OF_A_KIND,
    EventFeature.NATURAL_SECOND_OF_A_KIND,
    EventFeature.NATURAL_STRAIGHT_LENGTH,
    EventFeature.NATURAL_FLUSH_LENGTH,
    EventFeature.NATURAL_STRAIGHT_FLUSH_LENGTH,
    EventFeature.NATURAL_ROYAL_FLUSH,
    EventFeature.NATURAL_ACES,
    EventFeature.KINGS,
    EventFeature.QUEENS,
    EventFeature.TENS,
    EventFeature.NINES,
    EventFeature.EIGHTS,
    EventFeature.SEVENS,
    EventFeature.SIXES,
    EventFeature.FIVES,
    EventFeature.FOURS,
    EventFeature.THREES,
    EventFeature.TWOS,
    EventFeature.NATURAL_ACE_TO_FIVE_STRAIGHT_FLUSH,
)
"""What `read_features` fills in. Ranks count from 1, 0 is none; pairs AK, AQ, KQ are 1 to 3."""


@compiled
def straight_top(held: Integers, ranks: int, size: int, low_wheel: int) -> int:
    """Return the place of a straight among the straights, 0 if ``size`` single ranks are none."""
    low, high = ranks, -1
    for rank in range(ranks):
        if held[rank]:
            low = min(low, rank)
            high = max(high, rank)
    if high - low == size - 1:
        return ranks + 1 if high == ranks - 1 else high + 1
    if held[ranks - 1] == 0:
        return 0
    for rank in range(size - 1):
        if held[rank] == 0:
            return 0
    return size - 1 if low_wheel else ranks


@compiled
def natural_value(held: Integers, cards: int, suited: int, rules: Integers) -> int:
    """Return the value of cards without a joker: ``held`` counts them by rank."""
    ranks = rules[RANKS]
    fives, fours, threes, pairs, singles = 0, 0, 0, 0, 0
    pair_count, single_count = 0, 0
    for rank in range(ranks - 1, -1, -1):
        times = held[rank]
        if times == 1:
            singles = singles * DIGIT + rank + 1
            single_count += 1
        elif times == 2:
            pairs = pairs * DIGIT + rank + 1
            pair_count += 1
        elif times == 3:
            threes = rank + 1
        elif times == 4:
            fours = rank + 1
        elif times == 5:
            fives = rank + 1
    places = single_count + pair_count + (threes > 0) + (fours > 0) + (fives > 0)
    digits = max(fives, fours, threes)
    for _ in range(pair_count):
        digits *= DIGIT
    digits += pairs
    for _ in range(single_count):
        digits *= DIGIT
    digits += singles
    for _ in range(places, 5):
        digits *= DIGIT
    kind = HIGH_CARD
    if fives:
        kind = FIVE
    elif fours:
        kind = FOUR
    elif threes:
        kind = FULL_HOUSE if pair_count else THREE
    elif pair_count:
        kind = TWO_PAIR if pair_count > 1 else PAIR
    elif cards == rules[SIZE]:
        top = straight_top(held, ranks, cards, rules[LOW_WHEEL])
        if top:
            digits = top * DIGIT**4
            kind = STRAIGHT
            if suited:
                kind = ROYAL_FLUSH if top == ranks + 1 else STRAIGHT_FLUSH
        elif suited:
            kind = FLUSH
    return int(rules[KINDS + kind] * KIND + digits)


@compiled
def back_value(cards: Integers, rules: Integers, held: Integers) -> int:
    """Return the best value of a back; ``held`` is room for a count of every rank."""
    ranks, size = rules[RANKS], rules[SIZE]
    held[:] = 0
    jokers = 0
    suit = -1
    suited = 1
    for card in cards:
        if card >= 4 * ranks:
            jokers += 1
            continue
        held[card // 4] += 1
        if suit not in (-1, card % 4):
            suited = 0
        suit = card % 4
    if not jokers:
        return natural_value(held, size, suited, rules)
    best = 0
    for rank in range(ranks):
        held[rank] += 1
        if jokers == 1:
            best = max(best, stands_value(held, rank, rank, suited, rules))
        else:
            for other in range(rank, ranks):
                held[other] += 1
                best = max(best, stands_value(held, rank, other, suited, rules))
                held[other] -= 1
        held[rank] -= 1
    return best


@compiled
def stands_value(held: Integers, first: int, last: int, suited: int, rules: Integers) -> int:
    """Return the best value of a back whose jokers stand for cards of these ranks, 0 for none.

    ``held`` counts them too, and ``suited`` says whether all other cards are of one suit.
    """
    ranks, size = rules[RANKS], rules[SIZE]
    best = 0
    # Of another suit than the rest, or a fifth card of its rank.
    value = natural_value(held, size, 0, rules)
    if rules[WILD] or first == last == ranks - 1 or value // KIND == rules[KINDS + STRAIGHT]:
        best = value
    # Of the one suit that all the others have.
    if suited and held[first] == 1 and held[last] == 1:
        best = max(best, natural_value(held, size, 1, rules))
    return int(best)


@compiled
def front_value(cards: Integers, rules: Integers, joker_as_ace: int) -> int:
    """Return the value of a front of one or two cards, 0 of a hand that is not divided."""
    ranks = rules[RANKS]
    if len(cards) == 0:
        return 0
    if len(cards) == 1:
        digit = cards[0] // 4 + 1
        if cards[0] >= 4 * ranks:
            digit = ranks + 1 if rules[JOKER_BEATS_ACE] and not joker_as_ace else ranks
        return int(digit * DIGIT**4)
    high, low = max(cards[0], cards[1]), min(cards[0], cards[1])
    low_digit = ranks if low >= 4 * ranks else low // 4 + 1
    high_digit = high // 4 + 1
    if high >= 4 * ranks:
        high_digit = low_digit if rules[WILD] else ranks
    if high_digit == low_digit:
        return int(PAIR * KIND + high_digit * DIGIT**4)
    return int(high_digit * DIGIT**4 + low_digit * DIGIT**3)


@compiled
def longest_run(held: Integers, most: int, joker: int, ranks: int, size: int) -> int:
    """Return the longest run of ranks that are held, jokers in the gaps; 0 below ``size``."""
    for length in range(min(most, ranks), size - 1, -1):
        for low in range(-1, ranks - length + 1):
            missing = 0
            for rank in range(low, low + length):
                if held[ranks - 1 if rank < 0 else rank] == 0:
                    missing += 1
            if missing <= joker:
                return length
    return 0


@compiled
def read_features(
    cards: Integers, rules: Integers, held: Integers, own: Integers, features: Integers
) -> None:
    """Fill in what a whole hand holds, see `FEATURES`; ``held`` and ``own`` are room for counts."""
    ranks, size, wild = rules[RANKS], min(rules[SIZE], len(cards)), rules[WILD]
    ace = ranks - 1
    held[:] = 0
    joker = 0
    red = 0
    for card in cards:
        if card >= 4 * ranks:
            joker += 1
        else:
            held[card // 4] += 1
            red += card % 4 in (1, 2)
    features[:] = 0
    features[0] = joker > 0
    features[6] = longest_run(held, len(cards), joker, ranks, size)
    features[13] = held[ranks - 4] if ranks >= 4 else 0
    features[14] = red
    features[15] = red in (0, len(cards) - joker)
    features[16] = joker
    features[20] = longest_run(held, len(cards), 0, ranks, size)
    features[24] = held[ace]
    for place in range(11):
        rank = ace - 1 - place - (place > 1)
        features[25 + place] = held[rank] if rank >= 0 else 0
    read_suits(cards, rules, joker, own, features)
    top, singles, ranks_held = 0, 0, 0
    for rank in range(ranks):
        if held[rank]:
            top = rank + 1
            ranks_held += 1
        singles += held[rank] == 1
        if held[rank] > features[18]:
            features[19] = features[18]
            features[18] = held[rank]
        elif held[rank] > features[19]:
            features[19] = held[rank]
    features[5] = held[ace] + joker
    if not wild:
        held[ace] += joker
    for rank in range(ranks):
        if held[rank] > features[1]:
            features[2] = features[1]
            features[1] = held[rank]
        elif held[rank] > features[2]:
            features[2] = held[rank]
        if held[rank] > 1:
            features[3] += 1
            features[17] = features[4]
            features[4] = rank + 1
    if joker and wild:
        features[1] += joker
        alone = joker > 1 and ranks_held < ranks
        features[3] += max(min(singles, joker), int(alone))
        features[4] = ranks if joker > 1 else top
        for rank in range(ranks):
            held[rank] += 1
            for other in range(rank if joker > 1 else ace, ranks):
                held[other] += joker > 1
                highest, second = 0, 0
                for paired in range(ranks):
                    if held[paired] > 1:
                        highest, second = paired + 1, highest
                features[17] = max(features[17], second)
                held[other] -= joker > 1
            held[rank] -= 1
    if features[1] == 1 and features[6] == 0 and features[7] == 0:
        features[12] = ranks if joker else top


@compiled
def read_suits(
    cards: Integers, rules: Integers, joker: int, own: Integers, features: Integers
) -> None:
    """Fill in the features of one suit: flushes, straight flushes and what is beside them."""
    ranks, size = rules[RANKS], min(rules[SIZE], len(cards))
    for suit in range(4):
        own[:] = 0
        mine = 0
        for card in cards:
            if card < 4 * ranks and card % 4 == suit:
                own[card // 4] += 1
                mine += 1
        if mine + joker < size:
            continue
        features[7] = mine + joker
        features[8] = longest_run(own, len(cards), joker, ranks, size)
        if mine >= size:
            features[21] = mine
            features[22] = longest_run(own, len(cards), 0, ranks, size)
        high, low = 0, own[ranks - 1]
        for step in range(size):
            high += own[ranks - 1 - step]
            if step < size - 1:
                low += own[step]
        features[9] = high + joker >= size
        features[23] |= high == size
        features[10] = not joker and low == size
        features[36] |= low == size
        if (features[9] or features[10]) and len(cards) - joker - mine == 2:
            others = np.zeros(2, dtype=np.int64)
            place = 0
            for card in cards:
                if card < 4 * ranks and card % 4 != suit:
                    others[place] = card
                    place += 1
            top, bottom = max(others[0], others[1]), min(others[0], others[1])
            if top % 4 == bottom % 4:
                above, below = ranks - 1 - top // 4, ranks - 1 - bottom // 4
                if above == 0 and below in (1, 2):
                    features[11] = below
                elif above == 1 and below == 2:
                    features[11] = 3
