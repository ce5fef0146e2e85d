import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from types import SimpleNamespace
from typing import Any, cast

import pikepdf
import pytest
from asn1crypto import cms
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, ObjectStreamMode
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.misc import PdfReadError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESFailure, AdESIndeterminate
from pyhanko.sign.validation import EmbeddedPdfSignature

from certify.signatures import signature_faults as faults
from certify.signatures.certificate import Certificate
from certify.signatures.document import read
from certify.signatures.reader import IndexedReader
from certify.signatures.revisions import _is_stamp
from certify.signatures.sign import sign

from .conftest import World

Said = Any
"""Any of the status objects of the libraries."""

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTES = timedelta(minutes=1)
MOMENT = timedelta(microseconds=1)


def status(certificate: Certificate, **changes: object) -> Said:
    """The libraries' report of a sound and trusted signature, apart from the changes."""
    said = {
        "intact": True,
        "valid": True,
        "md_algorithm": "sha256",
        "trusted": True,
        "trust_problem_indic": None,
        "revoked": False,
        "signing_cert": certificate.asn1(),
        "seed_value_ok": True,
        "content_timestamp_validity": None,
    }
    return cast("Said", SimpleNamespace(**(said | changes)))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        ({"md_algorithm": "sha384"}, ""),
        ({"md_algorithm": "sha512"}, ""),
        ({"md_algorithm": "sha1"}, "its digest sha1 is too weak"),
        ({"md_algorithm": "md5"}, "its digest md5 is too weak"),
        ({"valid": False}, "its cryptographic value is wrong"),
        ({"intact": False}, "what it covers was changed after it was made"),
        ({"intact": False, "valid": False}, "what it covers was changed after it was made"),
    ],
)
def test_what_is_void_is_named(changes: dict[str, Any], reason: str, world: World) -> None:
    assert faults.unsound(status(world.certificate("signer"), **changes)) == reason


def test_a_chain_that_leads_nowhere_is_named(world: World) -> None:
    signer, stranger = world.certificate("signer"), world.certificate("stranger")
    inside, after = signer.not_after, signer.not_after + MOMENT
    nowhere = AdESIndeterminate.NO_CERTIFICATE_CHAIN_FOUND
    expired = AdESIndeterminate.OUT_OF_BOUNDS_NO_POE
    other = AdESFailure.FORMAT_FAILURE

    def said(certificate: Certificate, moment: datetime, why: object, **more: object) -> str:
        distrusted = status(certificate, trusted=False, trust_problem_indic=why, **more)
        return faults.explain_untrusted(distrusted, moment)

    assert faults.explain_untrusted(status(signer), after) == ""
    name = signer.common_name
    assert said(signer, inside, nowhere) == f"no root that you trust vouches for {name!r}"
    assert said(stranger, inside, other).startswith("no root that you trust vouches for")
    does_not_hold = f"the chain of certificates of {name!r} does not hold"
    assert said(signer, inside, expired).startswith(does_not_hold)
    assert said(signer, after, other).startswith(does_not_hold)
    assert "AdES" not in said(signer, after, other)
    # That it ran out is said by `untimely`; that it is void, by `unsound`.
    assert said(signer, after, expired) == ""
    assert said(signer, inside, nowhere, intact=False) == ""
    assert said(signer, inside, nowhere, valid=False) == ""


def test_a_certificate_holds_from_its_first_moment_to_its_last(world: World) -> None:
    signer = world.certificate("signer")
    for moment, holds in (
        (signer.not_before - MOMENT, False), (signer.not_before, True),
        (signer.not_after, True), (signer.not_after + MOMENT, False),
    ):  # fmt: skip
        assert (faults.untimely(status(signer), moment) == "") == holds
    said = faults.untimely(status(signer), signer.not_after + MOMENT)
    assert f"{signer.not_before:%Y-%m-%d} to {signer.not_after:%Y-%m-%d}" in said


def test_a_clock_may_be_five_minutes_ahead() -> None:
    assert faults.late(NOW - 600 * MINUTES, NOW) == ""
    assert faults.late(NOW + 5 * MINUTES, NOW) == ""
    said = faults.late(NOW + 5 * MINUTES + MOMENT, NOW)
    assert said == "its timestamp of 2026-03-01 12:05 lies in the future"


