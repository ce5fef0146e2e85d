"""Processor time against the size of a task: ``python -m tools.bench scaling``."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from pathlib import Path

from tools.bench.drivers import make_project
from tools.bench.measure import Run, run

GAME = "mini-pai-gow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A command for several sizes of its task; ``prepare`` returns its arguments in a folder."""

    prepare: Callable[[Path, int], tuple[str, ...]]
    sizes: tuple[int, ...]
    on_cluster: bool = False


def check(folder: Path, size: int) -> tuple[str, ...]:
    make_project(folder, size)
    return "check", str(folder)


def evaluate(folder: Path, size: int) -> tuple[str, ...]:
    make_project(folder, size)
    return "evaluate", f"{GAME}/bonus"


def sweep(folder: Path, size: int) -> tuple[str, ...]:
    make_project(folder, size)
    grid = {"$schema": "grid.schema.json", "games": [f"{GAME}/bonus"]}
    (folder / "grid.json").write_text(json.dumps(grid), encoding="utf-8")
    return "sweep", str(folder / "grid.json"), "--out", str(folder / "out")


def verify(folder: Path, size: int) -> tuple[str, ...]:
    made = str(folder / "made")
    for command in (
        ("keys", "init-dev", "--if-missing"),
        ("submit", GAME, "--jurisdiction", "nevada", "--out", made),
    ):
        measure(command, folder)
    (report,) = Path(made).glob("*.mathematics.pdf")
    copies = [str(shutil.copy(report, folder / f"{number}.pdf")) for number in range(size)]
    return "verify", *copies


ROWS: Mapping[str, Row] = {
    "check, files": Row(prepare=check, sizes=(1, 100, 1_000, 5_000)),
    "evaluate, paytables": Row(prepare=evaluate, sizes=(1, 10, 100, 1_000)),
    "sweep, variants": Row(prepare=sweep, sizes=(1, 100, 1_000, 10_000)),
    "sweep on two Dask workers": Row(prepare=sweep, sizes=(1, 100, 1_000, 10_000), on_cluster=True),
    "verify, PDFs": Row(prepare=verify, sizes=(1, 10, 100)),
}


def measure(command: tuple[str, ...], folder: Path) -> Run:
    """Run a command with the caches, keys and project of a folder."""
    own = {"CERTIFY_CACHE": str(folder / "cache"), "CERTIFY_HOME": str(folder / "home")}
    return run(("-m", "certify", *command), own, folder=folder)


@contextmanager
def start_cluster(
    folder: Path, project: Path | None = None
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a Dask scheduler and two workers on this machine, each in a separate process.

    Args:
        folder: receives the file by which they find each other.
        project: the folder that they start in; this process's if not given.

    Yields:
        The address of the scheduler, and the workers.
    """
    file = folder / "scheduler.json"
    started: list[subprocess.Popen[bytes]] = []

    def start(module: str, *arguments: str) -> None:
        command = [sys.executable, "-m", module, *arguments, "--scheduler-file", str(file)]
        quiet = subprocess.DEVNULL
        started.append(subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=project))

    try:
        start(
            "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0", "--host", "127.0.0.1"
        )
        while not file.exists() and started[0].poll() is None:
            time.sleep(0.1)
        for _ in range(2):
            start("distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1", "--no-dashboard")
        yield json.loads(file.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def measure_row(row: Row, size: int, folder: Path) -> tuple[float, float, float]:
    """Return the processor seconds, with those of a cluster, the seconds by the clock, and MiB."""
    command = row.prepare(folder, size)
    if not row.on_cluster:
        found = measure(command, folder)
        return found.processor, found.wall, found.memory
    before = os.times()
    with start_cluster(folder, folder) as (address, _):
        found = measure((*command, "--cluster", address), folder)
    after = os.times()
    children = after[2] + after[3] - before[2] - before[3]
    return children, found.wall, found.memory


def iter_lines() -> Iterator[str]:
    """Yield the lines of the table, with the slope of each step.

    The slope is 1 if the time grows as the task does. It is the logarithm of the ratio of the times
    above that of the first row, to the base of the ratio of the sizes.
    """
    yield f"  {'':26} {'size':>7} {'processor s':>12} {'wall s':>8} {'MiB':>5} {'slope':>6}"
    for name, row in ROWS.items():
        known: list[tuple[int, float]] = []
        least = 0.0
        for size in row.sizes:
            with tempfile.TemporaryDirectory() as folder:
                seconds, wall, memory = measure_row(row, size, Path(folder))
            slope = ""
            least = least or seconds
            if known and known[-1][1] > 0 and seconds > least:
                slope = f"{log((seconds - least) / known[-1][1]) / log(size / known[-1][0]):.2f}"
            known.append((size, seconds - least))
            yield f"  {name:26} {size:>7,} {seconds:>12.2f} {wall:>8.2f} {memory:>5.0f} {slope:>6}"


if __name__ == "__main__":
    for line in iter_lines():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
