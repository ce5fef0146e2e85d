"""Aggregate payout limits in print: what they are for, from where they bind, what they cost."""

from collections.abc import Iterator
from fractions import Fraction

from certify.formatting import exact, listed, money, percentage
from certify.model.analysis import Analysis
from certify.model.limit import LimitAnalysis, LimitedFigures
from certify.model.terms import AggregateLimit, Scope
from certify.report.figures_view import other_players

SCOPE_TEXT = {Scope.PLAYER: "to one player", Scope.TABLE: "at one table"}


def limit_lines(analysis: Analysis) -> list[tuple[str, str]]:
    """Return what limits make of a wager, as names and values; nothing without a limit."""
    limit = analysis.limit
    if limit is None:
        return []
    lines = [("Payout limit", limit_text(one)) for one in limit.limits]
    lines.append(("Payout limit binds", binds(limit)))
    for one in limit.amounts:
        if analysis.house_edge is not None:
            lines.append((f"House edge at {money(one.wager_cents)}", limited_edge(analysis, one)))
        for players, edge in one.house_edge_by_players.items():
            at = f"at {money(one.wager_cents)}, {other_players(players)}"
            lines += [(f"House edge {at}", percentage(edge))] if players > 1 else []
        lines += _meter_lines(analysis, one)
    return lines


def limit_text(limit: AggregateLimit) -> str:
    """Return amount and scope, and that other wagers share it: ``$10,000 to one player``."""
    together = f", together for {listed(limit.wagers)}" if len(limit.wagers) > 1 else ""
    return f"{money(limit.cents)} {SCOPE_TEXT[limit.scope]}{together}"


def binds(limit: LimitAnalysis) -> str:
    """Return from where on a pay can be cut."""
    if limit.binds_above_cents is None or not limit.amounts:
        return "at no wager that is allowed here"
    return f"above a wager of {money(limit.binds_above_cents)}"


def limited_edge(analysis: Analysis, one: LimitedFigures) -> str:
    """Return the house edge at one amount under the limits: exact, or its two bounds."""
    edge = analysis.house_edge or Fraction(0)
    least = edge + one.cost
    if one.greatest_cost == one.cost:
        return f"{percentage(least)}  = {exact(least)}"
    if one.greatest_cost is None:
        return f"at least {percentage(least)}"
    return f"at least {percentage(least)}, at most {percentage(edge + one.greatest_cost)}"


def _meter_lines(analysis: Analysis, one: LimitedFigures) -> Iterator[tuple[str, str]]:
    progressive = analysis.progressive
    if progressive is None:
        return
    returned = progressive.fixed_return - one.cost
    at = f"at {money(one.wager_cents)}"
    most = "" if one.greatest_cost == one.cost else "at most "
    yield f"Return of fixed pays {at}", f"{most}{percentage(returned)}"
    for level, meter in one.break_evens:
        yield f"Meter {level}: break-even {at}", money(meter * progressive.base_wager_cents)
