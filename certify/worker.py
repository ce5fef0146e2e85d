"""Run a function in a child process with limits on processor time and memory.

Use it for input that may be hostile. A caller names a module, a job as bytes, and limits; the
module's ``answer(job, progress)`` returns bytes::

    run("certify.printing._render", job, Limits(seconds=120, mebibytes=1024), subject="Printing")

- A `CertifyError` that ``answer`` raises is raised again in the caller.
- A child that reaches a limit, dies or fails otherwise is `NotJudged`: exit code 4, never a verdict
  about the input.
- No limit goes by the clock, so a busy or suspended machine only takes longer.
- The child limits itself before it reads the job, so it ends even if its caller is gone. Systems
  without the module ``resource``, such as Windows, limit processor time alone.
- ``CERTIFY_LIMIT_FACTOR`` multiplies every limit, for slow machines.

Every job has a new process, which works in the folder of the caller. On Linux it is forked from a
loader: a process that has imported the module, and called its ``prepare()`` if it has one, but has
read no input. Loading the libraries takes longer than most jobs. A loader is reused for the next
job of the same module.
"""

import atexit
import errno
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from certify import TASK, errors
from certify.errors import CertifyError, NotConfigured, NotJudged, missing_piece

Task = Callable[[bytes, Callable[[int, int], None]], bytes]
"""The ``answer`` of a module; it may report progress as (done, total)."""

ANSWER, ERROR = b"answer\n", b"error\n"
"""The line before the result on standard output; the lines before it report progress."""

OUT_OF_TIME = 152
"""Exit status of a child without ``resource`` that used up its processor time."""

OUT_OF_MEMORY = "MemoryError"
"""Kind of error of a child that needs more memory than its limit."""

HAS_LOADERS = sys.platform == "linux"
"""False where a process that has loaded system libraries cannot be forked safely, or not at all."""

TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""Variables that name the folder of temporary files."""

MESSAGE = 32_768
"""Bytes that hold any message to or from a loader."""

FACTOR = "CERTIFY_LIMIT_FACTOR"
LARGEST_FACTOR = 1000

RAISED = {
    kind.__name__: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, CertifyError)
}


class Limits(Struct, frozen=True, kw_only=True):
    """Limits of one child process.

    Attributes:
        seconds: processor time, of all threads together.
        mebibytes: address space, where the system can limit it.
    """

    seconds: int
    mebibytes: int


def run(
    module: str,
    job: bytes,
    limits: Limits,
    *,
    subject: str,
    progress: Callable[[int, int], None] | None = None,
) -> bytes:
    """Return the answer of a module to a job, computed in a child process.

    Args:
        module: a module with a function ``answer`` (`Task`).
        job: the input of the function.
        limits: limits of the child, before ``CERTIFY_LIMIT_FACTOR``.
        subject: the start of the message if the child is stopped, such as "Printing the document".
        progress: receives what the function reports.

    Raises:
        CertifyError: the function raised it.
        NotJudged: the child reached a limit, died or failed.
        NotConfigured: ``CERTIFY_LIMIT_FACTOR`` is not a whole number from 1 to 1,000.
    """
    factor = limit_factor()
    limits = Limits(seconds=limits.seconds * factor, mebibytes=limits.mebibytes * factor)
    # The caller owns the folder, because a child that is killed cannot remove its files.
    with (
        tempfile.TemporaryDirectory(prefix="certify-") as folder,
        tempfile.TemporaryFile(dir=folder) as question,
        tempfile.TemporaryFile(dir=folder) as complaints,
    ):
        question.write(job)
        question.seek(0)
        start = _start_forked if HAS_LOADERS else _start_fresh
        with start(module, limits, folder, question, complaints) as child:
            # A thread that waits for the child dies with the process, and nobody would end it.
            atexit.register(child.kill)
            try:
                kind, answer = _read_answer(child.stdout, progress)
                status = child.wait()
            except BaseException:
                child.kill()
                raise
            finally:
                atexit.unregister(child.kill)
        if kind == ANSWER and status == 0:
            return answer
        if kind == ERROR:
            raise _rebuild_error(answer, subject, limits)
        complaints.seek(0)
        raise _stop_error(subject, _cause_of_death(status, complaints.read(), limits))


def limit_factor() -> int:
    """Return the factor that the user sets for every limit; 1 if none is set.

    Raises:
        NotConfigured: it is not a whole number from 1 to 1,000.
    """
    value = os.environ.get(FACTOR, "1")
    if value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= LARGEST_FACTOR:
        return int(value)
    raise NotConfigured(
        f"{FACTOR} is {value!r}, not a whole number from 1 to {LARGEST_FACTOR:,}.",
        remedy=f"Set {FACTOR}=2 to double the limits, or unset it.",
    )


def _command(module: str) -> list[str]:
    # A packaged program is its own interpreter. -P keeps the working folder off the import path.
    start = [] if getattr(sys, "frozen", False) else ["-P", "-m", "certify"]
    return [sys.executable, *start, TASK, module]


def _read_answer(
    output: IO[bytes] | None, progress: Callable[[int, int], None] | None
) -> tuple[bytes, bytes]:
    """Return the kind of result and the result; both are empty if the child wrote none."""
    if output is None:
        return b"", b""
    for line in output:
        if line in {ANSWER, ERROR}:
            return line, output.read()
        if progress is not None:
            done, total = map(int, line.split())
            progress(done, total)
    return b"", b""


def _start_fresh(
    module: str, limits: Limits, folder: str, question: IO[bytes], complaints: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start a process for a job, which imports the module."""
    return subprocess.Popen(  # noqa: S603 - this program and a module of it, no shell
        [*_command(module), str(limits.seconds), str(limits.mebibytes)],
        stdin=question,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env=_environment() | dict.fromkeys(TEMPORARY, folder),
    )


