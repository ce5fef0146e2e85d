"""What aggregate payout limits make of a wager, as JSON; a bound is never named as a figure is."""

from fractions import Fraction
from typing import Any

from certify.formatting import json_decimal, json_exact, json_percent, square_root
from certify.model.analysis import Analysis
from certify.model.limit import LimitAnalysis, LimitedFigures

PLACES = 10
EDGE_PLACES = 4
METER_PLACES = 2


def limit_json(analysis: Analysis, limit: LimitAnalysis) -> dict[str, Any]:
    """Return the keys ``limit`` and, where a variance is known, ``volatility_with_limit``."""
    value: dict[str, Any] = {
        "limits": [
            {"cents": one.cents, "wagers": list(one.wagers), "scope": str(one.scope)}
            for one in limit.limits
        ],
        "shared": limit.shared,
        "open": limit.open,
        "amounts": [_amount(analysis, one, shared=limit.shared) for one in limit.amounts],
    }
    if limit.binds_above_cents is not None:
        value["binds_above_wager_cents"] = json_exact(limit.binds_above_cents)
    spread = [
        {
            "wager_cents": one.wager_cents,
            "variance": json_exact(one.variance),
            "variance_decimal": json_decimal(one.variance, PLACES),
            "standard_deviation": square_root(one.variance, PLACES),
        }
        for one in limit.amounts
        if one.variance is not None
    ]
    return {"limit": value} | ({"volatility_with_limit": spread} if spread else {})


def _amount(analysis: Analysis, one: LimitedFigures, *, shared: bool) -> dict[str, Any]:
    value: dict[str, Any] = {
        "wager_cents": one.wager_cents,
        "top_award" if not shared else "greatest_top_award": json_exact(one.top_award),
    }
    costs: dict[str, Fraction | None] = (
        {"": one.cost} if not shared else {"least_": one.cost, "greatest_": one.greatest_cost}
    )
    for bound, cost in costs.items():
        if cost is not None and analysis.house_edge is not None:
            value |= _edge(f"{bound}house_edge", analysis.house_edge + cost)
    for bound, cost in _returns(costs).items():
        if cost is not None and analysis.progressive is not None:
            value |= _figure(f"{bound}fixed_return", analysis.progressive.fixed_return - cost)
    if one.house_edge_by_players:
        value["house_edge_by_players"] = {
            str(players): json_exact(edge) for players, edge in one.house_edge_by_players.items()
        }
        value["house_edge_percent_by_players"] = {
            str(players): json_percent(edge, EDGE_PLACES)
            for players, edge in one.house_edge_by_players.items()
        }
    if one.break_evens:
        value["break_even_meters"] = {
            level: json_decimal(meter, METER_PLACES) for level, meter in one.break_evens
        }
    if one.dynamic is not None:
        value["least_change_of_return"] = json_exact(one.dynamic[0])
        value["greatest_change_of_return"] = json_exact(one.dynamic[1])
    return value


def _returns(costs: dict[str, Fraction | None]) -> dict[str, Fraction | None]:
    """Return the costs by the bound of the return: the greatest cost leaves the least."""
    turned = {"": "", "least_": "greatest_", "greatest_": "least_"}
    return {turned[bound]: cost for bound, cost in costs.items()}


def _edge(name: str, value: Fraction) -> dict[str, str]:
    return _figure(name, value) | {f"{name}_percent": json_percent(value, EDGE_PLACES)}


def _figure(name: str, value: Fraction) -> dict[str, str]:
    return {name: json_exact(value), f"{name}_decimal": json_decimal(value, PLACES)}
