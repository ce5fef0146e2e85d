"""Bounded reads and atomic writes of files, the user's private folders, and the lock of a project.

One writer at a time has the lock, across processes and threads.
"""

import contextlib
import errno
import hashlib
import io
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISVTX, S_IWGRP
from types import EllipsisType
from typing import TYPE_CHECKING, Any, BinaryIO

from certify.activity import activity
from certify.errors import ChangedMeanwhile, NotConfigured, NotReadable, not_written
from certify.received.files import MOST, PROJECT, open_file, refuse_folder_outside

if TYPE_CHECKING:
    from platformdirs.api import PlatformDirsABC


LARGEST = 4 << 20
"""Bytes of a file that is read as a record, a table or a text; nothing of the field has a tenth."""

SIGNED = b"/ByteRange"
"""Stands in every signature of a PDF, in the clear: it says which bytes are signed."""

PART = ".part"
"""Suffix of a temporary file before it replaces the old one."""


def read_at_most(path: Path, most: int = LARGEST) -> bytes:
    """Return the content of a file; `certify.received` says which links it may have.

    Raises:
        OSError: it cannot be read, or has more than ``most`` bytes.
    """
    with open_file(path) as stream:
        return _read_stream(stream, path, most)


def _read_stream(stream: BinaryIO, path: Path, most: int) -> bytes:
    data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data


def read_bytes(path: Path) -> bytes:
    """Return the content of a file that the user named.

    Raises:
        NotReadable: it cannot be read, or is larger than `MOST`.
    """
    try:
        return read_at_most(path, MOST)
    except OSError as error:
        reason = f"{path} cannot be read: {error.strerror}."
        raise NotReadable(reason, remedy="Check the name of the file.") from error


def read_present(path: Path) -> bytes | None:
    """Return the content of a file, None if there is none; errors as `read_bytes`."""
    return read_bytes(path) if os.path.lexists(path) else None


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file without byte-order mark, with newlines as line ends.

    Raises:
        OSError: as `read_at_most`.
        UnicodeDecodeError: it is not UTF-8.
    """
    return io.TextIOWrapper(io.BytesIO(read_at_most(path)), encoding="utf-8-sig").read()


MARKS = {
    b"\xef\xbb\xbf": "UTF-8 with a byte-order mark",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
"""Byte-order marks of editors on Windows."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML settings file.

    Raises:
        NotConfigured: it cannot be read, or is not TOML.
    """
    import tomllib

    try:
        data = read_at_most(path)
        encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), "")
        if encoding or data[:2].count(0) == 1:
            raise NotConfigured(
                f"{path} is in {encoding or 'UTF-16'}.", remedy="Save it as UTF-8 without a mark."
            )
        return tomllib.loads(data.decode())
    except RecursionError as error:
        raise NotConfigured(
            f"{path} cannot be read: brackets are nested too deeply.",
            remedy="Remove the unnecessary brackets.",
        ) from error
    except (OSError, ValueError) as error:
        reason = f"{path} cannot be read: {error}."
        raise NotConfigured(reason, remedy="Correct the TOML.") from error


def home() -> Path:
    """Return this user's folder for keys and caches (``CERTIFY_HOME`` wins); it may not exist yet.

    Source: XDG Base Directory Specification 0.8; on Windows the roaming application data folder.
    """
    named = os.environ.get("CERTIFY_HOME")
    return Path(named).resolve() if named else _user_folders().user_config_path


def cache() -> Path:
    """Return this user's cache folder; it may not exist yet."""
    named = os.environ.get("CERTIFY_CACHE")
    return Path(named).resolve() if named else _user_folders().user_cache_path


def _user_folders() -> "PlatformDirsABC":
    """Return the folders of this user: the system's on Windows, elsewhere those of XDG."""
    if os.name == "nt":
        from platformdirs.windows import Windows

        return Windows("certify", appauthor=False, roaming=True)
    from platformdirs.unix import Unix

    return Unix("certify", appauthor=False)


class NotPrivate(NotConfigured):
    """A folder or a key that only this user may touch is open to others."""


