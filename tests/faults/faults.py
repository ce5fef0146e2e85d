"""Faults at every file operation of a writer: it is killed there, or the operation fails.

Operations are seen by an audit hook of Python, so no writer can pass it by: opening a file for
writing, renaming, linking and removing names, making folders, changing modes. `os.fsync` has no
event and is replaced. A write is cut short by the system's own limit on the size of files. Every
run has a process of its own, because a hook cannot be removed: a child of `python -m tests.faults`,
which has one thread and has read the library.
"""

import errno
import gc
import os
import pickle
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import Any

from msgspec import Struct

from certify import storage
from certify.errors import CertifyError
from certify.storage import LOCK

KILLED = 86
"""The exit code of a run that was killed by its fault."""

PACKAGE = str(Path(storage.__file__).parent)

EVENTS = {
    "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink",
    "os.truncate",
}  # fmt: skip
"""The audit events of operations that change files, but for `open`.

Source: https://docs.python.org/3/library/audit_events.html
"""

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Fault(StrEnum):
    """What happens at an operation."""

    KILLED = "killed"
    HALF = "killed in the middle of the write"
    FAILED = "ENOSPC"


class Operation(Struct, frozen=True):
    """An operation on files, and the functions of certify that led to it."""

    name: str
    paths: tuple[str, ...]
    functions: frozenset[str]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that this operation can have."""
        usual = (Fault.KILLED, Fault.FAILED)
        return (*usual, Fault.HALF) if self.name == "open" else usual


class Outcome(Struct, frozen=True, kw_only=True):
    """The end of a run: a plain error of certify, a crash, or neither."""

    killed: bool = False
    error: str = ""
    crash: str = ""


class Writer(Struct, frozen=True, kw_only=True):
    """A command that writes.

    Attributes:
        prepare: makes the files before the command, in an empty folder.
        act: the command, in that folder.
        look: what a reader finds in the folder; by default every visible file, by its path.
        gaps: True if a killed run may leave nothing for a reader until the command runs again.
        repeats: False if a second run is refused after one that has ended.
        adds: True if a second run adds something; it is made only after a run that has not ended.
    """

    prepare: Callable[[Path], object]
    act: Callable[[Path], object]
    look: Callable[[Path], object]
    gaps: bool = False
    repeats: bool = False
    adds: bool = False


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the content of each file of a folder, without hidden files and folders."""
    paths = ((path, path.relative_to(folder)) for path in sorted(folder.rglob("*")))
    return {
        name.as_posix(): path.read_bytes()
        for path, name in paths
        if path.is_file() and not any(part.startswith(".") for part in name.parts)
    }


class _Watch:
    """The hook of one run: it lists the operations on a folder, and has one of them fail."""

    def __init__(self, folder: Path, step: int | None, fault: Fault | None) -> None:
        self.folder, self.step, self.fault = str(folder), step, fault
        self.seen: list[Operation] = []
        self.fsync = os.fsync

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            if not isinstance(path, int) and (flags & WRITES or set(mode or "") & set("wxa+")):
                self.meet("open", (path,))
        elif event in EVENTS:
            self.meet(event, arguments)

    def sync(self, descriptor: int) -> None:
        self.meet("fsync", (str(Path(f"/proc/self/fd/{descriptor}").readlink()),))
        self.fsync(descriptor)

    def meet(self, name: str, arguments: tuple[Any, ...]) -> None:
        """List an operation; at the step of the fault, let it happen."""
        paths = tuple(os.fspath(each) for each in arguments if not isinstance(each, int | None))
        # A name without a folder is one in a folder that is open: `shutil.rmtree` works so.
        inside = [path for path in paths if not Path(path).is_absolute() or self.folder in path]
        if not inside or (name == "os.mkdir" and Path(paths[0]).is_dir()):
            return  # a folder that is there is not made
        self.seen.append(Operation(name, paths, frozenset(_functions(sys._getframe(2)))))
        if self.step != len(self.seen) - 1:
            return
        match self.fault:
            case Fault.KILLED:
                os._exit(KILLED)
            case Fault.HALF:
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))
            case Fault.FAILED:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), inside[0])


