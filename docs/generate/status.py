"""The page of speed and tests, from the dated results of `make bench` and of runs of the tests."""

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "results.json"
TEMPLATE = Path(__file__).with_name("status.txt")

TASKS = {
    "version": "`certify --version`",
    "check-file": "`certify check` of one file, nothing cached",
    "check-file-again": "`certify check` of one file",
    "evaluate-cold": "`certify evaluate` of one paytable, nothing cached",
    "exposed-compiled": "main wager of Emperor's Challenge Exposed, not counted before",
    "exposed-cold": "the same, nothing compiled",
    "concealed-optimum": "main wager of Pai Gow Mania by concealed best play, not counted before",
    "first-draft": "first draft of Emperor's Challenge Exposed, nothing compiled or cached",
    "second-draft": "the second draft, nothing changed",
    "reproduce": "`certify reproduce --figures-only` of its report, not counted before",
    "verify-100": "`certify verify` of 100 reports of Mini Pai Gow",
    "sweep": "`certify sweep` of 1,000 bonus paytables",
    "sweep-jobs": "the same with `--jobs 2`",
}
"""The task of each bench of `tools.bench`; a bench without a result has no row."""


def status_page() -> str:
    """Return the page of measured times and of what the tests show."""
    results: dict[str, Any] = json.loads(RESULTS.read_bytes())
    for result in results.values():
        result["when"] = f"{result['day']}, `{result['commit']}`"
    rows = [
        f"| {words} | {bench['seconds']} | {bench['mebibytes']:,} | {bench['runs']} | "
        f"{bench['load']} | {bench['when']} |"
        for name, words in TASKS.items()
        if (bench := results.get(f"bench {name}"))
    ]
    return TEMPLATE.read_text(encoding="utf-8").format(speed="\n".join(rows), **results)
