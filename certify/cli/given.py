"""What the user gives a command: a day, the content of a file, the roots to trust."""

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from certify.errors import NotReadable
from certify.storage import read_at_most

if TYPE_CHECKING:
    from certify.signatures.certificate import Certificate


def day(option: str, text: str | None) -> dt.date:
    """Return the day that an option gives, or today.

    Raises:
        NotReadable: it is not a date.
    """
    if text is None:
        return dt.datetime.now(dt.UTC).date()
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise NotReadable(
            f"{option}: {text} is not a date.", remedy="Write year-month-day, such as 2026-11-21."
        ) from error


MOST = 64 << 20
"""Bytes of a file that a command takes into memory; nothing that it has use for is as large."""


def read_bytes(path: Path) -> bytes:
    """Return the content of a file the user named.

    Raises:
        NotReadable: it cannot be read, or is larger than `MOST`.
    """
    try:
        return read_at_most(path, MOST)
    except OSError as error:
        raise NotReadable(
            f"{path} cannot be read: {error.strerror}.", remedy="Check the name of the file."
        ) from error


def trusted_roots(files: Iterable[Path] | None) -> tuple["Certificate", ...]:
    """Return the certificates in the given PEM files, or this user's trusted roots.

    Raises:
        NotReadable: a file cannot be read.
    """
    from certify.pipeline.identities import trusted
    from certify.signatures.certificate import read_pem

    if not files:
        return trusted()
    return tuple(root for path in files for root in read_pem(read_bytes(path)))
