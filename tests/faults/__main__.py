"""Try each fault of the commands that are named; print the functions that changed files as JSON."""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from certify import library

from .faults import try_each_fault
from .writers import WRITERS

SAMPLE = Path(__file__).parents[2] / "fixtures" / "valid" / "library"


def use_sample_library(folder: Path) -> None:
    """Make the sample game the library: a small one is checked quickly."""
    folder.mkdir()
    for path in (library.schemas(), library.templates()):
        (folder / path.name).symlink_to(path)
    # Without the figures that the fixtures find faults in.
    shutil.copytree(SAMPLE, folder / "paytables", ignore=lambda *_: ["published.json"])
    os.environ["CERTIFY_LIBRARY"] = str(folder)


def main(names: list[str]) -> None:
    """Try the faults of these commands, one after the other."""
    tried: set[str] = set()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        use_sample_library(folder / "library")
        for number, name in enumerate(names):
            sys.stderr.write(f"{name}\n")
            for operation in try_each_fault(WRITERS[name], folder / f"{number}" / "case"):
                tried |= operation.functions
    sys.stdout.write(json.dumps(sorted(tried)))


if __name__ == "__main__":
    main(sys.argv[1:] or [*WRITERS])
