"""Analyses as JSON, for `evaluate` and for the evidence, and tables of the laboratory kit as CSV.

Exact values are strings ``n/d``, each with a decimal string rounded as `certify.formatting` names
it. Keys that do not apply are absent.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from certify.formatting import (
    ROUNDING,
    csv_bytes,
    json_decimal,
    json_exact,
    json_percent,
    square_root,
)
from certify.model.analysis import (
    Analysis,
    BankAnalysis,
    Census,
    CostlyHand,
    DynamicAnalysis,
    DynamicRow,
    EnvyAnalysis,
    HouseWayUse,
    KindChanged,
    KindPlayed,
    LimitAnalysis,
    LimitedFigures,
    MainAnalysis,
    RowAnalysis,
    SetKind,
)
from certify.model.comparison import FigureJudgement, RuleJudgement
from certify.model.condition import FeatureValue
from certify.model.encoding import (
    PLACES,
    Forms,
    drop_empty,
    encode_exact,
    encode_object,
    pick_values,
)
from certify.model.progressive import LongRun, MeterAnalysis, ProgressiveAnalysis
from certify.model.source import Price, Statement
from certify.model.submission import Submission

METER_PLACES: Final = 2
"""Decimals of a meter, in base wagers."""

OPPOSITE: Final = {"": "", "least_": "greatest_", "greatest_": "least_"}
"""The bound of the return that a bound of a cost leaves: the greatest cost leaves the least."""


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Return the contract's object for one paytable."""
    return encode_object(analysis, FORMS)


def strategies_json(analyses: Iterable[Analysis]) -> dict[str, Any]:
    """Return the object of ``certify strategy``: the play of each option, and its figures."""
    play = ("house_way", "strategy", "boundary", "hands_by_action")
    listed = []
    for analysis in analyses:
        value = analysis_json(analysis)
        figures = [name for name in value if name.startswith(("house_edge", "element_of_risk"))]
        named = ("target", *figures, *play)
        listed.append({name: value[name] for name in named if name in value})
    return {"strategies": listed}


def judgements_json(submission: Submission) -> dict[str, Any]:
    """Return the embedded values on a submission that are not printed in full.

    The submitted option under every strategy, the options that are not submitted, the submitted
    ones by each other house way that the rules leave to the casino, every hand by its name, each
    published figure with its verdict, and the effect of the least permitted payout limit on a
    wager. Open items are in the checklist, which is not filed.
    """
    return encode_object(
        {
            "comparison": [_figures(analysis) for analysis in submission.comparison],
            "other_options": [_figures(other_option) for other_option in submission.other_options],
            "other_house_ways": [_figures(by_way) for _, by_way in submission.other_ways],
            "hands": {
                cell[0] or "all_other": n for cell, n in submission.frequencies.cells.items()
            },
            "published_figures": submission.figures,
            "least_limits": {
                target: _limit(submission.analyses[target], limit)
                for target, limit in submission.least_limits.items()
            },
        },
        JUDGEMENTS,
    )


