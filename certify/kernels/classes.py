"""Partition all hands into rank and flush classes, and count them by features; shoes.

A **rank class** is a rank multiset with at most four of a rank, and a number of jokers: 67,600
classes of seven cards out of 53. It represents all hands with these ranks, product of C(4, m_r)
hands, *as if flushes did not exist*.

A **flush class** is a set F of ranks in one suit (as many as the back holds, one less with each
joker) and the rank multiset q of the other natural cards, all in the other three suits: 224,653
classes of four times product of C(3, q_r) hands each. Its rank class has F_r + q_r of each rank.
No hand is in two flush classes: `Shape.check` refuses decks where two suits could hold a flush.

A property that depends on ranks and a possible flush alone is therefore known for each hand once it
is known for each class: a hand in a flush class has the value of the flush class, any other hand
the value of its rank class.

A rank multiset is an integer with four bits for each rank, so a flush class finds its rank class by
one addition and one look-up. The number of hands of a rank class with a flush of s cards depends on
the sizes of its groups alone (`Ways.suited`). Ranks are numbered from 0 (lowest) to ``ranks - 1``
(ace). All values are plain Python integers, which load fast; `class_arrays` has arrays of them.

Counting. All hands of rank classes with one code are counted at once, because the code gives the
sizes of their groups. Straight flushes are few; they are first counted as flushes and then
corrected one by one. For colors, a weight is a polynomial in the number of red cards, with its
coefficients packed 64 bits apart into one integer (Kronecker substitution); integer products and
sums are those of the polynomials.

Jokers. Features give the natural cards and the number of jokers. Runs and flushes use the jokers in
the same way for bugs and for fully wild jokers.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import Final, NamedTuple

from certify.kernels.features import BITS, COUNT_BITS, PLACE, Shape

COLOUR_BITS: Final = 64
"""Between the coefficients of a polynomial in the number of red cards."""

# An item packs a rank multiset and what is wanted of it, each part a plain sum over the ranks.
HELD: Final = COUNT_BITS * 13  # a bit for each rank that is held
PAIRED: Final = HELD + 13  # a bit for each rank that is held at least twice
GROUPS: Final = PAIRED + 13  # four bits for each size of a group: how many ranks have it
MULTISET: Final = (1 << HELD) - 1
RANKS: Final = (1 << 13) - 1


class Ways(NamedTuple):
    """Ways to deal a class, as numbers or as polynomials in red cards.

    ``any_suit[c]``: c cards of one rank in four suits. ``red_flush[c]`` and ``black_flush[c]``: in
    the three other suits of a red and of a black flush. ``shift`` is the place of one red card:
    bits between coefficients, or 0 where color is not counted and the indeterminate is 1.
    """

    any_suit: tuple[int, ...]
    red_flush: tuple[int, ...]
    black_flush: tuple[int, ...]
    shift: int

    @classmethod
    def build(cls, *, colour: bool) -> "Ways":
        """Return the weights, as polynomials in red cards if ``colour``."""
        shift = COLOUR_BITS if colour else 0

        def ways(reds: int, blacks: int) -> tuple[int, ...]:
            return tuple(
                sum(
                    comb(reds, i) * comb(blacks, count - i) << (shift * i) for i in range(count + 1)
                )
                for count in range(reds + blacks + 1)
            )

        return cls(ways(2, 2), ways(1, 2), ways(2, 1), shift)

    def dealt(self, groups: int) -> int:
        """Return the weight of ranks with the group sizes ``groups``, in any suits."""
        return prod(self.any_suit[size] for size in sizes(groups))

    def flush_weight(self, suited: int, groups: int) -> int:
        """Return the weight of a flush class: ``suited`` flush cards, ``groups`` of other cards.

        Jokers alone are of no suit, and one hand.
        """
        if not suited:
            return 1
        in_red = prod(self.red_flush[size] for size in sizes(groups)) << (self.shift * suited)
        return 2 * in_red + 2 * prod(self.black_flush[size] for size in sizes(groups))

    def suit_weights(self, groups: int) -> list[int]:
        """Return the weights of the hands of a rank class that hold s cards of a suit, by s.

        Where s cards are no flush, several suits may hold as many, and all of them count.
        """
        in_red = self._count_one_suit(groups, self.red_flush, self.shift)
        in_black = self._count_one_suit(groups, self.black_flush, 0)
        return [2 * red + 2 * black for red, black in zip(in_red, in_black, strict=True)]

    def _count_one_suit(self, groups: int, others: Sequence[int], card: int) -> list[int]:
        """Return the coefficients of the product of C(3, c) + x C(3, c - 1) over groups of c."""
        weights = [1]
        for size in sizes(groups):
            without_card, with_card = others[size] if size < 4 else 0, others[size - 1] << card
            weights = [
                fewer * with_card + same * without_card
                for fewer, same in zip([0, *weights], [*weights, 0], strict=True)
            ]
        return weights

    def suited_pair(self, suited: int) -> int:
        """Return the weight of a flush with two given ranks held in one other suit."""
        red_pair, black_pair = 1 << (2 * self.shift), 1
        in_red = (red_pair + 2 * black_pair) << (self.shift * suited)
        return 2 * in_red + 2 * (2 * red_pair + black_pair)


@cache
def longest_runs(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return for every set of ranks its longest run, by the number of jokers that help.

    A run shorter than a complete hand is 0. A joker fills a gap or lengthens the run. The ace is
    high or low, not both in one run.
    """
    longest = [[0] * (1 << shape.ranks) for _ in range(1 + max(shape.joker, 1))]
    places = [1 << (place - 1) % shape.ranks for place in range(shape.ranks + 1)]
    # A set with a longer run is met again later, and its length replaced.
    for length in range(shape.back, min(shape.hand, shape.ranks) + 1):
        for start in range(len(places) - length + 1):
            run = places[start : start + length]
            others = [rank for rank in places[1:] if rank not in run]
            for gaps in range(min(len(longest), length + 1)):
                cards = length - gaps
                masks = list_sets(run, cards)
                with_others = [
                    ranks + more
                    for size in range(shape.hand - cards + 1)
                    for more in list_sets(others, size)
                    for ranks in masks
                ]
                for by_ranks in longest[gaps:]:
                    for ranks in with_others:
                        by_ranks[ranks] = length
    return tuple(map(tuple, longest))


