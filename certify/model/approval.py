"""Applications, approvals of submissions, signers, and the statement of a laboratory."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from certify.model.paytable import Payout


class Content(StrEnum):
    """The content that certify prints under a heading of an application."""

    PARTIES = "parties"
    KIND = "kind"
    REASON = "reason"
    SUMMARY = "summary"
    ODDS = "odds"
    RULES = "rules"
    GLOSSARY = "glossary"
    FEES = "fees"
    OPTIONS = "options"
    ELSEWHERE = "elsewhere"
    SIGNATURES = "signatures"


class Heading(Struct, frozen=True, kw_only=True):
    """One heading of an application, with the items of the checklist that a filing supplies there.

    ``citation`` is the paragraph of ``rule`` that asks for it.
    """

    title: str
    content: Content | None = None
    rule: str | None = None
    citation: str | None = None
    items: tuple[str, ...] = ()


class ApplicationForm(Struct, frozen=True, kw_only=True):
    """The headings of an application, in order.

    With a ``title`` it is a document; without, the transmittal letter prints the headings. ``unit``
    is the addressee in the regulator's office. ``section`` begins the number of each proposed rule.
    """

    headings: tuple[Heading, ...]
    title: str | None = None
    unit: str | None = None
    section: str = ""

    def has(self, content: Content) -> bool:
        """Return True if a heading has a content."""
        return any(heading.content is content for heading in self.headings)


class FiledDocument(Struct, frozen=True, kw_only=True):
    """A document of a filing, or a file that goes with it, by its name and digest."""

    name: str
    sha256: str


class Supplied(Struct, frozen=True, kw_only=True):
    """An item of the checklist that the filing supplies: a statement, files, or both."""

    item: str
    statement: str | None = None
    files: tuple[FiledDocument, ...] = ()


class ApprovalStatus(StrEnum):
    """The regulator's decision on one submission."""

    APPROVED = "approved"
    PENDING = "pending"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    """Approved earlier and replaced by another approval. The entry stays in the register."""


class RegisteredDocument(FiledDocument, frozen=True, kw_only=True):
    """A document in the register, and until when it was provable by its entry, in UTC.

    ``provable_until`` is empty unless the document was signed for filing and its roots were trusted
    where the entry was made. It is that of this file: a renewed one is another file.
    ``earlier_sha256`` are its digests before each later signature, of a file that was accepted.
    """

    provable_until: str = ""
    earlier_sha256: tuple[str, ...] = ()


class ApprovedDocument(FiledDocument, frozen=True, kw_only=True):
    """A document of an approved filing, with the id and the day of the entry that names it."""

    record: str
    day: date = field(name="date")


class Correction(Struct, frozen=True, kw_only=True):
    """A correction of an entry: the corrected entry, its status until then, who, when and why."""

    entry: str
    status: ApprovalStatus
    person: str
    on: date
    reason: str


class RegisteredPaytable(Struct, frozen=True, kw_only=True):
    """A paytable or main option of an entry.

    ``content_sha256`` is the digest of its content as it was submitted, ``pays`` its odds by event,
    empty in an older entry. ``house_way`` is None if no figure depends on it.
    """

    wager: str
    paytable: str
    content_sha256: str
    pays: Mapping[str, Payout] = field(default_factory=dict)
    house_way: str | None = None


class Approval(Struct, frozen=True, kw_only=True):
    """One filing in one jurisdiction; a later status is a separate entry.

    ``filing`` is the id of the filing and ``operator`` the name of its operator. An entry without
    a filing is about one paytable. ``game_name`` is the name under which it was submitted.
    ``revision`` and ``rules_sha256`` are the revision of the filing, or else of the game, and the
    digest of the rules when the entry was made, None in an older entry. ``parts_sha256`` are
    digests of each sentence, file and term that it is about; it is empty in an older entry. Only
    the digests of the terms of a filing cover its amounts. ``conditions`` are
    those of the decision, ``effective`` its first day, ``trial_until`` the end of a field trial.
    ``superseded_by`` is the id of the entry that replaced it. ``correction``
    is there if the entry corrects another one. ``person`` made the entry at ``time`` (UTC) with
    ``version`` of certify, whose digest is ``build``; they are None in an older entry.
    """

    id: str
    game: str
    game_name: str
    jurisdiction: str
    status: ApprovalStatus
    day: date
    paytables: tuple[RegisteredPaytable, ...] = ()
    filing: str | None = None
    operator: str | None = None
    revision: str | None = None
    rules_sha256: str | None = None
    parts_sha256: Mapping[str, str] = field(default_factory=dict)
    conditions: str | None = None
    effective: date | None = None
    trial_until: date | None = None
    letter_sha256: str | None = None
    documents: tuple[RegisteredDocument, ...] = ()
    superseded_by: str | None = None
    correction: Correction | None = None
    person: str | None = None
    time: str | None = None
    version: str | None = None
    build: str | None = None

    @property
    def entered(self) -> str:
        """The entry in words: its id, its day and the version of certify that made it."""
        maker = ", made with " + (
            f"certify {self.version}" if self.version else "an unknown version"
        )
        return f"entry {self.id}, {self.day}{maker}"

    @property
    def provable_until(self) -> str:
        """The first moment at which a PDF of the entry ceases to be provable; empty if unknown."""
        pdfs = (each for each in self.documents if each.name.lower().endswith(".pdf"))
        return min((each.provable_until for each in pdfs), default="")

    @property
    def holder(self) -> str | None:
        """The operator, or else the filing: entries of one holder supersede each other."""
        return self.operator or self.filing

    @property
    def targets(self) -> tuple[str, ...]:
        """The ids of its paytables and options."""
        return tuple(f"{self.game}/{each.wager}/{each.paytable}" for each in self.paytables)

    @property
    def target(self) -> str:
        """The id that commands take: that of the filing, or else of the paytable."""
        return self.filing or self.targets[0]

    @property
    def house_way(self) -> str | None:
        """The house way on which figures of the entry depend; None if none does."""
        return next((each.house_way for each in self.paytables if each.house_way), None)

    @property
    def by_paytable(self) -> tuple["Approval", ...]:
        """The entry as one for each of its paytables."""
        return tuple(replace(self, paytables=(each,)) for each in self.paytables)


