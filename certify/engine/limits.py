"""Aggregate payout limits and the reduction of the return of a wager.

A limit counts the amounts paid at odds for one deal: of "x to 1" the x, without the returned wager;
of "x for 1" all x. Envy prizes and shares of a meter are paid in addition to it. A row of odds x
pays a wager of w under a separate limit of L min(x w, L).

If others are paid under the same limit, the reduction depends on who wins at the same time, and is
given between two bounds. The least is the reduction while nobody else wins. The greatest follows
from
(P1 + ... + Pn - L)+ <= (P1 - L/n)+ + ... + (Pn - L/n)+, which holds for any dependence of the pays
P: together they lose no more than if each had an equal part of the limit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from certify.engine.bonus import evaluate_dynamic
from certify.engine.main.outcomes import settle_rows, stake_units
from certify.errors import NotConfigured
from certify.model.analysis import (
    EACH_DOLLAR,
    Analysis,
    GreatestWin,
    LimitAnalysis,
    LimitedFigures,
)
from certify.model.jurisdiction import AggregateLimit, Scope
from certify.model.main_wager import MainWager
from certify.model.paytable import Payout, Paytable


class Pay(NamedTuple):
    """One possible result of a round: probability, net result and amount paid at odds, per unit."""

    probability: Fraction
    net: Fraction
    paid: Fraction


MOST_STEPS = 10_000
"""Wagers that are tried for the first at which a limit binds; a commission of 5% takes dozens."""


class Bet(Struct, frozen=True, kw_only=True):
    """One record of a wager with its exact figures, and the least and greatest wager in cents."""

    record: Paytable | MainWager
    analysis: Analysis
    least: int = 1
    greatest: int | None = None

    def settle_as(self, option: MainWager) -> "Bet":
        """Return the bet with the results of another form of its option, played as counted."""
        rows = settle_rows(option, self.analysis.rows)
        return replace(self, record=option, analysis=replace(self.analysis, rows=rows))

    def at_wager(self, cents: int) -> "Bet":
        """Return the bet with the fee and the commission of a wager of ``cents``."""
        option = self.record
        if not isinstance(option, MainWager) or not option.depends_on_wager:
            return self
        return self.settle_as(option.scale_to(cents))

    @property
    def unit(self) -> Fraction:
        """The stake per cent wagered: more than 1 with a commission paid in advance."""
        return stake_units(self.record) if isinstance(self.record, MainWager) else Fraction(1)

    @property
    def pays(self) -> tuple[Pay, ...]:
        """Every row; the pay of a main wager is its win less commission."""
        nets = [
            (row.probability, row.contribution / row.probability)
            for row in self.analysis.rows
            if row.combinations
        ]
        if isinstance(self.record, MainWager):
            return tuple(_main_pays(self.record, self.analysis))
        paid = {row.event: _paid(row.payout) for row in self.record.rows}
        events = [row.event for row in self.analysis.rows if row.combinations]
        return tuple(
            Pay(chance, net, paid.get(event, Fraction(0)))
            for event, (chance, net) in zip(events, nets, strict=True)
        )

    @property
    def top(self) -> Fraction:
        """The greatest amount paid at odds per unit, including dynamic pays.

        Rows without hands count only by their dynamic pays.
        """
        drawn = (
            [_paid(pay) for row in self.record.rows for pay in row.dynamic]
            if isinstance(self.record, Paytable)
            else []
        )
        return max([*drawn, *(pay.paid for pay in self.pays)])


def _main_pays(option: MainWager, analysis: Analysis) -> Iterator[Pay]:
    """Yield the pay of every row of a main wager, including a pay for the hand with a loss."""
    fee = option.fee_rate / stake_units(option)
    for row in analysis.rows:
        if row.combinations:
            apart = option.paid_apart(row.reason) if row.reason else Fraction(0)
            apart /= stake_units(option)
            net = row.contribution / row.probability
            yield Pay(row.probability, net, max(net - apart + fee, Fraction(0)) + apart)


def apply_limits(
    bet: Bet,
    limits: Sequence[AggregateLimit],
    *,
    bets: Sequence[Bet],
    seats: int,
    cents_wagered: int | None = None,
) -> LimitAnalysis:
    """Return the figures of a bet under the limits of its wager.

    Args:
        bet: the bet.
        limits: the limits of its wager, at least one.
        bets: every bet of a player, including this one; those of other wagers may share a limit.
        seats: the players who may be paid under a limit for the table.
        cents_wagered: the wager in cents for the figures, instead of the amounts that decide.
    """
    above = _find_binding_wager(bet, limits, bets, seats)
    return LimitAnalysis(
        limits=tuple(limits),
        binds_above_cents=above,
        amounts=()
        if above is None
        else tuple(
            _figures(bet, limits, bets, seats, cents)
            for cents in _amounts(bet, above, cents_wagered)
        ),
        open=above is not None and bet.greatest is None and cents_wagered is None,
        counted_cents=bet.record.wager_cents
        if isinstance(bet.record, MainWager) and bet.record.depends_on_wager
        else None,
    )


def find_greatest_win(bet: Bet, limits: Iterable[AggregateLimit]) -> GreatestWin | None:
    """Return the greatest win at the largest wager; None if the pays do not depend on it."""
    option, cents = bet.record, bet.greatest
    if not isinstance(option, MainWager) or not option.depends_on_wager:
        return None
    at_most = bet.at_wager(cents) if cents else bet.settle_as(_without_charges(option))
    stake = (cents or EACH_DOLLAR) * at_most.unit
    caps = [limit.cents / stake for limit in limits]
    return GreatestWin(
        free_cents=stake * _top_award(at_most, at_most.top),
        cents=stake * _top_award(at_most, min([at_most.top, *caps])),
    )


def _without_charges(option: MainWager) -> MainWager:
    return replace(option, fee=None, commission=None)


def _amounts(bet: Bet, above: Fraction, cents_wagered: int | None) -> list[int]:
    """Return the amounts that decide, in cents and rising: those at which a pay is cut."""
    if isinstance(bet.record, MainWager) and bet.record.depends_on_wager:
        cents_wagered = bet.record.wager_cents
    if cents_wagered is not None:
        return [cents_wagered] if cents_wagered > above else []
    first = max(bet.least, int(above) + 1)
    envy = bet.analysis.envy
    amounts = {first, bet.greatest or first}
    amounts |= {envy.wager_cents} if envy is not None else set()
    most = bet.greatest
    return sorted(cents for cents in amounts if cents >= first and (most is None or cents <= most))


def _find_binding_wager(
    bet: Bet, limits: Sequence[AggregateLimit], bets: Sequence[Bet], seats: int
) -> Fraction | None:
    """Return the wager in cents above which one of the limits can cut a pay; None for never."""
    remainders = []
    for limit in limits:
        others = [_most_paid(bets, name) for name in _others(bet, limit)]
        remainder = Fraction(limit.cents, _players(limit, seats))
        limited = [most for most in others if most is not None]
        remainders.append(remainder - sum(limited) if len(limited) == len(others) else Fraction(0))
    remainder = max(min(remainders), Fraction(0))
    if isinstance(bet.record, MainWager) and bet.record.depends_on_wager:
        return _find_last_uncut(bet, bet.record, remainder)
    return remainder / (bet.top * bet.unit) if bet.top else None


def _find_last_uncut(bet: Bet, option: MainWager, remainder: Fraction) -> Fraction | None:
    """Return the wager in cents up to which no pay exceeds ``remainder``; None for every wager.

    Neither a fee nor a commission falls with the wager: one cent more is paid at most what it is
    paid without them. So no pay is cut before the excess can be made up at that rate.

    Raises:
        NotConfigured: the commission leaves so little of a win that this takes too many steps.
    """
    commission = option.commission
    exact = commission and replace(commission, unit_cents=None, minimum_cents=None)
    if not bet.settle_as(replace(option, fee=None, commission=exact)).top:
        return None
    free = bet.settle_as(_without_charges(option))
    cents = 0
    left = remainder
    for _ in range(MOST_STEPS):
        cents += max(1, ceil(left / free.top))
        at_wager = bet.at_wager(cents)
        left = remainder - cents * at_wager.unit * at_wager.top
        if left < 0:
            return Fraction(cents - 1)
    raise NotConfigured(
        f"The commission of {option.target} leaves too little of a win to find the wager above "
        "which a payout limit binds.",
        remedy="Correct the commission, or state no payout limit of this wager.",
        pointer="/commission",
    )


def _most_paid(bets: Iterable[Bet], wager: str) -> Fraction | None:
    """Return the most that a wager can be paid, in cents; None if its largest amount is unknown."""
    offered = _offered_at_most(bets, wager)
    if offered is None:
        return None
    return max((staked * other.top for other, staked in offered), default=Fraction(0))


def _offered_at_most(bets: Iterable[Bet], wager: str) -> list[tuple[Bet, Fraction]] | None:
    """Return the bets on a wager at their greatest amounts, with the stakes in cents.

    None if the greatest amount of one that pays odds is unknown.
    """
    offered = []
    for bet in bets:
        if bet.record.wager == wager and bet.greatest is not None:
            at_most = bet.at_wager(bet.greatest)
            offered.append((at_most, bet.greatest * at_most.unit))
        elif bet.record.wager == wager and bet.top:
            return None
    return offered


def _figures(
    bet: Bet, limits: Sequence[AggregateLimit], bets: Sequence[Bet], seats: int, cents: int
) -> LimitedFigures:
    stake = cents * bet.unit
    cap = min(limit.cents for limit in limits) / stake
    most = _greatest_cut(bet, limits, bets, seats, stake)
    shared = any(limit.is_shared for limit in limits)
    nets = [(pay.probability, pay.net - max(pay.paid - cap, Fraction(0))) for pay in bet.pays]
    mean = sum((chance * net for chance, net in nets), Fraction(0))
    edge = bet.analysis.house_edge
    cost = _cut(bet.pays, cap)
    return LimitedFigures(
        wager_cents=cents,
        cost=cost,
        greatest_cost=None if most is None else min(most, _cut(bet.pays, Fraction(0))),
        top_award=_top_award(bet, cap),
        top_cents=_top_award(bet, cap) * stake,
        variance=None
        if shared or edge is None
        else sum((chance * (net - mean) ** 2 for chance, net in nets), Fraction(0)),
        house_edge_by_players={} if shared else _edges_by_players(bet.analysis, cost, cents),
        break_evens=() if shared else _break_evens(bet.analysis, cost),
        dynamic=None if shared else _range_of_draw(bet, cap),
    )


def _greatest_cut(
    bet: Bet, limits: Iterable[AggregateLimit], bets: Sequence[Bet], seats: int, stake: Fraction
) -> Fraction | None:
    """Return a bound of the mean cut per unit; None where another wager has no greatest amount.

    A limit cuts this wager by at most the excess over it: a cut by a later limit makes the sum of
    cuts the excess over that one. So the sum is at most the greatest excess, of which this wager
    has what it is paid above the least equal part, and each other wager what it is paid above its
    equal part of the limit. Limits for a player are applied before those for the table.
    """
    parts = []
    others = Fraction(0)
    for limit in limits:
        part = Fraction(limit.cents, _players(limit, seats) * len(limit.wagers))
        parts.append(part / stake)
        for name in _others(bet, limit):
            offered = _offered_at_most(bets, name)
            if offered is None:
                return None
            costs = (staked * _cut(other.pays, part / staked) for other, staked in offered)
            others += max(costs, default=Fraction(0))
    return _cut(bet.pays, min(parts)) + others / stake


def _others(bet: Bet, limit: AggregateLimit) -> list[str]:
    return [name for name in limit.wagers if name != bet.record.wager]


def _players(limit: AggregateLimit, seats: int) -> int:
    return seats if limit.scope is Scope.TABLE else 1


def _cut(pays: Iterable[Pay], cap: Fraction) -> Fraction:
    """Return the reduction of the mean pay by a limit of ``cap``, all per unit."""
    cuts = (pay.probability * (pay.paid - cap) for pay in pays if pay.paid > cap)
    return sum(cuts, Fraction(0))


def _top_award(bet: Bet, cap: Fraction) -> Fraction:
    """Return the greatest net win per unit, including dynamic pays."""
    awards = [pay.net - max(pay.paid - cap, Fraction(0)) for pay in bet.pays]
    if isinstance(bet.record, Paytable):
        awards += [_cap_payout(pay, cap).net for row in bet.record.rows for pay in row.dynamic]
    return max(awards)


def _edges_by_players(analysis: Analysis, cost: Fraction, cents: int) -> Mapping[int, Fraction]:
    """Return the house edge by number of players at this wager, with the prizes in full."""
    envy = analysis.envy
    if envy is None or analysis.house_edge is None:
        return {}
    paid = cents >= envy.qualifying_wager_cents
    scale = Fraction(envy.wager_cents * paid, cents)
    return {
        players: analysis.house_edge + cost + (edge - analysis.house_edge) * scale
        for players, edge in envy.house_edge_by_players.items()
    }


def _break_evens(analysis: Analysis, cost: Fraction) -> tuple[tuple[str, Fraction], ...]:
    """Return the break-even of each meter: lower fixed pays need a higher meter."""
    if analysis.progressive is None:
        return ()
    return tuple(
        (meter.level, meter.break_even + cost / meter.weight)
        for meter in analysis.progressive.meters
    )


def _range_of_draw(bet: Bet, cap: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return the least and greatest return added by a draw, with every pay under the limit."""
    if not isinstance(bet.record, Paytable) or bet.record.dynamic is None:
        return None
    rows = tuple(
        replace(
            row,
            payout=_cap_payout(row.payout, cap),
            dynamic=tuple(_cap_payout(pay, cap) for pay in row.dynamic),
        )
        for row in bet.record.rows
    )
    chances = [row.probability for row in bet.analysis.rows]
    drawn = evaluate_dynamic(replace(bet.record, rows=rows), chances)
    return None if drawn is None else (drawn.least, drawn.greatest)


def _cap_payout(payout: Payout, cap: Fraction) -> Payout:
    return replace(payout, amount=min(payout.amount, cap)) if payout.is_odds else payout


def _paid(payout: Payout) -> Fraction:
    """Return the pay of a payout at odds per unit; 0 for a push, a loss or a meter."""
    return payout.amount if payout.is_odds else Fraction(0)
