"""A second exact count that was made once and kept, with a digest of what was counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from certify.model.game import Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondCount:
    """Pairs of hands by row of one target, and the house edge that follows.

    ``digest`` is of the declared values that were counted, not of their words: a count belongs to
    whatever has its digest. ``counted`` is the day, ``version`` the certify that counted.
    ``house_way`` and ``strategy`` are of a main wager; a wager on both hands has neither, and its
    ``house_edge`` is None where it does not follow from the counts alone. ``rows`` of no pair may
    be left out. ``mac`` is that of the user who counted, see `certify.engine.count_cache.seal`.
    """

    target: str
    digest: str
    counted: date
    version: str
    rows: Mapping[str, int]
    house_way: str | None = None
    strategy: Strategy | None = None
    house_edge: Fraction | None = None
    mac: str = ""

    @property
    def pairs(self) -> int:
        """The number of ordered pairs of disjoint hands."""
        return sum(self.rows.values())
