"""PDF/A: checks of the HTML; metadata, attachments and signature fields of the file.

The HTML is checked before it is laid out. Each rule of the checks was seen to break a file that a
validator then refused; the renderer itself is silent. The other functions run in the printing
process, on the objects of WeasyPrint and pydyf just before the file is written.
`certify.printing.tags` corrects the structure tree.

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
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from string import Template
from typing import IO, Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

import pydyf

import certify
from certify.errors import NotReadable
from certify.printing import tags
from certify.printing.fonts import Box, Document, Element, Entry, File, Renderer
from certify.printing.tags import (
    POINTS_PER_PIXEL,
    Tags,
    parents,
    refuse_covered_notice,
    resolve,
    tag_notice,
)

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
            refuse_covered_notice(document.pages[number], box)
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
            tag_notice(document, pdf)
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


SVG = "{http://www.w3.org/2000/svg}"
HEADING = re.compile(r"h([1-6])")
OPACITY = re.compile(
    r"(?<![\w-])(?:(?:fill-|stroke-|stop-|flood-)?opacity|mix-blend-mode|backdrop-filter|filter"
    r"|mask(?:-image)?)\s*:|rgba\s*\(|hsla\s*\(|device-cmyk|(?:rgb|hsl)\([^)]*/",
    re.IGNORECASE,
)
TRANSPARENT = ("opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "filter", "mask")
OUTSIDERS = {f"{SVG}image": "a picture", f"{SVG}foreignObject": "foreign content"}
REFERENCES = ("href", "{http://www.w3.org/1999/xlink}href")
ROW_GROUPS = ("thead", "tbody", "tfoot")
INLINE = ("span", "em", "i", "strong", "b", "code", "small", "sup", "sub", "br")
SPAN = re.compile(r"[0-9]{1,3}")
SCOPES = ("col", "row", "colgroup", "rowgroup")
FORBIDDEN = {
    "script": "a script",
    "iframe": "a frame",
    "object": "an embedded object",
    "embed": "an embedded object",
    "link": "a link to another file",
    "base": "a base address",
    "form": "a form",
    "input": "a form field",
    "select": "a form field",
    "textarea": "a form field",
    "button": "a form field",
    "video": "a film",
    "audio": "a sound",
}


def conformance_problems(root: ET.Element, language: str) -> list[str]:
    """Return violations of PDF/A-3a or PDF/UA-1 in plain words; empty if there are none.

    Args:
        root: the whole document.
        language: the language that the document is declared to have; empty where none is.

    Source: ISO 14289-1:2014, 7.1 to 7.18; ISO 19005-3:2012, 6.2 to 6.6.
    """
    problems = list(_language(root, language))
    for check in CHECKS:
        problems += check(root)
    return list(dict.fromkeys(problems))


def _language(root: ET.Element, language: str) -> Iterator[str]:
    declared = root.get("lang", "")
    if not declared:
        yield "the html element names no language"
    elif language and declared != language:
        yield f"the html element says lang={declared!r}, the document is declared {language!r}"


def _text(element: ET.Element) -> str:
    """Return the start of an element's text, to find it by."""
    return " ".join("".join(element.itertext()).split())[:40]


def _headings(root: ET.Element) -> Iterator[str]:
    """Levels start at 1 and never skip one; a heading has text, which becomes its bookmark."""
    level = 0
    for element in root.iter():
        match = HEADING.fullmatch(element.tag) if isinstance(element.tag, str) else None
        if not match:
            continue
        rank, text = int(match[1]), _text(element)
        if not text:
            yield f"an empty h{rank}"
        if rank > level + 1:
            after = f"h{level}" if level else "nothing"
            yield f'heading level skipped: h{rank} "{text}" after {after}'
        level = rank


def _tables(root: ET.Element) -> Iterator[str]:
    """Rows have equally many columns once spans are counted; headers are named and scoped."""
    for table in root.iter("table"):
        place = f'the table "{_text(table)}"'
        rows = list(_table_rows(table))
        cells = [cell for row in rows for cell in row]
        if not any(cell.tag == "th" for cell in cells):
            yield f"{place} has no header cell"
        for cell in cells:
            for name in ("colspan", "rowspan"):
                if not SPAN.fullmatch(cell.get(name, "1")):
                    yield f"{place}: the {name} {cell.get(name, '')[:12]!r} is no number below 1000"
            if cell.tag == "th" and cell.get("scope") not in SCOPES:
                yield f'{place}: the header "{_text(cell)}" has no scope'
        widths = _widths(rows)
        if len(set(widths)) > 1:
            yield f"{place} is ragged: its rows have {sorted(set(widths))} columns"
        if len(widths) > len(rows):
            yield f"{place} has a cell that reaches below its last row"
        if table.find(".//table") is not None:
            yield f"{place} holds another table"


