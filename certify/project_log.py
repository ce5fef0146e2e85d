"""The log of a project: a line of JSON for each command that wrote, chained by digests."""

import contextlib
import datetime as dt
import hashlib
import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from certify import __version__, library
from certify.activity import Activity, Digests, activity
from certify.errors import CertifyError, NotReadable, not_written
from certify.formatting import one_line
from certify.received.files import MOST, open_file
from certify.storage import cache, find_project, home, lock, share

LOG: Final = "certify-log.jsonl"
"""The log, in the folder of its project."""


class Entry(Struct, frozen=True, kw_only=True):
    """One command.

    Attributes:
        previous: SHA-256 of the line before, without its end; empty in the first line.
        time: the time of its end, in UTC.
        user: the account of the operating system.
        command: the words of the command line; of a form of the web app, its address.
        version: the version of certify.
        build: SHA-256 of its code and templates.
        inputs: digests of the files that it read; see `certify.activity.Activity`.
        outputs: digests of the files that it wrote, None of those that it removed.
        keys: the names of the keys that it signed with, by the fingerprint of their certificate.
    """

    previous: str = ""
    time: str
    user: str
    command: tuple[str, ...]
    version: str
    build: str
    inputs: dict[str, str | None]
    outputs: dict[str, str | None]
    keys: dict[str, str]


class Line(Struct, frozen=True, kw_only=True):
    """A line of a log: its digest, its entry if it is one, and why the chain breaks at it."""

    number: int
    sha256: str
    entry: Entry | None
    fault: str


def account_name() -> str:
    """Return the name of the user's account, whatever the environment variables say."""
    try:
        from pwd import getpwuid

        return getpwuid(os.geteuid()).pw_name
    except ImportError:  # Windows
        return os.getlogin()
    except KeyError:  # an account without a name, as in a container
        return f"user {os.geteuid()}"


def utc_now() -> str:
    """Return the present time in UTC, to the second."""
    return f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%SZ}"


@contextlib.contextmanager
def logged(*command: str, alone: bool = False) -> Iterator[None]:
    """Log what this block writes: a line in each project that it writes to or is run in.

    A line that cannot be written is reported on standard error; the command itself goes on.

    Args:
        command: the words of the command.
        alone: True for a request, of which others are answered at the same time.
    """
    if alone:
        activity.set(Activity())
    used = activity.get()
    for part in (used.inputs, used.outputs, used.keys):
        part.clear()
    try:
        yield
    finally:
        try:
            _log(command, used)
        except (CertifyError, OSError) as error:
            text = f"Warning: This command is not in the log of the project. {error}"
            print(one_line(text), file=sys.stderr)  # noqa: T201 - also from the web app


def _log(command: tuple[str, ...], used: Activity) -> None:
    outputs = _list_files(used.outputs)
    if not outputs:
        return
    inputs = _list_files(used.inputs)
    for project in {*(find_project(path.parent) for path in outputs), library.project()}:
        if project is not None:
            entry = Entry(
                time=utc_now(),
                user=account_name(),
                command=command,
                version=__version__,
                build=library.build_sha256(),
                inputs={
                    _name(path, project): digest
                    for path, digest in inputs.items()
                    if path.is_relative_to(project) or not path.is_relative_to(library.root())
                },
                outputs={
                    # An error or an interruption may have removed a file again.
                    _name(path, project): digest if os.path.lexists(path) else None
                    for path, digest in outputs.items()
                },
                keys=used.keys,
            )
            append(project, entry)


def _list_files(files: Digests) -> Digests:
    """Return files by their absolute paths, without those in the user's own folders."""
    private = (home(), cache())
    noted = files.copy().items()  # threads of the web app that read ahead may still note more
    real = {Path(os.path.realpath(path.parent), path.name): digest for path, digest in noted}
    return {path: real[path] for path in real if not any(map(path.is_relative_to, private))}


def _name(path: Path, project: Path) -> str:
    return (path.relative_to(project) if path.is_relative_to(project) else path).as_posix()


def append(project: Path, entry: Entry) -> None:
    """Append an entry to the log of a project, after the digest of the line before.

    Raises:
        NotConfigured: it cannot be written.
    """
    path = project / LOG
    with lock(project):
        try:
            last = b"".join(deque(_read_lines(path) if os.path.lexists(path) else (), maxlen=1))
            entry = replace(entry, previous=_digest(last) if last else "")
            # The process that wrote the last line may have been killed in the middle of it.
            begin = b"" if last.endswith(b"\n") or not last else b"\n"
            with open(path, "ab", opener=_open_to_append) as stream:
                stream.write(begin + json.dumps(to_builtins(entry)).encode() + b"\n")
            if not last:
                share(path, project)
        except OSError as error:
            raise not_written(path, error) from error


def _open_to_append(path: str, flags: int) -> int:
    """Open a log, not behind a link; what is written is on the disk when the call returns."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_SYNC", 0), 0o666)


def read_log(path: Path) -> Iterator[Line]:
    """Yield the lines of a log, each with the fault of the chain that it shows.

    A line that is no entry is no fault if the line after it has its digest: its process was killed
    while it wrote, before the next line was written.

    Raises:
        NotReadable: the file cannot be read.
    """
    previous = ""
    try:
        lines = pairwise(chain(_read_lines(path), (b"",)))
        for number, (line, after) in enumerate(lines, 1):
            entry, digest, fault = _decode(line), _digest(line), ""
            if entry is None and not after:
                fault = f"Line {number} is not complete, or was changed."
            elif entry is not None and entry.previous != previous:
                fault = (
                    f"Line {number} does not follow line {number - 1}: line {number - 1} was "
                    "changed, or lines between them were removed, added or moved."
                    if previous
                    else "The first line was removed or moved."
                )
            yield Line(number=number, sha256=digest, entry=entry, fault=fault)
            previous = digest
    except OSError as error:
        raise NotReadable(
            f"Cannot read {path}: {error.strerror}.", remedy="Name the log of a project."
        ) from error


def _read_lines(path: Path) -> Iterator[bytes]:
    with open_file(path) as stream:
        yield from iter(lambda: stream.readline(MOST), b"")


def _digest(line: bytes) -> str:
    return hashlib.sha256(line.removesuffix(b"\n")).hexdigest()


def _decode(line: bytes) -> Entry | None:
    try:
        return convert(json.loads(line), Entry)
    except (ValueError, RecursionError):
        return None
