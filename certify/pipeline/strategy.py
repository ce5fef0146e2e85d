"""Optimal play of main wagers with a raise."""

from dataclasses import replace

from certify.errors import NotConfigured
from certify.model.analysis import Analysis
from certify.model.encoding import Progress
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.pipeline.evaluate import Settings, evaluate
from certify.pipeline.targets import Selection


def evaluate_raises(
    selection: Selection, house_way: str | None, progress: Progress | None = None
) -> tuple[tuple[MainWager, ...], tuple[Analysis, ...]]:
    """Return the options that have a raise under a target, and their analyses in optimal play.

    Raises:
        NotConfigured: there is none, or the house way does not fit the target.
    """
    raised = {
        record.target: (wager, record)
        for wager, record in selection.records
        if isinstance(record, MainWager) and record.raise_ is not None
    }
    if not raised:
        raise NotConfigured(
            "No main wager of the target has a raise, so there is no play to choose.",
            remedy="Choose a game or an option with a raise.",
        )
    divided = selection.game.hands.shape.is_divided
    settings = Settings(
        house_way=house_way,
        strategy=Strategy.OPTIMAL if divided else None,
        progress=progress,
    )
    analyses = evaluate(replace(selection, records=tuple(raised.values())), settings)
    return tuple(option for _, option in raised.values()), analyses