@contextmanager
def _start_forked(
    module: str, limits: Limits, folder: str, question: IO[bytes], complaints: IO[bytes]
) -> "Iterator[_Loader]":
    """Yield a loader that has forked a child for the job."""
    order = (_command(module), _environment())
    loader = _idle.pop(module, None)
    if loader is not None and not loader.can_take(order):
        loader.close()
        loader = None
    loader = loader or _Loader(order)
    try:
        with loader.fork([limits.seconds, limits.mebibytes, folder], question, complaints):
            yield loader
    except BaseException:
        loader.kill()
        loader.close()
        raise
    if _idle.setdefault(module, loader) is not loader:  # another thread has returned one
        loader.close()


class _Loader:
    """A process that has imported a module and forks a child for each job, one at a time.

    Attributes:
        stdout: the output of the child.
    """

    stdout: IO[bytes]

    def __init__(self, order: tuple[list[str], dict[str, str]]) -> None:
        """Start it with a command and an environment."""
        self._order = order
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - as above
                order[0],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=order[1],
                process_group=0,  # so that `kill` ends the child too
            )

    def can_take(self, order: tuple[list[str], dict[str, str]]) -> bool:
        """Return True if this is a living process of ours, not of our parent, for such jobs."""
        return self._order == order and self._process.poll() is None

    def fork(self, job: list[int | str], question: IO[bytes], complaints: IO[bytes]) -> IO[bytes]:
        """Start a child and return its output; a job is its limits and its folder."""
        reading, writing = os.pipe()
        self.stdout = os.fdopen(reading, "rb")
        here = os.open(os.curdir, os.O_RDONLY | os.O_PATH)
        files = [question.fileno(), writing, complaints.fileno(), here]
        with os.fdopen(writing, "wb"), suppress(ConnectionError):  # `wait` finds what has ended
            socket.send_fds(self._channel, [json.dumps(job).encode()], files)
        os.close(here)
        return self.stdout

    def wait(self) -> int:
        """Return the exit status of the child, or that of the loader if it has ended."""
        with suppress(ConnectionError):
            status = self._channel.recv(MESSAGE)
            if status:
                return int(status)
        return self._process.wait()

    def kill(self) -> None:
        """End the child and the loader."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Let the loader end."""
        self._channel.close()
        self._process.wait()


_idle: dict[str, _Loader] = {}
"""At most one waiting loader for each module."""


@atexit.register
def _close_idle() -> None:
    while _idle:
        _idle.popitem()[1].close()


def serve(module: str, *limits: str) -> None:
    """Run a job of a module with these `Limits`; without any, fork a child for each job.

    Standard input is the job, or the channel on which a `_Loader` sends jobs.
    """
    # A terminal sends an interrupt to this process too; the caller ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    seconds, mebibytes = limits or _wait_for_job(module)
    # Libraries print where they please; only progress and the result may reach standard output.
    with os.fdopen(os.dup(1), "wb", buffering=0) as output:
        os.dup2(2, 1)
        limit(Limits(seconds=int(seconds), mebibytes=int(mebibytes)))

        def report(done: int, total: int) -> None:
            output.write(b"%d %d\n" % (done, total))

        kind, result = _run_task(module, report)
        with os.fdopen(os.dup(output.fileno()), "wb") as whole:
            whole.write(kind + result)


