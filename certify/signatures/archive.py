"""PKCS#12 archives: made for development identities, opened for all."""

from datetime import UTC, date, datetime, time, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    pkcs12,
)

from certify.signatures.certificate import Certificate

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
