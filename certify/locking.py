"""The lock of a project: one writer at a time, across processes and threads."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from certify.errors import NotConfigured, not_written
from certify.received.files import PROJECT, refuse_folder_outside
from certify.sharing import make_folder

LOCK = ".certify.lock"
"""The lock file of a project, where it stays, or of a folder outside of any; it has no content."""

WAIT = 60.0
"""Seconds that a writer waits for another one."""


def find_project(folder: Path) -> Path | None:
    """Return the project that contains a folder, also one that does not exist yet; None if none."""
    here = Path(os.path.realpath(folder))
    marks = (each / PROJECT for each in (here, *here.parents))
    return next((mark.parent for mark in marks if os.access(mark, os.F_OK)), None)


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Hold the lock of the project that contains a folder, or of a folder outside of any.

    It excludes other threads and processes. A thread that holds it may take it again. The system
    frees the lock of a process that ends. Whoever may write to the folder may lock it. A missing
    folder is made.

    Raises:
        NotConfigured: another writer does not finish, or the folder cannot be locked.
    """
    from filelock import FileLock, Timeout

    project = find_project(folder)
    top = project or Path(os.path.realpath(folder))
    path = top / LOCK
    try:
        refuse_folder_outside(folder)
        make_folder(top)
        file_lock = FileLock(
            path,
            mode=top.stat().st_mode & 0o666,
            is_singleton=True,
            fallback_to_soft=False,
            poll_interval=0.02,
        )
        file_lock.acquire(timeout=WAIT)
    except Timeout as error:
        raise NotConfigured(
            f"Another program is writing to {top}: it has locked {path.name}.",
            remedy="Wait for it to end, and try again.",
        ) from error
    except PermissionError as error:
        refused = not_written(error.filename or path, error)
        if os.path.lexists(path):
            refused.remedy = f"Its owner can run: chmod g+w {path}"
        raise refused from error
    except OSError as error:
        raise not_written(error.filename or path, error) from error
    try:
        yield
    finally:
        if project is None and file_lock.lock_counter == 1:
            with contextlib.suppress(OSError):
                path.unlink()  # whoever waits for it makes a new one
        file_lock.release()
