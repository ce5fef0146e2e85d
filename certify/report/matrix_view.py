"""Paytables side by side: rows are hands, columns are tables; prizes, meters and dynamic pays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from certify.formatting import exact_percentage, listed, money, percent, percentage
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.limit import LimitedFigures
from certify.model.paytable import EnvyTable, Meter, Paytable
from certify.model.source import Source
from certify.model.submission import Submission
from certify.report.figures_view import without_envy
from certify.report.limit_view import bounded
from certify.report.tables import Column, Table, table
from certify.report.wording import UNSTATED, label, pay_amount, pays

MATRIX_COLUMNS = 5
"""Tables side by side in one matrix; more are printed in a further one."""

ABSENT = "–"
"""What a matrix prints where a table has no such row."""

Record = TypeVar("Record")
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNote:
    """A footnote of a source, and the tables that have it where not all do."""

    text: str
    tables: str


def paytable_matrices(
    wager: Wager, filed: Sequence[Paytable], submission: Submission
) -> list[Table]:
    """Return the pays of a wager's tables, with the house edge of each as the last row."""
    return [
        _matrix(
            f"{wager.name}: pays",
            [label(one.id) for one in part],
            part,
            [{row.event: pays(row.payout) for row in one.rows} for one in part],
            foot=_edges([submission.analyses.get(one.target) for one in part], part),
        )
        for part in _groups(filed)
    ]


def _edges(analyses: Sequence[Analysis | None], part: Sequence[Paytable]) -> list[tuple[str, ...]]:
    """Return the closing rows: house edge, or the return of the fixed pays and what meters add."""
    levels = {m.level: None for one in part if one.progressive for m in one.progressive.meters}
    if levels:
        return [
            ("Return of the fixed pays", *(_fixed(one) for one in analyses)),
            *_limited(analyses),
            *(
                (f"Each $1,000 on meter {level} adds", *(_adds(one, level) for one in analyses))
                for level in levels
            ),
            ("House edge", *(house_edge(one) for one in analyses)),
        ]
    return [
        (f"House edge{without_envy(analyses)}", *(house_edge(one) for one in analyses)),
        *_limited(analyses),
    ]


def _limited(analyses: Sequence[Analysis | None]) -> list[tuple[str, ...]]:
    """Return the rows of what a payout limit makes of the row above; none where no limit binds."""
    found = [one.limit.amounts if one is not None and one.limit else () for one in analyses]
    least = [one[0] if one else None for one in found]
    known = [one is not None and one.limit is not None and not one.limit.open for one in analyses]
    greatest = [
        one[-1] if len(one) > 1 and closed else None
        for one, closed in zip(found, known, strict=True)
    ]
    rows = (
        ("With the payout limit, at the least wager that it cuts", least),
        ("With the payout limit, at the greatest wager", greatest),
    )
    return [
        (name, *(limited_figure(one, at) for one, at in zip(analyses, figures, strict=True)))
        for name, figures in rows
        if any(figures)
    ]


def limited_figure(analysis: Analysis | None, at: LimitedFigures | None) -> str:
    """Return edge, or the return of the fixed pays, under the limits, and the wager it is for."""
    if analysis is None or at is None:
        return ABSENT
    if analysis.progressive is not None:
        words = bounded(at, analysis.progressive.fixed_return, percentage, falls=True)
    else:
        words = bounded(at, analysis.house_edge or Fraction(0), percentage)
    return f"{words} at {money(at.wager_cents)}"


def house_edge(analysis: Analysis | None) -> str:
    """Return the house edge of a paytable, or that a meter decides it."""
    if analysis is None:
        return ABSENT
    return "by meter" if analysis.house_edge is None else percentage(analysis.house_edge)


def _fixed(analysis: Analysis | None) -> str:
    if analysis is None or analysis.progressive is None:
        return ABSENT
    return percentage(analysis.progressive.fixed_return)


def _adds(analysis: Analysis | None, level: str) -> str:
    """Return what 1,000 dollars on a meter add to the return of the base wager."""
    progressive = analysis.progressive if analysis is not None else None
    for meter in progressive.meters if progressive is not None else ():
        if progressive is not None and meter.level == level:
            return percentage(meter.weight * 100_000 / progressive.base_wager_cents)
    return ABSENT


def envy_matrices(wager: Wager, filed: Sequence[Paytable], submission: Submission) -> list[Table]:
    """Return the prizes for other players' hands, with what each table takes off the edge."""
    used = {one.envy for one in filed}
    return [
        _matrix(
            f"{wager.name}: {part[0].called} prizes, for the hands of other players",
            [_head(one) for one in part],
            part,
            [{row.event: money(row.prize_cents) for row in one.rows} for one in part],
            foot=[
                (
                    "Minimum wager that qualifies",
                    *(money(one.qualifying_wager_cents) for one in part),
                ),
                (
                    "House edge at that wager falls, for each other player, by",
                    *(_effect(one, filed, submission) for one in part),
                ),
            ],
        )
        for part in _groups([one for one in wager.envies if one.id in used])
    ]


def _effect(envy: EnvyTable, filed: Sequence[Paytable], submission: Submission) -> str:
    for paytable in filed:
        analysis = submission.analyses.get(paytable.target)
        if paytable.envy == envy.id and analysis is not None and analysis.envy is not None:
            return f"{percent(analysis.envy.per_other_player)} points"
    return ABSENT


