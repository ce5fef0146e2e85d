"""Other readings of a source: what a record would say, and what that does to the figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any


class Op(StrEnum):
    """What is done at a place of a record, as in RFC 6902."""

    REPLACE = "replace"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChange:
    """One change of a record.

    ``record`` is its key among the documents. ``path`` is a JSON pointer, in which an entry of a
    list goes by its id (its event, its level) or its number. ``value`` is JSON.
    """

    record: str
    op: Op
    path: str
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another reading of a source: ``of`` are the discrepancies and assumptions that it belongs to.

    ``text`` says how the source would be read. ``meets`` are published figures that do not settle
    the reading: both this one and the filed one meet them.
    """

    id: str
    text: str
    of: tuple[str, ...]
    changes: tuple[RecordChange, ...]
    meets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternatives:
    """The other readings of one game's rules or of one house way; ``id`` is that of either."""

    id: str
    alternatives: tuple[Alternative, ...]


class Figure(StrEnum):
    """A figure that an alternative may move."""

    HOUSE_EDGE = "house_edge"
    FULL_TABLE = "house_edge_full_table"
    """The edge with the prizes of every other player at the table."""

    FIXED_RETURN = "fixed_return"
    """The return of the fixed pays, where meters decide the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one alternative does to the figures of one target: as filed, and as read otherwise.

    It has the figures that move, and at least one.
    """

    alternative: Alternative
    moved: Mapping[Figure, tuple[Fraction, Fraction]]
