"""Run a few of the slow tests, others at each commit, so that none can rot unseen.

``python -m tests.slow_slice`` takes the tests whose turn it is by the number of commits, or by the
date where there is no repository, and says which they are.
"""

import datetime as dt
import subprocess
import sys

AT_A_TIME = 4
"""Slow tests of one turn: each takes from seconds to about seven minutes of one core."""

SECONDS = 900
"""After so long a turn is a failure."""


def turn() -> int:
    """Return a number that is one more at each commit, or each day."""
    found = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], capture_output=True, text=True, check=False
    )
    if found.returncode == 0:
        return int(found.stdout)
    return dt.datetime.now(dt.UTC).date().toordinal()


def slow_tests() -> list[str]:
    """Return the ids of all slow tests, in the order of collection."""
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-m", "slow"],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in listed.stdout.splitlines() if "::" in line]


def chosen(tests: list[str], number: int) -> list[str]:
    """Return the tests of one turn: in as many turns as it takes, every one has been run.

    They stand far apart in the list, so that the long ones of one file come in turns of their own.
    """
    apart = -(-len(tests) // AT_A_TIME)
    places = (number + one * apart for one in range(min(AT_A_TIME, len(tests))))
    return [tests[place % len(tests)] for place in places]


def main() -> int:
    """Run the tests whose turn it is."""
    tests = slow_tests()
    mine = chosen(tests, turn())
    sys.stderr.write(f"Slow tests of this turn, of {len(tests)}:\n  " + "\n  ".join(mine) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-m", "slow", *mine], timeout=SECONDS, check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
