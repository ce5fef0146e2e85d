"""X.509 certificates: owner, validity, fingerprint, and reading from PEM."""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from certify.errors import NotConfigured, NotReadable
from certify.formatting import join_words, one_line, plain_reason
from certify.model.approval import Signatory

if TYPE_CHECKING:
    from asn1crypto import x509 as asn1

PURPOSES = frozenset(
    {
        "1.3.6.1.5.5.7.3.36",  # document signing (RFC 9336)
        "1.3.6.1.5.5.7.3.4",  # protection of mail, which signs content for people to read
        "1.3.6.1.4.1.311.10.3.12",  # document signing, Microsoft
        "1.2.840.113583.1.1.5",  # authentic documents, Adobe
    }
)
"""Extended key usages of which a signer's certificate needs one, if it names any."""

LEAST_RSA_BITS = 2048
"""112-bit strength, the least that is acceptable (NIST SP 800-131A Rev. 2, table 2)."""

DIGESTS = frozenset({"sha256", "sha384", "sha512"})
"""Digests that a signature may use."""

ALPHABETS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL")
"""First words of the names of letters that look like letters of another alphabet."""

DEVELOPMENT = "DEVELOPMENT KEY – NOT FOR SUBMISSION"
"""The words that the common name of every development identity holds."""


class Certificate(Struct, frozen=True, kw_only=True):
    """One certificate; two are equal when their bytes are.

    Attributes:
        der: the bytes, DER.
        common_name: the subject's first common name, or its whole name where it has none; what
            cannot be seen in names is escaped.
        issuer: the same of whoever issued it.
        title: the subject's title, or None.
        organization: the subject's organization, or None.
        fingerprint: SHA-256 of the bytes, 64 lower-case hexadecimal digits.
        not_before: first moment of validity, UTC.
        not_after: last moment of validity, UTC.
        self_signed: issuer and subject are the same, so nobody else vouches for the name.
        signs_documents: it says that its key may sign (key usage; RFC 5280, section 4.2.1.3), and
            it names no purposes at all, or one of `PURPOSES`.
    """

    der: bytes
    common_name: str
    issuer: str
    title: str | None
    organization: str | None
    fingerprint: str
    not_before: datetime
    not_after: datetime
    self_signed: bool
    signs_documents: bool

    @classmethod
    def from_der(cls, der: bytes) -> Self:
        """Read one certificate.

        Raises:
            NotReadable: the bytes are not a certificate.
        """
        from cryptography import x509

        try:
            parsed = x509.load_der_x509_certificate(der)
            subject, issuer = parsed.subject, parsed.issuer
            extensions = [extension.value for extension in parsed.extensions]
            purposes = [
                purpose.dotted_string
                for extension in extensions
                if isinstance(extension, x509.ExtendedKeyUsage)
                for purpose in extension
            ]
            may_sign = any(
                extension.digital_signature or extension.content_commitment
                for extension in extensions
                if isinstance(extension, x509.KeyUsage)
            )
        except (ValueError, x509.InvalidVersion) as error:
            raise NotReadable(
                f"This is not a certificate: {plain_reason(error)}.",
                remedy="Use a certificate in PEM format.",
            ) from error

        def part(name: x509.Name, kind: x509.ObjectIdentifier) -> str | None:
            return next(
                (one_line(str(part.value)) for part in name.get_attributes_for_oid(kind)), None
            )

        return cls(
            der=der,
            common_name=part(subject, x509.NameOID.COMMON_NAME)
            or one_line(subject.rfc4514_string()),
            issuer=part(issuer, x509.NameOID.COMMON_NAME) or one_line(issuer.rfc4514_string()),
            title=part(subject, x509.NameOID.TITLE),
            organization=part(subject, x509.NameOID.ORGANIZATION_NAME),
            fingerprint=hashlib.sha256(der).hexdigest(),
            not_before=parsed.not_valid_before_utc,
            not_after=parsed.not_valid_after_utc,
            self_signed=subject == issuer,
            signs_documents=may_sign and (not purposes or not PURPOSES.isdisjoint(purposes)),
        )

    @property
    def development(self) -> bool:
        """True for a development identity, which must not sign a submission."""
        return DEVELOPMENT in self.common_name

    @property
    def holder(self) -> str:
        """The common name without the mark of a development key."""
        return self.common_name.replace(DEVELOPMENT, "").rstrip(" –")

    @property
    def subject(self) -> Signatory:
        """The holder's details in the certificate; empty for a development certificate.

        The certificate of an organization, which is also its common name, names no person.
        """
        if self.development:
            return Signatory()
        person = None if self.common_name == self.organization else self.common_name
        return Signatory(name=person, title=self.title, company=self.organization)

    @property
    def is_vouched(self) -> bool:
        """True if another party issued it, and not for development."""
        return not (self.self_signed or self.development)

    def is_valid_at(self, moment: datetime) -> bool:
        """Return True if ``moment`` (aware) is within the certificate's validity."""
        return self.not_before <= moment <= self.not_after

    @property
    def weakness(self) -> str:
        """The reason why this certificate is too weak for a signer's chain; empty if it is not.

        The signature of a self-signed certificate proves nothing, so its digest is not checked.
        """
        from cryptography import x509
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric import dsa, rsa

        parsed = x509.load_der_x509_certificate(self.der)
        try:
            key, digest = parsed.public_key(), parsed.signature_hash_algorithm
        except (UnsupportedAlgorithm, ValueError) as error:
            return f"the key of {self.common_name!r} cannot be used ({plain_reason(error)})"
        if isinstance(key, rsa.RSAPublicKey) and key.key_size < LEAST_RSA_BITS:
            return (
                f"the RSA key of {self.common_name!r} has {key.key_size:,} bits, fewer than "
                f"{LEAST_RSA_BITS:,}"
            )
        if isinstance(key, dsa.DSAPublicKey):
            return f"the key of {self.common_name!r} is a DSA key"
        if digest is not None and digest.name not in DIGESTS and not self.self_signed:
            return f"the certificate of {self.common_name!r} is signed with {digest.name}"
        return ""

    @property
    def misnomer(self) -> str:
        """The reason why the subject's name may be read as another one; empty if it may not."""
        from cryptography import x509

        subject = x509.load_der_x509_certificate(self.der).subject
        fault = ""
        if len(subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)) > 1:
            fault = "several common names"
        elif any(str(part.value) != one_line(str(part.value)) for part in subject):
            fault = "characters that cannot be seen"
        return fault and f"the name of {self.common_name!r} has {fault}"

    @property
    def mixture(self) -> str:
        """The alphabets that the subject's names mix, such as "Latin and Cyrillic"; or empty.

        Source: UTS 39, section 5.1: letters of these alphabets look alike.
        """
        from cryptography import x509

        subject = x509.load_der_x509_certificate(self.der).subject
        letters = {letter for part in subject for letter in str(part.value) if letter.isalpha()}
        words = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
        mixed = [alphabet.capitalize() for alphabet in ALPHABETS if alphabet in words]
        return join_words(mixed) if len(mixed) > 1 else ""

    @property
    def key_sha256(self) -> bytes:
        """SHA-256 of the public key; a root that was issued again has the same."""
        return bytes(self.asn1().public_key.sha256)

    @property
    def names_revocation(self) -> bool:
        """True if it names where to look up whether it was revoked."""
        return bool(self.asn1().ocsp_urls or self.asn1().crl_distribution_points)

    def pem(self) -> bytes:
        """Return the certificate as PEM text."""
        import ssl

        return ssl.DER_cert_to_PEM_cert(self.der).encode("ascii")

    def asn1(self) -> "asn1.Certificate":
        """Return the certificate as pyHanko speaks of it."""
        from asn1crypto import x509 as asn1

        return asn1.Certificate.load(self.der)


