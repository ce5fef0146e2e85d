"""What the mathematics report prints of a bonus wager: figures, charts, envy and meters."""

from fractions import Fraction
from typing import Any

from certify.model.analysis import Analysis, EnvyAnalysis, ProgressiveAnalysis, RowAnalysis
from certify.model.game import Wager
from certify.model.submission import Submission
from certify.report.charts import Bar, Chart, bars
from certify.report.numbers import (
    decimal,
    exact,
    money,
    one_in,
    percent,
    square_root,
    thousands,
)
from certify.report.tables import Table, table

METER_STEPS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(5, 4))
"""Levels of a meter in the chart and its table, as shares of the break-even meter."""


def wager_figures(wager: Wager, submission: Submission) -> list[dict[str, Any]]:
    """Return the figures of every filed paytable of one wager."""
    found = []
    for paytable in submission.paytables:
        analysis = submission.analyses.get(paytable.target)
        if paytable.wager != wager.id or analysis is None:
            continue
        found.append(
            {
                "id": paytable.id,
                "table": rows_table(analysis),
                "exact": exact_table(analysis),
                "chart": _return_chart(analysis),
                "envy": _envy(analysis.envy, paytable.id) if analysis.envy else None,
                "progressive": _progressive(analysis) if analysis.progressive else None,
                "dynamic": _dynamic(analysis),
                "clause": f"[{paytable.source.document}: {paytable.source.clause}]",
            }
        )
    return found


def rows_table(analysis: Analysis) -> Table:
    """Return hand, pays, combinations, probability, 1 in N, return, cumulative return."""
    rows, cumulative = [], Fraction(0)
    for row in analysis.rows:
        cumulative += row.contribution
        rows.append(_row(row, cumulative))
    foot = [
        (
            "Total",
            "",
            thousands(analysis.total),
            decimal(Fraction(1), 8),
            "",
            decimal(cumulative, 8),
            "",
        )
    ]
    return table(
        f"{analysis.paytable}: every hand counted",
        "Hand | Pays | #Combinations | #Probability | #1 in | #Return | #Cumulative",
        rows,
        foot=foot,
        note="Return is net: pay times probability, a lost wager counted as -1.",
    )


def _row(row: RowAnalysis, cumulative: Fraction) -> tuple[str, ...]:
    return (
        row.name,
        row.pays,
        thousands(row.combinations),
        decimal(row.probability, 8),
        one_in(row.probability).removeprefix("1 in "),
        decimal(row.contribution, 8),
        decimal(cumulative, 8),
    )


def exact_table(analysis: Analysis) -> Table:
    """Return the figures that hold for the whole wager, as fraction and rounded."""
    rows = []
    if analysis.house_edge is not None and analysis.return_to_player is not None:
        rows += [
            ("House edge", exact(analysis.house_edge), f"{percent(analysis.house_edge)} %"),
            (
                "Return to player",
                exact(analysis.return_to_player),
                f"{percent(analysis.return_to_player)} %",
            ),
            (
                "Cost per $100 wagered",
                exact(analysis.house_edge * 100),
                money(analysis.house_edge * 10000),
            ),
        ]
    rows.append(
        (
            "Hit frequency",
            exact(analysis.hit_frequency),
            f"{percent(analysis.hit_frequency)} %, {one_in(analysis.hit_frequency)}",
        )
    )
    if analysis.variance is not None:
        rows += [
            ("Variance", exact(analysis.variance), decimal(analysis.variance, 6)),
            ("Standard deviation", "root of the variance", square_root(analysis.variance, 6)),
        ]
    return table(f"{analysis.paytable}: figures", "Figure | =Exact | #Rounded", rows)


def _return_chart(analysis: Analysis) -> Chart:
    values = [
        Bar(label=_short(row.name), value=row.contribution, printed=decimal(row.contribution, 4))
        for row in analysis.rows
        if row.event != "all_other"
    ]
    return bars(
        id=f"chart-{analysis.wager}-{analysis.paytable}",
        title=f"What each hand returns of one unit wagered, {analysis.paytable}",
        message="Bars of the column Return of the table above, one for each hand: "
        + "; ".join(f"{one.label} {one.printed}" for one in values),
        values=values,
    )


LABEL_LENGTH = 30


def _short(name: str) -> str:
    return name if len(name) <= LABEL_LENGTH else name[: LABEL_LENGTH - 1] + "…"


