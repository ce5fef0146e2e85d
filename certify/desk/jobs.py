"""Work that takes longer than a page may: in a process of its own, watched and cancelled by id.

A job outlives the page that began it: whoever opens its address sees how far it is.
"""

import multiprocessing
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from certify.errors import CertifyError, InvariantBroken, missing_piece

KEPT = 50
"""Ended jobs that are remembered."""

Work = Callable[..., Any]
"""A function of a module; it takes ``progress`` beside its arguments, its answer can be pickled."""


@dataclass(slots=True, kw_only=True)
class Job:
    """One piece of work: how far it is, and what came of it.

    ``then`` is the address to go to when it is done; ``{id}`` in it is the job's own. ``back`` is
    that of the form which it was asked by.
    """

    id: str
    title: str
    then: str
    back: str = ""
    what: str = ""
    """What is being counted or printed."""

    done: int = 0
    of: int = 0
    ended: bool = False
    cancelled: bool = False
    result: Any = field(default=None, repr=False)
    error: CertifyError | None = None
    process: Any = field(default=None, repr=False)

    @property
    def percent(self) -> int:
        """How much of it is done; nought as long as it cannot be told."""
        return 100 * self.done // max(self.of, 1)


class Jobs:
    """The jobs of one desk, latest last."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}

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
        """Begin a piece of work; what it is given is handed over by a pipe and kept nowhere."""
        name = secrets.token_urlsafe(9)
        job = self._jobs[name] = Job(id=name, title=title, then=then.format(id=name), back=back)
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        job.process = context.Process(target=_run, args=(theirs, work), daemon=True)
        job.process.start()
        theirs.close()
        mine.send(dict(arguments))
        threading.Thread(target=_watch, args=(job, mine), daemon=True).start()
        for old in [old for old in self._jobs.values() if old.ended][:-KEPT]:
            del self._jobs[old.id]
        return job

    def cancel(self, name: str) -> None:
        """End a job; what it has not finished is not there."""
        job = self._jobs.get(name)
        if job is not None and not job.ended:
            job.cancelled = True
            job.process.terminate()

    def end(self) -> None:
        """End all that is running."""
        for job in self.running:
            self.cancel(job.id)


class Told:
    """Tells the desk how far a part of the work is."""

    def __init__(self, pipe: Connection, what: str = "") -> None:
        self._pipe = pipe
        self._what = what

    def about(self, what: str) -> "Told":
        """Return what tells of one part."""
        return Told(self._pipe, what)

    def __call__(self, done: int, of: int) -> None:
        """Say that ``done`` of ``of`` is done."""
        self._pipe.send((self._what, done, of))


def _run(pipe: Connection, work: Work) -> None:
    """Do the work, in the other process."""
    progress = Told(pipe)
    arguments = pipe.recv()
    try:
        answer: tuple[Any, CertifyError | None] = (work(progress=progress, **arguments), None)
    except KeyboardInterrupt:
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the page says so
        known = missing_piece(error) or error
        if not isinstance(known, CertifyError):
            known = InvariantBroken(f"{type(error).__name__}: {error}")
        answer = (None, known)
    pipe.send([answer])


def _watch(job: Job, pipe: Connection) -> None:
    """Take down what the other process says until it ends."""
    try:
        while not isinstance(said := pipe.recv(), list):
            job.what, job.done, job.of = said
        ((job.result, job.error),) = said
    except (EOFError, OSError):
        if not job.cancelled:
            job.error = InvariantBroken("The work ended without a result.")
    job.process.join()
    job.ended = True
