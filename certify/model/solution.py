"""What a search for pays leaves open, how it ranks what it finds, and what it found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from certify.model.analysis import Analysis
from certify.model.paytable import EnvyTable, Paytable


class Kind(StrEnum):
    """What is left open."""

    ROW = "row"
    """The pay of a row of the paytable, in units of the wager."""

    ENVY = "envy"
    """The prize of a row of the envy table, in cents."""

    METER = "meter"
    """The amount on a progressive meter, in cents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """One unknown: the event of a row, the event of an envy prize, or the level of a meter."""

    kind: Kind
    id: str

    def __str__(self) -> str:
        """As the command line names it: ``flush``, ``envy:flush``, ``meter:1``."""
        return self.id if self.kind is Kind.ROW else f"{self.kind}:{self.id}"


class By(StrEnum):
    """How solutions are ranked; what is equal there goes by distance, then by the pays."""

    DISTANCE = "distance"
    """The sum over the unknowns of the change relative to the present amount, least first."""

    SMOOTHNESS = "smoothness"
    """How little the ratio of each pay to the next one changes down the table."""

    HIT_FREQUENCY = "hit-frequency"
    """The share of hands with a net win, greatest first."""

    VOLATILITY = "volatility"
    """The variance of the wager, least first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """One solution as records; ``amounts`` are by unknown, None where a row is left out.

    Amounts are units of the wager as printed (rows) or cents (prizes and meters). ``edge`` is what
    the band is about; ``analysis`` has every other figure.
    """

    amounts: Mapping[Opening, int | None]
    paytable: Paytable
    envy: EnvyTable | None
    edge: Fraction
    distance: Fraction
    roughness: Fraction
    analysis: Analysis


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The values that an unknown may have: whole multiples of ``step`` from low to high."""

    low: int
    high: int
    step: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """What a search came to: how many solutions there are, and those that are listed, in order.

    ``players`` is the number of bettors whose hands win prizes in the edge that the band is about;
    None for the edge of the wager alone. ``left_out`` are the errors that keep out solutions which
    rank before the last one listed, by message, with how many. ``below`` and ``above`` are the
    nearest edges that can be reached where nothing meets the band.
    """

    target: str
    low: Fraction
    high: Fraction
    by: By
    players: int | None
    present: Fraction | None
    bounds: Mapping[Opening, Bounds]
    count: int
    solutions: tuple[Solution, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    below: Fraction | None = None
    above: Fraction | None = None