def private(folder: Path, *, create: bool = True) -> Path:
    """Return a folder that only this user may access; create it if it is missing.

    A folder of the user's own that others may only read is closed to them. On Windows the folders
    of a user's profile are private by their place, and only links are refused. Without ``create``
    a missing folder is neither made nor checked.

    Raises:
        NotPrivate: it is a link, belongs to another user, or others may write to it.
        OSError: it cannot be created.
    """
    if not create and not os.path.lexists(folder):
        return folder
    if create and not folder.is_symlink():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    wrong = _open_to_others(folder.lstat())
    if wrong:
        raise NotPrivate(
            f"{folder} is not private: {wrong}.",
            remedy=f"Remove it, or if nobody else can have written to it, run: chmod 700 {folder}",
        )
    if os.name == "posix" and folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
    return folder


LONGEST_SECRET = 4096
"""Bytes of a file with a password or a PIN."""


def read_private(path: Path, most: int = LARGEST) -> bytes:
    """Return the content of a file with a key or a password that only this user may read.

    A pipe or a device has no stored content, so its permissions are not checked. A link is
    followed. The administrator of the system may own the file, as with secrets in a container.

    Raises:
        NotPrivate: it belongs to another user, or others may read or write it.
        OSError: it cannot be read, or has more than ``most`` bytes.
    """
    status = path.stat()
    if os.name == "posix" and stat.S_ISREG(status.st_mode):
        owned = status.st_uid in {os.geteuid(), 0}
        if not owned or status.st_mode & 0o077:
            reason = "other users may access it" if owned else "it belongs to another user"
            raise NotPrivate(
                f"{path} holds a secret and is not private: {reason}.",
                remedy="Replace the key or password if someone else may have read it; then run: "
                f"chmod 600 {path}",
            )
    with path.open("rb") as stream:
        return _read_stream(stream, path, most)


def secret(name: str) -> bytes:
    """Return this user's random key of 32 bytes with a name; it is made at the first call.

    Raises:
        NotPrivate: the file or its folder is open to others.
        OSError: it cannot be made or read.
    """
    path = private(home()) / name
    if not path.is_symlink() and not path.exists():
        temporary = write_sibling(path, os.urandom(32), mode=0o600, durable=False)
        try:
            # Whoever comes first has made the key; it never takes the place of another one.
            with contextlib.suppress(FileExistsError):
                os.link(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    status = path.lstat()
    wrong = _open_to_others(status)
    if not wrong and os.name == "posix" and status.st_mode & 0o077:
        wrong = "other users may read it"
    if wrong:
        raise NotPrivate(
            f"The key {path} is not private: {wrong}.",
            remedy="Remove it: a new key is made, and cached counts are made again.",
        )
    return path.read_bytes()


def _open_to_others(status: os.stat_result) -> str:
    """Return the reason why other users may write to a path; empty if they may not."""
    if stat.S_ISLNK(status.st_mode):
        return "it is a link"
    if os.name != "posix":
        return ""
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    return "other users may write to it" if status.st_mode & 0o022 else ""


def write_sibling(
    path: Path,
    data: bytes,
    *,
    mode: int | None = None,
    like: Path | None = None,
    confined: bool = False,
    durable: bool = True,
) -> Path:
    """Return a whole new file in the folder of another one, whose place it may take.

    Args:
        path: the other file.
        data: the whole content.
        mode: the permissions; None for those of ``like``, or without it the usual ones.
        like: the file that is replaced in the end; ``path`` if None.
        confined: True for a file with no more permissions than the folder of ``like``.
        durable: False for a file that can be made again: it may be lost with the power.

    Raises:
        OSError: it cannot be written; then it is not left behind.
    """
    like = like or path
    if mode is None and like.is_file():
        mode = stat.S_IMODE(like.stat().st_mode)
    allowed = like.parent.stat().st_mode & 0o666 if confined else 0o777
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}{PART}")

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, allowed & (0o666 if mode is None else mode))

    try:
        with open(temporary, "xb", opener=create) as stream:
            if mode is not None:
                temporary.chmod(mode & allowed)  # whatever the umask
            elif not confined:
                share(temporary, like.parent)
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def write_atomically(
    path: Path,
    data: bytes,
    *,
    mode: int | None = None,
    before: bytes | EllipsisType | None = ...,
) -> None:
    """Write ``data`` to ``path`` atomically: readers see the old file or the whole new one.

    Args:
        path: the file; its folder is made if it is missing.
        data: the whole content.
        mode: the permissions; None for those of the old file, or the usual ones of a new file.
        before: the content that may be replaced, None if the file must be new; by default any.

    Raises:
        ChangedMeanwhile: immediately before it is replaced, the file is not ``before``.
        NotConfigured: the folder or the file cannot be written, or a signed PDF, a device or a
            pipe is there.
    """
    try:
        refuse_folder_outside(path.parent)
        make_folder(path.parent)
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise NotConfigured(
                f"{path} is a device or a pipe, not a file, and is not replaced.",
                remedy="Name a file.",
            )
        temporary = write_sibling(path, data, mode=mode)
        try:
            _refuse_signed(path)
            if before is not ...:
                _refuse_changed(path, before)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise not_written(path, error) from error
    activity.get().outputs[path] = hashlib.sha256(data).hexdigest()


