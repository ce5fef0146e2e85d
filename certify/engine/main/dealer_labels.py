"""Cached deals by the label of the dealer's hand, for play that does not weigh single hands.

This covers a player who uses a house way, and a player who sees the dealer's set hand.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.engine.count_cache import cached_count
from certify.engine.divided import deal, workers
from certify.engine.hands.as_set import cells_as_set
from certify.engine.hands.conditions import list_features, predicate
from certify.engine.house_way.audit import ChosenSplits, chosen_splits
from certify.engine.main.countable import refuse_untold
from certify.model.condition import Condition, asks_as_set
from certify.model.encoding import Progress
from certify.model.game import HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import Outcome, Ties

if TYPE_CHECKING:
    from certify.kernels.events import Corner, Regions, SetHands


Labels = npt.NDArray[np.int64]


def dealer_labels(
    hands: HandRules, conditions: Sequence[Condition], house_way: HouseWay | None = None
) -> tuple[Labels, tuple[tuple[bool, ...], ...]]:
    """Label every class by which of the conditions its hands meet, as the house way sets them.

    Returns:
        For every class the number of its label; for every label the truth of each condition.

    Raises:
        NotConfigured: a condition depends on cards that classes do not distinguish (suits and
            colors), or on a set hand when there is no house way.
    """
    refuse_untold(conditions)
    asked = frozenset[str]().union(*(list_features(condition) for condition in conditions))
    told = cells_as_set(hands, asked, house_way)
    tests = [predicate(condition, told.features) for condition in conditions]
    truths: dict[tuple[bool, ...], int] = {}
    label = np.zeros(len(told.cells), dtype=np.int64)
    places, first = np.unique(told.of_class, return_index=True)
    for place in places[np.argsort(first)].tolist():
        cell = told.cells[place]
        label[place] = truths.setdefault(tuple(test(cell) for test in tests), len(truths))
    return label[told.of_class], tuple(truths)


class Labelling(NamedTuple):
    """Strategies of both sides, the tie rules, and the conditions that label the dealer's hand.

    ``player`` is the house way of a player who plays by one.
    """

    hands: HandRules
    conditions: tuple[Condition, ...]
    house_way: HouseWay
    strategy: Strategy
    player: HouseWay
    ties: Ties


def build_regions(ties: Ties) -> "Regions":
    """Return the regions in which a split wins and does not lose, in the form for the kernels."""
    from certify.kernels.events import Regions

    def corners(*outcomes: Outcome) -> tuple["Corner", ...]:
        ends = [
            (back, front)
            for back in (2, 1, 0)
            for front in (2, 1, 0)
            if ties.outcome(1 - back, 1 - front) in outcomes
        ]
        rising: list[Corner] = []
        for back, front in ends:
            if not rising or front > rising[-1][1]:
                rising.append((back, front))
        return tuple(rising)

    return Regions(win=corners(Outcome.WIN), safe=corners(Outcome.WIN, Outcome.PUSH))


def count_by_label(
    play: Labelling, beside: HouseWay | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Count the deals won and lost, for every label of the dealer.

    Args:
        play: how both sides play.
        beside: a house way. If given, the counts with both sides playing it are loaded or made
            first, and the hands that ``play`` sets otherwise are counted as changes.
        progress: called with the number of finished tasks.

    Returns:
        ``labels``: for each the truth of every condition, and its deals: all, won, lost. ``uses``:
        how many hands each rule of the house way decides.

    Raises:
        NotConfigured: the house way is not sound.
    """

    def count() -> dict[str, Any]:
        # What a hand as set is labelled by differs between house ways: nothing is a change there.
        as_set = any(map(asks_as_set, play.conditions))
        if beside is None or as_set or beside == play.house_way == play.player:
            return _count(play, progress)
        if beside in {play.house_way, play.player} or play.house_way == play.player:
            return _count_changes(play, play._replace(house_way=beside, player=beside), progress)
        return _count_interaction(play, beside, progress)

    return cached_count(("labelled", *play), count)  # type: ignore[no-any-return]


