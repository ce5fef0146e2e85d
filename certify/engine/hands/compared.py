"""Wagers on two hands that are set, or compared: over all ordered pairs of disjoint hands.

Every class of hands has a label for each side, by which conditions its hands meet. For each label
of the player's the pairs are counted by the dealer's label and by which of the two is higher, in
one hand or in both: see `certify.kernels.pairs.events.compared_points`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.engine.divided import deal, workers
from certify.engine.hands.as_set import Cells, cells_as_set, splits_of
from certify.engine.hands.conditions import features_of, predicate
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.pairs.count import Counts, count_pairs
from certify.kernels.pairs.event_lists import LABELS
from certify.kernels.pairs.events import ABOVE, ANY, LEAST, SetHands, compared_points
from certify.model.condition import Condition, Event, TwoHands
from certify.model.encoding import Progress
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.vocabulary import HandPart, Higher

Integers = npt.NDArray[np.int64]
Truths = tuple[bool, ...]
Results = tuple[Higher, ...]

OUTSIDE: Final = 0
"""The label of the dealer's hands that are not counted in this pass."""


class Labels(NamedTuple):
    """The label of every class, and which of some conditions the hands of each label meet."""

    of_class: Integers
    truths: tuple[Truths, ...]


def compared_counts(
    events: Sequence[Event],
    order: Sequence[int],
    *,
    hands: HandRules,
    house_way: HouseWay | None,
    progress: Progress | None = None,
) -> tuple[int, list[int]]:
    """Return the number of ordered pairs of disjoint hands, and how many each event takes.

    Raises:
        NotConfigured: a condition asks for what classes do not tell, or the best hands are compared
            beside hands as set.
        InvariantBroken: the counts do not fit the number of pairs.
    """
    deals = [event.deals for event in events]
    parts = compared_parts(events)
    every = [deal for of_event in deals for deal in of_event]
    conditions = tuple(dict.fromkeys(asked for event in events for asked in event.conditions))
    features = frozenset[str]().union(*map(features_of, conditions))
    cells = cells_as_set(hands, features, house_way)
    dealers = _labels(cells, [deal.dealer for deal in every])
    players = _labels(cells, [deal.player for deal in every])
    owners = [place for place, of_event in enumerate(deals) for _ in of_event]
    counts = [0] * len(events)
    compared = _Compared.of(parts, hands, house_way)
    wanted = [label for label, truth in enumerate(players.truths) if any(truth)]
    for done, label in enumerate(wanted, start=1):
        mine = players.truths[label]
        rows = np.flatnonzero(players.of_class == label)
        for theirs, results, pairs in compared.tally(dealers, rows):
            known = dict(zip(parts, results, strict=True))
            held = {
                owner
                for owner, deal, of_player, of_dealer in zip(
                    owners, every, mine, theirs, strict=True
                )
                if of_player and of_dealer and _fits(deal, known)
            }
            place = next((place for place in order if place in held), None)
            if place is not None:
                counts[place] += pairs
        if progress:
            progress(done, len(wanted))
    return compared.total, counts


def compared_parts(events: Sequence[Event]) -> tuple[HandPart, ...]:
    """Return which hands the events compare.

    Raises:
        NotConfigured: the best hands, and beside them hands as set.
    """
    asked = {part for event in events for deal in event.deals for part in deal.results}
    if HandPart.WHOLE in asked and len(asked) > 1:
        raise NotConfigured(
            "The rows compare the best hands and hands as set, which are not counted together.",
            remedy="Compare either best_hand, or high_hand and low_hand, in all rows.",
        )
    return tuple(part for part in HandPart if part in asked)


def _fits(deal: TwoHands, results: Mapping[HandPart, Higher]) -> bool:
    return all(results[part] in fitting for part, fitting in deal.results.items())


def _labels(cells: Cells, conditions: Sequence[Condition | None]) -> Labels:
    tests = [predicate(condition, cells.features) for condition in conditions]
    truths: dict[Truths, int] = {}
    numbers = [
        truths.setdefault(tuple(holds(cell) for holds in tests), len(truths))
        for cell in cells.cells
    ]
    return Labels(np.array(numbers, dtype=np.int64)[cells.of_class], tuple(truths))


