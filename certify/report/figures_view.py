"""The figures of a whole wager and its rows, as every section of the report prints them."""

from fractions import Fraction

from certify.model.analysis import Analysis, RowAnalysis
from certify.model.paytable import Paytable
from certify.report.charts import Bar, Chart, bars
from certify.report.numbers import (
    decimal,
    exact,
    money,
    one_in,
    percent,
    rounds_to_a_hit,
    square_root,
    thousands,
)
from certify.report.tables import Table, table
from certify.report.wording import as_written, label, pays


def rows_table(analysis: Analysis, paytable: Paytable) -> Table:
    """Return hand, pays, combinations, probability, 1 in N, return, cumulative return."""
    printed = {row.event: pays(row.payout) for row in paytable.rows}
    rows, cumulative = [], Fraction(0)
    for row in analysis.rows:
        cumulative += row.contribution
        rows.append(_row(row, printed.get(row.event, as_written(row.pays)), cumulative))
    total = decimal(cumulative, 8)
    return table(
        f"{label(analysis.paytable)}: every hand counted",
        "Hand @26 | Pays @15 | #Combinations | #Probability | #1 in | #Return | #Cumulative",
        rows,
        foot=[("Total", "", thousands(analysis.total), decimal(Fraction(1), 8), "", total, "")],
    )


def _row(row: RowAnalysis, paid: str, cumulative: Fraction) -> tuple[str, ...]:
    return (
        row.name,
        paid,
        thousands(row.combinations),
        decimal(row.probability, 8),
        rounds_to_a_hit(row.probability),
        decimal(row.contribution, 8),
        decimal(cumulative, 8),
    )


def figures_table(analysis: Analysis, caption: str) -> Table:
    """Return the figures that hold for the whole wager, as fraction and rounded."""
    rows: list[tuple[str, str, str]] = []
    if analysis.house_edge is not None and analysis.return_to_player is not None:
        cost = analysis.house_edge * 100
        rows += [
            ("House edge", _percent(analysis.house_edge), exact(analysis.house_edge)),
            ("Return", _percent(analysis.return_to_player), exact(analysis.return_to_player)),
            ("Cost per $100", money(cost * 100), exact(cost)),
        ]
    rows += [
        ("Hit frequency", _percent(analysis.hit_frequency), exact(analysis.hit_frequency)),
        ("One hit", one_in(analysis.hit_frequency), exact(1 / analysis.hit_frequency))
        if analysis.hit_frequency
        else ("One hit", "never", "–"),
    ]
    if analysis.variance is not None:
        rows += [
            ("Variance", decimal(analysis.variance, 6), exact(analysis.variance)),
            ("Deviation", square_root(analysis.variance, 6), "root of the variance"),
        ]
    return table(caption, "Figure @27 | #Rounded @27 | =Exact", rows)


def _percent(value: Fraction) -> str:
    return f"{percent(value)} %"


def return_chart(analysis: Analysis) -> Chart:
    """Return what makes up the return: one bar for each row that is paid."""
    return bars(
        id=f"chart-{analysis.wager}-{analysis.paytable}",
        title=f"What makes up the return of {label(analysis.paytable)}: units returned by each "
        "hand for one wagered",
        values=[
            Bar(label=row.name, value=row.contribution, printed=decimal(row.contribution, 4))
            for row in analysis.rows
            if row.event != "all_other"
        ],
    )
