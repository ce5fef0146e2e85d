"""The compiler of house ways: for every class of hands the split, and the rule that decides.

Rules are applied to all classes at once. Which rule decides is worked out without regard to order:
every section and every exception that applies is found, so that two which apply to one hand, a
hand without a rule, and a front that cannot be set come to light instead of being settled silently.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
from certify.model.condition import AllOf, Condition, FeatureTest, FeatureValue, translate
from certify.model.house_way import (
    FrontSelection,
    HouseWay,
    HouseWayRule,
    HouseWaySection,
    ProblemKind,
)
from certify.model.vocabulary import RANK_FEATURES, Category, Groups, HouseWayFeature


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassProblem:
    """Classes in which something is wrong: the sections or rules concerned.

    `disagree` are those of the classes in which the rules would set the hand differently.
    """

    kind: ProblemKind
    ids: tuple[str, ...]
    rows: Rows
    disagree: Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What a house way decides, one entry per class.

    Attributes:
        house_way: the house way.
        rule: position in `house_way.rules` of the rule that decides, -1 if there is none.
        split: column of `Splits`, -1 if there is none.
        sent: of every rule that sends to another section, by its id: whether it sent the class.
        problems: what is wrong; without any, every class has a rule and a legal split.
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
                    if rule.id in goes_before(section, other)
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
        front = _front_of(rule)
        split = choose(self.facts, front, rows)
        self.rule[rows] = self.position[rule.id]
        self.split[rows] = split
        open_rows = rows[split == NONE]
        held = choose(self.facts, front, open_rows, fouls=True) != NONE
        self.problem(ProblemKind.FOUL, (rule.id,), open_rows[held])
        self.problem(ProblemKind.CANNOT_BE_SET, (rule.id,), open_rows[~held])

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
        """Say for which of `rows` a condition holds; `rule` is the one that asks."""
        return translate(
            condition,
            test=lambda test: self.test(test, rows, rule),
            every=lambda parts: ~_any([~part for part in parts], len(rows)),
            some=lambda parts: _any(parts, len(rows)),
            negate=np.logical_not,
        )

    def test(self, test: FeatureTest, rows: Rows, rule: HouseWayRule | None) -> Flags:
        """Say for which of `rows` one feature is as it should be."""
        if rule is not None and test.feature == HouseWayFeature.CAN_BE_SET:
            can: Flags = choose(self.facts, _front_of(rule), rows) != NONE
            return can if test.values[0] else ~can
        if rule is not None and test.feature == HouseWayFeature.IMPROVES_ON:
            other = self.rules[str(test.values[0])]
            improves: Flags = self.height(rule, rows) > self.height(other, rows)
            return improves
        codes = [_code(test.feature, value, self.facts) for value in test.values]
        fits: Flags = np.isin(self.facts.features[test.feature][rows], codes)
        return fits

    def height(self, rule: HouseWayRule, rows: Rows) -> Rows:
        """Return the key of the front that a rule would set, -1 where it cannot."""
        split = choose(self.facts, _front_of(rule), rows)
        return np.where(split == NONE, NONE, self.facts.fronts[rows, split])


def goes_before(section: HouseWaySection, rule: HouseWayRule) -> frozenset[str]:
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


def _front_of(rule: HouseWayRule) -> FrontSelection:
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
