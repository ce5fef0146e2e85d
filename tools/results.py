"""Record the dated results that the status page of the documentation prints.

``make bench`` records times, ``PYTEST_ADDOPTS="-p tools.results" make test`` a run of the tests.
"""

import datetime as dt
import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results.json"


def record(name: str, **values: int | str) -> None:
    """Replace a result of the file, with the day and the commit."""
    head = subprocess.run(
        ("git", "rev-parse", "--short=8", "HEAD"),
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    results = json.loads(RESULTS.read_bytes())
    day = dt.datetime.now(dt.UTC).date().isoformat()
    results[name] = {"day": day, "commit": head.stdout.strip(), **values}
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Record how many tests passed, failed and were skipped."""
    outcomes = {
        word: len(terminalreporter.getreports(word)) for word in ("passed", "failed", "skipped")
    }
    outcomes["failed"] += len(terminalreporter.getreports("error"))
    record("tests", marks=terminalreporter.config.getoption("markexpr"), **outcomes)
