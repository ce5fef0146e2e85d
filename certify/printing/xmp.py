"""The metadata packet: one ``rdf:RDF`` that declares PDF/A-3a and PDF/UA-1.

Source: ISO 19005-3, 6.6.4 and 6.6.2.3; ISO 14289-1, clause 5.
"""

import uuid
from string import Template
from xml.sax.saxutils import escape

from certify.printing.untyped import Entry

# A blank line parts what may stand alone: a part is left out where one of its names has no value.
# The extension schema describes `pdfuaid:part`, which PDF/A does not know by itself.
PACKET = """\
<rdf:RDF xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:pdf="http://ns.adobe.com/pdf/1.3/" \
xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" \
xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" \
xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" \
xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" \
xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">
  <rdf:Description rdf:about="">
    <pdfaid:part>3</pdfaid:part>
    <pdfaid:conformance>A</pdfaid:conformance>
    <pdfuaid:part>1</pdfuaid:part>
    <pdf:Producer>$producer</pdf:Producer>
    <xmp:CreatorTool>$generator</xmp:CreatorTool>
    <xmp:CreateDate>$created</xmp:CreateDate>
    <xmp:ModifyDate>$modified</xmp:ModifyDate>
    <xmp:MetadataDate>$modified</xmp:MetadataDate>
    <xmpMM:DocumentID>$uuid</xmpMM:DocumentID>

    <pdf:Keywords>$keywords</pdf:Keywords>

    <dc:title>
      <rdf:Alt>
        <rdf:li xml:lang="x-default">$title</rdf:li>
      </rdf:Alt>
    </dc:title>
    <dc:language>
      <rdf:Bag>
        <rdf:li>$language</rdf:li>
      </rdf:Bag>
    </dc:language>
    <dc:identifier>$identifier</dc:identifier>

    <dc:creator>
      <rdf:Seq>
        <rdf:li>$creator</rdf:li>
      </rdf:Seq>
    </dc:creator>

    <dc:description>
      <rdf:Alt>
        <rdf:li xml:lang="x-default">$description</rdf:li>
      </rdf:Alt>
    </dc:description>

    <pdfaExtension:schemas>
      <rdf:Bag>
        <rdf:li rdf:parseType="Resource">
          <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
          <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
          <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
          <pdfaSchema:property>
            <rdf:Seq>
              <rdf:li rdf:parseType="Resource">
                <pdfaProperty:name>part</pdfaProperty:name>
                <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
                <pdfaProperty:category>internal</pdfaProperty:category>
                <pdfaProperty:description>Part of the PDF/UA standard that the document \
conforms to</pdfaProperty:description>
              </rdf:li>
            </rdf:Seq>
          </pdfaSchema:property>
        </rdf:li>
      </rdf:Bag>
    </pdfaExtension:schemas>
  </rdf:Description>
</rdf:RDF>"""


def packet(metadata: Entry, document_id: str, producer: str) -> bytes:
    """Return the packet of a document.

    Args:
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
    parts = [Template(part) for part in PACKET.split("\n\n")]
    escaped = {name: escape(value) for name, value in values.items() if value}
    whole = (part for part in parts if escaped.keys() >= {*part.get_identifiers()})
    return "\n".join(part.substitute(escaped) for part in whole).encode()