def _refuse_changed(path: Path, before: bytes | None) -> None:
    if read_present(path) != before:
        raise ChangedMeanwhile(
            f"Another program changed {path}, so it was not replaced.",
            remedy="Look at the file, and try again.",
        )


def remove(path: Path, before: bytes | None) -> None:
    """Remove a file whose content is still ``before``.

    Raises:
        ChangedMeanwhile: it has other content.
        NotConfigured: it cannot be removed.
    """
    _refuse_changed(path, before)
    try:
        path.unlink()
    except OSError as error:
        raise NotConfigured(
            f"Cannot remove {path}: {error.strerror}.",
            remedy="Check that you may write to the folder.",
        ) from error
    activity.get().outputs[path] = None


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, confined: bool = False, durable: bool = True
) -> None:
    """Write a new folder with its files: it is renamed to its name once it is complete.

    Args:
        folder: the folder; it does not exist, or is empty.
        files: the content of each file by its name below the folder.
        confined: see `write_sibling`; the same holds for the folder.
        durable: see `write_sibling`.

    Raises:
        NotConfigured: it exists already, or cannot be written.
    """
    import shutil

    if os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        raise NotConfigured(
            f"{folder} is not an empty folder, so nothing was written.",
            remedy="Name a new folder, or empty this one.",
        )
    temporary = folder.with_name(f".{folder.name}.{os.urandom(4).hex()}{PART}")
    try:
        refuse_folder_outside(folder.parent)
        make_folder(folder.parent)
        temporary.mkdir(folder.parent.stat().st_mode & 0o777 if confined else 0o777)
        share(temporary, folder.parent)
        try:
            for name, data in files.items():
                path = temporary / name
                make_folder(path.parent)
                write_sibling(path, data, confined=confined, durable=durable).replace(path)
                activity.get().outputs[folder / name] = hashlib.sha256(data).hexdigest()
            if folder.exists():
                folder.rmdir()  # Windows replaces no folder
            temporary.rename(folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise not_written(folder, error) from error


def _refuse_signed(path: Path) -> None:
    """Refuse to write over a PDF that carries a signature, whoever made it."""
    if not path.is_file():
        return
    with path.open("rb") as stream:
        signed = stream.read(5) == b"%PDF-" and SIGNED in stream.read()
    if signed:
        raise NotConfigured(
            f"{path} is a signed document and is not overwritten.", remedy="Name another file."
        )


def share(path: Path, folder: Path) -> None:
    """Give a new file or folder the rights that the group has in its folder.

    Only where the group may write to the folder and also owns the new file. In a folder such as
    /tmp, which protects the files of its users from each other, nothing changes.
    """
    new, parent = path.stat(), folder.stat()
    shared = parent.st_mode & (S_IWGRP | S_ISVTX) == S_IWGRP and new.st_gid == parent.st_gid
    if os.name == "posix" and shared:
        group = 0o070 if S_ISDIR(new.st_mode) else 0o060
        with contextlib.suppress(OSError):  # a network file system may refuse
            path.chmod(S_IMODE(new.st_mode) | (parent.st_mode & group))


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, each with the group rights of its parent.

    Raises:
        OSError: it cannot be made, or a file has its name.
    """
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        share(folder, folder.parent)


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
