"""Identities of signers, signing requests, and the lines of a visible signature.

The sentences are in the templates, and the facts come from the identity.
"""

from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from certify import library
from certify.errors import NotConfigured
from certify.model.approval import Role, Signatory
from certify.signatures.certificate import Certificate

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes


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
        stated = asdict(self.stated)
        for part, certified in asdict(self.certificate.subject).items():
            if None not in (certified, stated[part]) and certified != stated[part]:
                raise NotConfigured(
                    f"The declared {part} is {stated[part]!r}, but the certificate has "
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
    stated = {part: text or words["unstated"] for part, text in facts.items()}
    lines = [line.format_map(stated) for line in words["lines"]]
    lines[:0] = request.statement_lines
    if request.field == Role.LABORATORY.field and not request.statement:
        lines.insert(0, words["no_statement"])
    if certificate.development:
        lines.insert(0, words["development"])
    return tuple(lines)
