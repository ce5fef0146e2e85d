"""View of the transmittal letter: the request, and the enclosures with their digests."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from certify import library
from certify.model.jurisdiction import Applicant, Party
from certify.model.submission import Status, Submission
from certify.report.application import list_headings, list_wagers
from certify.report.submission import head_view


def letter_view(submission: Submission) -> dict[str, Any]:
    """Return the variables of the template of the transmittal letter.

    ``blanks`` has the number of each fact that nothing declares, None of another.
    """
    known = {enclosure.part: enclosure for enclosure in submission.enclosures}
    titles = library.words("names")["enclosures"]
    form, numbers = submission.jurisdiction.application, (f"L{number}" for number in count(1))
    return head_view(submission, "Transmittal Letter") | {
        "applicant": _applicant(submission),
        "blanks": _blanks(submission, numbers),
        "document": form and form.title,
        "headings": [*list_headings(submission, numbers)] if form and not form.title else [],
        "wagers": list_wagers(submission),
        "enclosures": [(titles[part], known[part]) for part in titles if part in known],
        "letter": submission.provenance.letter,
    }


def _applicant(submission: Submission) -> Party:
    """Return the party that requests the approval; its name is empty if nothing declares it."""
    terms = submission.terms
    known = submission.game.supplier if terms.applicant is Applicant.SUPPLIER else None
    return terms.applying or Party(name=known or "")


def _blanks(submission: Submission, numbers: Iterator[str]) -> dict[str, str | None]:
    """Return the number of each fact that neither the game nor the terms declare, or None."""
    terms, applicant = submission.terms, _applicant(submission)
    stated = {
        "applicant": applicant.name,
        "address": applicant.address,
        "contact": applicant.contact,
        "date": submission.status is not Status.UNSIGNED,
        "application": terms.application,
    }
    return {name: None if known else next(numbers) for name, known in stated.items()}
