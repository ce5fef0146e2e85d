"""veraPDF, the reference validator of PDF/A and PDF/UA, wherever it is installed."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])
PROGRAM = shutil.which("verapdf")


def in_both_flavours(test: Test) -> Test:
    """Run a test for PDF/A-3a and for PDF/UA-1; skip it, and say so, where veraPDF is missing."""
    missing = pytest.mark.skipif(
        PROGRAM is None,
        reason="verapdf is not on the PATH: conformance was checked structurally only",
    )
    marked: Test = missing(pytest.mark.parametrize("flavour", ["3a", "ua1"])(test))
    return marked


def conforms(files: Sequence[Path], flavour: str) -> None:
    """Hold every file against ``3a`` or ``ua1``."""
    ended = subprocess.run(
        [str(PROGRAM), "--format", "text", "-f", flavour, *map(str, files)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("PASS", "FAIL"))]
    assert len(lines) == len(files), ended.stdout + ended.stderr
    assert all(line.startswith("PASS") for line in lines), ended.stdout
