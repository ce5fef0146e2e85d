"""Dimensions of a deck and a hand, features of a hand as an integer code, and keys of set hands.

Keys. A greater key is a better hand, for backs and fronts alike. A key is `category << 20` plus
five digits of four bits, the most significant digit first. A digit is a rank counted from 1 (the
lowest rank of the deck) to `ranks` (the ace); an absent digit is 0. Digits list the groups of equal
rank, larger groups first, then higher ranks. Backs and fronts use one number space, so a split is
foul exactly if its back key is less than its front key: a shorter hand has zeros for the cards that
it does not have.

Deck. Ranks are numbered 0 (lowest) to `ranks - 1` (ace); a smaller deck keeps the *highest* ranks,
so six ranks are 9, 10, J, Q, K, A. A straight or a flush needs the whole back (`size` cards, 3 to
5). The wheel is the ace with the `size - 1` lowest ranks of the deck (A-2-3-4-5 on thirteen ranks,
A-9-10-J-Q on six). A straight's digit is its top rank counted from 1, except: ace high is
`ranks + 1`, and the wheel is `ranks` (second highest) or `size - 1` (lowest).

Jokers. A *bug* is an ace, or completes a straight, flush, straight flush or royal flush. *Fully
wild* is any card not in the set hand, and completes five of a kind. In a flush, jokers are the
highest ranks missing. A joker alone in a one-card front is an ace, or beats one (`joker_beats_ace`,
digit `ranks + 1`): a player's joker then beats a dealer's ace. A player's ace against a dealer's
joker does not win in either case, because the dealer wins ties. For the foul rule the joker is
always an ace: an ace-high back is no foul with a joker in front.

Order. If a game ranks the categories differently, as three-card poker does, the category of a
back's key is its place in the game's `order`: four bits for each category, see `pack_order`.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import comb
from typing import Final, NamedTuple

from certify.errors import NotConfigured

COUNT_BITS: Final = 4
"""Bits for the cards of one rank in a packed rank multiset, the lowest rank in the lowest bits."""

LABEL_BITS: Final = 3
LABELS: Final = 1 << LABEL_BITS
"""Labels of a dealer's hand in one play. A sum of several plays has more, in more bits."""

FIVE_CARD_ORDER: Final = 0xA9876543210
"""Every category of `ranking` in its own place: the order of a five-card hand."""


class Shape(NamedTuple):
    """The dimensions of a deck and a hand, and the rules that decide a rank.

    Attributes:
        ranks: number of ranks, 3 to 13; the highest ones of the thirteen.
        joker: number of jokers in the deck, in addition to its four suits: 0, 1 or 2.
        hand: cards dealt to a hand.
        front: cards of the front, 0 to 2; the others are the back. A hand that is not divided has
            no front.
        wild: the joker is fully wild; otherwise it is a bug.
        low_wheel: the wheel is the lowest straight; otherwise the second highest.
        joker_beats_ace: in a one-card front the joker ranks above the ace.
        order: the order of the categories of a back, see `pack_order`.
    """

    ranks: int = 13
    joker: int = 1
    hand: int = 7
    front: int = 2
    wild: bool = False
    low_wheel: bool = False
    joker_beats_ace: bool = False
    order: int = FIVE_CARD_ORDER

    @property
    def back(self) -> int:
        """The number of cards of the high hand, which a straight or a flush also needs."""
        return self.hand - self.front

    @property
    def cards(self) -> int:
        """Cards of the deck; card `4 * rank + suit`, and the jokers are the last."""
        return 4 * self.ranks + self.joker

    @property
    def pairs(self) -> int:
        """Ordered pairs of disjoint hands."""
        return comb(self.cards, self.hand) * comb(self.cards - self.hand, self.hand)

    def check(self) -> None:
        """Raise `NotConfigured` unless at most one suit can hold a flush."""
        if not 3 <= self.ranks <= 13 or not 1 <= self.hand <= 7:
            raise NotConfigured(
                f"A deck of {self.ranks} ranks and hands of {self.hand} cards cannot be counted.",
                remedy="Use 3 to 13 ranks and hands of 1 to 7 cards.",
            )
        if not min(3, max(self.hand, 2)) <= self.back <= min(5, self.ranks, self.hand):
            raise NotConfigured(
                f"A complete hand of {self.back} cards cannot be counted with {self.ranks} ranks.",
                remedy="Use complete hands of 3 to 5 cards, or of two where two are dealt, and at "
                "least as many ranks and cards.",
            )
        if max(self.joker + 1, 2 * self.back - self.joker) <= self.hand:
            raise NotConfigured(
                f"With {self.hand} cards two suits could hold a flush of {self.back} at once.",
                remedy=f"Set `back` to {(self.hand + self.joker) // 2 + 1} or more, or deal fewer "
                "cards.",
            )


# The bits of a code's fields, lowest first; those of a flush are above the rest of its suit.
BITS: Final = {
    "joker": 2, "aces": 3, "jacks": 3, "top": 4, "top_pair": 4, "straight": 3,
    "natural_straight": 3, "flush": 3, "natural_flush": 3, "straight_flush": 3,
    "natural_straight_flush": 3, "natural_royal": 1, "natural_wheel": 1, "royal": 1, "wheel": 1,
    "suited_pair": 3, "groups": 16, "counts": 52, "red": 3, "more_groups": 8, "same_card": 3,
    "suits": 12,
}  # fmt: skip
PLACE: Final = dict(zip(BITS, accumulate(BITS.values(), initial=0), strict=False))
EVERY_RANK: Final = (1 << BITS["counts"]) - 1


