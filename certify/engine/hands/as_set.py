"""What the hands of a deck hold: all their cards, and the two hands that a house way sets.

A class of hands tells of ranks and of a possible flush, and so does a hand that is set from it: its
cards are a rank multiset, of the flush suit or no flush. Which suits they have is not told.
"""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from certify.engine.count_cache import kept
from certify.engine.divided import Deal, deal
from certify.engine.hands.conditions import Cell
from certify.engine.hands.features import (
    FEATURES,
    PART_FEATURES,
    SUIT_FEATURES,
    Hand,
    asked_ranks,
    part_features,
)
from certify.engine.house_way.audit import card_name, chosen_splits
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.partition.class_arrays import HandClasses
from certify.kernels.partition.features import COUNT_BITS, unpack
from certify.model.analysis import Census
from certify.model.condition import FeatureValue, part_feature
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.vocabulary import HandPart

Integers = npt.NDArray[np.int64]
Held = Mapping[str, FeatureValue]


class Cells(NamedTuple):
    """The cells of a census: what they tell, of every class the place of its cell, the cells."""

    features: tuple[str, ...]
    of_class: Integers
    cells: tuple[Cell, ...]


def count_as_set(hands: HandRules, house_way: HouseWay | None, features: Collection[str]) -> Census:
    """Count all hands of a game by what they hold, those that a house way sets among them.

    The count is kept.

    Raises:
        NotConfigured: see `cells_as_set`.
        InvariantBroken: the counts do not sum to the number of hands.
    """
    ordered = tuple(sorted(features))
    names, cells = kept(
        ("census as set", hands, house_way, ordered),
        lambda: _count(hands, house_way, ordered),
    )
    hands_of = {tuple(cell): number for *cell, number in cells}
    total = deal(hands).classes.plain.sum()
    if sum(hands_of.values()) != total:
        raise InvariantBroken(f"The census of hands as set sums to {sum(hands_of.values())}.")
    return Census(
        features=tuple(names),
        cards=hands.shape.cards,
        total=int(total),
        cells=MappingProxyType(hands_of),
    )


def _count(hands: HandRules, house_way: HouseWay | None, features: Collection[str]) -> list[object]:
    told = cells_as_set(hands, features, house_way)
    numbers = np.zeros(len(told.cells), dtype=np.int64)
    np.add.at(numbers, told.of_class, deal(hands).classes.plain)
    rows = zip(told.cells, numbers.tolist(), strict=True)
    return [list(told.features), [[*cell, number] for cell, number in rows]]


def splits_of(hands: HandRules, house_way: HouseWay | None) -> npt.NDArray[np.int8]:
    """Return the split of every class by a house way.

    Raises:
        NotConfigured: there is no house way, it is not sound, or hands are not divided.
    """
    if house_way is None:
        raise NotConfigured(
            "How a hand is set decides here, and there is no house way.",
            remedy="Declare a house way for the game.",
        )
    dealt = deal(hands)
    return chosen_splits(house_way, dealt.classes, dealt.splits).split


def cells_as_set(
    hands: HandRules, features: Collection[str], house_way: HouseWay | None = None
) -> Cells:
    """Return what the hands of every class hold of ``features``.

    Raises:
        NotConfigured: a feature names suits, which classes do not tell, or is of a hand as set and
            no house way is given.
    """
    untold = SUIT_FEATURES & set(features)
    if untold:
        raise NotConfigured(
            f"Hands as they are set or compared are not counted by {min(untold)!r}.",
            remedy="Leave it out of the events of this paytable.",
        )
    dealt = deal(hands)
    names: list[str] = []
    places: list[Integers] = []
    values: list[list[Cell]] = []
    for part, of_part in PART_FEATURES.items():
        wanted = [name for name in of_part if part_feature(part, name) in features]
        if not wanted:
            continue
        place, held = (
            _part(dealt, splits_of(hands, house_way), part, hands)
            if part.is_set
            else _whole(dealt, hands, wanted)
        )
        names += [part_feature(part, name) for name in wanted]
        places.append(place)
        values.append([tuple(described[name] for name in wanted) for described in held])
    return _joined(tuple(names), places, values, len(dealt.classes.plain))


def _joined(
    names: tuple[str, ...], places: list[Integers], values: list[list[Cell]], classes: int
) -> Cells:
    """Join what is known of each part to one cell for every class."""
    if not places:
        return Cells(names, np.zeros(classes, dtype=np.int64), ((),))
    rows, of_class = _distinct(places)
    cells: dict[Cell, int] = {}
    numbers = []
    for row in rows.tolist():
        parts = (known[place] for known, place in zip(values, row, strict=True))
        cell: Cell = tuple(value for part in parts for value in part)
        numbers.append(cells.setdefault(cell, len(cells)))
    return Cells(names, np.array(numbers, dtype=np.int64)[of_class], tuple(cells))


def _distinct(columns: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Return the different rows of some columns, rising, and the place of every row among them."""
    place = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, of_row = np.unique(column, return_inverse=True)
        place = place * len(values) + of_row
    _, first, place = np.unique(place, return_index=True, return_inverse=True)
    return np.stack([column[first] for column in columns], axis=1), place


def _whole(dealt: Deal, hands: HandRules, wanted: Sequence[str]) -> tuple[Integers, Sequence[Held]]:
    """Return of every class the place of what all its cards hold, and what that is."""
    classes = dealt.classes
    counts = classes.counts & asked_ranks(wanted, hands.deck.ranks)
    rows, place = _distinct([classes.features, counts])
    shown = [
        Hand(unpack(code)._replace(counts=held), hands.joker, hands.deck.ranks, hands.shape.cards)
        for code, held in rows.tolist()
    ]
    return place, [{name: FEATURES[name](hand) for name in wanted} for hand in shown]


def _part(
    dealt: Deal, split: npt.NDArray[np.int8], part: HandPart, hands: HandRules
) -> tuple[Integers, Sequence[Held]]:
    """Return of every class the place of what a hand as set holds, and what that is."""
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
    held = np.where(natural, 1 << (COUNT_BITS * (cards.astype(np.int64) // 4)), 0).sum(axis=1)
    suited = ((cards % 4 == 0) | ~natural).all(axis=1)
    suited[: classes.rank_classes] = False
    packed: Integers = (held << 2) | (~natural.all(axis=1) << 1) | suited
    return packed
