"""Prizes for other players' hands: hands counted once, tables of prizes as columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.model.analysis import Analysis, EnvyAnalysis
from certify.model.paytable import EnvyTable
from certify.report.mathematics.filed import FiledWager, Ids, ids
from certify.report.tables import merged_orders
from certify.report.wording import named


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizedHand:
    """A hand of another player: how many there are, and the prize of each table in cents."""

    name: str
    combinations: int
    probability: Fraction
    cents: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeColumn:
    """A table of prizes, with the ids of all that are the same; ``value`` of one other player."""

    ids: tuple[str, ...]
    table: EnvyTable
    value: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeEdges:
    """The house edge of paytables with a table of prizes, by the number of other players."""

    ids: Ids
    table: str
    edges: tuple[Fraction | None, ...]
    limited: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prizes:
    """The prizes of one wager for the hands of other players."""

    called: str
    hands_of: tuple[str, ...]
    columns: tuple[PrizeColumn, ...]
    hands: tuple[PrizedHand, ...]
    others: tuple[int, ...]
    edges: tuple[PrizeEdges, ...]


def prizes_of(filed: FiledWager) -> Prizes | None:
    """Return the prizes that go with a wager's paytables; None without any."""
    with_prizes = [
        (analysis, analysis.envy) for _, analysis in filed.paytables if analysis.envy is not None
    ]
    if not with_prizes:
        return None
    tables = {table.id: table for table in filed.wager.envies}
    columns: dict[object, list[tuple[EnvyTable, EnvyAnalysis]]] = {}
    for _, envy in with_prizes:
        table = tables[envy.paytable]
        same = columns.setdefault((table.rows, envy.per_other_player, envy.wager_cents), [])
        if table not in [listed for listed, _ in same]:
            same.append((table, envy))
    numbers = sorted({number for _, envy in with_prizes for number in envy.house_edge_by_players})
    return Prizes(
        called=with_prizes[0][1].called,
        hands_of=tuple(
            named("hands_of", whose)
            for whose in dict.fromkeys(tables[envy.paytable].hands_of for _, envy in with_prizes)
        ),
        columns=tuple(
            PrizeColumn(
                ids=tuple(table.id for table, _ in same),
                table=same[0][0],
                value=same[0][1].per_other_player,
            )
            for same in columns.values()
        ),
        hands=tuple(_prize_hands([same[0] for same in columns.values()])),
        others=tuple(number - 1 for number in numbers),
        edges=tuple(_prize_edges(with_prizes, numbers)),
    )


def _prize_hands(columns: Sequence[tuple[EnvyTable, EnvyAnalysis]]) -> Iterator[PrizedHand]:
    cents = [
        {
            (row.event, row.combinations): prize.prize_cents
            for row in envy.rows
            for prize in table.rows
            if prize.event == row.event
        }
        for table, envy in columns
    ]
    rows = {
        (row.event, row.combinations): row for _, envy in reversed(columns) for row in envy.rows
    }
    for key in merged_orders(
        [[(row.event, row.combinations) for row in envy.rows] for _, envy in columns]
    ):
        yield PrizedHand(
            name=rows[key].name,
            combinations=rows[key].combinations,
            probability=rows[key].probability,
            cents=tuple(of_table.get(key) for of_table in cents),
        )


def _prize_edges(
    with_prizes: Sequence[tuple[Analysis, EnvyAnalysis]], numbers: Sequence[int]
) -> Iterator[PrizeEdges]:
    """Yield the edges, paytables with the same ones together; then those under a limit."""
    same: dict[tuple[str, tuple[Fraction | None, ...], int | None], list[str]] = {}
    for analysis, envy in with_prizes:
        edges = tuple(envy.house_edge_by_players.get(number) for number in numbers)
        same.setdefault((envy.paytable, edges, None), []).append(analysis.paytable)
        for amount in analysis.limit.amounts if analysis.limit is not None else ():
            if amount.wager_cents == envy.wager_cents and amount.house_edge_by_players:
                edges = tuple(amount.house_edge_by_players.get(number) for number in numbers)
                same.setdefault((envy.paytable, edges, amount.wager_cents), []).append(
                    analysis.paytable
                )
    for (table, edges, limit), names in same.items():
        yield PrizeEdges(ids=ids(names), table=table, edges=edges, limited=limit)
