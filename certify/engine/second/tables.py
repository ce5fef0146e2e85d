"""Declared conditions and house ways as integer tables for `certify.kernels.plain.house_way`.

This is a translation of the data and nothing else: it uses no part of the exact engine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.plain import hands as plain_hands
from certify.kernels.plain import house_way as plain_house_way
from certify.kernels.plain.hands import LOSE, PUSH, WIN
from certify.model.condition import (
    AllOf,
    AnyOf,
    Condition,
    FeatureTest,
    FeatureValue,
    Not,
    asks_as_set,
)
from certify.model.game import RANKS, HandRules, JokerRule, WheelRule
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule
from certify.model.main_wager import Tie, Ties
from certify.model.vocabulary import (
    Category,
    EventFeature,
    Groups,
    HouseWayFeature,
    NamedFront,
)

Integers = npt.NDArray[np.int64]

KINDS: Final[Mapping[str, int]] = {
    Category.HIGH_CARD: plain_hands.HIGH_CARD,
    Category.PAIR: plain_hands.PAIR,
    Category.TWO_PAIR: plain_hands.TWO_PAIR,
    Category.THREE_OF_A_KIND: plain_hands.THREE,
    Category.STRAIGHT: plain_hands.STRAIGHT,
    Category.FLUSH: plain_hands.FLUSH,
    Category.FULL_HOUSE: plain_hands.FULL_HOUSE,
    Category.FOUR_OF_A_KIND: plain_hands.FOUR,
    Category.STRAIGHT_FLUSH: plain_hands.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH: plain_hands.ROYAL_FLUSH,
    Category.FIVE_OF_A_KIND: plain_hands.FIVE,
}
PAIR, THREE, FOUR, FIVE = 1, 4, 12, 24
GROUPS: Final[Mapping[str, int]] = {
    Groups.NO_PAIR: 0,
    Groups.PAIR: PAIR,
    Groups.TWO_PAIR: 2 * PAIR,
    Groups.THREE_PAIR: 3 * PAIR,
    Groups.THREE_OF_A_KIND: THREE,
    Groups.THREE_OF_A_KIND_AND_PAIR: THREE + PAIR,
    Groups.THREE_OF_A_KIND_AND_TWO_PAIR: THREE + 2 * PAIR,
    Groups.TWO_SETS_OF_THREE_OF_A_KIND: 2 * THREE,
    Groups.FOUR_OF_A_KIND: FOUR,
    Groups.FOUR_OF_A_KIND_AND_PAIR: FOUR + PAIR,
    Groups.FOUR_OF_A_KIND_AND_THREE_OF_A_KIND: FOUR + THREE,
    Groups.FIVE_OF_A_KIND: FIVE,
    Groups.FIVE_OF_A_KIND_AND_PAIR: FIVE + PAIR,
}
SUITED_PAIRS: Final = {"AK": 1, "AQ": 2, "KQ": 3}
NAMED: Final[Mapping[NamedFront, tuple[str, str | None]]] = {
    NamedFront.TWO_HIGHEST_SINGLETONS: (
        HouseWayFeature.HIGHEST_SINGLETON,
        HouseWayFeature.SECOND_SINGLETON,
    ),
    NamedFront.SECOND_AND_THIRD_HIGHEST_SINGLETONS: (
        HouseWayFeature.SECOND_SINGLETON,
        HouseWayFeature.THIRD_SINGLETON,
    ),
    NamedFront.HIGH_PAIR: (HouseWayFeature.HIGH_PAIR, HouseWayFeature.HIGH_PAIR),
    NamedFront.LOW_PAIR: (HouseWayFeature.LOW_PAIR, HouseWayFeature.LOW_PAIR),
    NamedFront.TWO_OF_THREE_OF_A_KIND: (
        HouseWayFeature.THREE_OF_A_KIND,
        HouseWayFeature.THREE_OF_A_KIND,
    ),
    NamedFront.TWO_OF_FOUR_OF_A_KIND: (
        HouseWayFeature.FOUR_OF_A_KIND,
        HouseWayFeature.FOUR_OF_A_KIND,
    ),
    NamedFront.ONE_OF_THREE_OF_A_KIND_AND_HIGHEST_SINGLETON: (
        HouseWayFeature.THREE_OF_A_KIND,
        HouseWayFeature.HIGHEST_SINGLETON,
    ),
    NamedFront.HIGHEST_SINGLETON: (HouseWayFeature.HIGHEST_SINGLETON, None),
    NamedFront.SECOND_HIGHEST_SINGLETON: (HouseWayFeature.SECOND_SINGLETON, None),
    NamedFront.ONE_OF_HIGH_PAIR: (HouseWayFeature.HIGH_PAIR, None),
    NamedFront.ONE_OF_THREE_OF_A_KIND: (HouseWayFeature.THREE_OF_A_KIND, None),
}
ANY_FRONT: Final = -1


@dataclass(slots=True)
class PostfixCode:
    """Conditions in postfix order, collected one after the other."""

    ranks: int
    rows: list[tuple[int, int, int]] = field(default_factory=list)

    def add(
        self, condition: Condition | None, features: Sequence[str], rules: Sequence[str] = ()
    ) -> tuple[int, int]:
        """Add a condition and return its first and last row; none takes no row.

        ``rules`` are the ids of a house way's rules, for conditions that name one.

        Raises:
            NotConfigured: the condition asks for a hand as it is set.
        """
        start = len(self.rows)
        if asks_as_set(condition):
            raise NotConfigured(
                "Hands as set have no verification count.",
                remedy="Name wagers and options with conditions on whole hands.",
            )
        if condition is not None:
            self._add(condition, features, rules)
        return start, len(self.rows)

    def add_all(self, conditions: Sequence[Condition], features: Sequence[str]) -> Integers:
        """Add conditions and return the first and the last row of each, `(conditions, 2)`."""
        rows = [self.add(condition, features) for condition in conditions]
        return np.array(rows, dtype=np.int64).reshape(-1, 2)

    def table(self) -> Integers:
        """Return all rows."""
        return np.array([*self.rows, (0, 0, 0)], dtype=np.int64)

    def _add(self, condition: Condition, features: Sequence[str], rules: Sequence[str]) -> None:
        match condition:
            case AllOf(conditions=parts) | AnyOf(conditions=parts):
                for part in parts:
                    self._add(part, features, rules)
                every = isinstance(condition, AllOf)
                operation = plain_house_way.ALL if every else plain_house_way.ANY
                self.rows.append((operation, len(parts), 0))
            case Not(condition=part):
                self._add(part, features, rules)
                self.rows.append((plain_house_way.NOT, 0, 0))
            case FeatureTest(feature=HouseWayFeature.CAN_BE_SET, values=values):
                self.rows.append((plain_house_way.CAN_BE_SET, 0, int(bool(values[0]))))
            case FeatureTest(feature=HouseWayFeature.IMPROVES_ON, values=values):
                self.rows.append((plain_house_way.IMPROVES_ON, rules.index(str(values[0])), 0))
            case FeatureTest():
                place = features.index(condition.feature)
                self.rows.append((plain_house_way.TEST, place, self._values(condition)))

    def _values(self, test: FeatureTest) -> int:
        """Return the values that a test allows, a bit each."""
        if test.values:
            numbers = {self._number(test.feature, value) for value in test.values}
        else:
            least = test.minimum or 0
            most = plain_hands.DIGIT - 1 if test.maximum is None else test.maximum
            numbers = set(range(least, most + 1))
        return sum(1 << number for number in numbers if number is not None)

    def _number(self, feature: str, value: FeatureValue) -> int | None:
        if value is None:
            return 0
        if isinstance(value, int):
            return int(value)
        if feature == HouseWayFeature.GROUPS:
            return GROUPS[value]
        if feature == HouseWayFeature.BEST_HAND:
            return KINDS[value]
        if feature == EventFeature.SUITED_PAIR:
            return SUITED_PAIRS[value]
        place = RANKS.index(value) - (len(RANKS) - self.ranks)
        return place + 1 if place >= 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayTables:
    """A house way as tables, see `certify.kernels.plain.house_way`."""

    sections: Integers
    ways: Integers
    before: Integers
    named: Integers
    fronts: Integers


def rules_table(hands: HandRules, cards: int) -> Integers:
    """Return the rules of a deck and of hands of ``cards`` cards."""
    kinds = [kind for name in _lowest_first(hands) for kind in _kinds(name)]
    table = np.zeros(plain_hands.KINDS + len(KINDS), dtype=np.int64)
    table[plain_hands.KINDS :][kinds] = np.arange(len(kinds))
    table[plain_hands.RANKS] = hands.deck.ranks
    table[plain_hands.JOKER] = hands.deck.joker
    table[plain_hands.CARDS] = cards
    table[plain_hands.FRONT] = hands.shape.front
    table[plain_hands.SIZE] = hands.shape.back
    table[plain_hands.WILD] = hands.joker is JokerRule.FULLY_WILD
    table[plain_hands.LOW_WHEEL] = hands.wheel is WheelRule.LOWEST
    table[plain_hands.JOKER_BEATS_ACE] = hands.joker_beats_ace_in_front
    return table


def _lowest_first(hands: HandRules) -> Sequence[Category]:
    """Return the order of hands: the game's own, or that of five cards."""
    if hands.ranking is not None:
        return tuple(reversed(hands.ranking.highest_first))
    return [category for category in Category if category is not Category.ROYAL_FLUSH]


