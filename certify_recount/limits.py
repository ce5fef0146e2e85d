"""Figures of a wager under aggregate payout limits."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from .figures import Figures, both, by_players, decimal, edge_figures, spread, text
from .files import Json

Pays = Sequence[tuple[Fraction, Fraction, Fraction]]
"""The probability, the net and the pay at odds of each row, per unit staked."""


def cut(pays: Pays, cap: Fraction) -> Fraction:
    """Return the reduction of the mean pay by a limit of ``cap``, per unit staked."""
    return sum((p * (odds - cap) for p, _, odds in pays if odds > cap), Fraction(0))


def limit_figures(
    stated: Json,
    limits: Sequence[Json],
    pays: Pays,
    seats: int,
    ours: Json,
    *,
    unit: Fraction = Fraction(1),
    drawn: Sequence[Fraction] = (),
    draws: Callable[[Fraction], Figures] | None = None,
) -> Figures:
    """Return the figures of a wager under aggregate payout limits, at the stated amounts.

    ``unit`` is the stake per cent wagered; ``drawn`` are the dynamic pays, and ``draws`` is the
    range of the return that they add under a cap. A limit for the table leaves each seat at worst
    an equal part, on average. If wagers share a limit, the upper bound depends on all wagers and is
    taken from the evidence.
    """
    shared = any(limit["scope"] == "table" or len(limit["wagers"]) > 1 for limit in limits)
    combined = any(len(limit["wagers"]) > 1 for limit in limits)
    least = min(
        Fraction(limit["cents"], seats if limit["scope"] == "table" else 1) for limit in limits
    )
    top = max([*drawn, *(odds for _, _, odds in pays)])
    result: Figures = {
        "limits": limits,
        "shared": shared,
        "open": stated["limit"]["open"],
        "amounts": [],
    }
    if combined:
        result["binds_above_wager_cents"] = stated["limit"]["binds_above_wager_cents"]
    elif top:
        result["binds_above_wager_cents"] = text(Fraction(least, top * unit))
    spreads = []
    for amount in stated["limit"]["amounts"]:
        stake = amount["wager_cents"] * unit
        cap = Fraction(min(limit["cents"] for limit in limits), stake)
        nets = [(p, net_pay - max(odds - cap, Fraction(0))) for p, net_pay, odds in pays]
        costs = {"": cut(pays, cap)}
        if shared:
            costs = {
                "least_": cut(pays, cap),
                "greatest_": cut(pays, min(cap, Fraction(least, stake))),
            }
        bounded = bounds(ours, costs, amount if combined else {})
        awards = [value for _, value in nets] + [min(pay, cap) - 1 for pay in drawn]
        bounded["greatest_top_award" if shared else "top_award"] = text(max(awards))
        if not shared:
            bounded |= alone(ours, costs[""], amount["wager_cents"]) | (draws(cap) if draws else {})
        result["amounts"].append(bounded | {"wager_cents": amount["wager_cents"]})
        if "house_edge" in ours and not shared:
            spreads.append({"wager_cents": amount["wager_cents"], **spread(nets)})
    return {"limit": result} | ({"volatility_with_limit": spreads} if spreads else {})


def bounds(ours: Json, costs: Mapping[str, Fraction], taken: Json) -> Figures:
    """Return edge and return of the fixed pays at each cost; greatest costs may be ``taken``."""
    turned = {"": "", "least_": "greatest_", "greatest_": "least_"}
    bounded: Figures = {}
    for bound, cost in costs.items():
        figures: Figures = {}
        if "house_edge" in ours:
            figures |= edge_figures(bound + "house_edge", Fraction(ours["house_edge"]) + cost)
        if "progressive" in ours:
            fixed = Fraction(ours["progressive"]["fixed_return"]) - cost
            figures |= both(turned[bound] + "fixed_return", fixed)
        if bound == "greatest_" and taken:
            figures = {key: taken[key] for key in figures if key in taken}
        bounded |= figures
    return bounded


def alone(ours: Json, cost: Fraction, wager: int) -> Figures:
    """Return figures for a limit of one wager only: edges by players, break-even meters."""
    own: Figures = {}
    if "envy" in ours and "house_edge" in ours:
        envy = ours["envy"]
        counts = wager >= envy["qualifying_wager_cents"]
        scale = Fraction(envy["wager_cents"], wager) * counts
        edges = {
            players: Fraction(ours["house_edge"]) * (1 - scale) + Fraction(edge) * scale + cost
            for players, edge in envy["house_edge_by_players"].items()
        }
        own |= by_players(edges)
    if "progressive" in ours:
        fixed = Fraction(ours["progressive"]["fixed_return"]) - cost
        own["break_even_meters"] = {
            meter["level"]: decimal(Fraction(1 - fixed, Fraction(meter["probability_weight"])), 2)
            for meter in ours["progressive"]["meters"]
        }
    return own
