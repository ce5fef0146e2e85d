"""Names and links of the files of a received project."""

import errno
import hashlib
import os
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final

from certify.activity import activity

PROJECT: Final = "certify.toml"
"""The file that makes a folder a project."""

PACKAGE: Final = Path(__file__).parents[1]
"""The installed package; an installer may link its files to a store."""

GIT: Final = ".git"

SETTINGS: Final = (".json", ".toml")
"""Suffixes of the files in the folder of a project that certify reads."""

DEVICES: Final = frozenset(
    {
        *("con", "prn", "aux", "nul", "conin$", "conout$"),
        *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"),
    }
)
"""Names that Windows opens as devices, whatever their suffix.

Source: Microsoft, Naming Files, Paths, and Namespaces.
"""

RESERVED: Final = frozenset('/\\:*?"<>|')

MOST: Final = 64 << 20
"""Bytes of a file that a command reads into memory."""


def is_plain_name(name: str) -> bool:
    """Return True if a name is that of one file in its folder, on every system."""
    stem = name.partition(".")[0].rstrip().lower()
    return (
        name.isprintable()
        and not RESERVED.intersection(name)
        and name.rstrip(". ") == name
        and stem not in DEVICES
        and bool(name)
    )


class OutsideProject(OSError):
    """A link that leads out of the folder that it was received with."""

    def __init__(self, path: Path, folder: Path) -> None:
        super().__init__(
            errno.EPERM, f"it is a link that leads out of {folder} and is not followed", str(path)
        )


def find_boundary(path: Path) -> Path | None:
    """Return the nearest project or repository around an absolute path; None if there is none.

    One that is reached through a link out of another one does not count.
    """
    nearest: Path | None = None
    for folder in reversed(path.parents):
        if any(os.path.lexists(folder / mark) for mark in (PROJECT, GIT)) and (
            nearest is None
            or Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(nearest))
        ):
            nearest = folder
    return nearest


def refuse_outside(path: Path, within: Path | None = None, named: Path | None = None) -> None:
    """Refuse a path that leads out of its project, or else its repository, through a link.

    Outside of both, the boundary is ``named``, the folder that the user named; without one, a file
    may not be a link out of the folder that holds it. ``within`` replaces the boundary.

    Raises:
        OutsideProject: it does.
    """
    whole, real = _absolute(path), Path(os.path.realpath(path))
    if real == whole or _is_of_system(whole) or whole.is_relative_to(PACKAGE):
        return
    folder = within or find_boundary(whole) or (named and _absolute(named))
    if folder is None and not real.is_dir():
        folder = whole.parent
    if folder is not None and not real.is_relative_to(os.path.realpath(folder)):
        raise OutsideProject(path, folder)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links


def refuse_folder_outside(folder: Path) -> None:
    """Refuse to write into a folder outside the project; see `refuse_outside`.

    Raises:
        OutsideProject: a link leads there.
    """
    refuse_outside(folder / PROJECT)


def leads_outside(path: Path, named: Path | None = None) -> bool:
    """Return True if `refuse_outside` refuses a path."""
    try:
        refuse_outside(path, named=named)
    except OutsideProject:
        return True
    return False


def open_file(path: Path, *, is_input: bool = True) -> BufferedReader:
    """Return a regular file, open for reading; a pipe or a device only of the system's folders.

    ``is_input``: the log of the project names the file.

    Raises:
        OutsideProject: a link leads out of the project.
        OSError: it cannot be opened, or is no regular file.
    """
    refuse_outside(path, named=path.parent)
    if _is_of_system(_absolute(path)):
        return path.open("rb")
    without_waiting = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, os.O_RDONLY | without_waiting)
    status = os.fstat(descriptor)
    if S_ISREG(status.st_mode):
        stream = os.fdopen(descriptor, "rb")
        if is_input and not path.is_relative_to(
            PACKAGE
        ):  # the version names what comes with certify
            fits = status.st_size <= MOST
            digest = hashlib.file_digest(stream, "sha256").hexdigest() if fits else None
            activity.get().inputs.setdefault(path, digest)
            stream.seek(0)
        return stream
    os.close(descriptor)
    if S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is not a regular file", str(path))


def _is_of_system(path: Path) -> bool:
    """Return True for what the user's shell gives a command, such as a pipe."""
    return not path.is_relative_to("/dev/shm") and (  # noqa: S108 - files of users
        path.is_relative_to("/dev") or path.is_relative_to("/proc")
    )


def walk(folder: Path, depth: int | None = None, named: Path | None = None) -> Iterator[Path]:
    """Yield the files and folders below a folder, also behind links that stay in the project.

    A link to a folder is not followed inside another one. ``depth`` limits the levels of folders.
    Outside of any project and repository, no link out of the folder is followed; nor is the folder
    itself, if it is a link out of ``named``, the folder that the user named.
    """
    top = Path(os.path.realpath(folder))
    if leads_outside(folder, named):
        return
    for parent, folders, files in os.walk(folder, followlinks=True):
        here = Path(parent)
        levels = here.relative_to(folder).parts
        is_linked = Path(os.path.realpath(here)) != top.joinpath(*levels)
        yield from (here / name for name in sorted((*folders, *files)))
        folders[:] = sorted(
            name
            for name in folders
            if len(levels) != depth
            and not (
                here.joinpath(name).is_symlink()
                and (is_linked or leads_outside(here / name, folder))
            )
        )


def links_outside(project: Path, *folders: str) -> Iterator[Path]:
    """Yield the links that lead out of a project: records, settings, folders and what they hold."""
    for parent, inner, files in os.walk(project):
        here, names = Path(parent), sorted((*inner, *files))
        if here == project:
            inner[:] = [name for name in inner if name in folders]
            names = [name for name in names if name in folders or name.endswith(SETTINGS)]
        paths = (here / name for name in names)
        yield from (path for path in paths if path.is_symlink() and leads_outside(path, project))
