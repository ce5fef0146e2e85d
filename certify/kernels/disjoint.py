"""Count ordered pairs of disjoint hands by what each of the two is, in plain Python integers.

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

A state packs three bits a rank: s above, k or t below.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from itertools import product
from math import comb, prod
from typing import Final, NamedTuple, TypeVar

from certify.errors import InvariantBroken
from certify.kernels.census import (
    COUNT_BITS,
    MULTISET,
    Profile,
    Shape,
    Ways,
    flush_sizes,
    flushes,
    longest_runs,
    rank_classes,
    unpack,
)

Label = TypeVar("Label", bound=Hashable)
Player = TypeVar("Player", bound=Hashable)
Labeller = Callable[[Profile], Label | None]
"""Names a hand by its profile, None if it is of no interest. Colour and suited pair are not known."""

Sums = dict[int, int]

SUITED: Final = COUNT_BITS * 13
ODD: Final = sum(1 << (COUNT_BITS * place) for place in range(26))


class Parts(NamedTuple):
    """U and W of a function of one hand, by state."""

    ranks: Sums
    flush: Sums


def count_disjoint(
    shape: Shape, dealer: Labeller[Label], player: Labeller[Player]
) -> dict[tuple[Label | None, Player | None], int]:
    """Count the ordered pairs of disjoint hands by (dealer's label, player's label).

    The counts sum to C(cards, hand) x C(cards - hand, hand), 8,250,459,031,214,400 for seven cards
    of 53; Python integers hold every partial sum.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
        InvariantBroken: a count is negative.
    """
    shape.check()
    first, second = _labelled(shape, dealer), _labelled(shape, player)
    cards = 4 * shape.ranks + shape.joker
    apart = comb(cards - shape.hand, shape.hand)
    table: dict[tuple[Label | None, Player | None], int] = {}
    for one, (any_one, joker_one) in first.items():
        for two, (any_two, joker_two) in second.items():
            pairs = _disjoint(any_one, any_two, shape) - _disjoint(joker_one, joker_two, shape)
            table[one, two] = pairs
    for one, (any_one, _) in first.items():
        table[one, None] = _hands(any_one) * apart - sum(table[one, two] for two in second)
    for two, (any_two, _) in second.items():
        table[None, two] = _hands(any_two) * apart - sum(table[one, two] for one in first)
    table[None, None] = comb(cards, shape.hand) * apart - sum(table.values())
    if min(table.values()) < 0:
        raise InvariantBroken("A count of pairs of hands is negative.")
    return table


def _labelled(shape: Shape, labeller: Labeller[Label]) -> Mapping[Label, tuple[Parts, Parts]]:
    """Return for every label the parts over all hands, and over the hands with the joker."""
    ranks: defaultdict[Hashable, list[Sums]] = defaultdict(lambda: [{}, {}])
    flush: defaultdict[Hashable, list[Sums]] = defaultdict(lambda: [{}, {}])

    @cache
    def label(code: int) -> Hashable:
        return labeller(unpack(code))

    for joker, runs in enumerate(longest_runs(shape)[: 1 + shape.joker]):
        codes, _ = rank_classes(shape, Ways.of(colour=False), joker, runs)
        for multiset, code in codes.items():
            ranks[label(code)][joker][multiset] = 1
        for state, plain, true in _flush_codes(shape, joker, runs, codes):
            if label(plain) != label(true):
                flush[label(plain)][joker][state] = -1
                flush[label(true)][joker][state] = 1
    parts = {}
    for name in {*ranks, *flush} - {None}:
        without, holding = (
            Parts(
                _holding(ranks[name][joker], range(13), 4),
                _holding(_holding(flush[name][joker], range(13), 3), range(13, 26), 1),
            )
            for joker in (0, 1)
        )
        everything = Parts(
            _added(without.ranks, holding.ranks), _added(without.flush, holding.flush)
        )
        parts[name] = everything, holding
    return parts


def _flush_codes(
    shape: Shape, joker: int, runs: list[int], codes: Sums
) -> Iterator[tuple[int, int, int]]:
    """Yield the state of every flush class, the code of its ranks, and its own."""
    for suited, others in flush_sizes(shape, joker):
        beside = [item & MULTISET for item, _ in others]
        for ranks, made in flushes(shape, joker, suited, runs):
            for other in beside:
                plain = codes[ranks + other]
                yield ranks << SUITED | other, plain, plain + made


def _holding(values: Sums, places: range, ways: int) -> Sums:
    """Sum the classes over the cards they hold beyond k: weights C(ways - k, m - k) a place."""
    for place in places:
        shift = COUNT_BITS * place
        sums: defaultdict[int, int] = defaultdict(int)
        for state, value in values.items():
            have = state >> shift & 7
            sums[state] += value
            for fewer in range(have):
                rest = state - ((have - fewer) << shift)
                sums[rest] += value * comb(ways - fewer, have - fewer)
        values = sums
    return values


def _disjoint(one: Parts, two: Parts, shape: Shape) -> int:
    """Sum over the card sets without the joker that both hands may hold."""
    by_rank = sum(
        _sign(state) * _choices(4, state) * value * two.ranks[state]
        for state, value in one.ranks.items()
        if state in two.ranks
    )
    same_suit = sum(
        _sign(state)
        * _choices(3, state & MULTISET)
        * (
            one.flush.get(state, 0) * (two.ranks.get(_by_rank(state), 0) + two.flush.get(state, 0))
            + one.ranks.get(_by_rank(state), 0) * two.flush.get(state, 0)
        )
        for state in {*one.flush, *two.flush}
    )
    other_suit = sum(
        _sign(ours) * _choices(2, common) * value * two.flush.get(theirs, 0)
        for ours, value in one.flush.items()
        if (ours >> SUITED).bit_count() <= shape.hand - shape.complete
        for theirs, common in _splits(ours)
    )
    return by_rank + 4 * same_suit + 12 * other_suit


@cache
def _parted(rest: int) -> tuple[tuple[int, int], ...]:
    """Return the ways to part the cards by rank into at most one of each rank, and the others."""
    ranks = [place for place in range(13) if rest >> (COUNT_BITS * place) & 7]
    suited = (
        sum(bit << (COUNT_BITS * place) for bit, place in zip(bits, ranks, strict=True))
        for bits in product((0, 1), repeat=len(ranks))
    )
    return tuple((one, rest - one) for one in suited)


def _splits(ours: int) -> Iterator[tuple[int, int]]:
    """Yield the states of another flush, in another suit, that shares the cards of ``ours``.

    With each the shared cards by rank that are in neither of the two suits, at most two of a rank.
    """
    own, rest = ours >> SUITED, ours & MULTISET
    for their_suit, common in _parted(rest):
        if not common & common >> 1 & ODD:
            yield their_suit << SUITED | own + common, common


def _by_rank(state: int) -> int:
    return (state >> SUITED) + (state & MULTISET)


def _sign(state: int) -> int:
    """Return -1 for an odd number of cards, else 1."""
    return -1 if (state & ODD).bit_count() & 1 else 1


@cache
def _choices(suits: int, state: int) -> int:
    """Return in how many ways the cards of each rank are chosen from so many suits."""
    return prod(comb(suits, state >> (COUNT_BITS * place) & 7) for place in range(13))


def _added(one: Sums, two: Sums) -> Sums:
    sums = dict(one)
    for state, value in two.items():
        sums[state] = sums.get(state, 0) + value
    return sums


def _hands(parts: Parts) -> int:
    return parts.ranks.get(0, 0) + 4 * parts.flush.get(0, 0)
