"""Integer keys of set hands: a greater key is a better hand, for backs and fronts alike.

A key is `category << 20` plus five digits of four bits, the most significant digit first. A digit
is a rank counted from 1 (the lowest rank of the deck) to `ranks` (the ace); an absent digit is 0.
Digits run through the groups of equal rank, larger groups first, then higher ranks. Back and front
use one number space, so a split is foul exactly if its back key is less than its front key:
a shorter hand has zeros where the longer one still has cards.

Deck. Ranks are numbered 0 (lowest) to `ranks - 1` (ace); a smaller deck keeps the *highest* ranks,
so six ranks are 9, 10, J, Q, K, A. A straight or a flush needs the whole back (`size` cards, 3 to
5). The wheel is the ace with the `size - 1` lowest ranks of the deck (A-2-3-4-5 on thirteen ranks,
A-9-10-J-Q on six). A straight's digit is its top rank counted from 1, except: ace high is
`ranks + 1`, and the wheel is `ranks` (second highest) or `size - 1` (lowest).

Jokers. A *bug* is an ace, or completes a straight, flush, straight flush or royal flush. *Fully
wild* is any card not in the set hand, and completes five of a kind. In a flush they are the highest
ranks missing. Alone in a one-card front it is an ace, or beats one (`joker_beats_ace`, digit
`ranks + 1`): a player's joker then beats a dealer's ace, and a player's ace against a dealer's
joker does not win, which a tie would not do either, as the dealer wins ties. For the foul rule the
joker is an ace in any case: an ace-high back may stand behind a joker.

Order. Where a game ranks the categories otherwise, as three-card poker does, the category of a
back's key is its place in the game's `order`: four bits a category, see `order_of`.
"""

from collections.abc import Sequence
from typing import Final

from certify.kernels.compiled import compiled
from certify.kernels.partition.shape import COUNT_BITS

HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8
ROYAL_FLUSH: Final = 9
FIVE_OF_A_KIND: Final = 10

CATEGORY_SHIFT: Final = 20
ORDER_BITS: Final = 4
"""Bits for the place of one category in an order, the lowest category in the lowest bits."""

TRIPLE: Final = 3
QUADRUPLE: Final = 4
QUINTUPLE: Final = 5


def category(key: int) -> int:
    """Return the category of a key (such as `FULL_HOUSE`); arrays of keys work too."""
    return key >> CATEGORY_SHIFT


def order_of(lowest_first: Sequence[int]) -> int:
    """Pack an order of categories; a royal flush is the highest straight flush.

    A category that is not named has a place above all others: no hand is of it.
    """
    kinds: list[int] = []
    for kind in lowest_first:
        kinds += [kind, ROYAL_FLUSH] if kind == STRAIGHT_FLUSH else [kind]
    places = [kinds.index(kind) if kind in kinds else 15 for kind in range(FIVE_OF_A_KIND + 1)]
    return sum(place << (ORDER_BITS * kind) for kind, place in enumerate(places))


def ranked_as(key: int, order: int) -> int:
    """Return the category of a back's key in a game with an order of its own."""
    place = key >> CATEGORY_SHIFT
    kinds = range(FIVE_OF_A_KIND + 1)
    return next(kind for kind in kinds if (order >> (ORDER_BITS * kind)) & 15 == place)


@compiled
def group_key(counts: int, ranks: int) -> int:
    """Return the key of a packed rank multiset by its groups of equal rank alone."""
    digits = 0
    shift = CATEGORY_SHIFT
    first = 0
    second = 0
    sizes = 0
    for rank in range(ranks):
        sizes |= 1 << ((counts >> (COUNT_BITS * rank)) & 15)
    for group in range(QUINTUPLE, 0, -1):
        if (sizes >> group) & 1 == 0:
            continue
        for rank in range(ranks - 1, -1, -1):
            if (counts >> (COUNT_BITS * rank)) & 15 == group:
                shift -= 4
                digits |= (rank + 1) << shift
                if first == 0:
                    first = group
                elif second == 0:
                    second = group
    kind = HIGH_CARD
    if first == QUINTUPLE:
        kind = FIVE_OF_A_KIND
    elif first == QUADRUPLE:
        kind = FOUR_OF_A_KIND
    elif first == TRIPLE:
        kind = FULL_HOUSE if second > 1 else THREE_OF_A_KIND
    elif first == 2:
        kind = TWO_PAIR if second > 1 else PAIR
    return (kind << CATEGORY_SHIFT) | digits


