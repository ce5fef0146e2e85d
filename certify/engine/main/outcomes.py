"""How the rounds of a main wager end under one option: what each way pays, and how often.

The kernels only compare hands; here the comparison meets the option's dealer rules, pays,
commission and raise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from certify.errors import NotConfigured
from certify.model.analysis import CostlyHand, HouseWayUse
from certify.model.main_wager import DealerRule, MainWager, Outcome, OutcomeReason, Tie, Ties


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """One way a round can end: what the player nets per unit of the main wager, and how often."""

    reason: OutcomeReason
    name: str
    pays: str
    net: Fraction
    deals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """Every way a round can end; the deals sum to ``total``. ``uses`` is the house way's audit."""

    total: int
    outcomes: tuple[OutcomeCount, ...]
    uses: tuple[HouseWayUse, ...]
    costly_hands: tuple[CostlyHand, ...] = ()


class DealCounts(NamedTuple):
    """Deals against one kind of dealer hand, by what the comparison of hands says."""

    total: int
    win: int
    lose: int

    @property
    def push(self) -> int:
        """Deals in which each side wins one of the two hands."""
        return self.total - self.win - self.lose


def worths(option: MainWager, truth: Sequence[bool]) -> tuple[Fraction, ...]:
    """Return what winning gains and losing costs against one kind of dealer hand, then raised."""
    rule, qualifies = read(option, truth)
    if rule is not None and rule.outcome is not None:
        return (Fraction(0),) * 4
    size = option.raise_.size if option.raise_ is not None and qualifies else Fraction(0)
    win, lose = option.net_of_a_win(rule), staked(option)
    return win, lose, size * win, size * lose


def read(option: MainWager, truth: Sequence[bool]) -> tuple[DealerRule | None, bool]:
    """Return the dealer rule that decides, and whether the dealer's hand qualifies for a raise."""
    rules = zip(option.dealer_rules, truth, strict=False)
    rule = next((candidate for candidate, holds in rules if holds), None)
    return rule, option.raise_ is not None and bool(truth[-1])


def staked(option: MainWager) -> Fraction:
    """Return what is staked in a round without a raise, a commission posted in advance included."""
    return 1 + option.posted


def settled(
    option: MainWager,
    rule: DealerRule | None,
    tally: DealCounts,
    *,
    raised: bool = False,
    qualifies: bool = False,
) -> Iterator[OutcomeCount]:
    """Yield how the deals against one kind of dealer hand end."""
    if rule is not None and rule.outcome is not None:
        # The round ends before hands are compared, so a raise has no action.
        nets = {Outcome.WIN: option.net_of_a_win(rule), Outcome.PUSH: Fraction(0)}
        reason = OutcomeReason(outcome=rule.outcome, rule=rule.id, compared=False, raised=raised)
        yield OutcomeCount(
            reason=reason,
            name=f"{rule.text}{_of_the_raise(option, reason)}",
            pays=str(rule.outcome),
            net=nets.get(rule.outcome, -staked(option)) - option.collected,
            deals=tally.total,
        )
        return
    won, pushed, lost = _compared(option.ties)
    action = 1 + option.raise_.size if option.raise_ is not None and raised and qualifies else 1
    decided = rule.id if rule is not None else None
    for outcome, by, text, pays, net, deals in (
        (Outcome.WIN, decided, rule.text if rule else won, option.win_in_words(rule),
         option.net_of_a_win(rule), tally.win),
        (Outcome.PUSH, None, pushed, "push", Fraction(0), tally.push),
        (Outcome.LOSE, None, lost, "loss", -staked(option), tally.lose),
    ):  # fmt: skip
        reason = OutcomeReason(
            outcome=outcome, rule=by, raised=raised, qualified=raised and qualifies
        )
        yield OutcomeCount(
            reason=reason,
            name=f"{text}{_of_the_raise(option, reason)}",
            pays=pays,
            net=net * action - option.collected,
            deals=deals,
        )


def _compared(ties: Ties) -> tuple[str, str, str]:
    """Return what a win, a push and a loss by comparison are called."""
    if ties == Ties():
        return "Both hands won", "One hand won, one lost or tied", "Both hands lost or tied"
    if ties == Ties(high=Tie.PLAYER, low=Tie.PLAYER):
        return "Both hands won or tied", "One hand won or tied, one lost", "Both hands lost"
    return "Won by comparison", "Pushed by comparison", "Lost by comparison"


def _of_the_raise(option: MainWager, reason: OutcomeReason) -> str:
    """Return what a row's name adds about a raise that was made."""
    if option.raise_ is None or not reason.raised:
        return ""
    return f", {option.raise_.name} {'in action' if reason.in_action else 'pushes'}"


def merged(outcomes: Sequence[OutcomeCount]) -> tuple[OutcomeCount, ...]:
    """Return one entry for each way to end, wins first, then pushes, then losses.

    Raises:
        NotConfigured: two ways to end that are settled differently have one id.
    """
    by_key: dict[str, OutcomeCount] = {}
    for outcome in outcomes:
        name = outcome.reason.key
        known = by_key.setdefault(name, replace(outcome, deals=0))
        if (known.reason, known.net) != (outcome.reason, outcome.net):
            raise NotConfigured(
                f"Two ways in which a round can end are both called {name!r}.",
                remedy="Give every dealer rule an id of its own.",
            )
        by_key[name] = replace(known, deals=known.deals + outcome.deals)
    order = list(Outcome)
    return tuple(sorted(by_key.values(), key=lambda outcome: order.index(outcome.reason.outcome)))
