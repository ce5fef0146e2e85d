"""The house way in print: numbered rules, in the order in which they are tried."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from certify.model.cards import JokerRule
from certify.model.example import HOUSE_WAY, SetHand
from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.house_way_words import HouseWayWords, house_way_words
from certify.model.source import Concern
from certify.model.submission import Submission
from certify.report.rules.numbering import numbers_of, rules
from certify.report.wording import lower_first


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedRule:
    """A rule with its number, such as ``3.2``; one that closes a group begins with “Otherwise”.

    ``assumption`` is what the filing decided about it; ``hand`` is a hand that it sets, if one is
    shown.
    """

    number: str
    text: str
    clause: str
    assumption: str
    id: str
    hand: SetHand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedSection:
    """The rules for one kind of hand; ``scope`` says for which."""

    title: str
    scope: str
    rules: tuple[NumberedRule, ...]


def numbered(
    house_way: HouseWay, joker: JokerRule | None, hands: Mapping[str, SetHand] | None = None
) -> tuple[NumberedSection, ...]:
    """Return every section with its rules numbered: exceptions first, then the base rule.

    ``hands`` has a hand to show for a rule, by the rule's id.
    """
    shown = hands or {}
    words = house_way_words(house_way, wild=joker is JokerRule.FULLY_WILD)
    return tuple(
        NumberedSection(
            title=f"{number}. {section.title}",
            scope=words.scopes[section.id],
            rules=tuple(
                _rule(f"{number}.{place}", rule, section, words, shown.get(rule.id))
                for place, rule in enumerate(_in_priority(section), 1)
            ),
        )
        for number, section in enumerate(house_way.sections, 1)
    )


def rule_numbers(house_way: HouseWay, joker: JokerRule | None) -> dict[str, NumberedRule]:
    """Return every rule by its id."""
    return {rule.id: rule for section in numbered(house_way, joker) for rule in section.rules}


def _in_priority(section: HouseWaySection) -> list[HouseWayRule]:
    """Return the exceptions, each before those that it goes before, and then the base rule."""
    waiting = list(section.exceptions)
    ordered: list[HouseWayRule] = []
    while waiting:
        held_back = {later for waiting_rule in waiting for later in waiting_rule.before}
        # A circle of precedence is a finding of the checks; here it must only end.
        first = next((rule for rule in waiting if rule.id not in held_back), waiting[0])
        waiting.remove(first)
        ordered.append(first)
    return [*ordered, section.base]


def _rule(
    number: str,
    rule: HouseWayRule,
    section: HouseWaySection,
    words: HouseWayWords,
    hand: SetHand | None,
) -> NumberedRule:
    last = rule is section.base and bool(section.exceptions)
    assumption, text = rule.assumption, words.rules[rule.id]
    return NumberedRule(
        number=number,
        text=f"Otherwise, {lower_first(text)}" if last else text,
        clause=rule.source.clause,
        assumption=assumption.text if assumption and assumption.concern is Concern.PLAY else "",
        id=rule.id,
        hand=hand,
    )


def house_way_section(submission: Submission, section: int) -> dict[str, Any]:
    """Return what the section on the house way prints, with a hand for each rule that has one.

    ``chosen``: the game leaves it open.
    """
    way, numbers = submission.house_way, numbers_of(section)
    hands = {
        example.event: example.player
        for example in submission.examples
        if example.kind == HOUSE_WAY and example.player is not None
    }
    return {
        "way": way,
        "chosen": not submission.game.house_way_in_source,
        "general": rules(submission.printed(way.statements), numbers),
        "decisions": rules(submission.readings(way.general_assumptions), numbers, decision=True),
        "groups": numbered(way, submission.game.hands.joker, hands),
    }
