"""Entry point: ``certify``, ``python -m certify``, a packaged program, and the tasks of a worker.

It shields the commands from their environment: closed or broken standard streams, signals that end
the process, and temporary files that an interrupted command leaves.
"""

import io
import os
import shutil
import signal
import sys
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""Signals that end a command as an interrupt does; SIGINT already raises KeyboardInterrupt."""

INTERRUPTED = 130


class _Tolerant(io.FileIO):
    """A stream that drops what nobody can read, so that the command ends with its own exit code."""

    def __init__(self, descriptor: int, dropped: type[OSError]) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._dropped = dropped

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes, or drop them."""
        try:
            return super().write(data)
        except self._dropped:
            return memoryview(data).nbytes


def main() -> None:
    """Run a command, or a task of `certify.worker`, and exit."""
    _open_streams()
    if getattr(sys, "frozen", False):
        import multiprocessing

        multiprocessing.freeze_support()

    from certify.worker import serve

    status = serve(sys.argv[1:])
    sys.exit(_run(sys.argv[1:]) if status is None else status)


def _run(arguments: list[str]) -> int:
    folder = None
    try:
        _catch_signals(desk=arguments[:1] == ["desk"])
        folder = _temporary_folder()
        from certify.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # not even the modules of a command, or of its messages, can be read
        sys.stderr.write(f"Error: The system refused to go on: {error}.\n")
        return 2
    finally:
        for number in (signal.SIGINT, *SIGNALS):
            signal.signal(number, signal.SIG_IGN)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _open_streams() -> None:
    """Open the null device for a closed stream, and let output that nobody reads be dropped."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor
    for descriptor, name, dropped in ((1, "stdout", BrokenPipeError), (2, "stderr", OSError)):
        given = getattr(sys, name)
        if given is None or os.name == "posix":
            stream = io.TextIOWrapper(
                io.BufferedWriter(_Tolerant(descriptor, dropped)),
                encoding=given.encoding if given else "utf-8",
                errors="backslashreplace" if name == "stderr" else "replace",
                line_buffering=name == "stderr" or os.isatty(descriptor),
            )
            setattr(sys, name, stream)


def _catch_signals(*, desk: bool) -> None:
    """Raise KeyboardInterrupt at a signal, except one that the parent has set to be ignored.

    A shell ignores SIGINT in what it runs in the background; the web app ends at it all the same.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    if desk:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _temporary_folder() -> str | None:
    """Create the folder of all temporary files of this process; None if the system has no place."""
    try:
        folder = tempfile.mkdtemp(prefix="certify-")
    except OSError:
        return None
    tempfile.tempdir = folder
    return folder


if __name__ == "__main__":
    main()
