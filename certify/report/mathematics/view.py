"""View of the mathematics report: its parts in order, and the summary on page 1."""

from collections.abc import Sequence
from typing import Any

from certify.formatting import percentage
from certify.model.game import Strategy
from certify.model.submission import Status, Submission
from certify.report.charts import Chart, Range, ranges
from certify.report.mathematics.bonus import bonus_wager
from certify.report.mathematics.filed import (
    FiledWager,
    assumptions,
    conventions,
    filed_wagers,
    readings,
    wager_under_limits,
)
from certify.report.mathematics.main_wager import main_figures, progressive_wager
from certify.report.mathematics.method import matches_analysis, method, proof
from certify.report.mathematics.risk import ROUNDS, exposure, volatility
from certify.report.submission import head_view
from certify.report.wording import names, span

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
    have a second count that agrees. ``envy`` is the word
    for prizes for other players' hands; ``negative``: an edge is below zero. ``advantages`` list
    wagers that favor the player, with the reasons why they are submitted.
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
        "favorable_ways": [
            (name, by_way.paytable, by_way.house_edge)
            for name, by_way in submission.other_ways
            if (by_way.house_edge or 0) < 0
        ],
        "envy": next((each.envy.called for each in analyses if each.envy is not None), ""),
    }


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


ODDS_TEST = "odds_of_each_wager"
"""The rule test of a jurisdiction that requires true odds with the payout odds."""


def mathematics_view(submission: Submission) -> dict[str, Any]:
    """Return the variables of the mathematics report's templates."""
    wagers = filed_wagers(submission)
    analysed = [(filed.wager, analysis) for filed in wagers for analysis in filed.analyses]
    others = readings(submission, analysed)
    bonus = [*filter(None, map(bonus_wager, wagers))]
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
        "final": submission.status is Status.FINAL,
    }
