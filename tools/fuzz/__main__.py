"""``python -m tools.fuzz [--minutes M] [--seed N] [--entry NAME]``: files and games without end."""

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from tools.fuzz.entry_points import entry_points
from tools.fuzz.random_games import play
from tools.fuzz.run import Failure, fuzz, keep

KEPT = Path("out/fuzz")
MEMORY = 4 << 30
"""Bytes that the program may address: a file that asks for more is a failure, not the end."""

GAMES = 50
"""Random games of a project; their part of the time is a third."""


def main() -> int:
    """Run for so long; keep what fails, and say where."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--entry", help="only entry points whose name contains this, and no games")
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    _say(f"seed {asked.seed}")
    seconds, games, failures = 60 * asked.minutes, 0, 0
    end = time.monotonic() + seconds / 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["CERTIFY_HOME"] = str(folder)
        seed = asked.seed
        while not asked.entry and time.monotonic() < end:
            played = play(folder / f"games-{seed}", seed, GAMES)
            games, failures, seed = games + GAMES, failures + len(played.failures), seed + 1
            for failure in played.failures:
                _say(failure)
        every = [
            entry
            for entry in entry_points(folder / "files", asked.seed)
            if not asked.entry or asked.entry in entry.name
        ]
        rest = seconds if asked.entry else 2 * seconds / 3
        run = fuzz(every, asked.seed, seconds=rest, report=_tell)
    failures += len(run.failures)
    _say(
        f"seed {run.seed}: {games} games, {run.files} files, {failures} kinds of failure; "
        f"the longest file took {run.longest[0]:.1f} s ({run.longest[1]})"
    )
    return 1 if failures else 0


def _tell(failure: Failure) -> None:
    _say(f"{failure.what} in {failure.where}: {keep(failure, KEPT)}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
