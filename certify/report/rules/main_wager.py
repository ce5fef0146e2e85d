"""What the rules of play print of the main wager: setting, settling, payout, house edge."""

from fractions import Fraction
from typing import Any

from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.source import Concern
from certify.model.submission import Submission
from certify.report.bounds import FiguresWithLimit, figures_with_limit
from certify.report.rules.examples import examples
from certify.report.rules.numbering import numbers_of, rule, rules

SETTING = "round"
"""The section of a game's record on setting the hands."""


def main_wager_section(submission: Submission, section: int) -> dict[str, Any]:
    """Return what the section on the main wager prints.

    ``optimal`` and ``raised`` say what the house edge is for; ``house_way`` is empty where hands
    are not divided.
    """
    option = submission.option
    wager = submission.game.wager_of(option)
    raised = option.raise_
    numbers = numbers_of(section)
    told = [
        statement
        for each in submission.game.sections
        if each.id == SETTING
        for statement in submission.printed(each.statements)
    ]
    assumed = {
        assumption.id: assumption
        for each in submission.options
        for assumption in submission.printed(each.assumptions)
        if assumption.concern is Concern.PLAY
    }
    settling = (*option.dealer_rules, option.fee, option.bank, *option.bonus)
    raising = (raised, raised.fold if raised is not None else None)
    analysis = submission.analyses.get(option.target)
    return {
        "wager": wager.name,
        "setting": rules(told, numbers),
        "settling": (
            *(rule(term.text, term.source.clause, next(numbers)) for term in settling if term),
            *rules(submission.printed(wager.rules), numbers),
        ),
        "raised": submission.raised,
        "raise_rules": tuple(
            rule(term.text, term.source.clause, next(numbers)) for term in raising if term
        ),
        "folds": raised is not None and raised.fold is not None,
        "sizes": raised is not None and raised.largest is not None,
        "decisions": rules(assumed.values(), numbers, decision=True),
        "options": [_option(submission, filed) for filed in submission.options],
        "choice": len(submission.options) > 1,
        "house_way": submission.way.name if submission.way is not None else "",
        "other_ways": [
            (name, by_way.paytable, by_way.house_edge) for name, by_way in submission.other_ways
        ],
        "optimal": analysis is not None
        and analysis.main is not None
        and analysis.main.strategy is Strategy.OPTIMAL,
        "examples": examples(submission, wager),
    }


def _option(
    submission: Submission, option: MainWager
) -> tuple[MainWager, Fraction | None, FiguresWithLimit | None]:
    """Return an option that is filed, what it leaves the house, and what a limit makes of that."""
    analysis = submission.analyses.get(option.target)
    edge = analysis.house_edge if analysis is not None else None
    return option, edge, figures_with_limit(analysis)
