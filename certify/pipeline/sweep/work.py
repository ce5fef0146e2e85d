"""One task of a sweep, in whatever process it is run."""

from typing import Any

from certify.model.analysis import Analysis
from certify.pipeline.figures.evaluate import evaluate
from certify.pipeline.figures.house_way_audit import refuse_unsound
from certify.pipeline.sweep.row import row_of
from certify.pipeline.sweep.task import Task, digest, everything, play, selection_of


def run(settings: dict[str, Any]) -> dict[str, Any]:
    """Compute one figure; the result says by its digest what it was computed from.

    Raises:
        NotConfigured: the settings do not fit the target.
        Unfit: a house way leaves a hand open, or a reading cannot be applied.
    """
    task = Task(**settings)
    return {"digest": digest(task), "row": row_of(task, _analysis(task))}


def _analysis(task: Task) -> Analysis:
    selection, played = selection_of(task), play(task)
    if played is None:
        (analysis,) = evaluate(selection, task.chosen)
        return analysis
    from certify.engine.main import evaluate as base_game

    for way in (played.dealer, played.player or played.dealer):
        refuse_unsound(selection.catalogue, played.game, way)
    # Counts by the house way as declared are kept; a reading changes few of its hands.
    declared = everything()
    beside = declared.games[played.game.id].house_way
    return base_game.evaluate(
        played.option,
        game=played.game,
        house_way=played.dealer,
        strategy=played.strategy,
        player=played.player,
        beside=declared.house_ways.get(beside),
    )
