"""Rules of a jurisdiction, judged for a filing."""

from collections.abc import Mapping
from datetime import date

from certify.checks.jurisdiction.facts import Filed
from certify.checks.jurisdiction.judge import judge
from certify.model.analysis import Analysis
from certify.model.approval import PaytableStanding
from certify.model.audit import RuleJudgement
from certify.model.example import Example
from certify.model.game import Game
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.terms import Terms


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
        examples=examples,
        standings=standings,
        names=names,
    )


def judge_rules(asked: Filed) -> tuple[RuleJudgement, ...]:
    """Judge every rule of a filing's jurisdiction in the text that was in force on its day."""
    return tuple(one.judgement for one in judge(asked))
