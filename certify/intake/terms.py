"""The terms of a table on disk: what a card room or a casino sets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from certify.errors import NotConfigured
from certify.intake.layout import shown
from certify.intake.schema import validate
from certify.intake.strict_json import scan
from certify.model.document import Document
from certify.model.finding import Unfit
from certify.model.terms import AggregateLimit, LinkedMeter, MeterReduction, Scope, Terms


def read_terms(path: Path) -> tuple[Terms, Document]:
    """Read the terms of a table.

    Raises:
        NotConfigured: the file cannot be read.
        Unfit: its text or its form is wrong; each finding has line and column.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotConfigured(
            f"Cannot read {shown(path)}: {error.strerror}.", remedy="Name a file that is there."
        ) from error
    document, findings = scan(data, shown(path))
    if "" in document.spans:
        findings += validate(document, "terms", faulty=tuple(one.pointer for one in findings))
    if findings:
        raise Unfit(findings)
    return _terms(document.value), document


def _terms(value: Mapping[str, Any]) -> Terms:
    reasons = value.get("meter_reductions")
    return Terms(
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