def _wait_for_job(module: str) -> tuple[int, int]:
    """Import a module; return the limits of a job in the child that is forked for it."""
    with suppress(Exception):  # the child imports it again and reports the error
        loaded = importlib.import_module(module)
        if hasattr(loaded, "prepare"):
            loaded.prepare()
    gc.freeze()
    with socket.socket(fileno=os.dup(0)) as channel:
        while True:
            message, files, *_ = socket.recv_fds(channel, MESSAGE, 4)
            if not message:
                sys.exit()
            child = os.fork()
            if not child:
                break
            for file in files:
                os.close(file)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            channel.sendall(str(status).encode())
    *streams, here = files
    os.fchdir(here)
    for standard, file in enumerate(streams):
        os.dup2(file, standard)
    for file in files:
        os.close(file)
    seconds, mebibytes, folder = json.loads(message)
    os.environ.update(dict.fromkeys(TEMPORARY, folder))
    tempfile.tempdir = None
    return seconds, mebibytes


def _run_task(module: str, report: Callable[[int, int], None]) -> tuple[bytes, bytes]:
    try:
        task: Task = importlib.import_module(module).answer
        return ANSWER, task(sys.stdin.buffer.read(), report)
    except RecursionError:
        kind, message = "NotReadable", "The input is nested too deeply."
        remedy = "Remove unnecessary nesting."
    except Exception as failure:  # noqa: BLE001 - hostile input can make libraries raise anything
        error = missing_piece(failure) or failure
        kinds = (kind.__name__ for kind in type(error).__mro__ if kind.__name__ in RAISED)
        kind, message, remedy = next(kinds, ""), f"{type(error).__name__}: {error}", ""
        if isinstance(error, CertifyError):
            message, remedy = error.message, error.remedy
        # A system call, such as reading a folder, reports a lack of memory by an OSError.
        elif isinstance(failure, MemoryError) or (
            isinstance(failure, OSError) and failure.errno == errno.ENOMEM
        ):
            kind = OUT_OF_MEMORY
    fields = {"kind": kind, "message": message, "remedy": remedy}
    return ERROR, json.dumps(fields).encode("ascii")


def limit(limits: Limits) -> None:
    """Limit this process."""
    try:
        import resource
    except ImportError:
        threading.Thread(target=_watch, args=(limits.seconds,), daemon=True).start()
        return
    bounds = {
        resource.RLIMIT_AS: limits.mebibytes << 20,
        resource.RLIMIT_CPU: limits.seconds,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in bounds.items():
        _, allowed = resource.getrlimit(kind)
        least = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (least, allowed))


def _watch(seconds: int) -> None:
    """End this process when it has used its processor time."""
    while time.process_time() < seconds:
        time.sleep(1)
    os._exit(OUT_OF_TIME)


def _environment() -> dict[str, str]:
    """Return our environment without variables that steer fonts, locale or imports."""
    steering = ("FONTCONFIG", "PANGO", "FC_", "PYTHON", "LC_", "LANG", "TZ", "SOURCE_DATE")
    plain = {
        name: value for name, value in os.environ.items() if not name.upper().startswith(steering)
    }
    return plain | {
        "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
        "PYTHONUTF8": "1",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def _rebuild_error(report: bytes, subject: str, limits: Limits) -> CertifyError:
    """Return the error that a task reported."""
    error = json.loads(report)
    if error["kind"] in RAISED:
        return RAISED[error["kind"]](error["message"], remedy=error["remedy"])
    if error["kind"] == OUT_OF_MEMORY:
        return _stop_error(subject, _out_of_memory(limits))
    return NotJudged(
        f"{subject} failed: {error['message']}.",
        remedy="The input was not judged. Get the input again; if that does not help, report the "
        "message to the maintainers of certify.",
    )


def _cause_of_death(status: int, complaints: bytes, limits: Limits) -> str:
    if status == OUT_OF_TIME or (os.name == "posix" and status == -signal.SIGXCPU):
        return f"it used more than {limits.seconds:,} s of processor time"
    if b"MemoryError" in complaints or b"bad_alloc" in complaints:
        return _out_of_memory(limits)
    last = complaints.decode("utf-8", "replace").strip().splitlines()[-1:]
    return f"its process ended with exit status {status}" + "".join(f" ({line})" for line in last)


def _out_of_memory(limits: Limits) -> str:
    return f"it needed more than {limits.mebibytes:,} MiB of memory"


def _stop_error(subject: str, cause: str) -> NotJudged:
    return NotJudged(
        f"{subject} was stopped: {cause}.",
        remedy=f"The input was not judged. Set {FACTOR}=4 to allow four times the processor time "
        "and memory, or use a faster machine with more memory.",
    )
