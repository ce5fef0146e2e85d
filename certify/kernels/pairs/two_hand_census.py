"""Count ordered pairs of disjoint hands by what each of the two is.

For any f of the dealer's hand and g of the player's,

    sum over disjoint (D, P) of f(D) g(P) = sum over card sets S of (-1)^|S| N_f(S) N_g(S),

N_f(S) being the sum of f over all hands that hold S: a pair is counted once for every set of its
shared cards with alternating signs, which leaves the pairs that share none.

With f0(m) the value of a rank multiset as if it were no flush, and Delta(F, q) the difference that
the flush class (F, q) makes to the value of its ranks, N_f has a part for the ranks and a part for
each suit:

    N_f(S) = U_f(S by rank) + sum over suits of W_f(S in the suit, the rest of S by rank),
    U_f(k)    = sum over m of f0(m) x product of C(4 - k, m - k),
    W_f(s, t) = sum over (F, q) of Delta(F, q) x product of [F >= s] C(3 - t, q - t).

The products of these parts are sums over few states: product of C(4, k) card sets are k by rank;
4 x product of C(3, t) are s in one suit and t in the three others; 12 x product of C(2, c) are
s0 in one suit, s1 in a second and c in the two others. The joker is one more card: the pairs that
both hold it are taken off.

Sums are 64-bit integers. No partial sum is greater than four times the sum over all pairs of hands
of 2^(cards shared), which is below 3 x C(53, 7)^2: less than 2^59.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import product
from math import comb, prod
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken
from certify.kernels.pairs.two_hand_deck import Classes, Deck, closed
from certify.kernels.partition.feature_classes import COUNT_BITS, Shape, longest_runs
from certify.kernels.partition.features import Profile, unpack

Dealer = TypeVar("Dealer", bound=Hashable)
Player = TypeVar("Player", bound=Hashable)
Label = TypeVar("Label", bound=Hashable)
Labeller = Callable[[Profile], Label | None]
"""Names a hand by its profile, None if of no interest; colour and suited pair are not told."""

Integers = npt.NDArray[np.int64]
Narrow = npt.NDArray[np.int32]


class Parts(NamedTuple):
    """U by label and rank state; W by label, state of the other suits, state of the flush suit."""

    ranks: Integers
    flush: Narrow


def count_disjoint(
    shape: Shape, dealer: Labeller[Dealer], player: Labeller[Player]
) -> dict[tuple[Dealer | None, Player | None], int]:
    """Count the ordered pairs of disjoint hands by (dealer's label, player's label).

    The counts sum to C(cards, hand) x C(cards - hand, hand), 8,250,459,031,214,400 for seven cards
    of 53.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
        InvariantBroken: a count is negative.
    """
    shape.check()
    deck = Deck(shape)
    runs = longest_runs(shape)
    halves = [deck.classes(joker, runs[joker]) for joker in range(1 + shape.joker)]
    codes = np.unique(np.concatenate([part for half in halves for part in (half.codes, half.true)]))
    profiles = [unpack(code) for code in codes.tolist()]
    dealers, dealer_of = _numbered([dealer(profile) for profile in profiles])
    players, player_of = _numbered([player(profile) for profile in profiles])
    told = codes[(dealer_of > 0) | (player_of > 0)]
    states = closed(np.concatenate([half.multisets[np.isin(half.codes, told)] for half in halves]))
    of_dealer, of_player = (
        [_parts(deck, half, codes, numbers, states) for half in halves]
        for numbers in (dealer_of, player_of)
    )
    pairs = -_bilinear(deck, states, of_dealer[-1], of_player[-1]) if shape.joker else 0
    pairs = pairs + _bilinear(deck, states, _joined(of_dealer), _joined(of_player))
    table: dict[tuple[Dealer | None, Player | None], int] = {
        (one, two): int(pairs[i, j])
        for i, one in enumerate(dealers)
        for j, two in enumerate(players)
    }
    cards = 4 * shape.ranks + shape.joker
    apart = comb(cards - shape.hand, shape.hand)
    hands = _hands(of_dealer[0]), _hands(of_player[0])
    for i, one in enumerate(dealers):
        table[one, None] = hands[0][i] * apart - int(pairs[i].sum())
    for j, two in enumerate(players):
        table[None, two] = hands[1][j] * apart - int(pairs[:, j].sum())
    table[None, None] = comb(cards, shape.hand) * apart - sum(table.values())
    if min(table.values()) < 0:
        raise InvariantBroken("A count of pairs of hands is negative.")
    return table


def _numbered(labels: Sequence[Label | None]) -> tuple[list[Label], Integers]:
    """Return the different labels, and for each entry its place among them from 1; 0 for None."""
    names = list(dict.fromkeys(label for label in labels if label is not None))
    numbers: dict[Label | None, int] = {name: place for place, name in enumerate(names, start=1)}
    return names, np.array([numbers.get(label, 0) for label in labels], dtype=np.int64)


def _parts(
    deck: Deck, classes: Classes, codes: Integers, numbers: Integers, states: Integers
) -> Parts:
    """Return U and W of every label, ``numbers`` telling the label of each of ``codes``."""
    labels = int(numbers.max(initial=0)) + 1
    label = numbers[np.searchsorted(codes, classes.codes)]
    ranks = np.zeros((labels, len(states)), dtype=np.int64)
    told = label > 0
    ranks[label[told], np.searchsorted(states, classes.multisets[told])] = 1
    plain = numbers[np.searchsorted(codes, classes.plain)]
    true = numbers[np.searchsorted(codes, classes.true)]
    flush = np.zeros((labels - 1, len(deck.others), len(deck.spread)), dtype=np.int8)
    changed = plain != true
    for made, sign in ((plain, -1), (true, 1)):
        told = changed & (made > 0)
        flush[made[told] - 1, classes.others[told], classes.suited[told]] = sign
    return Parts(_held_ranks(ranks[1:], states), _held_suits(deck, flush))


def _held_ranks(values: Integers, states: Integers) -> Integers:
    """Sum over the rank multisets m that hold k: weights C(4 - k, m - k) a rank."""
    for rank in range(13):
        unit = 1 << (COUNT_BITS * rank)
        held = states // unit & 7
        sums = values.copy()
        for less in range(1, int(held.max()) + 1):
            more = np.flatnonzero(held >= less)
            ways = np.array([comb(4 - (have - less), less) for have in held[more].tolist()])
            sums[:, np.searchsorted(states, states[more] - less * unit)] += values[:, more] * ways
        values = sums
    return values


def _held_suits(deck: Deck, values: npt.NDArray[np.int8]) -> Narrow:
    """Sum over the flush classes (F, q) that hold (s, t): weights [F >= s] C(3 - t, q - t).

    A sum is at most the number of flushes in one suit, 1,604,031 for seven cards of 53.
    """
    sums = np.zeros(values.shape, dtype=np.int32)
    for place, other in enumerate(deck.others):
        for fewer in product(*(range(cards + 1) for cards in deck.digits(other))):
            state = sum(cards << (COUNT_BITS * rank) for rank, cards in enumerate(fewer))
            ways = prod(
                comb(3 - left, cards - left)
                for cards, left in zip(deck.digits(other), fewer, strict=True)
            )
            sums[:, deck.place[state]] += np.int32(ways) * values[:, place]
    for rank in range(deck.shape.ranks):
        halves = sums.reshape(*sums.shape[:2], -1, 2, 1 << rank)
        halves[..., 0, :] += halves[..., 1, :]
    return sums


def _bilinear(deck: Deck, states: Integers, one: Parts, two: Parts) -> Integers:
    """Sum over the card sets without the joker that two hands share, for each pair of labels."""
    weights = np.array([_weight(4, deck.digits(state)) for state in states.tolist()])
    by_rank = (one.ranks * weights) @ two.ranks.T

    rest, own = np.nonzero(one.flush.any(axis=0) | two.flush.any(axis=0))
    others = np.array(deck.others, dtype=np.int64)
    weights = np.array([_weight(3, deck.digits(other)) for other in deck.others])[rest]
    weights = np.where(np.bitwise_count(own) & 1, -weights, weights)
    cards = others[rest] + deck.spread[own]
    at = np.minimum(np.searchsorted(states, cards), len(states) - 1)
    known = states[at] == cards
    suit_one, suit_two = (side.flush[:, rest, own].astype(np.int64) for side in (one, two))
    rank_one, rank_two = one.ranks[:, at] * known, two.ranks[:, at] * known
    same = (suit_one * weights) @ (suit_two + rank_two).T + (rank_one * weights) @ suit_two.T

    first, ours, second, theirs, weights = deck.other_suit()
    other = (one.flush[:, first, ours] * weights) @ two.flush[:, second, theirs].T.astype(np.int64)
    pairs: Integers = by_rank + 4 * same + 12 * other
    return pairs


def _weight(suits: int, cards: Sequence[int]) -> int:
    """Return (-1)^(cards) times the ways to choose the cards of each rank from so many suits."""
    ways = prod(comb(suits, count) for count in cards)
    return -ways if sum(cards) & 1 else ways


def _joined(halves: Sequence[Parts]) -> Parts:
    """Add the hands with the joker to those without, in place of the latter, and return them."""
    whole, *holding = halves
    for half in holding:
        np.add(whole.ranks, half.ranks, out=whole.ranks)
        np.add(whole.flush, half.flush, out=whole.flush)
    return whole


def _hands(parts: Parts) -> list[int]:
    """Return how many hands each label has: those that hold no card in particular."""
    return [int(count) for count in parts.ranks[:, 0] + 4 * parts.flush[:, 0, 0]]
