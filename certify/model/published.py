"""What the source documents print, and where they contradict themselves."""

from dataclasses import dataclass
from enum import StrEnum

from certify.model.source import Source


class Quantity(StrEnum):
    """What a printed figure is a value of."""

    COMBINATIONS = "combinations"
    PROBABILITY = "probability"
    ROW_RETURN = "row_return"
    TOTAL_RETURN = "total_return"
    HOUSE_EDGE = "house_edge"
    HOUSE_EDGE_WITH_PLAYERS = "house_edge_with_players"
    ENVY_ROW_RETURN = "envy_row_return"
    ENVY_ROW_PROBABILITY = "envy_row_probability"
    ENVY_ROW_COMBINATIONS = "envy_row_combinations"
    ENVY_PER_OTHER_PLAYER = "envy_per_other_player"
    TOTAL_COMBINATIONS = "total_combinations"
    TOTAL_PROBABILITY = "total_probability"
    NOT_COMPUTABLE = "not_computable"


class Convention(StrEnum):
    """What a printed return includes."""

    NET = "net"
    """Pay times probability, losers -1."""

    STAKE_INCLUDED = "stake_included"
    """(Pay + 1) times probability."""

    PRIZE = "prize"
    """Prize over qualifying wager, times probability."""

    PLAIN = "plain"
    """A count, a probability or an edge: no convention to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Another way to compute a printed figure: exactly one of the three is set.

    ``target`` is another paytable, ``convention`` another convention, ``decimals`` those to which
    the chance of every row is rounded, half up, before it is used.
    """

    target: str | None = None
    convention: Convention | None = None
    decimals: int | None = None

    def __str__(self) -> str:
        """What people read of it."""
        if self.decimals is not None:
            return f"probability rounded to {self.decimals} decimals"
        return str(self.target or self.convention)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """One printed figure. ``printed`` is the text itself: its digits are its precision.

    ``event`` names the row (``all_other`` the rest). ``reading`` is the one under which the figure
    is reproduced where it is not as the rules read, and ``reason`` says why a figure cannot be
    computed or how the source differs. ``house_way`` is the one that both hands of a main wager are
    set by in the figure.
    """

    id: str
    target: str
    quantity: Quantity
    printed: str
    convention: Convention
    source: Source
    event: str | None = None
    players: int | None = None
    reading: Reading | None = None
    reason: str | None = None
    house_way: str | None = None


class DiscrepancyKind(StrEnum):
    """The sort of trouble a source has."""

    CONTRADICTION = "contradiction"
    GAP = "gap"
    AMBIGUITY = "ambiguity"
    DUPLICATE = "duplicate"
    MISNAMING = "misnaming"
    ARITHMETIC = "arithmetic"
    EXTRACTION = "extraction"


class MeterTerm(StrEnum):
    """What a source has to state of a progressive meter."""

    SEED = "seed"
    INCREMENT = "increment"
    RESERVE = "reserve"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """A place where a source is silent, garbled or contradicts itself, and how it is read here.

    ``words`` are the few printed words it hangs on; ``targets`` the ids it touches; ``about`` the
    terms of a meter that a gap leaves open.
    """

    id: str
    kind: DiscrepancyKind
    title: str
    words: tuple[str, ...]
    sources: tuple[Source, ...]
    effect: str
    resolution: str
    targets: tuple[str, ...] = ()
    about: frozenset[MeterTerm] = frozenset()
