"""Audit of a house way over every hand, and comparison of two house ways.

The audit tests for each hand that exactly one rule decides and that it can be set. A house way with
a problem is not counted: `chosen_splits` raises with an example hand.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.engine.deck import FREED, load_deck
from certify.engine.house_way.compiler import ClassProblem, Decisions, decide, find_faults
from certify.engine.house_way.features import NONE, HandFacts, hand_facts
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.class_arrays import HandClasses
from certify.kernels.features import Shape
from certify.kernels.splits import Splits
from certify.model.comparison import HouseWayDifference, OtherSetting
from certify.model.game import JOKER, RANKS, SUITS, HandRules
from certify.model.house_way import HouseWay, HouseWayAudit, HouseWayProblem, ProblemKind, RuleUse

MESSAGES: Final = {
    ProblemKind.UNCOVERED: "No section matches this hand.",
    ProblemKind.TWO_SECTIONS: "The sections {ids} both match this hand.",
    ProblemKind.TWO_EXCEPTIONS: "The exceptions {ids} apply and neither takes precedence.",
    ProblemKind.CANNOT_BE_SET: "The rule {ids} applies, but the hand does not contain its low "
    "hand.",
    ProblemKind.FOUL: "The rule {ids} applies, but its low hand fouls the hand.",
}

REMEDIES: Final = {
    ProblemKind.MALFORMED: "Use the id of a section or rule of this house way, once.",
    ProblemKind.UNCOVERED: "Widen the condition of the section for this hand.",
    ProblemKind.TWO_SECTIONS: "Narrow the condition of one of them.",
    ProblemKind.TWO_EXCEPTIONS: "Narrow the condition of one, or add the other to its `before`.",
    ProblemKind.CANNOT_BE_SET: "Narrow its condition, or use a low hand that such hands contain.",
    ProblemKind.FOUL: "Use a lower low hand for such hands.",
}


class ChosenSplits(Struct, frozen=True, kw_only=True):
    """The house way's split of every class: columns of `Splits`, positions of rules.

    `uses` are the audit's: how often each rule decided.
    """

    split: npt.NDArray[np.int8]
    rule: npt.NDArray[np.int16]
    uses: tuple[RuleUse, ...]


def audit(house_way: HouseWay, classes: HandClasses, splits: Splits) -> HouseWayAudit:
    """Audit a house way over every hand of a deck.

    Args:
        house_way: the house way as declared.
        classes: every class of the deck.
        splits: their splits.

    Raises:
        InvariantBroken: there is no problem and yet the rules do not decide every hand once.
    """
    total = int(classes.plain.sum())
    faults = find_faults(house_way, classes.shape.front)
    if faults:
        problems = tuple(
            HouseWayProblem(
                kind=ProblemKind.MALFORMED,
                ids=(name,),
                message=message,
                remedy=REMEDIES[ProblemKind.MALFORMED],
            )
            for name, message in faults
        )
        return HouseWayAudit(house_way=house_way.id, hands=total, uses=(), problems=problems)
    decisions = _apply_house_way(house_way, classes, splits)
    problems = tuple(_problems(decisions, classes))
    uses = tuple(_uses(decisions, classes)) if problems else _all_uses(decisions, classes)
    return HouseWayAudit(house_way=house_way.id, hands=total, uses=uses, problems=problems)


def chosen_splits(house_way: HouseWay, classes: HandClasses, splits: Splits) -> ChosenSplits:
    """Return the split and the deciding rule of every class.

    Raises:
        NotConfigured: the house way is malformed, leaves a hand open, contradicts itself or asks
            for what cannot be set; the message names the rules and an example hand.
    """
    refuse_malformed(house_way, classes.shape.front)
    decisions = _sound(_apply_house_way(house_way, classes, splits), classes)
    return ChosenSplits(
        split=decisions.split, rule=decisions.rule, uses=_all_uses(decisions, classes)
    )


def refuse_malformed(house_way: HouseWay, front: int) -> None:
    """Raise if the house way is malformed or not for low hands of `front` cards.

    Raises:
        NotConfigured: the message names the first fault.
    """
    problems = find_faults(house_way, front)
    if problems:
        raise NotConfigured(
            f"The house way {house_way.id} cannot be used. {problems[0][1]}",
            remedy=REMEDIES[ProblemKind.MALFORMED],
        )


def decide_or_raise(house_way: HouseWay, facts: HandFacts) -> Decisions:
    """Apply a well-formed house way to every class, and let no problem pass.

    Raises:
        NotConfigured: see `chosen_splits`.
    """
    return _sound(decide(house_way, facts), facts.classes)


def card_name(card: int, shape: Shape) -> str:
    """Return the text of a kernel's card: `As`, `Td`, `Jk`."""
    if card == 4 * shape.ranks:
        return JOKER
    return RANKS[len(RANKS) - shape.ranks + card // 4] + SUITS[card % 4]


def hand_name(cards: npt.NDArray[np.int8], shape: Shape) -> str:
    """Return the text of cards, separated by blanks."""
    return " ".join(card_name(int(card), shape) for card in cards)


@lru_cache(maxsize=8)
def _apply_house_way(house_way: HouseWay, classes: HandClasses, splits: Splits) -> Decisions:
    """Apply a house way to every class; it is audited before anything is counted with it."""
    return decide(house_way, hand_facts(classes, splits))


FREED.append(_apply_house_way.cache_clear)


def _sound(decisions: Decisions, classes: HandClasses) -> Decisions:
    for problem in _problems(decisions, classes):
        raise NotConfigured(
            f"The house way {decisions.house_way.id} cannot be used. {problem}",
            remedy=problem.remedy,
        )
    return decisions


def _problems(decisions: Decisions, classes: HandClasses) -> Iterator[HouseWayProblem]:
    for problem in decisions.problems:
        yield HouseWayProblem(
            kind=problem.kind,
            ids=problem.ids,
            message=MESSAGES[problem.kind].format(ids=" and ".join(problem.ids)),
            remedy=REMEDIES[problem.kind],
            hands=int(classes.plain[problem.rows].sum()),
            disagreeing=int(classes.plain[problem.disagree].sum()),
            example=_format_example(problem, classes),
        )


def _format_example(problem: ClassProblem, classes: HandClasses) -> str:
    rows = problem.disagree if len(problem.disagree) else problem.rows
    return hand_name(classes.cards[rows[classes.plain[rows].argmax()]], classes.shape)


def _all_uses(decisions: Decisions, classes: HandClasses) -> tuple[RuleUse, ...]:
    """Return the use of each rule, after a check that every hand was decided once."""
    uses = tuple(_uses(decisions, classes))
    if sum(use.decided for use in uses) != int(classes.plain.sum()):
        raise InvariantBroken(
            f"The rules of {decisions.house_way.id} do not decide every hand exactly once."
        )
    return uses


def _uses(decisions: Decisions, classes: HandClasses) -> Iterator[RuleUse]:
    for position, rule in enumerate(decisions.house_way.rules):
        decided = np.flatnonzero((decisions.rule == position) & (decisions.split != NONE))
        sent = np.flatnonzero(decisions.sent.get(rule.id, ()))
        yield RuleUse(
            rule=rule.id,
            decided=int(classes.plain[decided].sum()),
            sent=int(classes.plain[sent].sum()),
            example=_typical(sent if rule.by else decided, classes),
        )


def _typical(rows: npt.NDArray[np.int64], classes: HandClasses) -> str | None:
    """Show a hand of the middle one of the largest classes: neither the lowest nor the highest."""
    if len(rows) == 0:
        return None
    largest = rows[classes.plain[rows] == classes.plain[rows].max()]
    return hand_name(classes.cards[largest[len(largest) // 2]], classes.shape)


def compare_house_ways(
    before: HouseWay, after: HouseWay, *, hands: HandRules, most: int = 40
) -> HouseWayDifference:
    """Compare two house ways over every hand of a deck.

    Two splits are the same if front and back have the same ranks; which suit goes in front does
    not matter.

    Args:
        before: one house way.
        after: the other.
        hands: the deck and the rules that rank hands.
        most: how many pairs of deciding rules are listed, those with most hands first.

    Raises:
        NotConfigured: a house way sets hands of another size, or cannot be used.
    """
    for way in (before, after):
        if (way.cards, way.front) != (hands.shape.cards, hands.shape.front):
            raise NotConfigured(
                f"The house way {way.id} sets {way.front} of {way.cards} cards in "
                f"the low hand, not {hands.shape.front} of {hands.shape.cards}.",
                remedy="Compare house ways for hands of one size.",
            )
    shape, classes, splits = load_deck(hands)
    first = chosen_splits(before, classes, splits)
    second = chosen_splits(after, classes, splits)
    every = np.arange(len(classes.plain))
    differs = (splits.high[every, first.split] != splits.high[every, second.split]) | (
        splits.low[every, first.split] != splits.low[every, second.split]
    )
    rows = np.flatnonzero(differs & (classes.plain > 0))
    pairs: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        pairs.setdefault((int(first.rule[row]), int(second.rule[row])), []).append(int(row))

    def front(split: int, row: int) -> tuple[str, ...]:
        return tuple(
            card_name(int(classes.cards[row, place]), shape) for place in splits.fronts[split]
        )

    settings = []
    for (rule, other), members in pairs.items():
        typical = members[int(classes.plain[members].argmax())]
        settings.append(
            OtherSetting(
                rule_before=before.rules[rule].id,
                rule_after=after.rules[other].id,
                hands=int(classes.plain[members].sum()),
                example=tuple(card_name(int(card), shape) for card in classes.cards[typical]),
                front_before=front(int(first.split[typical]), typical),
                front_after=front(int(second.split[typical]), typical),
            )
        )
    settings.sort(key=lambda pair: (-pair.hands, pair.rule_before, pair.rule_after))
    return HouseWayDifference(
        before=before.id,
        after=after.id,
        hands=int(classes.plain.sum()),
        different=int(classes.plain[rows].sum()),
        settings=tuple(settings[:most]),
    )
