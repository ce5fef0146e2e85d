"""Paytables side by side: hands down, tables across, equal tables once with all their names."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from certify.formatting import listed
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable
from certify.model.submission import Submission
from certify.report.bounds import FigureAtWager, figures_with_limit
from certify.report.rules.offered import filed_envies
from certify.report.tables import merged_orders
from certify.report.wording import label

COLUMNS = 5
"""Tables side by side at most; more are printed in a further matrix."""

Value = TypeVar("Value")

Record = TypeVar("Record", Paytable, EnvyTable)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidHand:
    """A line of a matrix: a winning hand and what each table has for it, None for nothing.

    ``what`` says what the hand is; it is empty where another matrix of the wager said it.
    """

    name: str
    what: str
    payouts: tuple[Payout | None, ...] = ()
    prizes: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherName:
    """Another printed name of a hand: in some tables; in the original where ``tables`` is empty."""

    name: str
    other: str
    tables: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adds:
    """What each $1,000 on a meter adds to the return of each table."""

    level: str
    shares: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutMatrix:
    """Payouts and house edges of some paytables of one wager; ``heads`` has each column's names.

    Tables with meters have ``fixed`` and ``adds`` in place of ``edges``. ``least`` and ``greatest``
    have the edges under a payout limit, at the least wager that it cuts and at the greatest.
    """

    heads: tuple[tuple[str, ...], ...]
    hands: tuple[PaidHand, ...]
    edges: tuple[Fraction | None, ...]
    fixed: tuple[Fraction | None, ...]
    adds: tuple[Adds, ...]
    least: tuple[FigureAtWager | None, ...]
    greatest: tuple[FigureAtWager | None, ...]
    names: tuple[OtherName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeMatrix:
    """Prizes for other players' hands, the wager that qualifies, what they take off the edge."""

    called: str
    heads: tuple[tuple[str, ...], ...]
    hands: tuple[PaidHand, ...]
    qualifying: tuple[int, ...]
    effects: tuple[Fraction | None, ...]


def payout_matrices(filed: Sequence[Paytable], submission: Submission) -> tuple[PayoutMatrix, ...]:
    """Return the payouts of a wager's filed paytables, with the house edge of each."""
    columns = _columns(filed, lambda table: (*_payouts(table).items(), _closing(table, submission)))
    joker = submission.game.hands.deck.joker > 0
    told: set[str] = set()
    matrices = []
    for part in _groups(columns):
        firsts = [tables[0] for tables in part]
        analyses = [submission.analyses.get(first.target) for first in firsts]
        names = _names(firsts)
        matrices.append(
            PayoutMatrix(
                heads=_heads(part),
                hands=tuple(
                    PaidHand(
                        name=names[event],
                        what="" if event in told else submission.events[event].words(joker=joker),
                        payouts=tuple(_payouts(first).get(event) for first in firsts),
                    )
                    for event in names
                ),
                edges=tuple(analysis.house_edge if analysis else None for analysis in analyses),
                fixed=_fixed(analyses),
                adds=_adds(analyses),
                least=_limited(analyses, last=False),
                greatest=_limited(analyses, last=True),
                names=tuple(_other_names(names, firsts)),
            )
        )
        told.update(names)
    return tuple(matrices)


def prize_matrices(
    wager: Wager, filed: Sequence[Paytable], submission: Submission
) -> tuple[PrizeMatrix, ...]:
    """Return the prizes for other players' hands that go with a wager's filed paytables."""
    effects = {
        paytable.envy: _effect(submission.analyses.get(paytable.target))
        for paytable in reversed(filed)
    }
    columns = _columns(
        filed_envies(wager, filed),
        lambda envy: (*_prizes(envy).items(), envy.qualifying_wager_cents, effects.get(envy.id)),
    )
    matrices = []
    for part in _groups(columns):
        firsts = [tables[0] for tables in part]
        names = _names(firsts)
        matrices.append(
            PrizeMatrix(
                called=firsts[0].called,
                heads=_heads(part),
                hands=tuple(
                    PaidHand(
                        name=names[event],
                        what="",
                        prizes=tuple(_prizes(first).get(event) for first in firsts),
                    )
                    for event in names
                ),
                qualifying=tuple(first.qualifying_wager_cents for first in firsts),
                effects=tuple(effects.get(first.id) for first in firsts),
            )
        )
    return tuple(matrices)


