"""What a winning hand is paid: an amount and its basis."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from certify.formatting import exact_percentage


class Basis(StrEnum):
    """What the printed odds say about the stake."""

    TO = "to"
    """The stake is returned beside the pay: a net win of the amount."""

    FOR = "for"
    """The stake is kept by the house: a net win of the amount less the stake."""

    PUSH = "push"
    """The stake is returned and nothing is paid."""

    LOSS = "loss"
    """The stake is lost: the row is printed to say so."""

    METER = "meter"
    """A share of a progressive meter, for the stake: the stake is not returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    """An amount per unit staked with its basis; for ``METER`` the share of the meter ``meter``.

    A meter beside any other pay is kept as it was declared, and is a finding.
    """

    basis: Basis
    amount: Fraction = Fraction(0)
    meter: str | None = None

    @property
    def net(self) -> Fraction:
        """The player's net result per unit staked; the meter's own amount is left out."""
        if self.basis is Basis.TO:
            return self.amount
        if self.basis is Basis.FOR:
            return self.amount - 1
        return Fraction(0) if self.basis is Basis.PUSH else Fraction(-1)

    def __str__(self) -> str:
        """The trade's words: ``50 to 1``, ``3 to 2``, ``push``, ``100% of meter 1``."""
        if self.basis in (Basis.TO, Basis.FOR):
            return f"{self.amount.numerator} {self.basis} {self.amount.denominator}"
        if self.basis is Basis.METER:
            return f"{exact_percentage(self.amount)} of meter {self.meter}"
        return str(self.basis)