def sizes(groups: int) -> list[int]:
    """Return the sizes of groups of equal rank, from four bits per size for their number."""
    return [size for size in (1, 2, 3, 4) for _ in range(groups >> (4 * (size - 1)) & 15)]


def multisets(ranks: int, most: int, largest: int) -> list[list[int]]:
    """Return by number of cards, up to ``most``, the items of all rank multisets.

    No rank has more than ``largest`` cards.
    """
    by_cards: list[list[int]] = [[0]] + [[] for _ in range(most)]
    for rank in range(ranks):
        steps = [
            count << (COUNT_BITS * rank)
            | 1 << (HELD + rank)
            | (count > 1) << (PAIRED + rank)
            | 1 << (GROUPS + 4 * (count - 1))
            for count in range(1, largest + 1)
        ]
        by_cards = [
            by_cards[cards]
            + [
                item + step
                for step, fewer in zip(steps, reversed(by_cards[:cards]), strict=False)
                for item in fewer
            ]
            for cards in range(most + 1)
        ]
    return by_cards


def rank_classes(
    shape: Shape, joker: int, counted_ranks: int = 0, *, largest: int = 4
) -> dict[int, int]:
    """Return the code of every rank class by its multiset, as if flushes did not exist.

    ``counted_ranks`` has all bits of the ranks whose cards the code is to count. No rank has more
    than ``largest`` cards.
    """
    ace = COUNT_BITS * (shape.ranks - 1)
    jack = COUNT_BITS * (shape.ranks - 4) if shape.ranks >= 4 else GROUPS + 16  # none
    runs, natural = longest_runs(shape)[joker], longest_runs(shape)[0]
    top, straight, natural_straight = PLACE["top"], PLACE["straight"], PLACE["natural_straight"]
    jokers = joker << PLACE["joker"]
    of_ranks = [
        jokers | mask.bit_length() << top | run << straight | without << natural_straight
        for mask, (run, without) in enumerate(zip(runs, natural, strict=True))
    ]
    aces, jacks, top_pair = PLACE["aces"], PLACE["jacks"], PLACE["top_pair"]
    groups, more_groups, counts = PLACE["groups"], PLACE["more_groups"], PLACE["counts"]
    fours = (1 << BITS["groups"]) - 1
    return {
        item & MULTISET: of_ranks[item >> HELD & RANKS]
        | (item >> ace & 15) << aces
        | (item >> jack & 15) << jacks
        | (item >> PAIRED & RANKS).bit_length() << top_pair
        | (item >> GROUPS & fours) << groups
        | item >> GROUPS + BITS["groups"] << more_groups
        | (item & counted_ranks) << counts
        for item in multisets(shape.ranks, shape.hand - joker, largest)[-1]
    }


