# mypy: disable-error-code="no-untyped-call"
# (pyHanko annotates a part of its writer only)
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pyhanko.sign.signers import PdfTimeStamper
from pyhanko.sign.timestamps import HTTPTimeStamper

from certify.errors import NotConfigured
from certify.model.approval import Role
from certify.signatures import sign as signing
from certify.signatures._reading import judge
from certify.signatures.certificate import DEVELOPMENT, Certificate
from certify.signatures.identity import FileKey, Identity
from certify.signatures.pades import QuietWriter
from certify.signatures.sign import sign
from certify.signatures.verify import SignatureVerdict

from .conftest import World


def judge_now(data: bytes, trust: tuple[Certificate, ...]) -> SignatureVerdict:
    return judge(data, trust=trust, at=datetime.now(UTC))


def find_failures(verdict: SignatureVerdict) -> set[str]:
    return {check.id for check in verdict.checks if check.required and not check.passed}


@pytest.mark.parametrize("misfit", ["server", "program", "stamper", "locksmith"])
def test_a_certificate_for_another_purpose_signs_nothing(
    misfit: str, unsigned: bytes, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = world.identity(misfit)
    with pytest.raises(NotConfigured, match="is not for signing documents"):
        sign(unsigned, identity=identity, reason="Submission", location="Reno")
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)  # as another program would
    data = sign(unsigned, identity=identity, reason="Submission", location="Reno").data
    verdict = judge_now(data, world.trust)
    assert find_failures(verdict) == {"trust"}
    assert "is not for signing documents" in str(verdict.checks)


def test_a_certificate_with_a_fit_purpose_signs(unsigned: bytes, world: World) -> None:
    mailer = world.identity("mailer")
    data = sign(unsigned, identity=mailer, reason="Submission", location="Reno").data
    assert judge_now(data, world.trust).authentic


def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _certificate(
    name: str, issuer: str, key: ec.EllipticCurvePrivateKey, by: ec.EllipticCurvePrivateKey
) -> x509.Certificate:
    now = datetime.now(UTC)
    named = [
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, item)]) for item in (name, issuer)
    ]
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=name == issuer,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    return (
        x509.CertificateBuilder()
        .subject_name(named[0])
        .issuer_name(named[1])
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=name == issuer, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .sign(by, hashes.SHA256())
    )


@pytest.mark.parametrize(("root", "accepted"), [(f"Ada {DEVELOPMENT}", False), ("Ada", True)])
def test_a_development_certificate_vouches_for_no_other_name(
    root: str, accepted: bool, unsigned: bytes
) -> None:
    anchor_key, key = _key(), _key()
    anchor = _certificate(root, root, anchor_key, anchor_key)
    leaf = _certificate("Grace Hopper", root, key, anchor_key)
    archive = serialization.pkcs12.serialize_key_and_certificates(
        b"leaf", key, leaf, [anchor], serialization.NoEncryption()
    )
    own, trusted = (
        Certificate.from_der(item.public_bytes(serialization.Encoding.DER))
        for item in (leaf, anchor)
    )
    identity = Identity(
        certificate=own, chain=(own, trusted), key=FileKey(data=archive, password="")
    )
    data = sign(unsigned, identity=identity, reason="Submission", location="Reno").data
    verdict = judge_now(data, (trusted,))
    assert verdict.authentic is accepted
    assert find_failures(verdict) == (set() if accepted else {"trust"})


def _stamped(data: bytes, world: World, field: str | None = None) -> bytes:
    stamper = PdfTimeStamper(HTTPTimeStamper(world.url), field_name=field)
    stream: BytesIO = stamper.timestamp_pdf(QuietWriter(BytesIO(data)), "sha256")
    return stream.getvalue()


def test_a_timestamp_alone_makes_nothing_authentic(unsigned: bytes, world: World) -> None:
    verdict = judge_now(_stamped(unsigned, world), world.trust)
    assert find_failures(verdict) == {"signature"}
    assert verdict.verdict == "The document has a timestamp but no signature."


def test_a_timestamp_does_not_fill_the_field_of_the_reviewer(unsigned: bytes, world: World) -> None:
    signer = world.identity("signer")
    data = sign(unsigned, identity=signer, reason="Submission", location="Reno").data
    assert "content" in find_failures(judge_now(_stamped(data, world, "Reviewer"), world.trust))


def test_two_of_one_name_are_distinguished_by_their_digests(unsigned: bytes, world: World) -> None:
    signer, namesake = (world.identity(item) for item in ("signer", "namesake"))
    digests = [item.certificate.fingerprint for item in (signer, namesake)]
    assert signer.name == namesake.name
    assert digests[0] != digests[1]
    data = sign(unsigned, identity=signer, reason="Submission", location="Reno").data
    alone = judge_now(data, world.trust)
    assert digests[0] in str(alone.checks)
    assert f"signed by {signer.name} and unchanged" in alone.verdict
    more = sign(
        data,
        identity=namesake,
        field=Role.LABORATORY.field,
        reason="Review",
        location="Reno",
        certify=False,
    ).data
    verdict = judge_now(more, world.trust)
    assert verdict.authentic
    assert [signature.fingerprint for signature in verdict.signatures] == digests
    for digest, role in zip(digests, ("preparer", "laboratory"), strict=True):
        assert f"{signer.name} (SHA-256 {digest}) as {role}" in verdict.verdict
        asked = judge(more, trust=world.trust, at=datetime.now(UTC), signer=digest)
        assert find_failures(asked) == (set() if role == "preparer" else {"signer"})
