"""Long jobs in their own processes, their records, and the state of the running server.

A job continues after its page is closed. Its address shows its progress, and its id cancels it.
Its record is in the user's own folder.
"""

import contextlib
import datetime as dt
import multiprocessing
import os
import secrets
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from certify import storage
from certify.declare import user_state
from certify.errors import CertifyError, InvariantBroken, NotConfigured, missing_piece
from certify.model.encoding import Step
from certify.project_log import logged

KEPT = 50
"""Jobs that are kept for a project; older records are deleted."""


class JobState(StrEnum):
    """The state of a job."""

    RUNNING = "running"
    """In a record of an earlier start: unfinished."""

    FINISHED = "finished"
    FAILED = "failed"
    CANCELED = "canceled"


Address = Annotated[str, Meta(pattern=r"^(/(?![/\\])|\Z)")]
"""The address of a page of the web app, or an empty text."""


class Titled(Struct, kw_only=True):
    """A job with the time when it began, and the address of the form that starts it again."""

    id: str
    title: str
    begun: Annotated[dt.datetime, Meta(tz=True)]
    back: Address = ""


class JobRecord(Titled, kw_only=True):
    """A job on record, without its arguments and without secrets.

    Attributes:
        address: the address of its result, empty if the result is not kept.
        message: the reason why it failed.
    """

    state: JobState
    address: Address = ""
    message: str = ""


def locate_records() -> Path:
    """Return the folder with the records of this project."""
    return user_state.locate("jobs", "").with_suffix("")


def store(folder: Path, record: JobRecord) -> str:
    """Write a record and delete the oldest above `KEPT`; return the problem, empty for none.

    The job continues without its record.
    """
    try:
        user_state.write(folder / f"{record.id}.json", msgspec.to_builtins(record))
        for path in _paths(folder)[KEPT:]:
            path.unlink(missing_ok=True)
    except (CertifyError, OSError) as error:
        return f"The job is not recorded: {error}"
    return ""


def load(folder: Path) -> tuple[tuple[JobRecord, ...], tuple[str, ...]]:
    """Return the records, the latest first, and the files that cannot be read."""
    records, problems = [], []
    for path in _paths(folder):
        record = None
        with contextlib.suppress(Exception):  # whatever it is, the page names the file
            record = msgspec.json.decode(storage.read_at_most(path), type=JobRecord)
        if record is not None and record.id == path.stem:
            records.append(record)
        else:
            problems.append(f"The record of a job cannot be read. Delete the file {path}.")
    records.sort(key=lambda record: record.begun, reverse=True)
    return tuple(records), tuple(problems)


def _paths(folder: Path) -> list[Path]:
    """Return the files of the records, the latest first."""
    times: dict[Path, int] = {}
    for path in folder.glob("*.json"):
        with contextlib.suppress(FileNotFoundError):  # another start of the app deleted it
            times[path] = path.stat().st_mtime_ns
    return sorted(times, key=lambda path: times[path], reverse=True)


COSTS: Mapping[Step, int] = MappingProxyType(
    {Step.FILED: 70, Step.OTHERS: 5, Step.VERIFICATION: 5, Step.DOCUMENTS: 20}
)
"""Relative cost of each step.

The first count of Mini Pai Gow for Nevada took 112, 0, 3 and 25 seconds.
"""

FIRST = 5
"""The percentage from which the time left is estimated."""


