"""The record of a project's jobs in the user's own folder: one file for each job."""

import contextlib
import datetime as dt
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from certify import storage
from certify.errors import CertifyError
from certify.pipeline.declare import user_state

KEPT = 50
"""Jobs that are kept for a project; older records are deleted."""

PARTS = 500
"""Most parts of a job whose time is kept."""


class JobState(StrEnum):
    """The state of a job."""

    RUNNING = "running"
    """In a record of an earlier start: unfinished."""

    FINISHED = "finished"
    FAILED = "failed"
    CANCELED = "canceled"


class JobRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A job on record, without its arguments and without secrets.

    Attributes:
        begun: the time when it began.
        back: the address of the form that starts it again.
        address: the address of its result, empty if the result is not kept.
        message: the reason why it failed.
        spent: milliseconds of each part.
    """

    id: str
    title: str
    state: JobState
    begun: Annotated[dt.datetime, Meta(tz=True)]
    back: str = ""
    address: str = ""
    message: str = ""
    spent: Mapping[str, int] = field(default_factory=dict)

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
    value = msgspec.to_builtins(replace(record, spent=dict([*record.spent.items()][:PARTS])))
    try:
        user_state.write(folder / f"{record.id}.json", value)
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
    found: dict[Path, int] = {}
    for path in folder.glob("*.json"):
        with contextlib.suppress(FileNotFoundError):  # another start of the app deleted it
            found[path] = path.stat().st_mtime_ns
    return sorted(found, key=lambda path: found[path], reverse=True)
