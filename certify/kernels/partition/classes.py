"""The partition of all hands into rank classes and flush classes.

A **rank class** is a rank multiset with at most four of a rank, and a number of jokers: 67,600
classes of seven cards out of 53. It stands for every hand with these ranks, product of C(4, m_r)
hands, *as if flushes did not exist*.

A **flush class** is a set F of ranks in one suit (as many as the back holds, one less with each
joker) and the rank multiset q of the other natural cards, all in the other three suits: 224,653
classes of four times product of C(3, q_r) hands each. Its rank class has F_r + q_r of each rank.
No hand is in two flush classes: `Shape.check` refuses decks where two suits could hold a flush.

So what depends on ranks and a possible flush alone is known of every hand once it is known of
every class: the hands of a rank class that are in no flush class have the value of the rank class,
all others the value of their flush class.

A rank multiset is an integer of four bits a rank, so a flush class finds its rank class by one
addition and one look-up. Ranks are numbered from 0 (lowest) to ``ranks - 1`` (ace). All is plain
Python integers, which start at once; `certify.kernels.partition.class_arrays` has arrays of them.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Final, NamedTuple

from certify.kernels.partition.features import PLACE
from certify.kernels.partition.shape import COUNT_BITS, Shape

COLOUR_BITS: Final = 64
"""Between the coefficients of a polynomial in the number of red cards."""

Item = tuple[int, int]
"""A packed rank multiset with what is wanted of it, and its weight."""

# An item packs a rank multiset and what is wanted of it, each part a plain sum over the ranks.
HELD: Final = COUNT_BITS * 13  # a bit for each rank that is held
PAIRED: Final = HELD + 13  # a bit for each rank that is held at least twice
GROUPS: Final = PAIRED + 13  # four bits for each size of a group: how many ranks have it
MULTISET: Final = (1 << HELD) - 1
RANKS: Final = (1 << 13) - 1


class Ways(NamedTuple):
    """In how many ways a class can be dealt, as numbers or as polynomials in red cards.

    ``any_suit[c]``: c cards of one rank in four suits. ``red_flush[c]`` and ``black_flush[c]``: in
    the three other suits of a red and of a black flush. ``shift`` is the place of one red card:
    bits between coefficients, or 0 where colour is not counted and the indeterminate is 1.
    """

    any_suit: tuple[int, ...]
    red_flush: tuple[int, ...]
    black_flush: tuple[int, ...]
    shift: int

    @classmethod
    def of(cls, *, colour: bool) -> "Ways":
        """Return the weights, as polynomials if ``colour``."""
        shift = COLOUR_BITS if colour else 0

        def ways(reds: int, blacks: int) -> tuple[int, ...]:
            return tuple(
                sum(
                    comb(reds, i) * comb(blacks, count - i) << (shift * i) for i in range(count + 1)
                )
                for count in range(reds + blacks + 1)
            )

        return cls(ways(2, 2), ways(1, 2), ways(2, 1), shift)

    def beside(self, suited: int, counts: tuple[int, ...]) -> int:
        """Return the weight of a flush class: ``suited`` flush cards, ``counts`` of other ranks.

        Jokers alone are of no suit, and one hand.
        """
        if not suited:
            return 1
        in_red = prod(self.red_flush[count] for count in counts) << (self.shift * suited)
        return 2 * in_red + 2 * prod(self.black_flush[count] for count in counts)

    def suited_pair(self, suited: int) -> int:
        """Return the weight of a flush beside two given ranks held in one other suit."""
        red_pair, black_pair = 1 << (2 * self.shift), 1
        in_red = (red_pair + 2 * black_pair) << (self.shift * suited)
        return 2 * in_red + 2 * (2 * red_pair + black_pair)


@cache
def longest_runs(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return for every set of ranks its longest run, by the number of jokers that help.

    A run shorter than a complete hand is 0. A joker fills a gap or lengthens the run. The ace is
    high or low, not both in one run.
    """
    jokers = max(shape.joker, 1)
    longest = [[0] * (1 << shape.ranks) for _ in range(1 + jokers)]
    for ranks in range(1 << shape.ranks):
        if not shape.back - jokers <= ranks.bit_count() <= shape.hand:
            continue
        line = ranks << 1 | ranks >> (shape.ranks - 1)
        # By jokers, bit i: the window starting at place i lacks no more cards than there are.
        windows = [-1] * (1 + jokers)
        for length in range(1, min(shape.hand, shape.ranks) + 1):
            starts = (1 << (shape.ranks + 2 - length)) - 1
            for spare in range(jokers, 0, -1):
                windows[spare] = (windows[spare] & line | windows[spare - 1]) & starts
            windows[0] &= line & starts
            line >>= 1
            if length >= shape.back:
                if not windows[-1]:
                    break
                for spare, made in enumerate(windows):
                    if made:
                        longest[spare][ranks] = length
    return tuple(map(tuple, longest))