class HandFeatures(NamedTuple):
    """Features of a hand.

    ``joker`` is the number of jokers. ``groups`` counts natural ranks by size, four bits a size:
    ranks held once in the lowest four bits, ranks held four times in the highest. ``top`` and
    ``top_pair`` are ranks from 1, of the highest natural card and the highest natural rank held
    twice. Lengths are 0 below a complete hand; the natural ones are those of the natural cards,
    without jokers. ``suited_pair`` is the set of ranks below the ace (bit 0 ace, 1 king, 2
    queen) held by the two further cards in one other suit. ``counts`` has the natural cards of
    each requested rank, four bits a rank, and ``red`` counts red cards; both are 0 if they were
    not requested.

    The last fields are 0 unless hands are counted card by card (`count_shoe`).
    ``more_groups`` continues ``groups``: ranks held five and six times. ``same_card`` is the most
    copies of one card. ``suits`` counts the cards of each suit, three bits a suit.
    """

    joker: int
    groups: int
    aces: int
    jacks: int
    top: int
    top_pair: int
    straight: int
    natural_straight: int
    flush: int
    natural_flush: int
    straight_flush: int
    natural_straight_flush: int
    royal: int
    natural_royal: int
    natural_wheel: int
    wheel: int
    suited_pair: int
    counts: int
    red: int
    more_groups: int = 0
    same_card: int = 0
    suits: int = 0


_FIELDS: Final = [(PLACE[name], (1 << BITS[name]) - 1) for name in HandFeatures._fields]


def fields(names: Iterable[str]) -> int:
    """Return all bits of some fields of a code."""
    return sum(((1 << BITS[name]) - 1) << PLACE[name] for name in set(names))


def unpack(code: int) -> HandFeatures:
    """Return the features of a code."""
    return HandFeatures(*[code >> place & every for place, every in _FIELDS])


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


def pack_order(lowest_first: Sequence[int]) -> int:
    """Pack an order of categories; a royal flush is the highest straight flush.

    A category that is not named has a place above all others: no hand is of it.
    """
    kinds: list[int] = []
    for kind in lowest_first:
        kinds += [kind, ROYAL_FLUSH] if kind == STRAIGHT_FLUSH else [kind]
    places = [kinds.index(kind) if kind in kinds else 15 for kind in range(FIVE_OF_A_KIND + 1)]
    return sum(place << (ORDER_BITS * kind) for kind, place in enumerate(places))


def reorder_category(key: int, order: int) -> int:
    """Return the category of a high hand's key in a game with a special ranking."""
    place = key >> CATEGORY_SHIFT
    kinds = range(FIVE_OF_A_KIND + 1)
    return next(kind for kind in kinds if (order >> (ORDER_BITS * kind)) & 15 == place)


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


def reorder_key(kind: int, digits: int, order: int) -> int:
    """Return the key of a category with its digits in an order of categories."""
    return (((order >> (ORDER_BITS * kind)) & 15) << CATEGORY_SHIFT) | digits


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
    """Return the key of a high hand.

    Args:
        counts: the natural cards' rank multiset, packed four bits a rank.
        jokers: how many of them the back holds.
        suited: 1 if all its natural cards are of one suit.
        ranks: ranks of the deck.
        size: number of cards, jokers included.
        wild: 1 if jokers are fully wild.
        low_wheel: 1 if the wheel is the lowest straight.
        order: of the categories, see `pack_order`.
    """
    mask = 0
    distinct = 0
    for rank in range(ranks):
        if (counts >> (COUNT_BITS * rank)) & 15:
            mask |= 1 << rank
            distinct += 1
    every = (1 << CATEGORY_SHIFT) - 1
    key = group_key(add_jokers(counts, jokers, ranks, wild), ranks)
    key = reorder_key(key >> CATEGORY_SHIFT, key & every, order)
    if distinct + jokers < size:
        return key
    digit = straight_digit(mask, ranks, size, low_wheel)
    if digit > 0 and not suited:
        key = max(key, reorder_key(STRAIGHT, digit << (CATEGORY_SHIFT - 4), order))
    elif digit > 0:
        kind = ROYAL_FLUSH if digit == ranks + 1 else STRAIGHT_FLUSH
        key = max(key, reorder_key(kind, digit << (CATEGORY_SHIFT - 4), order))
    elif suited:
        missing = ranks - 1
        for _ in range(jokers):
            while (mask >> missing) & 1:
                missing -= 1
            counts += 1 << (COUNT_BITS * missing)
            missing -= 1
        key = max(key, reorder_key(FLUSH, group_key(counts, ranks) & every, order))
    return key


def front_key(counts: int, jokers: int, ranks: int, wild: int) -> int:
    """Return the key of a low hand of one or two cards, a lone joker counting as an ace.

    Args:
        counts: the natural cards' rank multiset, packed four bits a rank.
        jokers: how many of them the front holds.
        ranks: ranks of the deck.
        wild: 1 if jokers are fully wild.
    """
    return group_key(add_jokers(counts, jokers, ranks, wild), ranks)


def lone_joker_key(ranks: int, joker_beats_ace: int) -> int:
    """Return the key of a one-card low hand that is the joker, to compare with the dealer's."""
    return (ranks + joker_beats_ace) << (CATEGORY_SHIFT - 4)
