"""Random games of every shape: what `check` passes can be counted, and is counted right."""

from pathlib import Path

import pytest

from tests.fuzz.random_games import play

GAMES = 60
"""Games of a seed: two seeds take less than half a minute of one core."""


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_that_check_passes_is_counted_as_an_enumeration_counts_it(
    tmp_path: Path, seed: int
) -> None:
    played = play(tmp_path, seed, GAMES)
    assert not played.failures, "\n".join(played.failures)
    assert played.clean >= GAMES // 3
    assert played.enumerated >= GAMES // 6
