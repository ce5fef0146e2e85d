"""Every pair of hands of a small deck, settled one by one: the slow and obvious twin of the count.

Every player's hand meets every dealer's hand that shares no card with it. Tallies are at most the
number of ordered pairs, which the caller keeps below 2^40.
"""

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled
from certify.kernels.plain.hands import CARDS, FEATURES, JOKER, RANKS, read_features
from certify.kernels.plain.house_way import (
    HOUSE_FEATURES,
    NO_RULE,
    STACK,
    holds,
    house_split,
    rank_splits,
    read_house_features,
)
from certify.kernels.plain.play import LOSE, WIN, result_of

Integers = npt.NDArray[np.int64]


@compiled
def set_every_hand(
    rules: Integers,
    fronts: Integers,
    code: Integers,
    sections: Integers,
    ways: Integers,
    before: Integers,
    named: Integers,
    asked: Integers,
    masks: Integers,
    labels: Integers,
    chosen: Integers,
    splits: Integers,
) -> int:
    """Set every hand of a deck by a house way; see `plain.house_way` for the tables.

    Args:
        rules: see `plain.hands`.
        fronts: splits.
        code: conditions.
        sections: of the house way.
        ways: its rules.
        before: which rules go before which.
        named: ranks of the named fronts.
        asked: first and last row of every condition on the dealer's hand.
        masks: filled with the cards of every hand, a bit each.
        labels: filled with which conditions hold, a bit each.
        chosen: filled with the split that the house way chooses.
        splits: ``(hands, 3, splits)``, filled with backs, fronts and legality.

    Returns:
        0, or -3 where the house way does not decide a hand.
    """
    cards = rules[CARDS]
    deck = 4 * rules[RANKS] + rules[JOKER]
    hand = np.arange(cards)
    held = np.zeros(rules[RANKS], dtype=np.int64)
    own = np.zeros(rules[RANKS], dtype=np.int64)
    features = np.zeros(len(FEATURES), dtype=np.int64)
    house = np.zeros(len(HOUSE_FEATURES), dtype=np.int64)
    values = np.zeros((4, len(fronts)), dtype=np.int64)
    choices = np.zeros(len(ways), dtype=np.int64)
    fired = np.zeros(len(ways), dtype=np.int64)
    stack = np.zeros(STACK, dtype=np.int64)
    for number in range(len(masks)):
        for card in hand:
            masks[number] |= 1 << card
        read_features(hand, rules, held, own, features)
        for bit in range(len(asked)):
            labels[number] |= holds(asked[bit, 0], asked[bit, 1], code, features, 0, ways, named,
                                    values, choices, stack) << bit  # fmt: skip
        rank_splits(hand, fronts, rules, held, values)
        read_house_features(hand, rules, values, held, house)
        split = house_split(code, sections, ways, before, named, house, values, choices, fired,
                                stack)  # fmt: skip
        if split < 0:
            return NO_RULE
        chosen[number] = split
        splits[number, 0] = values[0]
        splits[number, 1] = values[1]
        splits[number, 2] = values[3]
        place = cards - 1
        while place >= 0 and hand[place] == deck - cards + place:
            place -= 1
        if place >= 0:
            hand[place] += 1
            for after in range(place + 1, cards):
                hand[after] = hand[after - 1] + 1
    return 0


@compiled
def meet(
    first: int,
    last: int,
    masks: Integers,
    labels: Integers,
    chosen: Integers,
    splits: Integers,
    optimal: int,
    ends: Integers,
    gain: Integers,
    tallies: Integers,
) -> None:
    """Let the player's hands from ``first`` to ``last`` meet every dealer's hand.

    Args:
        first: the first hand of the player.
        last: the end of the player's hands.
        masks: cards of every hand.
        labels: conditions that the dealer's hand meets.
        chosen: splits of the house way.
        splits: backs, fronts and legality of every split.
        optimal: 1 if the player sees the dealer's set hand and sets best against it.
        ends: how a round ends, see `plain.play.result_of`.
        gain: by label and result, what a raise gains, in units of one integer scale.
        tallies: ``(2, labels, 3)``: not raised and raised, by label and result.
    """
    for player in range(first, last):
        mine = np.zeros((len(gain), 3), dtype=np.int64)
        for dealer in range(len(masks)):
            if masks[player] & masks[dealer]:
                continue
            back = splits[dealer, 0, chosen[dealer]]
            front = splits[dealer, 1, chosen[dealer]]
            high = splits[player, 0, chosen[player]]
            low = splits[player, 1, chosen[player]]
            result = result_of(ends, high, low, back, front)
            if optimal and result < WIN:
                result = LOSE
                for split in range(splits.shape[2]):
                    if splits[player, 2, split]:
                        high, low = splits[player, 0, split], splits[player, 1, split]
                        result = max(result, result_of(ends, high, low, back, front))
            mine[labels[dealer], result] += 1
        raised = int((mine * gain).sum() > 0)
        tallies[raised] += mine
