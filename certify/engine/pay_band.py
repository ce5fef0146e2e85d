"""Search of all whole-number pays with a return in a band, and their ranking.

This is a bounded knapsack problem. Nested loops run over the unknowns, the one with the largest
effect first. Each loop is pruned by the range of the remaining unknowns, and the last unknown, the
one with the most values, is solved by division. The search is exhaustive.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from math import ceil, floor, lcm, prod

from msgspec import Struct
from msgspec.structs import replace

from certify.model.analysis import By


class Variable(Struct, frozen=True, kw_only=True):
    """An unknown with the values low, low + step, … up to high; each 1 of it adds ``weight`` > 0.

    ``low``, ``high`` and ``step`` are whole numbers; ``weight`` is exact.
    """

    weight: Fraction
    low: int
    high: int
    step: int = 1

    @property
    def size(self) -> int:
        """The number of values."""
        return max(0, (self.high - self.low) // self.step + 1)


class Band(Struct, frozen=True, kw_only=True):
    """The unknowns of a search and the accepted sums, from ``low`` to ``high`` inclusive.

    ``falls`` are pairs of places in ``variables``: the first one's value is never below the
    second's.
    """

    variables: tuple[Variable, ...]
    low: Fraction
    high: Fraction
    falls: tuple[tuple[int, int], ...] = ()


def tighten_bounds(band: Band) -> Band | None:
    """Return the band without values that no solution can have; None if it has no solution."""
    variables = list(band.variables)
    if not variables and not band.low <= 0 <= band.high:
        return None
    while True:
        before = tuple(variables)
        for place, variable in enumerate(before):
            others = [other for at, other in enumerate(variables) if at != place]
            least = sum((other.weight * other.low for other in others), Fraction(0))
            most = sum((other.weight * other.high for other in others), Fraction(0))
            fallen = [variables[below].low for above, below in band.falls if above == place]
            roof = [variables[above].high for above, below in band.falls if below == place]
            low = max([variable.low, ceil((band.low - most) / variable.weight), *fallen])
            high = min([variable.high, floor((band.high - least) / variable.weight), *roof])
            low = variable.low + -((variable.low - low) // variable.step) * variable.step
            high = variable.low + (high - variable.low) // variable.step * variable.step
            if low > high:
                return None
            variables[place] = replace(variable, low=low, high=high)
        if tuple(variables) == before:
            return replace(band, variables=before)


def search_size(band: Band) -> int:
    """Return the most choices that the loops visit: all values except those of the last unknown."""
    return prod(sorted(variable.size for variable in band.variables)[:-1])


def solutions(band: Band) -> Iterator[tuple[int, ...]]:
    """Yield every solution, its values in the order of the unknowns."""
    if band.variables:
        yield from _walk(_Window(band), 0, 0)
    elif band.low <= 0 <= band.high:
        yield ()


def nearest(band: Band) -> tuple[Fraction | None, Fraction | None]:
    """Return the greatest sum below the band and the least above it that the values reach.

    Either is None if there is none. The values are those of the given band, which must not be
    tightened.
    """
    if not band.variables:
        return (Fraction(0) if band.low > 0 else None, Fraction(0) if band.high < 0 else None)
    everything = replace(
        band,
        low=sum((variable.weight * variable.low for variable in band.variables), Fraction(0)),
        high=sum((variable.weight * variable.high for variable in band.variables), Fraction(0)),
    )
    below, above = _Window(everything), _Window(everything)
    below.high = ceil(band.low * below.scale) - 1
    above.low = floor(band.high * above.scale) + 1
    least = most = None
    for values in _walk(below, 0, 0):
        most = below.weigh(values)
        below.low = most + 1
    for values in _walk(above, 0, 0):
        least = above.weigh(values)
        above.high = least - 1
    return (
        None if most is None else Fraction(most, below.scale),
        None if least is None else Fraction(least, above.scale),
    )


class _Window:
    """A band in whole numbers; ``low`` and ``high`` may be drawn closer during a walk."""

    def __init__(self, band: Band) -> None:
        self.variables = band.variables
        self.falls = band.falls
        self.scale = lcm(*(variable.weight.denominator for variable in band.variables))
        self.low, self.high = ceil(band.low * self.scale), floor(band.high * self.scale)
        self.weights = [int(variable.weight * self.scale) for variable in band.variables]
        last = max(range(len(self.variables)), key=lambda place: self.variables[place].size)
        first = [place for place in range(len(self.variables)) if place != last]
        self.order = [*sorted(first, key=self._reach, reverse=True), last]
        self.least, self.most = self._left_to_add()
        self.chosen: list[int | None] = [None] * len(self.variables)

    def weigh(self, values: Sequence[int]) -> int:
        """Return the weighted sum of values, in the window's unit."""
        return sum(weight * value for weight, value in zip(self.weights, values, strict=True))

    def _reach(self, place: int) -> int:
        variable = self.variables[place]
        return self.weights[place] * (variable.high - variable.low)

    def _left_to_add(self) -> tuple[list[int], list[int]]:
        """Return the least and greatest sums of the unknowns after each place of the order."""
        least, most = [0], [0]
        for place in reversed(self.order[1:]):
            least.append(least[-1] + self.weights[place] * self.variables[place].low)
            most.append(most[-1] + self.weights[place] * self.variables[place].high)
        return least[::-1], most[::-1]

    def room(self, place: int) -> tuple[int, int]:
        """Return the least and the greatest value of an unknown given the chosen ones."""
        low, high = self.variables[place].low, self.variables[place].high
        for above, below in self.falls:
            if above == place and (value := self.chosen[below]) is not None:
                low = max(low, value)
            if below == place and (value := self.chosen[above]) is not None:
                high = min(high, value)
        return low, high


