"""Count the hands of a deck by what they hold, class by class, in plain Python integers.

All hands of rank classes with one code are counted at once: how many of them hold a flush of how
many cards depends on the sizes of their groups alone, which the code tells. Only straight flushes,
few and by then counted as plain flushes, are looked at one by one.

Colour is counted by the same code: a weight is then a polynomial in the number of red cards, its
coefficients packed 64 bits apart into one integer (Kronecker substitution), and integer products
and sums are those of the polynomials.

What a joker may stand for is not decided here: features say what the natural cards are and how
many jokers are there. Runs and flushes use them, which bugs and fully wild jokers do alike.
"""

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations
from math import comb

from certify.kernels.partition.classes import (
    COLOUR_BITS,
    GROUPS,
    MULTISET,
    Ways,
    flush_sizes,
    plain_flush,
    rank_classes,
    rank_sets,
    straight_flush,
)
from certify.kernels.partition.features import BITS, PLACE
from certify.kernels.partition.shape import COUNT_BITS, Shape


def count_features(shape: Shape, *, colour: bool, asked: int = 0) -> dict[int, int]:
    """Count all hands by the code of what they hold; the sum is C(cards of the deck, of a hand).

    ``asked`` has all bits of the ranks whose cards are counted, four bits a rank.

    Counts are Python integers. With colour a coefficient is at most the number of all hands,
    below 2^28, so 64 bits hold it.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
    """
    shape.check()
    ways = Ways.of(colour=colour)
    counts: defaultdict[int, int] = defaultdict(int)
    for joker in range(1 + min(shape.joker, shape.hand)):
        codes = rank_classes(shape, joker, asked)
        _count_ranks(shape, ways, joker, Counter(codes.values()), counts)
        _tell_straight_flushes(shape, ways, joker, codes, counts)
    return _by_red(counts) if colour else {code: hands for code, hands in counts.items() if hands}


def _count_ranks(
    shape: Shape, ways: Ways, joker: int, classes: Counter[int], counts: defaultdict[int, int]
) -> None:
    """Count the hands of rank classes, ``classes`` with each code, by the length of their flush."""
    dealt = comb(shape.joker, joker)
    flushes = [
        (suited, plain_flush(shape, joker, suited)) for suited, _ in flush_sizes(shape, joker)
    ]

    @cache
    def of_groups(groups: int) -> list[tuple[int, int]]:
        """Return what each length of a flush adds to the code, and its weight; none adds 0."""
        # Jokers alone are of no suit, and one hand.
        by_suited = ways.suited(groups) if groups else [1]
        held = [(code, by_suited[suited]) for suited, code in flushes if suited < len(by_suited)]
        return [(0, ways.dealt(groups) - sum(weight for _, weight in held)), *held]

    place, all_groups = PLACE["groups"], (1 << BITS["groups"]) - 1
    for code, number in classes.items():
        for flush, weight in of_groups(code >> place & all_groups):
            counts[code + flush] += number * dealt * weight


def _tell_straight_flushes(
    shape: Shape, ways: Ways, joker: int, codes: dict[int, int], counts: defaultdict[int, int]
) -> None:
    """Move what was counted as a plain flush and is a straight flush to where it belongs."""
    dealt = comb(shape.joker, joker)
    for suited, others in flush_sizes(shape, joker):
        plain = plain_flush(shape, joker, suited)
        beside = [(item & MULTISET, dealt * ways.beside(suited, item >> GROUPS)) for item in others]
        pairs = _suited_pairs(shape.ranks) if shape.hand - joker - suited == 2 else ()
        pair_weight = dealt * ways.suited_pair(suited)
        for held in rank_sets(shape.ranks, suited):
            straight = straight_flush(shape, joker, held)
            if not straight:
                continue
            multiset = int(f"{held:b}", 1 << COUNT_BITS)  # a bit a rank, read as a digit a rank
            for other, weight in beside:
                code = codes[multiset + other] + plain
                counts[code] -= weight
                counts[code + straight] += weight
            if straight >> PLACE["royal"]:  # or a wheel
                for other, kind in pairs:
                    code = codes[multiset + other] + plain + straight
                    counts[code] -= pair_weight
                    counts[code + (kind << PLACE["suited_pair"])] += pair_weight


def _suited_pairs(ranks: int) -> tuple[tuple[int, int], ...]:
    """Return the multisets of ace-king, ace-queen and king-queen, and their sets of ranks."""
    return tuple(
        (
            sum(1 << (COUNT_BITS * (ranks - 1 - place)) for place in pair),
            sum(1 << place for place in pair),
        )
        for pair in combinations(range(3), 2)
    )


def _by_red(counts: dict[int, int]) -> dict[int, int]:
    """Return polynomials in red cards as counts, one for each code and number of red cards."""
    return {
        code | red << PLACE["red"]: count
        for code, weight in counts.items()
        for red in range(-(-weight.bit_length() // COLOUR_BITS))
        if (count := weight >> (COLOUR_BITS * red) & ((1 << COLOUR_BITS) - 1))
    }