def _kinds(category: Category) -> list[int]:
    """Return the kinds that a category is: a royal flush is the highest straight flush."""
    royal = [KINDS[Category.ROYAL_FLUSH]] * (category is Category.STRAIGHT_FLUSH)
    return [KINDS[category], *royal]


def ends_table(ties: Ties) -> Integers:
    """Return how a round ends by high hand and low hand.

    0 is lost, 1 a push, 2 won.
    """
    table = np.zeros((3, 3), dtype=np.int64)
    for high, low in np.ndindex(3, 3):
        hands = (high, ties.high), (low, ties.low)
        tied = [taken for hand, taken in hands if hand == PUSH]
        player = sum(hand == WIN for hand, _ in hands) + tied.count(Tie.PLAYER)
        dealer = sum(hand == LOSE for hand, _ in hands) + tied.count(Tie.DEALER)
        pushes = Tie.PUSH in tied or (ties.both_push and len(tied) == len(hands))
        table[high, low] = PUSH if pushes or player == dealer else WIN if player > dealer else LOSE
    return table


def house_way_tables(house_way: HouseWay, code: PostfixCode) -> HouseWayTables:
    """Return a house way as tables; its conditions are added to ``code``."""
    features = plain_house_way.HOUSE_FEATURES
    ids = [rule.id for rule in house_way.rules]
    places = [section.id for section in house_way.sections]
    sections = []
    first = 0
    for section in house_way.sections:
        start, end = code.add(section.when, features, ids)
        sections.append((start, end, first, first + len(section.rules)))
        first += len(section.rules)
    ways = [
        (*code.add(rule.when, features, ids), *_front(rule, places, code))
        for rule in house_way.rules
    ]
    named = [
        (features.index(rank), -1 if other is None else features.index(other))
        for rank, other in (NAMED[front] for front in NamedFront)
    ]
    fronts = [
        sum(1 << place for place in front)
        for front in combinations(range(house_way.cards), house_way.front)
    ]
    return HouseWayTables(
        sections=np.array(sections, dtype=np.int64),
        ways=np.array(ways, dtype=np.int64),
        before=_before(house_way, ids),
        named=np.array(named, dtype=np.int64),
        fronts=np.array(fronts, dtype=np.int64),
    )


