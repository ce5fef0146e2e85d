# mypy: disable-error-code="no-untyped-call"
# (pyHanko annotates a part of its writer only)
"""The tamper matrix: every way to change a signed document is rejected, each by name.

Each change is made by an incremental update, as an attacker without the signer's key has to, and
then left bare, covered by a document timestamp that anybody can get from a trusted authority, or
covered by the signature of a trusted reviewer.
"""

import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from types import SimpleNamespace

import pikepdf
import pytest
from pikepdf import Array
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name, pdf_string
from pyhanko.sign.fields import MDPPerm
from pyhanko.sign.signers import PdfSigner, PdfTimeStamper
from pyhanko.sign.timestamps import HTTPTimeStamper

from certify.errors import NothingChecked, NotReadable
from certify.signatures._reading import judge
from certify.signatures.pades import QuietWriter
from certify.signatures.sign import sign
from certify.signatures.verify import embedded_files
from tests.marks import further

from .conftest import EVIDENCE, XMP, World, find_failures

Change = Callable[[QuietWriter], None]
Close = Callable[[bytes, World], bytes]


def add_page_content(writer: QuietWriter) -> None:
    stream = generic.StreamObject(stream_data=b"BT /F1 40 Tf 60 400 Td (House edge 0 %) Tj ET")
    writer.add_stream_to_page(0, writer.add_object(stream))


def swap_attachment(writer: QuietWriter) -> None:
    names = writer.root["/Names"]["/EmbeddedFiles"]
    while "/Kids" in names:
        names = names["/Kids"][0]
    stream = names["/Names"][1]["/EF"]["/F"]
    stream._data = b'{"house_edge": "0/1"}\n'
    stream._encoded_data = None
    writer.update_container(stream)


def add_attachment(writer: QuietWriter) -> None:
    names = writer.root["/Names"]["/EmbeddedFiles"]
    names["/Names"] = generic.ArrayObject()
    writer.update_container(names)


def change_title(writer: QuietWriter) -> None:
    info = writer.trailer["/Info"]
    info["/Title"] = pdf_string("Rules of Another Game")
    writer.update_container(info)


def replace_information(writer: QuietWriter) -> None:
    info = generic.DictionaryObject({pdf_name("/Title"): pdf_string("Another Game")})
    writer.set_info(writer.add_object(info))


def forge_digest(writer: QuietWriter) -> None:
    metadata = writer.root["/Metadata"]
    forged = XMP.replace(b"0123456789abcdef", b"fedcba9876543210")
    stream = generic.StreamObject(dict(metadata), stream_data=forged)
    stream.pop("/Length", None)
    stream.pop("/Filter", None)
    writer.root["/Metadata"] = writer.add_object(stream)
    writer.update_root()


def add_field(writer: QuietWriter) -> None:
    field = generic.DictionaryObject(
        {pdf_name("/FT"): pdf_name("/Tx"), pdf_name("/T"): pdf_string("Extra")}
    )
    form = writer.root["/AcroForm"]
    form["/Fields"].append(writer.add_object(field))
    writer.update_container(form["/Fields"])


CHANGES: dict[Change, str] = {
    add_page_content: "content",
    swap_attachment: "attachments",
    add_attachment: "content",
    change_title: "document-information",
    replace_information: "document-information",
    forge_digest: "metadata",
    add_field: "content",
}
"""Each change, and the check that has to name it; `attacks.py` has others."""


def bare(data: bytes, world: World) -> bytes:
    del world
    return data


def add_timestamp(data: bytes, world: World) -> bytes:
    stamper = PdfTimeStamper(HTTPTimeStamper(world.url))
    stream: BytesIO = stamper.timestamp_pdf(QuietWriter(BytesIO(data)), "sha256")
    return stream.getvalue()


def countersign(data: bytes, world: World) -> bytes:
    return sign(
        data,
        identity=world.identity("reviewer"),
        field="Reviewer",
        reason="Review",
        location="Reno",
        certify=False,
    ).data


@pytest.fixture(scope="module")
def certified_pdf(unsigned: bytes, server_of_world: World) -> bytes:
    return server_of_world.sign(unsigned)


def append_update(pdf: bytes, change: Change) -> bytes:
    writer = QuietWriter(BytesIO(pdf))
    change(writer)
    stream = BytesIO()
    writer.write(stream)
    return stream.getvalue()


@pytest.mark.parametrize("close", [bare, *further([add_timestamp, countersign])])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_by_an_update_is_rejected_and_named(
    change: Change, close: Close, certified_pdf: bytes, world: World
) -> None:
    data = close(append_update(certified_pdf, change), world)
    assert data.startswith(certified_pdf)
    verdict = world.judge(data)
    assert not verdict.authentic
    assert CHANGES[change] in find_failures(verdict)
    assert ("no-unsigned-tail" in find_failures(verdict)) == (close is bare)
    assert "changed after" in verdict.verdict
    assert embedded_files(data) == {"evidence.json": EVIDENCE}


