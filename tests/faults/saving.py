"""One of several processes that change a project at once.

`python -m tests.faults.saving KIND NUMBER` begins when its input ends. It waits between the last
look at a file and its replacement: without the project's lock another process loses its change.
"""

import hashlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from certify.declare import deletion, editing
from certify.declare.rewriting import replace_values
from certify.errors import ChangedMeanwhile

from .writers import DAY, GAME, OTHER, TABLE

TIMES = 6
PAUSE = 0.02
replace = Path.replace


def save_row(number: int, value: int) -> None:
    """Change the name of one row of the table."""
    editing.save(TABLE, editing.open_file(TABLE).sha256, {f"/rows/{number}/name": f"Row {value}"})


def undo_row(number: int, value: int) -> None:
    """Save a row, and undo that save unless another process has saved since."""
    document, values = editing.open_file(TABLE), {f"/rows/{number}/name": f"Row {value}"}
    editing.save(TABLE, document.sha256, values)
    saved = hashlib.sha256(replace_values(document, values).encode()).hexdigest()
    try:
        editing.undo(TABLE, saved)
    except ChangedMeanwhile:
        return


def revise_and_delete(number: int, value: int) -> None:
    """Add a revision of the game; save another table and delete it."""
    editing.revise(GAME, text="Reworded.", day=DAY, revision=f"{number}-{value}")
    editing.save(OTHER, editing.open_file(OTHER).sha256, {"/name": f"Name {value}"})
    deletion.delete(OTHER)


KINDS: dict[str, Callable[[int, int], None]] = {
    each.__name__: each for each in (save_row, undo_row, revise_and_delete)
}


def main(kind: str, number: int) -> None:
    """Make the changes of one process; try again if another process was faster."""
    editing.open_file(TABLE)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    with mock.patch.object(Path, "replace", _replace_late):
        for value in range(TIMES):
            while True:
                try:
                    KINDS[kind](number, value)
                except ChangedMeanwhile:
                    continue
                break


def _replace_late(path: Path, target: Path) -> Path:
    time.sleep(PAUSE)
    return replace(path, target)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
