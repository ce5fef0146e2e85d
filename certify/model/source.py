"""Where a fact comes from, and statements that carry their source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A footnote of a source, in our own plain words; ``number`` as the source numbers it."""

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The place a fact was read: the document's id, the clause in its own words, its footnotes.

    ``reconstructed`` says how a value was recovered where the extracted text is garbled.
    """

    document: str
    clause: str
    notes: tuple[Note, ...] = ()
    reconstructed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A rule or an assumption in our own words, with the clause it rests on.

    ``parts`` are sub-steps, lettered in print. ``effect`` says what would change if an
    assumption were otherwise.
    """

    id: str
    text: str
    source: Source
    parts: tuple["Statement", ...] = ()
    effect: str | None = None
