"""The hands of a house way's conditions in words: how ranks repeat, straights, singletons."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from certify.formatting import join_words
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, Not
from certify.model.game import RANKS
from certify.model.vocabulary import Category, Groups, HouseWayFeature
from certify.words.groups import (
    CATEGORIES,
    NUMBERS,
    SINGLETONS,
    SIZES,
    Pattern,
    collect_groups,
    fitting,
    format_ranks,
    holds_always,
    no_singleton,
    one_of_ranks,
    singleton,
)

ANY_STRAIGHT: Final = "a straight or flush of any kind"
FAMILIES: Final[Mapping[Category, tuple[Groups, ...]]] = {
    Category.FULL_HOUSE: (
        Groups.THREE_OF_A_KIND_AND_PAIR,
        Groups.THREE_OF_A_KIND_AND_TWO_PAIR,
        Groups.TWO_SETS_OF_THREE_OF_A_KIND,
    ),
    Category.FOUR_OF_A_KIND: (
        Groups.FOUR_OF_A_KIND,
        Groups.FOUR_OF_A_KIND_AND_PAIR,
        Groups.FOUR_OF_A_KIND_AND_THREE_OF_A_KIND,
    ),
    Category.FIVE_OF_A_KIND: (Groups.FIVE_OF_A_KIND, Groups.FIVE_OF_A_KIND_AND_PAIR),
}
"""Groups that have one name together."""

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
        found, without = Hands(), list[str]()
        if grouped or (named and ranks):
            others = [part for part in parts if part not in ranks and not _asks_groups(part)]
            around = fitting(AllOf(conditions=tuple(others)), context)
            found.items, without = self._groups(ranks, inside, around, grouped=grouped)
        else:
            found.items = [self._describe_rank(test, inside) for test in ranks]
        for part in parts:
            match part:
                case FeatureTest():
                    found.items += self._describe_test(part)
                case AnyOf(conditions=either):
                    found.cases.append(self._cases(either, inside))
                case Not(condition=FeatureTest() as test) if no_singleton(test):
                    without.append(no_singleton(test))
                case Not(condition=denied):
                    found.excluded.append(self.hands(denied, inside, named=False).words)
        found.items += without
        return found

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
        held, around = collect_groups(inside), collect_groups(context)
        if len({tuple(min(size, QUADS) for size in SIZES[group]) for group in held}) == 1:
            group = min(held, key=lambda name: sum(SIZES[name]))
            return list(self._components(group, ranks, inside)), list(
                _without(group, around - held)
            )
        alone = [self._describe_rank(test, inside) for test in ranks]
        if not grouped:
            return alone, []
        left_out = around - held
        families = [name for name, family in FAMILIES.items() if left_out & set(family)]
        covered = {group for name in families for group in FAMILIES[name]} & around
        if len(held) > TRIPS and covered == left_out:
            called = {
                Category.FULL_HOUSE: "full house",
                Category.FOUR_OF_A_KIND: "four of a kind",
                Category.FIVE_OF_A_KIND: "five of a kind" if self.wild else "five aces",
            }
            return alone, [f"no {called[name]}" for name in families]
        names, rest = [], set(held)
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
        asked = {test.feature: test for test in ranks}
        four, three, high, low = (asked.get(feature) for feature in RANKED)
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
        held = [SIZES[group] for group in collect_groups(inside)]
        none = "no pair"
        if test.feature == HouseWayFeature.FOUR_OF_A_KIND:
            of_kind = {SIZES[pattern.groups][0] for pattern in inside if pattern.four}
            words = f"{join_words([NUMBERS[size] for size in sorted(of_kind)], 'or')} {ranks}"
            none = "no four of a kind"
        elif test.feature == HouseWayFeature.THREE_OF_A_KIND:
            two_sets = any(sizes.count(TRIPS) > 1 for sizes in held)
            words = f"a highest three of a kind of {ranks}" if two_sets else f"three {ranks}"
            none = "no three of a kind"
        else:
            which = which_pair(held, high=test.feature == HouseWayFeature.HIGH_PAIR)
            words = f"a {which} pair of {ranks}" if which else f"one pair of {ranks}"
        if None not in test.values:
            return words
        return f"{words} or {none}" if values else none


def which_pair(held: Sequence[tuple[int, ...]], *, high: bool) -> str:
    """Return ``higher`` or ``highest`` of the pairs of some groups; empty for a single pair."""
    pairs = {sizes.count(PAIR) for sizes in held} - {0}
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
    if PAIR in more and PAIR not in sizes:
        yield "no pair"
    if TRIPS in more and TRIPS not in sizes:
        yield "no three of a kind"
    if QUADS in more and QUADS not in sizes:
        yield "no four of a kind"


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
