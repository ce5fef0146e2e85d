"""View of the mathematics report: its parts in order, the summary, and the bonus wagers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from certify.formatting import percentage
from certify.model.analysis import Analysis, EnvyAnalysis, RowAnalysis
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable
from certify.model.submission import ItemState, Status, Submission
from certify.report.charts import Chart, Range, ranges
from certify.report.mathematics.filed import (
    FiledWager,
    Ids,
    assumptions,
    conventions,
    filed_wagers,
    filing_state,
    ids,
    readings,
    wager_under_limits,
)
from certify.report.mathematics.main_wager import main_figures, plays, progressive_wager
from certify.report.mathematics.method import is_count_of, method, proof
from certify.report.mathematics.risk import ROUNDS, exposure, volatility
from certify.report.summary import head_view
from certify.report.wording import groups, merged_orders, named, names, span, together

Edges = tuple[str, tuple[Fraction | None, ...], int | None]
"""A table of prizes, the edges with it, and the wager where a payout limit makes them so."""


def prizes_of(filed: FiledWager) -> dict[str, Any] | None:
    """Return the prizes that go with a wager's paytables; None without any.

    Tables with the same prizes stand in one column under all their ids. ``edges`` are by the number
    of ``others`` at the table.
    """
    with_prizes = [
        (analysis, analysis.envy) for _, analysis in filed.paytables if analysis.envy is not None
    ]
    if not with_prizes:
        return None
    tables = {table.id: table for table in filed.wager.envies}
    shown = [(tables[envy.paytable], envy) for _, envy in with_prizes]
    columns = together(
        ((table.rows, envy.per_other_player, envy.wager_cents), (table, envy))
        for table, envy in shown
    )
    firsts = [same[0] for same in columns.values()]
    numbers = sorted({number for _, envy in with_prizes for number in envy.house_edge_by_players})
    edges = together(_edges(with_prizes, numbers))
    return {
        "called": firsts[0][1].called,
        "hands_of": [
            named("hands_of", whose)
            for whose in dict.fromkeys(table.hands_of for table, _ in shown)
        ],
        "columns": [
            ([*dict.fromkeys(table.id for table, _ in same)], *same[0]) for same in columns.values()
        ],
        "hands": _hands(firsts),
        "others": [number - 1 for number in numbers],
        "capped": any(envy.wager_cents < envy.qualifying_wager_cents for _, envy in shown),
        "edges": [(ids(names), *line) for line, names in edges.items()],
    }


def _hands(
    columns: Sequence[tuple[EnvyTable, EnvyAnalysis]],
) -> list[tuple[RowAnalysis, list[int | None]]]:
    """Return each hand of another player as counted, with the prize of every table in cents."""
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
    orders = [[(row.event, row.combinations) for row in envy.rows] for _, envy in columns]
    return [(rows[key], [of_table.get(key) for of_table in cents]) for key in merged_orders(orders)]


def _edges(
    with_prizes: Sequence[tuple[Analysis, EnvyAnalysis]], numbers: Sequence[int]
) -> Iterator[tuple[Edges, str]]:
    """Yield the edges of each paytable, then those under a limit at the wager that qualifies."""
    for analysis, envy in with_prizes:
        edges = tuple(envy.house_edge_by_players.get(number) for number in numbers)
        yield (envy.paytable, edges, None), analysis.paytable
        for amount in analysis.limit.amounts if analysis.limit is not None else ():
            if amount.wager_cents == envy.wager_cents and amount.house_edge_by_players:
                edges = tuple(amount.house_edge_by_players.get(number) for number in numbers)
                yield (envy.paytable, edges, amount.wager_cents), analysis.paytable


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


PRICED = 3
"""The other readings that page 1 names."""

ADVANTAGE = "P015"
"""The finding that a wager returns more than is wagered, which the terms accept."""

THOUSAND = 100_000
"""Cents on a meter that the report prices."""


def summary(
    submission: Submission, wagers: Sequence[FiledWager], readings: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return what page 1 says of a submission.

    ``metered`` of the ``tables`` have no single edge, as a meter moves it. ``envy`` is the word for
    prizes for other players' hands; ``negative``: an edge is below zero. ``advantages`` say which
    wagers favor the player, and why they are filed.
    """
    analyses = [analysis for each in wagers for analysis in each.analyses]
    played = plays(submission.comparison)
    edges = [play.analysis.house_edge for play in played if play.analysis.house_edge is not None]
    lines = [_line(submission, wager) for wager in wagers]
    bearers = Counter(
        line.item.bearer for line in submission.checklist if line.state is ItemState.OPEN
    )
    return {
        "wagers": lines,
        "plays": played,
        "worth": max(edges) - min(edges) if len(edges) > 1 else None,
        "readings": readings[:PRICED],
        "tables": len(analyses),
        "metered": sum(analysis.house_edge is None for analysis in analyses),
        "open_items": [*bearers.items()],
        "chart": _chart(lines),
        "negative": any((analysis.house_edge or 0) < 0 for analysis in analyses),
        "advantages": [
            finding.message for finding in submission.findings if finding.code == ADVANTAGE
        ],
        "favorable_ways": [
            (name, by_way.paytable, by_way.house_edge)
            for name, by_way in submission.other_ways
            if (by_way.house_edge or 0) < 0
        ],
        "envy": next((each.envy.called for each in analyses if each.envy is not None), ""),
    }


