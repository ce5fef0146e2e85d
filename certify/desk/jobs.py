"""Long jobs in their own processes, and the state of the running server.

A job continues after its page is closed. Its address shows its progress, and its id cancels it.
"""

import contextlib
import multiprocessing
import os
import secrets
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from certify.errors import CertifyError, InvariantBroken, NotConfigured, missing_piece
from certify.pipeline.progress import Step

KEPT = 50
"""Ended jobs that are remembered."""

Work = Callable[..., Any]
"""A function of a module; it also takes ``progress``. Its answer is pickled."""


@dataclass(slots=True, kw_only=True)
class Job:
    """One piece of work, its progress and its result.

    ``then`` is the address to go to when it is done; ``{id}`` in it is the job's own. ``back`` is
    that of the form which it was asked by.
    """

    id: str
    title: str
    then: str
    back: str = ""
    what: str = ""
    """The part that is being counted or printed."""

    done: int = 0
    of: int = 0
    step: Step | None = None
    begun: float = field(default_factory=time.monotonic)
    most: int = 0
    """The largest percentage so far."""

    ended: bool = False
    cancelled: bool = False
    result: Any = field(default=None, repr=False)
    error: CertifyError | None = None
    process: Any = field(default=None, repr=False)
    watch: threading.Thread | None = field(default=None, repr=False)

    @property
    def percent(self) -> int:
        """The finished percentage over all steps; 0 if it is unknown. It never falls."""
        part = 100 * self.done // max(self.of, 1)
        steps = [*Step]
        whole = (100 * steps.index(self.step) + part) // len(steps) if self.step else part
        self.most = max(self.most, whole)
        return self.most

    @property
    def number(self) -> str:
        """The number of the step."""
        steps = [*Step]
        return f"{steps.index(self.step) + 1} of {len(steps)}" if self.step else ""

    @property
    def minutes(self) -> int:
        """The minutes since it began."""
        return int(time.monotonic() - self.begun) // 60


