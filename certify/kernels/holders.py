"""Counts of deals of a player's hand and a dealer's from a deck or a shoe, by the labels of both.

A hand is a multiset of types of cards. A shoe with k cards of a type deals a player's hand that
holds p of them and a dealer's that holds d in C(k, d) C(k - d, p) ways, type by type.

Sums are 64-bit integers: six cards of twelve decks have less than 2^50 deals.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Label = TypeVar("Label", bound=Hashable)
Integers = npt.NDArray[np.int64]
Held = tuple[int, ...]
"""The types of the cards of a hand, ascending."""


class Hands(NamedTuple):
    """Hands of one side, with the number of the label of each.

    ``kind`` is the number of what the conditions on all cards see of a hand.
    """

    held: Sequence[Held]
    label: Integers
    kind: Integers


def list_hands(copies: Sequence[int], size: int) -> list[Held]:
    """Return the hands of ``size`` cards from a shoe with so many cards of each type."""
    return [
        held
        for held in combinations_with_replacement(range(len(copies)), size)
        if _count_ways(held, copies)
    ]


def number(labels: Sequence[Label]) -> tuple[list[Label], Integers]:
    """Return the different labels, and the place of each entry among them."""
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return [*places], np.array([places[label] for label in labels], dtype=np.int64)


def count_deals(
    player: Hands, dealer: Hands, together: Integers, copies: Sequence[int]
) -> Mapping[tuple[int, int, int], int]:
    """Return the number of deals by the labels of the dealer, of the player and of all cards.

    ``together`` is the label of all cards by the kinds of the player's and of the dealer's hand.
    """
    ways = np.array([_count_ways(held, copies) for held in player.held], dtype=np.int64)
    holds = np.array(
        [[held.count(card) for held in player.held] for card in range(len(copies))], dtype=np.int64
    )
    choose = np.array([[comb(n, k) for k in range(8)] for n in range(max(copies) + 1)])
    labels, all_labels = int(player.label.max()) + 1, int(together.max()) + 1
    sums = np.zeros((int(dealer.label.max()) + 1, labels * all_labels), dtype=np.int64)
    for held, label, kind in zip(dealer.held, dealer.label, dealer.kind, strict=True):
        left = ways.copy()
        for card, gone in Counter(held).items():
            rows = np.flatnonzero(holds[card])
            held_by_player, of_shoe = holds[card, rows], copies[card]
            left[rows] = (
                left[rows]
                // choose[of_shoe, held_by_player]
                * choose[of_shoe - gone, held_by_player]
            )
        cells = player.label * all_labels + together[player.kind, kind]
        of_hand = np.zeros(labels * all_labels, dtype=np.int64)
        np.add.at(of_hand, cells, left)
        sums[label] += _count_ways(held, copies) * of_hand
    return {
        (theirs, *divmod(cell, all_labels)): int(sums[theirs, cell])
        for theirs, cell in zip(*(axis.tolist() for axis in np.nonzero(sums)), strict=True)
    }


def _count_ways(held: Held, copies: Sequence[int]) -> int:
    return prod(comb(copies[card], times) for card, times in Counter(held).items())
