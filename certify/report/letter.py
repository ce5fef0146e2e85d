"""Views of the transmittal letter, with request and enclosures, and of the internal work memo."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from certify import library
from certify.model.comparison import Standing
from certify.model.jurisdiction import Applicant, Party
from certify.model.submission import ChecklistLine, ItemState, Status, Submission
from certify.report.application import list_headings, list_wagers
from certify.report.mathematics.filed import filed_wagers
from certify.report.mathematics.method import proof
from certify.report.mathematics.view import reconstructions
from certify.report.rules.numbering import state_procedure
from certify.report.rules.view import blanks, revisions
from certify.report.submission import head_view

SETTLED = frozenset({Standing.SATISFIED, Standing.NOT_APPLICABLE})
"""The standings that leave nothing to do."""

DECIDED = (Standing.SATISFIED, Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings that rest on the words of a rule."""


def letter_view(submission: Submission) -> dict[str, Any]:
    """Return the variables of the template of the transmittal letter.

    ``blanks`` has the number of each fact that nothing declares, None of another.
    """
    enclosures = {enclosure.part: enclosure for enclosure in submission.enclosures}
    titles = library.words("names")["enclosures"]
    form, numbers = submission.jurisdiction.application, (f"L{number}" for number in count(1))
    return head_view(submission, "Transmittal Letter") | {
        "applicant": _applicant(submission),
        "blanks": _blanks(submission, numbers),
        "document": form and form.title,
        "headings": [*list_headings(submission, numbers)] if form and not form.title else [],
        "wagers": list_wagers(submission),
        "enclosures": [(titles[part], enclosures[part]) for part in titles if part in enclosures],
        "letter": submission.provenance.letter,
    }


def _applicant(submission: Submission) -> Party:
    """Return the party that requests the approval; its name is empty if nothing declares it."""
    terms = submission.terms
    supplier = submission.game.supplier if terms.applicant is Applicant.SUPPLIER else None
    return terms.applying or Party(name=supplier or "")


def _blanks(submission: Submission, numbers: Iterator[str]) -> dict[str, str | None]:
    """Return the number of each fact that neither the game nor the terms declare, or None."""
    terms, applicant = submission.terms, _applicant(submission)
    values = {
        "applicant": applicant.name,
        "address": applicant.address,
        "contact": applicant.contact,
        "date": submission.status is not Status.UNSIGNED,
        "application": terms.application,
    }
    return {name: None if value else next(numbers) for name, value in values.items()}


def memo_view(submission: Submission) -> dict[str, Any]:
    """Return the variables of the template of the internal work memo."""
    game = submission.game
    open_lines = [line for line in submission.checklist if line.state is ItemState.OPEN]
    numbers = {line.item.id: number for number, line in enumerate(open_lines, 1)}
    return head_view(submission, "Internal Work Memo") | {
        "totals": {"open": len(open_lines), "all": len(submission.checklist)},
        "absent": [wager for wager in game.wagers if wager.absent],
        "changes": revisions(submission),
        "open_items": [_item(line, numbers) for line in open_lines],
        "checklist": [_item(line, numbers) for line in submission.checklist],
        "rules": _rules(submission, numbers),
        "proof": proof(submission),
        "discrepancies": _doubts(submission),
        "restored": [
            (wager.wager.name, text, tables)
            for wager in filed_wagers(submission)
            for text, tables in reconstructions(wager)
        ],
    }


def _doubts(submission: Submission) -> list[dict[str, Any]]:
    """Return the doubts about the source, each with the rule of play on its topic, or its blank.

    Both are empty for a doubt without a topic, or with one that nothing in the filing needs.
    """
    numbers = blanks(submission).procedures
    doubts = submission.catalog.discrepancies.get(submission.game.id, ())
    topics = [doubt.topic.replaced_by if doubt.topic is not None else None for doubt in doubts]
    return [
        {
            "doubt": doubt,
            "rule": state_procedure(topic, submission) if topic is not None else "",
            "blank": numbers[topic] if topic is not None else None,
        }
        for doubt, topic in zip(doubts, topics, strict=True)
    ]


def _item(line: ChecklistLine, numbers: dict[str, int]) -> dict[str, Any]:
    """Return an item of the checklist; ``number`` is that of an open item, None of another."""
    return {
        "line": line,
        "number": numbers.get(line.item.id),
        "done": line.state is ItemState.DONE,
        "words": line.detail.split(" "),
    }


def _rules(submission: Submission, numbers: dict[str, int]) -> dict[str, Any]:
    """Return the jurisdiction's rules, those with something to do apart from the others.

    ``by`` is the text that decides a rule, None where no text does; ``number`` is that of the open
    item which prints the finding, None if no item does.
    """
    answered = {
        line.judgement.rule.id: numbers[line.item.id]
        for line in submission.checklist
        if line.item.id in numbers and line.judgement is not None
    }
    rules: list[dict[str, Any]] = [
        {
            "judgement": judgement,
            "by": judgement.version if judgement.standing in DECIDED else None,
            "words": judgement.detail.split(" "),
            "number": answered.get(judgement.rule.id),
        }
        for judgement in submission.rules
    ]
    return {
        "open": [rule for rule in rules if rule["judgement"].standing not in SETTLED],
        "settled": [rule for rule in rules if rule["judgement"].standing in SETTLED],
    }