def _figures(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis without the versions, which the evidence has once for all."""
    return {key: value for key, value in analysis_json(analysis).items() if key != "engine"}


def requirement_json(judgement: RuleJudgement) -> dict[str, Any]:
    """Return a requirement of the jurisdiction with its text and its verdict."""
    text = judgement.version
    keys = ("citation", "confidence", "text_date", "read_on")
    return {
        "rule": judgement.rule.id,
        "title": judgement.rule.title,
        **(dict.fromkeys(keys) if text is None else pick_values(text, *keys)),
        **pick_values(judgement, "standing", "detail", "section"),
    }


JUDGEMENTS: Forms = {
    FigureJudgement: lambda judgement: {
        **pick_values(judgement.figure, "id", "target", "quantity", "event", "players", "printed"),
        "source": judgement.figure.source,
        **pick_values(judgement, "agreement", "recomputed", "reason"),
    },
}


def results_json(analyses: Iterable[Analysis]) -> dict[str, Any]:
    """Return one object for one analysis, ``{"results": [...]}`` for several."""
    objects = [analysis_json(analysis) for analysis in analyses]
    return objects[0] if len(objects) == 1 else {"results": objects}


def _analysis(analysis: Analysis) -> dict[str, Any]:
    return {
        **pick_values(analysis, "target", "game", "wager", "paytable", "method"),
        "rounding": ROUNDING,
        "assumptions": analysis.assumptions,
        "total_combinations": analysis.total,
        "rows": analysis.rows,
        **encode_exact("return_to_player", analysis.return_to_player),
        **_edge("house_edge", analysis.house_edge),
        **encode_exact("hit_frequency", analysis.hit_frequency),
        **_spread(analysis.variance),
        **drop_empty({"top_award": analysis.top_award}),
        **(_main(analysis.main) if analysis.main else {}),
        **drop_empty(pick_values(analysis, "house_way", "envy", "progressive", "dynamic")),
        **(_limit(analysis, analysis.limit) if analysis.limit else {}),
        **drop_empty({"alternatives": analysis.alternatives}),
        "inputs": analysis.inputs,
        "engine": {"version": analysis.engine_version},
    }


def _main(main: MainAnalysis) -> dict[str, Any]:
    return {
        "outcomes": main.outcomes,
        "house_way": main.house_way or None,
        "strategy": main.strategy,
        **encode_exact("average_wager", main.average_wager),
        **_edge("element_of_risk", main.element_of_risk),
        **drop_empty(
            {
                "bank": main.bank,
                "boundary": main.boundary,
                "by_wager": main.by_wager,
                "costly_hands": main.costly_hands,
                "hands_by_action": main.played,
                "hands_set_otherwise": main.changed,
                "house_way_rules": main.dealer_rule_hands,
            }
        ),
    }


def _edge(name: str, value: Fraction | None) -> dict[str, Any]:
    percent = None if value is None else json_percent(value)
    return encode_exact(name, value) | drop_empty({f"{name}_percent": percent})


def _spread(variance: Fraction | None) -> dict[str, Any]:
    root = None if variance is None else square_root(variance, PLACES)
    return encode_exact("variance", variance) | drop_empty({"standard_deviation": root})


def _by_players(edges: Mapping[int, Fraction]) -> dict[str, Any]:
    percents = {players: json_percent(edge) for players, edge in edges.items()}
    return {"house_edge_by_players": edges, "house_edge_percent_by_players": percents}


def _set_kind(kind: SetKind) -> dict[str, Any]:
    return {
        "high_hand": kind.high,
        **drop_empty({"rank": kind.rank or None, "low_hand": kind.low or None}),
    }


def _progressive(progressive: ProgressiveAnalysis) -> dict[str, Any]:
    meters = progressive.meters
    alone = json_decimal(meters[0].break_even, METER_PLACES) if len(meters) == 1 else None
    sharing = {
        "players": progressive.players,
        **encode_exact("greatest_reduction", progressive.lost_by_sharing),
    }
    return {
        "base_wager_cents": progressive.base_wager_cents,
        **encode_exact("fixed_return", progressive.fixed_return),
        "meters": meters,
        "unit": "base wagers: a meter of 1000 is a thousand times the base wager",
        **drop_empty({"break_even_meter": alone}),
        **encode_exact("return_at_reset", progressive.return_at_reset),
        **_bounds("long_run_return", progressive.long_run),
        **({"sharing": sharing} if progressive.long_run else {}),
    }


def _bounds(name: str, bounds: tuple[Fraction, Fraction] | None) -> dict[str, Any]:
    """Return a figure, or its bounds under other names; nothing if it is not known."""
    if bounds is None or bounds[0] == bounds[1]:
        return encode_exact(name, bounds and bounds[0])
    return encode_exact(f"least_{name}", bounds[0]) | encode_exact(f"greatest_{name}", bounds[1])


def _meter(meter: MeterAnalysis) -> dict[str, Any]:
    at_seed = None if meter.seed is None else meter.seed * meter.weight
    return {
        "level": meter.level,
        "probability_weight": meter.weight,
        "hit_probability": meter.hit_probability,
        "break_even_meter": json_decimal(meter.break_even, METER_PLACES),
        **drop_empty({"amount": meter.amount, "long_run": meter.long_run}),
        **encode_exact("return_at_seed", at_seed),
    }


def _limit(analysis: Analysis, limit: LimitAnalysis) -> dict[str, Any]:
    """Return the figures of a wager under limits; bounds have other names than figures."""
    value = {
        "limits": limit.limits,
        "shared": limit.is_shared,
        "open": limit.open,
        "amounts": [
            _under_limits(analysis, amount, shared=limit.is_shared) for amount in limit.amounts
        ],
        **drop_empty({"binds_above_wager_cents": limit.binds_above_cents}),
    }
    spreads = tuple(
        {"wager_cents": amount.wager_cents, **_spread(amount.variance)}
        for amount in limit.amounts
        if amount.variance is not None
    )
    return {"limit": value, **drop_empty({"volatility_with_limit": spreads})}


def _under_limits(analysis: Analysis, limited: LimitedFigures, *, shared: bool) -> dict[str, Any]:
    top_award = "greatest_top_award" if shared else "top_award"
    value = {"wager_cents": limited.wager_cents, top_award: limited.top_award}
    bounds = (
        {"least_": limited.cost, "greatest_": limited.greatest_cost}
        if shared
        else {"": limited.cost}
    )
    costs = {bound: cost for bound, cost in bounds.items() if cost is not None}
    for bound, cost in costs.items():
        if analysis.house_edge is not None:
            value |= _edge(f"{bound}house_edge", analysis.house_edge + cost)
        if analysis.progressive is not None:
            left = analysis.progressive.fixed_return - cost
            value |= encode_exact(f"{OPPOSITE[bound]}fixed_return", left)
    if limited.house_edge_by_players:
        value |= _by_players(limited.house_edge_by_players)
    if limited.break_evens:
        meters = {level: json_decimal(meter, METER_PLACES) for level, meter in limited.break_evens}
        value["break_even_meters"] = meters
    least, greatest = limited.dynamic or (None, None)
    return value | drop_empty(
        {"least_change_of_return": least, "greatest_change_of_return": greatest}
    )


FORMS: Forms = {
    Analysis: _analysis,
    BankAnalysis: lambda bank: {
        **pick_values(bank, "share", "rows"),
        **_edge("house_edge", bank.house_edge),
        **_edge("combined_house_edge", bank.combined_edge),
    },
    CostlyHand: lambda costly: {
        "hand": " ".join(costly.cards),
        **pick_values(costly, "house_front", "best_front"),
        **encode_exact("cost", costly.cost),
    },
    DynamicAnalysis: lambda dynamic: {
        "rows": dynamic.rows,
        "least_change_of_return": dynamic.least,
        "greatest_change_of_return": dynamic.greatest,
    },
    DynamicRow: lambda row: {
        **pick_values(row, "event", "name", "default"),
        "pays": [
            {"pays": pays, **encode_exact("change_of_return", change)}
            for pays, change in zip(row.pays, row.change, strict=True)
        ],
    },
    EnvyAnalysis: lambda envy: {
        **pick_values(envy, "paytable", "qualifying_wager_cents", "wager_cents", "rows"),
        **encode_exact("per_other_player", envy.per_other_player),
        **_by_players(envy.house_edge_by_players),
    },
    HouseWayUse: lambda use: {
        **drop_empty(pick_values(use, "rule", "hands", "differs_from_optimal")),
        **encode_exact("cost", use.cost),
    },
    KindChanged: lambda changed: {
        **pick_values(changed, "house", "best", "hands"),
        **encode_exact("cost", changed.cost),
    },
    KindPlayed: lambda played: {**_set_kind(played.kind), "hands": played.hands},
    LongRun: lambda run: {
        "restart_probability": run.restart,
        **_bounds("average_meter", (run.least, run.greatest)),
        **encode_exact("covered_by_reserve", run.covered),
    },
    MeterAnalysis: _meter,
    Price: lambda price: {
        **pick_values(price.alternative, "id", "text", "of"),
        "figures": [
            {
                "figure": figure,
                "filed": filed,
                "otherwise": otherwise,
                **encode_exact("change", otherwise - filed),
            }
            for figure, (filed, otherwise) in price.moved.items()
        ],
    },
    ProgressiveAnalysis: _progressive,
    # A row that a meter of unknown level pays has that weight and no return.
    RowAnalysis: lambda row: {
        **pick_values(row, "event", "name", "pays", "combinations"),
        **encode_exact("probability", row.probability),
        **encode_exact("return", row.contribution if row.weight is None else None),
        **drop_empty({"meter_weight": row.weight}),
    },
    SetKind: _set_kind,
    Statement: lambda stating: drop_empty(pick_values(stating, "id", "text", "source", "effect")),
}


FRACTION_COLUMNS = ("target", "event", "name", "pays", "combinations", "probability", "return")
"""The return is empty in a row that a meter pays."""


def census_csv(census: Census) -> bytes:
    """Return a census as CSV: one column for each feature, then the number of hands.

    Cells are in the order of their texts; truth is ``true`` or ``false``, nothing an empty field.
    """
    lines = sorted((*map(_text, cell), str(hands)) for cell, hands in census.cells.items())
    return csv_bytes((*census.features, "hands"), lines)


def fractions_csv(analyses: Iterable[Analysis]) -> bytes:
    """Return every row of every paytable and envy table with its exact probability and return."""
    lines = []
    for analysis in analyses:
        lines += [_row_kit_files(analysis.target, row) for row in analysis.rows]
        if analysis.envy is not None:
            target = f"{analysis.target}/envy/{analysis.envy.paytable}"
            lines += [_row_kit_files(target, row) for row in analysis.envy.rows]
    return csv_bytes(FRACTION_COLUMNS, lines)


def _row_kit_files(target: str, row: RowAnalysis) -> tuple[str, ...]:
    return (
        target,
        row.event,
        row.name,
        row.pays,
        str(row.combinations),
        json_exact(row.probability),
        json_exact(row.contribution) if row.weight is None else "",
    )


def _text(value: FeatureValue) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