class Register(Struct, frozen=True, kw_only=True):
    """All entries in the order in which they were made. Entries are never removed."""

    approvals: tuple[Approval, ...] = ()


class FilingStanding(StrEnum):
    """The status of one paytable of a submission in the register."""

    APPROVED = "approved"
    PENDING = "pending"
    NEW = "new"
    """A new submission: no entry, or the last one was rejected or superseded."""

    CHANGED = "changed"
    """The id is approved or pending with other content: an error."""


class PaytableStanding(Struct, frozen=True, kw_only=True):
    """The status of one target, with the id and the day of the entry that decides it."""

    target: str
    standing: FilingStanding
    record: str | None = None
    day: date | None = field(default=None, name="date")

    @property
    def detail(self) -> str:
        """The standing in words."""
        match self.standing:
            case FilingStanding.NEW:
                return "a new filing"
            case FilingStanding.CHANGED:
                return f"{self.target} differs from entry {self.record} of the register."
        return f"{self.standing} since {self.day} (record {self.record})"


class Elsewhere(Struct, frozen=True, kw_only=True):
    """A decision on a game in another jurisdiction, by its name, and the wagers that it is on."""

    jurisdiction: str
    status: ApprovalStatus
    day: date = field(name="date")
    wagers: tuple[str, ...]


class Consulted(Struct, frozen=True, kw_only=True):
    """The part of an approval register that concerns one submission; the rest is not embedded.

    Attributes:
        sha256: digest of the register's file.
        records: the number of its entries.
        last: day of its latest entry; None without entries.
        other_names: number of names of other games that are approved or pending in the
            jurisdiction.
        namesakes: those names that are also this game's.
        standings: the status of each submitted option and paytable.
        approved: the approved document with which the redline compares the submission; None
            without a redline.
        elsewhere: the entries on its wagers in other jurisdictions, if its application lists them.
    """

    sha256: str
    records: int
    last: date | None
    other_names: int
    namesakes: tuple[str, ...]
    standings: tuple[PaytableStanding, ...]
    approved: ApprovedDocument | None = None
    elsewhere: tuple[Elsewhere, ...] = ()


class Signatory(Struct, frozen=True, kw_only=True):
    """Name, title, company and license of a signer; None if not declared."""

    name: str | None = None
    title: str | None = None
    company: str | None = None
    licence: str | None = None


class Role(StrEnum):
    """The role of a signer; each role has a separate signature field."""

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


class RootRole(StrEnum):
    """A role that a trusted root is limited to; `TIME` is that of timestamp authorities."""

    PREPARER = "preparer"
    LABORATORY = "laboratory"
    APPROVER = "approver"
    TIME = "time"


ROLES = {role.field: role for role in Role}
"""Roles by the name of their signature field."""

NOBODY: Mapping[Role, str] = MappingProxyType({})
"""Nobody in particular has to have signed in any role."""


class Examination(Struct, frozen=True, kw_only=True):
    """Targets examined by one method, or not examined for one reason.

    ``program`` has the name and the version of the program that was used, and perhaps the SHA-256
    of its code.
    """

    targets: tuple[str, ...]
    method: str = ""
    program: Mapping[str, str] | None = None
    reason: str = ""


class LaboratoryStatement(Struct, frozen=True, kw_only=True):
    """A statement on one submission; it must name every filed target.

    ``laboratory`` and ``customer`` have a name and an address, ``authorized_by`` a name and a
    title. ``files`` are as the laboratory received them. ``dates`` are in their order: received,
    examined from, examined to, issued. ``exceptions`` include deviations from the method.

    Source: ISO/IEC 17025:2017, 7.8.
    """

    id: str
    laboratory: Mapping[str, str]
    customer: Mapping[str, str]
    submission: str
    evidence_sha256: str
    files: tuple[FiledDocument, ...]
    examined: tuple[Examination, ...]
    not_examined: tuple[Examination, ...]
    exceptions: tuple[str, ...]
    dates: Mapping[str, str]
    authorized_by: Mapping[str, str]
