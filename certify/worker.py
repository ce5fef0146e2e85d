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
"""

import atexit
import errno
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

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
        tempfile.TemporaryFile(dir=folder) as asked,
        tempfile.TemporaryFile(dir=folder) as complaints,
    ):
        asked.write(job)
        asked.seek(0)
        with subprocess.Popen(  # noqa: S603 - this program and a module of it, no shell
            _command(module, limits),
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=_environment(folder),
        ) as child:
            # A thread that waits for the child dies with the process, and nobody would end it.
            atexit.register(child.kill)
            try:
                kind, answer = _read_answer(child, progress)
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


def _command(module: str, limits: Limits) -> list[str]:
    # A packaged program is its own interpreter. -P keeps the working folder off the import path.
    start = [] if getattr(sys, "frozen", False) else ["-P", "-m", "certify"]
    return [sys.executable, *start, TASK, module, str(limits.seconds), str(limits.mebibytes)]


def _read_answer(
    child: subprocess.Popen[bytes], progress: Callable[[int, int], None] | None
) -> tuple[bytes, bytes]:
    """Return the kind of result and the result; both are empty if the child wrote none."""
    if child.stdout is None:
        return b"", b""
    for line in child.stdout:
        if line in {ANSWER, ERROR}:
            return line, child.stdout.read()
        if progress is not None:
            done, total = map(int, line.split())
            progress(done, total)
    return b"", b""


def serve(module: str, seconds: str, mebibytes: str) -> None:
    """Run a task, as the arguments of this process give it, with these `Limits`."""
    # A terminal sends an interrupt to this process too; the caller ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Libraries print where they please; only progress and the result may reach standard output.
    with os.fdopen(os.dup(1), "wb", buffering=0) as output:
        os.dup2(2, 1)
        limit(Limits(seconds=int(seconds), mebibytes=int(mebibytes)))

        def report(done: int, total: int) -> None:
            output.write(b"%d %d\n" % (done, total))

        kind, result = _run_task(module, report)
        with os.fdopen(os.dup(output.fileno()), "wb") as whole:
            whole.write(kind + result)


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


def _environment(folder: str) -> dict[str, str]:
    """Return our environment without variables that steer fonts, locale or imports."""
    steering = ("FONTCONFIG", "PANGO", "FC_", "PYTHON", "LC_", "LANG", "TZ", "SOURCE_DATE")
    plain = {
        name: value for name, value in os.environ.items() if not name.upper().startswith(steering)
    }
    return (
        plain
        | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
        | {
            "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
            "PYTHONUTF8": "1",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
    )


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
