"""One hand set by a house way: every split, the one chosen, the rule that decided and why."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from certify.engine.house_way.audit import card_name, decide_or_raise, refuse_malformed
from certify.engine.house_way.compiler import Decisions, earlier_rules, rules_that_apply
from certify.engine.house_way.features import HandFacts, hand_facts
from certify.errors import NotReadable
from certify.kernels.class_arrays import own_classes
from certify.kernels.features import Shape
from certify.kernels.splits import class_splits
from certify.model.explanation import RulePassed
from certify.model.game import JOKER, RANKS, SUITS
from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.house_way_words import house_way_words


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
