"""Results of a search for pays: its unknowns, its ranking and its solutions."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct, field

from certify.model.analysis import Analysis
from certify.model.paytable import EnvyTable, Paytable


class Kind(StrEnum):
    """The kind of an unknown."""

    ROW = "row"
    """The pay of a row of the paytable, in units of the wager."""

    ENVY = "envy"
    """The prize of a row of the envy table, in cents."""

    METER = "meter"
    """The amount on a progressive meter, in cents."""


class Unknown(Struct, frozen=True, kw_only=True):
    """One unknown: the event of a row, the event of an envy prize, or the level of a meter."""

    kind: Kind
    id: str

    def __str__(self) -> str:
        """Return the name on the command line: ``flush``, ``envy:flush``, ``meter:1``."""
        return self.id if self.kind is Kind.ROW else f"{self.kind}:{self.id}"


class By(StrEnum):
    """The ranking of solutions; ties are broken by distance, then by the pays."""

    DISTANCE = "distance"
    """The sum over the unknowns of the change relative to the present amount, least first."""

    SMOOTHNESS = "smoothness"
    """The change of the ratio of each pay to the next one down the table, least first."""

    HIT_FREQUENCY = "hit-frequency"
    """The share of hands with a net win, greatest first."""

    VOLATILITY = "volatility"
    """The variance of the wager, least first."""


class Solution(Struct, frozen=True, kw_only=True):
    """One solution as catalog entries; ``amounts`` are by unknown, None for a removed row.

    Amounts are units of the wager as printed (rows) or cents (prizes and meters). ``edge`` is the
    house edge that the band limits; ``analysis`` has every other figure.
    """

    amounts: Mapping[Unknown, int | None]
    paytable: Paytable
    envy: EnvyTable | None
    edge: Fraction
    distance: Fraction
    roughness: Fraction
    analysis: Analysis


class Bounds(Struct, frozen=True, kw_only=True):
    """The values that an unknown may have: whole multiples of ``step`` from low to high."""

    low: int
    high: int
    step: int = 1


class SolveResult(Struct, frozen=True, kw_only=True):
    """The result of a search: the number of solutions, and the listed ones in order.

    ``players`` is the number of bettors whose hands win prizes in the edge that the band limits;
    None for the edge of the wager alone. ``left_out`` counts, by message, the errors that exclude
    solutions ranked before the last listed one. ``below`` and ``above`` are the nearest edges that
    can be reached if no solution meets the band.
    """

    target: str
    low: Fraction
    high: Fraction
    by: By
    players: int | None
    present: Fraction | None
    bounds: Mapping[Unknown, Bounds]
    count: int
    solutions: tuple[Solution, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    below: Fraction | None = None
    above: Fraction | None = None
