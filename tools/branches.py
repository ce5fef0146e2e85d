"""``python -m tools.branches``: what of ``certify/`` no test reaches, slow ones apart.

coverage.py watches the tests three times: all of them; those that start programs, with the
programs; and those that mutants of the kernels are run against, with the kernels as the plain
Python that they are, for it does not see into machine code.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tools.mutation.run import ROOT, parts

TESTS = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder", "-m", "not slow")
PROGRAMS = (
    "tests/acceptance/test_everyday.py",
    "tests/acceptance/test_faults.py",
    "tests/desk",
    "tests/printing",
    "tests/signatures",
)
KERNELS = ("kernels", "second")
"""The entries of `tools/mutation/packages.json` whose code is compiled."""
COUNTS = ROOT / ".cache" / "tests" / "counts"
LISTED = ROOT / "out" / "branches.txt"
"""Every line and branch that was not taken, file by file."""
COLUMNS = ("num_statements", "missing_lines", "num_branches", "missing_branches")


def main() -> int:
    """Run the tests and print the coverage of each package; return 1 if a test fails."""
    failed = run_coverage(*TESTS)
    more = ("-m", "not slow", "--cov-append")
    failed |= run_coverage(*PROGRAMS, *more, "--cov-config=tests/programs.ini")
    for part in (part for package in KERNELS for part in parts(package)):
        shutil.rmtree(COUNTS, ignore_errors=True)  # what is kept would not be counted
        failed |= run_coverage(*part.tests, *more, NUMBA_DISABLE_JIT="1")
    LISTED.parent.mkdir(exist_ok=True)
    LISTED.write_text(coverage("report", "--show-missing"), encoding="utf-8")
    report = LISTED.with_suffix(".json")
    coverage("json", "-o", str(report))
    files = json.loads(report.read_text(encoding="utf-8"))["files"]
    packages = defaultdict[str, dict[str, int]](lambda: dict.fromkeys(COLUMNS, 0))
    for file, found in files.items():
        for package in (find_package(file), "**all**"):
            for column in COLUMNS:
                packages[package][column] += found["summary"][column]
    out("| package | statements | not reached | branches | not taken | reached |")
    out("|---|---:|---:|---:|---:|---:|")
    for package in sorted(packages, key=lambda name: (name == "**all**", name)):
        statements, lines, branches, untaken = (packages[package][column] for column in COLUMNS)
        share = 1 - (lines + untaken) / (statements + branches)
        out(f"| {package} | {statements} | {lines} | {branches} | {untaken} | {share:.1%} |")
    out(f"\nLine by line: {LISTED.relative_to(ROOT)}")
    return int(failed)


def run_coverage(*arguments: str, **settings: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "--cov", "--cov-report=", *arguments]
    return bool(subprocess.run(command, env={**os.environ, **settings}, check=False).returncode)


def coverage(*arguments: str) -> str:
    """Run a command of coverage.py; return its output."""
    command = [sys.executable, "-m", "coverage", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def find_package(file: str) -> str:
    """Return the package of a module: its folder in ``certify/``, or the module."""
    package = Path(file).parts[1]
    return "`certify`" if package.endswith(".py") else f"`{package}`"


def out(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
