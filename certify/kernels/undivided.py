"""Hands that are not divided, of one size or of two: optimal play, exactly, hand by hand.

The dealer's hands without any card of the player's hand are an alternating sum over the subsets of
that hand (`certify.kernels.subsets`); those with a card that the player sees hold it in addition.

Width. Alternating sums over 2^6 lists of less than 2^25 hands stay below 2^31. Sums over all deals
are at most their number times the greatest payoff, which the engine checks to fit 2^62.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.kernels.class_arrays import HandClasses
from certify.kernels.compiled import compile_allocating
from certify.kernels.pair_count import run_all
from certify.kernels.subsets import (
    CHOOSE,
    Integers,
    Known,
    count_below,
    list_subsets,
    rank_hands,
    tabulate,
    up_to_suits,
)
from certify.model.encoding import Progress

PER_TASK: Final = 2_000
"""Player's hands of a task, up to suits."""


class Rules(NamedTuple):
    """Payoffs of a round, and the positions of a player's hand among the dealer's.

    Attributes:
        points: `(keys, 3 * labels + 1)`, positions: for each label the first one, the first that is
            not below the key and the first above it; at last the number of positions.
        worth: `(own labels, actions, labels, 3)`: won, tied, lost.
        allowed: `(own labels, actions)`.
    """

    points: Integers
    worth: Integers
    allowed: npt.NDArray[np.bool_]


class Tally(NamedTuple):
    """Sums over deals.

    Attributes:
        outcome: `(own labels, actions, labels, 3)`: deals won, tied, lost.
        hands: `(keys, actions)`: hands played so; with each card that is seen.
        worth: `(keys, actions)`: the sum of what the action is worth on every hand; where it is
            not allowed, of the one before it.
        best: `(keys,)`: that of the best actions.
    """

    outcome: Integers
    hands: Integers
    worth: Integers
    best: Integers


class Plan(NamedTuple):
    """All that the tasks need; ``players`` are hands up to suits, ``weight`` how many each is."""

    known: Known
    rules: Rules
    players: npt.NDArray[np.int8]
    weight: Integers
    key: Integers
    own: Integers
    seen: bool


@compile_allocating
def settle_hands(
    table: Known,
    rules: Rules,
    players: npt.NDArray[np.int8],
    weight: Integers,
    keys: Integers,
    owns: Integers,
    seen: int,
    choose: Integers,
    tally: Tally,
) -> None:
    """Take the best action with every hand, against every card that is seen, and add it up."""
    size = players.shape[1]
    actions, labels = rules.worth.shape[1], rules.worth.shape[2]
    cards = np.empty(size + 1, dtype=np.int64)
    below = np.empty(rules.points.shape[1], dtype=np.int64)
    for row in range(len(players)):
        key, own_label, times = keys[row], owns[row], weight[row]
        for up in range(table.cards if seen else 1):
            gone = False
            for card in players[row]:
                gone = gone or (seen == 1 and card == up)
            if gone:
                continue
            below[:] = 0
            for subset in range(1 << size):
                number, sign, entered = 0, 1, seen == 0
                for place in range(size):
                    if (subset >> place) & 1:
                        if not entered and up < players[row, place]:
                            cards[number] = up
                            number += 1
                            entered = True
                        cards[number] = players[row, place]
                        number += 1
                        sign = -sign
                if not entered:
                    cards[number] = up
                    number += 1
                if number <= table.dealer:
                    count_below(table, cards, number, choose, rules.points[key], sign, below)
            best, most, last = -1, 0, 0
            for action in range(actions):
                value = 0
                for label in range(labels):
                    for result in range(3):
                        number = below[3 * label + result + 1] - below[3 * label + result]
                        value += rules.worth[own_label, action, label, result] * number
                if rules.allowed[own_label, action]:
                    last = value
                    if best < 0 or value > most:
                        best, most = action, value
                tally.worth[key, action] += times * last
            tally.hands[key, best] += times
            tally.best[key] += times * most
            for label in range(labels):
                for result in range(3):
                    number = below[3 * label + result + 1] - below[3 * label + result]
                    tally.outcome[own_label, best, label, result] += times * number


