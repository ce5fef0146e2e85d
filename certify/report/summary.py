"""Analyses in short."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from certify.formatting import (
    decimal,
    edge_in_words,
    exact,
    format_one_in,
    money,
    percentage,
    rounds_to_a_hit,
    square_root,
    thousands,
)
from certify.model.analysis import Analysis, LimitAnalysis, LimitedFigures
from certify.model.progressive import MeterAnalysis, ProgressiveAnalysis
from certify.report.tables import Table, table
from certify.report.wording import (
    Bounded,
    bound_figure,
    capitalize_first,
    limit_text,
    name_in_print,
    other_players,
)

COLUMNS = "Hand | Pays | #Combinations | #Probability | #1 in | #Return"

BY_METER = "by meter"
"""Text for the return of a row that a meter of unknown level pays."""

WITHOUT_METERS = "Return without the hands paid by a meter"


def build_rows(analysis: Analysis) -> Table:
    """Return the rows: hand, pays, combinations, probability, 1 in N, return."""
    rows: list[tuple[str, ...]] = [
        (
            row.name,
            row.pays,
            thousands(row.combinations),
            decimal(row.probability, 10),
            rounds_to_a_hit(row.probability),
            decimal(row.contribution, 8) if row.weight is None else BY_METER,
        )
        for row in analysis.rows
    ]
    total = sum(row.combinations for row in analysis.rows)
    summed = [row.contribution for row in analysis.rows if row.weight is None]
    complete = len(summed) == len(analysis.rows)
    returned = decimal(sum(summed, start=Fraction(0)), 8)
    share = decimal(Fraction(total, analysis.total), 10)
    rows.append(("Total", "", thousands(total), share, "", returned if complete else ""))
    if not complete:
        rows.append((WITHOUT_METERS, "", "", "", "", returned))
    return table(analysis.target, COLUMNS, rows)


def build_summary(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the figures by name, exact and rounded."""
    figures: list[tuple[str, str]] = []
    if analysis.main is not None:
        if analysis.main.house_way:
            figures += [
                ("House way", analysis.main.house_way),
                ("Strategy", name_in_print("strategy", analysis.main.strategy)),
            ]
        figures += [
            (
                name.capitalize(),
                f"{percentage(Fraction(count, analysis.total), 5)}  ({thousands(count)})",
            )
            for name, count in analysis.main.outcomes.items()
        ]
    if analysis.house_way is not None:
        figures.append(("House way", analysis.house_way))
    if analysis.house_edge is not None and analysis.return_to_player is not None:
        in_words = capitalize_first(edge_in_words(analysis.house_edge))
        figures += [
            ("House edge", f"{percentage(analysis.house_edge)}  = {exact(analysis.house_edge)}"),
            *([("In words", f"{in_words}.")] if analysis.house_edge < 0 else []),
            ("Return to player", percentage(analysis.return_to_player)),
            ("Cost per $100 wagered", money(analysis.house_edge * 10000)),
        ]
    if analysis.main is not None:
        figures += [
            (f"House edge at {money(at.wager_cents)}", percentage(at.house_edge))
            for at in analysis.main.by_wager
        ]
    if analysis.main is not None and analysis.main.bank is not None:
        bank = analysis.main.bank
        figures += [
            ("House edge while banking", percentage(bank.house_edge)),
            (f"House edge, banking {exact(bank.share)}", percentage(bank.combined_edge)),
        ]
    if analysis.main is not None and analysis.main.element_of_risk is not None:
        figures.append(("Element of risk", percentage(analysis.main.element_of_risk)))
    if analysis.main is not None and analysis.main.average_wager is not None:
        figures.append(("Average wager", decimal(analysis.main.average_wager, 6)))
    figures.append(
        (
            "Hit frequency",
            f"{percentage(analysis.hit_frequency)}  ({format_one_in(analysis.hit_frequency)})",
        )
    )
    if analysis.variance is not None:
        figures.append(("Standard deviation", square_root(analysis.variance, 6)))
    return figures + _envy(analysis) + _progressive(analysis) + _limits(analysis)


def build_overview(analyses: Sequence[Analysis]) -> Table:
    """Return one line of figures for each paytable or option, without empty columns.

    A progressive paytable has the return of its fixed payouts instead of a house edge.
    """
    rows = [
        (
            analysis.target.partition("/")[2],
            *_edge_and_return(analysis),
            percentage(analysis.hit_frequency),
            square_root(analysis.variance, 4) if analysis.variance is not None else "",
        )
        for analysis in analyses
    ]
    titles = ("Paytable", "#House edge", "#Return", "#Hit frequency", "#Standard deviation")
    filled = [place for place in range(len(titles)) if any(row[place] for row in rows)]
    return table(
        analyses[0].game,
        " | ".join(titles[place] for place in filled),
        [[row[place] for place in filled] for row in rows],
    )