def _functions(frame: FrameType | None) -> Iterator[str]:
    """Yield the functions of certify that are running, the innermost first."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(PACKAGE):
            module = Path(code.co_filename).relative_to(Path(PACKAGE).parent).with_suffix("")
            yield ".".join((*module.parts, code.co_qualname))
        frame = frame.f_back


def run(
    act: Callable[[Path], object],
    folder: Path,
    *,
    step: int | None = None,
    fault: Fault | None = None,
) -> tuple[Outcome, list[Operation]]:
    """Run a command in a child, with a fault at one step; return its end and its operations."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _run_and_tell(act, folder, writing, _Watch(folder, step, fault))
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        data = told.read()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code in {KILLED, -signal.SIGXFSZ}:
        return Outcome(killed=True), []
    assert code == 0, (code, data)
    outcome, seen = pickle.loads(data)  # noqa: S301 - from our own child
    return outcome, seen


def _run_and_tell(
    act: Callable[[Path], object], folder: Path, descriptor: int, watch: _Watch
) -> None:
    os.chdir(folder)
    os.environ["CERTIFY_HOME"] = str(folder / ".home")
    os.fsync = watch.sync  # type: ignore[assignment] # descriptors only
    sys.addaudithook(watch)
    outcome = Outcome()
    try:
        act(folder)
    except CertifyError as error:
        outcome = Outcome(error=f"{error.message} {error.remedy}")
    except BaseException:  # noqa: BLE001 - told to the parent
        outcome = Outcome(crash=traceback.format_exc())
    with os.fdopen(descriptor, "wb") as told:
        told.write(pickle.dumps((outcome, watch.seen)))
    os._exit(0)


def _warm_up(writer: Writer, folder: Path) -> None:
    """Run the command in this process, so that its children need not import and read it all."""
    folder.mkdir(parents=True)
    os.chdir(folder)
    os.environ["CERTIFY_HOME"] = str(folder / ".home")
    writer.prepare(folder)
    writer.act(folder)
    gc.disable()  # a child is brief, and would copy every page that it looks through
    gc.freeze()


def _prepare(writer: Writer, folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / ".home").mkdir(mode=0o700)
    outcome, _ = run(writer.prepare, folder)
    assert outcome == Outcome()


def try_each_fault(writer: Writer, folder: Path) -> list[Operation]:
    """Try every fault at every operation of a command; return its operations.

    A killed run leaves the old files or the new ones, whole. An error is a plain one, and then the
    old files are there; without an error the new ones are. The next run always succeeds; it is not
    made where not even a hidden file has changed.
    """
    _warm_up(writer, folder.with_name("warm"))
    _prepare(writer, folder)
    before = folder.with_name("before")
    folder.rename(before)
    _restore(before, folder)
    untouched = _read_all(folder)
    old = writer.look(folder)
    outcome, operations = run(writer.act, folder)
    assert outcome == Outcome()
    new = writer.look(folder)
    assert old != new
    assert operations
    for step, operation in _first_and_last(operations):
        for fault in operation.faults:
            _restore(before, folder)
            outcome, _ = run(writer.act, folder, step=step, fault=fault)
            where = (step, operation.name, operation.paths, fault)
            found = writer.look(folder)
            assert not outcome.crash, (where, outcome.crash)
            allowed: tuple[object, ...]
            if outcome.killed:
                allowed = (old, new, None) if writer.gaps else (old, new)
            else:
                allowed = (old,) if outcome.error else (new,)
            assert found in allowed, (where, outcome, found)
            if _read_all(folder) == untouched or (writer.adds and found == new):
                continue
            again, _ = run(writer.act, folder)
            assert not again.crash, (where, again.crash)
            if again.error:  # it has ended the first time, and there is nothing left to do
                assert not writer.repeats, (where, again)
                assert found == new, (where, again)
            assert writer.look(folder) == new, (where, again)
    return operations


def _first_and_last(operations: list[Operation]) -> Iterator[tuple[int, Operation]]:
    """Yield the operations without those in the middle of a loop."""
    kinds = [(operation.name, operation.functions) for operation in operations]
    for step, operation in enumerate(operations):
        if kinds[step] not in kinds[:step] or kinds[step] not in kinds[step + 1 :]:
            yield step, operation


def _read_all(folder: Path) -> dict[str, bytes | None]:
    """Return every file and folder, hidden ones too, but for the lock, which has no content."""
    return {
        str(path): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if path.name != LOCK
    }


def _restore(source: Path, folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(source, folder, symlinks=True)
