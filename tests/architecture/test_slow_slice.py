"""Every slow test has its turn."""

import pytest

from tests.slow_slice import AT_A_TIME, chosen


@pytest.mark.parametrize("number", [1, AT_A_TIME - 1, AT_A_TIME, 23, 114])
def test_every_slow_test_has_its_turn(number: int) -> None:
    tests = [str(one) for one in range(number)]
    turns = -(-number // AT_A_TIME)
    for first in (0, 5, 1000):
        run = {one for turn in range(turns) for one in chosen(tests, first + turn)}
        assert run == set(tests)
        assert len(chosen(tests, first)) == min(AT_A_TIME, number)
