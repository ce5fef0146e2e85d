"""Commands start quickly: what is heavy is loaded by who needs it, when it is needed."""

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
from certify.cli.app import run
code = run(sys.argv[2:])
print(json.dumps([code, [name for name in sys.argv[1].split(",") if name in sys.modules]]))
"""


def loaded(cache: Path, *arguments: str) -> tuple[int, list[str]]:
    """Run a command in a fresh process; return its exit code and what heavy modules it loaded."""
    ended = subprocess.run(
        [sys.executable, "-c", PROBE, ",".join(HEAVY), *arguments],
        cwd=ROOT,
        env={**os.environ, "CERTIFY_CACHE": str(cache)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    code, names = json.loads(ended.stdout.splitlines()[-1])
    return code, names


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
    assert loaded(tmp_path, *arguments) == (0, [])


def test_two_hands_are_counted_without_the_compiler(tmp_path: Path) -> None:
    command = ("evaluate", "dealer-open-pai-gow/push-ace-high/1")
    assert loaded(tmp_path, *command) == (0, ["numpy"])
    assert loaded(tmp_path, *command) == (0, [])
