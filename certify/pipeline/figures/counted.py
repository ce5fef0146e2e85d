"""What was counted on this machine: shown again at once, and never counted for being shown."""

from dataclasses import dataclass
from fractions import Fraction

from certify.engine.count_cache import kept
from certify.model.analysis import Analysis
from certify.model.catalogue import Catalogue
from certify.model.game import Game
from certify.model.house_way import nothing_set
from certify.model.main_wager import MainWager
from certify.pipeline.figures.play import Play


class _NotCounted(Exception):
    """Nothing is kept, and nothing is counted for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Exact figures of an option as the game declares its house way and strategy."""

    house_edge: Fraction
    return_to_player: Fraction
    hit_frequency: Fraction


def keep(play: Play, analysis: Analysis) -> None:
    """Keep the figures of an option that was counted."""
    shares = (analysis.house_edge, analysis.return_to_player, analysis.hit_frequency)
    kept(play.rests_on, lambda: [str(share) for share in shares])


def counted(option: MainWager, game: Game, catalogue: Catalogue) -> Counted | None:
    """Return the figures of an option if it was counted on this machine; None if not."""
    shape = game.hands.shape
    house_way = (
        catalogue.house_ways.get(game.house_way) if shape.divided else nothing_set(shape.cards)
    )
    if house_way is None:
        return None
    play = Play(option=option, game=game, house_way=house_way, strategy=game.strategy)
    try:
        edge, returned, hits = kept(play.rests_on, _refuse)
    except _NotCounted:
        return None
    return Counted(
        house_edge=Fraction(edge), return_to_player=Fraction(returned), hit_frequency=Fraction(hits)
    )


def mark(rests_on: tuple[object, ...]) -> None:
    """Note that everything that some figures rest on has been counted, and is kept."""
    kept(rests_on, lambda: True)


def marked(rests_on: tuple[object, ...]) -> bool:
    """Whether it was noted."""
    try:
        return bool(kept(rests_on, _refuse))
    except _NotCounted:
        return False


def _refuse() -> object:
    raise _NotCounted
