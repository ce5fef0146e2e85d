"""Playing rounds the plain way: cards dealt, hands set, hands compared, one round after another.

See `certify.kernels.plain.house_way` for the tables. Tallies are counts of rounds, at most the
number of rounds asked for.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled
from certify.kernels.plain.hands import CARDS, FEATURES, JOKER, RANKS, deal, read_features
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

LOSE: Final = 0
PUSH: Final = 1
WIN: Final = 2


@compiled
def result_of(ends: Integers, high: int, low: int, dealers_high: int, dealers_low: int) -> int:
    """Return how hands compare; ``ends`` says so by back and front: 0 lower, 1 tied, 2 higher."""
    back = 1 + int(high > dealers_high) - int(high < dealers_high)
    front = 1 + int(low > dealers_low) - int(low < dealers_low)
    return int(ends[back, front])


@compiled
def play(
    rounds: int,
    state: Integers,
    rules: Integers,
    fronts: Integers,
    code: Integers,
    sections: Integers,
    ways: Integers,
    before: Integers,
    named: Integers,
    asked: Integers,
    optimal: int,
    ends: Integers,
    tallies: Integers,
    fired: Integers,
) -> int:
    """Play rounds of a main wager and count how they end.

    Args:
        rounds: how many.
        state: of the random numbers.
        rules: see `plain.hands`.
        fronts: for every split the places of the cards in front, a bit each.
        code: conditions.
        sections: of the house way.
        ways: its rules.
        before: which rules go before which.
        named: ranks of the named fronts.
        asked: first and last row of every condition on the dealer's hand.
        optimal: 1 if the player sees the dealer's set hand and sets best against it.
        ends: how a round ends, see `result_of`.
        tallies: rounds by which conditions hold (a bit each), and lose, push, win.
        fired: dealer's hands by the rule that decided.

    Returns:
        0, or -3 where the house way does not decide a hand.
    """
    cards = rules[CARDS]
    deck = np.arange(4 * rules[RANKS] + rules[JOKER])
    held = np.zeros(rules[RANKS], dtype=np.int64)
    own = np.zeros(rules[RANKS], dtype=np.int64)
    features = np.zeros(len(FEATURES), dtype=np.int64)
    house = np.zeros(len(HOUSE_FEATURES), dtype=np.int64)
    theirs = np.zeros((4, len(fronts)), dtype=np.int64)
    mine = np.zeros((4, len(fronts)), dtype=np.int64)
    choices = np.zeros(len(ways), dtype=np.int64)
    unused = np.zeros(len(ways), dtype=np.int64)
    stack = np.zeros(STACK, dtype=np.int64)
    for _ in range(rounds):
        deal(state, deck, 2 * cards)
        read_features(deck[:cards], rules, held, own, features)
        label = 0
        for bit in range(len(asked)):
            label |= holds(asked[bit, 0], asked[bit, 1], code, features, 0, ways, named, theirs,
                           choices, stack) << bit  # fmt: skip
        rank_splits(deck[:cards], fronts, rules, held, theirs)
        read_house_features(deck[:cards], rules, theirs, held, house)
        dealer = house_split(code, sections, ways, before, named, house, theirs, choices, fired,
                               stack)  # fmt: skip
        if dealer < 0:
            return NO_RULE
        rank_splits(deck[cards : 2 * cards], fronts, rules, held, mine)
        result = LOSE
        if optimal:
            for split in range(len(fronts)):
                if mine[3, split]:
                    result = max(
                        result,
                        result_of(
                            ends, mine[0, split], mine[1, split], theirs[0, dealer],
                            theirs[1, dealer],
                        ),
                    )  # fmt: skip
        else:
            read_house_features(deck[cards : 2 * cards], rules, mine, held, house)
            player = house_split(
                code,
                sections,
                ways,
                before,
                named,
                house,
                mine,
                choices,
                unused,
                stack,
            )
            if player < 0:
                return NO_RULE
            result = result_of(
                ends, mine[0, player], mine[1, player], theirs[0, dealer], theirs[1, dealer]
            )
        tallies[label, result] += 1
    return 0


@compiled
def award(
    rounds: int,
    state: Integers,
    rules: Integers,
    code: Integers,
    rows: Integers,
    tallies: Integers,
) -> None:
    """Deal a player's and a dealer's hand and count the first row that takes them.

    Args:
        rounds: how many.
        state: of the random numbers.
        rules: see `plain.hands`.
        code: conditions.
        rows: in the order of award, first and last row of the condition on the player's hand, and
            on the dealer's.
        tallies: rounds by row; the last entry counts those that no row takes.
    """
    cards = rules[CARDS]
    deck = np.arange(4 * rules[RANKS] + rules[JOKER])
    held = np.zeros(rules[RANKS], dtype=np.int64)
    own = np.zeros(rules[RANKS], dtype=np.int64)
    mine = np.zeros(len(FEATURES), dtype=np.int64)
    theirs = np.zeros(len(FEATURES), dtype=np.int64)
    nothing = np.zeros((1, 8), dtype=np.int64)
    none = np.zeros(1, dtype=np.int64)
    stack = np.zeros(STACK, dtype=np.int64)
    for _ in range(rounds):
        deal(state, deck, 2 * cards)
        read_features(deck[:cards], rules, held, own, mine)
        read_features(deck[cards : 2 * cards], rules, held, own, theirs)
        paid = len(rows)
        for row in range(len(rows)):
            if not holds(rows[row, 0], rows[row, 1], code, mine, 0, nothing, nothing, nothing, none,
                         stack):  # fmt: skip
                continue
            if holds(rows[row, 2], rows[row, 3], code, theirs, 0, nothing, nothing, nothing, none,
                     stack):  # fmt: skip
                paid = row
                break
        tallies[paid] += 1
