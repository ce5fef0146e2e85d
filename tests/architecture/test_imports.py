import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = (
    "numpy", "numba", "weasyprint", "pyhanko", "pikepdf", "jinja2", "cryptography", "PIL",
    "pydantic", "jsonschema", "rich", "multiprocessing", "asyncio",
)  # fmt: skip
TARGET = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"

PROBE = """
import json, sys
from certify.__main__ import main
try:
    main()
except SystemExit as ended:
    print(json.dumps([ended.code, sorted(sys.modules)]))
"""


def modules(cache: Path, *arguments: str) -> tuple[int, set[str]]:
    """Run a command in a new process; return its exit code and the modules that it loaded."""
    ended = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=ROOT,
        env={**os.environ, "CERTIFY_CACHE": str(cache)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    code, names = json.loads(ended.stdout.splitlines()[-1])
    return code, set(names)


def find_loaded(cache: Path, *arguments: str) -> tuple[int, list[str]]:
    """Run a command in a new process; return its exit code and the heavy modules that it loaded."""
    code, names = modules(cache, *arguments)
    return code, [name for name in HEAVY if name in names]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("check", f"paytables/{TARGET}.json"),
        ("evaluate", TARGET),
        ("evaluate", TARGET, "--format", "json"),
        ("evaluate", "commission-free-pai-gow-express/red-black/1"),
        ("explain", TARGET, "As Ks Qs Js Ts 2c 2d"),
        ("rule", "P004"),
    ],
    ids=" ".join,
)
def test_light_command_loads_nothing_heavy(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert find_loaded(tmp_path, *arguments) == (0, [])


def test_two_hands_are_counted_without_the_compiler(tmp_path: Path) -> None:
    command = ("evaluate", "dealer-open-pai-gow/push-ace-high/1")
    assert find_loaded(tmp_path, *command) == (0, ["numpy"])
    assert find_loaded(tmp_path, *command) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "of_certify", "of_all"),
    [(("--version",), 10, 120), (("check", f"paytables/{TARGET}.json"), 165, 450)],
    ids=["version", "check"],
)
def test_a_command_loads_few_modules(
    arguments: tuple[str, ...], of_certify: int, of_all: int, tmp_path: Path
) -> None:
    """The start-up budget, as modules; a bound is only raised for something that needs it.

    The second bound leaves room for the standard library of another Python.
    """
    code, names = modules(tmp_path, *arguments)
    assert code == 0
    ours = {name for name in names if name.partition(".")[0] == "certify"}
    assert len(ours) <= of_certify, sorted(ours)
    assert len(names) <= of_all, sorted(names - ours)