def _count(play: Labelling, progress: Progress | None) -> dict[str, Any]:
    dealt = deal(play.hands)
    from certify.kernels.events import fixed_points, staircase_points
    from certify.kernels.pair_count import count_pairs

    _, truths = _labels(play.hands, play.conditions, play.house_way)
    dealer = _set(play.house_way, play)
    regions = build_regions(play.ties)
    with ThreadPoolExecutor(workers()) as executor:
        counts = count_pairs(
            dealt.classes,
            dealer,
            staircase_points(dealt.splits, dealer, regions)
            if play.strategy is Strategy.OPTIMAL
            else fixed_points(_set(play.player, play), dealer, regions),
            executor=executor,
            progress=progress,
        )
    return {
        "labels": [
            [list(truth), counts.total[place], counts.win[place], counts.lose[place]]
            for place, truth in enumerate(truths)
        ],
        "uses": _uses(play),
    }


def _count_changes(play: Labelling, known: Labelling, progress: Progress | None) -> dict[str, Any]:
    """Count the differences from another house way's splits, with known counts."""
    counts = count_by_label(known, None, progress)
    dealt = deal(play.hands)
    from certify.kernels.changes import Change, count_changes

    dealer = Change(_set(known.house_way, play), _set(play.house_way, play))
    player = Change(_set(known.player, play), _set(play.player, play))
    with ThreadPoolExecutor(workers()) as executor:
        more = count_changes(
            dealt.classes,
            dealer,
            dealt.splits if play.strategy is Strategy.OPTIMAL else player,
            regions=build_regions(play.ties),
            executor=executor,
            progress=progress,
        )
    return {
        "labels": [
            [truth, total + more.total[place], win + more.win[place], lose + more.lose[place]]
            for place, (truth, total, win, lose) in enumerate(counts["labels"])
        ],
        "uses": _uses(play),
    }


def _count_interaction(
    play: Labelling, beside: HouseWay, progress: Progress | None
) -> dict[str, Any]:
    """Count the change of each side alone, and the interaction of both."""
    base = play._replace(house_way=beside, player=beside)
    dealer, player, neither = (
        count_by_label(known, beside, progress)["labels"]
        for known in (
            base._replace(house_way=play.house_way),
            base._replace(player=play.player),
            base,
        )
    )
    dealt = deal(play.hands)
    from certify.kernels.changes import Change, count_crossed

    with ThreadPoolExecutor(workers()) as executor:
        both = count_crossed(
            dealt.classes,
            Change(_set(beside, play), _set(play.house_way, play)),
            Change(_set(beside, play), _set(play.player, play)),
            regions=build_regions(play.ties),
            executor=executor,
            progress=progress,
        )
    beyond = zip(both.total, both.win, both.lose, strict=True)
    return {
        "labels": [
            [
                truth,
                *(a + b - c + d for a, b, c, d in zip(of_dealer, other, known, more, strict=True)),
            ]
            for (truth, *of_dealer), (_, *other), (_, *known), more in zip(
                dealer, player, neither, beyond, strict=False
            )
        ],
        "uses": _uses(play),
    }


def _set(way: HouseWay, play: Labelling) -> "SetHands":
    """Set every class by a house way, labeled by the conditions."""
    from certify.kernels.events import set_hands

    labels, _ = _labels(play.hands, play.conditions, play.house_way)
    return set_hands(deal(play.hands).splits, _choose_splits(way, play.hands).split, labels)


_labels = lru_cache(maxsize=4)(dealer_labels)
"""Both sides of a count ask for the same labels, and each for the splits of its house way."""


@lru_cache(maxsize=4)
def _choose_splits(way: HouseWay, hands: HandRules) -> ChosenSplits:
    dealt = deal(hands)
    return chosen_splits(way, dealt.classes, dealt.splits)


def _uses(play: Labelling) -> list[list[Any]]:
    """Return the number of hands that each rule of the dealer's house way decides."""
    return [[use.rule, use.decided] for use in _choose_splits(play.house_way, play.hands).uses]
