"""Count the hands of a shoe of several decks by their features, or of one deck by its suits.

A hand is a multiset of cards: m copies of a card can be dealt in C(decks, m) ways. Hands with equal
group sizes, in the order of their ranks, have the same ways to choose suits. The suits are
therefore chosen once for each list of sizes and combined with every rank class of these sizes.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import product
from math import comb, prod
from typing import Final

from certify.kernels.classes import plain_flush, rank_classes, straight_flush
from certify.kernels.features import COUNT_BITS, PLACE, Shape

SUITS: Final = 4
SUIT_BITS: Final = 3
RED: Final = (1, 2)
"""The places of diamonds and hearts among the suits."""


def count_shoe(shape: Shape, decks: int, *, read: int, asked: int = 0) -> dict[int, int]:
    """Count all hands of a shoe by the bits ``read`` of the code of their features.

    The sum is C(cards of the shoe, of a hand). ``asked`` has all bits of the ranks whose cards are
    counted, four bits a rank. The deck has no joker, and a hand has at most six cards.

    Raises:
        NotConfigured: the deck cannot be counted (see `Shape.check`).
    """
    shape.check()
    counts: defaultdict[int, int] = defaultdict(int)
    largest = min(shape.hand, SUITS * decks)
    for multiset, code in rank_classes(shape, 0, asked, largest=largest).items():
        ranks = [rank for rank in range(shape.ranks) if _held(multiset, rank)]
        sizes = tuple(_held(multiset, rank) for rank in ranks)
        for (suited, added), ways in _choose_suits(sizes, decks, shape).items():
            held = sum(1 << rank for place, rank in enumerate(ranks) if suited >> place & 1)
            straight = straight_flush(shape, 0, held) if suited else 0
            counts[(code + added + straight) & read] += ways
    return dict(counts)


def _held(multiset: int, rank: int) -> int:
    return multiset >> (COUNT_BITS * rank) & 15


@cache
def _choose_suits(
    sizes: tuple[int, ...], decks: int, shape: Shape
) -> Mapping[tuple[int, int], int]:
    """Return the ways to choose the suits of groups of equal rank.

    A key is the set of the groups with a card in the suit of a flush, and the code of the suits
    without that of a straight flush.
    """
    found: Counter[tuple[int, int]] = Counter()
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
        found[suited, code] += prod(comb(decks, n) for share in choice for n in share)
    return found


@cache
def _shares(cards: int, decks: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to take cards of one rank from the four suits: how many of each."""
    each = range(min(cards, decks) + 1)
    return tuple(share for share in product(each, repeat=SUITS) if sum(share) == cards)