def _columns(
    records: Iterable[Record], shown: Callable[[Record], tuple[object, ...]]
) -> list[tuple[Record, ...]]:
    """Return the records in columns: those that would print the same stand in one."""
    having: dict[tuple[object, ...], list[Record]] = {}
    for record in records:
        having.setdefault(shown(record), []).append(record)
    return [tuple(same) for same in having.values()]


def _groups(columns: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """Yield the columns in groups of nearly equal size, none wider than a matrix."""
    count = -(-len(columns) // COLUMNS)
    cuts = [len(columns) * place // count for place in range(count + 1)] if count else []
    return (columns[start:end] for start, end in pairwise(cuts))


def _heads(part: Sequence[Sequence[Record]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_head(table) for table in tables) for tables in part)


def _head(record: Paytable | EnvyTable) -> str:
    return label(record.id) if isinstance(record, Paytable) else f"Table {record.id}"


def _payouts(paytable: Paytable) -> Mapping[str, Payout]:
    return {row.event: row.payout for row in paytable.rows}


def _prizes(envy: EnvyTable) -> Mapping[str, int]:
    return {row.event: row.prize_cents for row in envy.rows}


def _names(records: Sequence[Paytable] | Sequence[EnvyTable]) -> dict[str, str]:
    """Return the printed name of every event of some tables, in printed order."""
    names: dict[str, str] = {}
    for record in records:
        for row in record.rows:
            names.setdefault(row.event, row.name)
    order = merged_orders([[row.event for row in record.rows] for record in records])
    return {event: names[event] for event in order}


def _other_names(names: Mapping[str, str], records: Sequence[Paytable]) -> Iterator[OtherName]:
    """Yield what some tables, or the original, call a hand that is printed under one name."""
    others: dict[tuple[str, str], list[str]] = {}
    originals: dict[str, str] = {}
    for record in records:
        for row in record.rows:
            if row.name != names[row.event]:
                others.setdefault((names[row.event], row.name), []).append(_head(record))
            if row.source_name:
                originals[row.name] = row.source_name
    for (name, other), tables in others.items():
        yield OtherName(name=name, other=other, tables=listed(tables))
    for name, other in originals.items():
        yield OtherName(name=name, other=other, tables="")


def _closing(paytable: Paytable, submission: Submission) -> tuple[object, ...]:
    """Return what stands below a column: two tables that differ in it stand apart."""
    analysis = submission.analyses.get(paytable.target)
    return (
        analysis and analysis.house_edge,
        _fixed([analysis]),
        _adds([analysis]),
        _limited([analysis], last=True),
        tuple(row.dynamic for row in paytable.rows),
        basis_of([paytable]),
    )


def _fixed(analyses: Sequence[Analysis | None]) -> tuple[Fraction | None, ...]:
    """Return the returns of the fixed payouts; nothing where no table has a meter."""
    returns = [
        analysis.progressive.fixed_return if analysis and analysis.progressive else None
        for analysis in analyses
    ]
    return tuple(returns) if any(share is not None for share in returns) else ()


def _adds(analyses: Sequence[Analysis | None]) -> tuple[Adds, ...]:
    tables = [analysis and analysis.progressive for analysis in analyses]
    levels = dict.fromkeys(meter.level for table in tables if table for meter in table.meters)
    shares = [
        {m.level: m.weight * 100_000 / table.base_wager_cents for m in table.meters}
        if table
        else {}
        for table in tables
    ]
    return tuple(
        Adds(level=level, shares=tuple(of_table.get(level) for of_table in shares))
        for level in levels
    )


def _limited(
    analyses: Sequence[Analysis | None], *, last: bool
) -> tuple[FigureAtWager | None, ...]:
    """Return the figures under a limit at one of the wagers counted; nothing where none binds.

    ``last``: at the greatest wager, where that is known and another than the least.
    """
    limited = [figures_with_limit(analysis) for analysis in analyses]
    if last:
        figures = tuple(
            each.last if each is not None and each.others and not each.open else None
            for each in limited
        )
    else:
        figures = tuple(
            (*each.others, each.last)[0] if each is not None else None for each in limited
        )
    return figures if any(figures) else ()


def _effect(analysis: Analysis | None) -> Fraction | None:
    envy = analysis.envy if analysis is not None else None
    return envy.per_other_player if envy is not None else None


def basis_of(filed: Iterable[Paytable]) -> frozenset[Basis]:
    """Return how the payouts of some tables are given: to 1, for 1, of a meter, push, loss."""
    return frozenset(row.payout.basis for paytable in filed for row in paytable.rows)
