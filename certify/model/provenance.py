"""Origin of what a submission rests on and certify itself neither ships nor computes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class CountOrigin(StrEnum):
    """Who made a verification count."""

    BUILT_IN = "built_in"
    """It ships with certify."""

    THIS_USER = "this_user"
    """The user who submits made it: it carries the MAC of that user's store."""

    DECLARED = "declared"
    """The project declares it; nobody here has made it."""


class Change(StrEnum):
    """How a record differs from what certify ships."""

    REPLACES = "replaces"
    ADDED = "added"


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """The laboratory's letter as a file; ``data`` is None where it is embedded elsewhere."""

    name: str
    sha256: str
    data: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Origin of the records, verification counts and papers of a submission.

    Attributes:
        records: how each record differs from certify's own, by path: what replaces a record that
            certify ships, and each jurisdiction, template and schema that it does not ship.
        counts: who made each declared verification count, by its digest.
        papers: SHA-256 of each cited paper by its document id; empty where certify ships the
            record that cites it. A paper whose file is not there is left out.
        letter: the laboratory's letter, None without one.
    """

    records: Mapping[str, Change] = field(default_factory=dict)
    counts: Mapping[str, CountOrigin] = field(default_factory=dict)
    papers: Mapping[str, str] = field(default_factory=dict)
    letter: Letter | None = None

    @property
    def to_accept(self) -> tuple[str, ...]:
        """Records by which a document stays a draft unless the preparer accepts them."""
        return tuple(path for path in self.records if path.startswith(TO_ACCEPT))


TO_ACCEPT = ("paytables/jurisdictions/", "templates/", "schemas/")
"""Where the rules of a jurisdiction and the text and form of the documents are."""
