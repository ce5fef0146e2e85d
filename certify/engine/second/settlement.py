"""Settlements of rounds in the recount, and its ties.

Results and pays come from the option alone; `engine.main.outcomes` is not used.

The recount gives the pairs in which the player wins both hands and those in which the dealer does,
with each tie taken by one side. The counts for the four ways to take ties determine how many pairs
end in each of the nine results of two comparisons. The exceptions are the two results in which each
side wins one hand: both push.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar

from certify.engine.second.forms import TiesTaken
from certify.engine.second.tables import Integers, ends_table
from certify.kernels.plain.hands import LOSE, PUSH, WIN
from certify.model.condition import Condition
from certify.model.main_wager import Action, HandBonus, MainWager, Outcome, Tie, Ties
from certify.model.paytable import Rounding

Truths = tuple[bool, ...]
Ended = Mapping[tuple[Action, Truths, Outcome, HandBonus | None], int]
"""Pairs by what the player did, which conditions the dealer's hand meets, the result, and what the
player's hand is paid beside it."""

PLAIN: Final = Action()

ALL_OTHER: Final = "all_other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Pairs of hands by row, and the house edge that follows; rows that never come are left out.

    ``edge`` is per unit staked, with a raise per unit of the first wager. None where a wager's
    edge does not follow from the counts alone.
    """

    rows: Mapping[str, int]
    edge: Fraction | None = None

    @property
    def total(self) -> int:
        """The number of pairs."""
        return sum(self.rows.values())


def conditions_of(option: MainWager) -> tuple[Condition, ...]:
    """Return what is asked of the dealer's hand: the option's rules, and what a raise needs."""
    qualifies = (option.raise_.qualifies,) if option.raise_ is not None else ()
    return (*(rule.when for rule in option.dealer_rules), *qualifies)


def row_of(
    option: MainWager,
    truths: Sequence[bool],
    result: Outcome,
    action: Action = PLAIN,
    bonus: HandBonus | None = None,
) -> tuple[str, Fraction]:
    """Return the name of the way a round ends, and what it nets, a bonus of the own hand included.

    Args:
        option: the rules.
        truths: see `_row_of`.
        result: what the comparison of the hands says.
        action: what the player did.
        bonus: what the player's hand is paid, unless it is folded.
    """
    name, net = _row_of(option, truths, result, action)
    if bonus is None or action.folded:
        return name, net
    return f"{name}_bonus_{bonus.id}", net + bonus.pays.net


def _row_of(
    option: MainWager, truths: Sequence[bool], result: Outcome, action: Action
) -> tuple[str, Fraction]:
    """Return the name of the way a round ends, and what the player nets per unit of the wager.

    Args:
        option: the rules.
        truths: whether each of `conditions_of` holds; more may follow where there is no raise.
        result: what the comparison of the hands says.
        action: what the player did.
    """
    rules = zip(option.dealer_rules, truths, strict=False)
    rule = next((candidate for candidate, holds in rules if holds), None)
    decided = rule is not None and rule.outcome is not None
    ends = rule.outcome if rule is not None and rule.outcome is not None else result
    pays = rule.win_pays if rule is not None and rule.win_pays is not None else option.win_pays
    win = pays.net
    if option.commission is not None and not option.commission.prepaid:
        win -= _charged(option, win)
    net = {Outcome.WIN: win, Outcome.PUSH: Fraction(0), Outcome.LOSE: -_staked(option)}
    name = rule.id if rule is not None and (decided or ends is Outcome.WIN) else str(ends)
    if action.folded:
        return "lose_folded", net[Outcome.LOSE]
    if not action.size:
        return name, net[ends]
    name = f"{name}_raised{'_largest' if action.largest else ''}"
    if decided:
        return name, net[ends]
    if truths[len(option.dealer_rules)]:
        return name, net[ends] * (1 + action.size)
    return f"{name}_not_qualified", net[ends]


def actions_of(option: MainWager) -> tuple[Action, ...]:
    """Return what the player may do: not raise, or fold, and raise by every size there is."""
    raised = option.raise_
    if raised is None:
        return (PLAIN,)
    sizes = range(int(raised.size), int(raised.largest or raised.size) + 1)
    return (
        Action(folded=raised.fold is not None),
        *(Action(size=Fraction(size), largest=size > raised.size) for size in sizes),
    )


def settle(option: MainWager, ended: Ended) -> Counted:
    """Return the rows of an option and its house edge."""
    rows: Counter[str] = Counter()
    won = Fraction(0)
    fee = _fee(option)
    for (action, truths, result, bonus), pairs in ended.items():
        name, net = row_of(option, truths, result, action, bonus)
        rows[name] += pairs
        won += (net - fee) * pairs
    return Counted(rows=+rows, edge=-won / (_staked(option) * rows.total()))


def _fee(option: MainWager) -> Fraction:
    """Return the fee of every round per unit of the wager: that of the greatest band it reaches."""
    wager, bands = option.wager_cents, option.fee.bands if option.fee is not None else ()
    reached = [(band.from_cents, band.cents) for band in bands if band.from_cents <= (wager or 0)]
    return Fraction(max(reached)[1], wager or 1) if reached else Fraction(0)


def _staked(option: MainWager) -> Fraction:
    """Return what is staked for each unit wagered, a commission posted in advance included."""
    if option.commission is None or not option.commission.prepaid:
        return Fraction(1)
    return 1 + _charged(option, Fraction(1))


def _charged(option: MainWager, units: Fraction) -> Fraction:
    """Return the commission of an amount, both in units of the wager, rounded by remainders."""
    commission, wager = option.commission, option.wager_cents
    if commission is None:
        return Fraction(0)
    share = commission.rate * units
    if wager is None or (commission.unit_cents is None and commission.minimum_cents is None):
        return share
    cents = share * wager
    if commission.unit_cents is not None:
        over = cents % commission.unit_cents
        cents -= over
        up = over > 0 and commission.rounding is Rounding.UP
        near = 2 * over >= commission.unit_cents and commission.rounding is Rounding.NEAREST
        cents += commission.unit_cents if up or near else 0
    if commission.minimum_cents is not None and cents < commission.minimum_cents:
        cents = Fraction(commission.minimum_cents)
    return cents / wager


Number = TypeVar("Number", int, Integers)

EVERY: Final = tuple(
    TiesTaken(high=high, low=low) for high in (False, True) for low in (False, True)
)
"""Nobody's ties, those of the low hands, of the high hands, of both are the player's."""


def takings(ties: Ties) -> tuple[TiesTaken, ...]:
    """Return the ways to take ties that must be counted: one where somebody takes each of them."""
    split = {ties.high, ties.low} == {Tie.PLAYER, Tie.DEALER}
    if {ties.high, ties.low} <= {Tie.PLAYER, Tie.DEALER} and (split or not ties.both_push):
        return (TiesTaken(high=ties.high is Tie.PLAYER, low=ties.low is Tie.PLAYER),)
    return EVERY


def won_and_lost(ties: Ties, counted: Sequence[tuple[Number, Number]]) -> tuple[Number, Number]:
    """Return the pairs won and lost, from those of `takings` in their order."""
    if len(counted) == 1:
        return counted[0]
    (won, lost), (won_low, lost_low), (won_high, lost_high), (won_both, lost_both) = counted
    compared = {
        (WIN, WIN): won,
        (WIN, PUSH): won_low - won,
        (PUSH, WIN): won_high - won,
        (PUSH, PUSH): won_both - won_high - won_low + won,
        (PUSH, LOSE): lost_low - lost_both,
        (LOSE, PUSH): lost_high - lost_both,
        (LOSE, LOSE): lost_both,
    }
    ends, nothing = ends_table(ties), lost - lost
    win, lose = (
        sum((pairs for hands, pairs in compared.items() if ends[hands] == end), nothing)
        for end in (WIN, LOSE)
    )
    return win, lose
