"""Words that figures need wherever they are printed."""

from collections.abc import Iterable

from certify.formatting import listed
from certify.model.analysis import Analysis


def other_players(players: int) -> str:
    """Return the number of the others at a table of so many players."""
    others = players - 1
    return "1 other player" if others == 1 else f"{others} other players"


def without_envy(analyses: Iterable[Analysis | None]) -> str:
    """Return the words that figures need which leave out prizes for other players' hands."""
    words = {one.envy.called for one in analyses if one is not None and one.envy is not None}
    return f", without {listed(sorted(words))}" if words else ""
