"""Decoder of the terms of a table."""

from typing import Any

from certify.intake.decode_common import Value
from certify.model.source import Procedure
from certify.model.terms import (
    AggregateLimit,
    LinkedMeter,
    MeterReduction,
    Scope,
    Supplier,
    Terms,
)


def terms(value: Value) -> Terms:
    """Return the terms of a table from a value that ``terms.schema.json`` accepts."""
    reasons = value.get("meter_reductions")
    supplier = value.get("supplier")
    return Terms(
        game=value.get("game"),
        supplier=None if supplier is None else Supplier(**supplier),
        procedures=tuple(
            (Procedure(name), text) for name, text in value.get("procedures", {}).items()
        ),
        largest_wagers=tuple(value.get("largest_wagers", {}).items()),
        least_wagers=tuple(value.get("least_wagers", {}).items()),
        aggregate_limits=_limits(value.get("aggregate_limits")),
        links=_links(value.get("links")),
        meter_reductions=None if reasons is None else tuple(MeterReduction(one) for one in reasons),
        players=value.get("players"),
        tribal=value.get("tribal"),
        laboratory_letter=value.get("laboratory_letter"),
    )


def _limits(values: list[dict[str, Any]] | None) -> tuple[AggregateLimit, ...] | None:
    if values is None:
        return None
    return tuple(
        AggregateLimit(
            cents=one["cents"],
            wagers=tuple(one["wagers"]),
            scope=Scope(one.get("scope", Scope.PLAYER)),
        )
        for one in values
    )


def _links(values: list[list[dict[str, Any]]] | None) -> tuple[tuple[LinkedMeter, ...], ...] | None:
    if values is None:
        return None
    return tuple(tuple(LinkedMeter(**one) for one in link) for link in values)