def _walk(window: _Window, depth: int, partial: int) -> Iterator[tuple[int, ...]]:
    place = window.order[depth]
    variable, weight = window.variables[place], window.weights[place]
    least, most = window.least[depth], window.most[depth]
    low, high = window.room(place)
    low = max(low, -((partial + most - window.low) // weight))
    high = min(high, (window.high - partial - least) // weight)
    start = variable.low + -((variable.low - low) // variable.step) * variable.step
    inner = depth + 1 < len(window.order)
    for value in range(start, high + 1, variable.step):
        added = partial + weight * value
        if added + least > window.high:
            break
        if added + most < window.low:
            continue
        window.chosen[place] = value
        if inner:
            yield from _walk(window, depth + 1, added)
        else:
            yield tuple(number or 0 for number in window.chosen)
    window.chosen[place] = None


NOTHING = Fraction(0)

Measure = Callable[[Sequence[int]], Fraction]
"""Function from the values of the unknowns, in their order, to a ranking key."""


class Part(Struct, frozen=True, kw_only=True):
    """A share of all hands, and the net pay there: ``at_nought`` + ``slope`` x the value."""

    probability: Fraction
    at_nought: Fraction
    slope: Fraction = NOTHING

    def net(self, value: int) -> Fraction:
        """Return the net pay for a value of the unknown."""
        return self.at_nought + self.slope * value


class Moved(Struct, frozen=True, kw_only=True):
    """The effect of one unknown: its present amount, and the wager's own hands that it pays.

    ``present`` is None for a meter without a declared seed; every amount then has distance 0.
    ``offset`` is the amount minus the value: 1 for a pay "for one", whose value is net.
    """

    present: Fraction | None
    offset: int
    parts: tuple[Part, ...]

    def change(self, value: int) -> Fraction:
        """Return the change relative to the present amount, or to 1 if that is 0."""
        if self.present is None:
            return NOTHING
        return abs(value + self.offset - self.present) / (self.present or 1)


class Payoffs(Struct, frozen=True, kw_only=True):
    """Everything that a wager pays, as a function of the unknowns' values.

    ``fixed`` are the hands that no unknown moves, ``left_out`` the rows without a place any more.
    ``pay_lists`` are the pays and the prizes in printed order: amounts, or places of unknowns.
    """

    variables: tuple[Moved, ...]
    fixed: tuple[Part, ...]
    pay_lists: tuple[tuple[Fraction | int, ...], ...]
    left_out: int = 0


def distance(payoffs: Payoffs) -> Measure:
    """Return the sum of the relative changes; a removed row counts as 1."""
    changes = [cache(variable.change) for variable in payoffs.variables]

    def measure(values: Sequence[int]) -> Fraction:
        moved = (change(value) for change, value in zip(changes, values, strict=True))
        return sum(moved, Fraction(payoffs.left_out))

    return measure


def roughness(payoffs: Payoffs) -> Measure:
    """Return the deviation of the pays from a geometric sequence; 0 if all ratios are equal.

    Three consecutive pays a, b, c have the ratios a/b and b/c; they add the square of the
    difference of the ratios over their product. Envy prizes are added in the same way.
    """

    @cache
    def bend(first: Fraction, second: Fraction, third: Fraction) -> Fraction:
        upper, lower = first / second, second / third
        return (upper - lower) ** 2 / (upper * lower)

    def measure(values: Sequence[int]) -> Fraction:
        total = NOTHING
        for pays in payoffs.pay_lists:
            amounts = [
                Fraction(values[step] + payoffs.variables[step].offset)
                if isinstance(step, int)
                else step
                for step in pays
            ]
            threes = zip(amounts, amounts[1:], amounts[2:], strict=False)
            total = sum((bend(*three) for three in threes), total)
        return total

    return measure


def variance(payoffs: Payoffs) -> Measure:
    """Return the variance of the wager's own pays, per unit staked."""
    moments = [cache(partial(_moments, variable.parts)) for variable in payoffs.variables]
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
    shares = [cache(partial(_misses, variable.parts)) for variable in payoffs.variables]
    base = _misses(payoffs.fixed, 0)

    def measure(values: Sequence[int]) -> Fraction:
        return sum((share(value) for share, value in zip(shares, values, strict=True)), base)

    return measure


def _moments(parts: Sequence[Part], value: int) -> tuple[Fraction, Fraction]:
    """Return the contribution of some hands to the mean and to the mean square."""
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
