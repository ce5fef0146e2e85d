"""One task of a sweep, in whatever process it is run."""

from fractions import Fraction
from typing import Any

from certify.formatting import json_exact, json_percent
from certify.model.analysis import Analysis
from certify.model.cards import JokerRule
from certify.model.game import Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.pipeline.figures.evaluate import Settings, as_chosen, evaluate
from certify.pipeline.figures.house_way_audit import refuse_unsound
from certify.pipeline.sweep.plan import Task, digest, every_house_way, is_strategy, selected


def run(settings: dict[str, Any]) -> dict[str, Any]:
    """Compute one figure; the result says by its digest what it was computed from.

    Raises:
        NotConfigured: the settings do not fit the target.
        Unfit: a house way leaves a hand open.
    """
    task = Task(**settings)
    analysis = _analysis(task)
    row = {
        **task.settings,
        **_figure("house_edge", analysis.house_edge),
        **_figure("house_edge_with_envy", _with_envy(analysis, task.seats)),
        **_figure("hit_frequency", analysis.hit_frequency),
    }
    return {"digest": digest(task), "row": row}


def _figure(name: str, value: Fraction | None) -> dict[str, str | None]:
    """Return a figure, exact and in percent; None where it depends on a meter or does not apply."""
    if value is None:
        return {name: None, f"{name}_percent": None}
    return {name: json_exact(value), f"{name}_percent": json_percent(value)}


def _with_envy(analysis: Analysis, seats: int) -> Fraction | None:
    edges = analysis.envy.house_edge_by_players if analysis.envy is not None else {}
    return edges.get(seats)


def _analysis(task: Task) -> Analysis:
    selection = selected(task.target)
    ((_, record),) = selection.records
    settings = Settings(
        joker=JokerRule(task.joker) if task.joker else None, players=task.seats or None
    )
    if not isinstance(record, MainWager):
        (analysis,) = evaluate(selection, settings)
        return analysis
    from certify.engine.main import evaluate as base_game

    game = as_chosen(selection.game, settings)
    ways = every_house_way()
    dealer: HouseWay = ways[task.house_way or game.house_way]
    player: HouseWay | None = None
    strategy = game.strategy
    if is_strategy(task.player):
        strategy = Strategy(task.player)
    elif task.player:
        player, strategy = ways[task.player], Strategy.HOUSE_WAY
    for way in (dealer, player or dealer):
        refuse_unsound(selection.catalogue, game, way)
    return base_game.evaluate(
        record,
        game=game,
        house_way=dealer,
        strategy=strategy,
        player=player,
        beside=ways.get(game.house_way),
    )
