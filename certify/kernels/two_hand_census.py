"""Counts of ordered pairs of disjoint hands by the labels of both.

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
s0 in one suit, s1 in a second and c in the two others. Jokers are more cards: the pairs that would
share one are taken off.

Sums are 64-bit integers. No partial sum is greater than four times the sum over all pairs of hands
of 2^(cards shared), which is below 3 x C(54, 7)^2: less than 2^59.

Few cards are counted card by card: a hand is a multiset of types of cards. A shoe with k cards of a
type deals a player's hand that holds p of them and a dealer's that holds d in C(k, d) C(k - d, p)
ways, type by type. Six cards of twelve decks have less than 2^50 deals.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.class_arrays import Half, halves, spread, unpack_ranks
from certify.kernels.features import COUNT_BITS, PLACE, HandFeatures, Shape, unpack

Dealer = TypeVar("Dealer", bound=Hashable)
Player = TypeVar("Player", bound=Hashable)
Label = TypeVar("Label", bound=Hashable)
Labeler = Callable[[HandFeatures], Label | None]
"""Names a hand by its features, None if of no interest; color and suited pair are not passed."""

ALL_FIELDS = (1 << PLACE["counts"]) - 1
"""All bits of a code but those of the counts of ranks and of red cards."""

Integers = npt.NDArray[np.int64]
Narrow = npt.NDArray[np.int32]


Held = tuple[int, ...]
"""The types of the cards of a hand, ascending."""


class Hands(NamedTuple):
    """Hands of one side, with the number of the label of each.

    ``kind`` is the number of what the conditions on all cards see of a hand.
    """

    held: Sequence[Held]
    label: Integers
    kind: Integers


class Parts(NamedTuple):
    """U by label and rank state; W by label, state of the other suits, set in the flush suit."""

    ranks: Integers
    flush: Narrow


class States(NamedTuple):
    """Cards that two hands may share, without the joker.

    Attributes:
        ranks: ranks of the deck.
        by_rank: rank multisets within those of the labeled hands, ascending.
        others: rank multisets of the cards that can accompany a flush, ascending.
        sets: every set of ranks in one suit as a rank multiset, ascending.
    """

    ranks: int
    by_rank: Integers
    others: Integers
    sets: Integers


def count_two_hands(
    shape: Shape,
    dealer: Labeler[Dealer],
    player: Labeler[Player],
    counted_ranks: int = 0,
    read: int = ALL_FIELDS,
) -> dict[tuple[Dealer | None, Player | None], int]:
    """Count the ordered pairs of disjoint hands by (dealer's label, player's label).

    ``counted_ranks`` has all bits of the ranks whose cards the labels use, four bits a rank, and
    ``read`` those of the other fields that they read; the rest is not passed to them. The
    counts sum to C(cards, hand) x C(cards - hand, hand), 8,250,459,031,214,400 for seven cards of
    53.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`), or its jokers are a hand.
        InvariantBroken: a count is negative.
    """
    if shape.joker >= shape.hand:
        raise NotConfigured(
            "Pairs of hands that may be jokers alone cannot be counted.",
            remedy="Correct `cards` or the jokers if one is wrong; "
            "otherwise certify cannot count this wager.",
        )
    parts, codes, features_of_codes = _number_features(
        _list_halves(shape), counted_ranks, read & ALL_FIELDS
    )
    dealers, of_dealer = _number_labels([dealer(features) for features in features_of_codes])
    players, of_player = _number_labels([player(features) for features in features_of_codes])
    labeled = codes[(of_dealer > 0) | (of_player > 0)]
    states = States(
        shape.ranks,
        _contained_multisets(
            np.concatenate([half.counts[np.isin(half.features, labeled)] for half in parts])
        ),
        _contained_multisets(np.concatenate([np.unique(half.others) for half in parts])),
        spread(np.arange(1 << shape.ranks, dtype=np.int64), shape.ranks),
    )
    by_dealer, by_player = (
        [_parts(half, codes, numbers, states) for half in parts]
        for numbers in (of_dealer, of_player)
    )
    pairs = -sum(
        comb(shape.joker, mine)
        * (comb(shape.joker, theirs) - comb(shape.joker - mine, theirs))
        * _bilinear(states, by_dealer[mine], by_player[theirs])
        for mine, theirs in product(range(1, 1 + shape.joker), repeat=2)
    )
    pairs = pairs + _bilinear(states, _add_joker_hands(by_dealer), _add_joker_hands(by_player))
    table: dict[tuple[Dealer | None, Player | None], int] = {
        (mine, theirs): int(pairs[i, j])
        for i, mine in enumerate(dealers)
        for j, theirs in enumerate(players)
    }
    apart = comb(shape.cards - shape.hand, shape.hand)
    for i, (label, hands) in enumerate(zip(dealers, _hands(by_dealer[0]), strict=True)):
        table[label, None] = hands * apart - int(pairs[i].sum())
    for j, (other, hands) in enumerate(zip(players, _hands(by_player[0]), strict=True)):
        table[None, other] = hands * apart - int(pairs[:, j].sum())
    table[None, None] = shape.pairs - sum(table.values())
    if min(table.values()) < 0:
        raise InvariantBroken("A count of pairs of hands is negative.")
    return table


@lru_cache(maxsize=1)
def _list_halves(shape: Shape) -> tuple[Half, ...]:
    """Return the classes of hands, which the wagers of a game share."""
    return tuple(halves(shape))


def _number_features(
    parts: Sequence[Half], counted_ranks: int, read: int
) -> tuple[list[Half], Integers, list[HandFeatures]]:
    """Number the features that labels use; return renumbered halves, numbers and features."""
    parts = [
        half._replace(features=half.features & read, flush_features=half.flush_features & read)
        for half in parts
    ]
    codes = np.unique(
        np.concatenate([codes for half in parts for codes in (half.features, half.flush_features)])
    )
    named = np.unique(np.concatenate([half.counts & counted_ranks for half in parts]))

    def numbers(features: Integers, counts: Integers) -> Integers:
        places: Integers = np.searchsorted(codes, features) * len(named)
        return places + np.searchsorted(named, counts & counted_ranks)

    numbered = [
        half._replace(
            features=numbers(half.features, half.counts),
            flush_features=numbers(half.flush_features, half.counts[half.home]),
        )
        for half in parts
    ]
    used = np.unique(
        np.concatenate(
            [
                codes_of_half
                for half in numbered
                for codes_of_half in (half.features, half.flush_features)
            ]
        )
    )
    features_of_codes = [
        unpack(int(codes[place]) | int(named[counts]) << PLACE["counts"])
        for place, counts in (divmod(number, len(named)) for number in used.tolist())
    ]
    return numbered, used, features_of_codes


def _number_labels(labels: Sequence[Label | None]) -> tuple[list[Label], Integers]:
    """Return the distinct labels, and each entry's position in them from 1; 0 for None."""
    names = list(dict.fromkeys(label for label in labels if label is not None))
    numbers: dict[Label | None, int] = {name: place for place, name in enumerate(names, start=1)}
    return names, np.array([numbers.get(label, 0) for label in labels], dtype=np.int64)


def _contained_multisets(multisets: Integers) -> Integers:
    """Return all rank multisets contained in the given ones, ascending."""
    states = np.unique(np.append(multisets, 0))
    for rank in range(13):
        unit = 1 << (COUNT_BITS * rank)
        number = states // unit & 15
        states = np.unique(
            np.concatenate([states[number >= less] - less * unit for less in range(5)])
        )
    return states


def _parts(half: Half, codes: Integers, numbers: Integers, states: States) -> Parts:
    """Return U and W of every label, ``numbers`` telling the label of each of ``codes``."""
    labels = int(numbers.max(initial=0))
    label = numbers[np.searchsorted(codes, half.features)]
    labeled = label > 0
    ranks = np.zeros((labels, len(states.by_rank)), dtype=np.int64)
    ranks[label[labeled] - 1, np.searchsorted(states.by_rank, half.counts[labeled])] = 1
    plain = label[half.home]
    true = numbers[np.searchsorted(codes, half.flush_features)]
    changed = plain != true
    flush = np.zeros((labels, len(states.others), len(states.sets)), dtype=np.int8)
    for codes_before, sign in ((plain, -1), (true, 1)):
        rows = np.flatnonzero(changed & (codes_before > 0))
        others = np.searchsorted(states.others, half.others[rows])
        flush[codes_before[rows] - 1, others, half.flush[rows]] = sign
    return Parts(_held_ranks(ranks, states.by_rank), _held_suits(states, flush))


def _held_ranks(values: Integers, states: Integers) -> Integers:
    """Sum over the rank multisets m that hold k: weights C(4 - k, m - k) a rank."""
    for rank in range(13):
        unit = 1 << (COUNT_BITS * rank)
        number = states // unit & 15
        sums = values.copy()
        for less in range(1, int(number.max()) + 1):
            more = np.flatnonzero(number >= less)
            ways = np.array([comb(4 - (have - less), less) for have in number[more].tolist()])
            sums[:, np.searchsorted(states, states[more] - less * unit)] += values[:, more] * ways
        values = sums
    return values


def _held_suits(states: States, values: npt.NDArray[np.int8]) -> Narrow:
    """Sum over the flush classes (F, q) that hold (s, t): weights [F >= s] C(3 - t, q - t).

    A sum is at most the number of flushes in one suit, 1,604,031 for seven cards of 53.
    """
    sums = np.zeros(values.shape, dtype=np.int32)
    place_of = {other: place for place, other in enumerate(states.others.tolist())}
    for place, numbers in enumerate(unpack_ranks(states.others, states.ranks).tolist()):
        for fewer in product(*(range(cards + 1) for cards in numbers)):
            state = sum(cards << (COUNT_BITS * rank) for rank, cards in enumerate(fewer))
            ways = prod(
                comb(3 - left, cards - left) for cards, left in zip(numbers, fewer, strict=True)
            )
            sums[:, place_of[state]] += np.int32(ways) * values[:, place]
    for rank in range(states.ranks):
        halves = sums.reshape(*sums.shape[:2], 1 << (states.ranks - 1 - rank), 2, 1 << rank)
        halves[..., 0, :] += halves[..., 1, :]
    return sums


def _bilinear(states: States, mine: Parts, theirs: Parts) -> Integers:
    """Sum over the card sets without the joker that two hands share, for each pair of labels."""
    weights = _signed_ways(states.by_rank, 4, states.ranks)
    by_ranks = (mine.ranks * weights) @ theirs.ranks.T

    rest, suit_set = np.nonzero(mine.flush.any(axis=0) | theirs.flush.any(axis=0))
    weights = _signed_ways(states.others, 3, states.ranks)[rest]
    weights = np.where(np.bitwise_count(suit_set) & 1, -weights, weights)
    cards = states.others[rest] + states.sets[suit_set]
    at = np.minimum(np.searchsorted(states.by_rank, cards), len(states.by_rank) - 1)
    has_number = states.by_rank[at] == cards
    suits = [side.flush[:, rest, suit_set].astype(np.int64) for side in (mine, theirs)]
    ranks = [side.ranks[:, at] * has_number for side in (mine, theirs)]
    same = (suits[0] * weights) @ (suits[1] + ranks[1]).T + (ranks[0] * weights) @ suits[1].T

    first, ours, second, other, weights = _other_suit(states)
    apart = (mine.flush[:, first, ours] * weights) @ theirs.flush[:, second, other].T.astype(
        np.int64
    )
    pairs: Integers = by_ranks + 4 * same + 12 * apart
    return pairs


def _signed_ways(multisets: Integers, suits: int, ranks: int) -> Integers:
    """Return (-1)^(cards) times the ways to choose the cards of each rank from so many suits."""
    ways = np.array([(-1) ** cards * comb(suits, cards) for cards in range(5)])
    signed: Integers = ways[unpack_ranks(multisets, ranks)].prod(axis=1)
    return signed


def _other_suit(states: States) -> tuple[Integers, ...]:
    """Return the card sets that two flushes in different suits may share, and their weights.

    With s0 in the first hand's suit, s1 in the second's and c in the two others, the first hand
    sees s1 + c outside its suit and the second s0 + c. For each set: the first hand's state of
    other suits and of its own, the second's, and (-1)^(cards) x product of C(2, c).
    """
    shared: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, numbers in enumerate(unpack_ranks(states.others, states.ranks).tolist()):
        for suited, common in _split_suits(numbers):
            shared[common].append((place, suited))
    ways = _signed_ways(np.array(list(shared), dtype=np.int64), 2, states.ranks).tolist()
    card_sets = [
        (first, ours, second, theirs, weight * (-1) ** (ours.bit_count() + theirs.bit_count()))
        for weight, parted in zip(ways, shared.values(), strict=True)
        for (first, theirs), (second, ours) in product(parted, repeat=2)
    ]
    return tuple(np.array(card_sets, dtype=np.int64).T)


def _split_suits(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the ways to take at most one card of each rank as a set, with the remaining cards."""
    for taken in product(*((0, 1) if cards else (0,) for cards in numbers)):
        left = [cards - less for cards, less in zip(numbers, taken, strict=True)]
        yield (
            sum(less << rank for rank, less in enumerate(taken)),
            sum(cards << (COUNT_BITS * rank) for rank, cards in enumerate(left)),
        )


def _add_joker_hands(halves: Sequence[Parts]) -> Parts:
    """Add the hands with jokers to those without, in place of the latter, and return them."""
    whole, *holding = halves
    for jokers, half in enumerate(holding, 1):
        ways = comb(len(holding), jokers)
        np.add(whole.ranks, ways * half.ranks, out=whole.ranks)
        np.add(whole.flush, ways * half.flush, out=whole.flush)
    return whole


def _hands(parts: Parts) -> list[int]:
    """Return the number of hands of each label, from the entry without any required card."""
    return [int(count) for count in parts.ranks[:, 0] + 4 * parts.flush[:, 0, 0]]


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
