"""veraPDF, the reference validator of PDF/A and PDF/UA: on the PATH, or from ``.ci/verapdf``."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

JAR = Path(__file__).parents[1] / ".cache" / "verapdf.jar"
REQUIRED = os.environ.get("CERTIFY_VERAPDF") == "required"
"""Continuous integration does without no test; a user's ``make test`` may, and says so."""


def find_program() -> tuple[str, ...]:
    """Return the words that start veraPDF; none where it is not here."""
    if shutil.which("verapdf"):
        return ("verapdf",)
    if JAR.is_file() and shutil.which("java"):
        return ("java", "-cp", str(JAR), "org.verapdf.apps.GreenfieldCliWrapper")
    return ()


FLAVOURS = ("3a", "ua1")
"""PDF/A-3a and PDF/UA-1, which every document declares."""

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of Java for a short run, in which much compilation does not pay."""

where_installed = pytest.mark.skipif(
    not find_program() and not REQUIRED,
    reason="verapdf is not here (bash .ci/verapdf): conformance was checked structurally only",
)
"""Skip a test, and say so, where veraPDF is missing."""


def check_conformance(files: Sequence[Path]) -> None:
    """Check every file against each standard that it must declare."""
    assert find_program(), "veraPDF is required here and missing: bash .ci/verapdf"
    ended = subprocess.run(
        [*find_program(), "--format", "text", "--flavour", "0", *map(str, files)],
        env={**os.environ, "JAVA_TOOL_OPTIONS": QUICK},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    passed = [line for line in ended.stdout.splitlines() if line.startswith("PASS")]
    wanted = [f"PASS {file} {flavour}" for file in files for flavour in FLAVOURS]
    assert sorted(passed) == sorted(wanted), ended.stdout + ended.stderr
