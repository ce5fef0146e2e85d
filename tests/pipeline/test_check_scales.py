"""The work of `check` grows with the files, and little with the files next to a named one.

Calls are counted instead of seconds: they are the same on every machine.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from certify.pipeline.check import check
from tests.bench.drivers import make_project


def count_calls(paths: Iterable[Path]) -> int:
    """Return the number of functions that a check calls."""
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        check(paths)
    finally:
        sys.setprofile(None)
    return calls


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[int, int]]:
    """Count the calls for all files and for a single one, by the number of files of the project."""
    found = {}
    for size in (1, 100, 200):
        folder = tmp_path_factory.mktemp("project")
        table = make_project(folder, size)
        check([folder])  # what a process loads once
        found[size] = count_calls([folder]), count_calls([table])
    return found


def test_twice_as_many_files_take_twice_the_work(calls: dict[int, tuple[int, int]]) -> None:
    whole = {size: each - calls[1][0] for size, (each, _) in calls.items()}
    assert whole[200] < 2.1 * whole[100]


def test_files_next_to_a_named_one_are_read_but_not_judged(
    calls: dict[int, tuple[int, int]],
) -> None:
    (whole, named), (_, alone) = calls[200], calls[1]
    assert named - alone < (whole - alone) / 2
