"""Views of the application, the transmittal letter and the internal work memo.

An application has the headings of its form, answered by the filing and the register; the letter has
the request and the enclosures.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

from certify import library
from certify.model.approval import Content, Heading
from certify.model.comparison import Standing
from certify.model.jurisdiction import Applicant, Party
from certify.model.submission import ChecklistLine, ItemState, Status, Submission
from certify.report.mathematics.filed import filed_wagers, main_under_limits
from certify.report.mathematics.main_wager import main_figures
from certify.report.mathematics.method import proof
from certify.report.mathematics.view import bonus_wager, reconstructions
from certify.report.rules.main_wager import SETTING, list_fees
from certify.report.rules.numbering import iter_numbers, print_section, state_procedure
from certify.report.rules.view import (
    DEFINITIONS,
    DESCRIPTION,
    LAST,
    SIGNATURES,
    blanks,
    list_sections,
    revisions,
    rules_view,
)
from certify.report.submission import head_view
from certify.report.wording import ids

NOT_PROPOSED = ("house_way", "notices", SIGNATURES, LAST)
"""Sections of the rules of play that are no proposed rules."""

FIRST = "A1"
"""The number of the first blank."""

Numbers = Iterator[str]


def application_view(submission: Submission) -> dict[str, Any]:
    """Return the variables of the template of an application."""
    form = submission.jurisdiction.application
    title = (form and form.title) or ""
    numbers = (f"A{number}" for number in count(1))
    headings = list_headings(submission, numbers)
    return (
        rules_view(submission)
        | head_view(submission, title)
        | {
            "form": form,
            "code": (form and form.section) or "",
            "headings": headings,
            "wagers": list_wagers(submission),
            "asked": next(numbers) != FIRST and FIRST,
        }
    )


def list_headings(submission: Submission, numbers: Numbers) -> list[dict[str, Any]]:
    """Return the headings of the form; a heading that nothing in the filing needs is left out.

    ``numbers`` are those of the blanks, in the order in which they are printed.
    """
    form = submission.jurisdiction.application
    lines = {
        line.item.id: line
        for line in submission.checklist
        if line.state is not ItemState.NOT_NEEDED
    }
    return [
        _heading(heading, submission, lines, numbers)
        for heading in (form.headings if form is not None else ())
        if heading.content is not None or lines.keys() & set(heading.items)
    ]


def _heading(
    heading: Heading,
    submission: Submission,
    lines: Mapping[str, ChecklistLine],
    numbers: Numbers,
) -> dict[str, Any]:
    """Return a heading; ``text`` is the text that asks for it, None if it was not read."""
    answer = heading.content and CONTENTS[heading.content](submission, numbers)
    return {
        "title": heading.title,
        "citation": heading.citation,
        "text": _read_text(heading.rule, submission),
        "template": heading.content and f"application/{heading.content}.html.j2",
        "content": answer,
        "listed": [
            _item(lines[name], submission, numbers) for name in heading.items if name in lines
        ],
    }


def _read_text(rule: str | None, submission: Submission) -> Any:  # noqa: ANN401 - a text or None
    """Return the text of a rule in force, if the official text or a copy of it was read."""
    texts = (
        judged.version
        for judged in submission.rules
        if judged.rule.id == rule and judged.standing is not Standing.NOT_APPLICABLE
    )
    return next((text for text in texts if text is not None and text.was_read), None)


def _item(line: ChecklistLine, submission: Submission, numbers: Numbers) -> dict[str, Any]:
    """Return an item of the checklist: supplied, found in the documents, or a blank."""
    supplied = submission.terms.find_supplied(line.item.id)
    done = line.state is ItemState.DONE
    return {
        "text": line.item.text,
        "supplied": supplied,
        "place": line.item.detail if done and supplied is None else None,
        "text_of_rule": _read_text(line.item.rule, submission),
        "blank": None if done else next(numbers),
    }


def _parties(submission: Submission, numbers: Numbers) -> list[dict[str, Any]]:
    """Return the supplier, the operator and a declared laboratory, with blanks."""
    terms = submission.terms
    parties = [("supplier", terms.supplier), ("operator", terms.operator)]
    if terms.laboratory is not None:
        parties.append(("laboratory", terms.laboratory))
    return [
        {"role": role, "applies": role == terms.applicant}
        | {
            name: _stated(
                getattr(party, name, None)
                or (submission.game.supplier if (name, role) == ("name", "supplier") else None),
                numbers,
            )
            for name in ("name", "address", "contact", "licence")
        }
        for role, party in parties
    ]


def _stated(value: object, numbers: Numbers) -> dict[str, Any]:
    return {"value": value, "blank": None if value else next(numbers)}


def _odds(submission: Submission, _numbers: Numbers) -> dict[str, Any]:
    """Return the probabilities, payouts and edges as the mathematics report prints them."""
    wagers = filed_wagers(submission)
    bonus = [bonus_wager(filed, submission.game) for filed in wagers]
    return {
        "main": main_figures(submission),
        "main_limits": main_under_limits(wagers, submission.game),
        "bonus": [each for each in bonus if each is not None],
    }


def _options(submission: Submission, numbers: Numbers) -> list[tuple[Any, ...]]:
    """Return each wager with its filed records and the option of the code, or a blank."""
    chosen_options = dict(submission.terms.code_options)
    return [
        (wager.name, options, tables, _stated(chosen_options.get(wager.id), numbers))
        for wager, options, tables in list_wagers(submission)
    ]


def list_wagers(submission: Submission) -> list[tuple[Any, ...]]:
    """Return each filed wager with the names of its options and the ids of its paytables."""
    return [
        (
            wager,
            [option.name for option in submission.options if option in wager.options],
            ids([table.id for table in tables]) if tables else None,
        )
        for wager in submission.wagers
        for tables in [submission.tables(wager)]
    ]


def _fees(submission: Submission, numbers: Numbers) -> dict[str, Any]:
    """Return the schedule of collection fees, or a blank."""
    fees = list_fees(submission)
    return {"fees": fees, "blank": None if fees else next(numbers)}


CONTENTS: Mapping[Content, Callable[[Submission, Numbers], Any]] = {
    Content.PARTIES: _parties,
    Content.KIND: lambda submission, numbers: _stated(submission.terms.application, numbers),
    Content.REASON: lambda submission, numbers: _stated(
        submission.terms.application_reason, numbers
    ),
    Content.SUMMARY: lambda submission, _: [
        rule
        for section in (DESCRIPTION, SETTING)
        for rule in print_section(section, submission, iter_numbers(1))
    ],
    Content.ODDS: _odds,
    Content.RULES: lambda submission, _: [
        section for section in list_sections(submission) if section["name"] not in NOT_PROPOSED
    ],
    Content.GLOSSARY: lambda submission, _: [
        section for section in list_sections(submission) if section["name"] == DEFINITIONS
    ],
    Content.FEES: _fees,
    Content.OPTIONS: _options,
    Content.ELSEWHERE: lambda submission, _: submission.register,
    Content.SIGNATURES: _parties,
}
"""The answer of a filing to each content of a form."""


SETTLED = frozenset({Standing.SATISFIED, Standing.NOT_APPLICABLE})
"""The standings that leave nothing to do."""

DECIDED = (Standing.SATISFIED, Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings that rest on the words of a rule."""


def letter_view(submission: Submission) -> dict[str, Any]:
    """Return the variables of the template of the transmittal letter.

    ``blanks`` has the number of each fact that nothing declares, None of another. ``earlier`` is
    the revision before this one, with the ``changes`` since; None for the first.
    """
    *_, earlier, last = None, None, *revisions(submission)
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
        "earlier": earlier,
        "changes": last and last.text,
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
        "open_items": [_checklist_item(line, numbers) for line in open_lines],
        "checklist": [_checklist_item(line, numbers) for line in submission.checklist],
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


def _checklist_item(line: ChecklistLine, numbers: dict[str, int]) -> dict[str, Any]:
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
