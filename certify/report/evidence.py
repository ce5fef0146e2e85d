"""An analysis as JSON: what `evaluate` prints and what a submission embeds.

Exact values are strings ``n/d``; beside each stands a decimal string, rounded as
`certify.formatting` names it.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from certify.formatting import ROUNDING, json_decimal, json_exact, json_percent, square_root
from certify.model.alternative import Price
from certify.model.analysis import (
    Analysis,
    DynamicAnalysis,
    EnvyAnalysis,
    MainAnalysis,
    ProgressiveAnalysis,
    RowAnalysis,
)
from certify.model.source import Statement
from certify.report.limit_json import limit_json

PLACES = 10
"""Decimals of probabilities and returns."""

EDGE_PLACES = 4
"""Decimals of percentages."""


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Return the contract's object for one paytable; keys that do not apply are absent."""
    value: dict[str, Any] = {
        "target": analysis.target,
        "game": analysis.game,
        "wager": analysis.wager,
        "paytable": analysis.paytable,
        "method": analysis.method,
        "rounding": ROUNDING,
        "assumptions": [_statement(one) for one in analysis.assumptions],
        "total_combinations": analysis.total,
        "rows": [_row(row) for row in analysis.rows],
    }
    if analysis.return_to_player is not None and analysis.house_edge is not None:
        value |= _exact("return_to_player", analysis.return_to_player)
        value |= _exact("house_edge", analysis.house_edge)
        value["house_edge_percent"] = json_percent(analysis.house_edge, EDGE_PLACES)
    value |= _exact("hit_frequency", analysis.hit_frequency)
    if analysis.variance is not None:
        value |= _exact("variance", analysis.variance)
        value["standard_deviation"] = square_root(analysis.variance, PLACES)
    if analysis.top_award is not None:
        value["top_award"] = json_exact(analysis.top_award)
    if analysis.main is not None:
        value |= _main(analysis.main)
    if analysis.envy is not None:
        value["envy"] = _envy(analysis.envy)
    if analysis.progressive is not None:
        value["progressive"] = _progressive(analysis.progressive)
    if analysis.dynamic is not None:
        value["dynamic"] = _dynamic(analysis.dynamic)
    if analysis.limit is not None:
        value |= limit_json(analysis, analysis.limit)
    if analysis.alternatives:
        value["alternatives"] = [_price(one) for one in analysis.alternatives]
    value["inputs"] = [{"path": one.path, "sha256": one.sha256} for one in analysis.inputs]
    value["engine"] = {"version": analysis.engine_version}
    return value


def results_json(analyses: Iterable[Analysis]) -> dict[str, Any]:
    """Return one object for one analysis, ``{"results": [...]}`` for several."""
    objects = [analysis_json(one) for one in analyses]
    return objects[0] if len(objects) == 1 else {"results": objects}


def _exact(name: str, value: Fraction) -> dict[str, str]:
    return {name: json_exact(value), f"{name}_decimal": json_decimal(value, PLACES)}


def _statement(statement: Statement) -> dict[str, str]:
    return {
        "id": statement.id,
        "text": statement.text,
        "source": f"{statement.source.document}: {statement.source.clause}",
    } | ({"effect": statement.effect} if statement.effect else {})


def _row(row: RowAnalysis) -> dict[str, Any]:
    """Return one row; one that a meter of unknown level pays has that weight and no return."""
    return {
        "event": row.event,
        "name": row.name,
        "pays": row.pays,
        "combinations": row.combinations,
        **_exact("probability", row.probability),
        **(
            _exact("return", row.contribution)
            if row.weight is None
            else {"meter_weight": json_exact(row.weight)}
        ),
    }


def _price(price: Price) -> dict[str, Any]:
    return {
        "id": price.alternative.id,
        "text": price.alternative.text,
        "of": list(price.alternative.of),
        "figures": [
            {
                "figure": str(figure),
                "filed": json_exact(filed),
                "otherwise": json_exact(read),
                **_exact("change", read - filed),
            }
            for figure, (filed, read) in price.moved.items()
        ],
    }


def _main(main: MainAnalysis) -> dict[str, Any]:
    value: dict[str, Any] = {
        "outcomes": dict(main.outcomes),
        "house_way": main.house_way,
        "strategy": str(main.strategy),
    }
    if main.average_wager is not None and main.element_of_risk is not None:
        value |= _exact("average_wager", main.average_wager)
        value |= _exact("element_of_risk", main.element_of_risk)
        value["element_of_risk_percent"] = json_percent(main.element_of_risk, EDGE_PLACES)
    if main.costly_hands:
        value["costly_hands"] = [
            {
                "hand": " ".join(one.cards),
                "house_front": one.house_front,
                "best_front": one.best_front,
                **_exact("cost", one.cost),
            }
            for one in main.costly_hands
        ]
    if main.dealer_rule_hands:
        value["house_way_rules"] = [
            {"rule": use.rule, "hands": use.hands}
            | (
                {"differs_from_optimal": use.differs_from_optimal, **_exact("cost", use.cost)}
                if use.differs_from_optimal is not None and use.cost is not None
                else {}
            )
            for use in main.dealer_rule_hands
        ]
    return value


def _envy(envy: EnvyAnalysis) -> dict[str, Any]:
    return {
        "paytable": envy.paytable,
        "qualifying_wager_cents": envy.qualifying_wager_cents,
        "wager_cents": envy.wager_cents,
        "rows": [_row(row) for row in envy.rows],
        **_exact("per_other_player", envy.per_other_player),
        "house_edge_by_players": {
            str(players): json_exact(edge) for players, edge in envy.house_edge_by_players.items()
        },
        "house_edge_percent_by_players": {
            str(players): json_percent(edge, EDGE_PLACES)
            for players, edge in envy.house_edge_by_players.items()
        },
    }


def _progressive(progressive: ProgressiveAnalysis) -> dict[str, Any]:
    value: dict[str, Any] = {
        "base_wager_cents": progressive.base_wager_cents,
        **_exact("fixed_return", progressive.fixed_return),
        "meters": [
            {
                "level": meter.level,
                "probability_weight": json_exact(meter.weight),
                "hit_probability": json_exact(meter.hit_probability),
                "break_even_meter": json_decimal(meter.break_even, 2),
            }
            | ({} if meter.amount is None else {"amount": json_exact(meter.amount)})
            for meter in progressive.meters
        ],
        "unit": "base wagers: a meter of 1000 is a thousand times the base wager",
    }
    if len(progressive.meters) == 1:
        value["break_even_meter"] = json_decimal(progressive.meters[0].break_even, 2)
    return value


def _dynamic(dynamic: DynamicAnalysis) -> dict[str, Any]:
    return {
        "rows": [
            {
                "event": row.event,
                "name": row.name,
                "default": row.default,
                "pays": [
                    {"pays": pays, **_exact("change_of_return", change)}
                    for pays, change in zip(row.pays, row.change, strict=True)
                ],
            }
            for row in dynamic.rows
        ],
        "least_change_of_return": json_exact(dynamic.least),
        "greatest_change_of_return": json_exact(dynamic.greatest),
    }
