"""What an aggregate payout limit makes of a wager: exact, or between two exact bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from certify.model.terms import AggregateLimit


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedFigures:
    """A wager of one amount under its limits, per unit wagered.

    ``cost`` is what the limits take off the return while nothing else is paid under them in the
    round: the least that they take. ``greatest_cost`` is the most; None where no bound is known.
    Both are equal where no limit is shared. Without a meter the house edge is the one without a
    limit plus the cost; with one, the return of the fixed pays is lower by the cost, and
    ``break_evens`` are the meters, in units of the base wager, at which the edge is nought.

    ``variance`` is None where a limit is shared or a meter decides. ``top_award`` is the greatest
    net win per unit, ``top_cents`` in cents. ``dynamic`` is the least and the greatest return that
    a draw adds. ``house_edge_by_players`` counts the bettor and the envy prizes, which no limit
    cuts.
    """

    wager_cents: int
    cost: Fraction
    greatest_cost: Fraction | None
    top_award: Fraction
    top_cents: Fraction
    variance: Fraction | None = None
    house_edge_by_players: Mapping[int, Fraction] = field(default_factory=dict)
    break_evens: tuple[tuple[str, Fraction], ...] = ()
    dynamic: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitAnalysis:
    """The limits that a wager is under, and its figures at the amounts that decide.

    ``binds_above_cents`` is the wager above which a pay can be cut: None where no pay can ever be.
    ``amounts`` rise from the least wager at which a pay is cut to the greatest that is allowed, if
    it is known; they are empty where no pay is cut at any wager that is allowed. ``open``: no
    greatest wager is known, and the limits take more off at a greater one than the last.
    """

    limits: tuple[AggregateLimit, ...]
    binds_above_cents: Fraction | None
    amounts: tuple[LimitedFigures, ...]
    open: bool = False

    @property
    def shared(self) -> bool:
        """Whether others are paid under one of the limits too: figures are bounds."""
        return any(limit.shared for limit in self.limits)
