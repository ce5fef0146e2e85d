"""What a filing needs: what is open and whose it is, and where the records stand."""

from dataclasses import dataclass

from certify.model.approval import Consulted
from certify.model.audit import RuleJudgement, Standing
from certify.model.jurisdiction import RuleVersion
from certify.model.submission import ChecklistLine, ItemState, Submission
from certify.report.wording import known_by, named

SETTLED = frozenset({Standing.SATISFIED, Standing.NOT_APPLICABLE})
"""The standings that leave nothing to do."""

DECIDED = (Standing.SATISFIED, Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings that rest on the words of a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A rule in the text that was applied: how it is known, where it stands, by which text.

    ``words`` are those of its finding, ``told_by`` the open item that prints them already.
    """

    judgement: RuleJudgement
    known: str
    standing: str
    by: str
    words: tuple[str, ...]
    told_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An item of the filing: who supplies it; of what a rule's words settled, by which text.

    ``words`` are those of its detail.
    """

    line: ChecklistLine
    bearer: str
    by: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingState:
    """Requirements and items, those with something to do apart from those that are settled."""

    open_rules: tuple[Requirement, ...]
    settled_rules: tuple[Requirement, ...]
    open_items: tuple[Item, ...]
    settled_items: tuple[Item, ...]
    register: Consulted | None


def filing_state(submission: Submission) -> FilingState:
    """Return what a submission's filing needs."""
    items = [_item(line) for line in submission.checklist]
    told = {
        line.judgement.rule.id: line.item.text
        for line in submission.checklist
        if line.state is ItemState.OPEN and line.judgement is not None
    }
    rules = [_requirement(rule, told.get(rule.rule.id, "")) for rule in submission.rules]
    return FilingState(
        open_rules=tuple(rule for rule in rules if rule.judgement.standing not in SETTLED),
        settled_rules=tuple(rule for rule in rules if rule.judgement.standing in SETTLED),
        open_items=tuple(item for item in items if item.line.state is ItemState.OPEN),
        settled_items=tuple(item for item in items if item.line.state is not ItemState.OPEN),
        register=submission.register,
    )


def _requirement(judgement: RuleJudgement, told_by: str) -> Requirement:
    return Requirement(
        judgement=judgement,
        known=known_by(judgement.version) if judgement.version else "",
        standing=named("standing", judgement.standing),
        by=_by(judgement.version) if judgement.standing in DECIDED else "",
        words=tuple(judgement.detail.split(" ")),
        told_by=told_by,
    )


def _item(line: ChecklistLine) -> Item:
    judged = line.judgement
    settled = judged is not None and line.state is ItemState.DONE
    return Item(
        line=line,
        bearer=named("bearer", line.item.bearer),
        by=_by(judged.version) if judged is not None and settled else "",
        words=tuple(line.detail.split(" ")),
    )


def _by(version: RuleVersion | None) -> str:
    return known_by(version) if version is not None else ""
