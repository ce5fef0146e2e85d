"""One of the slow tests among the others, another at each commit: none can rot unseen.

``python -m pytest -p tests.slow_slice`` runs all tests apart from the slow ones whose turn it is
not. A turn goes by the number of commits, or by the date where there is no repository; which slow
tests it had is said at the end.
"""

import datetime as dt
import subprocess

import pytest

AT_A_TIME = 1
"""Slow tests of one turn: each takes from seconds to some minutes of one core."""


def turn() -> int:
    """Return a number that is one more at each commit, or each day."""
    found = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], capture_output=True, text=True, check=False
    )
    if found.returncode == 0:
        return int(found.stdout)
    return dt.datetime.now(dt.UTC).date().toordinal()


def chosen(tests: list[str], number: int) -> list[str]:
    """Return the tests of one turn: in as many turns as it takes, every one has been run.

    They stand far apart in the list, so that the long ones of one file come in turns of their own.
    """
    apart = -(-len(tests) // AT_A_TIME)
    places = (number + one * apart for one in range(min(AT_A_TIME, len(tests))))
    return [tests[place % len(tests)] for place in places]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests that wait for their turn, and begin with the others of them."""
    slow = {item.nodeid: item for item in items if item.get_closest_marker("slow")}
    mine = [slow.pop(name) for name in dict.fromkeys(chosen([*slow], turn()))]
    config.hook.pytest_deselected(items=[*slow.values()])
    items[:] = [*mine, *(item for item in items if not item.get_closest_marker("slow"))]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which slow tests have had their turn."""
    ended = [one for name in ("passed", "failed") for one in terminalreporter.getreports(name)]
    for name in sorted(one.nodeid for one in ended if "slow" in one.keywords):
        terminalreporter.write_line(f"Its turn, of the slow tests: {name}")