def _head(record: Paytable | EnvyTable) -> str:
    """Return what heads the column of a paytable or of an envy table."""
    return label(record.id) if isinstance(record, Paytable) else f"Table {record.id}"


def notes_of(records: Sequence[Paytable | EnvyTable]) -> tuple[TableNote, ...]:
    """Return the sources' footnotes once each, with the tables where only some have them."""
    having: dict[str, list[str]] = {}
    for one in records:
        for note in one.source.notes:
            having.setdefault(note.text, []).append(_head(one))
    return tuple(
        TableNote(text=text, tables="" if len(tables) == len(records) else f"({listed(tables)})")
        for text, tables in having.items()
    )


def clauses_of(sources: Iterable[Source]) -> str:
    """Return the places that several records were read, once each, in brackets."""
    return f"[{'; '.join(dict.fromkeys(one.clause for one in sources))}]"


def meter_table(filed: Sequence[Paytable]) -> Table | None:
    """Return what is declared of the meters, tables with the same declarations on one line."""
    having: dict[tuple[str, ...], list[str]] = {}
    for one in filed:
        if one.progressive is None:
            continue
        for meter in one.progressive.meters:
            facts = (meter.level, money(one.progressive.base_wager_cents), *_declared(meter))
            having.setdefault(facts, []).append(label(one.id))
    if not having:
        return None
    return table(
        "Meters of each paytable",
        "Meter @8 | Paytables @28 | #Base wager @12 | #Seed @13 | #Increment @13 | #Reserve @13"
        " | #Maximum @13",
        [(facts[0], ", ".join(tables), *facts[1:]) for facts, tables in having.items()],
        note="Each paytable has meters of its own; those with the same entries share a line. What "
        "is not stated must be declared before a meter is put into use.",
    )


def _declared(meter: Meter) -> tuple[str, ...]:
    return (
        _amount(meter.seed_cents),
        _share(meter.increment),
        _share(meter.reserve),
        _amount(meter.cap_cents),
    )


def _amount(cents: int | None) -> str:
    return money(cents) if cents is not None else UNSTATED


def _share(share: Fraction | None) -> str:
    return exact_percentage(share) if share is not None else UNSTATED


def dynamic_table(paytable: Paytable) -> Table | None:
    """Return the pays that may replace the default of a row for one round."""
    if paytable.dynamic is None:
        return None
    return table(
        f"{label(paytable.id)}: dynamic pays, for 1",
        "Hand @26 | #Default @12 | The dynamic pays",
        [
            (row.name, pay_amount(row.payout), " · ".join(pay_amount(one) for one in row.dynamic))
            for row in paytable.rows
            if row.dynamic
        ],
    )


def _matrix(
    caption: str,
    heads: Sequence[str],
    records: Sequence[Paytable | EnvyTable],
    columns: Sequence[Mapping[str, str]],
    *,
    foot: Iterable[Iterable[str]],
) -> Table:
    names: dict[str, str] = {}
    for one in records:
        for row in one.rows:
            names.setdefault(row.event, row.name)
    order = merged([[row.event for row in one.rows] for one in records])
    cells = [(names[event], *(column.get(event, ABSENT) for column in columns)) for event in order]
    notes = [*_other_names(names, records), *_source_names(records)]
    if any(ABSENT in row for row in cells):
        notes.append(f"“{ABSENT}”: the table has no such row.")
    # Titles come from data: they may hold what the short form of columns uses.
    columns_shown = (Column(title="Hand"), *(Column(title=one, kind="number") for one in heads))
    return Table(
        caption=caption,
        columns=columns_shown,
        rows=tuple(cells),
        foot=tuple(tuple(row) for row in foot),
        note=" ".join(notes),
    )


def _other_names(names: Mapping[str, str], records: Sequence[Paytable | EnvyTable]) -> list[str]:
    """Return what else the source calls a row that the matrix prints under one name."""
    others: dict[tuple[str, str], list[str]] = {}
    for one in records:
        for row in one.rows:
            if row.name != names[row.event]:
                others.setdefault((names[row.event], row.name), []).append(_head(one))
    return [
        f"“{name}” is printed “{other}” in {listed(tables)}."
        for (name, other), tables in others.items()
    ]


def _source_names(records: Sequence[Paytable | EnvyTable]) -> list[str]:
    """Return the source's names of rows that are printed under a name of their own."""
    named = {row.name: row.source_name for one in records for row in one.rows if row.source_name}
    return [f"The source calls “{name}” “{theirs}”." for name, theirs in named.items()]


def merged(orders: Iterable[Iterable[Key]]) -> list[Key]:
    """Return every event once, each after those it follows in the first list that has it."""
    merged: list[Key] = []
    for order in orders:
        place = 0
        for event in order:
            if event in merged:
                place = merged.index(event) + 1
            else:
                merged.insert(place, event)
                place += 1
    return merged


def _groups(records: Sequence[Record]) -> list[Sequence[Record]]:
    """Return the records in groups of nearly equal size, none larger than a matrix is wide."""
    count = -(-len(records) // MATRIX_COLUMNS)
    cuts = [len(records) * place // count for place in range(count + 1)] if count else []
    return [records[start:end] for start, end in pairwise(cuts)]
