"""What the mathematics report prints of the main wager."""

from fractions import Fraction
from typing import Any

from certify.model.analysis import Analysis
from certify.model.submission import Submission
from certify.report.charts import Bar, bars
from certify.report.numbers import decimal, exact, percent, thousands
from certify.report.tables import Table, table
from certify.report.wager_view import exact_table
from certify.report.wording import STRATEGY_TEXT, clause


def main_view(submission: Submission) -> dict[str, Any] | None:
    """Return the main wager's outcomes, figures, chart and use of the house way."""
    analysis = submission.analyses.get(submission.option.target)
    if analysis is None or analysis.main is None:
        return None
    return {
        "option": submission.option.name,
        "option_id": submission.option.id,
        "clause": clause(submission.option.source),
        "house_way": submission.house_way.name,
        "strategy": STRATEGY_TEXT[analysis.main.strategy],
        "exposed": submission.game.dealer_exposed,
        "outcomes": _outcomes(analysis),
        "sums": _sums(analysis),
        "figures": exact_table(analysis),
        "risk": _risk(analysis),
        "chart": _chart(analysis),
        "fired": _fired(submission, analysis),
    }


def _outcomes(analysis: Analysis) -> Table:
    return table(
        f"{analysis.paytable}: outcomes by reason",
        "Outcome | Pays | #Deals | #Probability | #Return",
        [
            (
                row.name,
                row.pays,
                thousands(row.combinations),
                decimal(row.probability, 8),
                decimal(row.contribution, 8),
            )
            for row in analysis.rows
        ],
        foot=[
            (
                "Total",
                "",
                thousands(analysis.total),
                decimal(Fraction(1), 8),
                decimal(sum((row.contribution for row in analysis.rows), Fraction(0)), 8),
            )
        ],
    )


def _sums(analysis: Analysis) -> Table:
    outcomes = analysis.main.outcomes if analysis.main else {}
    return table(
        f"{analysis.paytable}: win, push and lose",
        "Outcome | #Deals | #Share % | =Exact share",
        [
            (
                name.capitalize(),
                thousands(count),
                percent(Fraction(count, analysis.total), 5),
                exact(Fraction(count, analysis.total)),
            )
            for name, count in outcomes.items()
        ],
    )


def _chart(analysis: Analysis) -> object:
    outcomes = analysis.main.outcomes if analysis.main else {}
    shares = [(name, Fraction(count, analysis.total)) for name, count in outcomes.items()]
    return bars(
        id="chart-main",
        title="How rounds of the main wager end",
        message="; ".join(f"{name} {percent(share, 2)} percent" for name, share in shares),
        values=[
            Bar(label=name.capitalize(), value=share, printed=f"{percent(share, 2)} %")
            for name, share in shares
        ],
    )


def _risk(analysis: Analysis) -> Table | None:
    main = analysis.main
    if main is None or main.average_wager is None or main.element_of_risk is None:
        return None
    return table(
        f"{analysis.paytable}: with the raise",
        "Figure | =Exact | #Rounded",
        [
            ("Average wager", exact(main.average_wager), decimal(main.average_wager, 6)),
            ("Element of risk", exact(main.element_of_risk), f"{percent(main.element_of_risk)} %"),
        ],
        note="The element of risk is the expected loss over the average wager.",
    )


def _fired(submission: Submission, analysis: Analysis) -> Table | None:
    main = analysis.main
    if main is None or not main.dealer_rule_hands:
        return None
    texts = {rule.id: rule.text for rule in submission.house_way.rules}
    hands = submission.frequencies.total
    compared = any(one.differs_from_optimal is not None for one in main.dealer_rule_hands)
    rows = []
    for use in main.dealer_rule_hands:
        row = [
            f"{use.rule}: {texts.get(use.rule, '')}",
            thousands(use.hands),
            percent(Fraction(use.hands, hands), 4),
        ]
        if compared:
            row += [
                thousands(use.differs_from_optimal or 0),
                decimal((use.cost or Fraction(0)) * 100, 6),
            ]
        rows.append(tuple(row))
    columns = "Rule | #Hands | #Share %" + (" | #Set otherwise | #Cost %" if compared else "")
    return table(
        "How often each rule of the house way decided, over all hands",
        columns,
        rows,
        foot=[
            (
                "Total",
                thousands(sum(one.hands for one in main.dealer_rule_hands)),
                percent(Fraction(1), 4),
                *(("", "") if compared else ()),
            )
        ],
        note="Set otherwise: hands that optimal play sets otherwise; cost: what that costs the "
        "player, in percent of the wager."
        if compared
        else "",
    )