def _line(submission: Submission, filed: FiledWager) -> dict[str, Any]:
    """Return one wager: its figures over all that is filed of it, None where there is none.

    ``fixed`` is the return of the fixed payouts where meters decide the rest, ``adds`` what each
    $1,000 on a meter adds. ``checked`` of its ``tables`` have a second count that agrees.
    """
    analyses = filed.analyses
    checks = [check for check in submission.crosschecks if check.verified]
    metered = [analysis.progressive for analysis in analyses if analysis.progressive is not None]
    return {
        "name": filed.wager.name,
        "tables": len(analyses),
        "edge": span(analysis.house_edge for analysis in analyses),
        "returned": span(analysis.return_to_player for analysis in analyses),
        "hit": span(analysis.hit_frequency for analysis in analyses),
        "variance": span(analysis.variance for analysis in analyses),
        "fixed": span(progressive.fixed_return for progressive in metered),
        "adds": span(
            meter.weight * THOUSAND / progressive.base_wager_cents
            for progressive in metered
            for meter in progressive.meters
        ),
        "drawn": any(analysis.dynamic is not None for analysis in analyses),
        "checked": sum(
            any(is_count_of(check, analysis) for check in checks) for analysis in analyses
        ),
    }


def _chart(lines: Sequence[dict[str, Any]]) -> Chart | None:
    """Return the edges of all wagers that have one, on one scale."""
    values = [
        Range(
            label=line["name"],
            low=edge.low,
            high=edge.high,
            printed=percentage(edge.low, 2)
            + (f" to {percentage(edge.high, 2)}" if edge.several else ""),
        )
        for line in lines
        if (edge := line["edge"]) is not None
    ]
    return ranges(id="figure-edges", values=values) if len(values) > 1 else None


ODDS_TEST = "odds_of_each_wager"
"""The check of a jurisdiction that asks for true odds beside the payout odds."""


def mathematics_view(submission: Submission) -> dict[str, Any]:
    """Return what the templates of the mathematics report print."""
    wagers = filed_wagers(submission)
    analysed = [(filed.wager, analysis) for filed in wagers for analysis in filed.analyses]
    others = readings(submission, analysed)
    bonus = [*filter(None, map(bonus_wager, wagers))]
    meters = [*filter(None, map(progressive_wager, wagers))]
    titles = dict(names("mathematics"))
    if not meters:
        del titles["progressive"]
    numbers = {name: str(number) for number, name in enumerate(titles, 1)}
    return head_view(submission, "Mathematics Report") | {
        "sections": [
            {
                "anchor": f"section-{name}",
                "title": f"{number}. {titles[name]}",
                "template": f"mathematics/{name}.html.j2",
                "wagers": bonus if name == "bonus" else [],
            }
            for name, number in numbers.items()
        ],
        "at": numbers,
        "filed": wagers,
        "summary": summary(submission, wagers, others),
        "assumptions": assumptions(submission, analysed, others),
        "readings": others,
        "conventions": conventions(submission, analysed),
        "method": method(submission),
        "main": main_figures(submission),
        "main_limits": [
            limits for wager in wagers if wager.options and (limits := wager_under_limits(wager))
        ],
        "true_odds": any(rule.test == ODDS_TEST for rule in submission.jurisdiction.rules),
        "bonus": bonus,
        "meters": meters,
        "volatility": volatility(wagers),
        "rounds": ROUNDS,
        "exposure": exposure(wagers, submission),
        "proof": proof(submission),
        "filing": filing_state(submission),
        "final": submission.status is Status.FINAL,
    }
