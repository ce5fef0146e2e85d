"""Prizes for other players' hands: hands counted once, tables of prizes as columns."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from certify.model.analysis import Analysis, EnvyAnalysis, RowAnalysis
from certify.model.paytable import EnvyTable
from certify.report.grouping import merged_orders, together
from certify.report.mathematics.filed import FiledWager, ids
from certify.report.wording import named

Edges = tuple[str, tuple[Fraction | None, ...], int | None]
"""A table of prizes, the edges with it, and the wager where a payout limit makes them so."""


def prizes_of(filed: FiledWager) -> dict[str, Any] | None:
    """Return the prizes that go with a wager's paytables; None without any.

    Tables with the same prizes stand in one column under all their ids. ``edges`` are by the number
    of ``others`` at the table.
    """
    with_prizes = [
        (analysis, analysis.envy) for _, analysis in filed.paytables if analysis.envy is not None
    ]
    if not with_prizes:
        return None
    tables = {table.id: table for table in filed.wager.envies}
    shown = [(tables[envy.paytable], envy) for _, envy in with_prizes]
    columns = together(
        ((table.rows, envy.per_other_player, envy.wager_cents), (table, envy))
        for table, envy in shown
    )
    firsts = [same[0] for same in columns.values()]
    numbers = sorted({number for _, envy in with_prizes for number in envy.house_edge_by_players})
    edges = together(_edges(with_prizes, numbers))
    return {
        "called": firsts[0][1].called,
        "hands_of": [
            named("hands_of", whose)
            for whose in dict.fromkeys(table.hands_of for table, _ in shown)
        ],
        "columns": [
            ([*dict.fromkeys(table.id for table, _ in same)], *same[0]) for same in columns.values()
        ],
        "hands": _hands(firsts),
        "others": [number - 1 for number in numbers],
        "capped": any(envy.wager_cents < envy.qualifying_wager_cents for _, envy in shown),
        "edges": [(ids(names), *line) for line, names in edges.items()],
    }


def _hands(
    columns: Sequence[tuple[EnvyTable, EnvyAnalysis]],
) -> list[tuple[RowAnalysis, list[int | None]]]:
    """Return each hand of another player as counted, with the prize of every table in cents."""
    cents = [
        {
            (row.event, row.combinations): prize.prize_cents
            for row in envy.rows
            for prize in table.rows
            if prize.event == row.event
        }
        for table, envy in columns
    ]
    rows = {
        (row.event, row.combinations): row for _, envy in reversed(columns) for row in envy.rows
    }
    orders = [[(row.event, row.combinations) for row in envy.rows] for _, envy in columns]
    return [(rows[key], [of_table.get(key) for of_table in cents]) for key in merged_orders(orders)]


def _edges(
    with_prizes: Sequence[tuple[Analysis, EnvyAnalysis]], numbers: Sequence[int]
) -> Iterator[tuple[Edges, str]]:
    """Yield the edges of each paytable, then those under a limit at the wager that qualifies."""
    for analysis, envy in with_prizes:
        edges = tuple(envy.house_edge_by_players.get(number) for number in numbers)
        yield (envy.paytable, edges, None), analysis.paytable
        for amount in analysis.limit.amounts if analysis.limit is not None else ():
            if amount.wager_cents == envy.wager_cents and amount.house_edge_by_players:
                edges = tuple(amount.house_edge_by_players.get(number) for number in numbers)
                yield (envy.paytable, edges, amount.wager_cents), analysis.paytable
