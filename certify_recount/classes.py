"""Classes of hands: hands of the same ranks whose flush, if any, has the same ranks.

The *holdings* of a hand, the ranks that it has in each suit, identify it within its class.
A holding is written as a set of bits over the ranks of the hand, lowest first.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

from .hands import flushes, multisets
from .set_hands import WILD, Card, Rules

BITS = 3
"""Bits for the cards of one rank in the code of a multiset of ranks."""

Holdings = tuple[int, ...]

Targets = tuple[list[tuple[int, int]], int]
"""The holdings that a sum counts for, by their places, how often it counts for each, and for all
hands of the class."""


def encode_ranks(counts: Sequence[int]) -> int:
    """Return the code of a multiset of ranks."""
    return sum(n << BITS * rank for rank, n in enumerate(counts))


class HandClass(NamedTuple):
    """A class of hands: ranks, jokers, and the ranks inside and outside the flush suit."""

    counts: tuple[int, ...]
    jokers: int
    flush: tuple[int, ...] = ()
    others: tuple[int, ...] = ()

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the natural cards, each once."""
        return tuple(rank for rank, n in enumerate(self.counts) if n)

    def cards(self) -> tuple[Card, ...]:
        """Return the cards, highest first and the jokers last."""
        if self.flush:
            suited = [(rank, True) for rank in self.flush]
            others = [(rank, False) for rank in self.others]
        else:
            suited = []
            others = [(rank, False) for rank, n in enumerate(self.counts) for _ in range(n)]
        return (*sorted(suited + others, reverse=True), *[(WILD, True)] * self.jokers)

    def suits(self, rules: Rules) -> "Suits":
        """Return the ways to choose suits for the cards."""
        ranks = self.ranks
        flush = sum(1 << ranks.index(rank) for rank in self.flush)
        sizes = tuple(n for n in self.counts if n)
        complete = rules.deck.complete
        return suits(sizes, flush, max(1, complete - self.jokers), rules.theirs.cards - complete)


def iter_classes(rules: Rules) -> Iterator[HandClass]:
    """Yield every multiset of ranks as a class without a flush, then its classes with one."""
    for jokers in range(rules.jokers + 1):
        for counts in multisets(rules.cards - jokers, rules.ranks):
            yield HandClass(counts, jokers)
            for flush, others in flushes(counts, jokers, rules.deck):
                yield HandClass(counts, jokers, flush, others)


class Suits:
    """The ways to choose suits for the cards of a class.

    Attributes:
        sizes: how many cards there are of each rank.
        holdings: every set of ranks that a suit of a hand can hold.
        hands: how many hands have which holdings, by their places in `holdings`.
        lengths: how many cards of each suit a hand can have, sorted.
        times: how often each holding occurs in all hands of the class.
        total: the number of hands.
    """

    def __init__(self, sizes: tuple[int, ...], hands: Counter[Holdings], most: int) -> None:
        """List the holdings; at most ``most`` of the dealer's cards are outside a flush."""
        self.sizes, self.most = sizes, most
        self.holdings = sorted({holding for suits in hands for holding in suits})
        self.lengths = {tuple(sorted(map(int.bit_count, suits))) for suits in hands}
        place = {holding: at for at, holding in enumerate(self.holdings)}
        self.hands = [
            (ways, tuple(place[holding] for holding in suits)) for suits, ways in hands.items()
        ]
        self.times = [0] * len(self.holdings)
        for ways, places in self.hands:
            for at in places:
                self.times[at] += ways
        self.total = sum(hands.values())
        self._targets: dict[int, list[tuple[tuple[int, ...], Targets]]] = {}

    def targets(self, shared: int) -> list[tuple[tuple[int, ...], Targets]]:
        """Return for which holdings the dealer's hands count that share cards with the player's.

        ``shared`` are shared ranks of one suit. Returned are, for every multiset of ranks shared
        in the other suits, the holdings with those shared ranks, and how often the dealer's hands
        count for each: by inclusion and exclusion, with a sign.
        """
        if shared not in self._targets:
            places: dict[tuple[int, ...], list[tuple[int, int]]] = {}
            for place, holding in enumerate(self.holdings):
                if holding & shared != shared:
                    continue
                rest = [n - (holding >> at & 1) for at, n in enumerate(self.sizes)]
                for size in range(self.most + 1):
                    for others in combinations_with_replacement(range(len(rest)), size):
                        ways = prod(comb(rest[at], others.count(at)) for at in {*others})
                        if ways:
                            sign = (-1) ** (shared.bit_count() + size)
                            places.setdefault(others, []).append((place, sign * ways))
            self._targets[shared] = [
                (others, (part, sum(self.times[place] * ways for place, ways in part)))
                for others, part in places.items()
            ]
        return self._targets[shared]


@cache
def suits(sizes: tuple[int, ...], flush: int, least: int, most: int) -> Suits:
    """Return the ways to choose suits for groups of equal rank, with such a flush or with none.

    Args:
        sizes: how many cards there are of each rank.
        flush: the ranks of one suit that make a flush, 0 for none.
        least: how many cards of one suit make a flush.
        most: the largest number of the dealer's cards outside the suit of a flush.
    """
    open_suits = range(1, 4) if flush else range(4)
    hands: Counter[Holdings] = Counter({(flush, 0, 0, 0): 4 if flush else 1})
    for at, n in enumerate(sizes):
        following: Counter[Holdings] = Counter()
        for holdings, ways in hands.items():
            for chosen in combinations(open_suits, n - (flush >> at & 1)):
                new = [
                    mine | 1 << at if suit in chosen else mine for suit, mine in enumerate(holdings)
                ]
                ordered = (flush, *sorted(new[1:])) if flush else tuple(sorted(new))
                following[ordered] += ways
        hands = following
    without_other_flush = Counter(
        {
            holdings: ways
            for holdings, ways in hands.items()
            if all(mine.bit_count() < least for mine in holdings[1 if flush else 0 :])
        }
    )
    return Suits(sizes, without_other_flush, most)


@cache
def shared_subsets(ranks: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """Return the subsets of the cards outside the flush, each with its number of suit choices."""
    number = Counter(ranks)
    return [
        (part, prod(comb(3 - part.count(rank), n - part.count(rank)) for rank, n in number.items()))
        for part in {part for n in range(len(ranks) + 1) for part in combinations(ranks, n)}
    ]
