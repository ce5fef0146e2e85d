"""A task in a process of its own, limited in time and memory, for input that may be hostile.

The caller names a module and hands it bytes (`run`); the module answers with bytes (`serve`). What
the task raises of ours is raised again by the caller; a task that was ended is `Stopped`.

The process bounds itself before it reads, by what it was started with (`limit`), so that one whose
caller is gone ends too. A system without `resource`, such as Windows, bounds time alone.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from certify.errors import (
    CertifyError,
    InvariantBroken,
    NotAuthentic,
    NotConfigured,
    NothingChecked,
    NotReadable,
    missing_piece,
)

RAISED = {
    kind.__name__: kind
    for kind in (InvariantBroken, NotAuthentic, NotConfigured, NothingChecked, NotReadable)
}
STOPPED = "Stopped"

FLAG = "--task"
"""What a packaged program is given to answer a job; no command has an option of this name."""

TASKS = ("certify.printing._render", "certify.signatures.verifying._reading")
"""The modules that serve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one task may cost.

    Attributes:
        seconds: time by the clock, and of the processor (where the system can limit it).
        mebibytes: address space of the process (likewise).
    """

    seconds: int
    mebibytes: int


class Stopped(Exception):
    """The task met a limit or died; the text is a clause that says how."""


def run(module: str, job: bytes, limits: Limits) -> bytes:
    """Return what a module's task answers to a job.

    Args:
        module: a module that calls `serve` when it is run.
        job: what it is given.
        limits: what it may cost.

    Raises:
        CertifyError: the task raised it.
        Stopped: the task was ended or died.
    """
    # The folder is ours, because a worker that is stopped leaves its own behind.
    with tempfile.TemporaryDirectory(prefix="certify-") as folder:
        try:
            worker = subprocess.run(  # noqa: S603 - our own program and module, no shell
                _command(module, limits),
                input=job,
                capture_output=True,
                timeout=limits.seconds,
                env=_environment(folder),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _too_long(limits) from None
    if worker.returncode == 0:
        return worker.stdout
    raise _failure(worker, limits)


def _command(module: str, limits: Limits) -> list[str]:
    """Return how a task is started: a packaged program is its own interpreter."""
    # -P keeps the working directory from being imported from.
    start = [FLAG] if getattr(sys, "frozen", False) else ["-P", "-m"]
    return [sys.executable, *start, module, str(limits.seconds), str(limits.mebibytes)]


def serve_packaged(arguments: Sequence[str]) -> int | None:
    """Answer a job in a packaged program that was started for one; None if it was not.

    Raises:
        InvariantBroken: the module is none that serves.
    """
    if list(arguments[:1]) != [FLAG]:
        return None
    module = arguments[1]
    if module not in TASKS:
        raise InvariantBroken(f"{module} is no task.")
    return serve(importlib.import_module(module).answer)


def serve(task: Callable[[bytes], bytes]) -> int:
    """Answer one job from standard input on standard output; return the exit status."""
    # Libraries print where they please; only the result may reach standard output.
    result = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    seconds, mebibytes = map(int, sys.argv[-2:])
    limit(Limits(seconds=seconds, mebibytes=mebibytes))
    try:
        answer, status = task(sys.stdin.buffer.read()), 0
    except CertifyError as error:
        answer, status = _report(type(error).__name__, error.message, error.remedy), 1
    except MemoryError:
        answer, status = _report(STOPPED, "it needs more memory than is allowed"), 1
    except RecursionError:
        answer, status = _report(STOPPED, "it is nested too deeply"), 1
    except Exception as error:  # noqa: BLE001 - hostile input can make libraries raise anything
        lacking = missing_piece(error)
        if lacking is not None:
            answer, status = _report("NotConfigured", lacking.message, lacking.remedy), 1
        else:
            answer, status = _report(STOPPED, f"{type(error).__name__}: {error}"), 1
    with result:
        result.write(answer)
    return status


def limit(limits: Limits) -> bool:
    """Bound this process; return False where the system knows no such bounds."""
    try:
        import resource
    except ImportError:
        return False
    bounds = {
        resource.RLIMIT_AS: limits.mebibytes << 20,
        resource.RLIMIT_CPU: limits.seconds,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in bounds.items():
        _, allowed = resource.getrlimit(kind)
        least = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (least, allowed))
    return True


def _environment(folder: str) -> dict[str, str]:
    """Return the worker's environment: ours without what could steer fonts, words or imports."""
    steering = ("FONTCONFIG", "PANGO", "FC_", "PYTHON", "LC_", "LANG", "TZ", "SOURCE_DATE")
    kept = {
        name: value for name, value in os.environ.items() if not name.upper().startswith(steering)
    }
    package = Path(__file__).resolve().parent.parent
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
    return (
        kept
        | temporary
        | {
            "PYTHONPATH": str(package),
            "PYTHONUTF8": "1",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
    )


def _report(kind: str, message: str, remedy: str = "") -> bytes:
    return json.dumps({"kind": kind, "message": message, "remedy": remedy}).encode("ascii")


def _failure(worker: subprocess.CompletedProcess[bytes], limits: Limits) -> Exception:
    """Return the task's own error, or say how its process died."""
    if os.name == "posix" and worker.returncode == -signal.SIGXCPU:
        return _too_long(limits)
    try:
        report = json.loads(worker.stdout)
        kind, message = report["kind"], report["message"]
        if kind == STOPPED:
            return Stopped(message)
        return RAISED[kind](message, remedy=report["remedy"])
    except (ValueError, KeyError, TypeError):
        last = worker.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return Stopped(
            f"it ended with exit status {worker.returncode} under the limit of "
            f"{limits.mebibytes} MiB" + "".join(f" ({line})" for line in last)
        )


def _too_long(limits: Limits) -> Stopped:
    return Stopped(f"it took more than {limits.seconds} s")
