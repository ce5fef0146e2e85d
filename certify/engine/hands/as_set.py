"""Counts of hands set by a house way, and of wagers that compare two hands.

Each class of hands has a label per side, by the conditions that its hands meet. For each label of
the player's hand, the pairs are counted by the dealer's label and by which of the two is higher, in
one comparison or in both: see `certify.kernels.events.compared_points`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.engine.count_cache import cached_count
from certify.engine.deck import Deal, load_deck, workers
from certify.engine.hands.cards import part_features
from certify.engine.hands.conditions import Cell, list_features, predicate
from certify.engine.hands.features import FEATURES, PART_FEATURES, Hand, asked_ranks
from certify.engine.house_way.audit import card_name, chosen_splits
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.class_arrays import HandClasses
from certify.kernels.events import ABOVE, ANY, LEAST, SetHands, compared_points
from certify.kernels.features import COUNT_BITS, LABELS, unpack
from certify.kernels.pair_count import Counts, count_pairs
from certify.model.analysis import Census
from certify.model.condition import Condition, Event, FeatureValue, part_feature
from certify.model.encoding import Progress
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.vocabulary import SUIT_FEATURES, HandPart, Higher

Integers = npt.NDArray[np.int64]
Held = Mapping[str, FeatureValue]


class Cells(NamedTuple):
    """The cells of a census: the feature names, the index of each class's cell, the cells."""

    features: tuple[str, ...]
    of_class: Integers
    cells: tuple[Cell, ...]


def count_as_set(hands: HandRules, house_way: HouseWay | None, features: Collection[str]) -> Census:
    """Count all hands of a game by their features, including features of set hands.

    The count is cached.

    Raises:
        NotConfigured: see `cells_as_set`.
        InvariantBroken: the counts do not sum to the number of hands.
    """
    ordered = tuple(sorted(features))
    names, cells = cached_count(
        ("census as set", hands, house_way, ordered),
        lambda: _count(hands, house_way, ordered),
    )
    hands_of = {tuple(cell): number for *cell, number in cells}
    total = load_deck(hands).classes.plain.sum()
    if sum(hands_of.values()) != total:
        raise InvariantBroken(f"The census of hands as set sums to {sum(hands_of.values())}.")
    return Census(
        features=tuple(names),
        cards=hands.shape.cards,
        total=int(total),
        cells=MappingProxyType(hands_of),
    )


def _count(hands: HandRules, house_way: HouseWay | None, features: Collection[str]) -> list[object]:
    cells = cells_as_set(hands, features, house_way)
    numbers = np.zeros(len(cells.cells), dtype=np.int64)
    np.add.at(numbers, cells.of_class, load_deck(hands).classes.plain)
    rows = zip(cells.cells, numbers.tolist(), strict=True)
    return [list(cells.features), [[*cell, number] for cell, number in rows]]


def compute_splits(hands: HandRules, house_way: HouseWay | None) -> npt.NDArray[np.int8]:
    """Return the split of every class by a house way.

    Raises:
        NotConfigured: there is no house way, it is not sound, or hands are not divided.
    """
    if house_way is None:
        raise NotConfigured(
            "The figure depends on how a hand is set, but there is no house way.",
            remedy="Declare a house way for the game.",
        )
    dealt = load_deck(hands)
    return chosen_splits(house_way, dealt.classes, dealt.splits).split


def cells_as_set(
    hands: HandRules, features: Collection[str], house_way: HouseWay | None = None
) -> Cells:
    """Return the cell of every class of hands for ``features``.

    Raises:
        NotConfigured: a feature depends on suits, which classes do not distinguish, or on set hands
            when no house way is given.
    """
    by_suit = SUIT_FEATURES & set(features)
    if by_suit:
        raise NotConfigured(
            f"Hands as set or compared cannot be counted by {str(min(by_suit))!r}.",
            remedy="Correct the event if it is wrong; otherwise certify cannot count this wager.",
        )
    dealt = load_deck(hands)
    names: list[str] = []
    places: list[Integers] = []
    values: list[list[Cell]] = []
    for part, of_part in PART_FEATURES.items():
        part_names = [name for name in of_part if part_feature(part, name) in features]
        if not part_names:
            continue
        place, hands_of_part = (
            _part(dealt, compute_splits(hands, house_way), part, hands)
            if part.is_set
            else _whole(dealt, hands, part_names)
        )
        names += [part_feature(part, name) for name in part_names]
        places.append(place)
        values.append(
            [tuple(described[name] for name in part_names) for described in hands_of_part]
        )
    return _join_cells(tuple(names), places, values, len(dealt.classes.plain))


