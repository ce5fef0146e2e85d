"""The row of a task: what it asked for, its figures, and what a state changes of them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from certify.checks.context import Context
from certify.checks.jurisdiction.judge import against_filing, judge
from certify.formatting import json_exact, json_percent
from certify.model.analysis import Analysis
from certify.model.audit import Standing
from certify.model.filed import Filing, Order
from certify.model.limit import LimitAnalysis
from certify.model.main_wager import MainWager
from certify.pipeline.figures.evaluate import as_chosen
from certify.pipeline.figures.limits import least_limits
from certify.pipeline.sweep.task import Task, analysis_of, digest, everything, selection_of

Row = Mapping[str, str | int | bool | None]

RULES = {
    "rules_not_satisfied": (Standing.NOT_SATISFIED,),
    "rules_to_be_settled": (Standing.TO_BE_SETTLED,),
    "rules_open": (Standing.BY_PEOPLE, Standing.UNVERIFIED),
}
"""The columns that list rules of a state, and what came of these."""

COLUMNS = {
    "readings": ("reading", "fixed_return", "fixed_return_percent"),
    "jurisdictions": (
        "jurisdiction",
        "payout_limit_cents",
        "payout_limit_wager_cents",
        "payout_limit_cuts_more_above",
        "payout_limit_cost",
        "payout_limit_cost_percent",
        "house_edge_with_payout_limit",
        "house_edge_with_payout_limit_percent",
        "rule_codes",
        *RULES,
    ),
}
"""The columns that a table has only where its grid lists what they are about."""


def run(settings: dict[str, Any]) -> dict[str, Any]:
    """Compute one figure, in whatever process; the result says by its digest what it rests on.

    Raises:
        NotConfigured: the settings do not fit the target.
        Unfit: a house way leaves a hand open, or a reading cannot be applied.
    """
    task = Task(**settings)
    return {"digest": digest(task), "row": row_of(task, analysis_of(task))}


def row_of(task: Task, analysis: Analysis) -> Row:
    """Return the row of a task with every column; figures are exact, and beside that in percent.

    A figure is None where it depends on a meter or does not apply.
    """
    progressive, limit = analysis.progressive, None
    judged: dict[str, str | None] = dict.fromkeys(("rule_codes", *RULES))
    if task.jurisdiction:
        filed = _filed(task, analysis)
        limit, judged = least_limits(filed).get(analysis.target), _judged(filed)
    return {
        **task.settings,
        **_figure("house_edge", analysis.house_edge),
        **_figure("house_edge_with_envy", _with_envy(analysis, task.seats)),
        **_figure("hit_frequency", analysis.hit_frequency),
        **_figure("fixed_return", progressive.fixed_return if progressive is not None else None),
        **_under(limit, analysis.house_edge),
        **judged,
    }


def as_listed(row: Row, listed: Mapping[str, object]) -> Row:
    """Return the columns of a row that a grid has, in their order."""
    absent = {name for axis, names in COLUMNS.items() if axis not in listed for name in names}
    return {name: value for name, value in row.items() if name not in absent}


def _figure(name: str, value: Fraction | None) -> dict[str, str | None]:
    if value is None:
        return {name: None, f"{name}_percent": None}
    return {name: json_exact(value), f"{name}_percent": json_percent(value)}


def _with_envy(analysis: Analysis, seats: int) -> Fraction | None:
    edges = analysis.envy.house_edge_by_players if analysis.envy is not None else {}
    return edges.get(seats)


def _under(limit: LimitAnalysis | None, edge: Fraction | None) -> Row:
    """Return the least limit on payouts, and its figures at the greatest wager that decides."""
    amount = limit.amounts[-1] if limit is not None and limit.amounts else None
    cost = amount.cost if amount is not None else Fraction(0)
    return {
        "payout_limit_cents": limit.limits[0].cents if limit is not None else None,
        "payout_limit_wager_cents": amount.wager_cents if amount is not None else None,
        "payout_limit_cuts_more_above": limit.open if limit is not None else None,
        **_figure("payout_limit_cost", cost if limit is not None else None),
        **_figure(
            "house_edge_with_payout_limit",
            edge + cost if limit is not None and edge is not None else None,
        ),
    }


def _filed(task: Task, analysis: Analysis) -> Filing:
    """Return the record as if it were filed alone on the day of the game's revision.

    Beside a bonus paytable stands the first option of the main wager, as in a submission. Nothing
    is known of a table's terms.
    """
    selection = selection_of(task)
    ((_, record),) = selection.records
    game = as_chosen(selection.game, task.chosen)
    return Filing(
        order=Order(game=game.id, jurisdiction=task.jurisdiction),
        game=game,
        main=record if isinstance(record, MainWager) else next(iter(game.options), None),
        paytables=() if isinstance(record, MainWager) else (record,),
        analyses={analysis.target: analysis},
        jurisdiction=everything().jurisdictions[task.jurisdiction],
    )


def _judged(filed: Filing) -> dict[str, str | None]:
    """Return the codes that a submission would give, and the rules by what came of them."""
    findings = against_filing(Context(everything(), filed.analyses, filing=filed))
    judgements = [judged.judgement for judged in judge(filed)]
    return {
        "rule_codes": "; ".join(sorted({finding.code for finding in findings})),
        **{
            column: "; ".join(each.rule.id for each in judgements if each.standing in standings)
            for column, standings in RULES.items()
        },
    }
