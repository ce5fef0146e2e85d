"""What many rounds of a wager come to: exact moments, and for few rounds the exact distribution."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor, gcd, isqrt

from certify.errors import InvariantBroken
from certify.model.analysis import LEVELS, Analysis

WORK = 400_000_000
"""Digits of 30 bits that a distribution may take to count: about three seconds."""

DIGIT = 30
"""Bits of a digit of Python's whole numbers."""

EACH, TOGETHER = Fraction(4748, 10_000), Fraction(56, 100)
"""The constants of the Berry-Esseen theorem for equal and for unequal summands.

Sources: I. G. Shevtsova, On the absolute constants in the Berry-Esseen type inequalities for
identically distributed summands (2011), and An improvement of convergence rate estimates in the
Lyapunov theorem (2010).
"""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How a round of one unit can end: hands by the player's net result."""

    hands: Mapping[Fraction, int]

    @property
    def total(self) -> int:
        """All hands."""
        return sum(self.hands.values())

    @property
    def mean(self) -> Fraction:
        """The player's expected net result: the house edge with its sign turned."""
        return sum((net * hands for net, hands in self.hands.items()), Fraction(0)) / self.total

    def moment(self, power: int) -> Fraction:
        """Return the absolute central moment of a power."""
        mean = self.mean
        parts = (abs(net - mean) ** power * hands for net, hands in self.hands.items())
        return sum(parts, Fraction(0)) / self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """The exact distribution of the player's result of some rounds, in units wagered.

    ``chance`` is that of a result as far from the mean as the given one, either way. ``bands`` are
    the results, by `LEVELS`, below and above which lie at most half of what is left each.
    """

    chance: Fraction
    bands: Mapping[int, tuple[Fraction, Fraction]]


def outcomes_of(analysis: Analysis) -> Outcomes:
    """Return how a round of an analyzed wager can end; every row of one has one net result.

    Raises:
        InvariantBroken: what the rows come to is not the edge and the variance of the analysis.
    """
    hands: dict[Fraction, int] = {}
    for row in analysis.rows:
        if row.combinations:
            net = row.contribution / row.probability
            hands[net] = hands.get(net, 0) + row.combinations
    outcomes = Outcomes(hands)
    if (-outcomes.mean, outcomes.moment(2)) != (analysis.house_edge, analysis.variance):
        raise InvariantBroken(f"The rows of {analysis.target} do not give its edge and variance.")
    return outcomes


def summed(outcomes: Outcomes, rounds: int, result: Fraction) -> Sum | None:
    """Return the distribution of the sum of independent rounds; None where it is too long to count.

    The ways to each sum are the coefficients of a power of a polynomial. Each follows from those
    before it by the recurrence of J. C. P. Miller (D. E. Knuth, The Art of Computer Programming,
    volume 2, section 4.7), in whole numbers and without rounding.

    Args:
        outcomes: how one round can end.
        rounds: how many there are.
        result: the player's result that is asked about, in units wagered.
    """
    lowest = min(outcomes.hands)
    steps = [net - lowest for net in outcomes.hands if net != lowest]
    unit = _common(steps)
    common = gcd(*outcomes.hands.values())
    ways = {int((net - lowest) / unit): hands // common for net, hands in outcomes.hands.items()}
    middle = (outcomes.mean - lowest) * rounds / unit
    off = abs((result - lowest * rounds) / unit - middle)
    most = max(ways) * rounds
    spread = outcomes.moment(2) * rounds / unit**2
    needed = min(most, ceil(middle + off))
    reach = max(needed, min(most, ceil(middle) + 4 * (isqrt(ceil(spread)) + 1)))
    digits = rounds * sum(ways.values()).bit_length() // DIGIT + 1
    if reach * len(ways) * digits > WORK:
        return None
    whole = sum(ways.values()) ** rounds
    below = _cumulated(ways, rounds, needed, whole)
    low, high = floor(middle - off), min(most, ceil(middle + off) - 1)
    nearer = below[high] - (below[low] if low >= 0 else 0) if off and high >= 0 else 0
    return Sum(
        chance=1 - Fraction(nearer, whole),
        bands={
            level: tuple(  # type: ignore[misc]
                lowest * rounds + unit * bisect_left(below, share * whole)
                for share in (Fraction(100 - level, 200), Fraction(100 + level, 200))
            )
            for level in LEVELS
        },
    )


def _common(steps: list[Fraction]) -> Fraction:
    """Return the greatest unit that every step is a whole number of."""
    unit = Fraction(0)
    for step in steps:
        numerator = gcd(unit.numerator * step.denominator, step.numerator * unit.denominator)
        unit = Fraction(numerator, unit.denominator * step.denominator)
    return unit


def _cumulated(ways: Mapping[int, int], rounds: int, needed: int, whole: int) -> list[int]:
    """Return the ways to at most 0, 1, … units above the least sum, as far as is asked about."""
    first = ways[0]
    others = sorted((step, hands) for step, hands in ways.items() if step)
    counts = [first**rounds]
    total = counts[0]
    enough = whole * (100 + max(LEVELS)) // 200 + 1
    while len(counts) <= needed or total < enough:
        place = len(counts)
        value = sum(
            (step * (rounds + 1) - place) * hands * counts[place - step]
            for step, hands in others
            if step <= place
        )
        counts.append(value // (place * first))
        total += counts[-1]
    return list(accumulate(counts))
