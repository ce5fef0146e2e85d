"""What one signature states or needs."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

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
    font: Path
