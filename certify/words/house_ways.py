"""House ways in words: sentences made only from the conditions and the low hands.

Each sentence names every rank, group and low hand of its rule. A dealer who applies the sentences
sets every hand as it was counted.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from certify.model.condition import Condition, FeatureTest
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule, HouseWaySection
from certify.model.vocabulary import Groups, HouseWayFeature, NamedFront
from certify.words.groups import (
    NAMES,
    NUMBERS,
    SIZES,
    STRAIGHTS,
    all_patterns,
    article,
    collect_groups,
    fitting,
    holds_always,
)
from certify.words.house_way_hands import (
    ANY_STRAIGHT,
    TRIPS,
    HandWriter,
    Patterns,
    iter_parts,
    which_pair,
)

KEPT: Final[Mapping[Groups, str]] = {
    Groups.PAIR: "the pair",
    Groups.TWO_PAIR: "both pairs",
    Groups.THREE_OF_A_KIND: "the three of a kind",
    Groups.THREE_OF_A_KIND_AND_PAIR: "the full house",
    Groups.FOUR_OF_A_KIND: "the four of a kind",
    Groups.FIVE_OF_A_KIND: "the five of a kind",
}
"""The cards that stay in the high hand if only singletons are played in the low hand."""

LEAVES_GROUPS: Final = (
    NamedFront.TWO_HIGHEST_SINGLETONS,
    NamedFront.SECOND_AND_THIRD_HIGHEST_SINGLETONS,
    NamedFront.HIGHEST_SINGLETON,
    NamedFront.SECOND_HIGHEST_SINGLETON,
)


class HouseWayWords(Struct, frozen=True, kw_only=True):
    """The printed words of a house way.

    Attributes:
        scopes: the hands of each section, by its id: ``Seven cards with one pair.``
        rules: each rule, by its id. A base rule gives only the action if no exception applies.
    """

    scopes: Mapping[str, str]
    rules: Mapping[str, str]


@lru_cache(maxsize=64)
def house_way_words(house_way: HouseWay, *, wild: bool) -> HouseWayWords:
    """Return the sentences of a house way for a game whose joker is fully wild or not."""
    return _Writer(house_way, wild=wild).write()


class _Writer:
    """The sentences of one house way."""

    def __init__(self, house_way: HouseWay, *, wild: bool) -> None:
        self.house_way = house_way
        self.every = all_patterns(house_way.cards, house_way.front, wild=wild)
        self.titles = {section.id: section.title for section in house_way.sections}
        self.writer = HandWriter(back=house_way.cards - house_way.front, wild=wild)

    def write(self) -> HouseWayWords:
        scopes, rules = {}, {}
        dealt = NUMBERS[self.house_way.cards].capitalize()
        for section in self.house_way.sections:
            hands = self.writer.hands(section.when, self.every)
            scopes[section.id] = f"{dealt} cards {hands.clause}."
            inside = self.arriving(section)
            for rule in section.rules:
                words = self.rule(section, rule, inside)
                rules[rule.id] = f"{words[:1].upper()}{words[1:]}."
        return HouseWayWords(scopes=scopes, rules=rules)

    def arriving(self, section: HouseWaySection, seen: tuple[str, ...] = ()) -> Patterns:
        """Return the patterns that a section sets: its own, and those that rules send to it."""
        found = fitting(section.when, self.every)
        for sender in self.house_way.sections:
            for rule in sender.rules:
                if rule.by == section.id and sender.id not in (section.id, *seen):
                    found |= fitting(rule.when, self.arriving(sender, (*seen, section.id)))
        return found

    def rule(self, section: HouseWaySection, rule: HouseWayRule, inside: Patterns) -> str:
        """Return the words of a rule; for a base rule only its action."""
        if rule.when is None:
            taken = [other.when for other in section.exceptions if other.when is not None]
            left = frozenset(
                pattern
                for pattern in inside
                if not any(holds_always(asked, pattern) for asked in taken)
            )
            return self.action(rule, left or inside)
        hands = self.writer.hands(rule.when, inside)
        action = self.action(rule, fitting(rule.when, inside))
        own = "".join(self.own_front(rule.when))
        return f"{hands.clause}, {action}{own}" if hands.clause else action + own

    def own_front(self, condition: Condition) -> Iterator[str]:
        """Yield the words for conditions on the low hand that the rule itself sets."""
        for part in iter_parts(condition):
            match part:
                case FeatureTest(feature=HouseWayFeature.CAN_BE_SET, values=values):
                    yield ", if there is one" if values[0] else ", if there is none"
                case FeatureTest(feature=HouseWayFeature.IMPROVES_ON, values=values):
                    others = [rule for rule in self.house_way.rules if rule.id == values[0]]
                    front = "".join(self.front(rule, self.every) for rule in others)
                    yield f", if this low hand is higher than {front}"

    def action(self, rule: HouseWayRule, inside: Patterns) -> str:
        """Return the words for the action of a rule."""
        if rule.by is not None:
            title = self.titles.get(rule.by, rule.by)
            return f"follow the rules for {title[:1].lower()}{title[1:]}"
        front = self.front(rule, inside)
        if isinstance(rule.front, HighestFront):
            names_low_hand = not rule.front.pair and self.house_way.front > 1
            return f"play {front}" if names_low_hand else f"play in the low hand {front}"
        words = f"play {front} in the low hand"
        held = collect_groups(inside)
        if rule.front in LEAVES_GROUPS and len(held) == 1 and min(held) in KEPT:
            words += f" and keep {KEPT[min(held)]} in the high hand"
        return words

    def front(self, rule: HouseWayRule, inside: Patterns) -> str:
        """Return the low hand that a rule asks for."""
        if rule.front is None:
            return "the low hand of another rule"
        if isinstance(rule.front, HighestFront):
            return self.highest_front(rule.front)
        held = [SIZES[group] for group in collect_groups(inside)]
        card = "card" if all(not sizes for sizes in held) else "singleton"
        higher = "higher " if held and all(sizes.count(TRIPS) > 1 for sizes in held) else ""
        trips = f"the {higher}three of a kind"
        high, low = (
            " ".join(["the", *which_pair(held, high=end).split(), "pair"]) for end in (True, False)
        )
        two_of_many = f"two cards of the {self.writer.many(inside)}"
        if self.writer.are_five_aces(inside):
            two_of_many = "two aces"
        return {
            NamedFront.TWO_HIGHEST_SINGLETONS: f"the two highest {card}s",
            NamedFront.SECOND_AND_THIRD_HIGHEST_SINGLETONS: (
                f"the second- and third-highest {card}s"
            ),
            NamedFront.HIGH_PAIR: high,
            NamedFront.LOW_PAIR: low,
            NamedFront.TWO_OF_THREE_OF_A_KIND: f"two cards of {trips}",
            NamedFront.TWO_OF_FOUR_OF_A_KIND: two_of_many,
            NamedFront.ONE_OF_THREE_OF_A_KIND_AND_HIGHEST_SINGLETON: (
                f"one card of {trips} and the highest singleton"
            ),
            NamedFront.HIGHEST_SINGLETON: f"the highest {card}",
            NamedFront.SECOND_HIGHEST_SINGLETON: f"the second-highest {card}",
            NamedFront.ONE_OF_HIGH_PAIR: f"one card of {high}",
            NamedFront.ONE_OF_THREE_OF_A_KIND: f"one card of {trips}",
        }[rule.front]

    def highest_front(self, front: HighestFront) -> str:
        """Return the highest low hand that leaves a high hand."""
        one_card = self.house_way.front == 1
        noun = "pair" if front.pair else "card" if one_card else "low hand"
        if front.pair is False and not one_card:
            noun += " other than a pair"
        words = f"the highest {noun}"
        if front.at_least is not None:
            words += f", {_describe_lowest(front, one_card=one_card)},"
        leaves = self.writer.categories(front.leaves)
        if set(front.leaves) == set(STRAIGHTS):
            leaves = ANY_STRAIGHT
        if front.highest_back:
            leaves = f"the highest possible high hand{f' ({leaves})' if leaves else ''}"
            return f"{words} that leaves {leaves}"
        return f"{words} that leaves {leaves} in the high hand" if leaves else words


def _describe_lowest(front: HighestFront, *, one_card: bool) -> str:
    """Return the lowest card that a low hand must have: ``king-high or better``."""
    rank = str(front.at_least)
    if one_card:
        return f"{article(rank)} or better" if rank != "A" else "an ace"
    if front.pair is None:
        return f"{NAMES[rank]}-high or better (a pair included)"
    return f"{NAMES[rank]}-high or better" if rank != "A" else "ace-high"
