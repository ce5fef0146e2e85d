"""A submission in short, for who made it: what was filed, its edges, and what is still open."""

import textwrap
from collections.abc import Mapping
from typing import Any

from certify.formatting import json_exact, percent
from certify.model.analysis import Analysis
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import ItemState, Submission
from certify.report.compose import compose
from certify.report.head_view import head_view

WIDTH = 80


def filed_view(submission: Submission) -> dict[str, Any]:
    """Return what was filed, each wager with its edge, and the checklist by state."""
    checklist = {
        str(state): [line for line in submission.checklist if line.state is state]
        for state in ItemState
    }
    return head_view(submission, "Submission") | {
        "wagers": [_wager(submission, record) for record in _records(submission)],
        "checklist": checklist,
        "totals": {state: len(lines) for state, lines in checklist.items()},
    }


def filed_json(submission: Submission) -> dict[str, Any]:
    """Return what was filed, for scripts."""
    edges = {
        record.target: submission.analyses[record.target].house_edge
        for record in _records(submission)
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
    """Return the checklist for people: what is open first, no line longer than 80 characters."""
    return plain("plain/checklist.txt.j2", filed_view(submission), width=WIDTH)


def filed_text(submission: Submission, width: int = WIDTH) -> str:
    """Return what was filed in a few lines."""
    return plain("plain/submitted.txt.j2", filed_view(submission), width=width)


def plain(template: str, view: Mapping[str, Any], *, width: int) -> str:
    """Return a text, each line of it within a width; what goes on is indented."""
    text = compose(template, view)
    return "".join(f"{piece}\n" for line in text.splitlines() for piece in _fitted(line, width))


def _fitted(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]


def _records(submission: Submission) -> tuple[MainWager | Paytable, ...]:
    return (*submission.options, *submission.paytables)


def _wager(
    submission: Submission, record: MainWager | Paytable
) -> tuple[str, MainWager | Paytable, Analysis, bool]:
    """Return a wager's name, what is filed of it, its figures, and whether a meter decides them."""
    wager, analysis = submission.game.wager_of(record), submission.analyses[record.target]
    return wager.name, record, analysis, analysis.house_edge is None