def _join_cells(
    names: tuple[str, ...], places: list[Integers], values: list[list[Cell]], classes: int
) -> Cells:
    """Join the known values of each part to one cell per class."""
    if not places:
        return Cells(names, np.zeros(classes, dtype=np.int64), ((),))
    rows, of_class = _distinct(places)
    cells: dict[Cell, int] = {}
    numbers = []
    for row in rows.tolist():
        parts = (part_values[place] for part_values, place in zip(values, row, strict=True))
        cell: Cell = tuple(value for part in parts for value in part)
        numbers.append(cells.setdefault(cell, len(cells)))
    return Cells(names, np.array(numbers, dtype=np.int64)[of_class], tuple(cells))


def _distinct(columns: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Return the distinct rows of some columns, ascending, and the index of every row."""
    place = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, of_row = np.unique(column, return_inverse=True)
        place = place * len(values) + of_row
    _, first, place = np.unique(place, return_index=True, return_inverse=True)
    return np.stack([column[first] for column in columns], axis=1), place


def _whole(dealt: Deal, hands: HandRules, names: Sequence[str]) -> tuple[Integers, Sequence[Held]]:
    """Return the index of each class in a list of feature values of all its cards, and the list."""
    classes = dealt.classes
    counts = classes.counts & asked_ranks(names, hands.deck.ranks)
    rows, place = _distinct([classes.features, counts])
    shown = [
        Hand(
            unpack(code)._replace(counts=counts_of_code),
            hands.joker,
            hands.deck.ranks,
            hands.shape.cards,
        )
        for code, counts_of_code in rows.tolist()
    ]
    return place, [{name: FEATURES[name](hand) for name in names} for hand in shown]


def _part(
    dealt: Deal, split: npt.NDArray[np.int8], part: HandPart, hands: HandRules
) -> tuple[Integers, Sequence[Held]]:
    """Return the index of each class in a list of feature values of a set hand, and the list."""
    classes = dealt.classes
    cards = _cards(dealt, split, part)
    _, first, place = np.unique(_codes(classes, cards), return_index=True, return_inverse=True)
    shown = [[card_name(card, classes.shape) for card in cards[row].tolist()] for row in first]
    return place, [part_features(hand, hands, part) for hand in shown]


def _cards(dealt: Deal, split: npt.NDArray[np.int8], part: HandPart) -> npt.NDArray[np.int8]:
    """Return the cards of the high hand or the low hand of every class, `(classes, cards)`."""
    fronts = dealt.splits.fronts.tolist()
    backs = [[place for place in range(dealt.shape.hand) if place not in front] for front in fronts]
    positions = np.array(fronts if part is HandPart.LOW_HAND else backs)[split]
    return np.take_along_axis(dealt.classes.cards, positions, axis=1)


def _codes(classes: HandClasses, cards: npt.NDArray[np.int8]) -> Integers:
    """Pack the ranks of cards, the joker, and whether a flush class has them of its suit."""
    natural = cards < 4 * classes.shape.ranks
    one_of_rank = np.where(natural, 1 << (COUNT_BITS * (cards.astype(np.int64) // 4)), 0).sum(
        axis=1
    )
    suited = ((cards % 4 == 0) | ~natural).all(axis=1)
    suited[: classes.rank_classes] = False
    packed: Integers = (one_of_rank << 2) | (~natural.all(axis=1) << 1) | suited
    return packed


Flags = tuple[bool, ...]
Results = tuple[Higher, ...]

OUTSIDE: Final = 0
"""The label of the dealer's hands that are not counted in this pass."""


class Labels(NamedTuple):
    """The label of every class, and which of some conditions the hands of each label meet."""

    of_class: Integers
    truths: tuple[Flags, ...]


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
        NotConfigured: a condition depends on cards that classes do not distinguish, or both the
            best hands and set hands are compared.
        InvariantBroken: the counts do not fit the number of pairs.
    """
    deals = [event.deals for event in events]
    parts = compared_parts(events)
    every = [deal for of_event in deals for deal in of_event]
    conditions = tuple(
        dict.fromkeys(condition for event in events for condition in event.conditions)
    )
    features = frozenset[str]().union(*map(list_features, conditions))
    cells = cells_as_set(hands, features, house_way)
    dealers = _labels(cells, [deal.dealer for deal in every])
    players = _labels(cells, [deal.player for deal in every])
    owners = [place for place, of_event in enumerate(deals) for _ in of_event]
    counts = [0] * len(events)
    compared = _Compared.of(parts, hands, house_way)
    labels = [label for label, truth in enumerate(players.truths) if any(truth)]
    for done, label in enumerate(labels, start=1):
        mine = players.truths[label]
        rows = np.flatnonzero(players.of_class == label)
        for theirs, results, pairs in compared.tally(dealers, rows):
            result_of = dict(zip(parts, results, strict=True))
            rows_met = {
                owner
                for owner, deal, of_player, of_dealer in zip(
                    owners, every, mine, theirs, strict=True
                )
                if of_player
                and of_dealer
                and all(result_of[part] in fitting for part, fitting in deal.results.items())
            }
            place = next((place for place in order if place in rows_met), None)
            if place is not None:
                counts[place] += pairs
        if progress:
            progress(done, len(labels))
    return compared.total, counts


def compared_parts(events: Sequence[Event]) -> tuple[HandPart, ...]:
    """Return the parts of hands that the events compare.

    Raises:
        NotConfigured: they compare both the best hands and set hands.
    """
    parts = {part for event in events for deal in event.deals for part in deal.results}
    if HandPart.WHOLE in parts and len(parts) > 1:
        raise NotConfigured(
            "The rows compare the best hands and hands as set, which are not counted together.",
            remedy="Correct the events if one is wrong; otherwise certify cannot count this wager.",
        )
    return tuple(part for part in HandPart if part in parts)


def _labels(cells: Cells, conditions: Sequence[Condition | None]) -> Labels:
    tests = [predicate(condition, cells.features) for condition in conditions]
    truths: dict[Flags, int] = {}
    numbers = [
        truths.setdefault(tuple(holds(cell) for holds in tests), len(truths))
        for cell in cells.cells
    ]
    return Labels(np.array(numbers, dtype=np.int64)[cells.of_class], tuple(truths))


class _Compared(NamedTuple):
    """The hands of both sides, by one or two compared keys; 0 for none."""

    hands: HandRules
    compared: int
    high: Integers
    low: Integers
    total: int

    @classmethod
    def of(
        cls, parts: Sequence[HandPart], hands: HandRules, house_way: HouseWay | None
    ) -> "_Compared":
        dealt = load_deck(hands)
        nothing = np.zeros(len(dealt.classes.plain), dtype=np.int64)
        keys = [_keys(part, hands, house_way) for part in parts]
        high, low = [*keys, nothing, nothing][:2]
        return cls(hands, len(parts), high, low, dealt.shape.pairs)

    def tally(self, dealers: Labels, rows: Integers) -> Iterator[tuple[Flags, Results, int]]:
        """Yield the pairs of some of the player's classes by the dealer's label and who is higher.

        Raises:
            InvariantBroken: they do not sum to the number of pairs with these hands.
        """
        classes = load_deck(self.hands).classes
        left = classes.shape.pairs // int(classes.plain.sum())
        pairs: Counter[tuple[Flags, Results]] = Counter()
        for chosen in _passes(dealers):
            at = {label: place for place, label in enumerate(chosen, start=OUTSIDE + 1)}
            numbers = np.array([at.get(label, OUTSIDE) for label in range(len(dealers.truths))])
            fronts = [
                self._count(numbers[dealers.of_class], rows, low)
                for low in ((ANY, LEAST, ABOVE) if self.compared > 1 else (ANY,))
            ]
            for label, place in at.items():
                for results, number in self._results(
                    [_counts_of_label(count, place) for count in fronts]
                ):
                    pairs[dealers.truths[label], results] += number
        if sum(pairs.values()) != int(classes.plain[rows].sum()) * left:
            raise InvariantBroken("The pairs of compared hands are not all pairs.")
        yield from ((*key, number) for key, number in pairs.items())

    def _count(self, labels: Integers, rows: Integers, fronts: int) -> Counts:
        both = SetHands(high=self.high, low=self.low, label=labels)
        points = compared_points(both, both, rows, fronts)
        with ThreadPoolExecutor(workers()) as executor:
            return count_pairs(load_deck(self.hands).classes, both, points, executor=executor)

    def _results(self, fronts: Sequence[tuple[int, int, int]]) -> Iterator[tuple[Results, int]]:
        """Yield each result of the comparison with its number of pairs, from nested counts."""
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
    """Yield each result and its count, from counts of all, dealer not lower, dealer higher."""
    parts = [more - fewer for more, fewer in pairwise((*nested, 0))]
    return zip((Higher.PLAYER, Higher.COPY, Higher.DEALER), parts, strict=True)


def _counts_of_label(counts: Counts, label: int) -> tuple[int, int, int]:
    """Return the counts of one label: all pairs, dealer not lower, dealer higher."""
    total, lost = counts.total[label], counts.lose[label]
    return total, total - counts.win[label], lost


def _passes(dealers: Labels) -> Iterator[range]:
    """Yield the dealer's labels in as many passes as the kernels' labels ask for."""
    number = len(dealers.truths)
    for start in range(0, number, LABELS - 1):
        yield range(start, min(start + LABELS - 1, number))


def _keys(part: HandPart, hands: HandRules, house_way: HouseWay | None) -> Integers:
    """Return of every class the key of its best hand, or of a hand as the house way sets it."""
    splits = load_deck(hands).splits
    if part is HandPart.WHOLE:
        best: Integers = splits.high.max(axis=1).astype(np.int64)
        return best
    chosen = compute_splits(hands, house_way)
    keys = splits.low if part is HandPart.LOW_HAND else splits.high
    of_class: Integers = keys[np.arange(len(chosen)), chosen].astype(np.int64)
    return of_class
