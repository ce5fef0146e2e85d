"""Decoder of second counts that are kept."""

from datetime import date
from fractions import Fraction

from certify.intake.decode_common import Value
from certify.model.game import Strategy
from certify.model.second_count import SecondCount


def second_counts(value: Value) -> tuple[SecondCount, ...]:
    """Return every second count of one game, in the order of the file."""
    return tuple(_second_count(one) for one in value["counts"])


def _second_count(value: Value) -> SecondCount:
    edge = value.get("house_edge")
    return SecondCount(
        target=value["target"],
        digest=value["digest"],
        counted=date.fromisoformat(value["counted"]),
        version=value["version"],
        rows=dict(value["rows"]),
        house_way=value.get("house_way"),
        strategy=Strategy(value["strategy"]) if "strategy" in value else None,
        house_edge=None if edge is None else Fraction(edge),
    )
