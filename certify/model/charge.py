"""What the house takes beside its advantage: a commission on winnings, a fee for each round."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor, lcm

from certify.formatting import exact_percentage, money
from certify.model.source import Source

HALF = Fraction(1, 2)


class Rounding(StrEnum):
    """How an amount between two multiples of a unit is rounded."""

    UP = "up"
    DOWN = "down"
    NEAREST = "nearest"
    """To the nearest multiple, from halfway up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """A share of winnings kept by the house; ``prepaid`` posts it beside the wager instead.

    Prepaid: the player stakes 1 + rate, wins 1, loses 1 + rate. Per unit of total stake.

    ``unit_cents`` is the unit that the amount is rounded to, as ``rounding`` says; exact if None.
    ``minimum_cents`` is the least that is taken.
    """

    rate: Fraction
    prepaid: bool = False
    unit_cents: int | None = None
    rounding: Rounding = Rounding.UP
    minimum_cents: int | None = None

    @property
    def exact(self) -> bool:
        """Whether the same share is taken whatever the amount."""
        return self.unit_cents is None and self.minimum_cents is None

    def taken(self, cents: Fraction) -> Fraction:
        """Return what is taken of an amount, both in cents."""
        share = self.rate * cents
        if self.unit_cents is not None:
            units = share / self.unit_cents
            whole = {
                Rounding.UP: ceil(units),
                Rounding.DOWN: floor(units),
                Rounding.NEAREST: floor(units + HALF),
            }[self.rounding]
            share = Fraction(whole * self.unit_cents)
        return max(share, Fraction(self.minimum_cents or 0))

    def exact_from(self, pays: Iterable[Fraction]) -> int:
        """Return the least wager in cents of whose winnings at these pays no rounding is taken."""
        shares = [self.rate * net for net in pays]
        unit = self.unit_cents or 1
        steps = [(share / unit).denominator for share in shares] if self.unit_cents else [1]
        least = max((Fraction(self.minimum_cents or 0) / share for share in shares), default=1)
        return lcm(*steps) * max(1, ceil(Fraction(least) / lcm(*steps)))

    def __str__(self) -> str:
        """Return the share and how it is rounded: ``5% rounded up to $0.25``."""
        words = exact_percentage(self.rate)
        if self.unit_cents is not None:
            nearest = self.rounding is Rounding.NEAREST
            how = "to the nearest" if nearest else f"{self.rounding} to"
            words += f" rounded {how} {money(self.unit_cents)}"
        if self.minimum_cents is not None:
            words += f", at least {money(self.minimum_cents)}"
        return words


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeBand:
    """The fee of wagers of ``from_cents`` and more, up to the next band."""

    from_cents: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionFee:
    """A fixed fee that a player pays in every round, whatever its outcome, by the wager.

    It is no part of the wager and is never returned. ``bands`` rise.
    """

    bands: tuple[FeeBand, ...]
    text: str
    source: Source

    def of(self, wager_cents: int) -> int | None:
        """Return the fee of a wager, both in cents; None below the first band."""
        fees = [band.cents for band in self.bands if band.from_cents <= wager_cents]
        return fees[-1] if fees else None
