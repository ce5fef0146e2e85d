"""What the rules of play print of the main wager: setting, settling, payout, house edge."""

from dataclasses import dataclass
from fractions import Fraction

from certify.model.charge import Commission
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.payout import Payout
from certify.model.source import Concern
from certify.model.submission import Submission
from certify.report.bounds import FiguresWithLimit, figures_with_limit
from certify.report.head_view import main_wager
from certify.report.rules.examples import ShownExample, examples
from certify.report.rules.numbering import PrintedRule, numbers_of, rule, rules

SETTING = "round"
"""The section of a game's record on setting the hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of the main wager that is filed: what it pays, takes and leaves the house."""

    name: str
    clause: str
    win_pays: Payout
    commission: Commission | None
    fee: bool
    counted_cents: int | None
    edge: Fraction | None
    limited: FiguresWithLimit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MainWagerSection:
    """The section on the main wager; ``optimal`` and ``raised`` say what the house edge is for.

    ``house_way`` is empty where hands are not divided.
    """

    wager: str
    setting: tuple[PrintedRule, ...]
    settling: tuple[PrintedRule, ...]
    raised: str
    raise_rules: tuple[PrintedRule, ...]
    folds: bool
    sizes: bool
    decisions: tuple[PrintedRule, ...]
    options: tuple[Option, ...]
    choice: bool
    house_way: str
    optimal: bool
    exposed: bool
    examples: tuple[ShownExample, ...]


def main_wager_section(submission: Submission, section: int) -> MainWagerSection:
    """Return what the section on the main wager prints."""
    game, option, wager = submission.game, submission.option, main_wager(submission)
    raised = option.raise_
    numbers = numbers_of(section)
    told = [each for each in game.sections if each.id == SETTING]
    assumed = {
        assumption.id: assumption
        for each in submission.options
        for assumption in submission.printed(each.assumptions)
        if assumption.concern is Concern.PLAY
    }
    analysis = submission.analyses.get(option.target)
    return MainWagerSection(
        wager=wager.name,
        setting=tuple(
            printed
            for each in told
            for printed in rules(submission.printed(each.statements), numbers)
        ),
        settling=(
            *(
                rule(dealer_rule.text, dealer_rule.source.clause, next(numbers))
                for dealer_rule in option.dealer_rules
            ),
            *(
                rule(term.text, term.source.clause, next(numbers))
                for term in (option.fee, option.bank)
                if term is not None
            ),
            *rules(submission.printed(wager.rules), numbers),
        ),
        raised=raised.name if raised is not None else "",
        raise_rules=tuple(
            rule(term.text, term.source.clause, next(numbers))
            for term in (raised, raised.fold if raised is not None else None)
            if term is not None
        ),
        folds=raised is not None and raised.fold is not None,
        sizes=raised is not None and raised.largest is not None,
        decisions=rules(assumed.values(), numbers, decision=True),
        options=tuple(_option(submission, filed) for filed in submission.options),
        choice=len(submission.options) > 1,
        house_way=submission.way.name if submission.way is not None else "",
        optimal=analysis is not None
        and analysis.main is not None
        and analysis.main.strategy is Strategy.OPTIMAL,
        exposed=game.dealer_exposed,
        examples=examples(submission, wager),
    )


def _option(submission: Submission, option: MainWager) -> Option:
    analysis = submission.analyses.get(option.target)
    return Option(
        name=option.name,
        clause=option.source.clause,
        win_pays=option.win_pays,
        commission=option.commission,
        fee=option.fee is not None,
        counted_cents=option.wager_cents if option.depends_on_wager else None,
        edge=analysis.house_edge if analysis is not None else None,
        limited=figures_with_limit(analysis),
    )
