"""Structure of a signed PDF: its signatures, their signers, and the bytes that each covers.

A strict reader follows the cross-reference tables of a file and ignores the rest. A tolerant reader
repairs a file: it searches for objects anywhere and may show unsigned ones. Updates of a file must
therefore contain nothing that the tables do not list (`unlisted`).

The signers are read without verification, to decide what may be replaced and not what may be
trusted. A signature that cannot be read counts as one to keep.
"""

import logging
import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from pyhanko.sign.fields import enumerate_sig_fields
from pyhanko.sign.validation import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel

from certify.errors import NothingChecked, NotReadable
from certify.formatting import plain_reason
from certify.signatures.certificate import Certificate
from certify.signatures.reader import STATEMENT_ENTRY, IndexedReader
from certify.storage import SIGNED

if TYPE_CHECKING:
    from asn1crypto import cms

for _library in ("pyhanko", "pyhanko_certvalidator"):
    # the checks report the warnings of these libraries in plain words
    logging.getLogger(_library).addHandler(logging.NullHandler())

HOLE = re.compile(rb"<(?:[0-9A-F]+|[0-9a-f]+)>")
"""The gap in the signed ranges: one hexadecimal string, in one case, and nothing else."""

HEAD = re.compile(rb"\d(?:[\x00\s]|%[^\r\n]*[\r\n])+obj(?![A-Za-z])")
"""The end of an object's header, wherever a repairing reader would look for it."""

LISTED = re.compile(rb"[\x00\s]*\d+[\x00\s]+\d+[\x00\s]+obj")
START = re.compile(rb"\bstartxref\b")
TRAILER = re.compile(rb"\btrailer\b")

MARKER = b"%%EOF"
TAIL = 1 << 16
"""Bytes at the end of a file that must contain its last marker; libraries search the whole file."""

MOST = 50
"""Signatures and timestamps of a document: four people sign, and a stamp follows now and then."""

KINDS = {"/ETSI.CAdES.detached": "signature", "/ETSI.RFC3161": "timestamp"}
"""The two kinds of PAdES (ETSI EN 319 142-1, clauses 5.1 and 5.4)."""


class Damaged(Exception):
    """The file names signatures, but its structure cannot be read."""


class Irregular(Exception):
    """A signature does not cover the file exactly up to the end of its revision."""


class Signature(Struct, frozen=True, kw_only=True):
    """One signature or document timestamp.

    Attributes:
        field_name: name of its form field.
        kind: whether somebody signed, or an authority stamped the time.
        revision: number of the incremental update that brought it, from 0.
        end: length of the file up to the end of what it covers; 0 where that is unclear.
        fault: why it does not cover its revision; empty where it does.
        embedded: as pyHanko reads it.
    """

    field_name: str
    kind: Literal["signature", "timestamp"]
    revision: int
    end: int
    fault: str
    embedded: EmbeddedPdfSignature

    @property
    def certificate(self) -> Certificate:
        """The signer's certificate, as the signature carries it."""
        return Certificate.from_der(self.embedded.signer_cert.dump())

    @property
    def statement(self) -> str:
        """The text of the laboratory's statement in the signature, empty without one."""
        value = self.embedded.sig_object.get(STATEMENT_ENTRY, "")
        data = getattr(value, "original_bytes", b"?")
        return data.decode(errors="replace") if value else ""


class SignedDocument(Struct, frozen=True, kw_only=True):
    """A PDF with at least one signature, in the order in which they were made.

    Attributes:
        data: the file.
        reader: as pyHanko reads it, strictly.
        signatures: signatures and document timestamps, by revision.
        unsigned_end: length of the part before the revision of the first signature.
    """

    data: bytes
    reader: IndexedReader
    signatures: tuple[Signature, ...]
    unsigned_end: int


def read(data: bytes) -> SignedDocument:
    """Take a file apart.

    Raises:
        NotReadable: this is not a PDF, or one without signatures that cannot be read.
        NothingChecked: this is a PDF without any signature.
        Damaged: there are traces of signatures, and the structure cannot be read.
    """
    if not data.startswith(b"%PDF-"):
        raise NotReadable("The file is not a PDF.", remedy="Name a signed PDF.")
    try:
        reader = _reader(data)
        signatures = tuple(sorted(_signatures(reader), key=lambda signature: signature.revision))
        if signatures:
            return SignedDocument(
                data=data,
                reader=reader,
                signatures=signatures,
                unsigned_end=_unsigned_end(data, reader, signatures[0]),
            )
    except MemoryError:
        raise  # this says nothing about the document
    except Exception as error:  # hostile bytes make the libraries raise anything
        if b"/ByteRange" in data:
            raise Damaged(plain_reason(error)) from error
        raise NotReadable(
            f"This PDF cannot be read: {plain_reason(error)}.", remedy="Request the file again."
        ) from error
    raise NothingChecked(
        "The document has no signature, so nothing was checked.",
        remedy="Request the signed document.",
    )


def _reader(data: bytes) -> IndexedReader:
    if data.rfind(MARKER) < len(data) - TAIL:
        raise ValueError(f"nothing in its last {TAIL:,} bytes ends a revision")
    return IndexedReader(data)


def _signatures(reader: IndexedReader) -> list[Signature]:
    filled = (named for named in enumerate_sig_fields(reader) if named[1] is not None)
    fields = [*islice(filled, MOST + 1)]
    if len(fields) > MOST:
        raise ValueError(f"it has more than {MOST} signatures")
    return [_signature(EmbeddedPdfSignature(reader, field, name)) for name, _, field in fields]