def prepare(
    classes: HandClasses,
    key: Integers,
    label: Integers,
    own_label: Integers,
    worth: Integers,
    allowed: npt.NDArray[np.bool_],
    *,
    player: int,
    dealer: int,
    seen: bool,
) -> Plan:
    """Tabulate the dealer's hands, and list the player's.

    Args:
        classes: the classes of complete hands.
        key: of each class, its rank among the keys, from 0.
        label: of each class, the label of a dealer's hand.
        own_label: of each class, the label of a player's hand.
        worth: see `Rules`.
        allowed: see `Rules`.
        player: cards of the player's hand.
        dealer: cards of the dealer's hand.
        seen: the player sees one card of the dealer.
    """
    shape = classes.shape
    # Kinds of hands by key, then by both labels: the highest key of a hand's cards decides.
    kinds, kind = np.unique(np.stack([key, label, own_label], axis=1), axis=0, return_inverse=True)
    labels = worth.shape[2]
    order = np.lexsort((kinds[:, 0], kinds[:, 1]))
    place = np.empty(len(kinds), dtype=np.int16)
    place[order] = np.arange(len(kinds))
    step = np.searchsorted(kinds[order, 1], np.arange(labels + 1))
    every = np.arange(int(key.max()) + 1)
    points = np.empty((len(every), 3 * labels + 1), dtype=np.int64)
    points[:, ::3] = step
    for number in range(labels):
        of_label = kinds[order[step[number] : step[number + 1]], 0]
        points[:, 3 * number + 1] = step[number] + np.searchsorted(of_label, every, side="left")
        points[:, 3 * number + 2] = step[number] + np.searchsorted(of_label, every, side="right")
    of_class = kind.ravel().astype(np.int16)
    theirs = rank_hands(classes, of_class, dealer)
    mine = theirs if player == dealer else rank_hands(classes, of_class, player)
    _, first, weight = up_to_suits(shape.ranks, shape.cards, player)
    table = tabulate(place[theirs], shape.ranks, shape.cards, dealer, player + seen)
    # The last kinds may be of hands that are never the best of a dealer's cards.
    points = np.minimum(points, table.position.max() + 1)
    return Plan(
        known=table,
        rules=Rules(points, worth, allowed),
        players=list_subsets(first, player),
        weight=weight,
        key=kinds[mine[first], 0],
        own=kinds[mine[first], 2],
        seen=seen,
    )


def run(plan: Plan, part: slice) -> Tally:
    """Settle a range of the player's hands."""
    rules, keys = plan.rules, len(plan.rules.points)
    owns, actions, labels, _ = rules.worth.shape
    tally = Tally(
        outcome=np.zeros((owns, actions, labels, 3), dtype=np.int64),
        hands=np.zeros((keys, actions), dtype=np.int64),
        worth=np.zeros((keys, actions), dtype=np.int64),
        best=np.zeros(keys, dtype=np.int64),
    )
    settle_hands(
        plan.known, rules, plan.players[part], plan.weight[part], plan.key[part], plan.own[part],
        int(plan.seen), CHOOSE, tally,
    )  # fmt: skip
    return tally


def count_undivided(
    plan: Plan, *, executor: Executor | None = None, progress: Progress | None = None
) -> Tally:
    """Count the outcomes of optimal play over every deal and every card that is seen."""
    starts = range(0, len(plan.players), PER_TASK)
    work = [slice(start, start + PER_TASK) for start in starts]
    parts: Sequence[Tally] = run_all(partial(run, plan), work, executor, progress)
    return Tally(*(sum(columns[1:], start=columns[0]) for columns in zip(*parts, strict=True)))
