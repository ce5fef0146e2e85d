"""The figures of a whole wager and its rows, as every section of the report prints them."""

from collections.abc import Iterable
from fractions import Fraction

from certify.formatting import (
    decimal,
    exact,
    listed,
    money,
    one_in,
    percentage,
    plain,
    rounds_to_a_hit,
    square_root,
    thousands,
)
from certify.model.analysis import Analysis, RowAnalysis
from certify.model.game import Wager
from certify.model.main_wager import MainWager
from certify.model.payout import Basis, Payout
from certify.model.paytable import Paytable
from certify.report.charts import Bar, Chart, bars
from certify.report.tables import Table, table
from certify.report.wording import as_written, pays

ADVANTAGE = "A negative house edge is an advantage of the player."
BY_METER = "see section 10"
WITHOUT_METERS = "Sum without the hands paid by a meter"


def advantage(edges: Iterable[Fraction | None]) -> str:
    """Return the note that goes with house edges of which one is negative; else nothing."""
    return ADVANTAGE if any(one is not None and one < 0 for one in edges) else ""


def other_players(players: int) -> str:
    """Return the number of the others at a table of so many players."""
    others = players - 1
    return "1 other player" if others == 1 else f"{others} other players"


def by_meter(analysis: Analysis) -> str:
    """Return what stands in place of a figure that has no single value."""
    return "by meter" if analysis.dynamic is None else "by draw"


def without_envy(analyses: Iterable[Analysis | None]) -> str:
    """Return the words that figures need which leave out prizes for other players' hands."""
    words = {one.envy.called for one in analyses if one is not None and one.envy is not None}
    return f", without {listed(sorted(words))}" if words else ""


def in_full(analysis: Analysis) -> str:
    """Return the note that figures are of pays in full, where a payout limit cuts some."""
    cut = analysis.limit is not None and analysis.limit.amounts
    return "Pays in full, without the payout limit." if cut else ""


def option_of(wager: Wager, analysis: Analysis) -> MainWager | None:
    """Return the option of the main wager that an analysis is of; None for a bonus wager."""
    return next((one for one in wager.options if one.target == analysis.target), None)


def bases(wagers: Iterable[tuple[Wager, Analysis]]) -> str:
    """Return the notes on what figures of a main wager are per unit of, if not simply of it."""
    return " ".join(
        note for wager, one in wagers if (note := base_note(option_of(wager, one))) != ""
    )


def base_note(option: MainWager | None) -> str:
    """Return what the figures of an option are a share of, if not simply of its wager."""
    if option is None:
        return ""
    notes = []
    if option.raise_ is not None:
        notes.append(
            f"Where {option.raise_.name}, a second wager, can be made, return, house edge and "
            "standard deviation are per unit of the first wager."
        )
    if option.commission is not None and option.commission.prepaid:
        notes.append(
            f"The figures of option {option.id}, with its commission posted in advance, are per "
            "unit of wager and commission together."
        )
    return " ".join(notes)


def top_award(
    analysis: Analysis, paytable: Paytable | None, option: MainWager | None = None
) -> str:
    """Return the greatest award in the basis of its table, and what a meter or a draw pays.

    ``paytable`` is None for a main wager, whose award is net of commission; ``option`` is that
    wager's, and a second wager that the award counts in is named.
    """
    if paytable is None:
        if analysis.top_award is None:
            return "–"
        second = option.raise_ if option is not None else None
        counted_in = f" (with {second.name})" if second is not None else ""
        return f"{plain(analysis.top_award)} to 1{counted_in}"
    meters = [row.payout for row in paytable.rows if row.payout.basis is Basis.METER]
    fixed = _greatest(row.payout for row in paytable.rows)
    drawn = _greatest(pay for row in paytable.rows for pay in row.dynamic)
    parts = [pays(meters[0])] if meters else []
    if fixed is not None:
        parts.append(f"fixed {pays(fixed)}" if meters or drawn is not None else pays(fixed))
    if drawn is not None:
        parts.append(f"dynamic {pays(drawn)}")
    return "; ".join(parts) or "–"


def _greatest(payouts: Iterable[Payout]) -> Payout | None:
    odds = [one for one in payouts if one.basis in (Basis.TO, Basis.FOR)]
    return max(odds, key=lambda one: one.net, default=None)


def rows_table(analysis: Analysis, paytable: Paytable, name: str) -> Table:
    """Return hand, pays, combinations, probability, 1 in N, contribution and its running sum.

    A row that a meter pays has no contribution of its own: none is printed, no sum runs, and the
    closing line says what it leaves out.
    """
    payouts = {row.event: row.payout for row in paytable.rows}
    metered = any(row.weight is not None for row in analysis.rows)
    rows, cumulative = [], Fraction(0)
    for row in analysis.rows:
        cumulative += row.contribution if row.weight is None else 0
        paid = pays(payouts[row.event]) if row.event in payouts else as_written(row.pays)
        contribution = BY_METER if row.weight is not None else decimal(row.contribution, 8)
        running = () if metered else (decimal(cumulative, 8),)
        rows.append((*_row(row, paid), contribution, *running))
    total = ("Total", "", thousands(analysis.total), decimal(Fraction(1), 8), "")
    summed = decimal(cumulative, 8)
    columns = "Hand @26 | Pays @15 | #Combinations | #Probability | #1 in | #Contribution"
    return table(
        f"{name}: every hand counted",
        columns if metered else f"{columns} | #Cumulative",
        rows,
        foot=[(*total, ""), (WITHOUT_METERS, "", "", "", "", summed)]
        if metered
        else [(*total, summed, "")],
        note=in_full(analysis),
    )


def _row(row: RowAnalysis, paid: str) -> tuple[str, ...]:
    return (
        row.name,
        paid,
        thousands(row.combinations),
        decimal(row.probability, 8),
        rounds_to_a_hit(row.probability),
    )


def figures_table(analysis: Analysis, caption: str, *, note: str = "") -> Table:
    """Return the figures that hold for the whole wager, as fraction and rounded."""
    rows: list[tuple[str, str, str]] = []
    without = without_envy([analysis])
    if analysis.house_edge is not None and analysis.return_to_player is not None:
        edge, returned = analysis.house_edge, analysis.return_to_player
        cost = edge * 100
        rows += [
            (f"House edge{without}", _percent(edge), exact(edge)),
            (f"Return{without}", _percent(returned), exact(returned)),
            (f"Cost per $100{without}", money(cost * 100), exact(cost)),
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
            ("Std. deviation", square_root(analysis.variance, 6), "root of the variance"),
        ]
    return table(
        caption,
        "Figure @25 | #Rounded @22 | =Exact",
        rows,
        note=" ".join(
            one for one in (note, in_full(analysis), advantage([analysis.house_edge])) if one
        ),
    )


def _percent(value: Fraction) -> str:
    return percentage(value)


def contribution_chart(analysis: Analysis, name: str) -> Chart:
    """Return one bar for the contribution of each row with a pay that is known."""
    fixed = " with a fixed pay" if any(row.weight is not None for row in analysis.rows) else ""
    return bars(
        id=f"chart-{analysis.wager}-{analysis.paytable}",
        title=f"Contribution of each hand of {name}{fixed}, in units for one wagered",
        values=[
            Bar(label=row.name, value=row.contribution, printed=decimal(row.contribution, 4))
            for row in analysis.rows
            if row.event != "all_other" and row.weight is None
        ],
    )
