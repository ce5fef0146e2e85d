"""What a filing needs: what is open and whose it is, and where the records stand."""

from typing import Any

from certify.model.audit import RuleJudgement, Standing
from certify.model.submission import ChecklistLine, ItemState, Submission

SETTLED = frozenset({Standing.SATISFIED, Standing.NOT_APPLICABLE})
"""The standings that leave nothing to do."""

DECIDED = (Standing.SATISFIED, Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings that rest on the words of a rule."""


def filing_state(submission: Submission) -> dict[str, Any]:
    """Return requirements and items, those with something to do apart from those that are settled.

    ``by`` is the text whose words settled it, where words did; ``words`` are those of its detail,
    and ``told_by`` is the open item that prints the finding of a rule already.
    """
    told = {
        line.judgement.rule.id: line.item.text
        for line in submission.checklist
        if line.state is ItemState.OPEN and line.judgement is not None
    }
    rules = [
        _requirement(judgement) | {"told_by": told.get(judgement.rule.id)}
        for judgement in submission.rules
    ]
    items = [_item(line) for line in submission.checklist]
    return {
        "open_rules": [rule for rule in rules if rule["judgement"].standing not in SETTLED],
        "settled_rules": [rule for rule in rules if rule["judgement"].standing in SETTLED],
        "open_items": [item for item in items if item["line"].state is ItemState.OPEN],
        "settled_items": [item for item in items if item["line"].state is not ItemState.OPEN],
    }


def _requirement(judgement: RuleJudgement) -> dict[str, Any]:
    return {
        "judgement": judgement,
        "by": judgement.version if judgement.standing in DECIDED else None,
        "words": judgement.detail.split(" "),
    }


def _item(line: ChecklistLine) -> dict[str, Any]:
    judged = line.judgement
    return {
        "line": line,
        "by": judged.version if judged is not None and line.state is ItemState.DONE else None,
        "words": line.detail.split(" "),
    }