def _edge_and_return(analysis: Analysis) -> tuple[str, str]:
    if analysis.progressive is not None:
        return "", f"{percentage(analysis.progressive.fixed_return)} fixed"
    if analysis.house_edge is None or analysis.return_to_player is None:
        return "", ""
    return percentage(analysis.house_edge), percentage(analysis.return_to_player)


def _envy(analysis: Analysis) -> list[tuple[str, str]]:
    envy = analysis.envy
    if envy is None:
        return []
    wager = money(envy.wager_cents)
    return [
        (
            f"{capitalize_first(envy.called)} table {envy.paytable}",
            f"{percentage(envy.per_other_player)} of a {wager} wager per other player",
        ),
        *(
            (f"House edge, {other_players(players)}", percentage(edge))
            for players, edge in envy.house_edge_by_players.items()
        ),
    ]


def _progressive(analysis: Analysis) -> list[tuple[str, str]]:
    progressive = analysis.progressive
    if progressive is None:
        return []
    base = progressive.base_wager_cents
    figures = [("Return of fixed pays, without the meters", percentage(progressive.fixed_return))]
    for meter in progressive.meters:
        figures += [
            (f"Meter {meter.level}: weight", exact(meter.weight)),
            (
                f"Meter {meter.level}: break-even",
                f"{money(meter.break_even * base)} for a {money(base)} wager"
                + ("" if len(progressive.meters) == 1 else ", the other meters at zero"),
            ),
            (f"Meter {meter.level}: won", format_one_in(meter.hit_probability)),
            *_long_run(meter, base),
        ]
    if progressive.return_at_reset is not None:
        figures.append(
            ("Return with each meter at its seed", percentage(progressive.return_at_reset))
        )
    if progressive.long_run is not None:
        least, greatest = progressive.long_run
        figures += [
            ("Long-run return", _span(percentage(least), percentage(greatest))),
            (
                "Long-run return if winners share",
                f"lower by at most {percentage(progressive.lost_by_sharing, 8)} "
                f"with {progressive.players} players",
            ),
        ]
    if analysis.dynamic is not None:
        figures.append(
            (
                "Dynamic pays add",
                f"{percentage(analysis.dynamic.least)} to {percentage(analysis.dynamic.greatest)}",
            )
        )
    return figures


def _long_run(meter: MeterAnalysis, base: int) -> Iterator[tuple[str, str]]:
    run = meter.long_run
    if run is None:
        return
    average = _span(money(run.least * base), money(run.greatest * base))
    yield f"Meter {meter.level}: average at a win", average
    yield f"Meter {meter.level}: won as a whole", format_one_in(run.restart)
    if run.covered is not None:
        yield f"Meter {meter.level}: reserve", f"pays {percentage(run.covered)} of the seeds"


def _span(least: str, greatest: str) -> str:
    return least if least == greatest else f"{least} to {greatest}"


def _limits(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the figures of a wager under limits, as names and values; empty without a limit."""
    limit, progressive = analysis.limit, analysis.progressive
    if limit is None:
        return []
    lines = [("Payout limit", limit_text(declared)) for declared in limit.limits]
    lines.append(("Payout limit binds", _binds(limit)))
    for at in limit.amounts:
        wager = f"at {money(at.wager_cents)}"
        edge = bound_figure(analysis.house_edge, at)
        if edge is not None:
            fraction = f"  = {exact(edge.low)}" if edge.exact else ""
            lines.append((f"House edge {wager}", _in_words(edge) + fraction))
        lines += [
            (f"House edge {wager}, {other_players(players)}", percentage(with_prizes))
            for players, with_prizes in at.house_edge_by_players.items()
            if players > 1
        ]
        if progressive is not None:
            lines += _meter_lines(progressive, at, wager)
    return lines


def _binds(limit: LimitAnalysis) -> str:
    """Return the wager from which a pay can be reduced."""
    if limit.binds_above_cents is None:
        return "never: nothing is paid at odds"
    above = f"above a wager of {money(limit.binds_above_cents)}"
    return above if limit.amounts else f"{above}, which is more than is wagered here"


def _in_words(figure: Bounded) -> str:
    """Return a figure under a limit, or its bounds."""
    if figure.exact:
        return percentage(figure.low)
    first, second = ("at most", "at least") if figure.falls else ("at least", "at most")
    bound = "" if figure.high is None else f", {second} {percentage(figure.high)}"
    return f"{first} {percentage(figure.low)}{bound}"


def _meter_lines(
    progressive: ProgressiveAnalysis, at: LimitedFigures, wager: str
) -> Iterator[tuple[str, str]]:
    fixed = bound_figure(progressive.fixed_return, at, falls=True)
    if fixed is not None:
        yield f"Return of fixed pays {wager}", _in_words(fixed)
    for level, meter in at.break_evens:
        break_even = money(meter * progressive.base_wager_cents)
        yield f"Meter {level}: break-even {wager}", break_even
    if at.dynamic is not None:
        low, high = at.dynamic
        yield f"Dynamic pays add {wager}", f"{percentage(low)} to {percentage(high)}"
