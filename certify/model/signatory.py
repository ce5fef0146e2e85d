"""Who signs a document, and which of its signature fields is for whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatory:
    """Who signs: the person, the title and company they sign with, the license of either.

    None is not stated.
    """

    name: str | None = None
    title: str | None = None
    company: str | None = None
    licence: str | None = None


class Role(StrEnum):
    """What somebody signs a document as; each role has a field of its own."""

    PREPARER = "preparer"
    """Signs first, and certifies the document."""

    LABORATORY = "laboratory"
    APPROVER = "approver"
    """For the regulator or for the operator."""

    REVIEWER = "reviewer"
    """The second signature of documents that have one field for it, as the first edition's had."""

    @property
    def field(self) -> str:
        """The name of the signature field."""
        return "Signature" if self is Role.PREPARER else self.value.capitalize()


ROLES = {role.field: role for role in Role}
"""What somebody signs as, by the name of the field."""

NOBODY: Mapping[Role, str] = MappingProxyType({})
"""Nobody in particular has to have signed in any role."""
