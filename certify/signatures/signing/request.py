"""Signing requests, and the lines of a visible signature.

The sentences are in the templates, and the facts come from the identity.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from certify import library
from certify.model.approval import Role
from certify.signatures.certificate import Certificate
from certify.signatures.identities.identity import Identity

Profile = Literal["B-B", "B-T", "B-LT", "B-LTA"]
"""PAdES baseline profiles (ETSI EN 319 142-1, clause 6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningRequest:
    """Everything that one signature states or needs; see ``certify.signatures.signing.sign``."""

    identity: Identity
    field: str
    reason: str
    location: str
    moment: datetime
    timestamp_url: str | None
    profile: Profile
    certify: bool
    trust: tuple[Certificate, ...]


def reason_of(role: Role, document: str = "") -> str:
    """Return why somebody signs in a role; ``document`` is what the preparer prepared."""
    reason: str = library.words("signature")["reasons"][role]
    return reason.format(document=document)


def lines_of(request: SigningRequest) -> tuple[str, ...]:
    """Return what a visible signature says, line by line; what is not stated says so."""
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
    lines = tuple(line.format_map(stated) for line in words["lines"])
    return (words["development"], *lines) if certificate.development else lines
