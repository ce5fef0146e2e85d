"""Pages of drafts, kept on this machine: what gives the same bytes is not printed twice.

A file is named by a digest of everything that its bytes depend on and carries an HMAC under a key
of this user; a file that fails the check is printed again. A final submission is always printed.
"""

import contextlib
import hashlib
import hmac
from functools import partial
from pathlib import Path

from certify import storage
from certify.engine.count_cache import seal
from certify.errors import NotConfigured
from certify.pipeline.submit.evidence import list_versions

KEPT = 24
"""The most documents kept, those of the latest drafts."""


def print_draft(printing: "partial[bytes]") -> bytes:
    """Return the document that a call prints, from an earlier draft if it is unchanged.

    Raises:
        NotPrivate: others may write to the folder, or read the key.
    """
    style = printing.keywords["style"]
    inputs = (list_versions(), printing.args, printing.keywords, style and style.read_bytes())
    name = hashlib.sha256(repr(inputs).encode()).hexdigest()
    path, pages = None, None
    with contextlib.suppress(OSError):  # a store that cannot be used costs time, never a page
        path = storage.private(storage.private(storage.cache()) / "pages") / f"{name}.pdf"
        pages = _read(path)
    if pages is None:
        pages = printing()
        if path is not None:
            with contextlib.suppress(OSError):
                _keep(path, pages)
    return pages


def _read(path: Path) -> bytes | None:
    if not path.is_file():
        return None
    mac, _, pages = path.read_bytes().partition(b"\n")
    path.touch()
    return pages if hmac.compare_digest(mac, _mac(path, pages)) else None


def _keep(path: Path, pages: bytes) -> None:
    with contextlib.suppress(NotConfigured):
        storage.write_atomically(path, _mac(path, pages) + b"\n" + pages, mode=0o600)
    kept = sorted(path.parent.glob("*.pdf"), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in kept[KEPT:]:
        old.unlink(missing_ok=True)


def _mac(path: Path, pages: bytes) -> bytes:
    return seal(path.stem, hashlib.sha256(pages).hexdigest()).encode()
