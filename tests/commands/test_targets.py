import pytest

from certify import library
from certify.figures.targets import select
from certify.intake.read import read_catalog

OPTIONS = sorted(
    option.target
    for game in read_catalog(library.paytables())[0].games.values()
    for wager in game.wagers
    for option in wager.options
)


@pytest.mark.parametrize("target", OPTIONS)
def test_an_option_comes_with_the_options_that_are_counted_with_it(target: str) -> None:
    """One pass counts all options of a game: the count of one would otherwise be made again."""
    game, _, _ = target.partition("/")
    assert select(target).game.wagers == select(game).game.wagers
