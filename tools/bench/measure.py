"""A whole process, measured from outside: wall time, processor time, greatest memory."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO

ROOT = Path(__file__).parents[2]
MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One process: seconds by the clock and of the processors, greatest memory in MiB."""

    wall: float
    processor: float
    memory: float
    output: str


def run(arguments: Sequence[str], environment: Mapping[str, str], *, folder: Path = ROOT) -> Run:
    """Run Python with ``arguments`` in a folder, and measure it with all its children.

    Raises:
        RuntimeError: the process failed.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as problem:
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=folder,
            # A user's Python keeps compiled modules.
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=problem,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        printed, said = _all_of(output), _all_of(problem)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)}: {printed[-1000:]}{said[-2000:]}")
    # Linux counts memory in KiB, macOS in bytes.
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / MEBIBYTE
    processor = usage.ru_utime + usage.ru_stime
    return Run(wall=wall, processor=processor, memory=memory, output=printed)


def _all_of(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()


def line(name: str, runs: Sequence[Run], reference: Sequence[Run], aim: str) -> str:
    """Return one line of the table: least, middle and greatest, the ratio, and the aim."""
    ratio = median(item.processor for item in runs) / median(item.processor for item in reference)

    def three(values: Sequence[float]) -> str:
        return f"{min(values):7.2f} {median(values):7.2f} {max(values):7.2f}"

    return (
        f"{name:44}  {len(runs):2}  {three([item.wall for item in runs])}  "
        f"{three([item.processor for item in runs])}  {max(item.memory for item in runs):6.0f}  "
        f"{ratio:6.2f}  {aim}"
    )


def summarize(runs: Sequence[Run]) -> dict[str, int | str]:
    """Return the medians of a bench, as the status page of the documentation prints them."""
    return {
        "runs": len(runs),
        "seconds": f"{median(item.processor for item in runs):.2f}",
        "mebibytes": round(max(item.memory for item in runs)),
    }


HEADER = (
    f"{'':44}  {'':2}  {'wall s':^23}  {'processor s':^23}  {'peak':>6}  {'ratio':>6}\n"
    f"{'what':44}  {'n':>2}  {'min':>7} {'median':>7} {'max':>7}  "
    f"{'min':>7} {'median':>7} {'max':>7}  {'MiB':>6}  {'':>6}  aim (wall)"
)
