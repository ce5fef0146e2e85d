"""Commands run in this process as a user runs them: arguments and files in, exit code and text out.

The fuzzers know certify by ``python -m certify`` and by ``$CERTIFY_HOME/defect.txt`` only, so they
stay valid whatever is renamed behind it.
"""

import contextlib
import io
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from certify.__main__ import main

CONTRACT = (0, 1, 2, 3, 4)
"""The exit codes of a command that was not interrupted and met no defect."""

SECONDS = 20
"""Processor seconds after which a command is a failure: nothing fuzzed here takes one."""


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class TooLong(BaseException):
    """A command that does not end."""


class Answer(NamedTuple):
    """What a command answered."""

    code: int
    output: str
    errors: str

    @property
    def is_plain(self) -> bool:
        """True if the exit code is one of the contract and no traceback was printed."""
        return self.code in CONTRACT and "Traceback (most recent" not in self.output + self.errors


def answer(
    *arguments: str, folder: Path, given: bytes = b"", library: Path | None = None
) -> Answer:
    """Run a command in a folder, with these bytes on standard input.

    Raises:
        TooLong: it does not end in time.
    """
    with (
        contextlib.chdir(folder),
        _environment("CERTIFY_LIBRARY", library),
        _standard_input(given),
        _process(arguments),
        _descriptor(1) as output,
        _descriptor(2) as errors,
        _at_most(SECONDS),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
        texts = [
            os.pread(stream, os.fstat(stream).st_size, 0).decode() for stream in (output, errors)
        ]
    return Answer(code if isinstance(code, int) else 0, *texts)


def read_defect() -> str:
    """Return the report of the last defect."""
    path = Path(os.environ["CERTIFY_HOME"]) / "defect.txt"
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


@contextlib.contextmanager
def _environment(name: str, value: Path | None) -> Iterator[None]:
    before = os.environ.pop(name, None)
    if value is not None:
        os.environ[name] = str(value)
    try:
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


@contextlib.contextmanager
def _process(arguments: tuple[str, ...]) -> Iterator[None]:
    """Set the arguments; restore what a process that ends would leave."""
    before = sys.argv, sys.stdout, sys.stderr, tempfile.tempdir, os.environ.get("PYTHONSAFEPATH")
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    sys.argv = ["certify", *arguments]
    try:
        yield
    finally:
        sys.argv, sys.stdout, sys.stderr, tempfile.tempdir, safe_path = before
        os.environ.pop("PYTHONSAFEPATH", None)
        if safe_path is not None:
            os.environ["PYTHONSAFEPATH"] = safe_path
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _descriptor(number: int) -> Iterator[int]:
    """Yield the descriptor of a file that holds what is written to a standard stream."""
    before = os.dup(number)
    with tempfile.TemporaryFile() as stream:
        os.dup2(stream.fileno(), number)
        try:
            yield stream.fileno()
        finally:
            os.dup2(before, number)
            os.close(before)


@contextlib.contextmanager
def _standard_input(given: bytes) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def stop(_: int, __: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