def _signature(embedded: EmbeddedPdfSignature) -> Signature:
    sub_filter = str(embedded.sig_object.get("/SubFilter"))
    expected = {"signature": "/Sig", "timestamp": "/DocTimeStamp"}
    kind = KINDS.get(sub_filter)
    if kind is None or str(embedded.sig_object_type) != expected[kind]:
        raise ValueError(f"the signature in field {embedded.fq_name!r} is no PAdES signature")
    end, fault = 0, ""
    try:
        end = _covered_end(embedded)
    except Irregular as irregular:
        fault = str(irregular)
    return Signature(
        field_name=embedded.fq_name,
        kind="signature" if kind == "signature" else "timestamp",
        revision=embedded.signed_revision,
        end=end,
        fault=fault,
        embedded=embedded,
    )


def _covered_end(embedded: EmbeddedPdfSignature) -> int:
    """Return the end of the covered part.

    Raises:
        Irregular: the part is not the file up to the end of exactly this revision.
    """
    data = embedded.reader.stream.getvalue()
    numbers = [int(number) for number in embedded.byte_range]
    if len(numbers) != 4 or numbers[0] != 0 or min(numbers) < 0:  # noqa: PLR2004 - two ranges
        raise Irregular("the ranges of bytes that it covers are irregular")
    _, gap_start, gap_end, rest = numbers
    end = gap_end + rest
    if end > len(data):
        raise Irregular("it claims more bytes than the file has")
    hole = data[gap_start:gap_end]
    if not HOLE.fullmatch(hole) or bytes.fromhex(hole[1:-1].decode()) != embedded.pkcs7_content:
        raise Irregular("the gap in what it covers holds something else than the signature")
    if not data[:end].rstrip(b"\r\n").endswith(MARKER):
        raise Irregular("it does not end where a revision of the file ends")
    if embedded.evaluate_signature_coverage() < SignatureCoverageLevel.ENTIRE_REVISION:
        raise Irregular("it does not cover its whole revision")
    return end


def _unsigned_end(data: bytes, reader: IndexedReader, first: Signature) -> int:
    """Find where the last revision before the first signature ends, its line end included."""
    if first.revision == 0:
        raise ValueError("the first signature is not an update of an unsigned document")
    table = reader.xrefs.get_startxref_for_revision(first.revision - 1)
    end = data.index(MARKER, table) + len(MARKER)
    line_end = re.compile(rb"\r\n|\n|\r").match(data, end)
    return line_end.end() if line_end else end


def iter_unlisted(document: SignedDocument) -> Iterator[str]:
    """Yield contents after the unsigned part that are in no table of the file."""
    data, begin = document.data, document.unsigned_end
    listed = {
        head.end() for place in _places(document) if (head := LISTED.match(data, place)) is not None
    }
    loose = sum(head.end() not in listed for head in HEAD.finditer(data, begin))
    if loose:
        yield f"{loose} objects are in none of its tables"
    updates = document.reader.xrefs.total_revisions - document.signatures[0].revision
    starts = sum(1 for _ in START.finditer(data, begin))
    if starts != updates or sum(1 for _ in TRAILER.finditer(data, begin)) > updates:
        yield f"it has {updates} updates and {starts} ends of updates"


def _places(document: SignedDocument) -> Iterator[int]:
    """Yield the start of the updates' objects, according to the tables."""
    xrefs = document.reader.xrefs
    for revision in range(document.signatures[0].revision, xrefs.total_revisions):
        yield xrefs.get_startxref_for_revision(revision)
        for reference in xrefs.explicit_refs_in_revision(revision):
            place = xrefs.get_historical_ref(reference, revision)
            if isinstance(place, int):
                yield place


_contents = re.compile(rb"/Contents\s*<([0-9A-Fa-f\s]*)>").finditer

_TIMESTAMP = "tst_info"


def signers(pdf: bytes) -> tuple[Certificate | None, ...]:
    """Return the certificate of each signature, None for one that cannot be read.

    Timestamps of the whole document are left out: nobody signs with them.
    """
    number = pdf.count(SIGNED)
    if not number:
        return ()
    read = list(_signatures_signers(pdf))
    unread = [None] * max(number - len(read), 0)
    return (*(signer for signer, timestamp in read if not timestamp), *unread)


def _signatures_signers(pdf: bytes) -> Iterator[tuple[Certificate | None, bool]]:
    """Yield the signer of each signature that can be read, and whether it is a timestamp."""
    from asn1crypto import cms

    for match in _contents(pdf):
        try:
            signed = cms.ContentInfo.load(bytes.fromhex(match[1].decode("ascii")))["content"]
            kind = signed["encap_content_info"]["content_type"].native
            (signer,) = signed["signer_infos"]
        except (ValueError, TypeError, KeyError):
            continue
        yield _certificate(signed, signer["sid"]), kind == _TIMESTAMP


def _certificate(signed: "cms.SignedData", sid: "cms.SignerIdentifier") -> Certificate | None:
    """Return the certificate that a signature names, if it comes with it and can be read."""
    if sid.name != "issuer_and_serial_number":
        return None
    issuer, serial = sid.chosen["issuer"].dump(), sid.chosen["serial_number"].native
    for choice in signed["certificates"]:
        certificate = choice.chosen
        if choice.name != "certificate" or certificate.serial_number != serial:
            continue
        if certificate.issuer.dump() == issuer:
            try:
                return Certificate.from_der(certificate.dump())
            except NotReadable:
                return None
    return None
