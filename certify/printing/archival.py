"""PDF/A: metadata, attachments, and signature fields in the document's signature blocks.

These functions run in the printing process, on the objects of WeasyPrint and pydyf just before the
file is written. `certify.printing.tags` corrects the structure tree.

The metadata packet is one ``rdf:RDF`` that declares PDF/A-3a and PDF/UA-1; its form is in
``templates/xmp.xml``. A blank line there separates independent parts. A part is omitted if one of
its names has no value. The extension schema describes `pdfuaid:part`, which PDF/A does not define.

Signature fields are empty and tagged. A visible field that the signer creates later would be
outside the structure tree and violate PDF/UA, so the field is placed here and the signer fills it.

Source: ISO 19005-3, 6.3, 6.6.2.3 and 6.6.4; ISO 14289-1:2014, clause 5 and 7.18.4;
ISO 32000-1:2008, 12.7.4.5 and 14.8.4.5.
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

import pydyf

import certify
from certify.errors import NotReadable
from certify.printing import notice, tags
from certify.printing.fonts import Box, Document, Element, Entry, File, Renderer
from certify.printing.tags import POINTS_PER_PIXEL, Tags, parents, resolve

PRINT = 4
SIGNATURES_EXIST = 1
FIELDS = (
    ("signature-block", "Signature", "Electronic signature of the preparer"),
    ("laboratory-signature-block", "Laboratory", "Electronic signature of the laboratory"),
    ("approver-signature-block", "Approver", "Electronic signature of the approver"),
    ("reviewer-signature-block", "Reviewer", "Electronic signature of the reviewer"),
)


def place(document: Document, pdf: File, tags: Tags) -> None:
    """Place the field of every signature block that the document has.

    Raises:
        NotReadable: a signature block is split over pages, or is not a block.
    """
    for anchor, name, description in FIELDS:
        boxes = [
            (number, box)
            for number, page in enumerate(document.pages)
            for box in page._page_box.descendants()  # noqa: SLF001 - no public way to the boxes
            if type(box).__name__ == "BlockBox"
            and box.element is not None
            and box.element.get("id") == anchor
            and box.element_tag == box.element.tag
        ]
        if len(boxes) > 1:
            raise NotReadable(
                f'The element with id="{anchor}" is split over pages or stands there twice.',
                remedy="Give it one fixed height and break-inside: avoid.",
            )
        for number, box in boxes:
            notice.refuse_cover(document.pages[number], box)
            element = tags.find_element(box)
            if not element:  # none, or one that was emptied with the running headers
                raise NotReadable(
                    f'The element with id="{anchor}" has no place in the structure of the text.',
                    remedy="Make it a plain div in the body of the document.",
                )
            rectangle = _rectangle(box, document.pages[number].height)
            widget = _widget(pdf, rectangle, name, description)
            _place_field(pdf, element, widget, pdf.page_references[number])
    # An archive timestamp adds its field to the first page, and may extend a list but not add one.
    resolve(pdf, pdf.page_references[0]).setdefault("Annots", pydyf.Array())


def _place_field(pdf: File, element: Element, widget: Element, page: bytes) -> None:
    """Hang the widget on its page, in the structure, in the parent tree and in the form."""
    numbers = parents(pdf)
    key = numbers[-2] + 1
    widget["StructParent"], widget["P"] = key, page
    pdf.add_object(widget)
    form = pydyf.Dictionary(
        {
            "Type": "/StructElem",
            "S": "/Form",
            "ID": widget["T"],
            "P": element.reference,
            "Pg": page,
            "Alt": widget["Contents"],
            "K": pydyf.Dictionary({"Type": "/OBJR", "Obj": widget.reference, "Pg": page}),
        }
    )
    pdf.add_object(form)
    element["K"].append(form.reference)
    tags.identify(pdf, {form["ID"].string: form.reference})
    numbers.extend([key, form.reference])
    resolve(pdf, pdf.catalog["StructTreeRoot"])["ParentTreeNextKey"] = key + 1
    resolve(pdf, page).setdefault("Annots", pydyf.Array()).append(widget.reference)
    _interactive_form(pdf)["Fields"].append(widget.reference)


def _widget(pdf: File, rectangle: list[float], name: str, description: str) -> Element:
    """Return an unsigned signature widget with an empty appearance, in points on its page."""
    left, foot, right, top = rectangle
    appearance = pydyf.Stream(
        [],
        {
            "Type": "/XObject",
            "Subtype": "/Form",
            "BBox": pydyf.Array([0, 0, right - left, top - foot]),
            "Resources": pydyf.Dictionary(),
        },
    )
    pdf.add_object(appearance)
    return pydyf.Dictionary(
        {
            "Type": "/Annot",
            "Subtype": "/Widget",
            "FT": "/Sig",
            "T": pydyf.String(name),
            "TU": pydyf.String(description),
            "Contents": pydyf.String(description),
            "Rect": pydyf.Array(rectangle),
            "F": PRINT,
            "AP": pydyf.Dictionary({"N": appearance.reference}),
        }
    )


def _rectangle(box: Box, page_height: float) -> list[float]:
    """Return left, foot, right and top of the inside of a block, in points from the page's foot."""
    left, foot = box.content_box_x(), page_height - box.content_box_y() - box.height
    corners = (left, foot, left + box.width, foot + box.height)
    return [round(POINTS_PER_PIXEL * corner, DECIMALS) for corner in corners]


