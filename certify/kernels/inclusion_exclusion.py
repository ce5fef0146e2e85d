"""Short sums of products for two hands that must not share cards.

The number of ways in which two classes of hands are disjoint is a product over ranks of a weight
w(a, b), a and b being the *state* of each hand in that rank (three bits). Each w has low rank: w(a,
b) = sum over branches k of u_k(a) * v_k(b), which is inclusion and exclusion over the cards that
both hands could share in that rank. The first hand is the dealer's, the second the player's.

Counted against fixed (`counted`): the player's hand is one hand with b cards of the rank, the
dealer's any with a cards: C(4 - b, a) = sum over k of (-1)^k C(4 - k, a - k) C(b, k).
Fixed against counted (`fixed`): the same with the roles changed.
Jokers are treated as the cards of one more rank, of which the deck has n: none, one or two. They
are not a step of the recursion: a hand's cards of the ranks determine its number of jokers, and a
count is a sum of one recursion for each number b that the player's hand may hold (`jokers`). So no
event of the player's, who has most of them, is continued twice.
Both flushes: the state is (F, q), F saying if the rank is in the flush suit, and q cards in the
three other suits; both hands are counted.
Same suit (`same_suit`): [not both F] C(3, q) C(3 - q, p), over s of the shared flush card and t
shared others: u = [F >= s] C(3 - t, q - t), v = (-1)^(s+t) C(3, t) [G >= s] C(3 - t, p - t).
Other suit (`other_suit`): over the shared card s of the dealer's flush suit, r of the player's and
c of the two other suits; u depends on t = r + c alone, so that these are one branch: u = [F >= s]
C(3 - t, q - t), v = sum of (-1)^(s+t) C(2, c) [G >= r] C(3 - s - c, p - s - c).
One flush (`one_flush`): the dealer's hand is a flush in a suit where the player's fixed hand has
the ranks G, and p cards of the rank in other suits: [not both] C(3 - p, q).

Two ranks are taken in most steps, so a step has the products of the branches of both.
"""

from collections.abc import Callable
from itertools import product
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Places = npt.NDArray[np.uint64]
"""Of places in arrays, unsigned: compiled code need not ask whether one counts from the end."""

STATE_BITS: Final = 3
STATES: Final = 8
STEP_BITS: Final = 2 * STATE_BITS
STEP_STATES: Final = STATES * STATES

SUITED: Final = [(state & 1, state >> 1) for state in range(STATES)]
"""The states of a rank in a hand with a flush: in the flush suit or not, and other cards."""

Branch = tuple[list[int], list[int]]
"""The values of u and of v for the eight states of a rank."""

Ways = Callable[[int, int, int], int]


class Steps(NamedTuple):
    """Tables of all steps of a recursion over the ranks, usually two ranks per step.

    Attributes:
        first: `(kinds, 65)`; for a step's kind and a state, where its entries begin in
            `first_branch` and `first_factor`.
        first_branch: branches in which the first hand's events go on.
        first_factor: u of the state in that branch.
        second: like `first`, for the second hand.
        second_branch: branches in which the second hand's events go on.
        second_factor: v of the state in that branch.
        weight: `(kinds, 64, 64)`, w of a whole step: the sum of u times v over its branches.
        kind: kind of each step.
        places: the lowest bit of each step in the code, and last the number of the code's bits.
        branches: of each kind, how many branches a step has.
    """

    first: Places
    first_branch: Places
    first_factor: Integers
    second: Places
    second_branch: Places
    second_factor: Integers
    weight: Integers
    kind: Integers
    places: Integers
    branches: Integers


def choose(n: int, k: int) -> int:
    """Return the binomial coefficient, 0 if k is negative or exceeds n."""
    return comb(n, k) if 0 <= k <= n else 0


def counted_branches() -> list[Branch]:
    """Return the branches of a rank for a counted dealer's hand against a fixed player's."""
    return [
        (
            [(-1) ** k * choose(4 - k, a - k) for a in range(STATES)],
            [choose(b, k) for b in range(STATES)],
        )
        for k in range(5)
    ]


def fixed_branches() -> list[Branch]:
    """Return the branches of a rank for a fixed dealer's hand against a counted player's."""
    return [(v, u) for u, v in counted_branches()]


