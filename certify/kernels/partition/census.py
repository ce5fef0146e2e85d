"""Count the hands of a deck by what they hold, class by class, in plain Python integers.

The weight of every flush class is taken off its rank class; what is left there is no flush.

Colour is counted by the same code: a weight is then a polynomial in the number of red cards, its
coefficients packed 64 bits apart into one integer (Kronecker substitution), and integer products
and sums are those of the polynomials.

What a joker may stand for is not decided here: features say what the natural cards are and how
many jokers are there. Runs and flushes use them, which bugs and fully wild jokers do alike.
"""

from collections import defaultdict
from itertools import combinations
from math import comb

from certify.kernels.partition.classes import (
    COLOUR_BITS,
    GROUPS,
    MULTISET,
    Ways,
    flush_sizes,
    flushes,
    rank_classes,
)
from certify.kernels.partition.features import PLACE, HandFeatures, unpack
from certify.kernels.partition.shape import COUNT_BITS, Shape


def count_features(shape: Shape, *, colour: bool, asked: int = 0) -> dict[HandFeatures, int]:
    """Count all hands by what they hold; the counts sum to C(cards of the deck, cards of a hand).

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
        codes, weights = rank_classes(shape, ways, joker, asked)
        _take_flushes(shape, ways, joker, codes, weights, counts)
        for multiset, weight in weights.items():
            counts[codes[multiset]] += weight
    return _unpacked(counts, colour=colour)


def _take_flushes(
    shape: Shape,
    ways: Ways,
    joker: int,
    codes: dict[int, int],
    weights: dict[int, int],
    counts: defaultdict[int, int],
) -> None:
    """Count every flush class and take its weight off its rank class."""
    dealt = comb(shape.joker, joker)
    for suited, others in flush_sizes(shape, joker):
        beside = [
            (item & MULTISET, dealt * ways.beside(suited, _counts(item))) for item, _ in others
        ]
        pairs = _suited_pairs(shape.ranks) if shape.hand - joker - suited == 2 else ()
        pair_weight = dealt * ways.suited_pair(suited)
        for _, flush, code in flushes(shape, joker, suited):
            for other, weight in beside:
                multiset = flush + other
                weights[multiset] -= weight
                counts[codes[multiset] + code] += weight
            if code >> PLACE["royal"]:
                for other, kind in pairs:
                    plain = codes[flush + other] + code
                    counts[plain] -= pair_weight
                    counts[plain + (kind << PLACE["suited_pair"])] += pair_weight


def _counts(item: int) -> tuple[int, ...]:
    """Return the sizes of an item's groups of equal rank."""
    return tuple(
        size for size in (1, 2, 3, 4) for _ in range(item >> (GROUPS + 4 * (size - 1)) & 15)
    )


def _suited_pairs(ranks: int) -> tuple[tuple[int, int], ...]:
    """Return the multisets of ace-king, ace-queen and king-queen, and their sets of ranks."""
    return tuple(
        (
            sum(1 << (COUNT_BITS * (ranks - 1 - place)) for place in pair),
            sum(1 << place for place in pair),
        )
        for pair in combinations(range(3), 2)
    )


def _unpacked(counts: dict[int, int], *, colour: bool) -> dict[HandFeatures, int]:
    """Return the counts by features, one for each number of red cards."""
    counted: dict[HandFeatures, int] = {}
    for code, weight in counts.items():
        features = unpack(code)
        reds = range(-(-weight.bit_length() // COLOUR_BITS)) if colour else (0,)
        for red in reds:
            count = weight >> (COLOUR_BITS * red) & ((1 << COLOUR_BITS) - 1) if colour else weight
            if count:
                counted[features._replace(red=red)] = count
    return counted
