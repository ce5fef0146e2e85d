"""The dimensions of a deck and a hand, which everything about hands rests on."""

from math import comb
from typing import Final, NamedTuple

from certify.errors import NotConfigured

COUNT_BITS: Final = 4
"""Bits for the cards of one rank in a packed rank multiset, the lowest rank in the lowest bits."""

FIVE_CARD_ORDER: Final = 0xA9876543210
"""Every category of `ranking` in its own place: the order of a five-card hand."""


class Shape(NamedTuple):
    """The dimensions of a deck and a hand, and the rules that decide a rank.

    Attributes:
        ranks: number of ranks, 3 to 13; the highest ones of the thirteen.
        joker: how many jokers the deck holds beside its four suits: none, one or two.
        hand: cards dealt to a hand.
        front: cards of the front, 0 to 2; the others are the back. A hand that is not divided has
            no front.
        wild: the joker is fully wild; otherwise it is a bug.
        low_wheel: the wheel is the lowest straight; otherwise the second highest.
        joker_beats_ace: in a one-card front the joker ranks above the ace.
        order: the order of the categories of a back, see `ranking.order_of`.
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
        """Cards of the back, which is also what a straight or a flush needs."""
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
                remedy=f"Deal fewer cards, or take {'a' if self.joker > 1 else 'the'} joker out.",
            )
