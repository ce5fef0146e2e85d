"""One hand set by a house way: every setting, the one chosen, the rule that decided and why."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from certify.engine.house_way.audit import card_name, decide_soundly, refuse_malformed
from certify.engine.house_way.compiler import Decisions, goes_before, rules_that_apply
from certify.engine.house_way.features import CATEGORIES, HandFacts, hand_facts
from certify.errors import NotReadable
from certify.kernels.partition.class_arrays import own_classes
from certify.kernels.partition.ranking import CATEGORY_SHIFT
from certify.kernels.partition.shape import Shape
from certify.kernels.partition.splits import class_settings
from certify.model.cards import JOKER, RANKS, SUITS
from certify.model.house_way import Category, HouseWay, HouseWayRule, HouseWaySection


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSetting:
    """One way to set the hand, and what its two hands are."""

    front: tuple[str, ...]
    back: tuple[str, ...]
    front_is: Category
    back_is: Category
    legal: bool
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """A rule of the same section that did not decide, and why, in a few words."""

    rule: HouseWayRule
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHand:
    """A hand as the house way sets it.

    Attributes:
        front: the cards in front.
        back: the cards in back.
        section: the section whose rule decided.
        rule: the rule that decided.
        sent_by: the rules that sent the hand to that section, first to last.
        passed_over: the other rules of the sections that were asked, in the order of print.
        settings: every setting, the highest back first, fouls last.
    """

    front: tuple[str, ...]
    back: tuple[str, ...]
    section: HouseWaySection
    rule: HouseWayRule
    sent_by: tuple[HouseWayRule, ...]
    passed_over: tuple[PassedOver, ...]
    settings: tuple[HandSetting, ...]


def set_hand(house_way: HouseWay, shape: Shape, hand: Sequence[str]) -> SetHand:
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
    decisions = decide_soundly(house_way, facts)
    section_of = {rule.id: section for section in house_way.sections for rule in section.rules}
    rule = house_way.rules[int(decisions.rule[0])]
    settings = _settings(facts, int(decisions.setting[0]))
    chosen = next(setting for setting in settings if setting.chosen)
    return SetHand(
        front=chosen.front,
        back=chosen.back,
        section=section_of[rule.id],
        rule=rule,
        sent_by=tuple(_sent_by(decisions)),
        passed_over=tuple(_passed_over(decisions, facts)),
        settings=settings,
    )


def one_hand(shape: Shape, hand: Sequence[str]) -> HandFacts:
    """Return the facts of one hand, as the only class; its real suits make its flushes.

    Raises:
        NotReadable: the cards are not a hand of this deck.
    """
    classes = own_classes(shape, np.array([card_numbers(shape, hand)], dtype=np.int8))
    return hand_facts(classes, class_settings(classes))


def card_numbers(shape: Shape, hand: Sequence[str]) -> list[int]:
    """Return the cards of a hand, the joker first, then from the highest rank down."""
    deck = {card_name(card, shape): card for card in range(shape.cards)}
    for card in hand:
        if card not in deck:
            raise NotReadable(
                f"{card!r} is not a card of this deck.",
                remedy=f"Write a rank of {RANKS[-shape.ranks :]} and a suit of {SUITS}, as in As, "
                f"or {JOKER} where the deck has a joker.",
            )
    if len(set(hand)) != len(hand) or len(hand) != shape.hand:
        raise NotReadable(
            f"{' '.join(hand)!r} is not a hand of {shape.hand} different cards.",
            remedy=f"Give {shape.hand} cards, each once.",
        )
    return sorted((deck[card] for card in hand), key=lambda card: -(card ^ 3))


def _settings(facts: HandFacts, chosen: int) -> tuple[HandSetting, ...]:
    shape, cards, settings = facts.classes.shape, facts.classes.cards[0], facts.settings
    high, low, legal = settings.high[0], settings.low[0], settings.legal[0]
    ordered = sorted(
        range(len(settings.fronts)), key=lambda column: (legal[column], high[column], low[column])
    )
    names = [card_name(int(card), shape) for card in cards]
    found = []
    for column in reversed(ordered):
        front = {int(position) for position in settings.fronts[column]}
        found.append(
            HandSetting(
                front=tuple(name for place, name in enumerate(names) if place in front),
                back=tuple(name for place, name in enumerate(names) if place not in front),
                front_is=CATEGORIES[int(low[column]) >> CATEGORY_SHIFT],
                back_is=CATEGORIES[int(high[column]) >> CATEGORY_SHIFT],
                legal=bool(legal[column]),
                chosen=column == chosen,
            )
        )
    return tuple(found)


def _sent_by(decisions: Decisions) -> list[HouseWayRule]:
    """Return the rules that sent the only class on, in the order in which they did."""
    rules = decisions.house_way.rules
    sent = [rule for rule, flag in zip(rules, decisions.sent[:, 0], strict=True) if flag]
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


def _passed_over(decisions: Decisions, facts: HandFacts) -> list[PassedOver]:
    house_way = decisions.house_way
    holds = dict(
        zip(
            (rule.id for rule in house_way.rules),
            (bool(flag) for flag in rules_that_apply(house_way, facts)[:, 0]),
            strict=True,
        )
    )
    used = {house_way.rules[int(decisions.rule[0])].id}
    used |= {rule.id for rule in _sent_by(decisions)}
    found = []
    for section in house_way.sections:
        winner = next((rule for rule in section.rules if rule.id in used), None)
        if winner is None:
            continue
        for rule in section.rules:
            if rule is winner:
                continue
            if not holds[rule.id]:
                reason = "its condition does not hold"
            elif rule.id in goes_before(section, winner):
                reason = f"{winner.id} goes before it"
            else:
                reason = f"the exception {winner.id} applies"
            found.append(PassedOver(rule=rule, reason=reason))
    return found
