"""Results of a casino floor, and what they are against the exact distribution of their wager."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from certify.model.game import Strategy

LEVELS = (95, 99)
"""The bands, in percent of all floors with so many rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One line of results: ``won`` is what the house has won. Money in cents.

    ``name`` tells lines of one target apart; ``rounds`` counts single wagers.
    """

    line: int
    target: str
    name: str
    rounds: int
    wagered: Fraction
    won: Fraction


class Method(StrEnum):
    """How a chance was found."""

    EXACT = "exact"
    """The distribution of the rounds' sum, counted in whole numbers."""

    NORMAL = "normal"
    """The normal distribution, with a bound of its error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitored:
    """Results, or the total of several, against what was to be expected. Money in cents.

    ``variance`` is in square cents. ``chance`` is that of a result as far off, either way, and
    ``bands`` are the wins that a share of all floors has, by `LEVELS`; both only where they are
    exact. ``error_squared`` is the square of how far the normal distribution can be off at any
    point; nought where it was not used. ``play`` is what the player of a main wager is expected
    to do, and by which house way hands are set.
    """

    name: str
    target: str
    rounds: int
    wagered: Fraction
    won: Fraction
    expected: Fraction
    variance: Fraction
    method: Method
    chance: Fraction | None = None
    bands: Mapping[int, tuple[Fraction, Fraction]] = field(default_factory=dict)
    error_squared: Fraction = Fraction(0)
    play: tuple[Strategy, str] | None = None

    @property
    def z_squared(self) -> Fraction:
        """The square of the distance in standard deviations."""
        return (self.won - self.expected) ** 2 / self.variance


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    """Every line of the results; ``total`` where there are several."""

    lines: tuple[Monitored, ...]
    total: Monitored | None = None
