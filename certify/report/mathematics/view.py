"""View of the mathematics report: parts in order, summary on page 1, bonus wagers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from certify.formatting import percentage, square_root
from certify.model.analysis import Analysis, EnvyAnalysis, RowAnalysis
from certify.model.game import Game, Strategy
from certify.model.paytable import Basis, EnvyTable, Payout, Paytable
from certify.model.submission import Status, Submission
from certify.report.charts import Chart, Range, ranges
from certify.report.compose import compose
from certify.report.mathematics.filed import (
    FiledWager,
    assumptions,
    conventions,
    filed_wagers,
    main_under_limits,
    readings,
    wager_under_limits,
)
from certify.report.mathematics.main_wager import (
    control_sheet,
    drawn_tables,
    main_figures,
    progressive_wager,
)
from certify.report.mathematics.method import matches_analysis, method, proof
from certify.report.mathematics.risk import ROUNDS, combined_results, exposure, volatility
from certify.report.rules.numbering import find_places
from certify.report.rules.view import rules_view
from certify.report.submission import head_view
from certify.report.wording import (
    Ids,
    groups,
    ids,
    merged_orders,
    name_in_print,
    names,
    span,
    together,
)

Edges = tuple[str, tuple[Fraction | None, ...], int | None]
"""A table of prizes, the edges with it, and the wager where a payout limit makes them so."""


def build_prizes(filed: FiledWager) -> dict[str, Any] | None:
    """Return the prizes that go with a wager's paytables; None without any.

    Tables with the same prizes share one column under all their ids. ``edges`` are by the number of
    ``others`` at the table.
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
    counted = together(
        ((table.hands_of, table.pays_on_own_hand, table.pays_on_dealer_hand), table.id)
        for table in dict.fromkeys(table for table, _ in shown)
    )
    return {
        "called": firsts[0][1].called,
        "counted": [
            (name_in_print("hands_of", whose), own, dealer, paid if len(counted) > 1 else [])
            for (whose, own, dealer), paid in counted.items()
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


WIDEST = 3
"""Paytables side by side in one PAR table; each takes a column of pays and one of contributions."""

ALL_OTHER = "all_other"

Same = list[tuple[Paytable, Analysis]]
"""Paytables with the same rows and figures."""

Key = tuple[str, int]
"""A hand that is paid, by its event and the number of hands that are paid for it."""


def bonus_wager(filed: FiledWager, game: Game) -> dict[str, Any] | None:
    """Return the PAR tables of one wager; None if no paytable of it is filed.

    Paytables share a table only if each hand has one count in all of them; the combinations of
    every table then add up to the total.
    """
    if not filed.paytables:
        return None
    by_counts = together((frozenset(map(_key, same[0][1].rows)), same) for same in _same(filed))
    parts = [part for columns in by_counts.values() for part in groups(columns, WIDEST)]
    return {
        "anchor": f"figures-{filed.wager.id}",
        "name": filed.wager.name,
        "tables": [
            _par_table(f"table-{filed.wager.id}{place or ''}", part, filed.paytables)
            for place, part in enumerate(parts)
        ],
        "prizes": build_prizes(filed),
        "limited": wager_under_limits(filed, game),
        "drawn": [] if _is_metered(filed) else drawn_tables(filed),
    }


def _is_metered(filed: FiledWager) -> bool:
    """Return True if the section on progressive wagers has a part on the wager."""
    return any(paytable.progressive is not None for paytable, _ in filed.paytables)


def _key(row: RowAnalysis) -> Key:
    return row.event, row.combinations


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


def _par_table(
    anchor: str, columns: Sequence[Same], order: Sequence[tuple[Paytable, Analysis]]
) -> dict[str, Any]:
    """Return hands down, paytables across; figures of a whole paytable close its columns.

    A column is headed by the ends of all its ids; its last part is the sum of the contributions,
    minus the house edge, and None where a meter decides. A hand has a payout and a row of each
    paytable.
    """
    firsts = [same[0] for same in columns]
    listed = sorted((filed for same in columns for filed in same), key=order.index)
    orders = [[_key(row) for row in analysis.rows] for _, analysis in firsts]
    keys: list[Key] = sorted(merged_orders(orders), key=lambda key: key[0] == ALL_OTHER)
    paid = [_paid(*first) for first in firsts]
    rows = {key: row for key, (_, row) in paid[0].items()}
    bases = {
        row.payout.basis for paytable, _ in firsts for row in paytable.rows if row.payout.is_odds
    }
    shared = ids([paytable.id for paytable, _ in listed])
    metered = any(paytable.progressive is not None for paytable, _ in firsts)
    return {
        "anchor": anchor,
        "ids": shared,
        "total": firsts[0][1].total,
        "columns": [
            (
                [paytable.id.removeprefix(shared.start) for paytable, _ in same],
                same[0][1],
                None if metered else sum(row.contribution for row in same[0][1].rows),
            )
            for same in columns
        ],
        "hands": [(rows[key], [of_table[key] for of_table in paid]) for key in keys],
        "other_names": _other_names(listed, rows),
        "metered": metered,
        "to_one": Basis.TO in bases,
        "for_one": Basis.FOR in bases,
    }


def _paid(paytable: Paytable, analysis: Analysis) -> dict[Key, tuple[Payout, RowAnalysis]]:
    """Return the pay of each hand of a paytable; hands without a row lose."""
    payouts = {row.event: row.payout for row in paytable.rows}
    return {
        _key(row): (payouts.get(row.event, Payout(basis=Basis.LOSS)), row) for row in analysis.rows
    }


def _other_names(listed: Same, rows: Mapping[Key, RowAnalysis]) -> list[tuple[str, str, Ids]]:
    """Return the other names that some paytables have for a hand of the matrix."""
    others = together(
        ((name, row.name), paytable.id)
        for paytable, analysis in listed
        for row in analysis.rows
        if row.name != (name := rows[_key(row)].name)
    )
    return [(name, other, ids(tables)) for (name, other), tables in others.items()]


def reconstructions(filed: FiledWager) -> list[tuple[str, Ids]]:
    """Return the interpretations of illegible cells, each with all its tables."""
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
    """Return the contents of page 1.

    ``metered`` of the ``tables`` have no single edge, as a meter changes it; ``checked`` of them
    have a second count that agrees. ``envy`` are the words for prizes for hands of others;
    ``negative``: an edge is below zero. ``advantages`` list wagers that favor the player, with the
    reasons why they are submitted.
    """
    analyses = [analysis for each in wagers for analysis in each.analyses]
    lines = [_line(submission, wager) for wager in wagers]
    return {
        "wagers": lines,
        "readings": readings[:PRICED],
        "tables": len(analyses),
        "checked": sum(line["checked"] for line in lines),
        "metered": sum(analysis.house_edge is None for analysis in analyses),
        "chart": _chart(lines),
        "negative": any((analysis.house_edge or 0) < 0 for analysis in analyses),
        "advantages": [
            finding.message for finding in submission.findings if finding.code == ADVANTAGE
        ],
        "posted": any(option.posted_amount for option in submission.options),
        "favorable_ways": [
            (name, by_way.paytable, by_way.house_edge) for name, by_way in submission.favorable_ways
        ],
        "envy": [*dict.fromkeys(each.envy.called for each in analyses if each.envy is not None)],
    }


def _sections_with_limits(wagers: Iterable[FiledWager]) -> Iterator[str]:
    """Yield the section of each wager whose figures a payout limit changes."""
    for filed in wagers:
        if any(analysis.limit and analysis.limit.amounts for analysis in filed.analyses):
            yield "main" if filed.options else "bonus"


def _sections_with_draws(wagers: Iterable[FiledWager]) -> Iterator[str]:
    """Yield the section of each wager that has an edge without its dynamic payouts."""
    for filed in wagers:
        if any(each.dynamic and each.house_edge is not None for each in filed.analyses):
            yield "progressive" if _is_metered(filed) else "bonus"


def _line(submission: Submission, filed: FiledWager) -> dict[str, Any]:
    """Return one wager with its figures over all its submitted entries, None without any.

    ``edges`` are by optimal play and by the house way, or one edge where hands are not divided. The
    two differ only where a figure depends on how the player sets the hand. ``fixed`` is the return
    of the fixed payouts where meters decide the rest, ``adds`` what each $1,000 on a meter adds.
    ``checked`` of its ``tables`` have a second count that agrees.
    """
    analyses = filed.analyses
    by_strategy = {
        strategy: [
            analysis.house_edge
            for analysis in submission.comparison
            if analysis.main is not None
            and analysis.main.strategy is strategy
            and analysis.wager == filed.wager.id
        ]
        for strategy in (Strategy.OPTIMAL, Strategy.HOUSE_WAY)
    }
    edge = span(analysis.house_edge for analysis in analyses)
    as_set = any(analysis.house_way is not None for analysis in analyses)
    if submission.way is None:
        edges = [edge]
    elif any(by_strategy.values()):
        edges = [span(of_strategy) for of_strategy in by_strategy.values()]
    else:
        edges = [None if as_set else edge, edge]
    checks = [check for check in submission.crosschecks if check.is_verified]
    metered = [analysis.progressive for analysis in analyses if analysis.progressive is not None]
    return {
        "name": filed.wager.name,
        "tables": len(analyses),
        "edge": edge,
        "edges": edges,
        "returned": span(analysis.return_to_player for analysis in analyses),
        "hit": span(
            (analysis.hit_frequency for analysis in analyses), partial(percentage, places=2)
        ),
        "variance": span(
            (analysis.variance for analysis in analyses), partial(square_root, places=3)
        ),
        "fixed": span(progressive.fixed_return for progressive in metered),
        "adds": span(
            meter.weight * THOUSAND / progressive.base_wager_cents
            for progressive in metered
            for meter in progressive.meters
        ),
        "drawn": any(analysis.dynamic is not None for analysis in analyses),
        "checked": sum(
            any(matches_analysis(check, analysis) for check in checks) for analysis in analyses
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


ODDS_TEST, VALUES_TEST = "odds_of_each_wager", "required_values"
"""The rule tests of jurisdictions that require true odds with the payout odds."""


def _prints_true_odds(submission: Submission) -> bool:
    """Return True if a text in force requires true odds."""
    texts = submission.jurisdiction.find_texts(submission.as_of, ODDS_TEST, VALUES_TEST)
    return any(
        test == ODDS_TEST or (text.requires is not None and text.requires.odds)
        for test, text in texts
    )


def mathematics_view(submission: Submission, *, numbered: bool = True) -> dict[str, Any]:
    """Return the variables of the mathematics report's templates.

    ``numbered``: with the printed numbers of the rules that interpretations mark; they are read
    from the composed rules of play.
    """
    wagers = filed_wagers(submission)
    analysed = [(filed.wager, analysis) for filed in wagers for analysis in filed.analyses]
    rules = rules_view(submission)
    templates = submission.templates
    places = find_places(compose("rules.html.j2", rules, overrides=templates)) if numbered else {}
    others = readings(submission, analysed, places)
    bonus = [*filter(None, (bonus_wager(filed, submission.game) for filed in wagers))]
    meters = [*filter(None, map(progressive_wager, wagers))]
    titles = dict(names("mathematics"))
    if not meters:
        del titles["progressive"]
    if submission.main is None:
        del titles["main"]
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
        "with_limits": [(at, numbers[at]) for at in dict.fromkeys(_sections_with_limits(wagers))],
        "with_draws": [(at, numbers[at]) for at in dict.fromkeys(_sections_with_draws(wagers))],
        "assumptions": assumptions(submission, others, places),
        "readings": others,
        "conventions": conventions(submission, analysed),
        "method": method(submission),
        "main": main_figures(submission),
        "main_limits": main_under_limits(wagers, submission.game),
        "true_odds": _prints_true_odds(submission),
        "bonus": bonus,
        "meters": meters,
        "sheet": control_sheet(submission),
        "volatility": volatility(wagers),
        "combined": combined_results(wagers),
        "rounds": ROUNDS,
        "exposure": exposure(wagers, submission),
        "proof": proof(submission),
        "final": submission.status is Status.FINAL,
    }
