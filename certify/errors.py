"""Exception hierarchy; each class sets the exit code.

Errors in a *submission* are not raised; they are collected as findings (`certify.model.finding`).
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager


class CertifyError(Exception):
    """Base class: a message for the user, an optional remedy, and an exit code.

    Args:
        message: what is wrong, in one sentence.
        remedy: how to fix it, in one sentence.
        pointer: position in the affected entry, as a JSON pointer; empty for the whole entry.
    """

    exit_code = 2

    def __init__(self, message: str, *, remedy: str = "", pointer: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.pointer = pointer


class NotReadable(CertifyError):
    """A file or a command line cannot be parsed."""


class NotConfigured(CertifyError):
    """Something the run needs is missing or does not fit: an id, a key, a library, a house way."""


EXTRAS = {
    "defusedxml": "documents",
    "fontTools": "documents",
    "jinja2": "documents",
    "docx": "import",
    "openpyxl": "documents",
    "pdfminer": "import",
    "pdfplumber": "import",
    "pydyf": "documents",
    "tinyhtml5": "documents",
    "weasyprint": "documents",
    "xlsxwriter": "documents",
    "llvmlite": "main-wager",
    "numba": "main-wager",
    "numpy": "main-wager",
    "python_multipart": "desk",
    "starlette": "desk",
    "uvicorn": "desk",
    "distributed": "cluster",
    "pyarrow": "cluster",
    "aiohttp": "sign",
    "asn1crypto": "sign",
    "certifi": "sign",
    "cryptography": "sign",
    "pikepdf": "sign",
    "pkcs11": "sign",
    "pyhanko": "sign",
    "pyhanko_certvalidator": "sign",
}
"""Optional packages, and the extra that installs each."""


class ChangedMeanwhile(CertifyError):
    """A file on disk is not the one that was read or edited."""

    status = 409


class WrongPassword(NotConfigured):
    """The password does not open the key."""


class NotInstalled(NotConfigured):
    """An optional package is not installed."""


def missing_piece(error: BaseException) -> NotInstalled | None:
    """Return the error for a failed import of an optional package; None for other errors."""
    package = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    if package not in EXTRAS:
        return None
    extra = EXTRAS[package]
    command = install_command(extra)
    return NotInstalled(
        f"This needs {package}, which is not installed.",
        remedy=f"Install certify[{extra}]: `{command}`"
        if command
        else f"Install certify[{extra}] from your copy of certify, a wheel or the repository; "
        "no package index has it.",
    )


def install_command(extra: str) -> str | None:
    """Return the command that adds an extra to this installation, with the tool that made it.

    It names the wheel or the checkout that was installed, because no package index has certify, and
    the constraints next to the wheel. None if the installation does not record its origin.
    """
    import json
    import sys
    from importlib.metadata import PackageNotFoundError, distribution
    from importlib.util import find_spec
    from pathlib import Path
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("certify").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        return None
    address, prefix = str(origin.get("url", "")), Path(sys.prefix)
    if not address:
        return None
    place = Path(url2pathname(address.removeprefix("file://")))
    requirement = f"'certify[{extra}] @ {address}'"
    if origin.get("dir_info", {}).get("editable"):
        requirement = f"-e '{place}[{extra}]'"
    versions = place.with_name("constraints.txt")
    option = f"--constraint '{versions}' " if versions.is_file() else ""
    if (prefix / "uv-receipt.toml").exists():
        return f"uv tool install --force {option}{requirement}"
    if (prefix / "pipx_metadata.json").exists():
        option = option and f'--pip-args="{option.rstrip()}" '
        return f"pipx install --force {option}{requirement}"
    if find_spec("pip"):
        return f"'{sys.executable}' -m pip install {option}{requirement}"
    return f"uv pip install --python '{sys.executable}' {option}{requirement}"  # uv adds no pip


@contextmanager
def needing_pieces() -> Iterator[None]:
    """Convert a failed import in this block to an error that names the extra to install.

    Raises:
        NotInstalled: a package of an extra is not installed.
    """
    try:
        yield
    except ImportError as error:
        raise (missing_piece(error) or error) from error


@contextmanager
def naming(place: object) -> Iterator[None]:
    """Put the place, such as a file's path, before the message of an error in this block."""
    try:
        yield
    except CertifyError as error:
        error.message = f"{place}: {error.message}"
        error.args = (error.message,)
        raise


class NotAuthentic(CertifyError):
    """A document fails verification."""

    exit_code = 1


class CountsDiffer(CertifyError):
    """Two counts of the same quantity differ, so neither is submitted."""

    exit_code = 1


class NothingChecked(CertifyError):
    """No file matched, or the file has no signature: nothing was checked, which is never a pass."""

    exit_code = 3


class NotJudged(CertifyError):
    """The input was not judged, because a limit of processor time or memory was reached."""

    exit_code = 4


class InvariantBroken(CertifyError):
    """A defect of ours: counts that do not sum, a hand that no rule covers."""

    exit_code = 70


REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "Make space, or choose a folder with space."),
    **dict.fromkeys(
        (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP),
        "Its file system has no file locks: use a folder on one that has them.",
    ),
    errno.EROFS: "Its file system is read-only: choose a folder that you may write to.",
    errno.ELOOP: "Remove the link.",
    errno.EIO: "Check the disk, and try again.",
}
"""Fixes for a file that cannot be written, by error number."""


def not_written(named: object, error: OSError) -> NotConfigured:
    """Return the error for a file or a folder that cannot be written."""
    return NotConfigured(
        f"Cannot write {named}: {error.strerror}.",
        remedy=REMEDIES.get(error.errno or 0, "Choose a folder that you may write to."),
    )
