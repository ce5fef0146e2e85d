"""What can be wrong with a run: one root, few children, each owning its exit code.

What is wrong with a *submission* is never raised; it is collected as findings
(`certify.model.finding`).
"""

from collections.abc import Iterator
from contextlib import contextmanager


class CertifyError(Exception):
    """The root: a message for a person, an optional remedy, and an exit code.

    Args:
        message: what is wrong, in one sentence.
        remedy: how to mend it, in one sentence.
        pointer: where in the record that it is about, as a JSON pointer; empty for all of it.
    """

    exit_code = 2

    def __init__(self, message: str, *, remedy: str = "", pointer: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.pointer = pointer


class NotReadable(CertifyError):
    """A file or a command line cannot be read as what it should be."""


class NotConfigured(CertifyError):
    """Something the run needs is missing or does not fit: an id, a key, a library, a house way."""


EXTRAS = {
    "defusedxml": "documents",
    "fontTools": "documents",
    "jinja2": "documents",
    "openpyxl": "documents",
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
    "asn1crypto": "sign",
    "cryptography": "sign",
    "pikepdf": "sign",
    "pkcs11": "sign",
    "pyhanko": "sign",
    "pyhanko_certvalidator": "sign",
}
"""The packages that not everybody needs, and the extra of the installation that brings each."""


class NotInstalled(NotConfigured):
    """A package is not installed that only some commands need."""


def missing_piece(error: BaseException) -> NotInstalled | None:
    """Return what to say of an import that failed; None if it is a defect of another kind."""
    package = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    if package not in EXTRAS:
        return None
    return NotInstalled(
        f"This needs {package}, which is not installed.",
        remedy=f"Install certify[{EXTRAS[package]}] from your copy of certify, a wheel or the "
        "repository; no package index has it.",
    )


@contextmanager
def needing_pieces() -> Iterator[None]:
    """Say of an import that fails in this block which extra brings it.

    Raises:
        NotInstalled: a package of an extra is not installed.
    """
    try:
        yield
    except ImportError as error:
        raise (missing_piece(error) or error) from error


class NotAuthentic(CertifyError):
    """A document fails verification."""

    exit_code = 1


class CountsDiffer(CertifyError):
    """Two counts of the same thing are not the same, so neither is filed."""

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
