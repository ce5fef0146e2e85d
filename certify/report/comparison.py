"""Comparisons as JSON, as tables, and as pictures."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from certify.formatting import ROUNDING, json_percent, percent, percentage
from certify.model.comparison import CountComparison, HouseWayComparison, HouseWayMatrix
from certify.model.encoding import as_json
from certify.report.charts import INK, Box, Chart, Text
from certify.report.tables import Table, table

BEST = "best"
"""The heading of the best play's column, and what JSON calls the player who plays best."""

SQUARE, HEIGHT, HEAD, NAMES = 84, 26, 46, 190
"""Units of a picture: a cell's width and height, the room above the cells and before them."""

SHADES = ("#f0f4f8", "#d9e2ec", "#bcccdc", "#9fb3c8")
"""From the least edge to the greatest; dark words are legible on each."""


def house_ways_json(comparison: HouseWayComparison) -> dict[str, Any]:
    """Return every cell for scripts: the edge, exact and in percent, and what the play costs."""
    value: dict[str, Any] = as_json(
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
    return value


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
    """Return the tables for people: the edges of each option, then what each play costs."""
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
        caption = f"{name}: house edge in percent, a column for each player's house way"
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
    value: dict[str, Any] = as_json(
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
    return value