class _Compared(NamedTuple):
    """The hands of both sides, by the one or two keys that are compared; 0 where none is."""

    hands: HandRules
    compared: int
    high: Integers
    low: Integers
    total: int

    @classmethod
    def of(
        cls, parts: Sequence[HandPart], hands: HandRules, house_way: HouseWay | None
    ) -> "_Compared":
        dealt = deal(hands)
        nothing = np.zeros(len(dealt.classes.plain), dtype=np.int64)
        keys = [_keys(part, hands, house_way) for part in parts]
        high, low = [*keys, nothing, nothing][:2]
        return cls(hands, len(parts), high, low, dealt.shape.pairs)

    def tally(self, dealers: Labels, rows: Integers) -> Iterator[tuple[Truths, Results, int]]:
        """Yield the pairs of some of the player's classes by the dealer's label and who is higher.

        Raises:
            InvariantBroken: they are not as many as there are pairs with these hands.
        """
        classes = deal(self.hands).classes
        left = classes.shape.pairs // int(classes.plain.sum())
        pairs: Counter[tuple[Truths, Results]] = Counter()
        for chosen in _passes(dealers):
            at = {label: place for place, label in enumerate(chosen, start=OUTSIDE + 1)}
            numbers = np.array([at.get(label, OUTSIDE) for label in range(len(dealers.truths))])
            fronts = [self._count(numbers[dealers.of_class], rows, low) for low in self._fronts()]
            for label, place in at.items():
                for results, number in self._results([_at(count, place) for count in fronts]):
                    pairs[dealers.truths[label], results] += number
        if sum(pairs.values()) != int(classes.plain[rows].sum()) * left:
            raise InvariantBroken("The pairs of compared hands are not all pairs.")
        yield from ((*key, number) for key, number in pairs.items())

    def _fronts(self) -> tuple[int, ...]:
        return (ANY, LEAST, ABOVE) if self.compared > 1 else (ANY,)

    def _count(self, labels: Integers, rows: Integers, fronts: int) -> Counts:
        both = SetHands(high=self.high, low=self.low, label=labels)
        points = compared_points(both, both, rows, fronts)
        with ThreadPoolExecutor(workers()) as executor:
            return count_pairs(deal(self.hands).classes, both, points, executor=executor)

    def _results(self, fronts: Sequence[tuple[int, int, int]]) -> Iterator[tuple[Results, int]]:
        """Yield who is higher and how often, from counts that hold one another."""
        if not self.compared:
            yield (), fronts[0][0]
        elif self.compared == 1:
            for who, number in _higher(fronts[0]):
                yield (who,), number
        else:
            by_back = [dict(_higher(count)) for count in fronts]
            for who in by_back[0]:
                for other, number in _higher([of_front[who] for of_front in by_back]):
                    yield (who, other), number


def _higher(nested: Sequence[int]) -> Iterator[tuple[Higher, int]]:
    """Yield who is higher and how often: of all, the dealer at least as high, the dealer higher."""
    parts = [more - fewer for more, fewer in pairwise((*nested, 0))]
    return zip((Higher.PLAYER, Higher.COPY, Higher.DEALER), parts, strict=True)


def _at(counts: Counts, label: int) -> tuple[int, int, int]:
    """Return of one label: all pairs, the dealer at least as high, the dealer higher."""
    total, lost = counts.total[label], counts.lose[label]
    return total, total - counts.win[label], lost


def _passes(dealers: Labels) -> Iterator[range]:
    """Yield the dealer's labels in as many passes as the kernels' labels ask for."""
    number = len(dealers.truths)
    for start in range(0, number, LABELS - 1):
        yield range(start, min(start + LABELS - 1, number))


def _keys(part: HandPart, hands: HandRules, house_way: HouseWay | None) -> Integers:
    """Return of every class the key of its best hand, or of a hand as the house way sets it."""
    splits = deal(hands).splits
    if part is HandPart.WHOLE:
        best: Integers = splits.high.max(axis=1).astype(np.int64)
        return best
    chosen = splits_of(hands, house_way)
    keys = splits.low if part is HandPart.LOW_HAND else splits.high
    of_class: Integers = keys[np.arange(len(chosen)), chosen].astype(np.int64)
    return of_class