def _interactive_form(pdf: File) -> Element:
    """Return the document's form, made at the first field."""
    if "AcroForm" not in pdf.catalog:
        form = pydyf.Dictionary({"Fields": pydyf.Array(), "SigFlags": SIGNATURES_EXIST})
        pdf.add_object(form)
        pdf.catalog["AcroForm"] = form.reference
    return resolve(pdf, pdf.catalog["AcroForm"])


DECIMALS = 3
"""Decimals of a place on a page, in points."""

REGULAR = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-_")

Job = Mapping[str, Any]
"""Document details from the caller (`print_pdf`); nothing else dates or names the file."""


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
        round_destinations(pdf)
        present(pdf)
        tags.repair(document, pdf, recorded)
        if job["notice"]:
            notice.tag(document, pdf)
        place(document, pdf, recorded)

    moment = dt.datetime.combine(dt.date.fromisoformat(job["date"]), dt.time(), dt.UTC)
    identifier = hashlib.sha256(job["document_id"].encode()).hexdigest()[:32]
    with tags.recording() as recorded:
        document.write_pdf(
            output,
            finisher=finish,
            pdf_variant="pdf/a-3a",
            pdf_identifier=identifier.encode("ascii"),
            attachments=[
                weasyprint.Attachment(
                    string=base64.b64decode(file["data"]),
                    name=file["name"],
                    description=file["description"],
                    created=moment,
                    modified=moment,
                    relationship=file["relationship"],
                )
                for file in job["attachments"]
            ],
        )


def _packet(metadata: Entry, job: Job, *, producer: str) -> bytes:
    """Return the metadata packet; the declared values are already in the renderer's metadata."""
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
            stream.extra["Subtype"] = "/" + "".join(
                character if character in REGULAR else f"#{ord(character):02x}"
                for character in file["media_type"]
            )


def round_destinations(pdf: File) -> None:
    """Round the places that links lead to, which the catalog lists.

    A signature writes the catalog again. The renderer writes 726.00000001 as ``726.``, pyHanko that
    number as ``726``, and a verifier would find the catalog changed.
    """
    names = pdf.catalog.get("Names", {}).get("Dests", {}).get("Names", [])
    for place in names[1::2]:
        place[:] = [round(part, DECIMALS) if isinstance(part, float) else part for part in place]


def present(pdf: File) -> None:
    """Open with the bookmarks shown, and keep the metadata readable without a PDF library."""
    if "Outlines" in pdf.catalog:
        pdf.catalog["PageMode"] = "/UseOutlines"
    pdf.objects[int(pdf.catalog["Metadata"].split()[0])].compress = False