def jokers(number: int, ways: Ways) -> list[Branch]:
    """Return the branches of a deck's jokers, by the number in the player's hand.

    Args:
        number: jokers of the deck.
        ways: function for the number of ways in which the dealer's hand has a of them and the
            player's b others: `count_dealer_ways`, `count_player_ways` or `count_joint_ways`.
    """
    return [
        (
            [ways(number, a, b) for a in range(STATES)],
            [int(state == b) for state in range(STATES)],
        )
        for b in range(number + 1)
    ]


def count_dealer_ways(number: int, a: int, b: int) -> int:
    """Return the ways if the dealer's hand is counted and the player's is fixed."""
    return choose(number - b, a)


def count_player_ways(number: int, a: int, b: int) -> int:
    """Return the ways if the dealer's hand is fixed and the player's is counted."""
    return choose(number - a, b)


def count_joint_ways(number: int, a: int, b: int) -> int:
    """Return the ways if both hands are counted."""
    return choose(number, b) * choose(number - b, a)


def same_suit() -> list[Branch]:
    """Return the branches of a rank for two flushes of the same suit."""
    return [
        (
            [(f >= s) * choose(3 - t, q - t) for f, q in SUITED],
            [(-1) ** (s + t) * comb(3, t) * (g >= s) * choose(3 - t, p - t) for g, p in SUITED],
        )
        for s, t in product(range(2), range(3))
    ]


def other_suit() -> list[Branch]:
    """Return the branches of a rank for two flushes of different suits."""

    def player(s: int, t: int, g: int, p: int) -> int:
        """Return v; of the t cards shared outside the dealer's suit, c are in no flush suit."""
        sign = -1 if (s + t) % 2 else 1
        return sign * sum(
            comb(2, c) * (g >= t - c) * choose(3 - s - c, p - s - c)
            for c in range(max(t - 1, 0), min(t, 2 - s) + 1)
        )

    return [
        (
            [(f >= s) * choose(3 - t, q - t) for f, q in SUITED],
            [player(s, t, g, p) for g, p in SUITED],
        )
        for s, t in product(range(2), range(3))
    ]


def one_flush() -> list[Branch]:
    """Return the branches of a rank for a dealer's flush against a fixed player's hand."""
    return [
        (
            [(f >= s) * (-1) ** (s + t) * choose(3 - t, q - t) for f, q in SUITED],
            [(g >= s) * choose(p, t) for g, p in SUITED],
        )
        for s, t in product(range(2), range(3))
    ]


def steps(rank: list[Branch], ranks: int) -> Steps:
    """Tabulate the steps over all ranks of a deck, two in each.

    The last step is one rank, so that the sweep over it has few branches; with an even number of
    ranks the last two are.

    Args:
        rank: the branches of one rank.
        ranks: ranks of the deck.
    """
    alone: list[Branch] = [([1] + [0] * 7, [1] + [0] * 7)]
    tables = [_pair(rank, rank), _pair(rank, alone)]
    kinds = [0] * ((ranks - 1) // 2) + [1] * (2 - ranks % 2)
    sides = [_lists([[branch[side] for branch in table] for table in tables]) for side in (0, 1)]
    weight = np.zeros((2, STEP_STATES, STEP_STATES), dtype=np.int64)
    for kind, table in enumerate(tables):
        for u, v in table:
            weight[kind] += np.outer(u, v)
    return Steps(
        *sides[0],
        *sides[1],
        weight=weight,
        kind=np.array(kinds),
        places=np.cumsum([0, *(STATE_BITS if single else STEP_BITS for single in kinds)]),
        branches=np.array([len(table) for table in tables]),
    )


def _pair(low: list[Branch], high: list[Branch]) -> list[Branch]:
    """Combine the branches of two digits, the first in the lower three bits of the state."""
    return [
        (
            [x * y for y in u1 for x in u0],
            [x * y for y in v1 for x in v0],
        )
        for u1, v1 in high
        for u0, v0 in low
    ]


def _lists(tables: list[list[list[int]]]) -> tuple[Places, Places, Integers]:
    """List, for each kind of step and each state, the branches with a factor other than 0."""
    start = np.zeros((len(tables), STEP_STATES + 1), dtype=np.uint64)
    branches: list[int] = []
    factors: list[int] = []
    for kind, table in enumerate(tables):
        for state in range(STEP_STATES):
            start[kind, state] = len(branches)
            for branch, values in enumerate(table):
                if values[state]:
                    branches.append(branch)
                    factors.append(values[state])
        start[kind, STEP_STATES] = len(branches)
    return start, np.array(branches, dtype=np.uint64), np.array(factors)
