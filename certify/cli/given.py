"""Arguments of commands: days, amounts, files, roots, and who signs."""

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


CENTS = 2
"""Decimals of an amount of dollars."""


def meters(given: list[str]) -> dict[str, int]:
    """Return cents by meter level.

    Raises:
        NotReadable: an entry is not LEVEL=AMOUNT, or a level is given twice.
    """
    amounts: dict[str, int] = {}
    for text in given:
        level, equals, amount = text.partition("=")
        if not equals or level in amounts:
            raise NotReadable(
                f"--meter {text} is not LEVEL=AMOUNT with each level once.",
                remedy="Write for example --meter 1=25000 --meter 2=5000.",
            )
        amounts[level] = cents("--meter", amount)
    return amounts


def cents(option: str, text: str) -> int:
    """Return dollars as written in cents.

    Raises:
        NotReadable: it is not an amount of dollars with at most two decimals.
    """
    whole, _, part = text.removeprefix("$").replace(",", "").partition(".")
    digits = whole + part.ljust(CENTS, "0")
    if not digits.isascii() or not digits.isdigit() or len(part) > CENTS or not whole:
        raise NotReadable(
            f"{option}: {text} is not an amount of dollars.",
            remedy="Write for example 5, 2.50 or 25000.",
        )
    return int(digits)
