"""Identities of signers: the certificate, its chain, and the place of the private key."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

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
