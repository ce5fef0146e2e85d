"""Every slow test has its turn, among all the others."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests import slow_slice
from tests.slow_slice import AT_A_TIME, chosen


@pytest.mark.parametrize("number", [1, AT_A_TIME - 1, AT_A_TIME, 23, 114])
def test_every_slow_test_has_its_turn(number: int) -> None:
    tests = [str(one) for one in range(number)]
    turns = -(-number // AT_A_TIME)
    for first in (0, 5, 1000):
        run = {one for turn in range(turns) for one in chosen(tests, first + turn)}
        assert run == set(tests)
        assert len(chosen(tests, first)) == min(AT_A_TIME, number)


def test_no_other_test_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def item(name: str, *marks: str) -> Any:  # noqa: ANN401 - stands for a test
        return SimpleNamespace(nodeid=name, get_closest_marker=lambda mark: mark in marks or None)

    waiting: list[Any] = []

    def deselected(items: list[Any]) -> None:
        waiting.extend(items)

    told: Any = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=deselected))
    quick = [item(f"quick {one}") for one in range(7)]
    slow = [item(f"slow {one}", "slow") for one in range(8)]
    items = [*quick[:3], *slow, *quick[3:]]
    monkeypatch.setattr(slow_slice, "turn", lambda: 1)
    slow_slice.pytest_collection_modifyitems(told, items)
    names = [one.nodeid for one in items]
    assert names[:AT_A_TIME] == chosen([one.nodeid for one in slow], 1)
    assert items[AT_A_TIME:] == quick
    assert {one.nodeid for one in waiting} == {one.nodeid for one in slow} - set(names)
