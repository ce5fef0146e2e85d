"""The unknowns of a paytable: their bounds, their weights, and the resulting paytables."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from msgspec import Struct
from msgspec.structs import replace

from certify.engine.pay_band import Band, Moved, Part, Payoffs, Variable
from certify.errors import NotConfigured
from certify.model.analysis import Analysis, Bounds, Kind, Unknown
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable, Row

ODDS = (Basis.TO, Basis.FOR)

Amounts = Mapping[Unknown, int | None]
"""By unknown: units of the wager as printed, or cents; None for a removed row."""


class Table(Struct, frozen=True, kw_only=True):
    """A paytable with its envy table, whose amounts are sought."""

    paytable: Paytable
    envy: EnvyTable | None

    def row(self, unknown: Unknown) -> Row:
        """Return the row that is open."""
        return next(row for row in self.paytable.rows if row.event == unknown.id)

    def basis(self, unknown: Unknown) -> Basis:
        """Return the basis of the pay of an unknown row: its own, or the first one of the table."""
        payouts = [self.row(unknown).payout, *(row.payout for row in self.paytable.rows)]
        return next((payout.basis for payout in payouts if payout.basis in ODDS), Basis.TO)

    def offset(self, unknown: Unknown) -> int:
        """Return the amount minus its net value: 1 for pays "for one"."""
        return int(unknown.kind is Kind.ROW and self.basis(unknown) is Basis.FOR)

    def present(self, unknown: Unknown) -> Fraction | None:
        """Return the declared amount: 0 for a push or a loss, None if not declared."""
        if unknown.kind is Kind.ROW:
            payout = self.row(unknown).payout
            return payout.amount if payout.basis in ODDS else Fraction(0)
        if unknown.kind is Kind.METER:
            seeds = {meter.level: meter.seed_cents for meter in self.paytable.meters}
            seed = seeds[unknown.id]
            return None if seed is None else Fraction(seed)
        prizes = {row.event: row.prize_cents for row in self.envy.rows} if self.envy else {}
        return Fraction(prizes[unknown.id])


def replace_amounts(table: Table, amounts: Amounts) -> Table:
    """Return the table with these amounts; a meter has its amount for a seed."""
    by_kind = {
        kind: {unknown.id: (unknown, amount) for unknown, amount in amounts.items()
               if unknown.kind is kind}
        for kind in Kind
    }  # fmt: skip
    rows, prizes, meters = (by_kind[kind] for kind in Kind)
    paid = []
    for row in table.paytable.rows:
        unknown, amount = rows.get(row.event, (None, 0))
        if unknown is None:
            paid.append(row)
        elif amount is not None:
            payout = Payout(basis=table.basis(unknown), amount=Fraction(amount))
            paid.append(replace(row, payout=payout))
    paytable, envy = replace(table.paytable, rows=tuple(paid)), table.envy
    if paytable.progressive is not None and meters:
        declared = tuple(
            replace(meter, seed_cents=meters[meter.level][1]) if meter.level in meters else meter
            for meter in paytable.meters
        )
        progressive = replace(paytable.progressive, meters=declared)
        paytable = replace(paytable, progressive=progressive)
    if envy is not None and prizes:
        won = (
            replace(row, prize_cents=prizes[row.event][1] or 0) if row.event in prizes else row
            for row in envy.rows
        )
        envy = replace(envy, rows=tuple(won))
    return Table(paytable=paytable, envy=envy)


def find_bounds(
    table: Table, unknowns: Sequence[Unknown], starting_bounds: Mapping[Unknown, Bounds], step: int
) -> dict[Unknown, Bounds]:
    """Return the values that pays and prizes may have, as given or between their neighbors.

    Without a neighbor above it is twice the greatest pay, without one below 1 or one step. Meters
    are left to `meter_bounds`.

    Raises:
        NotConfigured: the neighbors of an unknown leave it nothing.
    """
    bounds = dict(starting_bounds)
    for pays, least in ((_pays(table), 1), (_prizes(table), step)):
        for place, (unknown, _) in enumerate(pays):
            if unknown not in unknowns or unknown in starting_bounds:
                continue
            fixed = [None if rung in unknowns else amount for rung, amount in pays]
            above = [amount for amount in fixed[:place] if amount is not None]
            below = [amount for amount in fixed[place + 1 :] if amount is not None]
            offset, size = table.offset(unknown), 1 if unknown.kind is Kind.ROW else step
            greatest = max(amount for _, amount in pays) + offset
            top = above[-1] + offset if above else 2 * greatest
            bottom = below[0] + offset if below else Fraction(0)
            low, high = max(least, ceil(bottom / size) * size), floor(top / size) * size
            if low > high:
                raise NotConfigured(
                    f"There is no whole number for {unknown} between its neighbors: the "
                    "pays around it rise.",
                    remedy=f"Set its range: --bound {unknown}=LOW..HIGH.",
                )
            bounds[unknown] = Bounds(low=low, high=high, step=size)
    return bounds


def meter_bounds(
    unknown: Unknown, table: Table, *, step: int, room: Fraction, weight: Fraction
) -> Bounds:
    """Return the amounts that a meter may have: from its seed to its cap.

    Without a seed from one step; without a cap to the amount that uses up ``room``, the return that
    remains with every other unknown at its least.
    """
    meter = next(meter for meter in table.paytable.meters if meter.level == unknown.id)
    low = max(step, ceil(Fraction(meter.seed_cents or 0, step)) * step)
    reach = meter.cap_cents if meter.cap_cents is not None else low + floor(room / weight)
    return Bounds(low=low, high=max(low, reach // step * step), step=step)


class Problem(Struct, frozen=True, kw_only=True):
    """The problem of a search: a house edge from ``low`` to ``high``, and bounds of each unknown.

    ``held`` are the unknowns whose bounds were given; they need not fall with the others.
    ``others`` is the number of hands that win envy prizes.
    """

    declared: Table
    bounds: Mapping[Unknown, Bounds]
    held: frozenset[Unknown]
    low: Fraction
    high: Fraction
    others: int


def build_band(problem: Problem, table: Table, analysis: Analysis, edge: Fraction) -> Band:
    """Return the band to solve.

    ``table`` has every unknown at its least amount, and no removed row; ``analysis`` are its
    figures, and ``edge`` the one to bring into the band.
    """
    unknowns = _left(problem, table)
    variables = []
    for unknown in unknowns:
        bounds, offset = problem.bounds[unknown], table.offset(unknown)
        weight = edge_weight(unknown, table, analysis, problem.others)
        variables.append(
            Variable(
                weight=weight, low=bounds.low - offset, high=bounds.high - offset, step=bounds.step
            )
        )
    least = sum((variable.weight * variable.low for variable in variables), Fraction(0))
    falls = [
        (unknowns.index(above), unknowns.index(below))
        for pays in (_pays(table), _prizes(table))
        for above, below in pairwise(rung for rung, _ in pays if rung not in problem.held)
        if above in unknowns and below in unknowns
    ]
    return Band(
        variables=tuple(variables),
        low=least + edge - problem.high,
        high=least + edge - problem.low,
        falls=tuple(falls),
    )


def list_payoffs(problem: Problem, table: Table, analysis: Analysis) -> Payoffs:
    """Return everything that the wager pays, as for `build_band`."""
    unknowns = _left(problem, table)
    pay_lists = [
        [(unknown, net + table.offset(unknown)) for unknown, net in pays]
        for pays in (_pays(table), _prizes(table))
    ]
    return Payoffs(
        variables=tuple(
            Moved(
                present=problem.declared.present(unknown),
                offset=table.offset(unknown),
                parts=tuple(_parts(unknown, table, analysis)),
            )
            for unknown in unknowns
        ),
        fixed=tuple(_fixed_parts(unknowns, table, analysis)),
        pay_lists=tuple(
            tuple(unknowns.index(rung) if rung in unknowns else amount for rung, amount in pays)
            for pays in pay_lists
        ),
        left_out=len(problem.bounds) - len(unknowns),
    )


def _left(problem: Problem, table: Table) -> list[Unknown]:
    """Return the unknowns that the table still has."""
    rows = {row.event for row in table.paytable.rows}
    return [
        unknown for unknown in problem.bounds if unknown.kind is not Kind.ROW or unknown.id in rows
    ]


def edge_weight(unknown: Unknown, table: Table, analysis: Analysis, others: int) -> Fraction:
    """Return the reduction of the house edge by each unit (a row) or cent (a prize, a meter)."""
    if unknown.kind is Kind.ROW:
        return _chances(table, analysis)[unknown.id]
    if unknown.kind is Kind.ENVY and analysis.envy is not None:
        chances = {row.event: row.probability for row in analysis.envy.rows}
        return chances[unknown.id] * others / analysis.envy.wager_cents
    if analysis.progressive is None:
        return Fraction(0)
    weights = {meter.level: meter.weight for meter in analysis.progressive.meters}
    return weights[unknown.id] / analysis.progressive.base_wager_cents


def _chances(table: Table, analysis: Analysis) -> dict[str, Fraction]:
    rows = zip(table.paytable.rows, analysis.rows, strict=False)
    return {row.event: counted.probability for row, counted in rows}


def _parts(unknown: Unknown, table: Table, analysis: Analysis) -> Iterator[Part]:
    """Yield the wager's own hands that an unknown pays; a prize pays others' hands."""
    chances = _chances(table, analysis)
    if unknown.kind is Kind.ROW:
        yield Part(probability=chances[unknown.id], at_nought=Fraction(0), slope=Fraction(1))
    for row in table.paytable.rows:
        if unknown.kind is Kind.METER and row.payout.meter == unknown.id:
            base = analysis.progressive.base_wager_cents if analysis.progressive else 1
            slope = row.payout.amount / base
            yield Part(probability=chances[row.event], at_nought=row.payout.net, slope=slope)


def _fixed_parts(unknowns: Sequence[Unknown], table: Table, analysis: Analysis) -> Iterator[Part]:
    """Yield the wager's own hands that no unknown pays, a meter at its given amount."""
    rows = {unknown.id for unknown in unknowns if unknown.kind is Kind.ROW}
    levels = {unknown.id for unknown in unknowns if unknown.kind is Kind.METER}
    for row, counted in zip(table.paytable.rows, analysis.rows, strict=False):
        if row.event not in rows and row.payout.meter not in levels and counted.probability:
            net = counted.contribution / counted.probability
            yield Part(probability=counted.probability, at_nought=net)
    yield Part(probability=analysis.rows[-1].probability, at_nought=Fraction(-1))


def _pays(table: Table) -> list[tuple[Unknown, Fraction]]:
    """Return the rows with odds in printed order, each with its net pay."""
    return [
        (Unknown(kind=Kind.ROW, id=row.event), row.payout.net)
        for row in table.paytable.rows
        if row.payout.basis in ODDS
    ]


def _prizes(table: Table) -> list[tuple[Unknown, Fraction]]:
    """Return the prizes in printed order, in cents."""
    rows = table.envy.rows if table.envy else ()
    return [(Unknown(kind=Kind.ENVY, id=row.event), Fraction(row.prize_cents)) for row in rows]
