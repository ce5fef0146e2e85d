"""Folder of keys: make, list and open identities and PKCS#12 archives, and trust roots.

The caller names the folder. For an identity ``x`` it holds ``x.p12`` (the key, encrypted),
``x.pem`` (its certificate), ``x.password`` (for development identities only),
``x.signatory.json`` (who signs, as its holder declares), and in ``roots/`` the certificates that
this user trusts.
"""

import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from msgspec import Struct

from certify.errors import NotConfigured, WrongPassword
from certify.signatures.certificate import DEVELOPMENT, Certificate, read_pem
from certify.signatures.identity import FileKey, Identity, TokenKey, read_token
from certify.storage import LONGEST_SECRET, private, read_at_most, read_private, write_atomically

PASSWORD_VARIABLE = "CERTIFY_KEY_PASSWORD"  # noqa: S105 - the variable's name, not a password
LONGEST_COMMON_NAME = 64
"""Upper bound of a common name (RFC 5280, appendix A.1, ub-common-name)."""

Ask = Callable[[str], str]
"""Shows a question on a terminal, without echo, and returns the answer."""


class StoredIdentity(Struct, frozen=True, kw_only=True):
    """An identity in the folder, not yet opened: its id, its certificate, its PKCS#12 file."""

    id: str
    certificate: Certificate
    path: Path


def init_development(directory: Path, *, name: str | None = None, today: date) -> Identity:
    """Make a one-year self-signed RSA-3072 identity for drafts, and open it.

    ``name`` is what its holder declares; without one the certificate names nobody, and least of
    all the account that ran the command. The certificate is valid from the day before ``today``,
    so that it holds in every time zone.

    Raises:
        NotConfigured: the folder lies in a git work tree, holds this identity already or cannot
            be written, or the name does not fit.
        NotPrivate: the folder is open to other users.
    """
    _refuse_work_tree(directory)
    _create(directory)
    common_name = DEVELOPMENT if name is None else _mark_development(name)
    stem = re.sub(r"[^a-z0-9]+", "-", (name or "key").lower()).strip("-") or "identity"
    path = directory / f"development-{stem}.p12"
    if path.exists():
        raise NotConfigured(
            f"{path} exists already.",
            remedy="Use that identity, choose another name, or delete the file yourself.",
        )
    password = secrets.token_urlsafe(32)
    data, certificate = make_archive(common_name=common_name, today=today, password=password)
    write_atomically(path.with_suffix(".password"), password.encode("ascii"), mode=0o600)
    write_atomically(path.with_suffix(".pem"), certificate.pem())
    # Last: without it there is no identity, and one can be made under this name.
    write_atomically(path, data, mode=0o600)
    return Identity(certificate=certificate, key=FileKey(data=data, password=password))


def _mark_development(name: str) -> str:
    """Return a common name that marks the declared name as a development identity."""
    common_name = f"{name} – {DEVELOPMENT}"
    room = LONGEST_COMMON_NAME - len(common_name) + len(name)
    if not name.strip() or not name.isprintable() or len(name) > room:
        raise NotConfigured(
            f"The name {name!r} does not fit into a certificate with the words {DEVELOPMENT!r}.",
            remedy=f"Give a name of 1 to {room} printable characters.",
        )
    return common_name


def statement(path: Path) -> Path:
    """Return the file of the signer's details for the identity at ``path``."""
    return path.with_suffix(".signatory.json")


def load(
    path: Path,
    *,
    password_file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    ask: Ask | None = None,
) -> Identity:
    """Open a PKCS#12 identity.

    The password comes from ``password_file`` (or the ``.password`` file next to the archive),
    then from the variable CERTIFY_KEY_PASSWORD, then from ``ask``.

    Raises:
        NotConfigured: the file is missing, holds no key or not an RSA key, or the password is
            missing.
        WrongPassword: the password is wrong, or the file is not PKCS#12.
        NotPrivate: other users may access the file, or that of the password.
    """
    try:
        data = read_private(path)
    except OSError as error:
        raise NotConfigured(
            f"The identity {path} cannot be read: {error.strerror}.",
            remedy="Name a PKCS#12 file (.p12 or .pfx), or create one with `certify "
            "keys init-dev`.",
        ) from error
    password_path = path.with_suffix(".password")
    file = password_file or (password_path if password_path.is_file() else None)
    password = _secret(f"Password of {path.name}: ", file, environment, ask)
    return open_archive(path, data, password)


def open_archive(path: Path, data: bytes, password: str) -> Identity:
    """Open a PKCS#12 identity from its bytes; ``path`` is named in errors.

    Raises:
        NotConfigured: it holds no RSA key with its certificate.
        WrongPassword: the password is wrong, or this is not PKCS#12.
    """
    try:
        certificates = read_certificates(data, password)
    except ValueError as error:
        raise WrongPassword(
            f"The identity {path} does not open: the password is wrong, or it is not PKCS#12.",
            remedy=f"Check the password file, or the variable {PASSWORD_VARIABLE}.",
        ) from error
    if not certificates:
        raise NotConfigured(
            f"The identity {path} contains no RSA key with its certificate.",
            remedy="Export an RSA key with its certificate, preferably of 3,072 bits.",
        )
    return Identity(
        certificate=certificates[0],
        chain=certificates[1:],
        key=FileKey(data=data, password=password),
    )