def _envy(envy: EnvyAnalysis, paytable: str) -> dict[str, Any]:
    wager = money(envy.qualifying_wager_cents)
    rows = [
        (
            row.name,
            row.pays,
            thousands(row.combinations),
            decimal(row.probability, 8),
            decimal(row.contribution, 8),
        )
        for row in envy.rows
    ]
    edges = list(envy.house_edge_by_players.items())
    return {
        "table": table(
            f"Envy table {envy.paytable}: value of one other player's hand",
            "Hand | Prize | #Combinations | #Probability | #Return",
            rows,
            foot=[("Total", "", "", "", decimal(envy.per_other_player, 8))],
            note=f"Return is prize over the qualifying wager of {wager}, times probability. "
            f"Exactly {exact(envy.per_other_player)} per other player.",
        ),
        "edges": table(
            f"House edge of {paytable} at a {wager} wager, by number of bettors",
            "Bettors, this one included | #House edge % | =Exact",
            [(str(players), percent(edge), exact(edge)) for players, edge in edges],
        ),
        "chart": bars(
            id=f"chart-envy-{paytable}",
            title=f"House edge of {paytable} by number of bettors",
            message="House edge in percent: "
            + "; ".join(f"{players} bettors {percent(edge, 2)}" for players, edge in edges),
            values=[
                Bar(
                    label=f"{players} bettors" if players > 1 else "1 bettor",
                    value=edge,
                    printed=f"{percent(edge, 2)} %",
                )
                for players, edge in edges
            ],
        ),
    }


def _progressive(analysis: Analysis) -> dict[str, Any]:
    progressive = analysis.progressive
    if progressive is None:
        return {}
    base = progressive.base_wager_cents
    rows = [
        (
            "Fixed pays",
            exact(progressive.fixed_return),
            f"{percent(progressive.fixed_return)} % of the wager",
            "",
        )
    ]
    rows += [
        (
            f"Meter {meter.level}",
            exact(meter.weight),
            f"{decimal(meter.weight * 100, 8)} % of the meter, {one_in(meter.hit_probability)}",
            money(meter.break_even * base),
        )
        for meter in progressive.meters
    ]
    return {
        "table": table(
            f"{analysis.paytable}: return as a function of the meters",
            "Part | =Exact weight | Rounded | #Break-even",
            rows,
            note=f"Return = fixed pays + sum of weight x meter, meters in units of the "
            f"{money(base)} base wager. Break-even is the meter at which the house edge is nought"
            + (" while the other meters stand at nought." if len(progressive.meters) > 1 else ".")
            + " Seed and increment are not stated by the source: what a meter returns of the "
            "wagers that fed it is not part of these figures until they are declared.",
        ),
        "levels": _levels(progressive, analysis.paytable),
        "chart": _level_chart(progressive, analysis.paytable),
    }


def _steps(progressive: ProgressiveAnalysis) -> list[tuple[Fraction, Fraction]]:
    """Return meter 1 and the return at shares of its break-even, the other meters at nought."""
    first = progressive.meters[0]
    return [
        (first.break_even * step, progressive.fixed_return + first.weight * first.break_even * step)
        for step in (Fraction(0), *METER_STEPS)
    ]


def _levels(progressive: ProgressiveAnalysis, paytable: str) -> Table:
    base = progressive.base_wager_cents
    return table(
        f"{paytable}: return against meter {progressive.meters[0].level}",
        "Meter | #Return %",
        [(money(meter * base), percent(returned, 3)) for meter, returned in _steps(progressive)],
        note="The other meters at nought." if len(progressive.meters) > 1 else "",
    )


def _level_chart(progressive: ProgressiveAnalysis, paytable: str) -> Chart:
    base = progressive.base_wager_cents
    values = [
        Bar(label=money(meter * base), value=returned, printed=f"{percent(returned, 2)} %")
        for meter, returned in _steps(progressive)
    ]
    return bars(
        id=f"chart-meter-{paytable}",
        title=f"Return of {paytable} against its first meter",
        message="; ".join(f"meter {one.label} returns {one.printed}" for one in values),
        values=values,
    )


def _dynamic(analysis: Analysis) -> dict[str, Any] | None:
    dynamic = analysis.dynamic
    if dynamic is None:
        return None
    rows = [
        (row.name, row.default, pays, exact(change), f"{percent(change)} %")
        for row in dynamic.rows
        for pays, change in zip(row.pays, row.change, strict=True)
    ]
    return {
        "table": table(
            f"{analysis.paytable}: what each dynamic pay adds to the return in its round",
            "Hand | Default | Dynamic pay | =Exact change | #Change",
            rows,
        ),
        "range": f"Over every draw that the source allows, the dynamic pays add from "
        f"{percent(dynamic.least)} % ({exact(dynamic.least)}) to "
        f"{percent(dynamic.greatest)} % ({exact(dynamic.greatest)}) to the return of a round. "
        "The source does not state how pays are drawn, so no single figure is given.",
    }