def multisets(ranks: int, most: int, ways: tuple[int, ...]) -> list[list[Item]]:
    """Return by number of cards, up to ``most``, the items of all rank multisets and their weights.

    ``ways[c]`` is the weight of c cards of one rank; a rank has fewer than ``len(ways)`` cards.
    """
    by_cards: list[list[Item]] = [[(0, 1)]] + [[] for _ in range(most)]
    for rank in range(ranks):
        steps = [
            (
                count << (COUNT_BITS * rank)
                | 1 << (HELD + rank)
                | (count > 1) << (PAIRED + rank)
                | 1 << (GROUPS + 4 * (count - 1)),
                ways[count],
            )
            for count in range(1, len(ways))
        ]
        by_cards = [
            by_cards[cards]
            + [
                (item + step, weight * way)
                for (step, way), fewer in zip(steps, reversed(by_cards[:cards]), strict=False)
                for item, weight in fewer
            ]
            for cards in range(most + 1)
        ]
    return by_cards


def rank_classes(
    shape: Shape, ways: Ways, joker: int, asked: int = 0
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the code and the weight, flushes included, of every rank class by its multiset.

    ``asked`` has all bits of the ranks whose cards the code is to count.
    """
    ace = COUNT_BITS * (shape.ranks - 1)
    jack = COUNT_BITS * (shape.ranks - 4) if shape.ranks >= 4 else HELD
    runs, natural = longest_runs(shape)[joker], longest_runs(shape)[0]
    dealt = comb(shape.joker, joker)
    codes: dict[int, int] = {}
    weights: dict[int, int] = {}
    for item, weight in multisets(shape.ranks, shape.hand - joker, ways.any_suit)[-1]:
        multiset = item & MULTISET
        held = item >> HELD & RANKS
        weights[multiset] = weight * dealt
        codes[multiset] = (
            joker << PLACE["joker"]
            | (multiset >> ace) << PLACE["aces"]
            | (multiset >> jack & 15) << PLACE["jacks"]
            | held.bit_length() << PLACE["top"]
            | (item >> PAIRED & RANKS).bit_length() << PLACE["top_pair"]
            | runs[held] << PLACE["straight"]
            | natural[held] << PLACE["natural_straight"]
            | item >> GROUPS << PLACE["groups"]
            | (multiset & asked) << PLACE["counts"]
        )
    return codes, weights


def flush_sizes(shape: Shape, joker: int) -> list[tuple[int, list[Item]]]:
    """Return the possible numbers of suited cards, and the items of the other natural cards.

    An item's weight is the number of ways to deal it in three suits: product of C(3, q_r).
    """
    others = multisets(shape.ranks, shape.front, (1, 3, 3, 1))
    return [(shape.hand - joker - cards, items) for cards, items in enumerate(others)]


def flushes(shape: Shape, joker: int, suited: int) -> Iterator[tuple[int, int, int]]:
    """Yield every set of ``suited`` ranks in one suit, its multiset, and the code it adds."""
    highest = ((1 << shape.back) - 1) << (shape.ranks - shape.back)
    lowest = 1 << (shape.ranks - 1) | ((1 << (shape.back - 1)) - 1)
    runs, natural = longest_runs(shape)[joker], longest_runs(shape)[0]
    alone = suited if suited >= shape.back else 0
    for ranks in combinations(range(shape.ranks), suited):
        held = sum(1 << rank for rank in ranks)
        high = (held & highest).bit_count()
        wheel = not joker and held & lowest == lowest
        yield (
            held,
            sum(1 << (COUNT_BITS * rank) for rank in ranks),
            (suited + joker) << PLACE["flush"]
            | alone << PLACE["natural_flush"]
            | runs[held] << PLACE["straight_flush"]
            | natural[held] << PLACE["natural_straight_flush"]
            | (high == shape.back) << PLACE["natural_royal"]
            | (high >= shape.back - joker) << PLACE["royal"]
            | wheel << PLACE["wheel"],
        )