def load_token(
    *,
    module: Path,
    token: str,
    label: str,
    pin_file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    ask: Ask | None = None,
) -> Identity:
    """Open an identity on a PKCS#11 token; key and certificate carry the same label.

    The PIN comes from ``pin_file``, then from CERTIFY_KEY_PASSWORD, then from ``ask``.

    Raises:
        NotConfigured: the module cannot be loaded, or the token, the PIN or the label is wrong.
    """
    pin = _secret(f"PIN of token {token}: ", pin_file, environment, ask)
    key = TokenKey(module=module, token=token, label=label, pin=pin)
    certificate, others = read_token(key)
    return Identity(certificate=certificate, chain=others, key=key)


def identities(directory: Path) -> tuple[StoredIdentity, ...]:
    """List the PKCS#12 identities of the folder that have their certificate next to them.

    Raises:
        NotPrivate: the folder is open to other users.
    """
    private(directory, create=False)
    files = (path for path in sorted(directory.glob("*.p12")) if path.with_suffix(".pem").is_file())
    return tuple(
        StoredIdentity(
            id=path.stem,
            certificate=read_pem(read_at_most(path.with_suffix(".pem")))[0],
            path=path,
        )
        for path in files
    )


def register_root(
    directory: Path, pem: bytes, roles: Sequence[str] = ()
) -> tuple[Certificate, ...]:
    """Trust the certificates of a PEM file from now on, and return them.

    They vouch for ``roles`` only, or for every role; roles that were registered before are lost.

    Raises:
        NotReadable: there is no certificate in it.
        NotConfigured: there is a private key in it, or the folder cannot be written.
        NotPrivate: the folder is open to other users.
    """
    certificates = read_pem(pem)
    _create(directory)
    _create(directory / "roots")
    for certificate in certificates:
        remove_root(directory, certificate.fingerprint)
        for role in roles or ("",):
            _create(directory / "roots" / role)
            path = directory / "roots" / role / f"{certificate.fingerprint[:16]}.pem"
            write_atomically(path, certificate.pem())
    return certificates


def remove_root(directory: Path, fingerprint: str) -> None:
    """Trust a registered certificate no longer; nothing happens if it is not registered."""
    for path in (directory / "roots").rglob("*.pem"):
        if any(root.fingerprint == fingerprint for root in read_pem(read_at_most(path))):
            path.unlink()


def roots(directory: Path, role: str = "") -> tuple[Certificate, ...]:
    """Return whom this user trusts in every role: registered roots, own development identities.

    With ``role``, the roots that are registered for that role. Roots of the operating system are
    never among them.

    Raises:
        NotPrivate: one of the folders is open to other users, who could have added a root.
    """
    private(directory, create=False)
    private(directory / "roots", create=False)
    folder = private(directory / "roots" / role, create=False)
    registered = [
        certificate
        for path in sorted(folder.glob("*.pem"))
        for certificate in read_pem(read_at_most(path))
    ]
    if role:
        return tuple(registered)
    development = [
        stored.certificate for stored in identities(directory) if stored.certificate.development
    ]
    return tuple(dict.fromkeys(registered + development))


def _create(directory: Path) -> None:
    try:
        private(directory)
    except OSError as error:
        raise NotConfigured(
            f"Cannot write {directory}: {error.strerror}.",
            remedy="Set CERTIFY_HOME to a folder that you may write to.",
        ) from error


def _refuse_work_tree(directory: Path) -> None:
    resolved = directory.resolve()
    for folder in (resolved, *resolved.parents):
        if (folder / ".git").exists():
            raise NotConfigured(
                f"{directory} is in the git work tree {folder}, where a key could be committed.",
                remedy="Keep keys outside every repository, for example in ~/.config/certify/keys.",
            )


def _secret(
    question: str, file: Path | None, environment: Mapping[str, str], ask: Ask | None
) -> str:
    if file is not None:
        try:
            return read_private(file, LONGEST_SECRET).decode().rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise NotConfigured(
                f"The password file {file} cannot be read: {reason}.",
                remedy="Name a readable text file that contains only the password.",
            ) from error
    if PASSWORD_VARIABLE in environment:
        return environment[PASSWORD_VARIABLE]
    if ask is not None:
        return ask(question)
    raise NotConfigured(
        "The password of the signing key is missing.",
        remedy=f"Name a password file, set {PASSWORD_VARIABLE}, or run in a terminal.",
    )


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


def make_archive(*, common_name: str, today: date, password: str) -> tuple[bytes, Certificate]:
    """Make an RSA key and a self-signed certificate for it.

    The certificate holds from the day before ``today``, so that it does in every time zone, for
    one year.

    Returns:
        The PKCS#12 archive, encrypted with ``password``, and the certificate.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        pkcs12,
    )

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


def read_certificates(archive: bytes, password: str) -> tuple[Certificate, ...]:
    """Open an archive and return the certificate of its RSA key, then all others.

    Returns:
        Nothing where the archive holds no RSA key with its certificate.

    Raises:
        ValueError: the password is wrong, or this is not PKCS#12.
    """
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import Encoding, pkcs12

    opened = pkcs12.load_pkcs12(archive, password.encode())
    if opened.cert is None or not isinstance(opened.key, rsa.RSAPrivateKey):
        return ()
    return tuple(
        Certificate.from_der(item.certificate.public_bytes(Encoding.DER))
        for item in (opened.cert, *opened.additional_certs)
    )
