"""Cached deals by the label of the dealer's hand, for play that does not weigh single hands.

This covers a player who uses a house way, and a player who sees the dealer's set hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from certify.engine.count_cache import cached_count, load_cached
from certify.engine.deck import load_deck, workers
from certify.engine.hands.as_set import cells_as_set
from certify.engine.hands.conditions import list_features, predicate
from certify.engine.house_way.audit import ChosenSplits, chosen_splits
from certify.engine.main.countable import refuse_many_kinds, refuse_undistinguished
from certify.kernels.features import LABELS
from certify.model.condition import Condition, asks_as_set
from certify.model.encoding import Progress
from certify.model.game import HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import Outcome, Ties

if TYPE_CHECKING:
    from certify.kernels.changes import Change
    from certify.kernels.events import Corner, Regions, SetHands
    from certify.kernels.pair_count import Counts


Labels = npt.NDArray[np.int64]

Truth = tuple[bool, ...]
"""The truth of every condition."""

Deals = dict[Truth, tuple[int, ...]]
"""Deals by the truth of the dealer's hand: all, won, lost."""

Uses = list[list[Any]]
"""The rules of a house way, each with the number of hands it decides."""


def dealer_labels(
    hands: HandRules, conditions: Sequence[Condition], house_way: HouseWay | None = None
) -> tuple[Labels, tuple[Truth, ...]]:
    """Label every class by which of the conditions its hands meet, as the house way sets them.

    Returns:
        For every class the number of its label; for every label the truth of each condition.

    Raises:
        NotConfigured: a condition depends on cards that classes do not distinguish (suits and
            colors), or on a set hand when there is no house way.
    """
    refuse_undistinguished(conditions)
    way = house_way if any(map(asks_as_set, conditions)) else None
    return _label_classes(hands, tuple(conditions), way)


@lru_cache(maxsize=4)
def _label_classes(
    hands: HandRules, conditions: tuple[Condition, ...], house_way: HouseWay | None
) -> tuple[Labels, tuple[Truth, ...]]:
    features = frozenset[str]().union(*(list_features(condition) for condition in conditions))
    as_set = cells_as_set(hands, features, house_way)
    tests = [predicate(condition, as_set.features) for condition in conditions]
    truths: dict[Truth, int] = {}
    label = np.zeros(len(as_set.cells), dtype=np.int64)
    places, first = np.unique(as_set.of_class, return_index=True)
    for place in places[np.argsort(first)].tolist():
        cell = as_set.cells[place]
        label[place] = truths.setdefault(tuple(test(cell) for test in tests), len(truths))
    return label[as_set.of_class], tuple(truths)


class Labeling(NamedTuple):
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
    play: Labeling, base: Labeling | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Count the deals won and lost, for every label of the dealer.

    Args:
        play: how both sides play.
        base: another play, whose counts are cached or will be needed anyway. If its deals are
            compared in the same way, only the hands that are set or labeled otherwise are counted.
        progress: called with the number of finished tasks.

    Returns:
        ``labels``: for each the truth of every condition, and its deals: all, won, lost. ``uses``:
        how many hands each rule of the house way decides.

    Raises:
        NotConfigured: the house way is not sound.
    """

    def count() -> dict[str, Any]:
        if base is None or base == play or not _are_comparable(base, play):
            counted = _count(play, progress)
        elif base.house_way == play.house_way or play.player in {base.player, play.house_way}:
            counted = _count_changes(play, base, progress)
        elif base.hands != play.hands:
            counted = _count(play, progress)
        else:
            counted = _count_interaction(play, base, progress)
        return _describe(play, counted, _list_uses(play))

    return cached_count(_key(play), count)  # type: ignore[no-any-return]


def count_together(
    plays: Iterable[Labeling], base: Labeling, progress: Progress | None = None
) -> None:
    """Count and cache, in one pass, plays in which only the dealer's hands differ from a known one.

    The dealer's hands are set or labeled otherwise. Where the player does not see them, the
    player's house way differs, too, and nothing is counted here.

    Raises:
        NotConfigured: a house way is not sound.
    """
    from certify.kernels.changes import Changed, count_dealer_changes, find_changes

    chosen: dict[Labeling, tuple[Changed, dict[Truth, int], Uses]] = {}
    for play in plays:  # one after the other, since the caches hold few house ways
        if play not in chosen and _changes_dealer(play, base) and load_cached(_key(play)) is None:
            numbers = _number_truths(base, play)
            changed = find_changes(_find_changes(base, play, numbers)[0])
            chosen[play] = changed, numbers, _list_uses(play)
    if not chosen:
        return
    counts, dealt = _load(base, None, progress), load_deck(base.hands)
    with ThreadPoolExecutor(workers()) as executor:
        more = count_dealer_changes(
            dealt.classes,
            [changed for changed, _, _ in chosen.values()],
            dealt.splits,
            regions=build_regions(base.ties),
            executor=executor,
            progress=progress,
        )
    for (play, (_, numbers, uses)), change in zip(chosen.items(), more, strict=True):
        entry = _describe(play, _add(counts, _group_by_truth(numbers, change)), uses)
        cached_count(_key(play), lambda entry=entry: entry)  # type: ignore[misc]


def _changes_dealer(play: Labeling, base: Labeling) -> bool:
    """Return True if a play differs from a known one by the dealer's hands only."""
    return (
        play != base
        and play.strategy is Strategy.OPTIMAL
        and play.hands == base.hands
        and _are_comparable(base, play)
    )


def _key(play: Labeling) -> tuple[object, ...]:
    return ("labeled", *play)


