"""Bonus wagers: one matrix for each, hands counted once, paytables as columns."""

from collections.abc import Mapping, Sequence
from typing import Any

from certify.model.analysis import Analysis, RowAnalysis
from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable
from certify.report.grouping import groups, merged_orders, together
from certify.report.mathematics.filed import FiledWager, Ids, ids
from certify.report.mathematics.limits import wager_under_limits
from certify.report.mathematics.prizes import prizes_of

WIDEST, WIDE = 8, 5
"""Columns of paytables in one matrix, more are printed in a further one; and in one with room."""

ALL_OTHER = "all_other"

Same = list[tuple[Paytable, Analysis]]
"""Paytables with the same rows and figures."""

Key = tuple[str, int]
"""A hand that is paid, by its event and the number of hands that are paid for it."""


def bonus_wager(filed: FiledWager) -> dict[str, Any] | None:
    """Return the matrices of one wager; None if no paytable of it is filed.

    ``restored`` are cells of the source and the paytables that they are of.
    """
    if not filed.paytables:
        return None
    parts = groups(_same(filed), WIDEST)
    return {
        "anchor": f"figures-{filed.wager.id}",
        "name": filed.wager.name,
        "matrices": [
            _matrix(f"table-{filed.wager.id}{place or ''}", part, filed.paytables)
            for place, part in enumerate(parts)
        ],
        "restored": _restored(filed),
        "prizes": prizes_of(filed),
        "limited": wager_under_limits(filed),
    }


def _same(filed: FiledWager) -> list[Same]:
    """Return the paytables, those with the same rows and figures together."""
    shown = (
        (
            (
                tuple((row.event, row.payout, row.dynamic) for row in paytable.rows),
                tuple(row.combinations for row in analysis.rows),
                paytable.progressive,
            ),
            (paytable, analysis),
        )
        for paytable, analysis in filed.paytables
    )
    return list(together(shown).values())


def _matrix(
    anchor: str, columns: Sequence[Same], order: Sequence[tuple[Paytable, Analysis]]
) -> dict[str, Any]:
    """Return hands down, paytables across; figures of a whole column close it.

    Of a column the ends of all its ids are printed, and the figures. ``wide``: there are so many
    columns that one of the hands' own is left out. ``gaps``: some hands are not named by every
    paytable.
    """
    firsts = [same[0] for same in columns]
    listed = sorted((filed for same in columns for filed in same), key=order.index)
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
    return {
        "anchor": anchor,
        "ids": shared,
        "total": firsts[0][1].total,
        "columns": [
            ([paytable.id.removeprefix(shared.start) for paytable, _ in same], same[0][1])
            for same in columns
        ],
        "hands": [(rows[key], [payouts.get(key) for payouts in paid]) for key in keys],
        "other_names": _other_names(listed, rows),
        "metered": any(paytable.progressive is not None for paytable, _ in firsts),
        "wide": len(columns) > WIDE,
        "gaps": any(key not in payouts for payouts in paid for key in keys),
        "to_one": Basis.TO in bases,
        "for_one": not bases.isdisjoint({Basis.FOR, Basis.METER}),
    }


def _paid(paytable: Paytable, analysis: Analysis) -> dict[Key, Payout]:
    """Return what a paytable pays for each of its hands; whatever has no row loses."""
    payouts = {row.event: row.payout for row in paytable.rows}
    return {
        (row.event, row.combinations): payouts.get(row.event, Payout(basis=Basis.LOSS))
        for row in analysis.rows
    }


def _other_names(listed: Same, rows: Mapping[Key, RowAnalysis]) -> list[tuple[str, str, Ids]]:
    """Return what else some paytables call a hand that the matrix has under one name."""
    others = together(
        ((name, row.name), paytable.id)
        for paytable, analysis in listed
        for row in analysis.rows
        if row.name != (name := rows[row.event, row.combinations].name)
    )
    return [(name, other, ids(tables)) for (name, other), tables in others.items()]


def _restored(filed: FiledWager) -> list[tuple[str, Ids]]:
    """Return how illegible cells were read, once for the tables that it holds for."""
    used = {paytable.envy for paytable, _ in filed.paytables}
    records: list[Paytable | EnvyTable] = [paytable for paytable, _ in filed.paytables]
    records += [envy for envy in filed.wager.envies if envy.id in used]
    having = together(
        (record.source.reconstructed, record.id)
        for record in records
        if record.source.reconstructed
    )
    return [(text, ids([*dict.fromkeys(tables)])) for text, tables in having.items()]
