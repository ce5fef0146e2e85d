"""Comparisons and monitored results as tables, pictures and JSON."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import erfc, sqrt
from typing import Any

from certify import library
from certify.formatting import (
    ROUNDING,
    json_percent,
    money,
    percent,
    percentage,
    root,
    square_root,
    thousands,
)
from certify.model.analysis import LEVELS, Method, Monitored, Monitoring
from certify.model.comparison import CountComparison, HouseWayComparison, HouseWayMatrix
from certify.model.encoding import encode_object
from certify.report.charts import INK, Box, Chart, Marked, Text, ranges
from certify.report.compose import compose
from certify.report.tables import Table, table
from certify.report.wording import name_in_print

BEST = "best"
"""The heading of the best play's column, and what JSON calls the player who plays best."""

SQUARE, HEIGHT, HEAD, NAMES = 84, 26, 46, 190
"""Units of a picture: a cell's width and height, the room above the cells and before them."""

SHADES = ("#f0f4f8", "#d9e2ec", "#bcccdc", "#9fb3c8")
"""From the least edge to the greatest; dark words are legible on each."""


def house_ways_json(comparison: HouseWayComparison) -> dict[str, Any]:
    """Return every cell as JSON: the edge, exact and in percent, and the cost of the play."""
    return encode_object(
        {
            "game": comparison.game.id,
            "house_ways": [{"id": way.id, "name": way.name} for way in comparison.ways],
            "options": [
                {"option": matrix.option.target, "cells": [*_cells(comparison, matrix)]}
                for matrix in comparison.matrices
            ],
            "unsound": comparison.unsound,
            "rounding": ROUNDING,
            "inputs": comparison.inputs,
            "engine": {"version": comparison.engine_version},
        }
    )


def _cells(comparison: HouseWayComparison, matrix: HouseWayMatrix) -> Iterator[dict[str, Any]]:
    for dealer in comparison.ways:
        for player in comparison.ways:
            edge, cost = matrix.edges[dealer.id, player.id], matrix.cost(dealer.id, player.id)
            cell = {"dealer": dealer.id, "player": player.id, **_figure("house_edge", edge)}
            yield cell if cost is None else cell | _figure("cost", cost)
        if dealer.id in matrix.best:
            best = _figure("house_edge", matrix.best[dealer.id])
            yield {"dealer": dealer.id, "player": BEST, **best}


def _figure(name: str, value: Fraction) -> dict[str, Any]:
    return {name: value, f"{name}_percent": json_percent(value)}


def house_way_tables(comparison: HouseWayComparison) -> list[Table]:
    """Return the tables as text: the edges of each option, then the cost of each play."""
    numbers = [str(number) for number, _ in enumerate(comparison.ways, 1)]
    tables = []
    for matrix in comparison.matrices:
        head = " | ".join(["Dealer's house way", *(f"#{number}" for number in numbers)])
        best = f" | #{BEST}" if matrix.best else ""
        edges = [
            [f"{number} {dealer.id}", *map(percent, _row(comparison, matrix, dealer.id))]
            for number, dealer in zip(numbers, comparison.ways, strict=True)
        ]
        name = matrix.option.target
        caption = f"{name}: house edge in percent, by the player's house way (columns)"
        tables.append(table(caption, head + best, edges))
        if matrix.best:
            costs = [
                [f"{number} {dealer.id}", *_costs(comparison, matrix, dealer.id)]
                for number, dealer in zip(numbers, comparison.ways, strict=True)
            ]
            caption = f"{name}: what the player's house way costs against the best play, in percent"
            tables.append(table(caption, head, costs))
    return tables


def _row(comparison: HouseWayComparison, matrix: HouseWayMatrix, dealer: str) -> list[Fraction]:
    """Return the edges by one house way of the dealer, the best play's last."""
    edges = [matrix.edges[dealer, player.id] for player in comparison.ways]
    return [*edges, matrix.best[dealer]] if dealer in matrix.best else edges


def _costs(comparison: HouseWayComparison, matrix: HouseWayMatrix, dealer: str) -> Iterator[str]:
    for player in comparison.ways:
        cost = matrix.cost(dealer, player.id)
        yield "" if cost is None else percent(cost)