def flush_sizes(shape: Shape, joker: int) -> list[tuple[int, list[int]]]:
    """Return the possible numbers of suited cards, and the items of the other natural cards."""
    others = multisets(shape.ranks, shape.front, 3)
    return [(shape.hand - joker - cards, items) for cards, items in enumerate(others)]


def rank_sets(ranks: int, size: int) -> list[int]:
    """Return every set of ``size`` ranks, a bit each."""
    return list_sets([1 << rank for rank in range(ranks)], size)


def list_sets(ranks: Sequence[int], size: int) -> list[int]:
    """Return every set of ``size`` of these ranks, a bit each."""
    return [sum(chosen) for chosen in combinations(ranks, size)]


def plain_flush(shape: Shape, joker: int, suited: int) -> int:
    """Return the code that a flush of ``suited`` natural cards adds if it is no straight."""
    alone = suited if suited >= shape.back else 0
    return (suited + joker) << PLACE["flush"] | alone << PLACE["natural_flush"]


def straight_flush(shape: Shape, joker: int, mask: int) -> int:
    """Return the code increment of a set of ranks in one suit for a straight; 0 if none."""
    runs, natural = longest_runs(shape)[joker], longest_runs(shape)[0]
    if not runs[mask]:
        return 0
    back = shape.back
    highest = ((1 << back) - 1) << (shape.ranks - back)
    lowest = 1 << (shape.ranks - 1) | ((1 << (back - 1)) - 1)
    high = (mask & highest).bit_count()
    wheel = mask & lowest == lowest
    return (
        runs[mask] << PLACE["straight_flush"]
        | natural[mask] << PLACE["natural_straight_flush"]
        | (high == back) << PLACE["natural_royal"]
        | (high >= back - joker) << PLACE["royal"]
        | (wheel and not joker) << PLACE["wheel"]
        | wheel << PLACE["natural_wheel"]
    )