@compiled
def add_jokers(counts: int, jokers: int, ranks: int, wild: int) -> int:
    """Return the multiset with the jokers as aces or, fully wild, in the best group."""
    best = ranks - 1
    if wild:
        most = 0
        for rank in range(ranks):
            count = (counts >> (COUNT_BITS * rank)) & 15
            if count > 0 and count >= most:
                most = count
                best = rank
    return counts + (jokers << (COUNT_BITS * best))


@compiled
def straight_digit(mask: int, ranks: int, size: int, low_wheel: int) -> int:
    """Return the digit of the best straight that holds all ranks of `mask`, 0 if none does."""
    digit = 0
    wheel = (1 << (ranks - 1)) | ((1 << (size - 1)) - 1)
    if mask & ~wheel == 0:
        digit = size - 1 if low_wheel else ranks
    for top in range(size - 1, ranks):
        window = ((1 << size) - 1) << (top - size + 1)
        if mask & ~window == 0:
            digit = max(digit, ranks + 1 if top == ranks - 1 else top + 1)
    return digit


@compiled
def placed(kind: int, digits: int, order: int) -> int:
    """Return the key of a category with its digits in an order of categories."""
    return (((order >> (ORDER_BITS * kind)) & 15) << CATEGORY_SHIFT) | digits


@compiled
def back_key(
    counts: int,
    jokers: int,
    suited: int,
    ranks: int,
    size: int,
    wild: int,
    low_wheel: int,
    order: int,
) -> int:
    """Return the key of a back.

    Args:
        counts: the natural cards' rank multiset, packed four bits a rank.
        jokers: how many of them the back holds.
        suited: 1 if all its natural cards are of one suit.
        ranks: ranks of the deck.
        size: number of cards, jokers included.
        wild: 1 if jokers are fully wild.
        low_wheel: 1 if the wheel is the lowest straight.
        order: of the categories, see `order_of`.
    """
    mask = 0
    distinct = 0
    for rank in range(ranks):
        if (counts >> (COUNT_BITS * rank)) & 15:
            mask |= 1 << rank
            distinct += 1
    every = (1 << CATEGORY_SHIFT) - 1
    key = group_key(add_jokers(counts, jokers, ranks, wild), ranks)
    key = placed(key >> CATEGORY_SHIFT, key & every, order)
    if distinct + jokers < size:
        return key
    digit = straight_digit(mask, ranks, size, low_wheel)
    if digit > 0 and not suited:
        key = max(key, placed(STRAIGHT, digit << (CATEGORY_SHIFT - 4), order))
    elif digit > 0:
        kind = ROYAL_FLUSH if digit == ranks + 1 else STRAIGHT_FLUSH
        key = max(key, placed(kind, digit << (CATEGORY_SHIFT - 4), order))
    elif suited:
        missing = ranks - 1
        for _ in range(jokers):
            while (mask >> missing) & 1:
                missing -= 1
            counts += 1 << (COUNT_BITS * missing)
            missing -= 1
        key = max(key, placed(FLUSH, group_key(counts, ranks) & every, order))
    return key


@compiled
def front_key(counts: int, jokers: int, ranks: int, wild: int) -> int:
    """Return the key of a front of one or two cards, a lone joker counting as an ace.

    Args:
        counts: the natural cards' rank multiset, packed four bits a rank.
        jokers: how many of them the front holds.
        ranks: ranks of the deck.
        wild: 1 if jokers are fully wild.
    """
    return group_key(add_jokers(counts, jokers, ranks, wild), ranks)


@compiled
def lone_joker_key(ranks: int, joker_beats_ace: int) -> int:
    """Return the key of a one-card front that is the joker, for comparison with the dealer's."""
    return (ranks + joker_beats_ace) << (CATEGORY_SHIFT - 4)
