"""Print an HTML string as one PDF (PDF/A-3a and PDF/UA-1) in a separate process.

The same input gives the same bytes: no clock, no machine name, no path enters the file, and nothing
is fetched. The rendering libraries are imported by the worker only (`certify.printing._render`).
"""

import base64
import datetime as dt
import json
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from certify.errors import NotReadable
from certify.worker import Limits, run

WORKER = "certify.printing._render"


class Attachment(Struct, frozen=True, kw_only=True):
    """A file embedded in the document, with its relationship to the document.

    Attributes:
        name: file name in printable ASCII.
        data: the bytes of the file.
        relationship: ``Data`` for evidence, ``Source`` for the document's source.
        description: one line that a reader shows next to the file.
        media_type: such as ``application/json``.
    """

    name: str
    data: bytes
    relationship: Literal["Data", "Source"]
    description: str
    media_type: str


DEFAULT_LIMITS = Limits(seconds=120, mebibytes=1024)


def print_pdf(
    html: str,
    *,
    title: str,
    language: str,
    document_id: str,
    date: dt.date,
    attachments: tuple[Attachment, ...],
    templates: Path,
    style: Path | None = None,
    notice: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> bytes:
    """Return the document as PDF bytes: PDF/A-3a and PDF/UA-1, tagged, bookmarked, unsigned.

    An element with ``id="signature-block"`` becomes the empty signature field ``Signature``, and
    others the fields that `certify.printing.archival` lists.

    Args:
        html: the whole document, its charts inline; it may refer to nothing outside itself.
        title: the title in the metadata and in the window of a reader.
        language: BCP 47 tag of the text, such as ``en-US``; the same as ``<html lang>``.
        document_id: the identifier of the document; the file identifier is derived from it.
        date: the declared revision date, the only date in the file (midnight UTC).
        attachments: files to embed, in any order.
        templates: folder with ``style.css`` and ``fonts/``.
        style: another style sheet than that of the folder.
        notice: HTML of the strip over each page, whose text is in a ``p``; none if empty.
        limits: what printing may cost.

    Raises:
        NotReadable: the HTML breaks conformance, refers to something outside, holds a character
            that no bundled font draws.
        NotJudged: printing it reached a limit.
        NotConfigured: the rendering libraries, the style or a font is missing or broken.

    Source: ISO 19005-3:2012 (PDF/A-3), ISO 14289-1:2014 (PDF/UA-1), ISO 32000-1:2008.
    """
    job = {
        "html": html,
        "title": title,
        "language": language,
        "document_id": document_id,
        "date": date.isoformat(),
        "attachments": [
            asdict(file) | {"data": base64.b64encode(file.data).decode("ascii")}
            for file in _sort_attachments(attachments)
        ],
        "templates": str(templates.resolve()),
        "notice": notice,
        "style": str((style or templates / "style.css").resolve()),
    }
    return run(WORKER, json.dumps(job).encode("ascii"), limits, subject=f"Printing {title}")


def _sort_attachments(attachments: tuple[Attachment, ...]) -> list[Attachment]:
    """Return the attachments by name, which readers of the name tree rely on."""
    names = [file.name for file in attachments]
    for name in names:
        if not name or not name.isascii() or not name.isprintable() or set(name) & set("/\\"):
            raise NotReadable(
                f"The attachment name {name!r} is not a plain ASCII file name.",
                remedy="Use letters, digits, dots, hyphens and underscores.",
            )
        if names.count(name) > 1:
            raise NotReadable(f"Two attachments are named {name!r}.", remedy="Rename one of them.")
    return sorted(attachments, key=lambda file: file.name)