def has_issued(issuer: Certificate, certificate: Certificate) -> bool:
    """Return True if the key of ``issuer`` signed a certificate that names it as its issuer."""
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

    try:
        signed = x509.load_der_x509_certificate(certificate.der)
        signed.verify_directly_issued_by(x509.load_der_x509_certificate(issuer.der))
    except (InvalidSignature, UnsupportedAlgorithm, TypeError, ValueError):
        return False
    return True


def find_top(certificate: Certificate, others: Sequence[Certificate]) -> Certificate:
    """Return the last certificate on the way up from one, by whom issued whom among ``known``."""
    return [certificate, *iter_issuers(certificate, others)][-1]


def iter_issuers(certificate: Certificate, others: Sequence[Certificate]) -> Iterator[Certificate]:
    """Yield the issuer of a certificate among ``known``, the issuer of that one, and so on."""
    for _ in others:
        issuers = (each for each in others if each != certificate and has_issued(each, certificate))
        issuer = next(issuers, None)
        if issuer is None:
            return
        yield issuer
        certificate = issuer


def first_weakness(chain: Iterable[Certificate]) -> str:
    """Return the reason why a chain of certificates is too weak or misnamed; empty if it is not.

    `submit`, `countersign` and `verify` all use it; nobody can sign a document that is refused
    later.
    """
    return next((fault for each in chain for fault in (each.weakness, each.misnomer) if fault), "")


def read_pem(data: bytes) -> tuple[Certificate, ...]:
    """Read every certificate of a PEM file, in its order.

    Raises:
        NotReadable: the text holds no certificate, or one that cannot be read.
        NotConfigured: the text holds a private key, which does not belong there.
    """
    from asn1crypto import pem

    if b"PRIVATE KEY-----" in data:
        raise NotConfigured(
            "This file contains a private key; a certificate was expected.",
            remedy="Use a file that contains only certificates.",
        )
    try:
        blocks = [der for kind, _, der in pem.unarmor(data, multiple=True) if kind == "CERTIFICATE"]
    except ValueError:
        blocks = []
    if not blocks:
        raise NotReadable(
            "No certificate was found in this file.",
            remedy='Use a PEM file: text that begins with "-----BEGIN CERTIFICATE-----".',
        )
    return tuple(Certificate.from_der(der) for der in blocks)
