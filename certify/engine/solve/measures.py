"""What solutions are ranked by, each exact; the least comes first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from certify.model.solution import By

NOTHING = Fraction(0)

Measure = Callable[[Sequence[int]], Fraction]
"""The values of the unknowns, in their order, to what they are ranked by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A share of all hands, and the net pay there: ``at_nought`` + ``slope`` x the value."""

    probability: Fraction
    at_nought: Fraction
    slope: Fraction = NOTHING

    def net(self, value: int) -> Fraction:
        """Return the net pay where the unknown has a value."""
        return self.at_nought + self.slope * value


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What one unknown moves: its present amount, and the wager's own hands that it pays.

    ``present`` is None for a meter without a stated seed, which no amount is far from.
    ``offset`` is what the amount is above the value: 1 for a pay "for one", which is net.
    """

    present: Fraction | None
    offset: int
    parts: tuple[Part, ...]

    def change(self, value: int) -> Fraction:
        """Return the change relative to the present amount, or to 1 where that is nothing."""
        if self.present is None:
            return NOTHING
        return abs(value + self.offset - self.present) / (self.present or 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payoffs:
    """Everything that a wager pays, as a function of the unknowns' values.

    ``fixed`` are the hands that no unknown moves, ``left_out`` the rows without a place any more.
    ``ladders`` are the pays and the prizes in printed order: an amount, or the place of an unknown.
    """

    unknowns: tuple[Moved, ...]
    fixed: tuple[Part, ...]
    ladders: tuple[tuple[Fraction | int, ...], ...]
    left_out: int = 0


def distance(payoffs: Payoffs) -> Measure:
    """Return the sum of the relative changes; a row that is left out has changed by the whole."""
    changes = [cache(unknown.change) for unknown in payoffs.unknowns]

    def measure(values: Sequence[int]) -> Fraction:
        moved = (change(value) for change, value in zip(changes, values, strict=True))
        return sum(moved, Fraction(payoffs.left_out))

    return measure


def roughness(payoffs: Payoffs) -> Measure:
    """Return how far the pays are from a geometric row; nought where each ratio is the same.

    Of three pays a, b, c one below the other the ratios are a/b and b/c; they add the square of
    their difference over their product. The ladder of envy prizes adds its own.
    """

    @cache
    def bend(first: Fraction, second: Fraction, third: Fraction) -> Fraction:
        upper, lower = first / second, second / third
        return (upper - lower) ** 2 / (upper * lower)

    def measure(values: Sequence[int]) -> Fraction:
        total = NOTHING
        for ladder in payoffs.ladders:
            amounts = [
                Fraction(values[step] + payoffs.unknowns[step].offset)
                if isinstance(step, int)
                else step
                for step in ladder
            ]
            threes = zip(amounts, amounts[1:], amounts[2:], strict=False)
            total = sum((bend(*three) for three in threes), total)
        return total

    return measure


def variance(payoffs: Payoffs) -> Measure:
    """Return the variance of the wager's own pays, per unit staked."""
    moments = [cache(partial(_moments, unknown.parts)) for unknown in payoffs.unknowns]
    base = _moments(payoffs.fixed, 0)

    def measure(values: Sequence[int]) -> Fraction:
        mean, square = base
        for moment, value in zip(moments, values, strict=True):
            first, second = moment(value)
            mean, square = mean + first, square + second
        return square - mean**2

    return measure


def misses(payoffs: Payoffs) -> Measure:
    """Return the share of hands without a net win."""
    shares = [cache(partial(_misses, unknown.parts)) for unknown in payoffs.unknowns]
    base = _misses(payoffs.fixed, 0)

    def measure(values: Sequence[int]) -> Fraction:
        return sum((share(value) for share, value in zip(shares, values, strict=True)), base)

    return measure


def _moments(parts: Sequence[Part], value: int) -> tuple[Fraction, Fraction]:
    """Return what some hands add to the mean and to the mean square."""
    nets = [(part.probability, part.net(value)) for part in parts]
    return (
        sum((chance * net for chance, net in nets), NOTHING),
        sum((chance * net**2 for chance, net in nets), NOTHING),
    )


def _misses(parts: Sequence[Part], value: int) -> Fraction:
    return sum((part.probability for part in parts if part.net(value) <= 0), NOTHING)


MEASURES: Mapping[By, Callable[[Payoffs], Measure]] = {
    By.DISTANCE: distance,
    By.SMOOTHNESS: roughness,
    By.HIT_FREQUENCY: misses,
    By.VOLATILITY: variance,
}
