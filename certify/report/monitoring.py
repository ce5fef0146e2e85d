"""The results of a floor in figures and as a picture: bands, distances, chances, rounded."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import erfc, sqrt

from certify import library
from certify.formatting import money, percentage, root, square_root, thousands
from certify.model.monitor import LEVELS, Method, Monitored, Monitoring
from certify.report.charts import Marked, ranges
from certify.report.compose import compose
from certify.report.tables import Table, table
from certify.report.wording import named

COLUMNS = (
    " | #Rounds | #Wagered | #Won | #Hold | #Expected | #Deviation | #95% band | #99% band | #z"
    " | #As far off | #By"
)

QUANTILES: Mapping[int, Fraction] = {
    95: Fraction("1.9599639845"),
    99: Fraction("2.5758293035"),
}
"""Standard deviations from the mean within which a normal variable stays so often."""

PLACES = 6
"""Decimals of a root that goes into a band, in cents."""


def rows_of(monitoring: Monitoring) -> Table:
    """Return a line of figures for each wager, and the total last where there is one."""
    lines = [(str(number), *_row(line)) for number, line in enumerate(monitoring.lines, 1)]
    total = [("Total", *_row(monitoring.total))] if monitoring.total else []
    return table("", COLUMNS, [*lines, *total])


def everything(monitoring: Monitoring) -> tuple[Monitored, ...]:
    """Return the lines, and the total last where there is one."""
    return (*monitoring.lines, *([monitoring.total] if monitoring.total else []))


def label(line: Monitored) -> str:
    """Return what a line is called."""
    return f"{line.target} {line.name}".strip() or "Total"


def band(line: Monitored, level: int) -> tuple[Fraction, Fraction]:
    """Return the wins that a share of all floors has, in cents: exact, or by the normal one."""
    if line.bands:
        return line.bands[level]
    spread = QUANTILES[level] * root(line.variance, PLACES)
    return line.expected - spread, line.expected + spread


def outside(line: Monitored) -> int:
    """Return the widest band that the result lies outside of, in percent; 0 if it is in all."""
    beyond = [level for level in LEVELS if not _within(line, level)]
    return max(beyond, default=0)


def _within(line: Monitored, level: int) -> bool:
    low, high = band(line, level)
    return low <= line.won <= high


def chance(line: Monitored) -> Fraction:
    """Return the chance of a result as far off, either way."""
    if line.chance is not None:
        return line.chance
    return Fraction(erfc(sqrt(line.z_squared / 2))).limit_denominator(10**12)


def at_most(line: Monitored) -> Fraction:
    """Return what that chance is at most, for certain.

    Where it is not exact, the least of three: one; the normal chance and twice the bound of
    Berry and Esseen, once for each tail; 1/z², by Chebyshev's inequality.
    """
    if line.chance is not None:
        return line.chance
    normal = chance(line) + 2 * root(line.error_squared, PLACES)
    return min(Fraction(1), normal, 1 / line.z_squared if line.z_squared else Fraction(1))


def z(line: Monitored) -> str:
    """Return the distance from what was expected, in standard deviations."""
    below = line.won < line.expected
    return f"{'−' if below else '+'}{square_root(line.z_squared, 2)}"


def picture(monitoring: Monitoring) -> str:
    """Return the bands and the results as shares of what was wagered, as SVG."""
    values = [_marked(line) for line in everything(monitoring)]
    view = {
        "it": ranges(id="monitor", values=values),
        "title": "House win as a share of what was wagered; bands of 95% and 99%",
    }
    return compose("picture.svg.j2", view)


def notes(monitoring: Monitoring) -> list[str]:
    """Return what the figures take for granted, and how good the normal distribution is."""
    words = library.words("monitoring")
    plays = (
        words["play"].format(
            target=line.target, strategy=named("strategy", line.play[0]), house_way=line.play[1]
        )
        for line in monitoring.lines
        if line.play
    )
    normal = any(line.method is Method.NORMAL for line in everything(monitoring))
    return [
        *words["always"],
        *([words["total"]] if monitoring.total is not None else []),
        *dict.fromkeys(plays),
        *([words["normal"]] if normal else []),
    ]


def _marked(line: Monitored) -> Marked:
    inner, outer = ([end / line.wagered for end in band(line, level)] for level in LEVELS)
    hold = line.won / line.wagered
    return Marked(
        label=label(line),
        low=inner[0],
        high=inner[1],
        widest=(outer[0], outer[1]),
        at=hold,
        printed=f"{percentage(hold, 2)}, z {z(line)}",
    )


def _row(line: Monitored) -> tuple[str, ...]:
    exact = line.method is Method.EXACT
    likely = percentage(chance(line), 2)
    return (
        thousands(line.rounds),
        money(line.wagered),
        money(line.won),
        percentage(line.won / line.wagered, 2),
        money(line.expected),
        money(root(line.variance, 0)),
        _ends(band(line, 95)),
        _ends(band(line, 99)),
        z(line),
        likely if exact else f"{likely}, at most {percentage(at_most(line), 2)}",
        str(line.method),
    )


def _ends(ends: Sequence[Fraction]) -> str:
    return " to ".join(money(round(end / 100) * 100) for end in ends)
