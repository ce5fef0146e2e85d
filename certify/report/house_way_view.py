"""The house way in print: numbered rules, in the order in which they are tried."""

from dataclasses import dataclass

from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.source import Concern
from certify.report.wording import clause, lower_first


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedRule:
    """A rule with its number, such as ``3.2``; one that closes a group begins with “Otherwise”."""

    number: str
    text: str
    clause: str
    assumption: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedSection:
    """The rules for one kind of hand."""

    title: str
    rules: tuple[NumberedRule, ...]


def numbered(house_way: HouseWay) -> tuple[NumberedSection, ...]:
    """Return every section with its rules numbered: exceptions first, what is left last."""
    return tuple(
        NumberedSection(
            title=f"{number}. {section.title}",
            rules=tuple(
                _rule(f"{number}.{place}", rule, section)
                for place, rule in enumerate(_in_priority(section), 1)
            ),
        )
        for number, section in enumerate(house_way.sections, 1)
    )


def rule_numbers(house_way: HouseWay) -> dict[str, NumberedRule]:
    """Return every rule by its id."""
    return {rule.id: rule for section in numbered(house_way) for rule in section.rules}


def _in_priority(section: HouseWaySection) -> list[HouseWayRule]:
    """Return the exceptions, each before those that it goes before, and then the base rule."""
    waiting = list(section.exceptions)
    ordered: list[HouseWayRule] = []
    while waiting:
        held_back = {later for one in waiting for later in one.before}
        # A circle of precedence is a finding of the checks; here it must only end.
        first = next((one for one in waiting if one.id not in held_back), waiting[0])
        waiting.remove(first)
        ordered.append(first)
    return [*ordered, section.base]


def _rule(number: str, rule: HouseWayRule, section: HouseWaySection) -> NumberedRule:
    last = rule is section.base and bool(section.exceptions)
    assumption = rule.assumption
    return NumberedRule(
        number=number,
        text=f"Otherwise: {lower_first(rule.text)}" if last else rule.text,
        clause=clause(rule.source),
        assumption=assumption.text if assumption and assumption.concern is Concern.PLAY else "",
        id=rule.id,
    )
