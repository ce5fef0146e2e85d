"""The main wager: how rounds end, its figures, other options, the use of the house way."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from certify.errors import InvariantBroken
from certify.model.analysis import Analysis, CostlyHand, HouseWayUse, RowAnalysis
from certify.model.game import Strategy
from certify.model.main_wager import MainWager, Outcome
from certify.model.submission import Submission
from certify.report.rules.house_way import rule_numbers

COSTLY_HANDS = 12
"""The hands printed that the house way sets at the greatest cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """An option under one strategy of the player: shares of rounds, and the figures."""

    strategy: Strategy
    win: Fraction
    push: Fraction
    lose: Fraction
    analysis: Analysis


def main_figures(submission: Submission) -> dict[str, Any] | None:
    """Return the main wager's figures; None where it was not counted.

    ``house_way`` is empty where hands are not divided; then ``raised`` is the raise that is made or
    not as is best for each hand, where there is one. ``uses`` are the hands that each rule of the
    house way decided, ``total`` those of all rules; ``weighed``: what each rule costs is known.
    """
    if submission.main is None:
        return None
    analysis = submission.analyses.get(submission.main.target)
    if analysis is None or analysis.main is None:
        return None
    game, way, rules = submission.game, submission.way, analysis.main.dealer_rule_hands
    hands = submission.frequencies.total
    numbers = rule_numbers(way, game.hands.joker) if way is not None else {}
    order = sorted(rules, key=lambda use: [*map(int, numbers[use.rule].number.split("."))])
    return {
        "wager": game.wager_of(submission.main),
        "house_way": way.name if way is not None else "",
        "published": way.published if way is not None and not game.house_way_in_source else None,
        "raised": submission.raised,
        "exposed": game.dealer_exposed,
        "optimal": analysis.main.strategy is Strategy.OPTIMAL,
        "several": len(submission.options) > 1,
        "ways": [
            _way(option, submission.analyses[option.target])
            for option in submission.options
            if option.target in submission.analyses
        ],
        "others": plays(submission.other_options),
        "other_ways": [
            (name, by_way.paytable, by_way.house_edge) for name, by_way in submission.other_ways
        ],
        "uses": [(numbers[use.rule], _use([use], hands)) for use in order],
        "total": _use(rules, hands),
        "weighed": any(rule.differs_from_optimal is not None for rule in rules),
        "costly": _costly(submission),
    }


def plays(analyses: Sequence[Analysis]) -> list[Play]:
    """Return options with the shares of rounds that are won, pushed and lost."""
    return [
        Play(
            strategy=analysis.main.strategy,
            win=Fraction(analysis.main.outcomes.get("win", 0), analysis.total),
            push=Fraction(analysis.main.outcomes.get("push", 0), analysis.total),
            lose=Fraction(analysis.main.outcomes.get("lose", 0), analysis.total),
            analysis=analysis,
        )
        for analysis in analyses
        if analysis.main is not None
    ]


def _way(option: MainWager, analysis: Analysis) -> dict[str, Any]:
    """Return a filed option: how its rounds end, and its figures; ``net`` is minus the edge."""
    return {
        "option": option,
        "play": plays([analysis])[0],
        "ended": [_ended(option, row) for row in analysis.rows],
        "net": sum(row.contribution for row in analysis.rows),
    }


def _ended(option: MainWager, row: RowAnalysis) -> dict[str, Any]:
    """Return how rounds end. Of a second wager: ``unraised``, not made; ``both`` were settled.

    ``bonus`` is what the player's own hand is paid beside it.
    """
    reason = row.reason
    if reason is None:
        raise InvariantBroken(f"The row {row.event} of {option.target} has no reason.")
    return {
        "row": row,
        "push": reason.outcome is Outcome.PUSH,
        "loss": reason.outcome is Outcome.LOSE,
        "unraised": option.raise_ is not None and not reason.raised and not reason.folded,
        "both": option.raise_ is not None and reason.in_action,
        "bonus": next((bonus.pays for bonus in option.bonus if bonus.id == reason.bonus), None),
    }


def _use(uses: Sequence[HouseWayUse], hands: int) -> dict[str, Any]:
    """Return how many hands rules decided, how many the best play sets otherwise, at what cost."""
    decided = sum(use.hands for use in uses)
    return {
        "hands": decided,
        "share": Fraction(decided, hands),
        "otherwise": sum(use.differs_from_optimal or 0 for use in uses),
        "cost": sum(use.cost or 0 for use in uses),
    }


def _costly(submission: Submission) -> tuple[CostlyHand, ...]:
    """Return the hands that the house way sets at the greatest cost, where they are known."""
    for analysis in submission.comparison:
        if analysis.main and analysis.main.costly_hands:
            return analysis.main.costly_hands[:COSTLY_HANDS]
    return ()
