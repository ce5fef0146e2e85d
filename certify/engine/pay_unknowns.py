"""The unknowns of a paytable: their bounds, their weights, and the resulting paytables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from certify.engine.pay_band import Band, Moved, Part, Payoffs, Unknown
from certify.errors import NotConfigured
from certify.model.analysis import Analysis
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable, Row
from certify.model.solution import Bounds, Kind, Opening

ODDS = (Basis.TO, Basis.FOR)

Amounts = Mapping[Opening, int | None]
"""By unknown: units of the wager as printed, or cents; None for a removed row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A paytable with its envy table, whose amounts are sought."""

    paytable: Paytable
    envy: EnvyTable | None

    def row(self, opening: Opening) -> Row:
        """Return the row that is open."""
        return next(row for row in self.paytable.rows if row.event == opening.id)

    def basis(self, opening: Opening) -> Basis:
        """Return the basis of the pay of an unknown row: its own, or the first one of the table."""
        stated = [self.row(opening).payout, *(row.payout for row in self.paytable.rows)]
        return next((payout.basis for payout in stated if payout.basis in ODDS), Basis.TO)

    def offset(self, opening: Opening) -> int:
        """Return the amount minus its net value: 1 for pays "for one"."""
        return int(opening.kind is Kind.ROW and self.basis(opening) is Basis.FOR)

    def present(self, opening: Opening) -> Fraction | None:
        """Return the declared amount: 0 for a push or a loss, None if not declared."""
        if opening.kind is Kind.ROW:
            payout = self.row(opening).payout
            return payout.amount if payout.basis in ODDS else Fraction(0)
        if opening.kind is Kind.METER:
            seeds = {meter.level: meter.seed_cents for meter in self.paytable.meters}
            seed = seeds[opening.id]
            return None if seed is None else Fraction(seed)
        prizes = {row.event: row.prize_cents for row in self.envy.rows} if self.envy else {}
        return Fraction(prizes[opening.id])


def replace_amounts(table: Table, amounts: Amounts) -> Table:
    """Return the table with these amounts; a meter has its amount for a seed."""
    by_kind = {
        kind: {opening.id: (opening, amount) for opening, amount in amounts.items()
               if opening.kind is kind}
        for kind in Kind
    }  # fmt: skip
    rows, prizes, meters = (by_kind[kind] for kind in Kind)
    paid = []
    for row in table.paytable.rows:
        opening, amount = rows.get(row.event, (None, 0))
        if opening is None:
            paid.append(row)
        elif amount is not None:
            payout = Payout(basis=table.basis(opening), amount=Fraction(amount))
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
    table: Table, openings: Sequence[Opening], given: Mapping[Opening, Bounds], step: int
) -> dict[Opening, Bounds]:
    """Return the values that pays and prizes may have, as given or between their neighbors.

    Without a neighbor above it is twice the greatest pay, without one below 1 or one step. Meters
    are left to `meter_bounds`.

    Raises:
        NotConfigured: the neighbors of an unknown leave it nothing.
    """
    bounds = dict(given)
    for ladder, least in ((_pays(table), 1), (_prizes(table), step)):
        for place, (opening, _) in enumerate(ladder):
            if opening not in openings or opening in given:
                continue
            fixed = [None if rung in openings else amount for rung, amount in ladder]
            above = [amount for amount in fixed[:place] if amount is not None]
            below = [amount for amount in fixed[place + 1 :] if amount is not None]
            offset, size = table.offset(opening), 1 if opening.kind is Kind.ROW else step
            greatest = max(amount for _, amount in ladder) + offset
            top = above[-1] + offset if above else 2 * greatest
            bottom = below[0] + offset if below else Fraction(0)
            low, high = max(least, ceil(bottom / size) * size), floor(top / size) * size
            if low > high:
                raise NotConfigured(
                    f"There is no whole number for {opening} between its neighbors: the "
                    "pays around it rise.",
                    remedy=f"Set its range: --bound {opening}=LOW..HIGH.",
                )
            bounds[opening] = Bounds(low=low, high=high, step=size)
    return bounds


def meter_bounds(
    opening: Opening, table: Table, *, step: int, room: Fraction, weight: Fraction
) -> Bounds:
    """Return the amounts that a meter may have: from its seed to its cap.

    Without a seed from one step; without a cap to the amount that uses up ``room``, the return that
    remains with every other unknown at its least.
    """
    meter = next(meter for meter in table.paytable.meters if meter.level == opening.id)
    low = max(step, ceil(Fraction(meter.seed_cents or 0, step)) * step)
    reach = meter.cap_cents if meter.cap_cents is not None else low + floor(room / weight)
    return Bounds(low=low, high=max(low, reach // step * step), step=step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """The problem of a search: a house edge from ``low`` to ``high``, and bounds of each unknown.

    ``held`` are the unknowns whose bounds were given; they need not fall with the others.
    ``others`` is the number of hands that win envy prizes.
    """

    declared: Table
    bounds: Mapping[Opening, Bounds]
    held: frozenset[Opening]
    low: Fraction
    high: Fraction
    others: int


def build_band(sought: Sought, table: Table, analysis: Analysis, edge: Fraction) -> Band:
    """Return the band to solve.

    ``table`` has every unknown at its least amount, and no removed row; ``analysis`` are its
    figures, and ``edge`` the one to bring into the band.
    """
    openings = _left(sought, table)
    unknowns = []
    for opening in openings:
        bounds, offset = sought.bounds[opening], table.offset(opening)
        weight = edge_weight(opening, table, analysis, sought.others)
        unknowns.append(
            Unknown(
                weight=weight, low=bounds.low - offset, high=bounds.high - offset, step=bounds.step
            )
        )
    least = sum((unknown.weight * unknown.low for unknown in unknowns), Fraction(0))
    falls = [
        (openings.index(above), openings.index(below))
        for ladder in (_pays(table), _prizes(table))
        for above, below in pairwise(rung for rung, _ in ladder if rung not in sought.held)
        if above in openings and below in openings
    ]
    return Band(
        unknowns=tuple(unknowns),
        low=least + edge - sought.high,
        high=least + edge - sought.low,
        falls=tuple(falls),
    )


def list_payoffs(sought: Sought, table: Table, analysis: Analysis) -> Payoffs:
    """Return everything that the wager pays, as for `build_band`."""
    openings = _left(sought, table)
    ladders = [
        [(opening, net + table.offset(opening)) for opening, net in ladder]
        for ladder in (_pays(table), _prizes(table))
    ]
    return Payoffs(
        unknowns=tuple(
            Moved(
                present=sought.declared.present(opening),
                offset=table.offset(opening),
                parts=tuple(_parts(opening, table, analysis)),
            )
            for opening in openings
        ),
        fixed=tuple(_fixed_parts(openings, table, analysis)),
        ladders=tuple(
            tuple(openings.index(rung) if rung in openings else amount for rung, amount in ladder)
            for ladder in ladders
        ),
        left_out=len(sought.bounds) - len(openings),
    )


def _left(sought: Sought, table: Table) -> list[Opening]:
    """Return the unknowns that the table still has."""
    rows = {row.event for row in table.paytable.rows}
    return [
        opening for opening in sought.bounds if opening.kind is not Kind.ROW or opening.id in rows
    ]


def edge_weight(opening: Opening, table: Table, analysis: Analysis, others: int) -> Fraction:
    """Return the reduction of the house edge by each unit (a row) or cent (a prize, a meter)."""
    if opening.kind is Kind.ROW:
        return _chances(table, analysis)[opening.id]
    if opening.kind is Kind.ENVY and analysis.envy is not None:
        chances = {row.event: row.probability for row in analysis.envy.rows}
        return chances[opening.id] * others / analysis.envy.wager_cents
    if analysis.progressive is None:
        return Fraction(0)
    weights = {meter.level: meter.weight for meter in analysis.progressive.meters}
    return weights[opening.id] / analysis.progressive.base_wager_cents


def _chances(table: Table, analysis: Analysis) -> dict[str, Fraction]:
    rows = zip(table.paytable.rows, analysis.rows, strict=False)
    return {row.event: counted.probability for row, counted in rows}


def _parts(opening: Opening, table: Table, analysis: Analysis) -> Iterator[Part]:
    """Yield the wager's own hands that an unknown pays; a prize pays others' hands."""
    chances = _chances(table, analysis)
    if opening.kind is Kind.ROW:
        yield Part(probability=chances[opening.id], at_nought=Fraction(0), slope=Fraction(1))
    for row in table.paytable.rows:
        if opening.kind is Kind.METER and row.payout.meter == opening.id:
            base = analysis.progressive.base_wager_cents if analysis.progressive else 1
            slope = row.payout.amount / base
            yield Part(probability=chances[row.event], at_nought=row.payout.net, slope=slope)


def _fixed_parts(openings: Sequence[Opening], table: Table, analysis: Analysis) -> Iterator[Part]:
    """Yield the wager's own hands that no unknown pays, a meter at its given amount."""
    rows = {opening.id for opening in openings if opening.kind is Kind.ROW}
    levels = {opening.id for opening in openings if opening.kind is Kind.METER}
    for row, counted in zip(table.paytable.rows, analysis.rows, strict=False):
        if row.event not in rows and row.payout.meter not in levels and counted.probability:
            net = counted.contribution / counted.probability
            yield Part(probability=counted.probability, at_nought=net)
    yield Part(probability=analysis.rows[-1].probability, at_nought=Fraction(-1))


def _pays(table: Table) -> list[tuple[Opening, Fraction]]:
    """Return the rows with odds in printed order, each with its net pay."""
    return [
        (Opening(kind=Kind.ROW, id=row.event), row.payout.net)
        for row in table.paytable.rows
        if row.payout.basis in ODDS
    ]


def _prizes(table: Table) -> list[tuple[Opening, Fraction]]:
    """Return the prizes in printed order, in cents."""
    rows = table.envy.rows if table.envy else ()
    return [(Opening(kind=Kind.ENVY, id=row.event), Fraction(row.prize_cents)) for row in rows]