class Bar(Struct, kw_only=True):
    """The progress of a job."""

    now: Callable[[], float] = time.monotonic
    what: str = ""
    """The part that is counted or printed."""

    done: int = 0
    of: int = 0
    step: Step | None = None
    begun: float = 0
    _parts: int = 0
    """Finished parts of the step."""

    _most: int = 0

    def __post_init__(self) -> None:
        """Start the clock."""
        self.begun = self.now()

    def tell(self, what: str, done: int, of: int, step: Step | None) -> None:
        """Record a message of the job."""
        if (what, step) != (self.what, self.step) or done < self.done:
            self._parts = 0 if step != self.step else self._parts + bool(self.what)
        self.what, self.done, self.of, self.step = what, done, of, step

    @property
    def percent(self) -> int:
        """The finished percentage over all steps; 0 if it is unknown. It never falls."""
        self._most = max(self._most, min(int(100 * self._compute_share()), 100))
        return self._most

    def _compute_share(self) -> Fraction:
        """Return the finished share, by the cost of each step."""
        part = Fraction(min(self.done, self.of), max(self.of, 1))
        if self.step is None:
            return part
        steps = [*Step]
        before = sum(COSTS[step] for step in steps[: steps.index(self.step)])
        # The number of parts is unknown, so each takes a smaller share of the step.
        whole = self._parts + part
        return (before + COSTS[self.step] * whole / (whole + 1)) / sum(COSTS.values())

    @property
    def number(self) -> str:
        """The number of the step."""
        steps = [*Step]
        return f"{steps.index(self.step) + 1} of {len(steps)}" if self.step else ""

    @property
    def minutes(self) -> int:
        """The minutes since the job began."""
        return int(self.now() - self.begun) // 60

    @property
    def left(self) -> int | None:
        """The minutes left at the present speed, rounded up; None while it is unknown."""
        percent = self.percent
        if percent < FIRST:
            return None
        seconds = int(self.now() - self.begun) * (100 - percent) // percent
        return seconds // 60 + 1


Work = Callable[..., Any]
"""A function of a module; it also takes ``progress``. Its answer is pickled."""


class Job(Titled, kw_only=True):
    """One piece of work, its progress and its result.

    ``then`` is the address to go to when it is done; ``{id}`` in it is the job's own. ``lasting``
    is that of a result which remains after the app is closed, empty for none.
    """

    then: str
    lasting: str = ""
    bar: Bar = field(default_factory=Bar)
    ended: bool = False
    cancelled: bool = False
    result: Any = None
    error: CertifyError | None = None
    process: Any = None
    watch: threading.Thread | None = None

    @property
    def state(self) -> JobState:
        """The present state."""
        if self.cancelled:
            return JobState.CANCELED
        if not self.ended:
            return JobState.RUNNING
        return JobState.FAILED if self.error is not None else JobState.FINISHED

    @property
    def record(self) -> JobRecord:
        """The record that remains after the app is closed."""
        lasting = self.result.get("page", "") if isinstance(self.result, dict) else self.lasting
        return JobRecord(
            id=self.id,
            title=self.title,
            state=self.state,
            begun=self.begun,
            back=self.back,
            address=lasting if self.state is JobState.FINISHED else "",
            message=self.error.message if self.error is not None else "",
        )


