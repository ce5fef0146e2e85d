"""Bonus wagers: one matrix for each, hands counted once, paytables as columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from certify.model.analysis import Analysis, RowAnalysis
from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable
from certify.report.mathematics.filed import FiledWager, Ids, ids
from certify.report.mathematics.limits import LimitedWager, wager_under_limits
from certify.report.mathematics.prizes import Prizes, prizes_of
from certify.report.tables import merged_orders

WIDEST, WIDE = 8, 5
"""Columns of paytables in one matrix, more are printed in a further one; and in one with room."""

ALL_OTHER = "all_other"

Same = list[tuple[Paytable, Analysis]]
"""Paytables with the same rows and figures."""

Key = tuple[str, int]
"""A hand that is paid, by its event and the number of hands that are paid for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedHand:
    """A hand counted once: what each column pays for it, None where it has no such row."""

    name: str
    combinations: int
    probability: Fraction
    payouts: tuple[Payout | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableColumn:
    """A paytable, with how the ids of all that have the same rows and figures end."""

    ends: tuple[str, ...]
    analysis: Analysis


@dataclass(frozen=True, slots=True, kw_only=True)
class NameInTables:
    """What else some paytables call a hand that the matrix has under one name."""

    name: str
    other: str
    tables: Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Hands down, paytables across; figures of a whole column close it.

    ``wide``: there are so many columns that one of the hands' own is left out. ``gaps``: some hands
    are not named by every paytable.
    """

    anchor: str
    ids: Ids
    total: int
    columns: tuple[PaytableColumn, ...]
    hands: tuple[CountedHand, ...]
    other_names: tuple[NameInTables, ...]
    metered: bool
    wide: bool
    gaps: bool
    to_one: bool
    for_one: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusFigures:
    """What is printed of one bonus wager; ``restored`` are cells and the paytables they are of."""

    anchor: str
    name: str
    called: str
    matrices: tuple[Matrix, ...]
    restored: tuple[tuple[str, Ids], ...]
    prizes: Prizes | None
    limited: LimitedWager | None


def bonus_wager(filed: FiledWager) -> BonusFigures | None:
    """Return the matrices of one wager; None if no paytable of it is filed."""
    if not filed.paytables:
        return None
    prizes = prizes_of(filed)
    return BonusFigures(
        anchor=f"figures-{filed.wager.id}",
        name=filed.wager.name,
        called=prizes.called if prizes else "",
        matrices=tuple(
            _matrix(f"table-{filed.wager.id}{place or ''}", part, filed.paytables)
            for place, part in enumerate(_parts(_same(filed)))
        ),
        restored=tuple(_restored(filed)),
        prizes=prizes,
        limited=wager_under_limits(filed),
    )


def _same(filed: FiledWager) -> list[Same]:
    """Return the paytables, those with the same rows and figures together."""
    same: dict[object, list[tuple[Paytable, Analysis]]] = {}
    for paytable, analysis in filed.paytables:
        rows = tuple((row.event, row.payout, row.dynamic) for row in paytable.rows)
        counts = tuple(row.combinations for row in analysis.rows)
        same.setdefault((rows, counts, paytable.progressive), []).append((paytable, analysis))
    return list(same.values())


def _parts(columns: Sequence[Same]) -> Iterator[Sequence[Same]]:
    """Yield the columns in groups of nearly equal size, none wider than a page."""
    count = -(-len(columns) // WIDEST)
    for start, end in pairwise(len(columns) * place // count for place in range(count + 1)):
        yield columns[start:end]


def _matrix(
    anchor: str, groups: Sequence[Same], order: Sequence[tuple[Paytable, Analysis]]
) -> Matrix:
    firsts = [same[0] for same in groups]
    listed = sorted((filed for same in groups for filed in same), key=order.index)
    orders = [[(row.event, row.combinations) for row in analysis.rows] for _, analysis in firsts]
    keys: list[Key] = sorted(merged_orders(orders), key=lambda key: key[0] == ALL_OTHER)
    rows = {
        (row.event, row.combinations): row
        for _, analysis in reversed(firsts)
        for row in analysis.rows
    }
    paid = [_paid(*first) for first in firsts]
    bases = {row.payout.basis for paytable, _ in firsts for row in paytable.rows}
    shared = ids([paytable.id for paytable, _ in listed])
    return Matrix(
        anchor=anchor,
        ids=shared,
        total=firsts[0][1].total,
        columns=tuple(
            PaytableColumn(
                ends=tuple(paytable.id.removeprefix(shared.start) for paytable, _ in same),
                analysis=same[0][1],
            )
            for same in groups
        ),
        hands=tuple(
            CountedHand(
                name=rows[key].name,
                combinations=rows[key].combinations,
                probability=rows[key].probability,
                payouts=tuple(payouts.get(key) for payouts in paid),
            )
            for key in keys
        ),
        other_names=tuple(_other_names(listed, rows)),
        metered=any(paytable.progressive is not None for _, paytable in firsts),
        wide=len(groups) > WIDE,
        gaps=any(key not in payouts for payouts in paid for key in keys),
        to_one=Basis.TO in bases,
        for_one=not bases.isdisjoint({Basis.FOR, Basis.METER}),
    )


def _paid(paytable: Paytable, analysis: Analysis) -> dict[Key, Payout]:
    """Return what a paytable pays for each of its hands; whatever has no row loses."""
    payouts = {row.event: row.payout for row in paytable.rows}
    return {
        (row.event, row.combinations): payouts.get(row.event, Payout(basis=Basis.LOSS))
        for row in analysis.rows
    }


def _other_names(listed: Same, rows: Mapping[Key, RowAnalysis]) -> Iterator[NameInTables]:
    others: dict[tuple[str, str], list[str]] = {}
    for paytable, analysis in listed:
        for row in analysis.rows:
            name = rows[row.event, row.combinations].name
            if row.name != name:
                others.setdefault((name, row.name), []).append(paytable.id)
    for (name, other), tables in others.items():
        yield NameInTables(name=name, other=other, tables=ids(tables))


def _restored(filed: FiledWager) -> Iterator[tuple[str, Ids]]:
    """Yield how illegible cells were read, once for the tables that it holds for."""
    used = {paytable.envy for paytable, _ in filed.paytables}
    records: list[Paytable | EnvyTable] = [paytable for paytable, _ in filed.paytables]
    records += [envy for envy in filed.wager.envies if envy.id in used]
    having: dict[str, dict[str, None]] = {}
    for record in records:
        if record.source.reconstructed:
            having.setdefault(record.source.reconstructed, {})[record.id] = None
    for text, tables in having.items():
        yield text, ids(tuple(tables))
