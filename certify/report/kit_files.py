"""The tables of the laboratory kit as CSV: exact values under one header line."""

from collections.abc import Iterable

from certify.formatting import csv_bytes, json_exact
from certify.model.analysis import Analysis, RowAnalysis
from certify.model.census import Census
from certify.model.condition import FeatureValue

FRACTION_COLUMNS = ("target", "event", "name", "pays", "combinations", "probability", "return")
"""The return is empty in a row that a meter pays."""


def census_csv(census: Census) -> bytes:
    """Return a census as CSV: one column for each feature, then the number of hands.

    Cells are in the order of their texts; truth is ``true`` or ``false``, nothing an empty field.
    """
    lines = sorted((*map(_text, cell), str(hands)) for cell, hands in census.cells.items())
    return csv_bytes((*census.features, "hands"), lines)


def fractions_csv(analyses: Iterable[Analysis]) -> bytes:
    """Return every row of every paytable and envy table with its exact probability and return."""
    lines = []
    for analysis in analyses:
        lines += [_row(analysis.target, row) for row in analysis.rows]
        if analysis.envy is not None:
            target = f"{analysis.target}/envy/{analysis.envy.paytable}"
            lines += [_row(target, row) for row in analysis.envy.rows]
    return csv_bytes(FRACTION_COLUMNS, lines)


def _row(target: str, row: RowAnalysis) -> tuple[str, ...]:
    return (
        target,
        row.event,
        row.name,
        row.pays,
        str(row.combinations),
        json_exact(row.probability),
        json_exact(row.contribution) if row.weight is None else "",
    )


def _text(value: FeatureValue) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