def count_features(shape: Shape, *, colour: bool, counted_ranks: int = 0) -> dict[int, int]:
    """Count all hands by the code of their features; the sum is C(cards of the deck, of a hand).

    ``counted_ranks`` has all bits of the ranks whose cards are counted, four bits a rank.

    Counts are Python integers. With color a coefficient is at most the number of all hands,
    below 2^28, so 64 bits hold it.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
    """
    shape.check()
    ways = Ways.build(colour=colour)
    counts: defaultdict[int, int] = defaultdict(int)
    for joker in range(1 + min(shape.joker, shape.hand)):
        codes = rank_classes(shape, joker, counted_ranks)
        _count_ranks(shape, ways, joker, Counter(codes.values()), counts)
        _tell_straight_flushes(shape, ways, joker, codes, counts)
    return (
        {  # polynomials in red cards, as counts by code and number of red cards
            code | red << PLACE["red"]: count
            for code, weight in counts.items()
            for red in range(-(-weight.bit_length() // COLOUR_BITS))
            if (count := weight >> (COLOUR_BITS * red) & ((1 << COLOUR_BITS) - 1))
        }
        if colour
        else {code: hands for code, hands in counts.items() if hands}
    )


def _count_ranks(
    shape: Shape, ways: Ways, joker: int, classes: Counter[int], counts: defaultdict[int, int]
) -> None:
    """Count the hands of rank classes, ``classes`` with each code, by the length of their flush."""
    dealt = comb(shape.joker, joker)
    flushes = [
        (suited, plain_flush(shape, joker, suited)) for suited, _ in flush_sizes(shape, joker)
    ]

    @cache
    def weigh_flushes(groups: int) -> list[tuple[int, int]]:
        """Return the code increment and weight of each length of a flush; no flush adds 0."""
        # Jokers alone are of no suit, and one hand.
        by_suited = ways.suit_weights(groups) if groups else [1]
        flush_hands = [
            (code, by_suited[suited]) for suited, code in flushes if suited < len(by_suited)
        ]
        return [(0, ways.dealt(groups) - sum(weight for _, weight in flush_hands)), *flush_hands]

    place, all_groups = PLACE["groups"], (1 << BITS["groups"]) - 1
    for code, number in classes.items():
        for flush, weight in weigh_flushes(code >> place & all_groups):
            counts[code + flush] += number * dealt * weight


def _tell_straight_flushes(
    shape: Shape, ways: Ways, joker: int, codes: dict[int, int], counts: defaultdict[int, int]
) -> None:
    """Move hands counted as plain flushes to straight flushes, if they are."""
    dealt = comb(shape.joker, joker)
    for suited, others in flush_sizes(shape, joker):
        plain = plain_flush(shape, joker, suited)
        outside = [
            (item & MULTISET, dealt * ways.flush_weight(suited, item >> GROUPS)) for item in others
        ]
        pairs = _suited_pairs(shape.ranks) if shape.hand - joker - suited == 2 else ()
        pair_weight = dealt * ways.suited_pair(suited)
        for mask in rank_sets(shape.ranks, suited):
            straight = straight_flush(shape, joker, mask)
            if not straight:
                continue
            multiset = int(f"{mask:b}", 1 << COUNT_BITS)  # a bit a rank, read as a digit a rank
            for other, weight in outside:
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


SUITS: Final = 4
SUIT_BITS: Final = 3
RED: Final = (1, 2)
"""The places of diamonds and hearts among the suits."""


def count_shoe(shape: Shape, decks: int, *, read: int, counted_ranks: int = 0) -> dict[int, int]:
    """Count all hands of a shoe by the bits ``read`` of the code of their features.

    The sum is C(cards of the shoe, of a hand). ``counted_ranks`` has all bits of the ranks whose
    cards are counted, four bits a rank. The deck has no joker, and a hand has at most six cards.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
    """
    shape.check()
    counts: defaultdict[int, int] = defaultdict(int)
    largest = min(shape.hand, SUITS * decks)
    for multiset, code in rank_classes(shape, 0, counted_ranks, largest=largest).items():
        ranks = [rank for rank in range(shape.ranks) if _count_rank(multiset, rank)]
        sizes = tuple(_count_rank(multiset, rank) for rank in ranks)
        for (suited, added), ways in _choose_suits(sizes, decks, shape).items():
            mask = sum(1 << rank for place, rank in enumerate(ranks) if suited >> place & 1)
            straight = straight_flush(shape, 0, mask) if suited else 0
            counts[(code + added + straight) & read] += ways
    return dict(counts)


def _count_rank(multiset: int, rank: int) -> int:
    return multiset >> (COUNT_BITS * rank) & 15


@cache
def _choose_suits(
    sizes: tuple[int, ...], decks: int, shape: Shape
) -> Mapping[tuple[int, int], int]:
    """Return the ways to choose the suits of groups of equal rank.

    A key is the set of the groups with a card in the suit of a flush, and the code of the suits
    without that of a straight flush.
    """
    weights: Counter[tuple[int, int]] = Counter()
    for choice in product(*(_shares(size, decks) for size in sizes)):
        totals = [sum(column) for column in zip(*choice, strict=True)]
        code = max(map(max, choice)) << PLACE["same_card"]
        code |= sum(totals[suit] for suit in RED) << PLACE["red"]
        code |= sum(n << (SUIT_BITS * suit) for suit, n in enumerate(totals)) << PLACE["suits"]
        suited = 0
        if max(totals) >= shape.back:
            suit = totals.index(max(totals))
            suited = sum(1 << place for place, share in enumerate(choice) if share[suit])
            code |= plain_flush(shape, 0, totals[suit])
        weights[suited, code] += prod(comb(decks, n) for share in choice for n in share)
    return weights


@cache
def _shares(cards: int, decks: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to take cards of one rank from the four suits: how many of each."""
    each = range(min(cards, decks) + 1)
    return tuple(share for share in product(each, repeat=SUITS) if sum(share) == cards)
