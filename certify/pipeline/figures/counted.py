"""What was counted on this machine: shown again at once, and never counted for being shown."""

from dataclasses import dataclass
from fractions import Fraction

from certify.engine.count_cache import kept
from certify.model.analysis import Analysis
from certify.model.catalogue import Catalogue
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager

Play = tuple[object, ...]


class _NotCounted(Exception):
    """Nothing is kept, and nothing is counted for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Exact figures of an option as the game declares its house way and strategy."""

    house_edge: Fraction
    return_to_player: Fraction
    hit_frequency: Fraction


def play_of(option: MainWager, game: Game, house_way: HouseWay, strategy: Strategy) -> Play:
    """Return everything that the figures of an option rest on."""
    return ("counted", option, game.hands, game.dealer_exposed, house_way, strategy)


def keep(play: Play, analysis: Analysis) -> None:
    """Keep the figures of an option that was counted."""
    shares = (analysis.house_edge, analysis.return_to_player, analysis.hit_frequency)
    kept(play, lambda: [str(share) for share in shares])


def counted(option: MainWager, game: Game, catalogue: Catalogue) -> Counted | None:
    """Return the figures of an option if it was counted on this machine; None if not."""
    house_way = catalogue.house_ways.get(game.house_way)
    if house_way is None:
        return None
    try:
        edge, returned, hits = kept(play_of(option, game, house_way, game.strategy), _refuse)
    except _NotCounted:
        return None
    return Counted(
        house_edge=Fraction(edge), return_to_player=Fraction(returned), hit_frequency=Fraction(hits)
    )


def mark(play: Play) -> None:
    """Note that everything that some figures rest on has been counted, and is kept."""
    kept(play, lambda: True)


def marked(play: Play) -> bool:
    """Whether it was noted."""
    try:
        return bool(kept(play, _refuse))
    except _NotCounted:
        return False


def _refuse() -> object:
    raise _NotCounted
