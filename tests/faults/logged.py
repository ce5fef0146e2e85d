"""Compare the files that each writer has changed with those that the log names.

`python -m tests.faults.logged NAMES` prints what is missing, or named with another digest, as JSON.
"""

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

from certify.activity import activity
from certify.project_log import _list_files

from .__main__ import use_sample_library
from .faults import Writer, read_files
from .writers import WRITERS


def find_unlogged(writer: Writer, folder: Path) -> dict[str, str | None]:
    """Run a writer; return the visible files that it changed and did not note, by their path."""
    (folder / ".home").mkdir(mode=0o700, parents=True)
    os.environ["CERTIFY_HOME"] = str(folder / ".home")
    os.chdir(folder)
    writer.prepare(folder)
    before = read_files(folder)
    used = activity.get()
    used.outputs.clear()
    writer.act(folder)
    after = read_files(folder)
    named = _list_files(used.outputs)
    changed = {
        name: hashlib.sha256(after[name]).hexdigest() if name in after else None
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }
    return {
        name: digest
        for name, digest in changed.items()
        if named.get(folder / name, "not noted") != digest
    }


def main(names: list[str]) -> None:
    """Print the files that are not noted, by the name of their writer."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        use_sample_library(folder / "library")
        found = {
            name: find_unlogged(WRITERS[name], folder / str(number))
            for number, name in enumerate(names)
        }
        os.chdir("/")
    sys.stdout.write(json.dumps({name: files for name, files in found.items() if files}))


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in WRITERS if "of the log" not in name])
