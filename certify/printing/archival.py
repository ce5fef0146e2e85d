"""Archival form: the metadata, the attachments and the finishing touches of the file.

Runs in the printing process; every function works on the objects of WeasyPrint and pydyf just
before the file is written. The tags are mended in `certify.printing.tags`, the signature
fields are placed by `certify.printing.signature_fields`.

The metadata packet is one ``rdf:RDF`` that declares PDF/A-3a and PDF/UA-1; its form stands in
``templates/xmp.xml``. A blank line there parts what may stand alone: a part is left out where one
of its names has no value. The extension schema describes `pdfuaid:part`, which PDF/A does not know
by itself.

Source: ISO 19005-3, 6.6.4 and 6.6.2.3; ISO 14289-1, clause 5.
"""

import base64
import datetime as dt
import hashlib
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Template
from typing import IO, Any
from xml.sax.saxutils import escape

import certify
from certify.printing import signature_fields, tags
from certify.printing.untyped import Document, Entry, File, Renderer

REGULAR = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-_")

Job = Mapping[str, Any]
"""What the caller declares of the document (`print_pdf`); nothing else dates or names the file."""


def write(weasyprint: Renderer, document: Document, job: Job, output: IO[bytes]) -> None:
    """Write the laid-out document with our metadata, attachments, tags and signature fields."""
    metadata = document.metadata
    metadata.title, metadata.lang = job["title"], job["language"]
    metadata.created = metadata.modified = f"{job['date']}T00:00:00Z"
    metadata.generator = f"certify {certify.__version__}"
    metadata.attachments = []
    packet = _packet(metadata, job, producer=f"WeasyPrint {weasyprint.VERSION}")
    metadata.generate_rdf_metadata = lambda *_: packet

    def finish(document: Document, pdf: File) -> None:
        relate_attachments(pdf, job["attachments"])
        present(pdf)
        tags.mend(document, pdf, recorded)
        signature_fields.place(document, pdf, recorded)

    moment = dt.datetime.combine(dt.date.fromisoformat(job["date"]), dt.time(), dt.UTC)
    identifier = hashlib.sha256(job["document_id"].encode()).hexdigest()[:32]
    with tags.recording() as recorded:
        document.write_pdf(
            output,
            finisher=finish,
            pdf_variant="pdf/a-3a",
            pdf_identifier=identifier.encode("ascii"),
            attachments=[_embedded(weasyprint, file, moment) for file in job["attachments"]],
        )


def _packet(metadata: Entry, job: Job, *, producer: str) -> bytes:
    """Return the metadata packet; the renderer's metadata has what was declared already in it."""
    values = {
        "producer": producer,
        "generator": metadata.generator,
        "created": metadata.created,
        "modified": metadata.modified,
        "uuid": f"uuid:{uuid.uuid5(uuid.NAMESPACE_URL, job['document_id'])}",
        "keywords": ", ".join(metadata.keywords),
        "title": metadata.title,
        "language": metadata.lang,
        "identifier": job["document_id"],
        "creator": ", ".join(metadata.authors),
        "description": metadata.description,
    }
    form = Path(job["templates"], "xmp.xml").read_text(encoding="utf-8")
    parts = [Template(part) for part in form.split("\n\n")]
    escaped = {name: escape(value) for name, value in values.items() if value}
    whole = (part for part in parts if escaped.keys() >= {*part.get_identifiers()})
    return "\n".join(part.substitute(escaped) for part in whole).encode()


def _embedded(weasyprint: Renderer, file: Mapping[str, str], moment: dt.datetime) -> Entry:
    return weasyprint.Attachment(
        string=base64.b64decode(file["data"]),
        name=file["name"],
        description=file["description"],
        created=moment,
        modified=moment,
        relationship=file["relationship"],
    )


def relate_attachments(pdf: File, attachments: Iterable[Mapping[str, str]]) -> None:
    """Name each associated file once, with the relationship and media type that was declared.

    The renderer lists every file twice, and takes relationships by content and media types from
    the machine's own database.
    """
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = list(dict.fromkeys(pdf.catalog["AF"]))
    declared_by_name = {file["name"]: file for file in attachments}
    for entry in pdf.objects:
        if isinstance(entry, dict) and entry.get("Type") == "/Filespec":
            file = declared_by_name[entry["UF"].string]
            entry["AFRelationship"] = f"/{file['relationship']}"
            stream = pdf.objects[int(entry["EF"]["F"].split()[0])]
            stream.extra["Subtype"] = "/" + _name(file["media_type"])


def _name(text: str) -> str:
    """Return the text as a PDF name, irregular characters as number signs and hexadecimal."""
    return "".join(c if c in REGULAR else f"#{ord(c):02x}" for c in text)


def present(pdf: File) -> None:
    """Open with the bookmarks shown, and keep the metadata readable without a PDF library."""
    if "Outlines" in pdf.catalog:
        pdf.catalog["PageMode"] = "/UseOutlines"
    pdf.objects[int(pdf.catalog["Metadata"].split()[0])].compress = False
