"""Aggregate payout limits in print: what they are for, from where they bind, what they cost."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from certify.formatting import exact, listed, money, percentage, square_root
from certify.model.analysis import Analysis
from certify.model.limit import LimitAnalysis, LimitedFigures
from certify.model.terms import AggregateLimit, Scope
from certify.report.figures_view import other_players
from certify.report.tables import Table, table

SCOPE_TEXT = {Scope.PLAYER: "to one player", Scope.TABLE: "at one table"}

COUNTED = (
    "The limit counts what is paid at odds for one deal. The returned wager, prizes for the hands "
    "of other players and shares of a meter are paid in addition."
)
"""What is measured against a limit."""

BOUNDS = (
    "What a limit that is shared cuts depends on who wins at once, which is not counted: the "
    "figures are exact bounds. The lower edge is reached where nothing else is paid under the "
    "limit; the upper holds on average over the players, each with that wager, however hands fall "
    "together."
)
"""Why two figures stand where one is expected."""


OPEN = "No maximum wager is known; the limit takes more off the return at a greater wager."
"""What is said where the figures end before the greatest wager."""


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


def at_limit(limit: LimitAnalysis, one: LimitedFigures) -> str:
    """Return the amount and the limits that figures are for: ``$200, limit $10,000 …``."""
    return f"{money(one.wager_cents)}, limit {limits_text(limit)}"


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


def limited_table(analysis: Analysis, name: str) -> Table | None:
    """Return the figures of a wager with and without its limits; nothing where none binds."""
    limit = analysis.limit
    if limit is None:
        return None
    caption = f"{name}: with the payout limit of {limits_text(limit)}"
    if not limit.amounts:
        words = f"{name}: the payout limit of {limits_text(limit)} binds {binds(limit)}."
        return table(caption, "Figure", [], none=words)
    rows = [row for one in limit.amounts for row in _limited_rows(analysis, one)]
    return table(
        caption,
        "Figure @26 | #Wager @9 | #Without the limit @16 | #With it @20 | =With it, exact",
        rows,
        note=f"The limit cuts pays {binds(limit)}. {COUNTED}"
        + (f" {OPEN}" if limit.open else "")
        + (f" {BOUNDS}" if limit.shared else ""),
    )


def _limited_rows(analysis: Analysis, one: LimitedFigures) -> Iterator[tuple[str, ...]]:
    """Yield figure, wager, value without and with the limits, and the exact value with them."""
    at, known = money(one.wager_cents), one.greatest_cost == one.cost
    edge, progressive = analysis.house_edge, analysis.progressive
    if edge is not None:
        with_it = bounded(one, edge, percentage)
        value = exact(edge + one.cost) if known else "bounds"
        yield ("House edge", at, percentage(edge), with_it, value)
    if progressive is not None:
        fixed = progressive.fixed_return
        with_it = bounded(one, fixed, percentage, falls=True)
        value = exact(fixed - one.cost) if known else "bounds"
        yield ("Return of the fixed pays", at, percentage(fixed), with_it, value)
        base, without = progressive.base_wager_cents, progressive.meters
        for (level, meter), free in zip(one.break_evens, without, strict=False):
            name = f"Break-even of meter {level}"
            yield (
                name,
                at,
                money(free.break_even * base),
                money(meter * base),
                exact(meter * base),
            )
    if one.dynamic is not None and analysis.dynamic is not None:
        draws = (("least", analysis.dynamic.least), ("most", analysis.dynamic.greatest))
        for (word, full), drawn in zip(draws, one.dynamic, strict=True):
            yield (f"A draw adds at {word}", at, percentage(full), percentage(drawn), exact(drawn))
    if one.variance is not None and analysis.variance is not None:
        roots = (square_root(value, 6) for value in (analysis.variance, one.variance))
        yield ("Std. deviation", at, *roots, f"root of {exact(one.variance)}")
    if analysis.top_award is not None:
        most = "" if known else "at most "
        full = analysis.top_award * one.top_cents / one.top_award if one.top_award else Fraction(0)
        award = (money(full), f"{most}{money(one.top_cents)}")
        yield ("Top award", at, *award, f"{exact(one.top_award)} to 1")
