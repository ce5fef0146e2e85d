"""The results of a floor in figures and as a picture: bands, distances, chances, rounded."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import erfc, sqrt
from pathlib import Path

from certify.formatting import money, percentage, root, square_root, thousands
from certify.model.monitor import LEVELS, Method, Monitored, Monitoring
from certify.report.charts import Marked, ranges
from certify.report.compose import compose

HEADER = (
    "", "Rounds", "Wagered", "Won", "Hold", "Expected", "Deviation", "95% band", "99% band", "z",
    "As far off", "By",
)  # fmt: skip

QUANTILES: Mapping[int, Fraction] = {
    95: Fraction("1.9599639845"),
    99: Fraction("2.5758293035"),
}
"""Standard deviations from the mean within which a normal variable stays so often."""

PLACES = 6
"""Decimals of a root that goes into a band, in cents."""


def rows_of(monitoring: Monitoring) -> list[tuple[str, ...]]:
    """Return a line of figures for each wager, and the total last where there is one."""
    lines = [(str(number), *_row(one)) for number, one in enumerate(monitoring.lines, 1)]
    return [*lines, ("Total", *_row(monitoring.total))] if monitoring.total else lines


def everything(monitoring: Monitoring) -> tuple[Monitored, ...]:
    """Return the lines, and the total last where there is one."""
    return (*monitoring.lines, *([monitoring.total] if monitoring.total else []))


def label(one: Monitored) -> str:
    """Return what a line is called."""
    return f"{one.target} {one.name}".strip() or "Total"


def band(one: Monitored, level: int) -> tuple[Fraction, Fraction]:
    """Return the wins that a share of all floors has, in cents: exact, or by the normal one."""
    if one.bands:
        return one.bands[level]
    spread = QUANTILES[level] * root(one.variance, PLACES)
    return one.expected - spread, one.expected + spread


def outside(one: Monitored) -> int:
    """Return the widest band that the result lies outside of, in percent; 0 if it is in all."""
    beyond = [level for level in LEVELS if not _within(one, level)]
    return max(beyond, default=0)


def _within(one: Monitored, level: int) -> bool:
    low, high = band(one, level)
    return low <= one.won <= high


def chance(one: Monitored) -> Fraction:
    """Return the chance of a result as far off, either way."""
    if one.chance is not None:
        return one.chance
    return Fraction(erfc(sqrt(one.z_squared / 2))).limit_denominator(10**12)


def at_most(one: Monitored) -> Fraction:
    """Return what that chance is at most, for certain.

    Where it is not exact, the least of three: one; the normal chance and twice the bound of
    Berry and Esseen, once for each tail; 1/z², by Chebyshev's inequality.
    """
    if one.chance is not None:
        return one.chance
    normal = chance(one) + 2 * root(one.error_squared, PLACES)
    return min(Fraction(1), normal, 1 / one.z_squared if one.z_squared else Fraction(1))


def z(one: Monitored) -> str:
    """Return the distance from what was expected, in standard deviations."""
    below = one.won < one.expected
    return f"{'−' if below else '+'}{square_root(one.z_squared, 2)}"


def picture(monitoring: Monitoring, *, templates: Path) -> str:
    """Return the bands and the results as shares of what was wagered, as SVG."""
    values = [_marked(one) for one in everything(monitoring)]
    view = {
        "it": ranges(id="monitor", values=values),
        "title": "House win as a share of what was wagered; bands of 95% and 99%",
    }
    return compose("picture.svg.j2", view, templates=templates)


def notes(monitoring: Monitoring) -> list[str]:
    """Return what the figures take for granted, and how good the normal distribution is."""
    named = [
        "Rounds are taken as independent, each with the average wager of its line.",
        "Prizes for other players' hands are not counted: keep them out of what was paid.",
    ]
    used = [one for one in everything(monitoring) if one.method is Method.NORMAL]
    if used:
        named.append(
            "normal: the chance by the normal distribution, and what it is at most for certain, by "
            "the bounds of Berry and Esseen and of Chebyshev. exact: counted in whole numbers."
        )
    return named


def _marked(one: Monitored) -> Marked:
    inner, outer = ([end / one.wagered for end in band(one, level)] for level in LEVELS)
    hold = one.won / one.wagered
    return Marked(
        label=label(one),
        low=inner[0],
        high=inner[1],
        widest=(outer[0], outer[1]),
        at=hold,
        printed=f"{percentage(hold, 2)}, z {z(one)}",
    )


def _row(one: Monitored) -> tuple[str, ...]:
    exact = one.method is Method.EXACT
    likely = percentage(chance(one), 2)
    return (
        thousands(one.rounds),
        money(one.wagered),
        money(one.won),
        percentage(one.won / one.wagered, 2),
        money(one.expected),
        money(root(one.variance, 0)),
        _ends(band(one, 95)),
        _ends(band(one, 99)),
        z(one),
        likely if exact else f"{likely}, at most {percentage(at_most(one), 2)}",
        str(one.method),
    )


def _ends(ends: Sequence[Fraction]) -> str:
    return " to ".join(money(round(end / 100) * 100) for end in ends)
