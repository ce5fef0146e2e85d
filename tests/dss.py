"""DSS, the reference validator of PAdES: one in ``CERTIFY_DSS_JARS``, or two from ``.ci/dss``."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.verapdf import QUICK

OWN = Path(__file__).parents[1] / ".cache" / "dss"
VERSIONS = tuple(map(Path, filter(None, [os.environ.get("CERTIFY_DSS_JARS")]))) or (
    OWN / "6.3",
    OWN / "6.4",
)
"""Folders of one version each. 6.1 to 6.3 permit less than 6.4 where a field is tagged."""

PROGRAM = Path(__file__).parent / "signatures" / "Validate.java"
REQUIRED = os.environ.get("CERTIFY_DSS") == "required"
INSTALLED = all(map(Path.is_dir, VERSIONS)) and shutil.which("javac") is not None

where_installed = pytest.mark.skipif(
    not INSTALLED and not REQUIRED, reason="DSS is not here: bash .ci/dss"
)


def validate(
    version: Path, roots: Sequence[Path], files: Sequence[Path]
) -> list[tuple[str, str, str, frozenset[str]]]:
    """Return each signature's file, level and state, and the keys of what DSS objects to."""
    assert INSTALLED, "DSS is required here and missing: bash .ci/dss"
    ended = subprocess.run(
        [
            *("java", *QUICK.split(), "-cp", f"{version}/*", str(PROGRAM)),
            *(":".join(map(str, roots)), *map(str, files)),
        ],
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
