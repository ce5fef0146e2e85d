"""Bonus wagers: PAR tables, and the prizes for other players' hands."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from certify.model.analysis import Analysis, EnvyAnalysis, RowAnalysis
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable
from certify.report.mathematics.filed import FiledWager, Ids, ids, wager_under_limits
from certify.report.wording import groups, merged_orders, name_in_print, together

Edges = tuple[str, tuple[Fraction | None, ...], int | None]
"""A table of prizes, the edges with it, and the wager where a payout limit makes them so."""


def build_prizes(filed: FiledWager) -> dict[str, Any] | None:
    """Return the prizes that go with a wager's paytables; None without any.

    Tables with the same prizes share one column under all their ids. ``edges`` are by the number of
    ``others`` at the table.
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
            name_in_print("hands_of", whose)
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


WIDEST = 3
"""Paytables side by side in one PAR table; each takes a column of pays and one of contributions."""

ALL_OTHER = "all_other"

Same = list[tuple[Paytable, Analysis]]
"""Paytables with the same rows and figures."""

Key = tuple[str, int]
"""A hand that is paid, by its event and the number of hands that are paid for it."""


def bonus_wager(filed: FiledWager) -> dict[str, Any] | None:
    """Return the PAR tables of one wager; None if no paytable of it is filed.

    Paytables share a table only if each hand has one count in all of them; the combinations of
    every table then add up to the total.
    """
    if not filed.paytables:
        return None
    by_counts = together((frozenset(map(_key, same[0][1].rows)), same) for same in _same(filed))
    parts = [part for columns in by_counts.values() for part in groups(columns, WIDEST)]
    return {
        "anchor": f"figures-{filed.wager.id}",
        "name": filed.wager.name,
        "tables": [
            _par_table(f"table-{filed.wager.id}{place or ''}", part, filed.paytables)
            for place, part in enumerate(parts)
        ],
        "prizes": build_prizes(filed),
        "limited": wager_under_limits(filed),
    }


def _key(row: RowAnalysis) -> Key:
    return row.event, row.combinations


def _same(filed: FiledWager) -> list[Same]:
    """Return the paytables, those with the same rows and figures together."""
    shown = (
        (
            (
                tuple((row.event, row.payout, row.dynamic) for row in paytable.rows),
                tuple(row.combinations for row in analysis.rows),
                paytable.progressive,
            ),
            (paytable, analysis),
        )
        for paytable, analysis in filed.paytables
    )
    return list(together(shown).values())


def _par_table(
    anchor: str, columns: Sequence[Same], order: Sequence[tuple[Paytable, Analysis]]
) -> dict[str, Any]:
    """Return hands down, paytables across; figures of a whole paytable close its columns.

    A column is headed by the ends of all its ids; its last part is the sum of the contributions,
    minus the house edge, and None where a meter decides. A hand has a payout and a row of each
    paytable.
    """
    firsts = [same[0] for same in columns]
    listed = sorted((filed for same in columns for filed in same), key=order.index)
    orders = [[_key(row) for row in analysis.rows] for _, analysis in firsts]
    keys: list[Key] = sorted(merged_orders(orders), key=lambda key: key[0] == ALL_OTHER)
    paid = [_paid(*first) for first in firsts]
    rows = {key: row for key, (_, row) in paid[0].items()}
    bases = {row.payout.basis for paytable, _ in firsts for row in paytable.rows}
    shared = ids([paytable.id for paytable, _ in listed])
    metered = any(paytable.progressive is not None for paytable, _ in firsts)
    return {
        "anchor": anchor,
        "ids": shared,
        "total": firsts[0][1].total,
        "columns": [
            (
                [paytable.id.removeprefix(shared.start) for paytable, _ in same],
                same[0][1],
                None if metered else sum(row.contribution for row in same[0][1].rows),
            )
            for same in columns
        ],
        "hands": [(rows[key], [of_table[key] for of_table in paid]) for key in keys],
        "other_names": _other_names(listed, rows),
        "metered": metered,
        "to_one": Basis.TO in bases,
        "for_one": not bases.isdisjoint({Basis.FOR, Basis.METER}),
    }


def _paid(paytable: Paytable, analysis: Analysis) -> dict[Key, tuple[Payout, RowAnalysis]]:
    """Return the pay of each hand of a paytable; hands without a row lose."""
    payouts = {row.event: row.payout for row in paytable.rows}
    return {
        _key(row): (payouts.get(row.event, Payout(basis=Basis.LOSS)), row) for row in analysis.rows
    }


def _other_names(listed: Same, rows: Mapping[Key, RowAnalysis]) -> list[tuple[str, str, Ids]]:
    """Return the other names that some paytables have for a hand of the matrix."""
    others = together(
        ((name, row.name), paytable.id)
        for paytable, analysis in listed
        for row in analysis.rows
        if row.name != (name := rows[_key(row)].name)
    )
    return [(name, other, ids(tables)) for (name, other), tables in others.items()]


def reconstructions(filed: FiledWager) -> list[tuple[str, Ids]]:
    """Return the interpretations of illegible cells, each with all its tables."""
    used = {paytable.envy for paytable, _ in filed.paytables}
    records: list[Paytable | EnvyTable] = [paytable for paytable, _ in filed.paytables]
    records += [envy for envy in filed.wager.envies if envy.id in used]
    having = together(
        (record.source.reconstructed, record.id)
        for record in records
        if record.source.reconstructed
    )
    return [(text, ids([*dict.fromkeys(tables)])) for text, tables in having.items()]
