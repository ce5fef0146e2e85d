"""Main wagers: ends of rounds, figures, options; and progressive wagers by their meters."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from certify.errors import InvariantBroken
from certify.model.analysis import (
    Analysis,
    DynamicAnalysis,
    HouseWayUse,
    RowAnalysis,
)
from certify.model.game import Strategy
from certify.model.main_wager import MainWager, Outcome
from certify.model.paytable import Meter, Paytable
from certify.model.progressive import MeterAnalysis, ProgressiveAnalysis
from certify.model.submission import Submission
from certify.model.topic import Procedure
from certify.report.mathematics.filed import FiledWager
from certify.report.mathematics.strategy import changed_settings, strategy_tables
from certify.report.rules.bonus_wager import list_meters
from certify.report.rules.house_way import rule_numbers
from certify.report.rules.main_wager import list_fees, list_results
from certify.report.rules.numbering import state_procedure
from certify.report.wording import ids, together

COSTLY_HANDS = 12
"""The hands printed that the house way sets at the greatest cost."""


class Play(Struct, frozen=True, kw_only=True):
    """An option under one strategy of the player: shares of rounds, and the figures.

    ``on_wager`` is the house edge per unit of the wager alone, if a commission is posted with it.
    """

    strategy: Strategy
    win: Fraction
    push: Fraction
    lose: Fraction
    analysis: Analysis
    on_wager: Fraction | None


def main_figures(submission: Submission) -> dict[str, Any] | None:
    """Return the main wager's figures; None if it was not counted.

    ``house_way`` is empty where hands are not divided; then ``raised`` is the raise that is made or
    not as is best for each hand, where there is one. ``uses`` are the hands that each rule of the
    house way decided, ``total`` those of all rules; ``weighed``: what each rule costs is known.
    ``plays`` are the filed options by each strategy, empty where there is one.
    """
    if submission.main is None:
        return None
    analysis = submission.analyses.get(submission.main.target)
    if analysis is None or analysis.main is None:
        return None
    shape = submission.game.hands.shape
    game, way, rules = submission.game, submission.way, analysis.main.dealer_rule_hands
    hands = submission.frequencies.total
    numbers = rule_numbers(way, game.dealt) if way is not None else {}
    compared = [each.main for each in submission.comparison if each.main is not None]
    strategies = {main.strategy for main in compared}
    costly = next((main.costly_hands for main in compared if main.costly_hands), ())
    order = sorted(rules, key=lambda use: [*map(int, numbers[use.rule].number.split("."))])
    return {
        "wager": game.find_wager(submission.main),
        "house_way": way.name if way is not None else "",
        "published": way.published if way is not None and not game.house_way_in_source else None,
        "raised": submission.raise_name,
        "exposed": game.dealer_exposed,
        "shows": shape.dealer_shows > 0,
        "best": 0 if shape.is_whole else shape.undivided,
        "optimal": analysis.main.strategy is Strategy.OPTIMAL,
        "several": len(submission.options) > 1,
        "option": submission.option.name,
        "posted": submission.option.posted_amount > 0,
        "ways": [
            {
                "option": option,
                "play": plays(submission, [counted])[0],
                "ended": [_ended(option, row, submission) for row in counted.rows],
                "net": sum(row.contribution for row in counted.rows),
            }
            for option in submission.options
            for counted in [submission.analyses.get(option.target)]
            if counted is not None
        ],
        "plays": plays(submission, submission.comparison) if len(strategies) > 1 else [],
        "others": plays(submission, submission.other_options),
        "other_ways": [
            (name, by_way.paytable, by_way.house_edge) for name, by_way in submission.other_ways
        ],
        "uses": [(numbers[use.rule], _use([use], hands)) for use in order],
        "total": _use(rules, hands),
        "weighed": any(rule.differs_from_optimal is not None for rule in rules),
        "costly": costly[:COSTLY_HANDS],
        "strategies": strategy_tables(submission),
        "changed": changed_settings(submission),
        "fees": list_fees(submission),
    }


def plays(submission: Submission, analyses: Sequence[Analysis]) -> list[Play]:
    """Return options with the shares of rounds that are won, pushed and lost."""
    options = {option.target: option for option in submission.game.options}
    return [
        Play(
            strategy=analysis.main.strategy,
            win=Fraction(analysis.main.outcomes.get("win", 0), analysis.total),
            push=Fraction(analysis.main.outcomes.get("push", 0), analysis.total),
            lose=Fraction(analysis.main.outcomes.get("lose", 0), analysis.total),
            analysis=analysis,
            on_wager=options[analysis.target].edge_on_wager(analysis.house_edge),
        )
        for analysis in analyses
        if analysis.main is not None
    ]


def _ended(option: MainWager, row: RowAnalysis, submission: Submission) -> dict[str, Any]:
    """Return the end of rounds. Of a raise: ``unraised``, not made; ``both``, settled as well.

    ``bonus`` is the bonus paid on the player's own hand. ``results`` are those of each wager that
    is made or paid, if hands are not divided.
    """
    reason = row.reason
    if reason is None:
        raise InvariantBroken(f"The row {row.event} of {option.target} has no reason.")
    wager, divided = submission.game.find_wager(option), submission.game.hands.shape.is_divided
    results = [] if divided else list_results(option, reason, wager.name)
    return {
        "row": row,
        "results": [result for result in results if result.paid],
        "push": reason.outcome is Outcome.PUSH,
        "loss": reason.outcome is Outcome.LOSE,
        "unraised": option.raise_ is not None and not reason.raised and not reason.folded,
        "both": option.raise_ is not None and reason.is_raised,
        "bonus": next((bonus.pays for bonus in option.bonus if bonus.id == reason.bonus), None),
    }


def _use(uses: Sequence[HouseWayUse], hands: int) -> dict[str, Any]:
    """Return the hands decided by rules, those that best play sets otherwise, and the cost."""
    decided = sum(use.hands for use in uses)
    return {
        "hands": decided,
        "share": Fraction(decided, hands),
        "otherwise": sum(use.differs_from_optimal or 0 for use in uses),
        "cost": sum(use.cost or 0 for use in uses),
    }


ROUND = tuple(Fraction(digit * 10**power) for power in range(4, 11) for digit in (1, 2, 5))
"""Round amounts of a meter in cents, $100 to $500,000,000."""

MOST_LEVELS = 5
"""Amounts at which the edge is printed, at most."""


def progressive_wager(filed: FiledWager) -> dict[str, Any] | None:
    """Return the meters of every filed paytable of a wager; None if it has none.

    ``levels`` are cents on every meter of a paytable at once; ``open``: not every seed and
    increment is declared; ``reset``: the return at reset of a paytable is known; ``followed``: its
    long run; ``unfollowed``: a long run is not known although each amount is declared.
    """
    metered = [
        (paytable, analysis, analysis.progressive, paytable.progressive.meters)
        for paytable, analysis in filed.paytables
        if analysis.progressive is not None and paytable.progressive is not None
    ]
    if not metered:
        return None
    levels = _levels([progressive for *_, progressive, _ in metered])
    declared = [meter for *_, meters in metered for meter in meters]
    return {
        "id": filed.wager.id,
        "anchor": f"meters-{filed.wager.id}",
        "name": filed.wager.name,
        "levels": levels,
        "tables": [_metered(*table, levels) for table in metered],
        "drawn": drawn_tables(filed),
        "open": any(meter.seed_cents is None or meter.increment is None for meter in declared),
        "players": metered[0][2].players,
        "reset": any(each.return_at_reset is not None for _, _, each, _ in metered),
        "followed": any(each.long_run is not None for _, _, each, _ in metered),
        "unfollowed": any(
            each.return_at_reset is not None
            and each.long_run is None
            and all(meter.increment is not None for meter in meters)
            for _, _, each, meters in metered
        ),
    }


def control_sheet(submission: Submission) -> dict[str, Any] | None:
    """Return the filed meters and the printed text on each control; None without a meter."""
    meters = list_meters(submission.progressives)
    controls = (procedure for procedure in Procedure if procedure.needs_meter)
    return {
        "meters": meters,
        "stated": {str(each): state_procedure(each, submission) for each in controls},
        "overflows": any(meter.overflow is not None for _, meter, _ in meters),
        "reserves": any(meter.reserve is not None for _, meter, _ in meters),
    } if meters else None  # fmt: skip


def _levels(progressives: Sequence[ProgressiveAnalysis]) -> list[Fraction]:
    """Return round amounts about those at which, on every meter, the edges are zero."""
    zero = [
        (1 - progressive.fixed_return)
        * progressive.base_wager_cents
        / sum(meter.weight for meter in progressive.meters)
        for progressive in progressives
    ]
    below = [level for level in ROUND if level <= max(min(zero), ROUND[0])]
    above = [level for level in ROUND if below[-1] < level < 2 * max(zero)]
    chosen = [*below[-2:], *above]
    if len(chosen) <= MOST_LEVELS:
        return chosen
    last = len(chosen) - 1
    places = {round(last * step / (MOST_LEVELS - 1)) for step in range(MOST_LEVELS)}
    return [chosen[place] for place in sorted(places)]


def _metered(
    paytable: Paytable,
    analysis: Analysis,
    progressive: ProgressiveAnalysis,
    declared: Sequence[Meter],
    levels: Sequence[Fraction],
) -> dict[str, Any]:
    """Return a paytable: its meters, and its figures with every meter at each of the levels.

    ``adds`` is what $1,000 on a meter add. An edge and a variance are None where the return is more
    than twice the wager.
    """
    base = progressive.base_wager_cents
    weight = sum((meter.weight for meter in progressive.meters), Fraction(0))
    edges = [1 - progressive.fixed_return - weight * level / base for level in levels]
    return {
        "paytable": paytable,
        "progressive": progressive,
        "meters": [
            {
                "meter": counted,
                "declared": meter,
                "adds": counted.weight * 100_000 / base,
                "break_even": counted.break_even * base,
                "run": counted.long_run,
                "average": _average(counted, base),
            }
            for meter, counted in zip(declared, progressive.meters, strict=True)
        ],
        "reset": progressive.return_at_reset is not None,
        "long_run": _long_run(progressive),
        "edges": [edge if edge >= -1 else None for edge in edges],
        "variances": [
            metered_variance(analysis.rows, level / base) if edge >= -1 else None
            for level, edge in zip(levels, edges, strict=True)
        ],
    }


def _average(meter: MeterAnalysis, base_cents: int) -> tuple[Fraction, ...]:
    """Return the average in cents that a win finds, or its bounds; empty if it is not known."""
    run = meter.long_run
    return () if run is None else _bounds(run.least * base_cents, run.greatest * base_cents)


def _long_run(progressive: ProgressiveAnalysis) -> dict[str, Any] | None:
    """Return the parts of the long-run return, each as one figure or as its two bounds."""
    if progressive.long_run is None:
        return None
    seeds = sum(
        (m.seed * m.long_run.restart for m in progressive.meters if m.seed and m.long_run),
        Fraction(0),
    )
    rest = progressive.fixed_return + seeds
    least, greatest = progressive.long_run
    return {
        "seeds": seeds,
        "contributions": _bounds(least - rest, greatest - rest),
        "returned": _bounds(least, greatest),
    }


def _bounds(least: Fraction, greatest: Fraction) -> tuple[Fraction, ...]:
    return (least,) if least == greatest else (least, greatest)


def metered_variance(rows: Sequence[RowAnalysis], level: Fraction) -> Fraction:
    """Return the variance of the net result per unit wagered, with ``level`` units on each meter.

    A row that a meter pays returns its share of the meter and not the wager.
    """
    results = [
        (
            row.probability,
            row.contribution / row.probability
            if row.weight is None
            else row.weight / row.probability * level - 1,
        )
        for row in rows
        if row.probability
    ]
    mean = sum((chance * net for chance, net in results), Fraction(0))
    return sum((chance * net**2 for chance, net in results), Fraction(0)) - mean**2


def drawn_tables(filed: FiledWager) -> list[dict[str, Any]]:
    """Return the dynamic payouts, once for the paytables of which the same is printed.

    ``ranged``: the number of rows drawn varies. ``unit`` is the basis of all payouts, None if they
    have several.
    """
    same = together(
        ((_draws(paytable, analysis, dynamic), paytable.dynamic, dynamic.least, dynamic.greatest),
         paytable.id)
        for paytable, analysis in filed.paytables
        if (dynamic := analysis.dynamic) is not None
    )  # fmt: skip
    return [
        {
            "ids": ids(tables),
            "id": tables[0],
            "rows": rows,
            "draw": draw,
            "unit": bases.pop() if len(bases) == 1 else None,
            "ranged": draw is not None and draw.minimum_rows != draw.maximum_rows,
            "least": least,
            "greatest": greatest,
        }
        for (rows, draw, least, greatest), tables in same.items()
        for bases in [{pay.basis for _, default, pays, *_ in rows for pay in (default, *pays)}]
    ]


def _draws(
    paytable: Paytable, analysis: Analysis, dynamic: DynamicAnalysis
) -> tuple[tuple[Any, ...], ...]:
    """Return each drawn row: name, pays, addition per unit, least and greatest change."""
    chances = {row.event: row.probability for row in analysis.rows}
    changes = {row.event: row.change for row in dynamic.rows}
    return tuple(
        (
            row.name,
            row.payout,
            row.dynamic,
            chances[row.event],
            min(changes[row.event]),
            max(changes[row.event]),
        )
        for row in paytable.rows
        if row.dynamic
    )
