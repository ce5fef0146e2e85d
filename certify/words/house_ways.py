"""House ways in words: sentences made only from the conditions and the low hands.

Each sentence names every rank, group and low hand of its rule. A dealer who applies the sentences
sets every hand as it was counted.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from certify.formatting import join_words
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, Not
from certify.model.game import RANKS
from certify.model.house_way import HighestFront, HouseWay, HouseWayRule, HouseWaySection
from certify.model.vocabulary import Category, Groups, HouseWayFeature, NamedFront
from certify.words.groups import (
    CATEGORIES,
    FAMILIES,
    NAMES,
    NUMBERS,
    SINGLETONS,
    SIZES,
    STRAIGHTS,
    Pattern,
    all_patterns,
    article,
    collect_groups,
    fitting,
    format_ranks,
    holds_always,
    no_singleton,
    one_of_ranks,
    singleton,
)

ANY_STRAIGHT: Final = "a straight or flush of any kind"

RANKED: Final = (
    HouseWayFeature.FOUR_OF_A_KIND,
    HouseWayFeature.THREE_OF_A_KIND,
    HouseWayFeature.HIGH_PAIR,
    HouseWayFeature.LOW_PAIR,
)
"""The features that ask for the rank of a part of a group."""

PAIR, TRIPS, QUADS, QUINTS = 2, 3, 4, 5
Patterns = frozenset[Pattern]


class Hands(Struct):
    """Words for the contents of hands, for cases, and for excluded contents."""

    items: list[str] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)

    @property
    def words(self) -> str:
        """The hands in words, as they follow “with”."""
        cases = ", and ".join(self.cases)
        if self.items and cases:
            cases = f"if the hand has {cases}"
        parts = [join_words(self.items), cases]
        if self.excluded:
            parts.append(f"unless the hand has {join_words(self.excluded, 'or')}")
        return ", ".join(part for part in parts if part)

    @property
    def clause(self) -> str:
        """The hands in words, as a sentence begins with them."""
        return f"with {self.words}" if self.items or self.cases else self.words


def iter_parts(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions that must all hold."""
    if isinstance(condition, AllOf):
        for part in condition.conditions:
            yield from iter_parts(part)
    else:
        yield condition


