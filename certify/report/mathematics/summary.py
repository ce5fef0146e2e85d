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
    analyses = [one for each in wagers for one in each.analyses]
    bearers = Counter(
        named("bearer", one.item.bearer)
        for one in submission.checklist
        if one.state is ItemState.OPEN
    )
    played = plays(submission.comparison)
    edges = [one.analysis.house_edge for one in played if one.analysis.house_edge is not None]
    lines = tuple(_line(submission, one) for one in wagers)
    return FirstPage(
        wagers=lines,
        plays=played,
        worth=max(edges) - min(edges) if len(edges) > 1 else None,
        readings=tuple(readings[:PRICED]),
        tables=len(analyses),
        metered=sum(one.house_edge is None for one in analyses),
        open_items=tuple(bearers.items()),
        chart=_chart(lines),
        negative=any((one.house_edge or 0) < 0 for one in analyses),
        envy=next((one.envy.called for one in analyses if one.envy is not None), ""),
    )


def _line(submission: Submission, filed: FiledWager) -> WagerFigures:
    analyses = filed.analyses
    targets = {one.target for one in analyses}
    checks = [one for one in submission.crosschecks if one.target in targets and one.agrees]
    metered = [one.progressive for one in analyses if one.progressive is not None]
    return WagerFigures(
        name=filed.wager.name,
        tables=len(analyses),
        edge=figure_span(one.house_edge for one in analyses),
        returned=figure_span(one.return_to_player for one in analyses),
        hit=figure_span(one.hit_frequency for one in analyses),
        variance=figure_span(one.variance for one in analyses),
        fixed=figure_span(one.fixed_return for one in metered),
        adds=figure_span(
            meter.weight * THOUSAND / one.base_wager_cents
            for one in metered
            for meter in one.meters
        ),
        drawn=any(one.dynamic is not None for one in analyses),
        checked=len({one.target for one in checks}),
    )


def _chart(lines: Sequence[WagerFigures]) -> Chart | None:
    """Return the edges of all wagers that have one, on one scale."""
    values = [
        Range(
            label=one.name,
            low=one.edge.low,
            high=one.edge.high,
            printed=percentage(one.edge.low, 2)
            + (f" to {percentage(one.edge.high, 2)}" if one.edge.several else ""),
        )
        for one in lines
        if one.edge is not None
    ]
    return ranges(id="figure-edges", values=values) if len(values) > 1 else None
