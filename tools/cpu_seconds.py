"""List the tests that take the most processor time, child processes included.

``python -m pytest -p tools.cpu_seconds`` prints them at the end of a run, with or without ``-n``.
What a fixture of a module or session takes counts for the test that first needs it. It measures on
an empty cache of counts: remove ``.cache/tests`` first.
"""

import contextlib
import os
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

LISTED = 40
MOST = 60
"""Processor seconds of one default test; a test above is split, or marked long or slow."""


def processes() -> Iterator[Path]:
    """Yield the folder of this process in /proc, and those of its descendants that are running."""
    found = [Path(f"/proc/{os.getpid()}")]
    while found:
        yield (folder := found.pop())
        with contextlib.suppress(OSError):  # it has ended since
            for path in folder.glob("task/*/children"):
                found += (folder.with_name(child) for child in path.read_text("ascii").split())


def processor_seconds() -> float:
    """Return the seconds that this process and its descendants have used, running or ended."""
    ticks = 0
    for folder in processes():
        with contextlib.suppress(OSError):
            stat = (folder / "stat").read_text(encoding="ascii", errors="replace")
            ticks += sum(map(int, stat.rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


last = 0.0


def pytest_runtest_logstart() -> None:
    """Begin to measure a test."""
    global last  # noqa: PLW0603 - one run, one thread
    last = processor_seconds()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note what this phase of a test has taken; the report carries it out of a worker."""
    global last  # noqa: PLW0603 - one run, one thread
    report = yield
    now = processor_seconds()
    vars(report)["cpu_seconds"] = now - last
    last = now
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    taken: Counter[str] = Counter()
    before: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if (seconds := getattr(report, "cpu_seconds", None)) is not None:
                taken[report.nodeid] += seconds
                before[report.nodeid] += seconds if report.when == "setup" else 0
    terminalreporter.section("processor seconds, and those of set-up")
    for name, seconds in taken.most_common(LISTED):
        terminalreporter.write_line(f"{seconds:7.1f} {before[name]:7.1f}  {name}")
    files: Counter[str] = Counter()
    for name, seconds in taken.items():
        files[name.partition("::")[0]] += seconds
    for name, seconds in files.most_common(LISTED):
        terminalreporter.write_line(f"{seconds:7.1f} {'':7}  {name}")
    terminalreporter.write_line(f"{taken.total():.0f} s in all.")
    above = sum(seconds > MOST for seconds in taken.values())
    terminalreporter.write_line(f"{above} of {len(taken)} tests took more than {MOST} s.")
