"""The lowest hands with which a raise is made in optimal play."""

from fractions import Fraction

from msgspec import Struct


class BoundaryHand(Struct, frozen=True, kw_only=True):
    """The lowest hand from which every hand is played by an action, or by one of a larger size.

    ``hand`` is in words and empty if there is none, ``ranks`` as in Q-6-4 if nothing is made of the
    cards. ``hands`` are those from there up.
    """

    action: str
    hand: str
    ranks: str
    hands: int


class Boundary(Struct, frozen=True, kw_only=True):
    """The lowest hand for each raise, in the order of the option's actions.

    ``cost`` is what it costs to play by these hands alone instead of optimally, per unit wagered.
    ``seen``: hands are counted once with each card of the dealer that the player sees.
    ``cheapest`` are the hands by which play costs least, ``least_cost``.
    """

    hands: tuple[BoundaryHand, ...]
    cost: Fraction
    cheapest: tuple[BoundaryHand, ...]
    least_cost: Fraction
    seen: bool = False
