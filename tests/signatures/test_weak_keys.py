"""A key that `verify` refuses signs nothing: one policy decides for both."""

import datetime as dt
from unittest.mock import Mock

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from certify.errors import NotConfigured
from certify.signatures import sign as signing
from certify.signatures.certificate import Certificate
from certify.signatures.identity import Identity
from certify.signatures.verify import verify

from .conftest import issue_certificate, open_identity

NOW = dt.datetime.now(dt.UTC)
Chain = tuple[Identity, Certificate]


def issue(bits: int, *, issuer_bits: int = 2048, usage: bool = True) -> Chain:
    """Return a signer whose certificate a root issued, and the root."""
    root_key, key = (
        rsa.generate_private_key(public_exponent=65537, key_size=size)
        for size in (issuer_bits, bits)
    )
    subject = {NameOID.COMMON_NAME: "Root"}
    root = issue_certificate(
        root_key, root_key, issuer="Root", subject=subject, usages=["key_cert_sign"]
    )
    own = issue_certificate(
        key,
        root_key,
        issuer="Root",
        subject={NameOID.COMMON_NAME: "Signer"},
        usages=["digital_signature"] if usage else [],
    )
    identity = open_identity(key, own, root)
    return identity, identity.chain[0]


@pytest.mark.parametrize(
    ("bits", "issuer_bits", "reason"),
    [
        (1024, 2048, "the RSA key of 'Signer' has 1,024 bits"),
        (2048, 1024, "the RSA key of 'Root' has 1,024 bits"),
    ],
)
def test_a_weak_chain_neither_signs_nor_verifies(
    unsigned: bytes, monkeypatch: pytest.MonkeyPatch, bits: int, issuer_bits: int, reason: str
) -> None:
    identity, root = issue(bits, issuer_bits=issuer_bits)
    with pytest.raises(NotConfigured, match=reason) as refused:
        signing.sign(unsigned, identity=identity, reason="Test", location="Reno")
    assert "3,072 bits" in refused.value.remedy
    monkeypatch.setattr(signing, "first_weakness", lambda _: "")
    made = signing.sign(
        unsigned, identity=identity, reason="Test", location="Reno", signing_time=NOW
    )
    signed = made.data
    verdict = verify(signed, trust=(root,), at=NOW)
    assert not verdict.authentic
    assert reason in " ".join(check.detail for check in verdict.checks if not check.passed)


def test_a_certificate_without_key_usage_neither_signs_nor_verifies(
    unsigned: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity, root = issue(2048, usage=False)
    with pytest.raises(NotConfigured, match="not for signing documents"):
        signing.sign(unsigned, identity=identity, reason="Test", location="Reno")
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)
    signed = signing.sign(unsigned, identity=identity, reason="Test", location="Reno").data
    assert not verify(signed, trust=(root,), at=NOW).authentic


@pytest.mark.parametrize("digest", ["sha1", "md5"])
def test_a_certificate_with_a_broken_digest_is_weak(
    monkeypatch: pytest.MonkeyPatch, digest: str
) -> None:
    """No library here can make one, so the digest of a sound one is read as another."""
    identity, root = issue(2048)
    given = x509.load_der_x509_certificate(identity.certificate.der)
    parsed = Mock(public_key=given.public_key, signature_hash_algorithm=Mock())
    parsed.signature_hash_algorithm.name = digest
    monkeypatch.setattr(x509, "load_der_x509_certificate", lambda _: parsed)
    assert identity.certificate.weakness == f"the certificate of 'Signer' is signed with {digest}"
    assert root.weakness == ""


def test_a_key_of_2048_bits_signs_and_verifies(unsigned: bytes) -> None:
    identity, root = issue(2048)
    made = signing.sign(
        unsigned, identity=identity, reason="Test", location="Reno", signing_time=NOW
    )
    signed = made.data
    verdict = verify(signed, trust=(root,), at=NOW)
    assert verdict.authentic, [c.detail for c in verdict.checks if not c.passed]
