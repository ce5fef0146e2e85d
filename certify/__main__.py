"""Entry point: ``certify``, ``python -m certify``, a packaged program, and the tasks of a worker.

It shields the commands from their environment: closed or broken standard streams, signals that end
the process, and temporary files that an interrupted command leaves.
"""

import sys

INTERRUPTED = 130

try:
    import io
    import os
    import signal
    from typing import TYPE_CHECKING

    from certify import TASK
except KeyboardInterrupt:  # handlers cannot be set before `signal` is there
    sys.exit(INTERRUPTED)

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)
"""Signals that end a command."""

MOMENT = 0.001
"""Seconds until an ignored interrupt is raised again."""

CLOSED = """Error: Standard output is closed, so no result can be printed.
  Fix: redirect it: `> FILE`, or `> /dev/null` if only the exit code is needed."""


class _Tolerant(io.FileIO):
    """An output stream that drops data on an error; the command keeps its own exit code."""

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
    arguments = sys.argv[1:]
    # Python would import modules for child processes from the current folder, a received project.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        desk = arguments[:1] == ["desk"]
        _catch_signals(desk=desk)
        if _open_streams() and not desk:
            sys.stderr.write(f"{CLOSED}\n")
            sys.exit(2)
        if getattr(sys, "frozen", False):
            import multiprocessing

            multiprocessing.freeze_support()

        if arguments[:1] == [TASK]:
            from certify.worker import serve

            serve(*arguments[1:])
            status = 0
        else:
            status = _run(arguments)
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    """Run a command; its temporary files are removed even if a signal arrives in between."""
    import contextlib
    import shutil
    import tempfile
    from pathlib import Path

    folder = None
    try:
        if arguments == ["--version"]:  # loading all commands takes longer than the answer
            from certify.version import describe_version

            print(describe_version(), flush=True)  # noqa: T201 - the command line talks
            return 0
        with contextlib.suppress(OSError):  # a command that needs a place for files says so
            # Named before it is created, so that it is removed whenever a signal arrives.
            folder = Path(tempfile.gettempdir(), f"certify-{os.urandom(8).hex()}")
            folder.mkdir(mode=0o700)
            tempfile.tempdir = str(folder)
        from certify.cli.app import run

        return run(arguments)
    except OSError as error:  # not even the modules of a command, or of its messages, can be read
        sys.stderr.write(f"Error: The system refused to go on: {error}.\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for the rest of what could not be written
        return 2
    finally:
        try:
            _ignore_signals()
        finally:
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)


def _open_streams() -> bool:
    """Open the null device for a closed stream, and drop output without a reader.

    Returns:
        True if standard output was closed.
    """
    is_lost = False
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            is_lost |= descriptor == 1
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor
    for descriptor, name, dropped in ((1, "stdout", BrokenPipeError), (2, "stderr", OSError)):
        present = getattr(sys, name)
        if present is None or os.name == "posix":
            stream = io.TextIOWrapper(
                io.BufferedWriter(_Tolerant(descriptor, dropped)),
                encoding=present.encoding if present else "utf-8",
                errors="backslashreplace" if name == "stderr" else "replace",
                line_buffering=name == "stderr" or os.isatty(descriptor),
            )
            setattr(sys, name, stream)
    return is_lost


def _catch_signals(*, desk: bool) -> None:
    """Raise KeyboardInterrupt at a signal, except one that the parent has set to be ignored.

    A shell ignores SIGINT in what it runs in the background; the web app ends at it all the same.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN or (desk and number == signal.SIGINT):
            signal.signal(number, _interrupt)
    if hasattr(signal, "setitimer"):
        sys.unraisablehook = _interrupt_again


def _interrupt(*_: object) -> None:
    """Raise KeyboardInterrupt once: a second one would interrupt the cleanup."""
    _ignore_signals()
    raise KeyboardInterrupt


def _interrupt_again(ignored: "sys.UnraisableHookArgs") -> None:
    """Raise a KeyboardInterrupt a moment later if Python ignored it, as it does in a callback."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, MOMENT)
    else:
        sys.__unraisablehook__(ignored)


def _ignore_signals() -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    main()