def _describe(play: Labeling, counted: Deals, uses: Uses) -> dict[str, Any]:
    """Return the deals by label and the rule uses of a play, as `count_by_label` documents them."""
    labels = [[list(truth), *counted[truth]] for truth in _labels(play)[1]]
    return {"labels": labels, "uses": uses}


def _list_uses(play: Labeling) -> Uses:
    return [[use.rule, use.decided] for use in _choose_splits(play.house_way, play.hands).uses]


def _are_comparable(base: Labeling, play: Labeling) -> bool:
    """Return True if the counts of two plays differ by other settings and labels of hands only.

    The keys of hands are on one scale wherever the straight A-2-3-4-5 ranks.
    """
    hands = replace(base.hands, wheel=play.hands.wheel)
    same = (hands, base.strategy, base.ties) == (play.hands, play.strategy, play.ties)
    paired = len(base.conditions) == len(play.conditions)
    return same and paired and len(_number_truths(base, play)) <= LABELS


def _count(play: Labeling, progress: Progress | None) -> Deals:
    dealt = load_deck(play.hands)
    from certify.kernels.events import fixed_points, staircase_points
    from certify.kernels.pair_count import count_pairs

    numbers = _number_truths(play)
    refuse_many_kinds(numbers)
    label = _label(play, numbers)
    dealer = _set(play.house_way, play, label)
    regions = build_regions(play.ties)
    with ThreadPoolExecutor(workers()) as executor:
        counts = count_pairs(
            dealt.classes,
            dealer,
            staircase_points(dealt.splits, dealer, regions)
            if play.strategy is Strategy.OPTIMAL
            else fixed_points(_set(play.player, play, label), dealer, regions),
            executor=executor,
            progress=progress,
        )
    return _group_by_truth(numbers, counts)


def _count_changes(play: Labeling, base: Labeling, progress: Progress | None) -> Deals:
    """Count the differences from a known play."""
    counts = _load(base, None, progress)
    dealt, numbers = load_deck(play.hands), _number_truths(base, play)
    from certify.kernels.changes import SplitsChange, count_changes

    dealer, player = _find_changes(base, play, numbers)
    with ThreadPoolExecutor(workers()) as executor:
        more = count_changes(
            dealt.classes,
            dealer,
            SplitsChange(load_deck(base.hands).splits, dealt.splits)
            if play.strategy is Strategy.OPTIMAL
            else player,
            regions=build_regions(play.ties),
            executor=executor,
            progress=progress,
        )
    return _add(counts, _group_by_truth(numbers, more))


def _count_interaction(play: Labeling, base: Labeling, progress: Progress | None) -> Deals:
    """Count the change of each side alone, and the interaction of both."""
    dealt, numbers = load_deck(play.hands), _number_truths(base, play)
    from certify.kernels.changes import count_crossed

    dealer, player = _find_changes(base, play, numbers)
    with ThreadPoolExecutor(workers()) as executor:
        both = count_crossed(
            dealt.classes,
            dealer,
            player,
            regions=build_regions(play.ties),
            executor=executor,
            progress=progress,
        )
    of_dealer = _load(play._replace(player=base.player), base, progress)
    of_player = _load(base._replace(player=play.player), base, progress)
    neither = {
        truth: tuple(-number for number in deals)
        for truth, deals in _load(base, None, progress).items()
    }
    return _add(of_dealer, of_player, neither, _group_by_truth(numbers, both))


def _find_changes(
    base: Labeling, play: Labeling, numbers: Mapping[Truth, int]
) -> tuple["Change", "Change"]:
    """Return the changes of the dealer's and of the player's hands from the known play to this one.

    Counts do not depend on the player's labels, so these never change.
    """
    from certify.kernels.changes import Change

    before, after = _label(base, numbers), _label(play, numbers)
    return (
        Change(_set(base.house_way, base, before), _set(play.house_way, play, after)),
        Change(_set(base.player, base, after), _set(play.player, play, after)),
    )


def _label(play: Labeling, numbers: Mapping[Truth, int]) -> Labels:
    """Return the number of the truth of the play's conditions for every class."""
    labels, truths = _labels(play)
    return np.array([numbers[truth] for truth in truths])[labels]


def _set(way: HouseWay, play: Labeling, label: Labels) -> "SetHands":
    """Set every class by a house way, as the play ranks hands."""
    from certify.kernels.events import set_hands

    return set_hands(load_deck(play.hands).splits, _choose_splits(way, play.hands).split, label)


def _number_truths(*plays: Labeling) -> dict[Truth, int]:
    """Number the truths of the conditions that occur in some plays."""
    truths = dict.fromkeys(truth for play in plays for truth in _labels(play)[1])
    return {truth: number for number, truth in enumerate(truths)}


def _group_by_truth(numbers: Mapping[Truth, int], counts: "Counts") -> Deals:
    return {
        truth: (counts.total[number], counts.win[number], counts.lose[number])
        for truth, number in numbers.items()
    }


def _load(play: Labeling, base: Labeling | None, progress: Progress | None) -> Deals:
    """Return the deals of another play, from the cache or counted."""
    labels = count_by_label(play, base, progress)["labels"]
    return {tuple(truth): tuple(deals) for truth, *deals in labels}


def _add(*terms: Deals) -> Deals:
    truths = dict.fromkeys(truth for term in terms for truth in term)
    return {
        truth: tuple(map(sum, zip(*(term[truth] for term in terms if truth in term), strict=True)))
        for truth in truths
    }


def _labels(play: Labeling) -> tuple[Labels, tuple[Truth, ...]]:
    return dealer_labels(play.hands, play.conditions, play.house_way)


@lru_cache(maxsize=4)
def _choose_splits(way: HouseWay, hands: HandRules) -> ChosenSplits:
    dealt = load_deck(hands)
    return chosen_splits(way, dealt.classes, dealt.splits)
