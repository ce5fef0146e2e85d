"""How the rounds of a base game end under one option: what each way pays, and how often.

The kernels only compare hands; here the comparison meets the option's dealer rules, pays,
commission and raise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from certify.errors import NotConfigured
from certify.formatting import exact_percentage
from certify.model.analysis import CostlyHand, HouseWayUse
from certify.model.main_wager import DealerRule, MainWager, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """One way a round can end: what the player nets per unit of the main wager, and how often.

    ``raised`` says that a raise was made, whether it had action or not.
    """

    id: str
    name: str
    pays: str
    outcome: Outcome
    net: Fraction
    deals: int
    raised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """Every way a round can end; the deals sum to ``total``. ``uses`` is the house way's audit."""

    total: int
    outcomes: tuple[OutcomeCount, ...]
    uses: tuple[HouseWayUse, ...]
    costly_hands: tuple[CostlyHand, ...] = ()


class Tally(NamedTuple):
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
    win, lose = _win_net(option, rule), -_lose_net(option)
    return win, lose, size * win, size * lose


def read(option: MainWager, truth: Sequence[bool]) -> tuple[DealerRule | None, bool]:
    """Return the dealer rule that decides, and whether the dealer's hand qualifies for a raise."""
    rules = zip(option.dealer_rules, truth, strict=False)
    rule = next((one for one, holds in rules if holds), None)
    return rule, option.raise_ is not None and bool(truth[-1])


def staked(option: MainWager) -> Fraction:
    """Return what is staked in a round without a raise, a commission posted in advance included."""
    if option.commission is not None and option.commission.prepaid:
        return 1 + option.commission.rate
    return Fraction(1)


def _win_net(option: MainWager, rule: DealerRule | None) -> Fraction:
    pays = rule.win_pays if rule is not None and rule.win_pays is not None else option.win_pays
    if option.commission is not None and not option.commission.prepaid:
        return pays.net * (1 - option.commission.rate)
    return pays.net


def _lose_net(option: MainWager) -> Fraction:
    return -staked(option)


def settled(
    option: MainWager,
    rule: DealerRule | None,
    tally: Tally,
    *,
    raised: bool = False,
    qualifies: bool = False,
) -> Iterator[OutcomeCount]:
    """Yield how the deals against one kind of dealer hand end."""
    if rule is not None and rule.outcome is not None:
        # The round ends before hands are compared, so a raise has no action.
        suffix, words = ("_raised", _raise_pushes(option)) if raised else ("", "")
        nets = {Outcome.WIN: _win_net(option, rule), Outcome.PUSH: Fraction(0)}
        yield OutcomeCount(
            id=rule.id + suffix,
            name=rule.text + words,
            pays=str(rule.outcome),
            outcome=rule.outcome,
            net=nets.get(rule.outcome, _lose_net(option)),
            deals=tally.total,
            raised=raised,
        )
        return
    action = 1 + option.raise_.size if option.raise_ is not None and raised and qualifies else 1
    suffix, words = _raise_words(option, raised=raised, qualifies=qualifies)
    win = "win" if rule is None else rule.id
    commission = option.commission
    rate = (
        f" less {exact_percentage(commission.rate)}"
        if commission and not commission.prepaid
        else ""
    )
    pays = rule.win_pays if rule is not None and rule.win_pays is not None else option.win_pays
    for name, text, paid, outcome, net, deals in (
        (win, rule.text if rule else "Both hands won", f"{pays}{rate}", Outcome.WIN,
         _win_net(option, rule) * action, tally.win),
        ("push", "One hand won, one lost or tied", "push", Outcome.PUSH, Fraction(0), tally.push),
        ("lose", "Both hands lost or tied", "loss", Outcome.LOSE, _lose_net(option) * action,
         tally.lose),
    ):  # fmt: skip
        yield OutcomeCount(
            id=name + suffix,
            name=text + words,
            pays=paid,
            outcome=outcome,
            net=net,
            deals=deals,
            raised=raised,
        )


def _raise_words(option: MainWager, *, raised: bool, qualifies: bool) -> tuple[str, str]:
    if option.raise_ is None or not raised:
        return "", ""
    if qualifies:
        return "_raised", f", {option.raise_.name} in action"
    return "_raised_not_qualified", _raise_pushes(option)


def _raise_pushes(option: MainWager) -> str:
    return f", {option.raise_.name} pushes" if option.raise_ is not None else ""


def merged(outcomes: Sequence[OutcomeCount]) -> tuple[OutcomeCount, ...]:
    """Return one entry for each way to end, wins first, then pushes, then losses.

    Raises:
        NotConfigured: two ways to end that are settled differently have one id.
    """
    found: dict[str, OutcomeCount] = {}
    for one in outcomes:
        known = found.setdefault(one.id, replace(one, deals=0))
        if (known.outcome, known.net, known.raised) != (one.outcome, one.net, one.raised):
            raise NotConfigured(
                f"Two ways in which a round can end are both called {one.id!r}.",
                remedy="Give every dealer rule an id of its own.",
            )
        found[one.id] = replace(known, deals=known.deals + one.deals)
    order = list(Outcome)
    return tuple(sorted(found.values(), key=lambda one: order.index(one.outcome)))