def _flipped(data: bytes, place: int, bit: int = 0) -> bytes:
    return data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]


def _rejected(data: bytes, world: World) -> bool:
    try:
        return not world.judge(data).authentic
    except (NotReadable, NothingChecked):
        return True


@pytest.mark.parametrize(
    ("place", "offset"),
    [
        (b"%PDF-1", 5),  # the header
        (b"endstream", -5),  # a stream
        (b"Rules of Play", 3),  # the title
        (b"evidence.json", 2),  # the name of an attachment
        (b"/Contents <", 40),  # the signature, its start
        (b"/Contents <", 2000),  # the signature, its middle
        (b"00>", -100),  # the zeros that fill it up
        (b"/ByteRange [", 15),  # what it covers
        (b"/Reason (", 12),  # what it says
        (b"startxref\n", 12),  # the first table's place
    ],
)
def test_one_flipped_bit_is_rejected(
    place: bytes, offset: int, certified_pdf: bytes, world: World
) -> None:
    assert _rejected(_flipped(certified_pdf, certified_pdf.index(place) + offset), world)


def test_a_flipped_bit_in_the_last_bytes_is_rejected(certified_pdf: bytes, world: World) -> None:
    survivors = [
        (place, bit)
        for place in range(len(certified_pdf) - 12, len(certified_pdf))
        for bit in (0, 5)
        if not _rejected(_flipped(certified_pdf, place, bit), world)
    ]
    assert survivors == []


def test_the_case_of_a_name_in_the_container_is_not_free(
    certified_pdf: bytes, world: World
) -> None:
    """Names compare without case; the last but one is not covered by the signature."""
    name = b"TEST ONLY Root".hex().upper().encode()
    place = [found.start() for found in re.finditer(name, certified_pdf)][-2]
    flipped = certified_pdf[:place] + b"7" + certified_pdf[place + 1 :]  # a lower-case t
    verdict = world.judge(flipped)
    assert "intact" in find_failures(verdict)
    assert "letter by letter" in str(verdict.checks)


def test_flipped_bits_anywhere_are_rejected(certified_pdf: bytes, world: World) -> None:
    chosen = random.Random(20240501)  # noqa: S311 - a repeatable sample, not a secret
    sample = [(chosen.randrange(len(certified_pdf)), chosen.randrange(8)) for _ in range(60)]
    survivors = [
        (place, bit)
        for place, bit in sample
        if not _rejected(_flipped(certified_pdf, place, bit), world)
    ]
    assert survivors == []


@pytest.mark.parametrize("tail", [b"\n", b" ", b"%", b"\x00", b"\n%%EOF\n", b"trailing bytes"])
def test_trailing_bytes_are_rejected(tail: bytes, certified_pdf: bytes, world: World) -> None:
    verdict = world.judge(certified_pdf + tail)
    assert not verdict.authentic
    assert find_failures(verdict) & {"no-unsigned-tail", "readable"}
    assert "changed after it was signed" in verdict.verdict