class HandWriter(Struct, frozen=True, kw_only=True):
    """Writer of conditions on hands with a high hand of ``back`` cards; ``wild``: of the joker."""

    back: int
    wild: bool

    def hands(self, condition: Condition, context: Patterns, *, named: bool = True) -> Hands:
        """Describe the hands of ``context`` that meet a condition.

        ``named``: ranks are asked of hands that are named with them; otherwise ranks stand alone.
        """
        parts = _drop_redundant(condition, context)
        inside = fitting(AllOf(conditions=tuple(parts)), context)
        tests = [part for part in parts if isinstance(part, FeatureTest)]
        ranks = [test for test in tests if test.feature in RANKED]
        grouped = any(_asks_groups(test) for test in tests)
        hands, without = Hands(), list[str]()
        if grouped or (named and ranks):
            others = [part for part in parts if part not in ranks and not _asks_groups(part)]
            around = fitting(AllOf(conditions=tuple(others)), context)
            hands.items, without = self._groups(ranks, inside, around, grouped=grouped)
        else:
            hands.items = [self._describe_rank(test, inside) for test in ranks]
        for part in parts:
            match part:
                case FeatureTest():
                    hands.items += self._describe_test(part)
                case AnyOf(conditions=either):
                    hands.cases.append(self._cases(either, inside))
                case Not(condition=FeatureTest() as test) if no_singleton(test):
                    without.append(no_singleton(test))
                case Not(condition=denied):
                    hands.excluded.append(self.hands(denied, inside, named=False).words)
        hands.items += without
        return hands

    def many(self, inside: Patterns) -> str:
        """Return four or five of a kind: without a wild joker, five of a kind are aces."""
        if self.are_five_aces(inside):
            return "five aces"
        sizes = {SIZES[pattern.groups][0] for pattern in inside if pattern.four}
        return f"{join_words([NUMBERS[size] for size in sorted(sizes)], 'or')} of a kind"

    def are_five_aces(self, inside: Patterns) -> bool:
        """Return True if all hands with four or more of a rank are five aces."""
        sizes = {SIZES[pattern.groups][0] for pattern in inside if pattern.four}
        return sizes == {QUINTS} and not self.wild

    def categories(self, values: Sequence[object]) -> str:
        """Return kinds of high hands: ``a straight or a flush``."""
        names = (
            {**CATEGORIES, Category.FIVE_OF_A_KIND: "five aces"} if not self.wild else CATEGORIES
        )
        return join_words([names[Category(str(value))] for value in values], "or")

    def _cases(self, either: Sequence[Condition], inside: Patterns) -> str:
        words = [self.hands(case, inside, named=False).words for case in either]
        return join_words([f"({chr(ord('a') + at)}) {case}" for at, case in enumerate(words)], "or")

    def _describe_test(self, test: FeatureTest) -> list[str]:
        """Return the words for a test of a feature other than ranks and groups."""
        words: list[str] = []
        match test.feature:
            case HouseWayFeature.BEST_HAND if test.values == (Category.HIGH_CARD,):
                words = ["no pair", "no straight", "no flush"]
            case HouseWayFeature.BEST_HAND:
                best = f"the highest {NUMBERS[self.back]}-card hand"
                words = [f"{self.categories(test.values)} as {best}"]
            case HouseWayFeature.STRAIGHT_OR_FLUSH:
                words = [ANY_STRAIGHT] if test.values[0] else ["no straight", "no flush"]
            case HouseWayFeature.JOKER:
                words = ["the joker" if test.values[0] else "no joker"]
            case HouseWayFeature.STRAIGHT_RANK:
                tops = [value for value in test.values if value is not None]
                top = [f"a highest straight topped by {one_of_ranks(tops)}"] if tops else []
                words = [join_words([*top, *["no straight"] * (None in test.values)], "or")]
            case HouseWayFeature.STRAIGHT_LENGTH:
                words = [f"{_amount(test)} cards in sequence"]
            case feature if feature in SINGLETONS:
                words = [singleton(test)]
        return words

    def _groups(
        self, ranks: Sequence[FeatureTest], inside: Patterns, context: Patterns, *, grouped: bool
    ) -> tuple[list[str], list[str]]:
        """Return the words for the repetition of ranks in hands, and for excluded groups."""
        groups_inside, around = collect_groups(inside), collect_groups(context)
        if len({tuple(min(size, QUADS) for size in SIZES[group]) for group in groups_inside}) == 1:
            group = min(groups_inside, key=lambda name: sum(SIZES[name]))
            return list(self._components(group, ranks, inside)), list(
                _without(group, around - groups_inside)
            )
        alone = [self._describe_rank(test, inside) for test in ranks]
        if not grouped:
            return alone, []
        left_out = around - groups_inside
        families = [name for name, family in FAMILIES.items() if left_out & set(family)]
        covered = {group for name in families for group in FAMILIES[name]} & around
        if len(groups_inside) > TRIPS and covered == left_out:
            called = {
                Category.FULL_HOUSE: "full house",
                Category.FOUR_OF_A_KIND: "four of a kind",
                Category.FIVE_OF_A_KIND: "five of a kind" if self.wild else "five aces",
            }
            return alone, [f"no {called[name]}" for name in families]
        names, rest = [], set(groups_inside)
        for name, groups in FAMILIES.items():
            family = set(groups) & around
            if family and family <= rest:
                rest -= family
                of_family = frozenset(each for each in inside if each.groups in family)
                names.append(
                    CATEGORIES[name] if name is Category.FULL_HOUSE else self.many(of_family)
                )
        four = next((test for test in ranks if test.feature == RANKED[0]), None)
        if four is not None and not rest and len(names) == 1:
            return alone, []
        components = [[*self._components(group, (), inside)] for group in Groups if group in rest]
        names = [*map(" and ".join, components), *names]
        either = "either " if any(len(parts) > 1 for parts in components) else ""
        return [either + join_words(names, "or"), *alone], []

    def _components(
        self, group: Groups, ranks: Sequence[FeatureTest], inside: Patterns
    ) -> Iterator[str]:
        """Yield the parts of a group, each with its required ranks."""
        test_of = {test.feature: test for test in ranks}
        four, three, high, low = (test_of.get(feature) for feature in RANKED)
        sizes = SIZES[group]
        if sizes and sizes[0] >= QUADS:
            yield self._describe_rank(four, inside) if four else self.many(inside)
        if sizes.count(TRIPS) > 1:
            higher = f" (the higher {format_ranks(three.values)})" if three else ""
            yield f"two sets of three of a kind{higher}"
        elif TRIPS in sizes:
            yield self._describe_rank(three, inside) if three else "three of a kind"
        pairs = sizes.count(PAIR)
        if pairs == 1:
            values: list[set[object]] = [set(test.values) for test in (high, low) if test]
            of = f" of {format_ranks(list(set.intersection(*values)))}" if values else ""
            yield f"one pair{of}"
        elif pairs:
            noun = "pair" if sizes[0] == PAIR else "pairs"
            yield f"{NUMBERS[pairs]} {noun}" + _ranks_of_pairs(pairs, high, low)
        elif not sizes:
            yield "no pair"

    def _describe_rank(self, test: FeatureTest, inside: Patterns) -> str:
        """Return a part of a group by its ranks: ``four aces``, ``a higher pair of kings``."""
        values = [value for value in test.values if value is not None]
        words, ranks = "", format_ranks(values)
        sizes_of_groups = [SIZES[group] for group in collect_groups(inside)]
        none = "no pair"
        if test.feature == HouseWayFeature.FOUR_OF_A_KIND:
            of_kind = {SIZES[pattern.groups][0] for pattern in inside if pattern.four}
            words = f"{join_words([NUMBERS[size] for size in sorted(of_kind)], 'or')} {ranks}"
            none = "no four of a kind"
        elif test.feature == HouseWayFeature.THREE_OF_A_KIND:
            two_sets = any(sizes.count(TRIPS) > 1 for sizes in sizes_of_groups)
            words = f"a highest three of a kind of {ranks}" if two_sets else f"three {ranks}"
            none = "no three of a kind"
        else:
            which = which_pair(sizes_of_groups, high=test.feature == HouseWayFeature.HIGH_PAIR)
            words = f"a {which} pair of {ranks}" if which else f"one pair of {ranks}"
        if None not in test.values:
            return words
        return f"{words} or {none}" if values else none


