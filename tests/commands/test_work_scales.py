"""The work of commands grows with the files, and little with the files next to a named one.

Calls are counted instead of seconds: they are the same on every machine.
"""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from certify import api
from certify.commands.sweep.sweep import SweepRequest, sweep
from certify.review.check import check
from tools.bench.drivers import make_project

WAGER = "mini-pai-gow/bonus"


def check_all(folder: Path) -> None:
    check([folder])


def check_one(folder: Path) -> None:
    check([folder / f"paytables/{WAGER}/T00000.json"])


def evaluate(_: Path) -> None:
    api.evaluate(WAGER)


def sweep_all(folder: Path) -> None:
    shutil.rmtree(folder / "out", ignore_errors=True)
    grid = folder / "grid.json"
    grid.write_text(json.dumps({"$schema": "grid.schema.json", "games": [WAGER]}))
    sweep(SweepRequest(grid=grid, out=folder / "out"))


def crosscheck(_: Path) -> None:
    api.crosscheck(WAGER)


def count_calls(run: Callable[[Path], None], folder: Path) -> int:
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run(folder)
    finally:
        sys.setprofile(None)
    return calls


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    folders = {size: tmp_path_factory.mktemp("project") for size in (1, 100, 200)}
    for size, folder in folders.items():
        make_project(folder, size)
    return folders


@pytest.mark.parametrize("run", [check_all, evaluate, sweep_all, crosscheck])
def test_twice_as_many_paytables_take_twice_the_work(
    run: Callable[[Path], None], projects: dict[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = {}
    for size, folder in projects.items():
        monkeypatch.chdir(folder)
        run(folder)  # what a process loads once
        calls[size] = count_calls(run, folder)
    assert calls[200] - calls[1] < 2.1 * (calls[100] - calls[1])


def test_files_next_to_a_named_one_are_read_but_not_judged(projects: dict[int, Path]) -> None:
    whole, named = (count_calls(run, projects[200]) for run in (check_all, check_one))
    alone = count_calls(check_one, projects[1])
    assert named - alone < (whole - alone) / 2
