"""Jobs of a project, in the user's own folder, and one progress bar over all steps of a job."""

import contextlib
import datetime as dt
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from certify import storage
from certify.declare import user_state
from certify.errors import CertifyError
from certify.figures.progress import Step

KEPT = 50
"""Jobs that are kept for a project; older records are deleted."""


class JobState(StrEnum):
    """The state of a job."""

    RUNNING = "running"
    """In a record of an earlier start: unfinished."""

    FINISHED = "finished"
    FAILED = "failed"
    CANCELED = "canceled"


class JobRecord(Struct, frozen=True, kw_only=True):
    """A job on record, without its arguments and without secrets.

    Attributes:
        begun: the time when it began.
        back: the address of the form that starts it again.
        address: the address of its result, empty if the result is not kept.
        message: the reason why it failed.
    """

    id: str
    title: str
    state: JobState
    begun: Annotated[dt.datetime, Meta(tz=True)]
    back: str = ""
    address: str = ""
    message: str = ""

    @property
    def when(self) -> str:
        """The minute when it began, in UTC."""
        return format_minute(self.begun)


def format_minute(moment: dt.datetime) -> str:
    """Return a time to the minute."""
    return f"{moment:%Y-%m-%d %H:%M}"


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
        try:
            records.append(_read(path))
        except Exception:  # noqa: BLE001 - whatever it is, the page names the file
            problems.append(f"The record of a job cannot be read. Delete the file {path}.")
    records.sort(key=lambda record: record.begun, reverse=True)
    return tuple(records), tuple(problems)


def _read(path: Path) -> JobRecord:
    record = msgspec.json.decode(storage.read_at_most(path), type=JobRecord)
    if path.stem != record.id or not _are_addresses(record.back, record.address):
        raise ValueError
    return record


def _are_addresses(*addresses: str) -> bool:
    """Return True if addresses are empty or lead to pages of the web app."""
    return all(not each or (each[:1] == "/" and each[1:2] not in ("/", "\\")) for each in addresses)


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
        part = Fraction(min(self.done, self.of), max(self.of, 1))
        self._most = max(self._most, min(int(100 * self._share(part)), 100))
        return self._most

    def _share(self, part: Fraction) -> Fraction:
        """Return the finished share, by the cost of each step."""
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