def which_pair(sizes_of_groups: Sequence[tuple[int, ...]], *, high: bool) -> str:
    """Return ``higher`` or ``highest`` of the pairs of some groups; empty for a single pair."""
    pairs = {sizes.count(PAIR) for sizes in sizes_of_groups} - {0}
    if pairs == {1}:
        return ""
    if pairs == {PAIR}:
        return "higher" if high else "lower"
    return "highest" if high else "lowest"


def _ranks_of_pairs(pairs: int, high: FeatureTest | None, low: FeatureTest | None) -> str:
    """Return the ranks of the highest and the lowest of several pairs, in brackets."""
    highest, lowest = (set(test.values if test else RANKS) for test in (high, low))
    if high is None and low is None:
        return ""
    if RANKS[0] in highest and RANKS[-1] in lowest:
        both = format_ranks(list(highest & lowest))
        return f" ({'both' if pairs == PAIR else 'all'} {both})"
    ends = ("highest", "lowest") if pairs > PAIR else ("higher", "lower")
    named = [
        f"the {end} {format_ranks(list(values))}"
        for end, values, test in zip(ends, (highest - {RANKS[0]}, lowest), (high, low), strict=True)
        if test
    ]
    return f" ({', '.join(named)})"


def _asks_groups(part: Condition) -> bool:
    return isinstance(part, FeatureTest) and part.feature == HouseWayFeature.GROUPS


