"""Deals by the label of the dealer's hand, where no hand is weighed on its own, kept between runs.

So it is where the player sets by the house way, and where the player sees the dealer's set hand.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from certify.engine.count_cache import kept
from certify.engine.hands.divided import deal
from certify.engine.house_way.audit import chosen_splits
from certify.engine.main.labels import dealer_labels
from certify.engine.threads import workers
from certify.model.condition import Condition
from certify.model.game import HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.progress import Progress


class Labelling(NamedTuple):
    """How both sides play, and the conditions that label the dealer's hand."""

    hands: HandRules
    conditions: tuple[Condition, ...]
    house_way: HouseWay
    strategy: Strategy


def labelled(
    play: Labelling, beside: HouseWay | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Count the deals won and lost, for every label of the dealer.

    Args:
        play: how both sides play.
        beside: a house way; if given, its counts are taken or made first, and what ``play`` sets
            otherwise is counted as a change of them.
        progress: is told how many tasks are done.

    Returns:
        ``labels``: for each the truth of every condition, and its deals: all, won, lost. ``uses``:
        how many hands each rule of the house way decides.

    Raises:
        NotConfigured: the house way is not sound.
    """

    def count() -> dict[str, Any]:
        if beside is None or beside == play.house_way:
            return _count(play, progress)
        return _changed(play, play._replace(house_way=beside), progress)

    return kept(("labelled", *play), count)  # type: ignore[no-any-return]


def _count(play: Labelling, progress: Progress | None) -> dict[str, Any]:
    dealt = deal(play.hands)
    from certify.kernels.pairs.count import count_pairs
    from certify.kernels.pairs.events import fixed_points, set_hands, staircase_points

    labels, truths = dealer_labels(play.hands, play.conditions)
    way = chosen_splits(play.house_way, dealt.classes, dealt.splits)
    dealer = set_hands(dealt.splits, way.split, labels)
    if play.strategy is Strategy.OPTIMAL:
        points = staircase_points(dealt.splits, dealer)
    else:
        points = fixed_points(dealer, dealer)
    with ThreadPoolExecutor(workers()) as executor:
        counts = count_pairs(dealt.classes, dealer, points, executor=executor, progress=progress)
    return {
        "labels": [
            [list(truth), counts.total[place], counts.win[place], counts.lose[place]]
            for place, truth in enumerate(truths)
        ],
        "uses": [[use.rule, use.decided] for use in way.uses],
    }


def _changed(play: Labelling, known: Labelling, progress: Progress | None) -> dict[str, Any]:
    """Count by what differs from another house way's splits, whose counts are known."""
    counts = labelled(known, None, progress)
    dealt = deal(play.hands)
    from certify.kernels.pairs.changes import count_changes
    from certify.kernels.pairs.events import set_hands

    labels, _ = dealer_labels(play.hands, play.conditions)
    before = chosen_splits(known.house_way, dealt.classes, dealt.splits)
    after = chosen_splits(play.house_way, dealt.classes, dealt.splits)
    with ThreadPoolExecutor(workers()) as executor:
        more = count_changes(
            dealt.classes,
            set_hands(dealt.splits, before.split, labels),
            set_hands(dealt.splits, after.split, labels),
            dealt.splits if play.strategy is Strategy.OPTIMAL else None,
            executor=executor,
            progress=progress,
        )
    return {
        "labels": [
            [truth, total + more.total[place], win + more.win[place], lose + more.lose[place]]
            for place, (truth, total, win, lose) in enumerate(counts["labels"])
        ],
        "uses": [[use.rule, use.decided] for use in after.uses],
    }
