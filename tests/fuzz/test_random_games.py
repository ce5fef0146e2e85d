"""Random games of every shape: what `check` passes can be counted, and is counted right."""

import os
from pathlib import Path

import pytest

from tests.marks import further
from tools.fuzz.random_games import play

GAMES = 40
"""Games of a seed: three seeds take less than half a minute of one core."""


@pytest.mark.parametrize("seed", [1, *further([2, None])], ids=["1", "2", "new"])
def test_a_game_that_check_passes_is_counted_as_an_enumeration_counts_it(
    tmp_path: Path, seed: int | None
) -> None:
    """One seed is new in each run. To repeat it, run ``python -m tools.fuzz --seed N``."""
    chosen = seed or int.from_bytes(os.urandom(4))
    played = play(tmp_path, chosen, GAMES)
    assert not played.failures, "\n".join([f"seed {chosen}", *played.failures])
    if seed:  # chance may give a new seed few games that can be enumerated
        assert played.clean >= GAMES // 3
        assert played.enumerated >= GAMES // 6
        assert played.recounted >= GAMES // 4
