"""What the mathematics report prints of bonus wagers: figures, charts and envy."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.formatting import (
    decimal,
    exact,
    money,
    percent,
    percentage,
    rounds_to_a_hit,
    thousands,
)
from certify.model.analysis import Analysis, EnvyAnalysis
from certify.model.game import Wager
from certify.model.paytable import Paytable
from certify.model.submission import Submission
from certify.report.charts import Bar, Chart, bars
from certify.report.figures_view import (
    advantage,
    contribution_chart,
    figures_table,
    in_full,
    other_players,
    rows_table,
)
from certify.report.limit_view import bounded, limited_table, limits_text
from certify.report.matrix_view import TableNote, notes_of
from certify.report.tables import Table, table
from certify.report.wording import PLAYERS_TEXT, as_written, full_label, label


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableFigures:
    """One paytable in section 8."""

    title: str
    clause: str
    rows: Table
    figures: Table
    chart: Chart
    limited: Table | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyFigures:
    """One envy table in section 9: what another player's hand is worth, and what edges follow."""

    title: str
    rows: Table
    chart: Chart
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFigures:
    """A bonus wager in section 8 and, if it has envy, in section 9."""

    anchor: str
    name: str
    notes: tuple[TableNote, ...]
    tables: tuple[PaytableFigures, ...]
    reconstructed: tuple[str, ...]
    envies: tuple[EnvyFigures, ...]
    envy_hands: tuple[str, ...]
    envy_edges: Table | None


def wager_figures(wager: Wager, submission: Submission) -> WagerFigures | None:
    """Return the figures of every filed paytable of one wager; nothing if none is filed."""
    found = counted(wager, submission)
    if not found:
        return None
    with_envy = [(paytable, one, one.envy) for paytable, one in found if one.envy is not None]
    return WagerFigures(
        anchor=f"figures-{wager.id}",
        name=wager.name,
        notes=notes_of([paytable for paytable, _ in found]),
        tables=tuple(_paytable(wager, paytable, analysis) for paytable, analysis in found),
        reconstructed=_reconstructed(wager, [paytable for paytable, _ in found]),
        envies=tuple(_envy(one, envy) for _, one, envy in with_envy),
        envy_hands=hands_counted(wager, [envy.paytable for _, _, envy in with_envy]),
        envy_edges=_envy_edges(wager, [(one, envy) for _, one, envy in with_envy]),
    )


def counted(wager: Wager, submission: Submission) -> list[tuple[Paytable, Analysis]]:
    """Return the filed paytables of one wager, each with its analysis."""
    return [
        (one, submission.analyses[one.target])
        for one in submission.paytables
        if one.wager == wager.id and one.target in submission.analyses
    ]


def _reconstructed(wager: Wager, filed: Sequence[Paytable]) -> tuple[str, ...]:
    """Return how garbled values were recovered, once for the tables that it holds for."""
    used = {one.envy for one in filed}
    records = [(label(one.id), one.source.reconstructed) for one in filed]
    records += [
        (f"{one.called} table {one.id}", one.source.reconstructed)
        for one in wager.envies
        if one.id in used
    ]
    having: dict[str, list[str]] = {}
    for name, text in records:
        if text:
            having.setdefault(text, []).append(name)
    return tuple(f"{text} ({', '.join(names)})" for text, names in having.items())


def _paytable(wager: Wager, paytable: Paytable, analysis: Analysis) -> PaytableFigures:
    name = full_label(wager.name, paytable.id)
    return PaytableFigures(
        title=label(paytable.id),
        clause=f"[{paytable.source.clause}]",
        rows=rows_table(analysis, paytable, name),
        figures=figures_table(analysis, f"{name}: figures"),
        chart=contribution_chart(analysis, name),
        limited=limited_table(analysis, name),
    )


