"""What every document prints of itself: its names, its control table, its sections."""

from dataclasses import dataclass
from typing import Any

from certify.model.game import Wager
from certify.model.submission import Status, Submission
from certify.report.tables import Table, facts
from certify.report.wording import STATUS_TEXT, UNSTATED, commission_text, lower_first


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the contents: a title and the anchor that it leads to."""

    anchor: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A numbered section: the template that prints it, and the entries below it.

    ``content`` is what the template prints beside what all templates have. ``new_page``: it
    starts one.
    """

    anchor: str
    title: str
    template: str
    entries: tuple[Entry, ...] = ()
    content: Any = None
    new_page: bool = False


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
        "status": STATUS_TEXT[submission.status],
        "draft": submission.status is not Status.FINAL,
        "house_way_name": submission.house_way.name,
    }


def control_table(submission: Submission, part: str) -> Table:
    """Return what identifies one document of the submission."""
    game, jurisdiction = submission.game, submission.jurisdiction
    source = game.document
    return facts(
        "This document",
        [
            ("Document", f"{submission.report_id}.{part}"),
            ("Game", game.name),
            ("Supplier", supplier_name(submission)),
            *_supplier(submission),
            ("Jurisdiction", f"{jurisdiction.name}, {jurisdiction.regulator}"),
            ("Regulations applied", _regulations(submission)),
            ("Revision", f"{game.revision}, dated {game.revised.isoformat()}"),
            (
                "Main wager",
                "; ".join(f"{one.name} (option {one.id})" for one in submission.options),
            ),
            ("House way", _house_way(submission)),
            (
                "Source of the rules",
                f"{source.title}; publisher: {source.publisher or UNSTATED}; "
                f"revision: {source.revision or UNSTATED}",
            ),
            ("Register of approvals", _register(submission)),
            ("Engine", f"certify {submission.engine_version}"),
            (_evidence(submission), submission.evidence_sha256),
            ("Status", STATUS_TEXT[submission.status]),
        ],
    )


def supplier_name(submission: Submission) -> str:
    """Return who files the game: as the terms state it, or else as the source does."""
    stated = submission.terms.supplier
    return stated.name if stated is not None else submission.game.supplier or UNSTATED


def _supplier(submission: Submission) -> list[tuple[str, str]]:
    """Return what the terms state of the supplier beside the name."""
    stated = submission.terms.supplier
    if stated is None:
        return []
    known = (
        ("Supplier's address", stated.address),
        ("Contact", stated.contact),
        ("Supplier's licence", stated.licence),
    )
    return [(name, value) for name, value in known if value is not None]


def _regulations(submission: Submission) -> str:
    """Return of when the texts are that were applied: their own dates, and when they were read."""
    texts = [one.version for one in submission.rules if one.version is not None]
    day = submission.as_of.isoformat()
    if not texts:
        return f"None is known to be in force on {day}"
    dates = [text.text_date for text in texts if text.text_date is not None]
    undated = len(texts) - len(dates)
    parts = (
        f"texts of {_span(dates)}" if dates else "",
        f"{undated} of no known date" if undated else "",
        f"read {_span([text.read_on.isoformat() for text in texts])}",
        f"as far as they are known to be in force on {day}",
    )
    return "; ".join(part for part in parts if part)


def _span(days: list[str]) -> str:
    """Return the first and the last of some days, ISO dates or their beginnings."""
    first, last = min(days), max(days)
    return first if first == last else f"{first} to {last}"


def _house_way(submission: Submission) -> str:
    way = submission.house_way
    return f"{way.name} ({way.published})" if way.published else way.name


def _register(submission: Submission) -> str:
    register = submission.register
    if register is None:
        return "not consulted"
    latest = f", latest record of {register.last.isoformat()}" if register.last else ", no record"
    return f"consulted{latest}; SHA-256 {register.sha256}"


def _evidence(submission: Submission) -> str:
    """Return what the digest is of: a public part embeds less than the complete evidence."""
    confidential = submission.jurisdiction.confidential
    return f"{'Complete, confidential evidence' if confidential else 'Evidence'}, SHA-256"


def main_wager(submission: Submission) -> Wager:
    """Return the wager whose option is filed."""
    return next(one for one in submission.game.wagers if submission.option in one.options)


def wager_name(submission: Submission, wager_id: str) -> str:
    """Return the name of a wager."""
    return next(one.name for one in submission.game.wagers if one.id == wager_id)


def commissions(submission: Submission) -> tuple[str, ...]:
    """Return what commission is taken; where the player chooses, in each of the ways by name."""
    options = submission.options
    if len(options) == 1:
        return (commission_text(options[0].commission),)
    ways = (f"{one.name}: {lower_first(commission_text(one.commission))}" for one in options)
    return ("The player chooses one of these ways.", *ways)