def test_a_declared_time_lies_in_the_past_and_within_the_certificate(world: World) -> None:
    signer = replace(
        world.certificate("signer"), not_before=NOW - timedelta(1), not_after=NOW + timedelta(1)
    )
    assert faults.explain_misdated(NOW, NOW, signer) == ""
    assert faults.explain_misdated(NOW + 5 * MINUTES, NOW, signer) == ""
    late = faults.explain_misdated(NOW + 5 * MINUTES + MOMENT, NOW, signer)
    assert late == "its declared time 2026-03-01 12:05 lies in the future"
    assert faults.explain_misdated(None, NOW, signer) == "it does not state when it was made"
    nowhere = NOW.replace(tzinfo=None)
    assert faults.explain_misdated(nowhere, NOW, signer) == "it does not state when it was made"
    before = faults.explain_misdated(NOW - timedelta(1) - MOMENT, NOW, signer)
    assert before == "its certificate was not valid at the declared time 2026-02-28 11:59"


def test_purposes_are_distinguished(world: World) -> None:
    authority, mailer, signer, server = (
        world.certificate(item) for item in ("authority", "mailer", "signer", "server")
    )
    assert faults.no_authority(status(authority)) == ""
    for item in (mailer, signer):
        assert faults.no_authority(status(item)).endswith("is not a timestamp authority")
        assert faults.no_signer(status(item)) == ""
    for item in (authority, server):
        assert faults.no_signer(status(item)).endswith("is not for signing documents")


def test_a_timestamp_inside_a_signature_has_the_faults_of_a_signature(world: World) -> None:
    authority = world.certificate("authority")
    assert faults.untrusted_stamp(status(authority), NOW) == ""
    for wrong in (
        status(authority, intact=False),
        status(authority, trusted=False, trust_problem_indic=AdESFailure.FORMAT_FAILURE),
        status(world.certificate("signer")),
    ):
        assert faults.untrusted_stamp(wrong, NOW).startswith("its timestamp does not hold: ")


def attributes(*names: str) -> list[dict[str, Any]]:
    return [{"type": SimpleNamespace(native=name)} for name in names]


@pytest.mark.parametrize(
    ("signed", "unsigned", "changes", "reason"),
    [
        (["signing_certificate_v2"], None, {}, ""),
        (["signing_certificate_v2"], ["signature_time_stamp_token"], {}, ""),
        (["message_digest"], None, {}, "does not name the certificate"),
        (["signing_certificate_v2"], ["signature_time_stamp_token"] * 2, {}, "unsigned additions"),
        (["signing_certificate_v2"], ["counter_signature"], {}, "unsigned additions"),
        (["signing_certificate_v2"], None, {"seed_value_ok": False}, "carries conditions"),
        (["signing_certificate_v2"], None, {"content_timestamp_validity": 1},
         "carries conditions"),
    ],
)  # fmt: skip
def test_what_the_baseline_profile_lacks_is_named(
    signed: list[str],
    unsigned: list[str] | None,
    changes: dict[str, Any],
    reason: str,
    world: World,
) -> None:
    info = {
        "signed_attrs": attributes(*signed),
        "unsigned_attrs": None if unsigned is None else attributes(*unsigned),
    }
    signature: Any = SimpleNamespace(embedded=SimpleNamespace(signer_info=info))
    said = faults.not_pades(
        signature, status(world.certificate("signer"), **changes), len(unsigned or ())
    )
    assert bool(said) == bool(reason)
    assert reason in said


def carrying(content: cms.ContentInfo, tail: bytes = bytes(40)) -> EmbeddedPdfSignature:
    """A signature whose container is this one."""
    signature = SimpleNamespace(
        pkcs7_content=content.dump(force=True) + tail,
        signed_data=content["content"],
        signer_info=content["content"]["signer_infos"][0],
    )
    return cast("EmbeddedPdfSignature", signature)


