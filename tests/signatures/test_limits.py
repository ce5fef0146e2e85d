"""Files made to be read without end: each ends within the limits, in a plain verdict."""

import json
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from certify.errors import NotAuthentic, NotReadable
from certify.signatures.identities.identity import Identity
from certify.signatures.verifying import verify as verification
from certify.signatures.verifying.judgement import judge
from certify.signatures.verifying.verify import LARGEST, embedded_files, verify
from certify.worker import Limits

SECONDS = 6
"""The limit of the tests; the real one is three times as long and meets the same files."""

Hostile = Callable[[bytes], bytes]


def update(signed: bytes, objects: dict[int, bytes], *, size: int | None = None) -> bytes:
    """Return the file with one more revision that holds these objects."""
    previous = int(re.findall(rb"startxref\s+(\d+)", signed)[-1])
    root = re.findall(rb"/Root (\d+ \d+ R)", signed)[-1]
    out, table = bytearray(signed), []
    for number, body in objects.items():
        table.append(b"%d 1\n%010d 00000 n \n" % (number, len(out)))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    largest = size or max(objects, default=0) + 1
    out += b"xref\n" + b"".join(table)
    out += b"trailer\n<</Size %d /Root %b /Prev %d>>\n" % (largest, root, previous)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    packed = zlib.compress(data, 9)
    head = b"<</Filter /FlateDecode /Length %d %b>>" % (len(packed), entries)
    return head + b"\nstream\n" + packed + b"\nendstream"


def zeros(signed: bytes) -> bytes:
    return signed + bytes(LARGEST - len(signed))


def per_cents(signed: bytes) -> bytes:
    return signed + b"%" * (LARGEST - len(signed))


def long_name(signed: bytes) -> bytes:
    return update(signed, {9000: b"<</" + b"A" * 10_000_000 + b" 1>>"})


def many_revisions(signed: bytes) -> bytes:
    out = bytearray(signed)
    root = re.findall(rb"/Root (\d+ \d+ R)", signed)[-1]
    previous = int(re.findall(rb"startxref\s+(\d+)", signed)[-1])
    for _ in range(20_000):
        start = len(out)
        out += b"xref\n0 0\ntrailer\n<</Size 9001 /Root %b /Prev %d>>\n" % (root, previous)
        out += b"startxref\n%d\n%%%%EOF\n" % start
        previous = start
    return bytes(out)


def many_objects(signed: bytes) -> bytes:
    return update(signed, {9000 + number: b"<</A [1 2 3]>>" for number in range(200_000)})


def zero_width_table(signed: bytes) -> bytes:
    """Return a cross-reference stream whose entries have no width, for two thousand million."""
    root = re.findall(rb"/Root (\d+ \d+ R)", signed)[-1]
    entries = b"/Type /XRef /W [0 0 0] /Size 2000000000 /Index [0 2000000000] /Root " + root
    previous = int(re.findall(rb"startxref\s+(\d+)", signed)[-1])
    body = stream(b"", entries + b" /Prev %d" % previous)
    out = signed + b"9000 0 obj\n" + body + b"\nendobj\n"
    return out + b"startxref\n%d\n%%%%EOF\n" % len(signed)


def unfolding_object_stream(signed: bytes) -> bytes:
    """Return an object stream of two megabytes that unfolds to two gigabytes."""
    chunk = zlib.compressobj(9)
    packed = b"".join(chunk.compress(b" " * (1 << 20)) for _ in range(2048)) + chunk.flush()
    head = b"<</Type /ObjStm /N 1 /First 2000000000 /Filter /FlateDecode /Length %d>>" % len(packed)
    holder = head + b"\nstream\n" + packed + b"\nendstream"
    return update(signed, {9000: holder, 9001: b"9000 0 R"})


def shared_signature(signed: bytes) -> bytes:
    """Return three thousand fields that all have the value of the first signature."""
    value = re.findall(rb"/V (\d+ 0 R)", signed)[0]
    form_number, form = re.findall(rb"(\d+) 0 obj\s*(<<[^>]*/Fields[^>]*>>)", signed)[-1]
    fields = {
        9000 + number: b"<</FT /Sig /T (S%d) /V %b>>" % (number, value) for number in range(3000)
    }
    kids = b" ".join(b"%d 0 R" % number for number in fields)
    grown = re.sub(rb"(/Fields\s*\[[^\]]*)\]", rb"\1 " + kids + b"]", form)
    return update(signed, {int(form_number): grown, **fields}, size=13_000)


HOSTILE: tuple[Hostile, ...] = (
    zeros,
    per_cents,
    long_name,
    many_revisions,
    many_objects,
    zero_width_table,
    unfolding_object_stream,
    shared_signature,
)


SCRIPT = """
import json, resource, sys
from datetime import UTC, datetime
from pathlib import Path
from certify.errors import NotReadable
from certify.signatures.certificate import Certificate
from certify.signatures.verifying import verify as verification
from certify.worker import Limits

data, der, seconds = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]).read_bytes(), sys.argv[3]
verification.LIMITS = Limits(seconds=int(seconds), mebibytes=verification.LIMITS.mebibytes)
try:
    verdict = verification.verify(
        data, trust=(Certificate.from_der(der),), at=datetime.now(UTC)
    )
    said = [verdict.authentic, verdict.verdict]
except NotReadable as refused:
    said = [False, refused.message]
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
print(json.dumps([*said, peak]))
"""
"""Verifies one file in a process whose only child is the reading one, and tells its peak in MiB."""


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_hostile_file_ends_within_the_limits(
    make: Hostile, signed: bytes, development: Identity, tmp_path: Path
) -> None:
    file, certificate = tmp_path / "hostile.pdf", tmp_path / "trusted.der"
    file.write_bytes(make(signed))
    certificate.write_bytes(development.certificate.der)
    command = [sys.executable, "-c", SCRIPT, str(file), str(certificate), str(SECONDS)]
    began = time.monotonic()
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert time.monotonic() - began < SECONDS + 10
    authentic, words, peak = json.loads(ran.stdout)
    assert not authentic
    assert words.endswith(".")
    assert peak <= 512


def test_the_limit_is_named(
    signed: bytes, development: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "LIMITS", Limits(seconds=1, mebibytes=384))
    data = shared_signature(signed)
    verdict = verify(data, trust=(development.certificate,), at=datetime.now(UTC))
    assert verdict.verdict.startswith("The document is not accepted")
    assert [one.detail for one in verdict.checks] == ["Reading was stopped: it took more than 1 s."]
    with pytest.raises(NotAuthentic, match="within the limits: it took more than 1 s"):
        embedded_files(data)


def test_a_file_that_is_too_large_is_not_read(signed: bytes, development: Identity) -> None:
    with pytest.raises(NotReadable, match=f"at most {LARGEST:,} are read"):
        verify(zeros(signed) + b"0", trust=(development.certificate,), at=datetime.now(UTC))


def test_the_limited_process_gives_the_verdict_of_the_policy(
    signed: bytes, development: Identity
) -> None:
    at, trust = datetime.now(UTC), (development.certificate,)
    assert verify(signed, trust=trust, at=at) == judge(signed, trust=trust, at=at)
    assert verify(signed, trust=(), at=at) == judge(signed, trust=(), at=at)
