"""The form of an application in a jurisdiction, and what a filing supplies for it."""

from enum import StrEnum

from msgspec import Struct


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


class Attachment(Struct, frozen=True, kw_only=True):
    """A file that goes with a filing, by its name and digest."""

    name: str
    sha256: str


class Supplied(Struct, frozen=True, kw_only=True):
    """An item of the checklist that the filing supplies: a statement, files, or both."""

    item: str
    statement: str | None = None
    files: tuple[Attachment, ...] = ()
