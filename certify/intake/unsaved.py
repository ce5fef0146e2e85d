"""A file as an editor holds it: read in place of what is on disk, judged among its neighbours."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from certify.intake.layout import absolute, is_file
from certify.storage import LARGEST

_HELD: ContextVar[Mapping[Path, bytes]] = ContextVar("unsaved", default={})  # noqa: B039 - never changed


@contextmanager
def unsaved(path: Path, data: bytes) -> Iterator[None]:
    """Read ``data`` as the content of a file while the block runs; the file need not exist."""
    token = _HELD.set({absolute(path): data})
    try:
        yield
    finally:
        _HELD.reset(token)


def content(path: Path) -> bytes:
    """Return the bytes of a file, those that are held before those on disk.

    Of a file that is too large only so much that this can be seen.

    Raises:
        OSError: it is on disk alone, and cannot be read.
    """
    held = _HELD.get().get(absolute(path))
    if held is not None:
        return held
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError("it is no regular file")  # a pipe would be waited for
    with path.open("rb") as stream:
        return stream.read(LARGEST + 1)


def is_there(path: Path) -> bool:
    """Whether a file is held or on disk."""
    return absolute(path) in _HELD.get() or is_file(path)


def held_below(folder: Path) -> list[Path]:
    """Return the files that are held for a place below a folder."""
    return [path for path in _HELD.get() if path.is_relative_to(absolute(folder))]
