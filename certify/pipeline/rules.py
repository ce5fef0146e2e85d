"""Rules of a jurisdiction: judged for a filing, and what the filing still needs."""

from collections.abc import Mapping, Sequence
from datetime import date

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

_MISSING = (Standing.NOT_SATISFIED, Standing.UNVERIFIED)
"""Where an item of ours is missing: the rest of a rule may be for people, our part is done."""

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
    """Return what the filing needs: done, missing, or not ours to bring."""
    judgements = {
        one.rule.id: one
        for one in (one.judgement if isinstance(one, JudgedRule) else one for one in judged)
    }
    return tuple(_line(item, judgements.get(item.rule or "")) for item in jurisdiction.checklist)


def _line(item: ChecklistItem, judgement: RuleJudgement | None) -> ChecklistLine:
    told = judgement is not None and judgement.rule.test not in _GENERAL
    detail = judgement.detail if judgement is not None and told else ""
    if item.bearer is Bearer.LABORATORY:
        brought = judgement is not None and judgement.standing is Standing.SATISFIED
        state = "done" if brought else "not_ours"
        return ChecklistLine(item=item, state=state, detail=detail or "Of a laboratory.")
    if item.bearer is Bearer.THEIRS:
        detail = detail or "Of the supplier or the casino."
        return ChecklistLine(item=item, state="not_ours", detail=detail)
    if judgement is None or judgement.version is None or not told:
        faulty = judgement is not None and judgement.standing is Standing.NOT_SATISFIED
        detail = judgement.detail if judgement is not None and faulty else "In these documents."
        return ChecklistLine(item=item, state="missing" if faulty else "done", detail=detail)
    missing = judgement.standing in _MISSING
    return ChecklistLine(item=item, state="missing" if missing else "done", detail=detail)
