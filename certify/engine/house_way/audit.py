"""Audit of a house way over every hand; two house ways compared; one hand set, with the reasons.

The audit tests for each hand that exactly one rule decides and that it can be set. A house way with
a problem is not counted: `chosen_splits` raises with an example hand.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from certify.engine.deck import FREED, load_deck
from certify.engine.house_way.compiler import (
    ClassProblem,
    Decisions,
    decide,
    earlier_rules,
    find_faults,
    rules_that_apply,
)
from certify.engine.house_way.features import NONE, HandFacts, hand_facts
from certify.errors import InvariantBroken, NotConfigured, NotReadable
from certify.kernels.class_arrays import HandClasses, Splits, class_splits, own_classes
from certify.kernels.features import Shape
from certify.model.comparison import HouseWayDifference, OtherSetting
from certify.model.explanation import RulePassed
from certify.model.game import JOKER, RANKS, SUITS, HandRules
from certify.model.house_way import (
    HouseWay,
    HouseWayAudit,
    HouseWayProblem,
    HouseWayRule,
    HouseWaySection,
    ProblemKind,
    RuleUse,
)
from certify.words.house_ways import house_way_words

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


LISTED: Final = 40
"""Pairs of deciding rules that a comparison lists, those with most hands first."""


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
    before: HouseWay, after: HouseWay, *, hands: HandRules
) -> HouseWayDifference:
    """Compare two house ways over every hand of a deck.

    Two splits are the same if front and back have the same ranks; which suit goes in front does
    not matter.

    Args:
        before: one house way.
        after: the other.
        hands: the deck and the rules that rank hands.

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
        settings=tuple(settings[:LISTED]),
    )


class SetKeys(NamedTuple):
    """The keys of a set hand; the dealer wins ties of either hand."""

    back: int
    front: int


class Split(Struct, frozen=True, kw_only=True):
    """One way to set a hand."""

    front: tuple[str, ...]
    back: tuple[str, ...]
    keys: SetKeys
    legal: bool
    chosen: bool


class HandAsSet(Struct, frozen=True, kw_only=True):
    """A hand as the house way sets it.

    Attributes:
        section: the section whose rule decided.
        rule: the rule that decided.
        text: that rule in words.
        sent_by: the rules that sent the hand to that section, first to last.
        passed_over: the other rules of the sections that were asked, in the order of print.
        splits: every way to set the hand, the highest back first, fouls last.
    """

    section: HouseWaySection
    rule: HouseWayRule
    text: str
    sent_by: tuple[RulePassed, ...]
    passed_over: tuple[RulePassed, ...]
    splits: tuple[Split, ...]

    @property
    def split(self) -> Split:
        """The way in which the house way sets it."""
        return next(split for split in self.splits if split.chosen)


def set_hand(house_way: HouseWay, shape: Shape, hand: Sequence[str]) -> HandAsSet:
    """Set one hand by a house way.

    Args:
        house_way: the house way as declared.
        shape: the deck, the hand and the rules that decide a rank.
        hand: the cards, such as ``As`` or ``Jk``, in any order.

    Raises:
        NotReadable: the cards are not a hand of this deck.
        NotConfigured: the house way cannot be used, or not for this hand.
    """
    refuse_malformed(house_way, shape.front)
    facts = one_hand(shape, hand)
    decisions = decide_or_raise(house_way, facts)
    section_of = {rule.id: section for section in house_way.sections for rule in section.rules}
    rule = house_way.rules[int(decisions.rule[0])]
    texts = house_way_words(house_way, wild=bool(shape.wild)).rules
    sent_by = _delegating_rules(decisions)
    return HandAsSet(
        section=section_of[rule.id],
        rule=rule,
        text=texts[rule.id],
        sent_by=tuple(
            _describe_passed_rule(sender, texts, f"it refers to {sender.by}") for sender in sent_by
        ),
        passed_over=tuple(
            _list_passed_rules(
                decisions, facts, {rule.id, *(sender.id for sender in sent_by)}, texts
            )
        ),
        splits=_splits(facts, int(decisions.split[0])),
    )


