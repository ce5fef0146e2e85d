"""The attack corpus: each function alters a signed file as a class of published attacks does.

The manifest in ``fixtures/attacks/`` says of each to which class it belongs, what it does, and
which check has to name it. Files are made anew, because the certificates of the tests are of today.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

import pikepdf

from .raw_update import (
    FIRST_NEW,
    compress,
    find_body,
    last_table,
    trailer,
    update,
    update_by_streams,
)

FORGED = b"BT /F1 40 Tf 60 400 Td (House edge 0 %) Tj ET"


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    root: int
    form: int
    page: int
    last_page: int
    contents: int
    signed_field: int
    empty_field: int
    signature: int
    appearance: int


def find_numbers(signed: bytes) -> Numbers:
    with pikepdf.open(BytesIO(signed)) as pdf:
        fields = {str(field.T): field for field in pdf.Root.AcroForm.Fields}
        own = fields["Signature"]
        return Numbers(
            root=pdf.Root.objgen[0],
            form=pdf.Root.AcroForm.objgen[0],
            page=pdf.pages[0].obj.objgen[0],
            last_page=pdf.pages[-1].obj.objgen[0],
            contents=_text(pdf).objgen[0],
            signed_field=own.objgen[0],
            empty_field=fields["Reviewer"].objgen[0],
            signature=own.V.objgen[0],
            appearance=own.AP.N.objgen[0],
        )


def _text(pdf: pikepdf.Pdf) -> pikepdf.Object:
    shown = pdf.pages[-1].obj.Contents
    return shown[0] if isinstance(shown, pikepdf.Array) else shown


Attack = Callable[[bytes, Numbers], bytes]
ATTACKS: dict[str, Attack] = {}


def attack(made: Attack) -> Attack:
    ATTACKS[made.__name__.replace("_", "-")] = made
    return made


def remove_entry(body: bytes, name: bytes) -> bytes:
    return re.sub(
        rb"/" + name + rb"\s*(\[[^\]]*\]|<[0-9A-Fa-f]*>|\([^)]*\)|\d+ \d+ R|/?[^\s/>]+)", b"", body
    )


def add_entries(body: bytes, entries: bytes) -> bytes:
    return body.rstrip()[:-2] + entries + b">>"


def listing(body: bytes, name: bytes, item: bytes) -> bytes:
    return re.sub(rb"(/" + name + rb"\s*\[[^\]]*)\]", rb"\1 " + item + b"]", body, count=1)


# universal signature forgery: the signature is there, and says nothing


def _resigned(signed: bytes, at: Numbers, body: bytes) -> bytes:
    return update(signed, {at.signature: body, at.contents: compress(FORGED)})


FORGERIES = {
    "without-contents": (b"Contents", b""),
    "with-null-contents": (b"Contents", b"/Contents null"),
    "with-zero-contents": (b"Contents", b"/Contents <00>"),
    "without-byte-range": (b"ByteRange", b""),
    "with-null-byte-range": (b"ByteRange", b"/ByteRange null"),
    "with-empty-ranges": (b"ByteRange", b"/ByteRange [0 0 0 0]"),
    "with-negative-ranges": (b"ByteRange", b"/ByteRange [0 -1 10 -1]"),
    "with-another-filter": (b"SubFilter", b"/SubFilter /adbe.x509.rsa_sha1"),
}
"""By name, the entry that is taken out of the signature, and what takes its place."""


def _forgery(removed: bytes, entries: bytes) -> Attack:
    def attack(signed: bytes, at: Numbers) -> bytes:
        body = remove_entry(find_body(signed, at.signature), removed)
        return _resigned(signed, at, add_entries(body, entries) if entries else body)

    return attack


ATTACKS |= {f"forgery-{name}": _forgery(*entry) for name, entry in FORGERIES.items()}


@attack
def forgery_of_the_value(signed: bytes, at: Numbers) -> bytes:
    field = remove_entry(find_body(signed, at.signed_field), b"V")
    return update(
        signed, {at.signed_field: add_entries(field, b"/V null"), at.contents: compress(FORGED)}
    )


# incremental saving: the signature stays, and a revision is put behind it


@attack
def saving_of_a_page(signed: bytes, at: Numbers) -> bytes:
    return update(signed, {at.contents: compress(FORGED)})


@attack
def saving_by_an_object_stream(signed: bytes, at: Numbers) -> bytes:
    page = re.sub(
        rb"/Contents \d+ 0 R", b"/Contents %d 0 R" % FIRST_NEW, find_body(signed, at.last_page)
    )
    added = update(signed, {FIRST_NEW: compress(FORGED)})
    return update_by_streams(added, {at.last_page: page})


@attack
def saving_with_a_hybrid_table(signed: bytes, at: Numbers) -> bytes:
    """The table of an old reader shows the signed page, its stream shows another page."""
    page = re.sub(
        rb"/Contents \d+ 0 R", b"/Contents %d 0 R" % FIRST_NEW, find_body(signed, at.last_page)
    )
    added = update(signed, {FIRST_NEW: compress(FORGED)})
    streams = update_by_streams(added, {at.last_page: page})
    return update(streams, {}, Prev=b"%d" % last_table(signed), XRefStm=b"%d" % last_table(streams))


@attack
def saving_without_a_table(signed: bytes, at: Numbers) -> bytes:
    return signed + b"%d 0 obj\n%b\nendobj\n" % (at.contents, compress(FORGED))


@attack
def saving_without_a_table_but_a_trailer(signed: bytes, at: Numbers) -> bytes:
    body = b"%d 0 obj\n%b\nendobj\n" % (at.contents, compress(FORGED))
    end = b"trailer\n<<%b>>\nstartxref\n%d\n%%%%EOF\n" % (trailer(signed, {}), last_table(signed))
    return signed + body + end


@attack
def saving_without_an_end(signed: bytes, at: Numbers) -> bytes:
    return update(signed, {at.contents: compress(FORGED)}, end=b"")


@attack
def saving_with_the_signature_copied(signed: bytes, at: Numbers) -> bytes:
    return update(
        signed,
        {at.contents: compress(FORGED), at.signature: find_body(signed, at.signature)},
    )


@attack
def saving_behind_an_own_object(signed: bytes, at: Numbers) -> bytes:
    """The table lists a harmless object and omits the forged page."""
    loose = b"%d 0 obj\n%b\nendobj\n" % (at.contents, compress(FORGED))
    return update(signed, {FIRST_NEW: b"null"}, between=loose)


@attack
def saving_of_a_loose_table(signed: bytes, at: Numbers) -> bytes:
    """The file has a whole revision that the next table does not refer to."""
    loose = update(signed, {at.contents: compress(FORGED)})
    return update(loose, {FIRST_NEW: b"null"}, Prev=b"%d" % last_table(signed))


@attack
def saving_past_the_signature(signed: bytes, at: Numbers) -> bytes:
    """The revision goes back to the table before the signature."""
    first = int(re.findall(rb"startxref\s+(\d+)", signed)[0])
    return update(signed, {at.contents: compress(FORGED)}, Prev=b"%d" % first)


@attack
def saving_of_a_second_file(signed: bytes, at: Numbers) -> bytes:
    """Another whole document with a separate table follows the first."""
    del at
    cut = re.split(rb"%%EOF\r?\n", signed)[0] + b"%%EOF\n"
    other = cut.replace(b"Rules of Play", b"Rules of Fool")
    return signed + other


@attack
def saving_of_a_second_catalogue(signed: bytes, at: Numbers) -> bytes:
    """A second catalog with different pages, and the form of the first one."""
    root, pages, page, text = range(FIRST_NEW, FIRST_NEW + 4)
    catalog = re.sub(rb"/Pages \d+ 0 R", b"/Pages %d 0 R" % pages, find_body(signed, at.root))
    return update(
        signed,
        {
            root: catalog,
            pages: b"<</Type /Pages /Count 1 /Kids [%d 0 R]>>" % page,
            page: b"<</Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents %d 0 R>>"
            % (pages, text),
            text: compress(FORGED),
        },
        Root=b"%d 0 R" % root,
    )


@attack
def saving_in_front(signed: bytes, at: Numbers) -> bytes:
    return b"%%PDF-1.7\n%d 0 obj\n%b\nendobj\n" % (at.contents, compress(FORGED)) + signed


# signature wrapping: what was signed is moved, and something else stands in its place


def _gap(signed: bytes) -> tuple[int, int, int]:
    ranges = re.findall(rb"/ByteRange \[0 (\d+) (\d+) (\d+)\]", signed)[-1]
    start, end, rest = map(int, ranges)
    return start, end, rest


@attack
def wrapping_in_the_gap(signed: bytes, at: Numbers) -> bytes:
    """Objects in the gap behind the signature replace its zeros."""
    start, end, _ = _gap(signed)
    hole = signed[start:end]
    evil = (
        b"> /X ("
        + b"%d 0 obj %b endobj" % (at.contents, b"<</Length 0>> stream endstream")
        + b") /Y <"
    )
    kept = len(hole) - len(evil) - 1
    return signed[:start] + hole[:kept] + evil + b">" + signed[end:]


@attack
def wrapping_by_a_moved_part(signed: bytes, at: Numbers) -> bytes:
    """The second part is moved to the end, a second range declares it, and objects fill the gap."""
    start, end, rest = _gap(signed)
    evil = b"\nendobj\n%d 0 obj\n%b\nendobj\n" % (at.contents, compress(FORGED))
    ranges = b" /ByteRange [0 %d %d %d]>>" % (start, end + 4000, rest)
    room = (ranges + evil).ljust(4000, b" ")
    return signed[:end] + room + signed[end:]


@attack
def wrapping_with_longer_zeros(signed: bytes, at: Numbers) -> bytes:
    """The gap grows by zeros, and the ranges with it."""
    del at
    start, end, rest = _gap(signed)
    longer = signed[: end - 1] + b"00" * 50 + signed[end - 1 :]
    stated = b"/ByteRange [0 %d %d %d]" % (start, end, rest)
    moved = b"/ByteRange [0 %d %d %d]" % (start, end + 100, rest)
    return longer.replace(stated, moved)


# evil annotations and sneaky signatures, on a document whose certification permits to fill fields


def _annotated(signed: bytes, at: Numbers, annotation: bytes) -> bytes:
    page = listing(find_body(signed, at.page), b"Annots", b"%d 0 R" % FIRST_NEW)
    return update(
        signed,
        {
            at.page: page,
            FIRST_NEW: annotation,
            FIRST_NEW + 1: compress(FORGED, b"/Type /XObject /Subtype /Form /BBox [0 0 595 842]"),
        },
    )


def _annotation(kind: bytes, more: bytes = b"") -> bytes:
    return b"<</Type /Annot /Subtype /%b /Rect [0 0 595 842] /F 4 /AP <</N %d 0 R>> %b>>" % (
        kind,
        FIRST_NEW + 1,
        more,
    )


@attack
def annotation_of_text(signed: bytes, at: Numbers) -> bytes:
    return _annotated(signed, at, _annotation(b"FreeText", b"/Contents (House edge 0 %) /DA (/F1)"))


@attack
def annotation_of_a_stamp(signed: bytes, at: Numbers) -> bytes:
    return _annotated(signed, at, _annotation(b"Stamp"))


@attack
def annotation_that_redacts(signed: bytes, at: Numbers) -> bytes:
    return _annotated(signed, at, _annotation(b"Redact"))


@attack
def annotation_on_a_page_without(signed: bytes, at: Numbers) -> bytes:
    page = add_entries(find_body(signed, at.last_page), b"/Annots [%d 0 R]" % FIRST_NEW)
    overlay = compress(FORGED, b"/Type /XObject /Subtype /Form /BBox [0 0 595 842]")
    objects = {at.last_page: page, FIRST_NEW: _annotation(b"Stamp"), FIRST_NEW + 1: overlay}
    return update(signed, objects)


@attack
def annotation_beside_a_direct_timestamp(signed: bytes, at: Numbers) -> bytes:
    """Field and annotation are direct objects of their lists: both lack a number."""
    field = b"<</FT /Sig /T (Loose) /Rect [0 0 0 0] /V <</Type /DocTimeStamp>>>>"
    form = listing(find_body(signed, at.form), b"Fields", field)
    page = listing(find_body(signed, at.page), b"Annots", _annotation(b"Stamp"))
    overlay = compress(FORGED, b"/Type /XObject /Subtype /Form /BBox [0 0 595 842]")
    return update(signed, {at.form: form, at.page: page, FIRST_NEW + 1: overlay})


@attack
def sneaky_visible_field(signed: bytes, at: Numbers) -> bytes:
    """A new signature field is drawn over the page."""
    widget = _annotation(b"Widget", b"/FT /Sig /T (Sneaky) /P %d 0 R" % at.page)
    data = _annotated(signed, at, widget)
    form = listing(find_body(data, at.form), b"Fields", b"%d 0 R" % FIRST_NEW)
    return update(data, {at.form: form})


@attack
def sneaky_appearance_of_an_empty_field(signed: bytes, at: Numbers) -> bytes:
    """A field that nobody has signed shows what looks like a signature."""
    field = add_entries(find_body(signed, at.empty_field + 1), b"/AP <</N %d 0 R>>" % FIRST_NEW)
    overlay = compress(FORGED, b"/Type /XObject /Subtype /Form /BBox [0 0 300 100]")
    return update(signed, {at.empty_field + 1: field, FIRST_NEW: overlay})


@attack
def sneaky_flags_of_an_empty_field(signed: bytes, at: Numbers) -> bytes:
    field = find_body(signed, at.empty_field + 1).replace(b"/F 4", b"/F 2")
    return update(signed, {at.empty_field + 1: field})


@attack
def sneaky_flags_of_the_signature(signed: bytes, at: Numbers) -> bytes:
    field = find_body(signed, at.signed_field).replace(b"/F 4", b"/F 2")
    return update(signed, {at.signed_field: field})


@attack
def sneaky_place_of_the_field_to_sign(signed: bytes, at: Numbers) -> bytes:
    field = remove_entry(find_body(signed, at.empty_field), b"Rect")
    return update(signed, {at.empty_field: add_entries(field, b"/Rect [0 0 595 842]")})


@attack
def sneaky_appearance_of_the_signature(signed: bytes, at: Numbers) -> bytes:
    overlay = compress(FORGED, b"/Type /XObject /Subtype /Form /BBox [0 0 300 100]")
    return update(signed, {at.appearance: overlay})


@attack
def certification_without_permissions(signed: bytes, at: Numbers) -> bytes:
    root = re.sub(rb"/Perms\s*<<.*?>>", b"", find_body(signed, at.root), flags=re.DOTALL)
    return update(signed, {at.root: root})


@attack
def certification_with_more_permissions(signed: bytes, at: Numbers) -> bytes:
    body = find_body(signed, at.signature).replace(b"/P 2", b"/P 3")
    return update(signed, {at.signature: body})


@attack
def certification_with_a_script(signed: bytes, at: Numbers) -> bytes:
    action = b"/OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>>"
    return update(signed, {at.root: add_entries(find_body(signed, at.root), action)})


@attack
def certification_with_calculated_fields(signed: bytes, at: Numbers) -> bytes:
    form = add_entries(find_body(signed, at.form), b"/NeedAppearances true")
    return update(signed, {at.form: form})
