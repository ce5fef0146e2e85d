"""Is a house way well formed: does every name in it name one thing, and does every front fit?"""

from collections import Counter
from collections.abc import Iterator

from certify.engine.house_way.compiler import goes_before
from certify.model.condition import Condition, tests_of
from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.vocabulary import ONE_CARD_FRONTS, HouseWayFeature, NamedFront

Fault = tuple[str, str]
"""The id concerned and a sentence."""

OWN_FRONT = (HouseWayFeature.CAN_BE_SET, HouseWayFeature.IMPROVES_ON)
"""Features of the rule that asks, not of the hand."""


def malformed(house_way: HouseWay, front: int) -> tuple[Fault, ...]:
    """Find what is malformed in a house way that sets `front` cards in front.

    Returns:
        The id concerned and a sentence, for each fault; conditions are judged by `decide` later.
    """
    faults = [*_names(house_way), *_sections_sent_to(house_way)]
    if house_way.front != front:
        faults.append(
            (
                house_way.id,
                f"It sets a front of {house_way.front}, where the game sets a front of {front}.",
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
        yield rule.id, f"The rule {rule.id} must name either a front or a section."
    if isinstance(rule.front, NamedFront):
        cards = 1 if rule.front in ONE_CARD_FRONTS else 2
        if cards != house_way.front:
            yield rule.id, f"The front of {rule.id}, {rule.front}, has not {house_way.front} cards."
    if (rule.when is None) != (rule is section.base):
        yield rule.id, f"A condition belongs to exceptions only and to all of them: {rule.id}."
    if rule.when is not None:
        yield from _conditions(rule.id, rule.when, rule)
        for test in tests_of(rule.when):
            if test.feature == HouseWayFeature.IMPROVES_ON:
                yield from _improved(house_way, rule, str(test.values[0]))


def _order(section: HouseWaySection, rule: HouseWayRule) -> Iterator[Fault]:
    exceptions = {other.id for other in section.exceptions}
    for name in rule.before:
        if name not in exceptions:
            yield rule.id, f"{rule.id} goes before {name}, no exception of {section.id}."
    if rule.id in goes_before(section, rule):
        yield rule.id, f"The rule {rule.id} goes before itself."


def _improved(house_way: HouseWay, rule: HouseWayRule, name: str) -> Iterator[Fault]:
    if not any(other.id == name and other.front is not None for other in house_way.rules):
        yield rule.id, f"{rule.id} should improve on {name}, no rule with a front of its own."


def _conditions(name: str, condition: Condition, rule: HouseWayRule | None) -> Iterator[Fault]:
    for test in tests_of(condition):
        if not test.values:
            yield name, f"No value of {test.feature} can satisfy the condition of {name}."
        if test.feature in OWN_FRONT and (rule is None or rule.front is None):
            yield name, f"Only an exception with a front can ask {test.feature}, not {name}."


def _sections_sent_to(house_way: HouseWay) -> Iterator[Fault]:
    sends = {
        section.id: [rule.by for rule in section.rules if rule.by is not None]
        for section in house_way.sections
    }
    for rule in house_way.rules:
        if rule.by is not None and rule.by not in sends:
            yield rule.id, f"The rule {rule.id} sends hands to {rule.by}, which is no section."
    for start, first in sends.items():
        open_ids, seen = list(first), set[str]()
        while open_ids:
            name = open_ids.pop()
            if name == start:
                yield start, f"The section {start} sends hands round to itself."
                break
            if name not in seen:
                seen.add(name)
                open_ids.extend(sends.get(name, ()))
