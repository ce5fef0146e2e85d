"""A submission in short, and the table that identifies its documents."""

import textwrap
from collections.abc import Mapping
from typing import Any

from certify.formatting import json_exact, percent
from certify.model.analysis import Analysis
from certify.model.comparison import Standing
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Change, ItemState, Status, Submission
from certify.report.compose import compose
from certify.report.wording import UNSTATED, engine_view, span

WIDTH = 80
"""Columns of a printed line."""


def head_view(submission: Submission, title: str) -> dict[str, Any]:
    """Return the names that the cover, the running headers and the metadata print."""
    game, jurisdiction = submission.game, submission.jurisdiction
    supplier = submission.terms.supplier
    filed = submission.analyses.get(submission.main.target) if submission.main else None
    return {
        "limited_to": [] if submission.main else [wager.name for wager in submission.wagers],
        "submission": submission,
        "title": f"{game.name}: {title}",
        "game": game.name,
        "aliases": game.aliases,
        "supplier_blank": "",
        "supplier": supplier.name if supplier is not None else game.supplier or UNSTATED,
        "jurisdiction": jurisdiction.name,
        "regulator": jurisdiction.regulator,
        "confidential": jurisdiction.confidential,
        "strategy": filed and filed.main and filed.main.strategy,
        "report_id": submission.report_id,
        "revision": game.revision,
        "revised": game.revised,
        "digest": submission.evidence_sha256,
        **engine_view(submission.engine_version, submission.build_sha256),
        "source_sha256": submission.provenance.papers.get(game.document.id),
        "texts": _texts(submission),
        "draft": submission.status is not Status.FINAL,
        "unsigned": submission.status is Status.UNSIGNED,
        "replaced": _records(submission, Change.REPLACES),
        "added": _records(submission, Change.ADDED),
        "to_accept": submission.provenance.replaced_records,
        "accepted": submission.order.accept_replaced,
        "placeholders": [
            f"{game.find_wager(table).name} ({table.id})" for table in submission.placeholders
        ],
    }


def _records(submission: Submission, change: Change) -> list[str]:
    return [
        path
        for path, found_change in submission.provenance.records.items()
        if found_change is change
    ]


def _texts(submission: Submission) -> dict[str, Any]:
    """Return the official texts that were applied, and those whose text in force is unconfirmed.

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
        "read": span(version.read_on for version in official),
        "unconfirmed": [
            *dict.fromkeys(version.citation for version in applied if not version.official)
        ],
    }


def filed_view(submission: Submission) -> dict[str, Any]:
    """Return the submitted wagers with their edges, and the checklist by state.

    A job passes it to another process, so it does not include the submission with all its files.
    """
    checklist = {
        str(state): [line for line in submission.checklist if line.state is state]
        for state in ItemState
    }
    head = head_view(submission, "Submission")
    del head["submission"]
    return head | {
        "as_of": submission.as_of,
        "house_way": submission.way and submission.way.name,
        "wagers": [_wager(submission, record) for record in submission.records],
        "checklist": checklist,
        "totals": {state: len(lines) for state, lines in checklist.items()},
    }


def filed_json(submission: Submission) -> dict[str, Any]:
    """Return a summary of the submission as JSON."""
    edges = {
        record.target: submission.analyses[record.target].house_edge
        for record in submission.records
    }
    return {
        "submission": submission.report_id,
        "status": str(submission.status),
        "game": submission.game.id,
        "jurisdiction": submission.jurisdiction.id,
        "revision": submission.game.revision,
        "rules_as_of": submission.as_of.isoformat(),
        "wagers": [
            {"target": target}
            if edge is None
            else {
                "target": target,
                "house_edge": json_exact(edge),
                "house_edge_percent": percent(edge),
            }
            for target, edge in edges.items()
        ],
        "open": [
            {"id": line.item.id, "text": line.item.text, "detail": line.detail}
            for line in submission.checklist
            if line.state is ItemState.OPEN
        ],
    }


def checklist_text(submission: Submission) -> str:
    """Return the checklist as text, open items first, in lines of at most 80 characters."""
    return plain("plain/checklist.txt.j2", filed_view(submission), width=WIDTH)


def filed_text(submission: Submission, width: int = WIDTH) -> str:
    """Return a summary of the submission in a few lines."""
    return plain("plain/submitted.txt.j2", filed_view(submission), width=width)


def plain(template: str, view: Mapping[str, Any], *, width: int) -> str:
    """Return a text, each line of it within a width; continuation lines are indented."""
    text = compose(template, view)
    pieces: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        pieces += textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        ) or [""]
    return "".join(f"{piece}\n" for piece in pieces)


def _wager(
    submission: Submission, record: MainWager | Paytable
) -> tuple[str, MainWager | Paytable, Analysis, bool]:
    """Return a wager's name, its entry, its figures, and True if a meter determines them."""
    wager, analysis = submission.game.find_wager(record), submission.analyses[record.target]
    return wager.name, record, analysis, analysis.house_edge is None
