"""The main wager: how rounds end, its figures, other options, the use of the house way."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.errors import InvariantBroken
from certify.model.analysis import Analysis, CostlyHand, HouseWayUse, RowAnalysis
from certify.model.game import Strategy, Wager
from certify.model.main_wager import MainWager, Outcome
from certify.model.submission import Submission
from certify.report.head_view import main_wager
from certify.report.rules.house_way import NumberedRule, rule_numbers
from certify.report.wording import card_text, named

COSTLY_HANDS = 12
"""The hands printed that the house way sets at the greatest cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """An option under one strategy of the player: shares of rounds, and the figures."""

    strategy: str
    win: Fraction
    push: Fraction
    lose: Fraction
    analysis: Analysis


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How rounds end. Of a second wager: ``unraised``, it was not made; ``both`` were settled."""

    row: RowAnalysis
    push: bool
    loss: bool
    unraised: bool
    both: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A filed option: how its rounds end, and its figures; ``net`` is minus the house edge."""

    option: MainWager
    play: Play
    ended: tuple[Ended, ...]
    net: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedHands:
    """How many hands a rule of the house way decided, how many the best play sets otherwise."""

    rule: NumberedRule | None
    hands: int
    share: Fraction
    otherwise: int
    cost: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class CostlyHandInPrint:
    """A hand that the house way sets at a cost, as printed."""

    cards: str
    house_low: str
    best_low: str
    cost: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class MainFigures:
    """What is printed of the main wager; ``weighed``: what each rule costs is known.

    ``house_way`` is empty where hands are not divided; then ``raised`` is the raise that is made or
    not as is best for each hand, where there is one.
    """

    wager: Wager
    house_way: str
    published: str | None
    raised: str
    exposed: bool
    optimal: bool
    several: bool
    ways: tuple[Way, ...]
    others: tuple[Play, ...]
    uses: tuple[DecidedHands, ...]
    total: DecidedHands | None
    weighed: bool
    costly: tuple[CostlyHandInPrint, ...]


def main_figures(submission: Submission) -> MainFigures | None:
    """Return the main wager's figures; None where it was not counted."""
    if submission.main is None:
        return None
    analysis = submission.analyses.get(submission.main.target)
    if analysis is None or analysis.main is None:
        return None
    game, way, rules = submission.game, submission.way, analysis.main.dealer_rule_hands
    return MainFigures(
        wager=main_wager(submission),
        house_way=way.name if way is not None else "",
        published=way.published if way is not None and not game.house_way_in_source else None,
        raised=submission.raised,
        exposed=game.dealer_exposed,
        optimal=analysis.main.strategy is Strategy.OPTIMAL,
        several=len(submission.options) > 1,
        ways=tuple(
            _way(option, submission.analyses[option.target])
            for option in submission.options
            if option.target in submission.analyses
        ),
        others=plays(submission.other_options),
        uses=_uses(submission, rules) if rules else (),
        total=_use(None, rules, submission.frequencies.total) if rules else None,
        weighed=any(rule.differs_from_optimal is not None for rule in rules),
        costly=_costly(submission),
    )


def plays(analyses: Sequence[Analysis]) -> tuple[Play, ...]:
    """Return options with the shares of rounds that are won, pushed and lost."""
    return tuple(
        Play(
            strategy=named("strategy", analysis.main.strategy),
            win=Fraction(analysis.main.outcomes.get("win", 0), analysis.total),
            push=Fraction(analysis.main.outcomes.get("push", 0), analysis.total),
            lose=Fraction(analysis.main.outcomes.get("lose", 0), analysis.total),
            analysis=analysis,
        )
        for analysis in analyses
        if analysis.main is not None
    )


def _way(option: MainWager, analysis: Analysis) -> Way:
    return Way(
        option=option,
        play=plays([analysis])[0],
        ended=tuple(_ended(option, row) for row in analysis.rows),
        net=sum((row.contribution for row in analysis.rows), Fraction(0)),
    )


def _ended(option: MainWager, row: RowAnalysis) -> Ended:
    reason = row.reason
    if reason is None:
        raise InvariantBroken(f"The row {row.event} of {option.target} has no reason.")
    return Ended(
        row=row,
        push=reason.outcome is Outcome.PUSH,
        loss=reason.outcome is Outcome.LOSE,
        unraised=option.raise_ is not None and not reason.raised and not reason.folded,
        both=option.raise_ is not None and reason.in_action,
    )


def _uses(submission: Submission, rules: Sequence[HouseWayUse]) -> tuple[DecidedHands, ...]:
    """Return the use of each rule, in the order of the rules' numbers."""
    numbers, hands = rule_numbers(submission.house_way), submission.frequencies.total
    order = sorted(rules, key=lambda use: [*map(int, numbers[use.rule].number.split("."))])
    return tuple(_use(numbers[use.rule], [use], hands) for use in order)


def _use(rule: NumberedRule | None, uses: Sequence[HouseWayUse], hands: int) -> DecidedHands:
    decided = sum(use.hands for use in uses)
    return DecidedHands(
        rule=rule,
        hands=decided,
        share=Fraction(decided, hands),
        otherwise=sum(use.differs_from_optimal or 0 for use in uses),
        cost=sum((use.cost or Fraction(0) for use in uses), Fraction(0)),
    )


def _costly(submission: Submission) -> tuple[CostlyHandInPrint, ...]:
    """Return the hands that the house way sets at the greatest cost, where they are known."""
    hands: tuple[CostlyHand, ...] = next(
        (
            analysis.main.costly_hands
            for analysis in submission.comparison
            if analysis.main and analysis.main.costly_hands
        ),
        (),
    )
    return tuple(
        CostlyHandInPrint(
            cards=" ".join(card_text(code) for code in hand.cards),
            house_low=_low_hand(hand.house_front),
            best_low=_low_hand(hand.best_front),
            cost=hand.cost,
        )
        for hand in hands[:COSTLY_HANDS]
    )


def _low_hand(ranks: str) -> str:
    """Return the ranks of a low hand as cards are printed: ``A-10``, ``Joker-K``."""
    return ranks.replace("T", "10").replace("Jk", "Joker")
