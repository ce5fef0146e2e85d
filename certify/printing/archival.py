"""Archival form: metadata that declares PDF/A-3a and PDF/UA-1 once, and the finishing touches.

Runs in the printing process; every function works on the objects of WeasyPrint and pydyf just
before the file is written. The tags are mended in `certify.printing.tags`, the signature
fields are placed by `certify.printing.signature_fields`.
"""

import base64
import datetime as dt
import hashlib
import uuid
from dataclasses import dataclass
from typing import IO
from xml.etree import ElementTree as ET

import certify
from certify.printing import signature_fields, tags
from certify.printing.untyped import Document, Entry, File, Renderer

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DC = "http://purl.org/dc/elements/1.1/"
XMP = "http://ns.adobe.com/xap/1.0/"
XMP_MM = "http://ns.adobe.com/xap/1.0/mm/"
PDF = "http://ns.adobe.com/pdf/1.3/"
PDFA_ID = "http://www.aiim.org/pdfa/ns/id/"
PDFUA_ID = "http://www.aiim.org/pdfua/ns/id/"
EXTENSION = "http://www.aiim.org/pdfa/ns/extension/"
SCHEMA = "http://www.aiim.org/pdfa/ns/schema#"
PROPERTY = "http://www.aiim.org/pdfa/ns/property#"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
PREFIXES = {
    "rdf": RDF,
    "dc": DC,
    "xmp": XMP,
    "xmpMM": XMP_MM,
    "pdf": PDF,
    "pdfaid": PDFA_ID,
    "pdfuaid": PDFUA_ID,
    "pdfaExtension": EXTENSION,
    "pdfaSchema": SCHEMA,
    "pdfaProperty": PROPERTY,
}
REGULAR = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the caller declares about the document; nothing else dates or names the file.

    Attributes:
        title: title of the document.
        language: BCP 47 tag.
        document_id: identifier that the file identifier is derived from.
        moment: the revision date as a moment in UTC.
        attachments: name, base64 data, relationship, description and media type of each file.
    """

    title: str
    language: str
    document_id: str
    moment: dt.datetime
    attachments: tuple[dict[str, str], ...]


def write(weasyprint: Renderer, document: Document, declared: Declared, output: IO[bytes]) -> None:
    """Write the laid-out document with our metadata, attachments, tags and signature fields."""
    metadata = document.metadata
    metadata.title, metadata.lang = declared.title, declared.language
    metadata.created = metadata.modified = declared.moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    metadata.generator = f"certify {certify.__version__}"
    metadata.attachments = []
    producer = f"WeasyPrint {weasyprint.VERSION}"
    metadata.generate_rdf_metadata = lambda *_: rdf_metadata(metadata, declared, producer)

    def finish(document: Document, pdf: File) -> None:
        relate_attachments(pdf, declared)
        present(pdf)
        tags.mend(document, pdf, recorded)
        signature_fields.place(document, pdf, recorded)

    identifier = hashlib.sha256(declared.document_id.encode()).hexdigest()[:32]
    with tags.recording() as recorded:
        document.write_pdf(
            output,
            finisher=finish,
            pdf_variant="pdf/a-3a",
            pdf_identifier=identifier.encode("ascii"),
            attachments=[_embedded(weasyprint, file, declared) for file in declared.attachments],
        )


def _embedded(weasyprint: Renderer, file: dict[str, str], declared: Declared) -> Entry:
    return weasyprint.Attachment(
        string=base64.b64decode(file["data"]),
        name=file["name"],
        description=file["description"],
        created=declared.moment,
        modified=declared.moment,
        relationship=file["relationship"],
    )


def rdf_metadata(metadata: Entry, declared: Declared, producer: str) -> bytes:
    """Return one ``rdf:RDF`` that declares both standards and describes the extension schema.

    Source: ISO 19005-3, 6.6.4 and 6.6.2.3; ISO 14289-1, clause 5.
    """
    for prefix, name in PREFIXES.items():
        ET.register_namespace(prefix, name)
    rdf = ET.Element(f"{{{RDF}}}RDF")
    about = ET.SubElement(rdf, f"{{{RDF}}}Description", {f"{{{RDF}}}about": ""})
    simple = {
        f"{{{PDFA_ID}}}part": "3",
        f"{{{PDFA_ID}}}conformance": "A",
        f"{{{PDFUA_ID}}}part": "1",
        f"{{{PDF}}}Producer": producer,
        f"{{{XMP}}}CreatorTool": metadata.generator,
        f"{{{XMP}}}CreateDate": metadata.created,
        f"{{{XMP}}}ModifyDate": metadata.modified,
        f"{{{XMP}}}MetadataDate": metadata.modified,
        f"{{{XMP_MM}}}DocumentID": f"uuid:{uuid.uuid5(uuid.NAMESPACE_URL, declared.document_id)}",
    }
    if metadata.keywords:
        simple[f"{{{PDF}}}Keywords"] = ", ".join(metadata.keywords)
    for tag, text in simple.items():
        ET.SubElement(about, tag).text = text
    _items(about, f"{{{DC}}}title", "Alt", (declared.title,))
    _items(about, f"{{{DC}}}language", "Bag", (declared.language,))
    _items(about, f"{{{DC}}}identifier", "", (declared.document_id,))
    _items(about, f"{{{DC}}}creator", "Seq", tuple(metadata.authors))
    if metadata.description:
        _items(about, f"{{{DC}}}description", "Alt", (metadata.description,))
    _extension_schema(about)
    ET.indent(rdf)
    packet: bytes = ET.tostring(rdf, encoding="utf-8")
    return packet


def _items(about: ET.Element, tag: str, container: str, texts: tuple[str, ...]) -> None:
    """Add a property with its values in an RDF container, or plainly without one."""
    if not texts:
        return
    holder = ET.SubElement(about, tag)
    if not container:
        holder.text = texts[0]
        return
    items = ET.SubElement(holder, f"{{{RDF}}}{container}")
    for text in texts:
        item = ET.SubElement(items, f"{{{RDF}}}li")
        item.text = text
        if container == "Alt":
            item.set(LANGUAGE, "x-default")


def _extension_schema(about: ET.Element) -> None:
    """Describe ``pdfuaid:part``, which PDF/A does not know by itself."""
    resource = {f"{{{RDF}}}parseType": "Resource"}
    schemas = ET.SubElement(ET.SubElement(about, f"{{{EXTENSION}}}schemas"), f"{{{RDF}}}Bag")
    schema = ET.SubElement(schemas, f"{{{RDF}}}li", resource)
    ET.SubElement(schema, f"{{{SCHEMA}}}schema").text = "PDF/UA identification schema"
    ET.SubElement(schema, f"{{{SCHEMA}}}namespaceURI").text = PDFUA_ID
    ET.SubElement(schema, f"{{{SCHEMA}}}prefix").text = "pdfuaid"
    properties = ET.SubElement(ET.SubElement(schema, f"{{{SCHEMA}}}property"), f"{{{RDF}}}Seq")
    part = ET.SubElement(properties, f"{{{RDF}}}li", resource)
    ET.SubElement(part, f"{{{PROPERTY}}}name").text = "part"
    ET.SubElement(part, f"{{{PROPERTY}}}valueType").text = "Integer"
    ET.SubElement(part, f"{{{PROPERTY}}}category").text = "internal"
    ET.SubElement(
        part, f"{{{PROPERTY}}}description"
    ).text = "Part of the PDF/UA standard that the document conforms to"


def relate_attachments(pdf: File, declared: Declared) -> None:
    """Name each associated file once, with the relationship and media type that was declared.

    The renderer lists every file twice, and takes relationships by content and media types from
    the machine's own database.
    """
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = list(dict.fromkeys(pdf.catalog["AF"]))
    declared_by_name = {file["name"]: file for file in declared.attachments}
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