def house_way_chart(comparison: HouseWayComparison, matrix: HouseWayMatrix) -> Chart:
    """Return the edges of one option as a picture; every shade has its figure on it."""
    ways = [way.id for way in comparison.ways]
    rows = [_row(comparison, matrix, dealer) for dealer in ways]
    heads = [*(str(number) for number, _ in enumerate(ways, 1)), *([BEST] if matrix.best else [])]
    values = [edge for row in rows for edge in row]
    low, span = min(values), max(values) - min(values)
    boxes: list[Box] = []
    texts = [Text(x=0, y=HEAD - 10, anchor="start", words="Dealer's house way")]
    texts.append(Text(x=NAMES, y=14, anchor="start", words="House edge by the player's house way"))
    for place, head in enumerate(heads):
        middle = NAMES + place * SQUARE + SQUARE // 2
        texts.append(Text(x=middle, y=HEAD - 10, anchor="middle", words=head))
    for line, (dealer, row) in enumerate(zip(ways, rows, strict=True)):
        top = HEAD + line * HEIGHT
        texts.append(Text(x=0, y=top + 17, anchor="start", words=f"{line + 1} {dealer}"))
        for place, edge in enumerate(row):
            left = NAMES + place * SQUARE
            shade = SHADES[int((edge - low) / span * (len(SHADES) - 1))] if span else SHADES[0]
            boxes.append(Box(x=left, y=top, width=SQUARE - 2, height=HEIGHT - 2, fill=shade))
            words = percentage(edge)
            middle = left + SQUARE // 2
            texts.append(Text(x=middle, y=top + 17, anchor="middle", words=words, fill=INK))
    return Chart(
        id="house-ways",
        message=f"{percentage(min(values))} to {percentage(max(values))}",
        width=NAMES + len(heads) * SQUARE,
        height=HEAD + len(ways) * HEIGHT,
        boxes=tuple(boxes),
        strokes=(),
        texts=tuple(texts),
    )


def counts_json(comparison: CountComparison) -> dict[str, Any]:
    """Return a laboratory's counts against ours for scripts."""
    return encode_object(
        {
            "target": comparison.target,
            "file": comparison.file,
            "agrees": comparison.agrees,
            "cells": [
                {
                    "event": cell.event,
                    "name": cell.name,
                    "ours": cell.ours,
                    "theirs": cell.theirs,
                    "agrees": cell.agrees,
                }
                for cell in comparison.cells
            ],
        }
    )


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


def build_table(monitoring: Monitoring) -> Table:
    """Return a line of figures for each wager, and the total last, if there is one."""
    lines = [(str(number), *_figures(line)) for number, line in enumerate(monitoring.lines, 1)]
    total = [("Total", *_figures(monitoring.total))] if monitoring.total else []
    return table("", COLUMNS, [*lines, *total])


def everything(monitoring: Monitoring) -> tuple[Monitored, ...]:
    """Return the lines, and the total last, if there is one."""
    return (*monitoring.lines, *([monitoring.total] if monitoring.total else []))


def label(line: Monitored) -> str:
    """Return the label of a line."""
    return f"{line.target} {line.name}".strip() or "Total"


def band(line: Monitored, level: int) -> tuple[Fraction, Fraction]:
    """Return the wins that a share of all floors has, in cents: exact, or by the normal one."""
    if line.bands:
        return line.bands[level]
    spread = QUANTILES[level] * root(line.variance, PLACES)
    return line.expected - spread, line.expected + spread


def outside(line: Monitored) -> int:
    """Return the widest band that excludes the result, in percent; 0 if it is in all."""
    bands = {level: band(line, level) for level in LEVELS}
    beyond = (level for level, (low, high) in bands.items() if not low <= line.won <= high)
    return max(beyond, default=0)


def chance(line: Monitored) -> Fraction:
    """Return the chance of a result as far off, either way."""
    if line.chance is not None:
        return line.chance
    return Fraction(erfc(sqrt(line.z_squared / 2))).limit_denominator(10**12)


def chance_bound(line: Monitored) -> Fraction:
    """Return a certain upper bound of that probability.

    If it is not exact, the least of three: one; the normal probability and twice the bound of Berry
    and Esseen, once for each tail; 1/z², by Chebyshev's inequality.
    """
    if line.chance is not None:
        return line.chance
    normal = chance(line) + 2 * root(line.error_squared, PLACES)
    return min(Fraction(1), normal, 1 / line.z_squared if line.z_squared else Fraction(1))


def z(line: Monitored) -> str:
    """Return the distance from the expected value, in standard deviations."""
    return f"{'−' if line.won < line.expected else '+'}{square_root(line.z_squared, 2)}"


def picture(monitoring: Monitoring) -> str:
    """Return the bands and the results as shares of the amount wagered, as SVG."""
    values = [_marked(line) for line in everything(monitoring)]
    view = {
        "it": ranges(id="monitor", values=values),
        "title": "House win as a share of what was wagered; bands of 95% and 99%",
    }
    return compose("picture.svg.j2", view)


def notes(monitoring: Monitoring) -> list[str]:
    """Return the assumptions of the figures, and the accuracy of the normal distribution."""
    words = library.words("monitoring")
    plays = (
        words["play"].format(
            target=line.target,
            strategy=name_in_print("strategy", line.play[0]),
            house_way=line.play[1],
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


def _figures(line: Monitored) -> tuple[str, ...]:
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
        likely if exact else f"{likely}, at most {percentage(chance_bound(line), 2)}",
        str(line.method),
    )


def _ends(ends: Sequence[Fraction]) -> str:
    return " to ".join(money(round(end / 100) * 100) for end in ends)
