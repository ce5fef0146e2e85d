"""Identities of signers, signing requests, PKCS#11 tokens, and the lines of a visible signature.

The sentences are in the templates, and the facts come from the identity.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from certify import library
from certify.errors import NotConfigured
from certify.formatting import plain_reason
from certify.model.approval import Role, Signatory
from certify.signatures.certificate import Certificate

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
    from pkcs11 import Session


class FileKey(Struct, frozen=True, kw_only=True, dict=True):
    """A private key in a PKCS#12 file that was opened: its bytes and its password."""

    data: bytes
    password: str

    __repr__ = object.__repr__  # without secrets

    @cached_property
    def private(self) -> "PrivateKeyTypes":
        """The key itself, opened once: OpenSSL checks the primes of an RSA key each time.

        Raises:
            ValueError: the password is wrong, or this is not PKCS#12.
        """
        from cryptography.hazmat.primitives.serialization import pkcs12

        key = pkcs12.load_key_and_certificates(self.data, self.password.encode())[0]
        if key is None:
            raise ValueError("The archive has no private key.")
        return key


class TokenKey(Struct, frozen=True, kw_only=True):
    """A private key that never leaves its PKCS#11 token."""

    module: Path
    token: str
    label: str
    pin: str

    __repr__ = object.__repr__  # without secrets


class Identity(Struct, frozen=True, kw_only=True):
    """Somebody who can sign.

    Attributes:
        certificate: the signer's certificate.
        chain: further certificates that came with it, up to a root if included.
        key: location of the private key.
        stated: details declared by the holder, in addition to the certificate.
    """

    certificate: Certificate
    chain: tuple[Certificate, ...] = ()
    key: FileKey | TokenKey
    stated: Signatory = field(default_factory=Signatory)

    def __post_init__(self) -> None:
        """Refuse declared details that contradict the certificate.

        Raises:
            NotConfigured: the holder states another name, title or company than the certificate.
        """
        declared = asdict(self.stated)
        for part, certified in asdict(self.certificate.subject).items():
            if None not in (certified, declared[part]) and certified != declared[part]:
                raise NotConfigured(
                    f"The declared {part} is {declared[part]!r}, but the certificate has "
                    f"{certified!r}.",
                    remedy="Declare the value of the certificate, or remove it.",
                )

    @property
    def name(self) -> str:
        """The certificate's common name."""
        return self.certificate.common_name

    @property
    def signatory(self) -> Signatory:
        """The signer's details for the visible signature: declared and certified ones."""
        certified = {
            part: words for part, words in asdict(self.certificate.subject).items() if words
        }
        return replace(self.stated, **certified)

    def list_notices(self, *, long_term: bool) -> tuple[str, ...]:
        """Return the notice that nobody looks up whether the signer is revoked, if that is so."""
        if long_term or not self.certificate.names_revocation:
            return ()
        return (f"The revocation of {self.name!r} was not looked up: use --long-term.",)

    @property
    def development(self) -> bool:
        """True if documents signed with this identity are drafts."""
        return self.certificate.development


Profile = Literal["B-B", "B-T", "B-LT", "B-LTA"]
"""PAdES baseline profiles (ETSI EN 319 142-1, clause 6)."""


class SigningRequest(Struct, frozen=True, kw_only=True):
    """Everything that one signature states or needs; see ``certify.signatures.sign``.

    ``statement`` is the file of the laboratory's statement, empty without one, and
    ``statement_lines`` is its print.
    """

    identity: Identity
    field: str
    reason: str
    location: str
    moment: datetime
    timestamp_url: str | None
    profile: Profile
    certify: bool
    trust: tuple[Certificate, ...]
    statement: bytes = b""
    statement_lines: tuple[str, ...] = ()


def signing_reason(role: Role, document: str = "") -> str:
    """Return the signing reason of a role; ``document`` is the document that was prepared."""
    reason: str = library.words("signature")["reasons"][role]
    return reason.format(document=document)


def appearance_lines(request: SigningRequest) -> tuple[str, ...]:
    """Return the lines of a visible signature; missing details are marked.

    The laboratory's statement comes first; without one, a line says so.
    """
    words = library.words("signature")
    certificate = request.identity.certificate
    facts = asdict(request.identity.signatory) | {
        "reason": request.reason,
        "date": request.moment.strftime("%Y-%m-%d %H:%M:%S %Z").strip(),
        "clock": words["clocks"][request.profile],
        "issuer": words["self_signed"] if certificate.self_signed else certificate.issuer,
        "fingerprint": certificate.fingerprint,
    }
    words_of = {part: text or words["unstated"] for part, text in facts.items()}
    lines = [line.format_map(words_of) for line in words["lines"]]
    lines[:0] = request.statement_lines
    if request.field == Role.LABORATORY.field and not request.statement:
        lines.insert(0, words["no_statement"])
    if certificate.development:
        lines.insert(0, words["development"])
    return tuple(lines)


@contextmanager
def open_session(key: TokenKey) -> "Iterator[Session]":
    """Open a session on the token, and close it afterwards.

    Raises:
        NotConfigured: the module cannot be loaded, or the token or the PIN is wrong.
    """
    import pkcs11
    from pyhanko.config.pkcs11 import TokenCriteria
    from pyhanko.sign.pkcs11 import open_pkcs11_session

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
            f"{plain_reason(error)}.",
            remedy="Check the path of the PKCS#11 module, the token's label, and that "
            "the token is connected.",
        ) from error
    try:
        yield session
    finally:
        session.close()


def read_token(key: TokenKey) -> tuple[Certificate, tuple[Certificate, ...]]:
    """Return the certificate that carries the key's label, and the others on the token.

    Raises:
        NotConfigured: the token cannot be opened, or holds no such certificate or no such key.
    """
    from pkcs11 import Attribute, KeyType, ObjectClass

    with open_session(key) as session:
        labeled: list[Certificate] = []
        others: list[Certificate] = []
        for item in session.get_objects({Attribute.CLASS: ObjectClass.CERTIFICATE}):
            mine = item[Attribute.LABEL] == key.label
            (labeled if mine else others).append(Certificate.from_der(item[Attribute.VALUE]))
        keys = list(
            session.get_objects(
                {
                    Attribute.CLASS: ObjectClass.PRIVATE_KEY,
                    Attribute.LABEL: key.label,
                    Attribute.KEY_TYPE: KeyType.RSA,
                }
            )
        )
    if len(labeled) != 1 or len(keys) != 1:
        raise NotConfigured(
            f"The token {key.token!r} does not contain exactly one RSA key and "
            f"one certificate labeled {key.label!r}.",
            remedy="List the token's objects with pkcs11-tool, and name the label of the key.",
        )
    return labeled[0], tuple(others)