def test_a_document_cut_short_is_rejected(certified_pdf: bytes, world: World) -> None:
    for length in (len(certified_pdf) - 1, len(certified_pdf) - 7, len(certified_pdf) // 2):
        assert _rejected(certified_pdf[:length], world)


def test_a_stripped_signature_leaves_nothing_to_check(
    unsigned: bytes, certified_pdf: bytes, world: World
) -> None:
    with pytest.raises(NothingChecked) as caught:
        world.judge(unsigned)
    assert caught.value.exit_code == 3

    def strip(writer: QuietWriter) -> None:
        field = writer.root["/AcroForm"]["/Fields"][0]
        del field["/V"]
        writer.update_container(field)

    with pytest.raises(NothingChecked):
        world.judge(append_update(certified_pdf, strip))


def test_what_is_no_pdf_is_not_readable(world: World) -> None:
    for data in (b"", b"hello", b"%PDF-1.7\nnothing"):
        with pytest.raises(NotReadable):
            world.judge(data)


def test_a_stranger_is_not_trusted(unsigned: bytes, world: World) -> None:
    verdict = world.judge(world.sign(unsigned, "stranger"))
    assert find_failures(verdict) == {"trust"}
    assert verdict.verdict == "The signer's certificate does not lead to a root that you trust."
    assert "no root that you trust vouches for 'TEST ONLY Stranger'" in str(verdict.checks)
    assert not verdict.proves_identity


def test_without_roots_no_signer_is_trusted(certified_pdf: bytes) -> None:
    verdict = judge(certified_pdf, trust=(), at=datetime.now(UTC))
    assert find_failures(verdict) == {"trust"}


def test_the_expected_signer_is_compared(certified_pdf: bytes, world: World) -> None:
    fingerprint = world.certificate("signer").fingerprint
    colons = ":".join(re.findall("..", fingerprint.upper()))
    for expected in ("TEST ONLY Signer", fingerprint, colons):
        assert world.judge(certified_pdf, signer=expected).authentic
    for expected in ("TEST ONLY Reviewer", "TEST ONLY", "", fingerprint[:-1]):
        verdict = world.judge(certified_pdf, signer=expected)
        assert find_failures(verdict) == {"signer"}
        assert verdict.verdict == "The document is not signed by the required signer."
        assert f"Signed by 'TEST ONLY Signer', but {expected!r} is required." in str(verdict.checks)


def test_a_reviewer_alone_is_not_the_expected_signer(unsigned: bytes, world: World) -> None:
    """The unsigned part, signed again by somebody who is trusted, is not the same document."""
    data = world.sign(unsigned, "reviewer")
    assert world.judge(data).authentic
    assert find_failures(world.judge(data, signer="TEST ONLY Signer")) == {"signer"}


def test_an_object_that_was_missing_cannot_be_supplied_later(unsigned: bytes, world: World) -> None:
    """A page that refers to nothing draws nothing, until somebody defines what it refers to."""
    with pikepdf.open(BytesIO(unsigned)) as pdf:
        pdf.pages[1].obj.Contents = Array([pdf.pages[1].obj.Contents, pdf.make_stream(b"BT ET")])
        stream = BytesIO()
        pdf.save(stream, static_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    full = stream.getvalue()
    missing = QuietWriter(BytesIO(world.sign(full))).add_object(generic.NullObject()).idnum
    pair = re.compile(rb"(/Contents \[ \d+ 0 R )(\d 0 R \]|\d\d 0 R \])")
    dangling, count = pair.subn(
        lambda found: found[1] + (b"%d 0 R]" % missing).ljust(len(found[2])), full
    )
    assert count == 1
    assert len(dangling) == len(full)
    data = world.sign(dangling)
    assert world.judge(data).authentic
    writer = QuietWriter(BytesIO(data))
    supplied = generic.StreamObject(stream_data=b"BT (House edge 0 %) Tj ET")
    assert writer.add_object(supplied).idnum == missing
    stream = BytesIO()
    writer.write(stream)
    verdict = world.judge(add_timestamp(stream.getvalue(), world))
    assert "content" in find_failures(verdict)


def test_a_number_that_is_an_object_cannot_be_rewritten(unsigned: bytes, world: World) -> None:
    writer = QuietWriter(BytesIO(unsigned))
    page, number = writer.root["/Pages"]["/Kids"][1], writer.add_object(generic.NumberObject(0))
    page["/Rotate"] = number
    writer.update_container(page)
    stream = BytesIO()
    writer.write(stream)
    data = world.sign(stream.getvalue())
    assert world.judge(data).authentic
    writer = QuietWriter(BytesIO(data))
    writer.objects[(0, number.idnum)] = generic.NumberObject(180)
    stream = BytesIO()
    writer.write(stream)
    verdict = world.judge(add_timestamp(stream.getvalue(), world))
    assert "content" in find_failures(verdict)
    assert f"object {number.idnum} was rewritten" in str(verdict.checks)


def test_a_signature_that_forbids_others_is_obeyed(unsigned: bytes, world: World) -> None:
    """A certification that permits nothing, made by another program, forbids a countersignature."""
    with pytest.MonkeyPatch.context() as patch:
        strict = SimpleNamespace(FILL_FORMS=MDPPerm.NO_CHANGES)
        patch.setattr("certify.signatures.pades.MDPPerm", strict)
        data = world.sign(unsigned)
        assert world.judge(data).authentic
        assert world.judge(add_timestamp(data, world)).authentic
        patch.setattr(PdfSigner, "_enforce_certification_constraints", lambda *_: None)
        twice = countersign(data, world)
    assert find_failures(world.judge(twice)) == {"permissions"}


def test_a_signer_cannot_show_other_pages_than_the_unsigned_part(
    unsigned: bytes, world: World
) -> None:
    """The verdict's unsigned bytes equal the visible ones: the signing revision adds nothing."""
    changed = append_update(unsigned, add_page_content)
    verdict = world.judge(world.sign(changed))
    assert verdict.authentic
    assert verdict.unsigned_bytes == changed
