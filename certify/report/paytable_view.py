"""What the documents print of a bonus wager: its paytables, prizes, meters and matrices."""

from collections.abc import Iterable
from typing import Any

from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.paytable import Award, EnvyTable, HandOf, Paytable
from certify.model.submission import Submission
from certify.report.example_view import examples
from certify.report.numbers import money, percent
from certify.report.tables import Table, table
from certify.report.wording import all_printed, basis_line, clause, note_text, pays

MATRIX_COLUMNS = 4
"""Paytables side by side in one matrix; more are printed in a further one."""

ABSENT = "–"
"""What a matrix prints where a paytable has no such row."""


def filed_paytables(wager: Wager, submission: Submission) -> tuple[Paytable, ...]:
    """Return the filed paytables of one wager, in declared order."""
    return tuple(one for one in submission.paytables if one.wager == wager.id)


def wager_view(wager: Wager, submission: Submission) -> dict[str, Any]:
    """Return what one bonus wager's section prints."""
    filed = filed_paytables(wager, submission)
    envies = {one.envy for one in filed if one.envy}
    return {
        "id": wager.id,
        "name": wager.name,
        "aliases": wager.aliases,
        "hand": _HAND_TEXT[wager.hand],
        "rules": all_printed(wager.rules, prefix=f"{wager.id}."),
        "absent": wager.absent.text if wager.absent else "",
        "award": _award(filed),
        "basis": basis_line(wager),
        "tables": [_paytable(one, submission) for one in filed],
        "envies": [_envy(one) for one in wager.envies if one.id in envies],
        "examples": [example for one in filed[:1] for example in examples(submission, one.target)],
    }


_HAND_TEXT = {
    HandOf.PLAYER: "The player's own cards decide, however the hand was set.",
    HandOf.DEALER: "The dealer's cards decide, however the hand was set.",
    HandOf.PLAYER_OR_DEALER: "The player's own cards decide, unless the player chose the dealer's "
    "cards in advance.",
    HandOf.BOTH: "The player's and the dealer's cards decide together, however they were set.",
}


def _award(filed: Iterable[Paytable]) -> str:
    awards = {one.award for one in filed}
    if awards == {Award.HIGHEST_RANKING_HAND}:
        return (
            "One pay for each wager: the row of the highest ranking hand, even where a lower "
            "ranking hand would pay more."
        )
    return "One pay for each wager: the first row, from the top, that the cards contain."


def _paytable(paytable: Paytable, submission: Submission) -> dict[str, Any]:
    rows = [
        (row.name, submission.events[row.event].text, pays(row.payout)) for row in paytable.rows
    ]
    return {
        "id": paytable.id,
        "table": table(f"Paytable {paytable.id}", "Hand | What it is | #Pays", rows),
        "dynamic": _dynamic(paytable),
        "edge": _edge_line(submission.analyses.get(paytable.target)),
        "notes": [note_text(note) for note in paytable.source.notes],
        "reconstructed": paytable.source.reconstructed or "",
        "clause": clause(paytable.source),
        "progressive": _progressive(paytable),
        "assumptions": all_printed(paytable.assumptions, prefix=f"{paytable.id}."),
    }


def _dynamic(paytable: Paytable) -> Table | None:
    if paytable.dynamic is None:
        return None
    rows = [
        (row.name, pays(row.payout), ", ".join(str(one.amount.numerator) for one in row.dynamic))
        for row in paytable.rows
        if row.dynamic
    ]
    least, most = paytable.dynamic.minimum_rows, paytable.dynamic.maximum_rows
    return table(
        f"Dynamic pays of {paytable.id}, for 1",
        "Hand | Default pay | The ten dynamic pays",
        rows,
        note=f"Each round, {least} to {most} of these hands are drawn and their pay is replaced by "
        "one of the ten; after the round every pay is the default again.",
    )


def _edge_line(analysis: Analysis | None) -> str:
    if analysis is None:
        return ""
    if analysis.house_edge is not None:
        return f"House edge {percent(analysis.house_edge, 2)} %"
    if analysis.progressive is not None:
        return (
            f"Return of the fixed pays {percent(analysis.progressive.fixed_return, 2)} %; "
            "the house edge depends on the meters and is given in the mathematics report."
        )
    return ""


def _progressive(paytable: Paytable) -> list[str]:
    progressive = paytable.progressive
    if progressive is None:
        return []
    lines = [
        f"Pays are for a base wager of {money(progressive.base_wager_cents)}; with another base "
        "wager, the seed and every pay are multiplied in proportion."
    ]
    for meter in progressive.meters:
        seed = money(meter.seed_cents) if meter.seed_cents is not None else "not stated"
        increment = (
            f"{percent(meter.increment, 2)} %" if meter.increment is not None else "not stated"
        )
        reserve = f"{percent(meter.reserve, 2)} %" if meter.reserve is not None else "not stated"
        lines.append(f"Meter {meter.level}: seed {seed}; increment {increment}; reserve {reserve}.")
    return lines


def _envy(envy: EnvyTable) -> dict[str, Any]:
    own = "Paid" if envy.pays_on_own_hand else "Not paid"
    dealer = "paid" if envy.pays_on_dealer_hand else "not paid"
    return {
        "id": envy.id,
        "table": table(
            f"Prizes of table {envy.id}, for the hand of another player",
            "Hand | #Prize",
            [(row.name, money(row.prize_cents)) for row in envy.rows],
        ),
        "qualifies": f"A wager of {money(envy.qualifying_wager_cents)} or more qualifies.",
        "exclusions": f"{own} on the bettor's own hand; {dealer} on the dealer's hand.",
        "notes": [note_text(note) for note in envy.source.notes],
    }


def matrices(wager: Wager, filed: tuple[Paytable, ...]) -> list[dict[str, Any]]:
    """Return the matrices of one wager: rows are hands, columns paytable ids."""
    found = []
    for start in range(0, len(filed), MATRIX_COLUMNS):
        part = filed[start : start + MATRIX_COLUMNS]
        found.append(
            {
                "wager": wager.name,
                "table": _matrix(
                    part, [{r.event: pays(r.payout) for r in one.rows} for one in part]
                ),
            }
        )
    used = {one.envy for one in filed}
    envies = [one for one in wager.envies if one.id in used]
    for start in range(0, len(envies), MATRIX_COLUMNS):
        group = envies[start : start + MATRIX_COLUMNS]
        prizes = [{r.event: money(r.prize_cents) for r in one.rows} for one in group]
        found.append(
            {
                "wager": f"{wager.name}: prizes for other players' hands",
                "table": _matrix(group, prizes),
            }
        )
    return found


def _matrix(tables: Iterable[Paytable | EnvyTable], columns: list[dict[str, str]]) -> Table:
    tables = tuple(tables)
    names: dict[str, str] = {}
    for one in tables:
        for row in one.rows:
            names.setdefault(row.event, row.name)
    order = _merged([[row.event for row in one.rows] for one in tables])
    return table(
        "Hands by paytable",
        "Hand | " + " | ".join(f"#{one.id}" for one in tables),
        [(names[event], *(column.get(event, ABSENT) for column in columns)) for event in order],
        note=f"“{ABSENT}” means that the paytable has no such row: the hand is paid by the next "
        "row that it contains.",
    )


def _merged(orders: list[list[str]]) -> list[str]:
    """Return every event once, each after those it follows in the first list that has it."""
    merged: list[str] = []
    for order in orders:
        place = 0
        for event in order:
            if event in merged:
                place = merged.index(event) + 1
            else:
                merged.insert(place, event)
                place += 1
    return merged
