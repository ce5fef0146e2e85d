"""Rules of a jurisdiction: judged for a filing, and what the filing still needs."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TypeGuard

from certify.checks.rule_pack import JudgedRule, judge, wager_limit
from certify.checks.rule_pack_facts import Filed
from certify.model.analysis import Analysis
from certify.model.approval import PaytableStanding
from certify.model.audit import RuleJudgement, Standing
from certify.model.example import Example
from certify.model.game import Game
from certify.model.jurisdiction import Bearer, ChecklistItem, Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import ChecklistLine
from certify.model.terms import Terms

STATES = ("done", "missing", "not_ours")
"""The states of an item: there, or not needed; not there, or not settled; for others to bring."""

_DETAILS = {
    Bearer.OURS: "In these documents.",
    Bearer.THEIRS: "To be supplied by the supplier or the casino.",
    Bearer.LABORATORY: "To be supplied by a laboratory.",
}
"""What is printed of an item of which nothing else is known, by who brings it."""

_GENERAL = ("variation_filing", "posted_text", "unique_name", None)
"""Tests that say nothing about a single item of the checklist."""


def filed(
    *,
    game: Game,
    option: MainWager,
    paytables: tuple[Paytable, ...],
    analyses: Mapping[str, Analysis],
    jurisdiction: Jurisdiction,
    as_of: date,
    terms: Terms | None = None,
    examples: tuple[Example, ...] | None = None,
    standings: tuple[PaytableStanding, ...] | None = None,
    names: tuple[str, ...] | None = None,
) -> Filed:
    """Return a filing as the rules are judged by; see `Filed` for the arguments."""
    return Filed(
        game=game,
        option=option,
        paytables=paytables,
        analyses=analyses,
        jurisdiction=jurisdiction,
        as_of=as_of,
        terms=terms or Terms(),
        wager_limit_cents=wager_limit(jurisdiction, as_of),
        examples=examples,
        standings=standings,
        names=names,
    )


def judge_rules(
    *,
    game: Game,
    option: MainWager,
    paytables: tuple[Paytable, ...],
    analyses: Mapping[str, Analysis],
    jurisdiction: Jurisdiction,
    as_of: date,
    terms: Terms | None = None,
    examples: tuple[Example, ...] | None = None,
    standings: tuple[PaytableStanding, ...] | None = None,
    names: tuple[str, ...] | None = None,
) -> tuple[RuleJudgement, ...]:
    """Judge every rule of a jurisdiction in the text that was in force on ``as_of``.

    Args:
        game: the game that is filed.
        option: the option of its main wager.
        paytables: the bonus paytables that are filed.
        analyses: exact figures by target.
        jurisdiction: whose rules.
        as_of: the day.
        terms: what the card room or the casino sets; nothing is stated if it is None.
        examples: the worked examples of the documents.
        standings: what the register of approvals says of each target.
        names: the names under which the register holds other approved games.
    """
    judged = judge(
        filed(
            game=game,
            option=option,
            paytables=paytables,
            analyses=analyses,
            jurisdiction=jurisdiction,
            as_of=as_of,
            terms=terms,
            examples=examples,
            standings=standings,
            names=names,
        )
    )
    return tuple(one.judgement for one in judged)


def checklist_of(
    jurisdiction: Jurisdiction, judged: Sequence[RuleJudgement | JudgedRule]
) -> tuple[ChecklistLine, ...]:
    """Return what the filing needs, each item with its state; see `STATES`."""
    judgements = {
        one.rule.id: one
        for one in (one.judgement if isinstance(one, JudgedRule) else one for one in judged)
    }
    return tuple(_line(item, judgements.get(item.rule or "")) for item in jurisdiction.checklist)


def _told(judgement: RuleJudgement | None) -> TypeGuard[RuleJudgement]:
    """Whether the rule of an item says something of the item itself."""
    return judgement is not None and judgement.rule.test not in _GENERAL


def _line(item: ChecklistItem, judgement: RuleJudgement | None) -> ChecklistLine:
    if _told(judgement) and judgement.standing is Standing.NOT_APPLICABLE:
        return ChecklistLine(item=item, state="done", detail=judgement.detail, needed=False)
    state = _state(item, judgement)
    detail = item.detail or _DETAILS[item.bearer]
    if judgement is not None and (_told(judgement) or state == "missing"):
        detail = judgement.detail
    return ChecklistLine(item=item, state=state, detail=detail)


def _state(item: ChecklistItem, judgement: RuleJudgement | None) -> str:
    """Return the state of an item by what its rule came to.

    What others bring is theirs unless the rule itself is to be settled. Of ours, the part that a
    person has to judge beside it is not our part.
    """
    standing = judgement.standing if judgement is not None else None
    ours = item.bearer is Bearer.OURS
    if (_told(judgement) or ours) and standing is Standing.TO_BE_SETTLED:
        return "missing"
    if item.bearer is Bearer.LABORATORY and standing is Standing.SATISFIED:
        return "done"
    if not ours:
        return "not_ours"
    if standing is Standing.NOT_SATISFIED:
        return "missing"
    open_fact = _told(judgement) and judgement.version is not None
    return "missing" if open_fact and standing is Standing.UNVERIFIED else "done"
