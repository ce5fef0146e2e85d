"""Aggregate payout limits in print: what they are for, from where they bind, what they cost."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from certify.formatting import exact, listed, money, percentage
from certify.model.analysis import Analysis
from certify.model.limit import LimitAnalysis, LimitedFigures
from certify.model.terms import AggregateLimit, Scope
from certify.report.figures_view import other_players

SCOPE_TEXT = {Scope.PLAYER: "to one player", Scope.TABLE: "at one table"}

COUNTED = (
    "The limit counts what is paid at odds for one deal. The returned wager, prizes for the hands "
    "of other players and shares of a meter are paid in addition."
)
"""What is measured against a limit."""


def limit_lines(analysis: Analysis) -> list[tuple[str, str]]:
    """Return what limits make of a wager, as names and values; nothing without a limit."""
    limit = analysis.limit
    if limit is None:
        return []
    lines = [("Payout limit", limit_text(one)) for one in limit.limits]
    lines.append(("Payout limit binds", binds(limit)))
    for one in limit.amounts:
        at = f"at {money(one.wager_cents)}"
        if analysis.house_edge is not None:
            lines.append((f"House edge {at}", limited_edge(analysis, one)))
        lines += [
            (f"House edge {at}, {other_players(players)}", percentage(edge))
            for players, edge in one.house_edge_by_players.items()
            if players > 1
        ]
        lines += _meter_lines(analysis, one)
    return lines


def limit_text(limit: AggregateLimit) -> str:
    """Return amount and scope, and that other wagers share it: ``$10,000 to one player``."""
    together = f", together for {listed(limit.wagers)}" if len(limit.wagers) > 1 else ""
    return f"{money(limit.cents)} {SCOPE_TEXT[limit.scope]}{together}"


def limits_text(limit: LimitAnalysis) -> str:
    """Return all limits that a wager is under, in words."""
    return listed(map(limit_text, limit.limits))


def binds(limit: LimitAnalysis) -> str:
    """Return from where on a pay can be cut."""
    if limit.binds_above_cents is None:
        return "never: nothing is paid at odds"
    above = f"above a wager of {money(limit.binds_above_cents)}"
    return above if limit.amounts else f"{above}, which is more than is wagered here"


def limited_edge(analysis: Analysis, one: LimitedFigures) -> str:
    """Return the house edge at one amount under the limits, with its fraction where it is exact."""
    edge = analysis.house_edge or Fraction(0)
    words = bounded(one, edge, percentage)
    return f"{words}  = {exact(edge + one.cost)}" if one.greatest_cost == one.cost else words


def bounded(
    one: LimitedFigures,
    value: Fraction,
    printed: Callable[[Fraction], str],
    *,
    falls: bool = False,
) -> str:
    """Return a figure under a limit, or its bounds, in words.

    ``value`` is the figure without the limit; it falls by the cost of the limit, or rises by it.
    """
    words = ("at most", "at least") if falls else ("at least", "at most")
    costs = dict.fromkeys((one.cost, one.greatest_cost))
    found = [printed(value - cost if falls else value + cost) for cost in costs if cost is not None]
    if len(costs) == 1:
        return found[0]
    return ", ".join(f"{word} {text}" for word, text in zip(words, found, strict=False))


def edge_with_limit(analysis: Analysis | None) -> str:
    """Return what the end of a line on the house edge says of limits; nothing where none binds."""
    limit = analysis.limit if analysis is not None else None
    if analysis is None or limit is None or not limit.amounts:
        return ""
    edge = analysis.house_edge or Fraction(0)
    found = listed(
        f"{bounded(one, edge, percentage)} at a wager of {money(one.wager_cents)}"
        for one in limit.amounts
    )
    more = ", and more at a greater wager" if limit.open else ""
    return f" without the payout limit; with it {found}{more}"


def _meter_lines(analysis: Analysis, one: LimitedFigures) -> Iterator[tuple[str, str]]:
    progressive = analysis.progressive
    if progressive is None:
        return
    at = f"at {money(one.wager_cents)}"
    fixed = progressive.fixed_return
    yield (
        f"Return of fixed pays {at}",
        bounded(one, fixed, percentage, falls=True),
    )
    for level, meter in one.break_evens:
        yield f"Meter {level}: break-even {at}", money(meter * progressive.base_wager_cents)
    if one.dynamic is not None:
        low, high = one.dynamic
        yield f"Dynamic pays add {at}", f"{percentage(low)} to {percentage(high)}"
