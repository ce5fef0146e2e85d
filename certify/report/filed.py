"""A submission in short, for who made it: what was filed, its edges, and what is still open."""

import textwrap
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from certify import library
from certify.formatting import json_exact, percentage
from certify.model.analysis import Analysis
from certify.model.submission import ItemState, Status, Submission
from certify.report.compose import compose
from certify.report.wording import named

WIDTH = 80


def filed_view(submission: Submission) -> dict[str, Any]:
    """Return what was filed, each wager with its edge, and the checklist by state."""
    return {
        "report_id": submission.report_id,
        "game": submission.game.name,
        "jurisdiction": submission.jurisdiction.name,
        "regulator": submission.jurisdiction.regulator,
        "revision": submission.game.revision,
        "revised": submission.game.revised,
        "as_of": submission.as_of,
        "house_way": submission.way.name if submission.way else None,
        "draft": submission.status is not Status.FINAL,
        "unsigned": submission.status is Status.UNSIGNED,
        "wagers": [_wager(submission, record.target) for record in _records(submission)],
        "checklist": {str(state): _lines(submission, state) for state in ItemState},
        "totals": {str(state): len(_lines(submission, state)) for state in ItemState},
    }


def _lines(submission: Submission, state: ItemState) -> list[dict[str, Any]]:
    return [
        {
            "id": line.item.id,
            "text": line.item.text,
            "bearer": named("bearer", line.item.bearer),
            "rule": line.item.rule,
            "detail": line.detail,
        }
        for line in submission.checklist
        if line.state is state
    ]


def filed_json(submission: Submission) -> dict[str, Any]:
    """Return what was filed, for scripts."""
    return {
        "submission": submission.report_id,
        "status": str(submission.status),
        "game": submission.game.id,
        "jurisdiction": submission.jurisdiction.id,
        "revision": submission.game.revision,
        "rules_as_of": submission.as_of.isoformat(),
        "wagers": [
            {"target": record.target} | _edge(submission.analyses[record.target].house_edge)
            for record in _records(submission)
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
    text = compose(template, view, templates=library.templates())
    return "".join(f"{piece}\n" for line in text.splitlines() for piece in _fitted(line, width))


def _fitted(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]


def _records(submission: Submission) -> tuple[Any, ...]:
    return (*submission.options, *submission.paytables)


def _wager(submission: Submission, target: str) -> dict[str, Any]:
    """Return a wager as it is listed; the edge is None where a meter decides it."""
    analysis: Analysis = submission.analyses[target]
    wager = next(
        declared for declared in submission.game.wagers if target.startswith(f"{declared.target}/")
    )
    return {
        "name": wager.name,
        "id": target.rpartition("/")[2],
        "target": target,
        "edge": analysis.house_edge,
        "by_meter": analysis.house_edge is None,
        "hit_frequency": analysis.hit_frequency,
    }


def _edge(edge: Fraction | None) -> dict[str, str]:
    if edge is None:
        return {}
    return {"house_edge": json_exact(edge), "house_edge_percent": percentage(edge).rstrip("%")}
