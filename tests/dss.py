"""DSS, the reference validator of PAdES: in ``CERTIFY_DSS_JARS``, or from ``.ci/dss``."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

JARS = Path(os.environ.get("CERTIFY_DSS_JARS", Path(__file__).parents[1] / ".cache" / "dss"))
PROGRAM = Path(__file__).parent / "signatures" / "Validate.java"
REQUIRED = os.environ.get("CERTIFY_DSS") == "required"
INSTALLED = JARS.is_dir() and shutil.which("javac") is not None

where_installed = pytest.mark.skipif(
    not INSTALLED and not REQUIRED, reason="DSS is not here: bash .ci/dss"
)


def validate(
    roots: Sequence[Path], files: Sequence[Path]
) -> list[tuple[str, str, str, frozenset[str]]]:
    """Return each signature's file, level and state, and the keys of what DSS objects to."""
    assert INSTALLED, "DSS is required here and missing: bash .ci/dss"
    ended = subprocess.run(
        ["java", "-cp", f"{JARS}/*", str(PROGRAM), ":".join(map(str, roots)), *map(str, files)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found = []
    for line in ended.stdout.splitlines():
        file, level, state, *keys = line.split()
        found.append((file, level, state, frozenset(keys)))
    return found
