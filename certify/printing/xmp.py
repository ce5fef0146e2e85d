"""The metadata packet: one ``rdf:RDF`` that declares PDF/A-3a and PDF/UA-1.

Its form stands in ``templates/xmp.xml``. A blank line there parts what may stand alone: a part is
left out where one of its names has no value. The extension schema describes `pdfuaid:part`, which
PDF/A does not know by itself.

Source: ISO 19005-3, 6.6.4 and 6.6.2.3; ISO 14289-1, clause 5.
"""

import uuid
from pathlib import Path
from string import Template
from xml.sax.saxutils import escape

from certify.printing.untyped import Entry


def packet(templates: Path, metadata: Entry, document_id: str, producer: str) -> bytes:
    """Return the packet of a document.

    Args:
        templates: the folder of the templates.
        metadata: the renderer's, with what was declared already in it.
        document_id: identifier of the document.
        producer: name and version of what writes the file.
    """
    values = {
        "producer": producer,
        "generator": metadata.generator,
        "created": metadata.created,
        "modified": metadata.modified,
        "uuid": f"uuid:{uuid.uuid5(uuid.NAMESPACE_URL, document_id)}",
        "keywords": ", ".join(metadata.keywords),
        "title": metadata.title,
        "language": metadata.lang,
        "identifier": document_id,
        "creator": ", ".join(metadata.authors),
        "description": metadata.description,
    }
    form = (templates / "xmp.xml").read_text(encoding="utf-8")
    parts = [Template(part) for part in form.split("\n\n")]
    escaped = {name: escape(value) for name, value in values.items() if value}
    whole = (part for part in parts if escaped.keys() >= {*part.get_identifiers()})
    return "\n".join(part.substitute(escaped) for part in whole).encode()
