"""From a validated value of a known kind to the record it declares."""

from collections.abc import Callable
from typing import Any

from certify.intake import decode_game, decode_paytable, decode_published


def decode(kind: str, value: Any) -> Any:  # noqa: ANN401 - the kind decides the record's type
    """Return the record of one file: its value has passed the schema of ``kind``."""
    return _DECODERS[kind](value)


def _house_way(value: Any) -> Any:  # noqa: ANN401 - JSON in, a house way out
    from certify.intake.decode_house_way import house_way

    return house_way(value)


def _jurisdiction(value: Any) -> Any:  # noqa: ANN401 - JSON in, a jurisdiction out
    from certify.intake.decode_jurisdiction import jurisdiction

    return jurisdiction(value)


def _terms(value: Any) -> Any:  # noqa: ANN401 - JSON in, the terms of a table out
    from certify.intake.decode_terms import terms

    return terms(value)


def _second_counts(value: Any) -> Any:  # noqa: ANN401 - JSON in, second counts out
    from certify.intake.decode_second_counts import second_counts

    return second_counts(value)


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "paytable": decode_paytable.paytable,
    "envy": decode_paytable.envy_table,
    "progressive": decode_paytable.progressive,
    "main-wager": decode_game.main_wager,
    "wager": decode_game.wager,
    "game": lambda value: decode_game.game(value, ()),
    "events": decode_published.events,
    "published": decode_published.figures,
    "discrepancies": decode_published.discrepancies,
    "alternatives": decode_published.alternatives,
    "house-way": _house_way,
    "jurisdiction": _jurisdiction,
    "terms": _terms,
    "second-counts": _second_counts,
}
