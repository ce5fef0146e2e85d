# mypy: disable-error-code="no-untyped-call"
# (pyHanko annotates a part of its writer only)
from datetime import UTC, datetime
from io import BytesIO

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pyhanko.sign.signers import PdfTimeStamper
from pyhanko.sign.timestamps import HTTPTimeStamper

from certify.errors import NotConfigured
from certify.model.approval import Role
from certify.signatures import sign as signing
from certify.signatures._reading import judge
from certify.signatures.certificate import DEVELOPMENT
from certify.signatures.pades import QuietWriter
from certify.signatures.sign import sign

from .conftest import World, find_failures, issue_certificate, open_identity


@pytest.mark.parametrize("misfit", ["server", "program", "stamper", "locksmith"])
def test_a_certificate_for_another_purpose_signs_nothing(
    misfit: str, unsigned: bytes, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotConfigured, match="is not for signing documents"):
        world.sign(unsigned, misfit)
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)  # as another program would
    verdict = world.judge(world.sign(unsigned, misfit))
    assert find_failures(verdict) == {"trust"}
    assert "is not for signing documents" in str(verdict.checks)


def test_a_certificate_with_a_fit_purpose_signs(unsigned: bytes, world: World) -> None:
    assert world.judge(world.sign(unsigned, "mailer")).authentic


@pytest.mark.parametrize(("root", "accepted"), [(f"Ada {DEVELOPMENT}", False), ("Ada", True)])
def test_a_development_certificate_vouches_for_no_other_name(
    root: str, accepted: bool, unsigned: bytes
) -> None:
    anchor_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    anchor = issue_certificate(
        anchor_key,
        anchor_key,
        issuer=root,
        subject={NameOID.COMMON_NAME: root},
        usages=["digital_signature", "content_commitment", "key_cert_sign"],
    )
    leaf = issue_certificate(
        key,
        anchor_key,
        issuer=root,
        subject={NameOID.COMMON_NAME: "Grace Hopper"},
        usages=["digital_signature", "content_commitment"],
    )
    identity = open_identity(key, leaf, anchor)
    data = sign(unsigned, identity=identity, reason="Submission", location="Reno").data
    verdict = judge(data, trust=identity.chain, at=datetime.now(UTC))
    assert verdict.authentic is accepted
    assert find_failures(verdict) == (set() if accepted else {"trust"})


def _stamped(data: bytes, world: World, field: str | None = None) -> bytes:
    stamper = PdfTimeStamper(HTTPTimeStamper(world.url), field_name=field)
    stream: BytesIO = stamper.timestamp_pdf(QuietWriter(BytesIO(data)), "sha256")
    return stream.getvalue()


def test_a_timestamp_alone_makes_nothing_authentic(unsigned: bytes, world: World) -> None:
    verdict = world.judge(_stamped(unsigned, world))
    assert find_failures(verdict) == {"signature"}
    assert verdict.verdict == "The document has a timestamp but no signature."


def test_a_timestamp_does_not_fill_the_field_of_the_reviewer(unsigned: bytes, world: World) -> None:
    data = _stamped(world.sign(unsigned), world, "Reviewer")
    assert "content" in find_failures(world.judge(data))


def test_two_of_one_name_are_distinguished_by_their_digests(unsigned: bytes, world: World) -> None:
    signer, namesake = (world.identity(item) for item in ("signer", "namesake"))
    digests = [item.certificate.fingerprint for item in (signer, namesake)]
    assert signer.name == namesake.name
    assert digests[0] != digests[1]
    data = world.sign(unsigned)
    alone = world.judge(data)
    assert digests[0] in str(alone.checks)
    assert f"signed by {signer.name!r} and unchanged" in alone.verdict
    more = sign(
        data,
        identity=namesake,
        field=Role.APPROVER.field,
        reason="Review",
        location="Reno",
        certify=False,
    ).data
    verdict = world.judge(more)
    assert verdict.authentic
    assert [signature.fingerprint for signature in verdict.signatures] == digests
    for digest, role in zip(digests, ("preparer", "approver"), strict=True):
        assert f"{signer.name!r} (SHA-256 {digest}) as {role}" in verdict.verdict
        asked = world.judge(more, signer=digest)
        assert find_failures(asked) == (set() if role == "preparer" else {"signer"})