def _without(group: Groups, others: frozenset[Groups]) -> Iterator[str]:
    """Yield the parts that other, larger groups have and this group lacks."""
    sizes = SIZES[group]
    if not sizes or sizes[0] == PAIR:
        return  # the name of such a hand is that of all its cards
    wider = [SIZES[other] for other in others if not Counter(sizes) - Counter(SIZES[other])]
    more = {size for other in wider for size in other}
    names = {PAIR: "no pair", TRIPS: "no three of a kind", QUADS: "no four of a kind"}
    yield from (words for size, words in names.items() if size in more and size not in sizes)


def _drop_redundant(condition: Condition, context: Patterns) -> list[Condition]:
    """Return the parts of a condition, without redundant parts and impossible cases.

    Cases that no hand can meet are left out; a single one is a part of the whole.
    """
    parts = list(iter_parts(condition))
    for part in [part for part in parts if isinstance(part, AnyOf)]:
        around = fitting(AllOf(conditions=tuple(p for p in parts if p is not part)), context)
        met = tuple(case for case in part.conditions if fitting(case, around)) or part.conditions
        at = parts.index(part)
        parts[at : at + 1] = iter_parts(met[0]) if len(met) == 1 else [AnyOf(conditions=met)]
    tests = [part for part in parts if isinstance(part, FeatureTest)]
    for test in sorted(tests, key=lambda test: test.feature != HouseWayFeature.GROUPS):
        others = tuple(other for other in parts if other is not test)
        if test.feature in (HouseWayFeature.GROUPS, HouseWayFeature.FOUR_OF_A_KIND) and others:
            around = fitting(AllOf(conditions=others), context)
            if all(holds_always(test, pattern) for pattern in around):
                parts.remove(test)
    return parts


def _amount(test: FeatureTest) -> str:
    if test.values:
        return join_words([NUMBERS[int(value or 0)] for value in test.values], "or")
    lowest, highest = test.minimum or 0, test.maximum
    if highest is None:
        return f"{NUMBERS[lowest]} or more"
    return f"{NUMBERS[lowest]} to {NUMBERS[highest]}"


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
        patterns = fitting(section.when, self.every)
        for sender in self.house_way.sections:
            for rule in sender.rules:
                if rule.by == section.id and sender.id not in (section.id, *seen):
                    patterns |= fitting(rule.when, self.arriving(sender, (*seen, section.id)))
        return patterns

    def rule(self, section: HouseWaySection, rule: HouseWayRule, inside: Patterns) -> str:
        """Return the words of a rule; for a base rule only its action."""
        if rule.when is None:
            taken = [other.when for other in section.exceptions if other.when is not None]
            left = frozenset(
                pattern
                for pattern in inside
                if not any(holds_always(condition, pattern) for condition in taken)
            )
            return self.action(rule, left or inside)
        hands = self.writer.hands(rule.when, inside)
        action = self.action(rule, fitting(rule.when, inside))
        own_front = "".join(self.own_front(rule.when))
        return f"{hands.clause}, {action}{own_front}" if hands.clause else action + own_front

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
        groups = collect_groups(inside)
        if rule.front in LEAVES_GROUPS and len(groups) == 1 and min(groups) in KEPT:
            words += f" and keep {KEPT[min(groups)]} in the high hand"
        return words

    def front(self, rule: HouseWayRule, inside: Patterns) -> str:
        """Return the low hand that a rule asks for."""
        if rule.front is None:
            return "the low hand of another rule"
        if isinstance(rule.front, HighestFront):
            return self.highest_front(rule.front)
        sizes_of_groups = [SIZES[group] for group in collect_groups(inside)]
        card = "card" if all(not sizes for sizes in sizes_of_groups) else "singleton"
        higher = (
            "higher "
            if sizes_of_groups and all(sizes.count(TRIPS) > 1 for sizes in sizes_of_groups)
            else ""
        )
        trips = f"the {higher}three of a kind"
        high, low = (
            " ".join(["the", *which_pair(sizes_of_groups, high=end).split(), "pair"])
            for end in (True, False)
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
