"""What every document prints of itself: its names, its control table."""

from typing import Any

from certify.model.audit import Standing
from certify.model.provenance import Change
from certify.model.submission import Status, Submission
from certify.report.grouping import span
from certify.report.wording import UNSTATED


def head_view(submission: Submission, title: str) -> dict[str, Any]:
    """Return the names that the cover, the running headers and the metadata print."""
    game, jurisdiction = submission.game, submission.jurisdiction
    supplier = submission.terms.supplier
    return {
        "submission": submission,
        "title": f"{game.name}: {title}",
        "game": game.name,
        "aliases": game.aliases,
        "supplier": supplier.name if supplier is not None else game.supplier or UNSTATED,
        "jurisdiction": jurisdiction.name,
        "regulator": jurisdiction.regulator,
        "confidential": jurisdiction.confidential,
        "report_id": submission.report_id,
        "revision": game.revision,
        "revised": game.revised.isoformat(),
        "digest": submission.evidence_sha256,
        "texts": _texts(submission),
        "draft": submission.status is not Status.FINAL,
        "unsigned": submission.status is Status.UNSIGNED,
        "replaced": _records(submission, Change.REPLACES),
        "added": _records(submission, Change.ADDED),
        "to_accept": submission.provenance.to_accept,
        "accepted": submission.order.accept_replaced,
    }


def _records(submission: Submission, change: Change) -> list[str]:
    records = submission.provenance.records
    return [path for path, known in records.items() if known is change]


def _texts(submission: Submission) -> dict[str, Any]:
    """Return which official texts were applied, and those whose text in force is unconfirmed.

    ``read`` has the days on which the official texts were read.
    """
    applied = [
        judgement.version
        for judgement in submission.rules
        if judgement.version is not None and judgement.standing is not Standing.NOT_APPLICABLE
    ]
    official = [version for version in applied if version.official]
    return {
        "official": [*dict.fromkeys(version.citation for version in official)],
        "read": span(version.read_on.isoformat() for version in official),
        "unconfirmed": [
            *dict.fromkeys(version.citation for version in applied if not version.official)
        ],
    }
