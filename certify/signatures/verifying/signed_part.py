"""The signed part of a document: what its first signature covers, and the files in there."""

import pikepdf

from certify.signatures.verifying.document import Damaged, read
from certify.signatures.verifying.revisions import attachments


def first_signed_revision(data: bytes) -> bytes:
    """Return the file up to the end of what its first signature covers.

    Raises:
        Damaged: its structure cannot be read, or the signature covers no whole revision.
    """
    first = read(data).signatures[0]
    if first.fault:
        raise Damaged(first.fault)
    return data[: first.end]


def embedded_files(data: bytes, *, signed: bool) -> dict[str, bytes]:
    """Return the attachments of the first signed revision; see ``verify``."""
    try:
        return attachments(first_signed_revision(data) if signed else data)
    except (pikepdf.PdfError, RuntimeError, ValueError, KeyError) as error:
        raise Damaged(str(error)) from error
