"""Somebody who can sign: the certificate, its chain, and where the private key is."""

from dataclasses import dataclass, field
from pathlib import Path

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
    """

    certificate: Certificate
    chain: tuple[Certificate, ...] = ()
    key: FileKey | TokenKey

    @property
    def name(self) -> str:
        """The common name that signatures show."""
        return self.certificate.common_name

    @property
    def development(self) -> bool:
        """Say whether documents signed with this identity are drafts."""
        return self.certificate.development