@pytest.fixture(scope="module")
def embedded_signature(unsigned: bytes, server_of_world: World) -> EmbeddedPdfSignature:
    data = sign(
        unsigned,
        identity=server_of_world.identity("signer"),
        reason="Submission",
        location="Reno",
        timestamp_url=server_of_world.url,
    ).data
    return read(data).signatures[0].embedded


def load_container(embedded: EmbeddedPdfSignature) -> cms.ContentInfo:
    return cms.ContentInfo.load(embedded.pkcs7_content).copy()


def test_a_container_as_it_was_made_is_regular(
    embedded_signature: EmbeddedPdfSignature, world: World
) -> None:
    assert faults.oddity(embedded_signature, world.trust) == ""
    assert faults.oddity(carrying(load_container(embedded_signature)), world.trust) == ""
    assert faults.oddity(carrying(load_container(embedded_signature), b""), world.trust) == ""


def test_bytes_behind_a_container_are_odd(
    embedded_signature: EmbeddedPdfSignature, world: World
) -> None:
    for tail in (b"\1", bytes(39) + b"\1"):
        said = faults.oddity(carrying(load_container(embedded_signature), tail), world.trust)
        assert said == "its encoding was changed"


def versions(container: cms.ContentInfo) -> None:
    container["content"]["version"] = "v3"


def version_of_signer(container: cms.ContentInfo) -> None:
    container["content"]["signer_infos"][0]["version"] = "v3"


def another_digest(container: cms.ContentInfo) -> None:
    container["content"]["digest_algorithms"] = [{"algorithm": "sha512"}]


def two_digests(container: cms.ContentInfo) -> None:
    listed = container["content"]["digest_algorithms"][0].native
    container["content"]["digest_algorithms"] = [listed, {"algorithm": "sha512"}]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (versions, "version"),
        (version_of_signer, "version"),
        (another_digest, "list of digests"),
        (two_digests, "list of digests"),
    ],
)
def test_what_a_container_repeats_is_compared(
    change: Callable[[cms.ContentInfo], None],
    reason: str,
    embedded_signature: EmbeddedPdfSignature,
    world: World,
) -> None:
    container = load_container(embedded_signature)
    change(container)
    said = faults.oddity(carrying(container), world.trust)
    assert reason in said


def add_certificate(
    embedded: EmbeddedPdfSignature, certificate: Certificate
) -> EmbeddedPdfSignature:
    container = load_container(embedded)
    container["content"]["certificates"].append(
        cms.CertificateChoices(name="certificate", value=certificate.asn1())
    )
    return carrying(container)


def test_a_spare_certificate_needs_an_issuer_in_sight(
    embedded_signature: EmbeddedPdfSignature, world: World
) -> None:
    stranger, reviewer = world.certificate("stranger"), world.certificate("reviewer")
    assert faults.oddity(add_certificate(embedded_signature, reviewer), world.trust) == ""
    # One that is signed by itself is its own issuer; without the root nobody vouches for another.
    assert faults.oddity(add_certificate(embedded_signature, stranger), world.trust) == ""
    flipped = bytearray(reviewer.der)
    flipped[-1] ^= 1
    said = faults.oddity(
        add_certificate(embedded_signature, replace(reviewer, der=bytes(flipped))), world.trust
    )
    assert said == "it carries a certificate that nothing vouches for ('TEST ONLY Reviewer')"


def test_what_the_libraries_log_does_not_reach_the_terminal() -> None:
    for library in ("pyhanko", "pyhanko_certvalidator"):
        kinds = [type(handler) for handler in logging.getLogger(library).handlers]
        assert logging.NullHandler in kinds