def _table_rows(table: ET.Element) -> Iterator[list[ET.Element]]:
    for child in table:
        if child.tag in ROW_GROUPS:
            yield from _table_rows(child)
        elif child.tag == "tr":
            yield [cell for cell in child if cell.tag in ("th", "td")]


def _span(cell: ET.Element, name: str) -> int:
    text = cell.get(name, "1")
    return max(1, int(text)) if SPAN.fullmatch(text) else 1


def _widths(rows: list[list[ET.Element]]) -> list[int]:
    """Return the number of columns in each row; a cell that spans rows counts in each.

    If one reaches below the last row, the result has more entries than there are rows.
    """
    filled = [0] * len(rows)
    for number, row in enumerate(rows):
        for cell in row:
            last = number + _span(cell, "rowspan")
            filled += [0] * (last - len(filled))
            for line in range(number, last):
                filled[line] += _span(cell, "colspan")
    return filled


def _transparency(root: ET.Element) -> Iterator[str]:
    """Yield opacity and device colors, which depend on the viewer."""
    for element in root.iter():
        styles = [element.get("style", "")]
        if element.tag in ("style", f"{SVG}style"):
            styles.append(element.text or "")
        for style in styles:
            match = OPACITY.search(style)
            if match:
                yield f"transparency or device colors in a style: {match[0].strip()}"
        if isinstance(element.tag, str) and element.tag.startswith(SVG):
            for name in TRANSPARENT:
                if element.get(name) is not None:
                    yield f"transparency in a drawing: {name}={element.get(name)!r}"


def _drawings(root: ET.Element) -> Iterator[str]:
    """Yield drawings without a title or style, or with outside references."""
    for drawing in root.iter(f"{SVG}svg"):
        title = drawing.find(f"{SVG}title")
        if title is None or not (title.text or "").strip():
            yield f'a drawing has no title: "{_text(drawing)}"'
        if drawing.find(".//*[@class]") is not None and drawing.find(f".//{SVG}style") is None:
            # The style sheet of the page does not reach into a drawing: it would print black.
            yield "a drawing uses classes but has no style"
        for part in drawing.iter():
            if part.tag in OUTSIDERS:
                yield f"a drawing holds {OUTSIDERS[part.tag]}"
            for name in REFERENCES:
                if not part.get(name, "#").startswith("#"):
                    yield f"a drawing refers to something outside itself: {part.get(name)}"


def _pictures(root: ET.Element) -> Iterator[str]:
    """A picture has alternative text; a drawing is no picture."""
    for picture in root.iter("img"):
        if not picture.get("alt", "").strip():
            yield "a picture has no alternative text"
        if picture.get("src", "").startswith("data:image/svg"):
            yield "a drawing is embedded as a picture: write it inline, so that its text is checked"


def _links(root: ET.Element) -> Iterator[str]:
    """A link has text, no block inside, and a target in the document."""
    targets = {element.get("id") for element in root.iter()}
    for link in root.iter("a"):
        target = link.get("href")
        if target is None:
            continue
        if not _text(link):
            yield f"the link to {target} has no text"
        for child in link.iter():
            if isinstance(child.tag, str) and child is not link and child.tag not in INLINE:
                yield f'the link "{_text(link)}" holds <{child.tag}>; it may hold words only'
        if target.startswith("#") and target[1:] not in targets:
            yield f"the link to {target} leads nowhere"


def _foreign(root: ET.Element) -> Iterator[str]:
    """Yield elements that act, take input or refer to other files."""
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag in FORBIDDEN:
            yield f"{FORBIDDEN[element.tag]} (<{element.tag}>)"


def _identifiers(root: ET.Element) -> Iterator[str]:
    """Yield duplicate ids; links and signature fields need unique ones."""
    seen: set[str] = set()
    for element in root.iter():
        identifier = element.get("id")
        if identifier is not None:
            if identifier in seen:
                yield f"the id {identifier!r} stands twice"
            seen.add(identifier)


CHECKS: tuple[Callable[[ET.Element], Iterator[str]], ...] = (
    _foreign,
    _headings,
    _tables,
    _drawings,
    _pictures,
    _links,
    _identifiers,
    _transparency,
)
