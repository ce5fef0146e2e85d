"""Identities that sign: a certificate, its chain, and its key in an archive or on a token."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pkcs11
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12
from pkcs11 import Attribute, KeyType, ObjectClass
from pyhanko.config.pkcs11 import TokenCriteria
from pyhanko.sign.pkcs11 import open_pkcs11_session

from certify.errors import NotConfigured
from certify.model.approval import Signatory
from certify.signatures.certificate import Certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKey:
    """A private key in a PKCS#12 file that was opened: its bytes and its password."""

    data: bytes = field(repr=False)
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenKey:
    """A private key that never leaves its PKCS#11 token."""

    module: Path
    token: str
    label: str
    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Somebody who can sign.

    Attributes:
        certificate: the signer's own certificate.
        chain: further certificates that came with it, up to a root where they do.
        key: where the private key is.
        stated: what its holder states beside what the certificate does.
    """

    certificate: Certificate
    chain: tuple[Certificate, ...] = ()
    key: FileKey | TokenKey
    stated: Signatory = field(default_factory=Signatory)

    def __post_init__(self) -> None:
        """Refuse what the certificate contradicts.

        Raises:
            NotConfigured: the holder states another name, title or company than the certificate.
        """
        stated = asdict(self.stated)
        for part, certified in asdict(self.certificate.subject).items():
            if None not in (certified, stated[part]) and certified != stated[part]:
                raise NotConfigured(
                    f"The {part} is stated as {stated[part]!r}, and the certificate has "
                    f"{certified!r}.",
                    remedy="State it as the certificate does, or leave it out.",
                )

    @property
    def name(self) -> str:
        """The certificate's common name."""
        return self.certificate.common_name

    @property
    def signatory(self) -> Signatory:
        """Who signs, as the visible signature says it: what is stated, and what is certified."""
        certified = {
            part: words for part, words in asdict(self.certificate.subject).items() if words
        }
        return replace(self.stated, **certified)

    @property
    def development(self) -> bool:
        """Say whether documents signed with this identity are drafts."""
        return self.certificate.development


RSA_BITS = 3072
"""128-bit strength (NIST SP 800-57 part 1, table 2); P-256 would make the file claim PDF 2.0."""

UNUSED = (
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
    "encipher_only",
    "decipher_only",
)


def make(*, common_name: str, today: date, password: str) -> tuple[bytes, Certificate]:
    """Make an RSA key and a self-signed certificate for it.

    The certificate holds from the day before ``today``, so that it does in every time zone, for
    one year.

    Returns:
        The PKCS#12 archive, encrypted with ``password``, and the certificate.
    """
    key = rsa.generate_private_key(public_exponent=65537, key_size=RSA_BITS)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])
    midnight = datetime.combine(today, time(), UTC)
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=True, **dict.fromkeys(UNUSED, False)
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(midnight - timedelta(days=1))
        .not_valid_after(midnight + timedelta(days=365))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    archive = pkcs12.serialize_key_and_certificates(
        common_name.encode(), key, certificate, None, BestAvailableEncryption(password.encode())
    )
    return archive, Certificate.from_der(certificate.public_bytes(Encoding.DER))


def certificates_in(archive: bytes, password: str) -> tuple[Certificate, ...]:
    """Open an archive and return the certificate of its RSA key, then all others.

    Returns:
        Nothing where the archive holds no RSA key with its certificate.

    Raises:
        ValueError: the password is wrong, or this is not PKCS#12.
    """
    opened = pkcs12.load_pkcs12(archive, password.encode())
    if opened.cert is None or not isinstance(opened.key, rsa.RSAPrivateKey):
        return ()
    return tuple(
        Certificate.from_der(item.certificate.public_bytes(Encoding.DER))
        for item in (opened.cert, *opened.additional_certs)
    )


@contextmanager
def session_on(key: TokenKey) -> Iterator[pkcs11.Session]:
    """Open a session on the token, and close it afterwards.

    Raises:
        NotConfigured: the module cannot be loaded, or the token or the PIN is wrong.
    """
    try:
        session = open_pkcs11_session(
            str(key.module), token_criteria=TokenCriteria(label=key.token), user_pin=key.pin
        )
    except pkcs11.exceptions.PinIncorrect as error:
        raise NotConfigured(
            f"The PIN of the token {key.token!r} is wrong.",
            remedy="Check the PIN; most tokens lock themselves after a few wrong ones.",
        ) from error
    except (pkcs11.PKCS11Error, RuntimeError, OSError) as error:
        raise NotConfigured(
            f"The token {key.token!r} cannot be opened through {key.module}: "
            f"{error or type(error).__name__}.",
            remedy="Check the path of the PKCS#11 module, the token's label, and that it is there.",
        ) from error
    try:
        yield session
    finally:
        session.close()


def certificates_on(key: TokenKey) -> tuple[Certificate, tuple[Certificate, ...]]:
    """Return the certificate that carries the key's label, and the others on the token.

    Raises:
        NotConfigured: the token cannot be opened, or holds no such certificate or no such key.
    """
    with session_on(key) as session:
        own: list[Certificate] = []
        others: list[Certificate] = []
        for item in session.get_objects({Attribute.CLASS: ObjectClass.CERTIFICATE}):
            mine = item[Attribute.LABEL] == key.label
            (own if mine else others).append(Certificate.from_der(item[Attribute.VALUE]))
        keys = list(
            session.get_objects(
                {
                    Attribute.CLASS: ObjectClass.PRIVATE_KEY,
                    Attribute.LABEL: key.label,
                    Attribute.KEY_TYPE: KeyType.RSA,
                }
            )
        )
    if len(own) != 1 or len(keys) != 1:
        raise NotConfigured(
            f"The token {key.token!r} does not hold exactly one RSA key and one certificate "
            f"labelled {key.label!r}.",
            remedy="List the token's objects with pkcs11-tool, and name the label of the key.",
        )
    return own[0], tuple(others)
