"""What every document prints of itself: its names, its control table, its sections."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from certify.model.game import Wager
from certify.model.submission import Status, Submission
from certify.report.wording import UNSTATED


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsEntry:
    """A line of the contents: a title and the anchor that it leads to."""

    anchor: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSection:
    """A numbered section: the template that prints it, and the entries below it.

    ``content`` is what the template prints beside what all templates have. ``new_page``: it
    starts one.
    """

    anchor: str
    title: str
    template: str
    entries: tuple[ContentsEntry, ...] = ()
    content: Any = None
    new_page: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """The first and the last of some days, ISO dates or their beginnings."""

    first: str
    last: str

    @property
    def several(self) -> bool:
        """Whether they differ."""
        return self.first != self.last


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """What identifies a document: the submission, and of when the texts are that were applied.

    ``dated`` has the texts' own dates, ``undated`` counts those without one, ``read`` has the days
    on which they were read.
    """

    submission: Submission
    dated: Days | None
    undated: int
    read: Days | None


def head_view(submission: Submission, title: str) -> dict[str, Any]:
    """Return the names that the cover, the running headers and the metadata print."""
    game, jurisdiction = submission.game, submission.jurisdiction
    return {
        "title": f"{game.name}: {title}",
        "game": game.name,
        "aliases": game.aliases,
        "supplier": supplier_name(submission),
        "jurisdiction": jurisdiction.name,
        "regulator": jurisdiction.regulator,
        "confidential": jurisdiction.confidential,
        "report_id": submission.report_id,
        "revision": game.revision,
        "revised": game.revised.isoformat(),
        "digest": submission.evidence_sha256,
        "control": _control(submission),
        "draft": submission.status is not Status.FINAL,
        "unsigned": submission.status is Status.UNSIGNED,
        "house_way_name": submission.way.name if submission.way is not None else "",
    }


def _control(submission: Submission) -> Control:
    texts = [judgement.version for judgement in submission.rules if judgement.version is not None]
    dates = [text.text_date for text in texts if text.text_date is not None]
    return Control(
        submission=submission,
        dated=_days(dates),
        undated=len(texts) - len(dates),
        read=_days([text.read_on.isoformat() for text in texts]),
    )


def _days(days: Sequence[str]) -> Days | None:
    return Days(first=min(days), last=max(days)) if days else None


def supplier_name(submission: Submission) -> str:
    """Return who files the game: as the terms state it, or else as the source does."""
    stated = submission.terms.supplier
    return stated.name if stated is not None else submission.game.supplier or UNSTATED


def main_wager(submission: Submission) -> Wager:
    """Return the wager whose option is filed."""
    return next(wager for wager in submission.game.wagers if submission.main in wager.options)


def wager_name(submission: Submission, wager_id: str) -> str:
    """Return the name of a wager."""
    return next(wager.name for wager in submission.game.wagers if wager.id == wager_id)