def _envy(analysis: Analysis, envy: EnvyAnalysis) -> EnvyFigures:
    name = label(analysis.paytable)
    return EnvyFigures(
        title=f"{as_written(envy.called)} table {envy.paytable}, with {name}",
        rows=table(
            f"{as_written(envy.called)} table {envy.paytable}: the hand of one other player",
            "Hand @34 | #Prize | #Combinations | #1 in | #Value",
            [
                (
                    row.name,
                    row.pays,
                    thousands(row.combinations),
                    rounds_to_a_hit(row.probability),
                    decimal(row.contribution, 8),
                )
                for row in envy.rows
            ],
            foot=[("Total", "", "", "", decimal(envy.per_other_player, 8))],
            note="Value: prize times probability, over the wager.",
        ),
        chart=bars(
            id=f"chart-envy-{analysis.wager}-{analysis.paytable}",
            title=f"House edge of {name} by number of other players"
            + (", without the payout limit" if in_full(analysis) else ""),
            values=[
                Bar(label=other_players(players), value=edge, printed=percentage(edge, 2))
                for players, edge in envy.house_edge_by_players.items()
            ],
        ),
        value=f"At a wager of {money(envy.wager_cents)} the hand of each other player is worth "
        f"{percentage(envy.per_other_player, 6)} of the wager, exactly "
        f"{exact(envy.per_other_player)}. A larger wager has the same prizes and so a smaller "
        "share.",
    )


def hands_counted(wager: Wager, tables: Iterable[str]) -> tuple[str, ...]:
    """Return whose hands tables of prizes count, by their ids, once for those that say the same."""
    used = set(tables)
    kinds = dict.fromkeys(one.hands_of for one in wager.envies if one.id in used)
    return tuple(f"Counted is the hand of every other player {PLAYERS_TEXT[one]}." for one in kinds)


def _limited_envy(
    one: Analysis, envy: EnvyAnalysis, players: Sequence[int]
) -> Iterator[tuple[str, ...]]:
    """Yield the row of the edges under a limit, where it cuts pays at the wager of the table."""
    for limited in one.limit.amounts if one.limit is not None else ():
        edges = limited.house_edge_by_players
        if one.limit is not None and limited.wager_cents == envy.wager_cents and edges:
            name = f"{label(one.paytable)}, limit {limits_text(one.limit)}"
            cells = (percent(edges[n]) if n in edges else "–" for n in players)
            yield (name, envy.paytable, *cells, exact(edges.get(1, Fraction(0))))


def _shared_limit(one: Analysis, envy: EnvyAnalysis) -> str:
    """Return what a limit that is shared adds to the edges, where it can cut pays there."""
    for limited in one.limit.amounts if one.limit is not None else ():
        if one.limit is not None and one.limit.shared and limited.wager_cents == envy.wager_cents:
            added = bounded(limited, Fraction(0), percent)
            return (
                f"The limit of {limits_text(one.limit)} makes the house edge of "
                f"{label(one.paytable)} higher by {added} points."
            )
    return ""


def _envy_edges(wager: Wager, analyses: Sequence[tuple[Analysis, EnvyAnalysis]]) -> Table | None:
    """Return the house edge by paytable and number of other players, at the qualifying wager."""
    if not analyses:
        return None
    players = sorted({number for _, envy in analyses for number in envy.house_edge_by_players})
    rows = []
    for one, envy in analyses:
        edges = envy.house_edge_by_players
        cells = (percent(edges[n]) if n in edges else "–" for n in players)
        alone = edges.get(1, Fraction(0))
        rows.append((label(one.paytable), envy.paytable, *cells, exact(alone)))
        rows += _limited_envy(one, envy, players)
    notes = (
        "Every other player whose hand counts lowers the house edge by the value of one hand of "
        "the table of prizes, given below.",
        advantage(edge for _, one in analyses for edge in one.house_edge_by_players.values()),
        *dict.fromkeys(_shared_limit(one, envy) for one, envy in analyses),
    )
    return table(
        f"{wager.name}: house edge in percent by number of other players",
        f"Paytable @20 | {as_written(analyses[0][1].called)} | "
        + " | ".join(f"#{number - 1}" for number in players)
        + " | =Exact for 0 @20",
        rows,
        note=" ".join(one for one in notes if one),
    )
