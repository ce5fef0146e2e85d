"""Revisions written byte by byte, as somebody does who obeys no library."""

import hashlib
import re
import zlib
from asyncio import run
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from asn1crypto import algos, tsp

from certify.signatures.identity import FileKey
from certify.signatures.pades import file_signer

from .conftest import World

FIRST_NEW = 500
"""Object numbers from here on are used by no document of these tests."""

ROOM = 16_000
"""Hexadecimal digits that a signature may take."""


def last_table(data: bytes) -> int:
    return int(re.findall(rb"startxref\s+(\d+)", data)[-1])


def entry(data: bytes, name: bytes) -> bytes:
    values = re.findall(rb"/" + name + rb" (\d+ \d+ R|\[\s*<[^]]*\])", data)
    last: bytes = values[-1]
    return last


def find_body(data: bytes, number: int) -> bytes:
    bodies = re.findall(rb"(?:^|[\r\n])%d 0 obj\s*(.*?)\s*endobj" % number, data, re.DOTALL)
    last: bytes = bodies[-1]
    return last


def compress(data: bytes, entries: bytes = b"") -> bytes:
    content = zlib.compress(data, 9)
    head = b"<</Filter /FlateDecode /Length %d %b>>" % (len(content), entries)
    return head + b"\nstream\n" + content + b"\nendstream"


def trailer(data: bytes, entries: Mapping[bytes, bytes], largest: int = 0) -> bytes:
    sizes = [int(size) for size in re.findall(rb"/Size (\d+)[ \n>]+/?[A-Z>]", data)]
    own = {
        b"Root": entry(data, b"Root"),
        b"Info": entry(data, b"Info"),
        b"ID": entry(data, b"ID"),
        b"Prev": b"%d" % last_table(data),
        b"Size": b"%d" % max(*sizes, largest + 1),
    }
    return b" ".join(b"/%b %b" % item for item in (own | dict(entries)).items() if item[1])


def update(
    data: bytes,
    objects: Mapping[int, bytes],
    *,
    at: Mapping[int, int] | None = None,
    between: bytes = b"",
    end: bytes = b"%%EOF\n",
    **entries: bytes,
) -> bytes:
    """Return the file with one more revision and a table.

    Args:
        data: the file.
        objects: what the revision holds, by number.
        at: offsets of further objects that stand in the file already.
        between: bytes that stand before the table and in none.
        end: what the revision ends with.
        entries: of the trailer, beside or instead of those of the last one; empty to leave out.
    """
    out, places = bytearray(data), dict(at or {})
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    out += between
    start = len(out)
    out += b"xref\n"
    if not places:
        out += b"0 1\n0000000000 65535 f \n"
    for number, place in sorted(places.items()):
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    named = {name.encode(): value for name, value in entries.items()}
    out += b"trailer\n<<%b>>\nstartxref\n%d\n" % (
        trailer(data, named, max(places, default=0)),
        start,
    )
    return bytes(out + end)


def update_by_streams(data: bytes, objects: Mapping[int, bytes]) -> bytes:
    holder, table = FIRST_NEW + 400, FIRST_NEW + 401
    index, content = b"", b""
    for number, body in objects.items():
        index += b"%d %d " % (number, len(content))
        content += body + b"\n"
    head = b"/Type /ObjStm /N %d /First %d" % (len(objects), len(index))
    out = bytearray(data)
    rows = {
        number: b"\x02" + holder.to_bytes(4) + place.to_bytes(2)
        for place, number in enumerate(objects)
    }
    rows[holder] = b"\x01" + len(out).to_bytes(4) + bytes(2)
    out += b"%d 0 obj\n%b\nendobj\n" % (holder, compress(index + content, head))
    start = len(out)
    rows[table] = b"\x01" + start.to_bytes(4) + bytes(2)
    numbers = sorted(rows)
    sections = b" ".join(b"%d 1" % number for number in numbers)
    own = b"/Type /XRef /W [1 4 2] /Index [%b] %b" % (sections, trailer(data, {}, table))
    body = compress(b"".join(rows[number] for number in numbers), own)
    out += b"%d 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (table, body, start)
    return bytes(out)


def add_timestamp(data: bytes, world: World, *, form: int, page: int) -> bytes:
    field, value = FIRST_NEW + 490, FIRST_NEW + 491
    reference = b" %d 0 R" % field
    objects = {
        form: _longer(find_body(data, form), b"Fields", reference),
        page: _longer(find_body(data, page), b"Annots", reference),
        field: b"<</Type /Annot /Subtype /Widget /FT /Sig /T (Stamp) /F 132 /Rect [0 0 0 0] "
        b"/P %d 0 R /V %d 0 R>>" % (page, value),
    }
    head = b"/Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161"

    def token(digest: bytes) -> bytes:
        imprint = {
            "hash_algorithm": algos.DigestAlgorithm({"algorithm": "sha256"}),
            "hashed_message": digest,
        }
        asked = {"version": "v1", "message_imprint": imprint, "cert_req": True}
        _, answer = world.answer("/tsa/tsa", tsp.TimeStampReq(asked).dump())
        stamp: bytes = tsp.TimeStampResp.load(answer)["time_stamp_token"].dump()
        return stamp

    return _covered(data, objects, value, head, token)


def countersign(data: bytes, world: World, *, field: int) -> bytes:
    """Return the file with a field filled by the signature of a reviewer who has a trusted key."""
    value = FIRST_NEW + 491
    filled = find_body(data, field).rstrip()[:-2] + b"/V %d 0 R>>" % value
    now = datetime.now(UTC)
    head = (
        b"/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /M (D:%bZ)"
        % f"{now:%Y%m%d%H%M%S}".encode()
    )
    identity = world.identity("reviewer")
    assert isinstance(identity.key, FileKey)
    signer = file_signer(identity, identity.key)

    def container(digest: bytes) -> bytes:
        signed: bytes = run(signer.async_sign(digest, "sha256", use_pades=True)).dump()
        return signed

    return _covered(data, {field: filled}, value, head, container)


def _longer(body: bytes, name: bytes, reference: bytes) -> bytes:
    return re.sub(rb"(/" + name + rb"\s*\[[^\]]*)\]", rb"\1" + reference + b"]", body, count=1)


def _covered(
    data: bytes,
    objects: Mapping[int, bytes],
    value: int,
    head: bytes,
    seal: Callable[[bytes], bytes],
) -> bytes:
    gap, ranges = b"<" + b"0" * ROOM + b">", b"[0 %010d %010d %010d]"
    body = b"<<%b /Contents %b /ByteRange %b>>" % (head, gap, ranges % (0, 0, 0))
    out = update(data, {**objects, value: body})
    start = out.index(gap, len(data))
    end = start + len(gap)
    out = out.replace(ranges % (0, 0, 0), ranges % (start, end, len(out) - end))
    digest = hashlib.sha256(out[:start] + out[end:]).digest()
    sealed = seal(digest).hex().encode().ljust(ROOM, b"0")
    return out[: start + 1] + sealed + out[end - 1 :]