PAIRS = {None: 0, True: 1, False: -1}
"""Whether a front must be a pair or must not be one, for the kernels."""


def _front(
    rule: HouseWayRule, sections: Sequence[str], code: PostfixCode
) -> tuple[int, int, int, int, int, int]:
    """Return what a rule puts in front, and the section that it sends the hand to."""
    by = sections.index(rule.by) if rule.by is not None else -1
    match rule.front:
        case NamedFront():
            return list(NamedFront).index(rule.front), 0, 0, 0, 0, by
        case HighestFront(leaves=leaves, at_least=at_least, pair=pair, highest_back=highest):
            kinds = sum(1 << KINDS[kind] for kind in leaves)
            lowest = code._number("", at_least) if at_least is not None else 0  # noqa: SLF001 - one class
            return ANY_FRONT, kinds, lowest or 0, PAIRS[pair], int(highest), by
    if by < 0:
        raise InvariantBroken(f"The rule {rule.id} neither sets a hand nor sends it on.")
    return ANY_FRONT, 0, 0, 0, 0, by


def _before(house_way: HouseWay, ids: Sequence[str]) -> Integers:
    """Return whether a rule goes before another one, directly or through others."""
    table = np.zeros((len(ids), len(ids)), dtype=np.int64)
    for rule in house_way.rules:
        for other in rule.before:
            table[ids.index(rule.id), ids.index(other)] = 1
    for middle in range(len(ids)):
        for earlier in range(len(ids)):
            if table[earlier, middle]:
                table[earlier] |= table[middle]
    return table
