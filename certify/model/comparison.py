"""Comparisons: house ways against one another, and a laboratory's counts against ours."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from certify.model.analysis import Input
from certify.model.game import Game
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayMatrix:
    """One option of a main wager, by every house way of the dealer and of the player.

    Edges are per unit staked, by the ids of the dealer's and of the player's house way. ``best``
    is the edge against the best play by the dealer's; nothing where it was not asked for.
    """

    option: MainWager
    edges: Mapping[tuple[str, str], Fraction]
    best: Mapping[str, Fraction]

    def cost(self, dealer: str, player: str) -> Fraction | None:
        """What the player's house way gives up against the best play; None where unknown."""
        best = self.best.get(dealer)
        return None if best is None else self.edges[dealer, player] - best


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayComparison:
    """Every house way that fits a game, against every option.

    ``unsound`` are ids of house ways that do not set every hand of this game in one way.
    """

    game: Game
    ways: tuple[HouseWay, ...]
    matrices: tuple[HouseWayMatrix, ...]
    unsound: tuple[str, ...]
    inputs: tuple[Input, ...]
    engine_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountCell:
    """One row of a paytable: its name, our combinations and theirs; None where one is missing."""

    event: str
    name: str
    ours: int | None
    theirs: int | None

    @property
    def agrees(self) -> bool:
        """Whether both are there and the same."""
        return self.ours is not None and self.ours == self.theirs


@dataclass(frozen=True, slots=True, kw_only=True)
class CountComparison:
    """A laboratory's counts of one paytable against ours, cell by cell."""

    target: str
    file: str
    cells: tuple[CountCell, ...]

    @property
    def agrees(self) -> bool:
        """Whether every cell does."""
        return all(cell.agrees for cell in self.cells)
