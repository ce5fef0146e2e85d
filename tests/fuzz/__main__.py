"""``python -m tests.fuzz [--minutes M] [--seed N] [--entry NAME]``: mutated files without end."""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.entry_points import entry_points, sample_library
from tests.fuzz.run import Failure, fuzz, keep

KEPT = Path("out/fuzz")
MEMORY = 4 << 30
"""Bytes that the program may address: a file that asks for more is a failure, not the end."""


def main() -> int:
    """Run for so long; keep what fails, and say where."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--entry", help="only entry points whose name contains this")
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout.write(f"seed {asked.seed}\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder, sample_library():
        every = [
            entry
            for entry in entry_points(Path(folder))
            if not asked.entry or asked.entry in entry.name
        ]
        run = fuzz(every, asked.seed, seconds=60 * asked.minutes, report=_tell)
    sys.stdout.write(
        f"seed {run.seed}: {run.files} files, {len(run.failures)} kinds of failure; "
        f"the longest took {run.longest[0]:.1f} s ({run.longest[1]})\n"
    )
    return 1 if run.failures else 0


def _tell(failure: Failure) -> None:
    sys.stdout.write(f"{failure.what} in {failure.where}: {keep(failure, KEPT)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
