"""Validate a house way and compile it: for every class of hands the split and its rule.

Rules are applied to all classes at once, without regard to order. Every section and exception that
applies is found, so two that apply to one hand, a hand without a rule, and a front that cannot be
set are reported instead of being settled silently.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.engine.house_way.features import (
    CATEGORIES,
    GROUPS_ORDER,
    NONE,
    Flags,
    HandFacts,
    Rows,
    Small,
    choose,
    rank_digit,
)
from certify.errors import InvariantBroken
from certify.model.condition import (
    AllOf,
    Condition,
    FeatureTest,
    FeatureValue,
    iter_tests,
    translate,
)
from certify.model.house_way import (
    FrontSelection,
    HouseWay,
    HouseWayRule,
    HouseWaySection,
    ProblemKind,
)
from certify.model.vocabulary import (
    ONE_CARD_FRONTS,
    RANK_FEATURES,
    Category,
    Groups,
    HouseWayFeature,
    NamedFront,
)


class ClassProblem(Struct, frozen=True, kw_only=True):
    """Classes in which something is wrong: the sections or rules concerned.

    `disagree` are those of the classes in which the rules would set the hand differently.
    """

    kind: ProblemKind
    ids: tuple[str, ...]
    rows: Rows
    disagree: Rows


class Decisions(Struct, frozen=True, kw_only=True):
    """Decisions of a house way, one entry per class.

    Attributes:
        house_way: the house way.
        rule: position in `house_way.rules` of the deciding rule, -1 if there is none.
        split: column of `Splits`, -1 if there is none.
        sent: for each delegating rule, by its id: flags of the classes that it delegated.
        problems: errors found; without any, every class has a rule and a legal split.
    """

    house_way: HouseWay
    rule: npt.NDArray[np.int16]
    split: Small
    sent: Mapping[str, Flags]
    problems: tuple[ClassProblem, ...]


def decide(house_way: HouseWay, facts: HandFacts) -> Decisions:
    """Apply a well-formed house way to every class.

    Raises:
        InvariantBroken: a class was left open without a problem that says why.
    """
    return _Compiler(house_way, facts).run()


def rules_that_apply(house_way: HouseWay, facts: HandFacts) -> Flags:
    """Return `(rules, classes)`: whether the rule's own condition holds; a base rule has none.

    Neither the section's condition nor the other rules are looked at.
    """
    compiler = _Compiler(house_way, facts)
    every = np.arange(len(facts.classes.counts))
    always = AllOf(conditions=())
    return np.stack([compiler.holds(rule.when or always, every, rule) for rule in house_way.rules])


class _Compiler:
    """The arrays that the rules fill in, section by section."""

    def __init__(self, house_way: HouseWay, facts: HandFacts) -> None:
        size = len(facts.classes.counts)
        self.house_way = house_way
        self.facts = facts
        self.sections = {section.id: section for section in house_way.sections}
        self.rules = {rule.id: rule for rule in house_way.rules}
        self.position = {rule.id: place for place, rule in enumerate(house_way.rules)}
        self.rule = np.full(size, NONE, dtype=np.int16)
        self.split = np.full(size, NONE, dtype=np.int8)
        self.sent = {
            rule.id: np.zeros(size, dtype=np.bool_)
            for rule in house_way.rules
            if rule.by is not None
        }
        self.problems: list[ClassProblem] = []

    def run(self) -> Decisions:
        every = np.arange(len(self.rule))
        taken = {
            section.id: self.holds(section.when, every, None) for section in self.house_way.sections
        }
        cover = sum((flags.astype(np.int8) for flags in taken.values()), np.zeros(1, np.int8))
        self.problem(ProblemKind.UNCOVERED, (), every[cover == 0])
        for first, second in _couples(list(self.sections)):
            self.problem(
                ProblemKind.TWO_SECTIONS, (first, second), every[taken[first] & taken[second]]
            )
        for section in self.house_way.sections:
            self.decide_section(section, every[taken[section.id] & (cover == 1)])
        if not self.problems and (self.split == NONE).any():
            raise InvariantBroken(
                f"The house way {self.house_way.id} left hands open without saying why."
            )
        return Decisions(
            house_way=self.house_way,
            rule=self.rule,
            split=self.split,
            sent=self.sent,
            problems=tuple(self.problems),
        )

    def decide_section(self, section: HouseWaySection, rows: Rows) -> None:
        """Decide `rows` by the rules of a section, whether or not its condition takes them."""
        applies = {
            rule.id: self.holds(rule.when, rows, rule)
            for rule in section.exceptions
            if rule.when is not None
        }
        winning = {
            rule.id: applies[rule.id]
            & ~_any(
                [
                    applies[other.id]
                    for other in section.exceptions
                    if rule.id in earlier_rules(section, other)
                ],
                len(rows),
            )
            for rule in section.exceptions
        }
        clash = np.zeros(len(rows), dtype=np.bool_)
        for first, second in _couples(list(winning)):
            both = winning[first] & winning[second]
            clash |= both
            self.clash(first, second, rows[both])
        exceptional = _any(winning.values(), len(rows))
        self.apply(section.base, rows[~exceptional])
        for rule in section.exceptions:
            self.apply(rule, rows[winning[rule.id] & ~clash])

    def apply(self, rule: HouseWayRule, rows: Rows) -> None:
        """Let one rule decide `rows`, or send them on."""
        if len(rows) == 0:
            return
        if rule.by is not None:
            self.sent[rule.id][rows] = True
            self.decide_section(self.sections[rule.by], rows)
            return
        front = _select_front(rule)
        split = choose(self.facts, front, rows)
        self.rule[rows] = self.position[rule.id]
        self.split[rows] = split
        open_rows = rows[split == NONE]
        can_be_set = choose(self.facts, front, open_rows, fouls=True) != NONE
        self.problem(ProblemKind.FOUL, (rule.id,), open_rows[can_be_set])
        self.problem(ProblemKind.CANNOT_BE_SET, (rule.id,), open_rows[~can_be_set])

    def clash(self, first: str, second: str, rows: Rows) -> None:
        """Record two exceptions that both apply to `rows`."""
        same = np.zeros(len(rows), dtype=np.bool_)
        fronts = self.rules[first].front, self.rules[second].front
        if fronts[0] is not None and fronts[1] is not None:
            same = choose(self.facts, fronts[0], rows) == choose(self.facts, fronts[1], rows)
        self.problem(ProblemKind.TWO_EXCEPTIONS, (first, second), rows, rows[~same])

    def problem(
        self, kind: ProblemKind, ids: tuple[str, ...], rows: Rows, disagree: Rows | None = None
    ) -> None:
        """Record a problem with `rows`, if there are any."""
        if len(rows):
            self.problems.append(
                ClassProblem(
                    kind=kind,
                    ids=ids,
                    rows=rows,
                    disagree=rows[:0] if disagree is None else disagree,
                )
            )

    def holds(self, condition: Condition, rows: Rows, rule: HouseWayRule | None) -> Flags:
        """Return flags of the `rows` for which a condition of `rule` holds."""
        return translate(
            condition,
            test=lambda test: self.test(test, rows, rule),
            every=lambda parts: ~_any([~part for part in parts], len(rows)),
            some=lambda parts: _any(parts, len(rows)),
            negate=np.logical_not,
        )

    def test(self, test: FeatureTest, rows: Rows, rule: HouseWayRule | None) -> Flags:
        """Return flags of the `rows` for which one feature test holds."""
        if rule is not None and test.feature == HouseWayFeature.CAN_BE_SET:
            can: Flags = choose(self.facts, _select_front(rule), rows) != NONE
            return can if test.values[0] else ~can
        if rule is not None and test.feature == HouseWayFeature.IMPROVES_ON:
            other = self.rules[str(test.values[0])]
            improves: Flags = self.height(rule, rows) > self.height(other, rows)
            return improves
        codes = [_code(test.feature, value, self.facts) for value in test.values]
        fits: Flags = np.isin(self.facts.features[test.feature][rows], codes)
        return fits

    def height(self, rule: HouseWayRule, rows: Rows) -> Rows:
        """Return the key of the low hand that a rule would set, -1 if it cannot."""
        split = choose(self.facts, _select_front(rule), rows)
        return np.where(split == NONE, NONE, self.facts.fronts[rows, split])


def earlier_rules(section: HouseWaySection, rule: HouseWayRule) -> frozenset[str]:
    """Return the exceptions that `rule` goes before, directly or through others."""
    before = {other.id: other.before for other in section.exceptions}
    later: set[str] = set()
    open_ids = list(rule.before)
    while open_ids:
        name = open_ids.pop()
        if name not in later:
            later.add(name)
            open_ids.extend(before.get(name, ()))
    return frozenset(later)


def _select_front(rule: HouseWayRule) -> FrontSelection:
    if rule.front is None:
        raise InvariantBroken(f"The rule {rule.id} was asked for a front that it does not name.")
    return rule.front


def _code(feature: str, value: FeatureValue, facts: HandFacts) -> int:
    if feature == HouseWayFeature.GROUPS:
        return GROUPS_ORDER.index(Groups(str(value)))
    if feature == HouseWayFeature.BEST_HAND:
        return CATEGORIES.index(Category(str(value)))
    if feature in RANK_FEATURES and value is not None:
        # A rank that a small deck does not have is never held.
        digit = rank_digit(str(value), facts.classes.shape.ranks)
        return digit if digit > 0 else NONE
    return int(value or 0)


def _any(flags: Iterable[Flags], size: int) -> Flags:
    union = np.zeros(size, dtype=np.bool_)
    for part in flags:
        union |= part
    return union


def _couples(ids: list[str]) -> Iterator[tuple[str, str]]:
    return ((first, second) for place, first in enumerate(ids) for second in ids[place + 1 :])


Fault = tuple[str, str]
"""The id concerned and a sentence."""

OWN_FRONT = (HouseWayFeature.CAN_BE_SET, HouseWayFeature.IMPROVES_ON)
"""Features of the rule that asks, not of the hand."""


def find_faults(house_way: HouseWay, front: int) -> tuple[Fault, ...]:
    """Return the faults of a house way for a game with `front` cards in the low hand.

    Returns:
        The id and a message for each fault. `decide` checks the conditions later.
    """
    faults = [*_names(house_way), *_check_sent_sections(house_way)]
    if house_way.front != front:
        faults.append(
            (
                house_way.id,
                f"It sets a low hand of {house_way.front} cards; the game sets {front}.",
            )
        )
    for section in house_way.sections:
        faults.extend(_conditions(section.id, section.when, None))
        for rule in section.rules:
            faults.extend(_rule(house_way, section, rule))
    return tuple(faults)


def _names(house_way: HouseWay) -> Iterator[Fault]:
    ids = [section.id for section in house_way.sections] + [rule.id for rule in house_way.rules]
    for name, times in Counter(ids).items():
        if times > 1:
            yield name, f"The id {name} is given {times} times."
    for section in house_way.sections:
        for rule in section.rules:
            if not rule.id.startswith(f"{section.id}."):
                yield rule.id, f"The id {rule.id} does not begin with its section, {section.id}."


def _rule(house_way: HouseWay, section: HouseWaySection, rule: HouseWayRule) -> Iterator[Fault]:
    yield from _order(section, rule)
    if (rule.front is None) == (rule.by is None):
        yield rule.id, f"The rule {rule.id} must have either `front` or `by`."
    if isinstance(rule.front, NamedFront):
        cards = 1 if rule.front in ONE_CARD_FRONTS else 2
        if cards != house_way.front:
            yield (
                rule.id,
                (
                    f"The low hand of {rule.id}, {rule.front}, does not have "
                    f"{house_way.front} cards."
                ),
            )
    if (rule.when is None) != (rule is section.base):
        yield (
            rule.id,
            (f"Every exception needs a condition, and no other rule may have one: {rule.id}."),
        )
    if rule.when is not None:
        yield from _conditions(rule.id, rule.when, rule)
        for test in iter_tests(rule.when):
            if test.feature == HouseWayFeature.IMPROVES_ON:
                yield from _check_improved(house_way, rule, str(test.values[0]))


def _order(section: HouseWaySection, rule: HouseWayRule) -> Iterator[Fault]:
    exceptions = {other.id for other in section.exceptions}
    for name in rule.before:
        if name not in exceptions:
            yield (
                rule.id,
                (
                    f"{rule.id} takes precedence over {name}, which is not an exception "
                    f"of {section.id}."
                ),
            )
    if rule.id in earlier_rules(section, rule):
        yield rule.id, f"The rule {rule.id} takes precedence over itself."


def _check_improved(house_way: HouseWay, rule: HouseWayRule, name: str) -> Iterator[Fault]:
    if not any(other.id == name and other.front is not None for other in house_way.rules):
        yield rule.id, (f"{rule.id} should improve on {name}, which is not a rule with `front`.")


def _conditions(name: str, condition: Condition, rule: HouseWayRule | None) -> Iterator[Fault]:
    for test in iter_tests(condition):
        if not test.values:
            yield name, f"No value of {test.feature} can satisfy the condition of {name}."
        if test.feature in OWN_FRONT and (rule is None or rule.front is None):
            yield name, f"Only an exception with `front` can use {test.feature}, not {name}."


def _check_sent_sections(house_way: HouseWay) -> Iterator[Fault]:
    sends = {
        section.id: [rule.by for rule in section.rules if rule.by is not None]
        for section in house_way.sections
    }
    for rule in house_way.rules:
        if rule.by is not None and rule.by not in sends:
            yield rule.id, f"The rule {rule.id} refers to {rule.by}, which is not a section."
    for start, first in sends.items():
        open_ids, seen = list(first), set[str]()
        while open_ids:
            name = open_ids.pop()
            if name == start:
                yield start, f"The section {start} refers to itself in a circle."
                break
            if name not in seen:
                seen.add(name)
                open_ids.extend(sends.get(name, ()))
