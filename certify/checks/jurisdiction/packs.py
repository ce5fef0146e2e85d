"""Checks of rule packs themselves: a pack that these pass can be judged by, whatever is filed."""

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import combinations

from certify.checks.context import Context, did_you_mean
from certify.checks.jurisdiction.filing_facts import BY_RULE
from certify.checks.jurisdiction.rule_tests import TESTS, Parameter, RuleTest
from certify.checks.pages import rule_pack as pages
from certify.checks.walk import statements
from certify.model.finding import Finding
from certify.model.jurisdiction import Jurisdiction, Rule, RuleVersion


def parameters_fit(context: Context) -> Iterator[Finding]:
    """R016: a text has the parameters that its rule's test takes, and no others."""
    for where, place, rule in _rules(context):
        for index, version in enumerate(rule.versions):
            pointer = f"/rules/{place}/versions/{index}"
            for inner, message, remedy in _unfit(rule, version):
                key = f"jurisdictions/{where.id}"
                yield context.finding(pages.R016, key, f"{pointer}{inner}", message, remedy)


def texts_follow(context: Context) -> Iterator[Finding]:
    """R017: the texts of a rule end after they begin, and follow one another."""
    for where, place, rule in _rules(context):
        key = f"jurisdictions/{where.id}"
        for index, one in enumerate(rule.versions):
            if one.effective_from and one.effective_to and one.effective_to <= one.effective_from:
                yield context.finding(
                    pages.R017,
                    key,
                    f"/rules/{place}/versions/{index}/effective_to",
                    f"A text of {rule.id} ends on {one.effective_to}, and begins on "
                    f"{one.effective_from}.",
                    "Correct one of the two days; `effective_to` is the first day no longer in "
                    "force.",
                )
        for (_, one), (index, other) in combinations(enumerate(rule.versions), 2):
            if one.overlaps(other):
                yield context.finding(
                    pages.R017,
                    key,
                    f"/rules/{place}/versions/{index}/effective_from",
                    f"Two texts of {rule.id} are in force {_since(one, other)}: {one.citation} and "
                    f"{other.citation}.",
                    "End the older text on the day on which the newer one begins.",
                )


def one_rule_for_a_test(context: Context) -> Iterator[Finding]:
    """R018: no two rules that are in force on one day are judged by one test."""
    for where in context.catalogue.jurisdictions.values():
        for (_, one), (place, other) in combinations(enumerate(where.rules), 2):
            if one.test is None or one.test != other.test:
                continue
            both = [
                (text, newer)
                for text in one.versions
                for newer in other.versions
                if text.overlaps(newer)
            ]
            if both:
                yield context.finding(
                    pages.R018,
                    f"jurisdictions/{where.id}",
                    f"/rules/{place}/test",
                    f"{one.id} and {other.id} are both judged by the test {one.test} "
                    f"{_since(*both[0])}.",
                    "Make them one rule with a text for each period, or name the test that the "
                    "rule asks for; `certify rule --tests` lists them.",
                )


def unknown_rule(context: Context) -> Iterator[Finding]:
    """R019: every rule that an item or a clause names is there, and judged where it is to prove."""
    named: list[tuple[str, str, str, tuple[str, ...]]] = []
    every = {one.id: one.rules for one in context.catalogue.jurisdictions.values()}
    for where in context.catalogue.jurisdictions.values():
        named += [
            (f"jurisdictions/{where.id}", f"/checklist/{place}/rule", item.rule, _ids(where.rules))
            for place, item in enumerate(where.checklist)
            if item.rule is not None
        ]
    for one in statements(context):
        if one.statement.rule is not None:
            folder, _, name = one.key.partition("/")
            packs = [every[name]] if folder == "jurisdictions" else list(every.values())
            known = tuple(each for rules in packs for each in _ids(rules))
            named.append((one.key, f"{one.pointer}/rule", one.statement.rule, known))
    yield from _proved_by_no_test(context)
    for key, pointer, rule, known in named:
        if known and rule not in known:
            yield context.finding(
                pages.R019, key, pointer, f"There is no rule {rule}.", did_you_mean(rule, known)
            )


def _proved_by_no_test(context: Context) -> Iterator[Finding]:
    """Yield items that a rule is to prove, and that name none which a test judges."""
    for where in context.catalogue.jurisdictions.values():
        tests = {one.id: one.test for one in where.rules}
        for place, item in enumerate(where.checklist):
            untested = item.rule is None or (item.rule in tests and tests[item.rule] is None)
            if BY_RULE in item.proof and untested:
                yield context.finding(
                    pages.R019,
                    f"jurisdictions/{where.id}",
                    f"/checklist/{place}/proof/{item.proof.index(BY_RULE)}",
                    f"The item {item.id} is to be proved by its rule, and names none that a test "
                    "judges.",
                    "Name a rule with a test, or the facts that show that the item is done.",
                )


def _ids(rules: tuple[Rule, ...]) -> tuple[str, ...]:
    return tuple(one.id for one in rules)


def _rules(context: Context) -> Iterator[tuple[Jurisdiction, int, Rule]]:
    for where in context.catalogue.jurisdictions.values():
        for place, rule in enumerate(where.rules):
            yield where, place, rule


def _since(one: RuleVersion, other: RuleVersion) -> str:
    """Return from when on two texts are in force together."""
    days = [day for day in (one.effective_from, other.effective_from) if day is not None]
    return f"from {max(days).isoformat()} on" if days else "at once"


def _unfit(rule: Rule, version: RuleVersion) -> Iterator[tuple[str, str, str]]:
    """Yield pointer, message and remedy of each fault of a text's parameters."""
    stated = dict(version.parameters)
    test = TESTS.get(rule.test or "")
    if test is None:
        if stated and rule.test is None:
            yield (
                "/parameters",
                f"A text of {rule.id} has parameters, and no test uses them.",
                "Name the test that judges the rule, or remove the parameters; "
                "`certify rule --tests` lists the tests.",
            )
        return
    for name, value in stated.items():
        found = test.parameter(name)
        if found is None:
            yield (
                f"/parameters/{name}",
                f"The test {test.name} has no parameter `{name}`.",
                _other_test(name, test),
            )
        elif not found.unit.fits(value):
            yield (
                f"/parameters/{name}",
                f"`{name}` is {str(value).lower()}, which is not {found.unit.wanted}.",
                f"Write {found.unit.wanted}: {found.meaning}.",
            )
    for one in test.parameters:
        if one.name not in stated and (one.required or one.beside in stated):
            beside = "" if one.required else f" beside `{one.beside}`"
            yield (
                "/parameters" if stated else "",
                f"The test {test.name} needs the parameter `{one.name}`{beside}.",
                f"Add `{one.name}` to the parameters of this text: {one.meaning} ({one.unit}).",
            )


def _other_test(name: str, test: RuleTest) -> str:
    """Return how to mend a parameter that a test does not have."""
    takes = f"{test.name} takes {_taken(test.parameters)}."
    others = [one.name for one in TESTS.values() if one.parameter(name)]
    if others:
        return f"{takes} `{name}` belongs to {' and '.join(others)}."
    near = get_close_matches(name, [one.name for one in test.parameters], n=1)
    return f"Did you mean {near[0]}? {takes}" if near else f"Remove it: {takes}"


def _taken(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(f"{one.name} ({one.unit})" for one in parameters) or "no parameter"
