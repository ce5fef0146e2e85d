"""Page 1: each wager once, the main wager by strategy, what is assumed, what is open."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.formatting import percentage
from certify.model.submission import ItemState, Submission
from certify.report.charts import Chart, Range, ranges
from certify.report.mathematics.filed import FigureSpan, FiledWager, figure_span
from certify.report.mathematics.main_wager import Play, plays
from certify.report.mathematics.readings import OtherReading
from certify.report.wording import named

PRICED = 3
"""The other readings that page 1 names."""

THOUSAND = 100_000
"""Cents on a meter that the report prices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFigures:
    """One wager: its figures over all that is filed of it, None where there is none.

    ``fixed`` is the return of the fixed payouts where meters decide the rest, ``adds`` what each
    $1,000 on a meter adds. ``checked`` of its ``tables`` have a second count that agrees.
    """

    name: str
    tables: int
    edge: FigureSpan | None
    returned: FigureSpan | None
    hit: FigureSpan | None
    variance: FigureSpan | None
    fixed: FigureSpan | None
    adds: FigureSpan | None
    drawn: bool
    checked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPage:
    """What page 1 says. ``metered`` of the ``tables`` have no single edge, as a meter moves it.

    ``envy`` is the word for prizes for other players' hands; ``negative``: an edge is below zero.
    """

    wagers: tuple[WagerFigures, ...]
    plays: tuple[Play, ...]
    worth: Fraction | None
    readings: tuple[OtherReading, ...]
    tables: int
    metered: int
    open_items: tuple[tuple[str, int], ...]
    chart: Chart | None
    envy: str
    negative: bool


def summary(
    submission: Submission, wagers: Sequence[FiledWager], readings: Sequence[OtherReading]
) -> FirstPage:
    """Return what page 1 says of a submission."""
    analyses = [analysis for each in wagers for analysis in each.analyses]
    bearers = Counter(
        named("bearer", line.item.bearer)
        for line in submission.checklist
        if line.state is ItemState.OPEN
    )
    played = plays(submission.comparison)
    edges = [play.analysis.house_edge for play in played if play.analysis.house_edge is not None]
    lines = tuple(_line(submission, wager) for wager in wagers)
    return FirstPage(
        wagers=lines,
        plays=played,
        worth=max(edges) - min(edges) if len(edges) > 1 else None,
        readings=tuple(readings[:PRICED]),
        tables=len(analyses),
        metered=sum(analysis.house_edge is None for analysis in analyses),
        open_items=tuple(bearers.items()),
        chart=_chart(lines),
        negative=any((analysis.house_edge or 0) < 0 for analysis in analyses),
        envy=next((analysis.envy.called for analysis in analyses if analysis.envy is not None), ""),
    )


def _line(submission: Submission, filed: FiledWager) -> WagerFigures:
    analyses = filed.analyses
    targets = {analysis.target for analysis in analyses}
    checks = [check for check in submission.crosschecks if check.target in targets and check.agrees]
    metered = [analysis.progressive for analysis in analyses if analysis.progressive is not None]
    return WagerFigures(
        name=filed.wager.name,
        tables=len(analyses),
        edge=figure_span(analysis.house_edge for analysis in analyses),
        returned=figure_span(analysis.return_to_player for analysis in analyses),
        hit=figure_span(analysis.hit_frequency for analysis in analyses),
        variance=figure_span(analysis.variance for analysis in analyses),
        fixed=figure_span(progressive.fixed_return for progressive in metered),
        adds=figure_span(
            meter.weight * THOUSAND / progressive.base_wager_cents
            for progressive in metered
            for meter in progressive.meters
        ),
        drawn=any(analysis.dynamic is not None for analysis in analyses),
        checked=len({check.target for check in checks}),
    )


def _chart(lines: Sequence[WagerFigures]) -> Chart | None:
    """Return the edges of all wagers that have one, on one scale."""
    values = [
        Range(
            label=line.name,
            low=line.edge.low,
            high=line.edge.high,
            printed=percentage(line.edge.low, 2)
            + (f" to {percentage(line.edge.high, 2)}" if line.edge.several else ""),
        )
        for line in lines
        if line.edge is not None
    ]
    return ranges(id="figure-edges", values=values) if len(values) > 1 else None
