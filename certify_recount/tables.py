"""Paytables: how many hands each row is awarded, of one table or of several that pay together."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .hands import Value, holds

Event = Mapping[str, Any]
"""An event as declared in JSON."""

ALL_OTHER = "all_other"


def split_tables(paytable: Mapping[str, Any], events: Mapping[str, Event]) -> list[list[str]]:
    """Return the events of every table that pays a wager, each in the order of trial."""
    ladder = list(events)
    tables = []
    for table in (paytable, *paytable.get("also", ())):
        rows = [row["event"] for row in table["rows"]]
        if table["award"] == "highest_ranking_hand":
            rows.sort(key=ladder.index)
        tables.append(rows)
    return tables


def row_counts(
    tables: Sequence[Sequence[str]],
    events: Mapping[str, Event],
    cells: Mapping[tuple[Value, ...], int],
    features: Sequence[str],
) -> Counter[str]:
    """Count the hands of each row; rows that are paid together are joined by ``+``."""
    counts: Counter[str] = Counter()
    for cell, number in cells.items():
        values = dict(zip(features, cell, strict=True))
        awarded = (
            next((event for event in table if holds(events[event]["when"], values)), None)
            for table in tables
        )
        counts["+".join(filter(None, awarded)) or ALL_OTHER] += number
    return counts
