"""A key that `verify` refuses signs nothing: one policy decides for both."""

import datetime as dt
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12

from certify.errors import NotConfigured
from certify.signatures import sign as signing
from certify.signatures.certificate import Certificate
from certify.signatures.identity import FileKey, Identity
from certify.signatures.verify import verify

NOW = dt.datetime.now(dt.UTC)
Chain = tuple[Identity, Certificate]
Issue = Callable[..., Chain]


@pytest.fixture(scope="module")
def issue() -> Issue:
    """Return a function that makes a signer with an issuer and returns the issuer's root too."""

    def make(bits: int, *, issuer_bits: int = 2048, usage: bool = True) -> Chain:
        root_key = rsa.generate_private_key(public_exponent=65537, key_size=issuer_bits)
        root = certificate("Root", root_key.public_key(), "Root", root_key, ca=True)
        key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
        own = certificate("Signer", key.public_key(), "Root", root_key, ca=False, usage=usage)
        secret = BestAvailableEncryption(b"secret")
        data = pkcs12.serialize_key_and_certificates(b"key", key, own, [root], secret)
        read_own, read_root = (
            Certificate.from_der(each.public_bytes(Encoding.DER)) for each in (own, root)
        )
        opened = FileKey(data=data, password="secret")  # noqa: S106 - of a test
        return Identity(certificate=read_own, chain=(read_root,), key=opened), read_root

    return make


def certificate(
    name: str,
    key: rsa.RSAPublicKey,
    issuer: str,
    issuer_key: rsa.RSAPrivateKey,
    *,
    ca: bool,
    usage: bool = True,
) -> x509.Certificate:
    subject, issued_by = (
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, each)]) for each in (name, issuer)
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issued_by)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - dt.timedelta(days=1))
        .not_valid_after(NOW + dt.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    )
    if usage:
        asked = dict.fromkeys(USAGES, False) | {
            "key_cert_sign" if ca else "digital_signature": True
        }
        made = made.add_extension(x509.KeyUsage(**asked), critical=True)
    return made.sign(issuer_key, hashes.SHA256())


USAGES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
    "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
)  # fmt: skip


WEAK: dict[str, tuple[dict[str, int], str]] = {
    "signer's key": ({"bits": 1024}, "the RSA key of Signer has 1,024 bits"),
    "issuer's key": ({"bits": 2048, "issuer_bits": 1024}, "the RSA key of Root has 1,024 bits"),
}


@pytest.mark.parametrize("name", WEAK)
def test_a_weak_chain_neither_signs_nor_verifies(
    issue: Issue, unsigned: bytes, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    given, reason = WEAK[name]
    identity, root = issue(**given)
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
    issue: Issue, unsigned: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity, root = issue(2048, usage=False)
    with pytest.raises(NotConfigured, match="not for signing documents"):
        signing.sign(unsigned, identity=identity, reason="Test", location="Reno")
    monkeypatch.setattr(signing, "_refuse_invalid", lambda *_: None)
    signed = signing.sign(unsigned, identity=identity, reason="Test", location="Reno").data
    assert not verify(signed, trust=(root,), at=NOW).authentic


@pytest.mark.parametrize("digest", ["sha1", "md5"])
def test_a_certificate_with_a_broken_digest_is_weak(
    issue: Issue, monkeypatch: pytest.MonkeyPatch, digest: str
) -> None:
    """No library here can make one, so the digest of a sound one is read as another."""
    identity, root = issue(2048)
    given = x509.load_der_x509_certificate(identity.certificate.der)
    parsed = Mock(public_key=given.public_key, signature_hash_algorithm=Mock())
    parsed.signature_hash_algorithm.name = digest
    monkeypatch.setattr(x509, "load_der_x509_certificate", lambda _: parsed)
    assert identity.certificate.weakness == f"the certificate of Signer is signed with {digest}"
    assert root.weakness == ""


def test_a_key_of_2048_bits_signs_and_verifies(issue: Issue, unsigned: bytes) -> None:
    identity, root = issue(2048)
    made = signing.sign(
        unsigned, identity=identity, reason="Test", location="Reno", signing_time=NOW
    )
    signed = made.data
    verdict = verify(signed, trust=(root,), at=NOW)
    assert verdict.authentic, [c.detail for c in verdict.checks if not c.passed]