def one_hand(shape: Shape, hand: Sequence[str]) -> HandFacts:
    """Return the facts of one hand, as the only class; its real suits make its flushes.

    Raises:
        NotReadable: the cards are not a hand of this deck.
    """
    classes = own_classes(shape, np.array([card_numbers(shape, hand)], dtype=np.int8))
    return hand_facts(classes, class_splits(classes))


def card_numbers(shape: Shape, hand: Sequence[str]) -> list[int]:
    """Return the cards of a hand, jokers first, then from the highest rank down."""
    naturals = 4 * shape.ranks
    deck = {card_name(card, shape): card for card in range(naturals + min(shape.joker, 1))}
    for card in hand:
        if card not in deck:
            raise NotReadable(
                f"{card!r} is not a card of this deck.",
                remedy=f"Write a rank of {RANKS[-shape.ranks :]} and a suit of {SUITS}, as in As, "
                f"or {JOKER} where the deck has a joker.",
            )
    dealt = Counter(hand)
    again = any(times > (shape.joker if card == JOKER else 1) for card, times in dealt.items())
    if again or len(hand) != shape.hand:
        raise NotReadable(
            f"{' '.join(hand)!r} is not a hand of {shape.hand} different cards.",
            remedy=f"Give {shape.hand} cards, each once.",
        )
    return sorted((deck[card] for card in hand), key=lambda card: -(card ^ 3))


def _splits(facts: HandFacts, chosen: int) -> tuple[Split, ...]:
    shape, splits = facts.classes.shape, facts.splits
    high, low, legal = splits.high[0], splits.low[0], splits.legal[0]
    names = [card_name(int(card), shape) for card in facts.classes.cards[0]]
    ordered = sorted(
        range(len(splits.fronts)), key=lambda column: (legal[column], high[column], low[column])
    )
    listed: dict[tuple[str, ...], Split] = {}  # by the front: two jokers are set alike
    for column in reversed(ordered):
        places = {int(position) for position in splits.fronts[column]}
        front = tuple(name for place, name in enumerate(names) if place in places)
        if front not in listed or column == chosen:
            listed[front] = Split(
                front=front,
                back=tuple(name for place, name in enumerate(names) if place not in places),
                keys=SetKeys(back=int(high[column]), front=int(low[column])),
                legal=bool(legal[column]),
                chosen=column == chosen,
            )
    return tuple(listed.values())


def _delegating_rules(decisions: Decisions) -> list[HouseWayRule]:
    """Return the rules that sent the only class on, in the order in which they did."""
    rules = decisions.house_way.rules
    sent = [rule for rule in rules if rule.id in decisions.sent and decisions.sent[rule.id][0]]
    by_section = {
        section.id: rule
        for section in decisions.house_way.sections
        for rule in section.rules
        if rule in sent
    }
    targets = {rule.by for rule in sent}
    order: list[HouseWayRule] = []
    section = next((name for name in by_section if name not in targets), None)
    while section in by_section:
        order.append(by_section[section])
        section = by_section[section].by
    return order


def _list_passed_rules(
    decisions: Decisions, facts: HandFacts, used: Collection[str], texts: Mapping[str, str]
) -> Iterator[RulePassed]:
    """Yield the rules that did not decide, of every section with one of ``used``."""
    house_way = decisions.house_way
    applies = rules_that_apply(house_way, facts)[:, 0]
    holds = {rule.id: bool(flag) for rule, flag in zip(house_way.rules, applies, strict=True)}
    for section in house_way.sections:
        winner = next((rule for rule in section.rules if rule.id in used), None)
        if winner is None:
            continue
        for rule in section.rules:
            if rule is winner:
                continue
            if not holds[rule.id]:
                yield _describe_passed_rule(rule, texts, "its condition does not hold")
            elif rule.id in earlier_rules(section, winner):
                yield _describe_passed_rule(rule, texts, f"{winner.id} takes precedence")
            else:
                yield _describe_passed_rule(rule, texts, f"the exception {winner.id} applies")


def _describe_passed_rule(rule: HouseWayRule, texts: Mapping[str, str], reason: str) -> RulePassed:
    return RulePassed(rule=rule.id, text=texts[rule.id], reason=reason, source=rule.source)
