"""Paytables: how many hands each row is awarded, of one table or of several that pay together."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from .files import Event, Paytable
from .hands import Value, holds

ALL_OTHER = "all_other"
Tables = Sequence[Sequence[str]]
"""The events of each table that pays a wager, in the order of trial."""


def split_tables(paytable: Paytable, events: Mapping[str, Event]) -> Tables:
    """Return the events of every table that pays a wager, each in the order of trial."""
    ladder = list(events)
    tables = []
    for table in paytable.tables:
        rows = [row.event for row in table.rows]
        if table.award == "highest_ranking_hand":
            rows.sort(key=ladder.index)
        tables.append(rows)
    return tables


def award_rows(tables: Tables, held: Collection[str]) -> str:
    """Return the rows that a hand is awarded for the events that it holds, joined by ``+``."""
    awarded = (next((event for event in table if event in held), None) for table in tables)
    return "+".join(filter(None, awarded)) or ALL_OTHER


def row_counts(
    tables: Tables,
    events: Mapping[str, Event],
    cells: Mapping[tuple[Value, ...], int],
    features: Sequence[str],
) -> Counter[str]:
    """Count the hands of each row; rows that are paid together are joined by ``+``."""
    names = sorted(set().union(*tables))
    counts: Counter[str] = Counter()
    for cell, number in cells.items():
        values = dict(zip(features, cell, strict=True))
        held = {name for name in names if holds(events[name].when, values)}
        counts[award_rows(tables, held)] += number
    return counts
