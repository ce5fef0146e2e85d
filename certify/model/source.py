"""Where a fact comes from, and statements that carry their source."""

from dataclasses import dataclass
from enum import StrEnum


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


class Concern(StrEnum):
    """What an assumption is about: how the game is played, or only what a figure rests on."""

    PLAY = "play"
    FIGURES = "figures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A rule or an assumption in our own words, with the clause it rests on.

    ``parts`` are sub-steps, lettered in print. ``effect`` says what would change if an
    assumption were otherwise. ``option`` is the only option of the main wager, ``jurisdiction`` the
    only jurisdiction that the statement belongs to; None for all. ``rule`` is the rule that a
    clause of a jurisdiction is printed for.
    """

    id: str
    text: str
    source: Source
    parts: tuple["Statement", ...] = ()
    effect: str | None = None
    concern: Concern = Concern.PLAY
    option: str | None = None
    jurisdiction: str | None = None
    rule: str | None = None
