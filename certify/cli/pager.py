"""Long output on a terminal: shown in a pager if it is longer than the screen."""

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO

from certify.cli.screen import shield

VARIABLES = ("CERTIFY_PAGER", "PAGER")
"""Variables that name the pager; the first that is set decides, and an empty one means none."""

USUAL = ("less", "more")


class _Collected(io.TextIOWrapper):
    """Output that is collected for a terminal and reports its properties."""

    def __init__(self, terminal: TextIO) -> None:
        self._bytes, self._terminal = io.BytesIO(), terminal
        super().__init__(self._bytes, encoding=terminal.encoding, errors="replace", newline="\n")

    def text(self) -> str:
        """Return what was printed."""
        self.flush()
        return self._bytes.getvalue().decode(self.encoding)

    def fileno(self) -> int:
        """Return the descriptor of the terminal."""
        return self._terminal.fileno()

    def isatty(self) -> bool:
        """Return True: this is shown on a terminal."""
        return True


@contextmanager
def paged() -> Iterator[None]:
    """Show what is printed in this block in a pager, if it is longer than the terminal is high."""
    terminal, pager = sys.stdout, _find_pager()
    if not pager or not terminal.isatty():
        yield
        return
    collected = _Collected(terminal)
    try:
        with redirect_stdout(shield(collected)):
            yield
    finally:
        text = collected.text()
        if text.count("\n") < shutil.get_terminal_size().lines or not _show(text, pager):
            terminal.write(text)
            terminal.flush()


def _find_pager() -> list[str]:
    """Return the command of the pager; empty if none is wanted or found."""
    if os.environ.get("CI") or os.environ.get("TERM", "dumb") == "dumb":
        return []
    named = next((os.environ[name] for name in VARIABLES if name in os.environ), None)
    return shlex.split(next(filter(shutil.which, USUAL), "") if named is None else named)


def _show(text: str, pager: list[str]) -> bool:
    """Show a text in a pager until the reader leaves it; return False if it cannot be started."""
    # LESS=R shows colors. Ctrl-C belongs to the pager as long as it runs.
    environment = {"LESS": "R", **os.environ}
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        subprocess.run(  # noqa: S603 - the pager that the user names
            pager,
            input=text.encode(sys.stdout.encoding),
            check=False,
            env=environment,
        )
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    return True