@pytest.mark.parametrize(
    ("changes", "invisible"),
    [
        ({}, True),
        ({"/Rect": Array([3, 4, 3, 4])}, True),
        ({"/Rect": Array([0, 0, 595, 0])}, True),
        ({"/Rect": Array([0, 0, 0, 842])}, True),
        ({"/Rect": Array([0, 0, 595, 842])}, False),
        ({"/Rect": Array([0, 0, 0])}, False),
        ({"/Rect": Array([])}, False),
        ({"/FT": Name.Tx}, False),
        ({"/V": Dictionary(Type=Name.Sig)}, False),
        ({"/V": Dictionary()}, False),
        ({"/AP": Dictionary()}, False),
    ],
)
def test_only_a_field_that_shows_nothing_is_that_of_a_timestamp(
    changes: dict[str, pikepdf.Object], *, invisible: bool
) -> None:
    stamp = Dictionary(FT=Name.Sig, Rect=Array([0, 0, 0, 0]), V=Dictionary(Type=Name.DocTimeStamp))
    for key, value in changes.items():
        stamp[key] = value
    assert _is_stamp(stamp) == invisible
    assert not _is_stamp(Array([stamp]))


# Object streams: the fast reader agrees with pyHanko and refuses faulty ones


@pytest.fixture(scope="module")
def data(unsigned: bytes) -> bytes:
    """The small document with its objects in streams that can be read by eye."""
    with pikepdf.open(BytesIO(unsigned)) as pdf:
        pdf.Root.Mark = pdf.make_indirect(pikepdf.String("abc"))
        stream = BytesIO()
        pdf.save(
            stream,
            object_stream_mode=ObjectStreamMode.generate,
            compress_streams=False,
            stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
        )
    return stream.getvalue()


def find_streams(reader: PdfFileReader) -> dict[int, tuple[int, int]]:
    numbers = range(1, int(reader.trailer["/Size"]))
    entries = {number: reader.xrefs[generic.Reference(number, 0)] for number in numbers}
    return {
        number: (entry.obj_stream_id, entry.ix_in_stream)
        for number, entry in entries.items()
        if hasattr(entry, "obj_stream_id")
    }


def write_object(found: generic.PdfObject) -> bytes:
    stream = BytesIO()
    found.write_to_stream(stream)
    return stream.getvalue()


def test_every_object_is_read_as_the_library_reads_it(data: bytes) -> None:
    quick, slow = IndexedReader(data), PdfFileReader(BytesIO(data))
    places = find_streams(quick)
    assert len(places) > 5
    for number, (stream, place) in places.items():
        expected = slow.get_object(generic.Reference(number, 0, slow))
        assert write_object(quick._get_object_from_stream(number, stream, place)) == write_object(
            expected
        )
    assert set(quick._object_streams) == {stream for stream, _ in places.values()}


def test_an_object_that_is_elsewhere_is_refused(data: bytes) -> None:
    reader = IndexedReader(data)
    places = find_streams(reader)
    number, (stream, place) = next(iter(places.items()))
    last = max(at for _, at in places.values())
    for wrong, at in (
        (number + 1, place), (number, place + 1), (number, -1), (number, last + 1),
    ):  # fmt: skip
        with pytest.raises(PdfReadError, match=f"object {wrong} is not where"):
            reader._get_object_from_stream(wrong, stream, at)


def test_what_is_no_object_stream_is_refused(data: bytes) -> None:
    reader = IndexedReader(data)
    content = reader.root["/Pages"]["/Kids"][0].raw_get("/Contents").idnum
    for number in (next(iter(find_streams(reader))), content):
        with pytest.raises(PdfReadError, match=f"object {number} is not an object stream"):
            reader._open_object_stream(number)


def test_an_index_of_another_length_is_refused(data: bytes) -> None:
    def fewer(number: re.Match[bytes]) -> bytes:
        return b"/N %0*d" % (len(number[1]), int(number[1]) - 1)

    broken = re.sub(rb"/N (\d+)", fewer, data)
    assert broken != data
    with pytest.raises(PdfReadError, match="the index of object stream"):
        IndexedReader(broken).get_object(  # type: ignore[no-untyped-call]
            generic.Reference(next(iter(find_streams(IndexedReader(data)))), 0)
        )


def test_a_reference_has_no_place_in_an_object_stream(data: bytes) -> None:
    assert data.count(b"(abc)") == 1
    mark = IndexedReader(data).root.raw_get("/Mark").idnum
    reader = IndexedReader(data.replace(b"(abc)", b"1 0 R"))
    with pytest.raises(PdfReadError, match=f"object {mark} has no place in an object stream"):
        reader._get_object_from_stream(mark, *find_streams(reader)[mark])