class Jobs:
    """The jobs of one desk, latest last."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._starting = threading.Lock()
        self._closed = False
        self.problem = ""
        """The reason why the last job is not recorded, if any."""

    @property
    def listed(self) -> tuple[Job, ...]:
        """All jobs, the latest first."""
        return tuple(reversed(self._jobs.values()))

    @property
    def running(self) -> tuple[Job, ...]:
        """The jobs that have not ended."""
        return tuple(job for job in self._jobs.values() if not job.ended)

    def earlier(self) -> tuple[tuple[JobRecord, ...], tuple[str, ...]]:
        """Return the recorded jobs of this project that ran before, and what cannot be read."""
        records, problems = load(locate_records())
        before = tuple(record for record in records if record.id not in self._jobs)
        return before, (*problems, *([self.problem] if self.problem else []))

    def get(self, name: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(name)

    def start(
        self,
        title: str,
        work: Work,
        arguments: Mapping[str, Any],
        *,
        then: str,
        back: str = "",
        lasting: str = "",
    ) -> Job:
        """Start a job; its arguments go through a pipe and are not stored."""
        name, records = secrets.token_urlsafe(9), locate_records()
        job = Job(
            id=name,
            title=title,
            begun=dt.datetime.now(dt.UTC),
            then=then.format(id=name),
            back=back,
            lasting=lasting,
        )
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        # The web app owns the folder, because a process that is killed cannot remove its files.
        folder = tempfile.mkdtemp(prefix="certify-")
        with self._starting:
            if self._closed:
                raise NotConfigured("The web app is closing.", remedy="Start it again.")
            job.process = context.Process(
                target=_run, args=(theirs, title, work, folder), daemon=True
            )
            with _without_interrupts():
                job.process.start()
            self._jobs[name] = job
        theirs.close()
        mine.send(dict(arguments))
        self._record(records, job)
        ended = partial(self._record, records, job)
        job.watch = threading.Thread(target=_watch, args=(job, mine, folder, ended), daemon=True)
        job.watch.start()
        for old in [old for old in self._jobs.values() if old.ended][:-KEPT]:
            del self._jobs[old.id]
        return job

    def _record(self, folder: Path, job: Job) -> None:
        """Record a job; one that the closing app ends stays unfinished in its record."""
        if not self._closed or job.state is JobState.FINISHED:
            self.problem = store(folder, job.record)

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
    resource_tracker.ensure_running()  # when it starts, it unblocks the signal
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


def _run(pipe: Connection, title: str, work: Work, folder: str) -> None:
    """Do the work in the other process; its temporary files are in a folder of the web app."""
    tempfile.tempdir = folder
    progress = PipeProgress(pipe)
    try:
        if os.name == "posix":
            os.setsid()  # processes that it starts can be ended with it
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        arguments = pipe.recv()
        with logged("desk", title):
            answer: tuple[Any, CertifyError | None] = (work(progress=progress, **arguments), None)
    except KeyboardInterrupt:
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the page says so
        fault = missing_piece(error) or error
        if not isinstance(fault, CertifyError):
            fault = InvariantBroken(f"{type(error).__name__}: {error}")
        answer = (None, fault)
    pipe.send([answer])


def _watch(job: Job, pipe: Connection, folder: str, record: Callable[[], None]) -> None:
    """Record messages from the other process until it ends."""
    try:
        while not isinstance(message := pipe.recv(), list):
            job.bar.tell(*message)
        ((job.result, job.error),) = message
    except (EOFError, OSError):
        if not job.cancelled:
            job.error = InvariantBroken("The work ended without a result.")
    job.process.join()
    shutil.rmtree(folder, ignore_errors=True)
    job.ended = True
    record()


VERIFIED = 4
"""Verified files in memory at most; each has 16 MiB at most."""


class Desk(Struct, kw_only=True):
    """In-memory server state.

    ``entry`` is the token of the page that lets the owner in. ``session`` is the value of the
    cookie, ``csrf`` the token in every form. ``stop`` ends the server.
    """

    port: int
    stop: Callable[[], None] = lambda: None
    entry: str = field(default_factory=secrets.token_urlsafe)
    session: str = field(default_factory=secrets.token_urlsafe)
    csrf: str = field(default_factory=secrets.token_urlsafe)
    jobs: Jobs = field(default_factory=Jobs)
    used: float = field(default_factory=time.monotonic)
    verified: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """The last verified files, with their names, for a countersignature; by an id."""

    read_only: bool = False
    """True if its pages are written as files, without forms."""

    __repr__ = object.__repr__  # without secrets

    @property
    def host(self) -> str:
        """The only name that it answers to."""
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"http://{self.host}"

    @property
    def cookie(self) -> str:
        """Name and value of the cookie; the port distinguishes two web apps."""
        return f"certify-desk-{self.port}={self.session}"

    def hold(self, name: str, data: bytes) -> str:
        """Hold a verified file until others take its place; return its id."""
        id_ = secrets.token_urlsafe(9)
        self.verified[id_] = (name, data)
        for old in list(self.verified)[:-VERIFIED]:
            del self.verified[old]
        return id_

    def touch(self) -> None:
        """Record the time of a request."""
        self.used = time.monotonic()

    def idle(self) -> float:
        """Return the seconds without a request or a running job."""
        if self.jobs.running:
            self.touch()
        return time.monotonic() - self.used