class Jobs:
    """The jobs of one desk, latest last."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._starting = threading.Lock()
        self._closed = False

    @property
    def listed(self) -> tuple[Job, ...]:
        """All jobs, the latest first."""
        return tuple(reversed(self._jobs.values()))

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that have not ended."""
        return tuple(job for job in self._jobs.values() if not job.ended)

    def get(self, name: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(name)

    def start(
        self, title: str, work: Work, arguments: Mapping[str, Any], *, then: str, back: str = ""
    ) -> Job:
        """Start a job; its arguments go through a pipe and are not stored."""
        name = secrets.token_urlsafe(9)
        job = Job(id=name, title=title, then=then.format(id=name), back=back)
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        # The web app owns the folder, because a process that is killed cannot remove its files.
        folder = tempfile.mkdtemp(prefix="certify-")
        with self._starting:
            if self._closed:
                raise NotConfigured("The web app is closing.", remedy="Start it again.")
            job.process = context.Process(target=_run, args=(theirs, work, folder), daemon=True)
            with _without_interrupts():
                job.process.start()
            self._jobs[name] = job
        theirs.close()
        mine.send(dict(arguments))
        job.watch = threading.Thread(target=_watch, args=(job, mine, folder), daemon=True)
        job.watch.start()
        for old in [old for old in self._jobs.values() if old.ended][:-KEPT]:
            del self._jobs[old.id]
        return job

    def cancel(self, name: str) -> None:
        """End a job; unfinished results are dropped."""
        job = self._jobs.get(name)
        if job is not None and not job.ended:
            job.cancelled = True
            _stop(job)

    def end(self) -> None:
        """End all that is running, and accept no more."""
        with self._starting:
            self._closed = True
        for job in self.running:
            self.cancel(job.id)
            if job.watch is not None:
                job.watch.join()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start processes that ignore interrupts on the terminal: the web app ends them."""
    if os.name != "posix":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


PATIENCE = 2
"""Seconds that a job has to remove unfinished files; compiled code does not hear a signal."""


def _stop(job: Job) -> None:
    """End the process of a job, with all that it started."""
    _signal(job, signal.SIGTERM)
    job.process.join(PATIENCE)
    if os.name == "posix":
        _signal(job, signal.SIGKILL)
    job.process.join()


def _signal(job: Job, number: signal.Signals) -> None:
    """Send a signal to the process group of a job, or to the process if it has no group yet."""
    if os.name != "posix":
        job.process.terminate()
        return
    with contextlib.suppress(ProcessLookupError):
        try:
            os.killpg(job.process.pid, number)
        except ProcessLookupError:
            if job.process.is_alive():
                os.kill(job.process.pid, number)


class PipeProgress:
    """Progress listener that writes to a pipe."""

    def __init__(self, pipe: Connection, what: str = "", step: Step | None = None) -> None:
        self._pipe = pipe
        self._what = what
        self._step = step

    def about(self, what: str) -> "PipeProgress":
        """Return the listener for one part."""
        return PipeProgress(self._pipe, what, self._step)

    def begin(self, step: Step) -> None:
        """Begin a step: parts belong to it from now on."""
        self._step = step
        self._what = ""
        self(0, 1)

    def __call__(self, done: int, of: int) -> None:
        """Report that ``done`` of ``of`` is done."""
        self._pipe.send((self._what, done, of, self._step))


def _run(pipe: Connection, work: Work, folder: str) -> None:
    """Do the work in the other process; its temporary files are in a folder of the web app."""
    tempfile.tempdir = folder
    progress = PipeProgress(pipe)
    try:
        if os.name == "posix":
            os.setsid()  # processes that it starts can be ended with it
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        arguments = pipe.recv()
        answer: tuple[Any, CertifyError | None] = (work(progress=progress, **arguments), None)
    except KeyboardInterrupt:
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the page says so
        known = missing_piece(error) or error
        if not isinstance(known, CertifyError):
            known = InvariantBroken(f"{type(error).__name__}: {error}")
        answer = (None, known)
    pipe.send([answer])


def _watch(job: Job, pipe: Connection, folder: str) -> None:
    """Record messages from the other process until it ends."""
    try:
        while not isinstance(said := pipe.recv(), list):
            job.what, job.done, job.of, job.step = said
        ((job.result, job.error),) = said
    except (EOFError, OSError):
        if not job.cancelled:
            job.error = InvariantBroken("The work ended without a result.")
    job.process.join()
    shutil.rmtree(folder, ignore_errors=True)
    job.ended = True


HELD = 4
"""Verified files that are held in memory; each has 16 MiB at most."""


def _secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass(slots=True, kw_only=True)
class Desk:
    """In-memory server state.

    ``entry`` is the token of the first address, empty once it was used. ``session`` is the value of
    the cookie, ``csrf`` the token in every form. ``stop`` ends the server.
    """

    port: int
    stop: Callable[[], None] = lambda: None
    entry: str = field(default_factory=_secret, repr=False)
    session: str = field(default_factory=_secret, repr=False)
    csrf: str = field(default_factory=_secret, repr=False)
    jobs: Jobs = field(default_factory=Jobs)
    used: float = field(default_factory=time.monotonic)
    held: dict[str, tuple[str, bytes]] = field(default_factory=dict, repr=False)
    """The last verified files, with their names, for a countersignature; by an id."""

    read_only: bool = False
    """True if its pages are written as files, without forms."""

    @property
    def host(self) -> str:
        """The only name that it answers to."""
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"http://{self.host}"

    @property
    def address(self) -> str:
        """The address that lets a browser in, once."""
        return f"{self.origin}/?token={self.entry}"

    @property
    def cookie(self) -> str:
        """Name and value of the cookie; the port distinguishes two web apps."""
        return f"certify-desk-{self.port}={self.session}"

    def hold(self, name: str, data: bytes) -> str:
        """Hold a verified file until others take its place; return its id."""
        held = secrets.token_urlsafe(9)
        self.held[held] = (name, data)
        for old in list(self.held)[:-HELD]:
            del self.held[old]
        return held

    def touch(self) -> None:
        """Record the time of a request."""
        self.used = time.monotonic()

    def idle(self) -> float:
        """Return the seconds without a request or a running job."""
        if self.jobs.running:
            self.touch()
        return time.monotonic() - self.used
