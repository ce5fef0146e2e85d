"""Files made to be read without end: each function makes one of a signed file.

They are revisions behind the signature, as anybody can write them who has the file.
"""

import re
import zlib
from collections.abc import Callable, Mapping

from certify.signatures.verify import LARGEST

from .raw_update import FIRST_NEW, compress, entry, find_body, last_table, update

Hostile = Callable[[bytes], bytes]
HOSTILE: dict[str, Hostile] = {}


def hostile(made: Hostile) -> Hostile:
    HOSTILE[made.__name__.replace("_", "-")] = made
    return made


def _catalog(signed: bytes, entries: bytes) -> bytes:
    number = int(entry(signed, b"Root").split()[0])
    return update(signed, {number: find_body(signed, number).rstrip()[:-2] + entries + b">>"})


@hostile
def zeros(signed: bytes) -> bytes:
    return signed + bytes(LARGEST - len(signed))


@hostile
def per_cents(signed: bytes) -> bytes:
    return signed + b"%" * (LARGEST - len(signed))


@hostile
def fifty_megabytes(signed: bytes) -> bytes:
    return signed + bytes(50_000_000)


@hostile
def long_name(signed: bytes) -> bytes:
    return _catalog(signed, b"/" + b"A" * 10_000_000 + b" 1")


@hostile
def deep_lists(signed: bytes) -> bytes:
    return _catalog(signed, b"/Deep " + b"[" * 1_000_000 + b"]" * 1_000_000)


@hostile
def deep_dictionaries(signed: bytes) -> bytes:
    return _catalog(signed, b"/Deep " + b"<</A" * 1_000_000 + b" 1" + b">>" * 1_000_000)


@hostile
def pages_within_themselves(signed: bytes) -> bytes:
    number = int(entry(signed, b"Pages").split()[0])
    kids = b"%d 0 R " % number
    return update(signed, {number: b"<</Type /Pages /Count 1000000000 /Kids [%b]>>" % (kids * 9)})


@hostile
def many_revisions(signed: bytes) -> bytes:
    out, root, previous = bytearray(signed), entry(signed, b"Root"), last_table(signed)
    for _ in range(20_000):
        start = len(out)
        out += b"xref\n0 0\ntrailer\n<</Size 9001 /Root %b /Prev %d>>\n" % (root, previous)
        out += b"startxref\n%d\n%%%%EOF\n" % start
        previous = start
    return bytes(out)


@hostile
def tables_in_a_circle(signed: bytes) -> bytes:
    unknown = b"%010d" % 0
    first = update(signed, {}, Prev=unknown)
    second = update(first, {})
    return second.replace(b"/Prev " + unknown, b"/Prev %010d" % last_table(second))


@hostile
def many_objects(signed: bytes) -> bytes:
    return update(signed, dict.fromkeys(range(FIRST_NEW, FIRST_NEW + 300_000), b"1"))


@hostile
def zero_width_table(signed: bytes) -> bytes:
    """Return a cross-reference stream whose entries have no width, for two thousand million."""
    own = b"/Type /XRef /W [0 0 0] /Size 2000000000 /Index [0 2000000000] /Root %b /Prev %d"
    body = compress(b"", own % (entry(signed, b"Root"), last_table(signed)))
    out = signed + b"%d 0 obj\n%b\nendobj\n" % (FIRST_NEW, body)
    return out + b"startxref\n%d\n%%%%EOF\n" % len(signed)


@hostile
def unfolding_object_stream(signed: bytes) -> bytes:
    number = int(entry(signed, b"Root").split()[0])
    return _in_object_streams(signed, {number: b"%d 0 " % number}, mebibytes=2048)


@hostile
def unfolding_object_streams(signed: bytes) -> bytes:
    """Return the objects of the form, each in an object stream just under the limit of one."""
    root = int(entry(signed, b"Root").split()[0])
    form = int(re.findall(rb"/AcroForm (\d+) 0 R", signed)[-1])
    fields = re.findall(rb"/Fields\s*\[([^\]]*)\]", find_body(signed, form))[-1]
    numbers = [root, form, *map(int, re.findall(rb"(\d+) 0 R", fields))]
    index = {number: b"%d 0 %b " % (number, find_body(signed, number)) for number in numbers}
    return _in_object_streams(signed, index, mebibytes=60)


def _in_object_streams(signed: bytes, contents: Mapping[int, bytes], mebibytes: int) -> bytes:
    out, rows = bytearray(signed), dict[int, bytes]()
    for holder, (number, content) in enumerate(contents.items(), FIRST_NEW):
        rows[number] = b"\x02" + holder.to_bytes(4) + bytes(2)
        rows[holder] = b"\x01" + len(out).to_bytes(4) + bytes(2)
        first = len(b"%d 0 " % number)
        body = unfolding(mebibytes, b"/Type /ObjStm /N 1 /First %d" % first, content)
        out += b"%d 0 obj\n%b\nendobj\n" % (holder, body)
    start, table = len(out), FIRST_NEW + len(contents)
    rows[table] = b"\x01" + start.to_bytes(4) + bytes(2)
    own = b"/Type /XRef /W [1 4 2] /Index [%b] /Size %d /Root %b /Prev %d" % (
        b" ".join(b"%d 1" % number for number in sorted(rows)),
        table + 1, entry(signed, b"Root"), last_table(signed),
    )  # fmt: skip
    body = compress(b"".join(rows[number] for number in sorted(rows)), own)
    out += b"%d 0 obj\n%b\nendobj\n" % (table, body)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def unfolding(mebibytes: int, entries: bytes, begin: bytes = b"") -> bytes:
    """Return a stream that begins so and unfolds to blanks: some kilobytes for each 60 MiB."""
    stream = zlib.compressobj(9)
    content = stream.compress(begin) + stream.flush(zlib.Z_FULL_FLUSH)
    block = stream.compress(b" " * (1 << 20)) + stream.flush(zlib.Z_FULL_FLUSH)
    content += block * mebibytes
    head = b"<</Filter /FlateDecode /Length %d %b>>" % (len(content), entries)
    return head + b"\nstream\n" + content + b"\nendstream"


@hostile
def huge_attachment(signed: bytes) -> bytes:
    number = int(re.findall(rb"/EF\s*<<\s*/F (\d+)", signed)[-1])
    return update(signed, {number: unfolding(2048, b"/Type /EmbeddedFile")})


@hostile
def shared_signature(signed: bytes) -> bytes:
    value = re.findall(rb"/V (\d+ 0 R)", signed)[0]
    form_number, form = re.findall(rb"(\d+) 0 obj\s*(<<[^>]*/Fields[^>]*>>)", signed)[-1]
    fields = {
        FIRST_NEW + number: b"<</FT /Sig /T (S%d) /V %b>>" % (number, value)
        for number in range(3000)
    }
    kids = b" ".join(b"%d 0 R" % number for number in fields)
    grown = re.sub(rb"(/Fields\s*\[[^\]]*)\]", rb"\1 " + kids + b"]", form)
    return update(signed, {int(form_number): grown, **fields})
