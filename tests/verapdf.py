"""veraPDF, the reference validator of PDF/A and PDF/UA: on the PATH, or from ``.ci/verapdf``."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])
JAR = Path(__file__).parents[1] / ".cache" / "verapdf.jar"
REQUIRED = os.environ.get("CERTIFY_VERAPDF") == "required"
"""Continuous integration does without no test; a user's ``make test`` may, and says so."""


def program() -> tuple[str, ...]:
    """Return the words that start veraPDF; none where it is not here."""
    if shutil.which("verapdf"):
        return ("verapdf",)
    if JAR.is_file() and shutil.which("java"):
        return ("java", "-cp", str(JAR), "org.verapdf.apps.GreenfieldCliWrapper")
    return ()


FLAVOURS = ("3a", "ua1")

where_installed = pytest.mark.skipif(
    not program() and not REQUIRED,
    reason="verapdf is not here (bash .ci/verapdf): conformance was checked structurally only",
)
"""Skip a test, and say so, where veraPDF is missing."""


def in_both_flavours(test: Test) -> Test:
    """Run a test for PDF/A-3a and for PDF/UA-1, where veraPDF is."""
    marked: Test = where_installed(pytest.mark.parametrize("flavour", FLAVOURS)(test))
    return marked


def conforms(files: Sequence[Path], flavour: str) -> None:
    """Hold every file against ``3a`` or ``ua1``."""
    assert program(), "veraPDF is required here and missing: bash .ci/verapdf"
    ended = subprocess.run(
        [*program(), "--format", "text", "-f", flavour, *map(str, files)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("PASS", "FAIL"))]
    assert len(lines) == len(files), ended.stdout + ended.stderr
    assert all(line.startswith("PASS") for line in lines), ended.stdout
