"""Checks of rule packs."""

from collections.abc import Iterator
from itertools import chain, combinations, product

from certify.checks.framework import Context, Fault, Location, check, rules, statements
from certify.checks.quantities import Kind, find_numbers, find_quantities
from certify.checks.r_jurisdictions.amounts import allowed_paytables, required_values
from certify.checks.r_jurisdictions.judge import BY_RULE, TESTS
from certify.checks.r_jurisdictions.rule_test import RuleTest
from certify.formatting import did_you_mean, money
from certify.model.jurisdiction import Rule, RuleVersion


@check(
    "R016",
    "A parameter does not fit the rule test",
    fix=(
        "Declare the parameters of the test in its units, or name another test (`certify "
        "rule --tests`)."
    ),
    wrong='{"test": "aggregate_limit_floor"} with the parameters {"least_cents": 4000000}',
    right='{"test": "fixed_payout_floor"} with the parameters {"least_cents": 4000000}',
)
def parameters_fit(context: Context) -> Iterator[Fault]:
    """A test reads its parameters by name. An unknown one would be ignored silently, and the rule
    might pass without the intended comparison.
    """
    for rule, at in rules(context.catalog):
        for version, text in at.items("/versions", rule.versions):
            yield from _unfit(rule, version, text)


@check(
    "R017",
    "The texts of a rule overlap or end before they begin",
    fix=(
        "End each text on the day the next one begins; `effective_to` is the first "
        "day no longer in force."
    ),
    wrong='{"effective_from": "2021-06-14", "effective_to": "2020-06-14"}',
    right='{"effective_from": "2020-06-14", "effective_to": "2021-06-14"}',
)
def texts_follow(context: Context) -> Iterator[Fault]:
    """At most one text of a rule is in force on a day. A text that ends before it begins never
    applies; two texts on one day are ambiguous.
    """
    for rule, at in rules(context.catalog):
        texts = list(at.items("/versions", rule.versions))
        for text, place in texts:
            begun, ended = text.effective_from, text.effective_to
            if begun and ended and ended <= begun:
                yield place.fault(
                    "/effective_to",
                    f"A text of {rule.id} ends on {ended} but begins on {begun}.",
                    "Correct one of the dates; `effective_to` is the first day no longer in force.",
                )
        for (older, _), (newer, place) in combinations(texts, 2):
            if older.overlaps(newer):
                yield place.fault(
                    "/effective_from",
                    f"Two texts of {rule.id} are in force {_since(older, newer)}: "
                    f"{older.citation} and {newer.citation}.",
                    "End the older text on the day the newer one begins.",
                )


@check(
    "R018",
    "Two rules use one test on the same day",
    fix=(
        "Combine them into one rule with a text for each period, or correct the test "
        "(`certify rule --tests`)."
    ),
    wrong="two rules with the test largest_wager, both without an end",
    right="one rule with the test largest_wager and two texts, the older with an end",
)
def one_rule_for_a_test(context: Context) -> Iterator[Fault]:
    """The documents print one limit per test. With two rules in force for it, one of them would
    not be printed.
    """
    for (rule, first), (other, at) in combinations(rules(context.catalog), 2):
        if first.key != at.key or rule.test is None or rule.test != other.test:
            continue
        for text, newer in product(rule.versions, other.versions):
            if text.overlaps(newer):
                yield at.fault(
                    "/test",
                    f"{rule.id} and {other.id} both use the test {rule.test} "
                    f"{_since(text, newer)}.",
                )
                break


@check(
    "R019",
    "A rule id is not in the rule pack",
    fix="Correct the id, or declare the rule.",
    wrong='{"id": "players", "rule": "WA-PLAYER"}',
    right='{"id": "players", "rule": "WA-PLAYERS"}',
)
def unknown_rule(context: Context) -> Iterator[Fault]:
    """Checklist items, clauses and the headings of an application name rules by id, and headings
    name items. With an unknown id, no rule would be tested, and nothing would be printed.
    """
    packs = {
        where.id: tuple(rule.id for rule in where.rules)
        for where in context.catalog.jurisdictions.values()
    }
    named = [
        (item.rule, packs[where.id], at)
        for where in context.catalog.jurisdictions.values()
        for item, at in Location(f"jurisdictions/{where.id}").items("/checklist", where.checklist)
    ]
    for statement, at in statements(context.catalog):
        folder, _, name = at.key.partition("/")
        rule_ids = packs[name] if folder == "jurisdictions" else tuple(chain(*packs.values()))
        named.append((statement.rule, rule_ids, at))
    for where in context.catalog.jurisdictions.values():
        headings = where.application.headings if where.application is not None else ()
        place = Location(f"jurisdictions/{where.id}", "/application")
        items = tuple(item.id for item in where.checklist)
        for heading, at in place.items("/headings", headings):
            named.append((heading.rule, packs[where.id], at))
            for item, inner in at.items("/items", heading.items):
                yield from inner.unknown("", item, items, f"The checklist has no item {item}.")
    yield from _proved_by_no_test(context)
    for rule, rule_ids, at in named:
        if rule_ids:
            yield from at.unknown("/rule", rule, rule_ids, f"The rule pack has no rule {rule}.")


def _proved_by_no_test(context: Context) -> Iterator[Fault]:
    """Yield items that are proved by a rule but name none with a test."""
    for where in context.catalog.jurisdictions.values():
        tests = {rule.id: rule.test for rule in where.rules}
        for item, at in Location(f"jurisdictions/{where.id}").items("/checklist", where.checklist):
            untested = item.rule is None or (item.rule in tests and tests[item.rule] is None)
            if BY_RULE in item.proof and untested:
                yield at.fault(
                    f"/proof/{item.proof.index(BY_RULE)}",
                    f"The item {item.id} has the proof `rule`, but names no rule with a test.",
                    "Name a rule with a test, or the facts that complete the item.",
                )


def _since(text: RuleVersion, other: RuleVersion) -> str:
    """Return the date from which two texts are in force together, as text."""
    days = [day for day in (text.effective_from, other.effective_from) if day is not None]
    return f"from {max(days).isoformat()} on" if days else "at the same time"


def _unfit(rule: Rule, version: RuleVersion, at: Location) -> Iterator[Fault]:
    """Yield the faults of a text's parameters."""
    parameters = dict(version.parameters)
    test = TESTS.get(rule.test or "")
    if version.paytables and test is not allowed_paytables:
        yield at.fault(
            "/paytables",
            f"A text of {rule.id} has paytables that no test uses.",
            f"Name the test {allowed_paytables.name}, or remove the paytables.",
        )
    if (version.requires is None) is (test is required_values):
        yield at.fault(
            "/requires" if version.requires else "",
            f"`requires` and the test {required_values.name} go together in a text of {rule.id}.",
            "Add the one that is missing, or remove the other.",
        )
    if test is None:
        if parameters and rule.test is None:
            yield at.fault(
                "/parameters",
                f"A text of {rule.id} has parameters that no test uses.",
                "Name the test of the rule, or remove the parameters; `certify rule --tests` lists "
                "the tests.",
            )
        return
    for name, value in parameters.items():
        declared = test.parameter(name)
        if declared is None:
            message = f"The test {test.name} has no parameter `{name}`."
            yield at.fault(f"/parameters/{name}", message, _other_test(name, test))
        elif not declared.unit.fits(value):
            yield at.fault(
                f"/parameters/{name}",
                f"`{name}` is {str(value).lower()}; it must be {declared.unit.expected_form}.",
                f"Write {declared.unit.expected_form}: {declared.meaning}.",
            )
    for needed in test.parameters:
        name = needed.name
        if name not in parameters and (needed.required or needed.requires_with in parameters):
            condition = "" if needed.required else f" with `{needed.requires_with}`"
            yield at.fault(
                "/parameters" if parameters else "",
                f"The test {test.name} needs the parameter `{name}`{condition}.",
                f"Add `{name}` to the parameters of this text: {needed.meaning} ({needed.unit}).",
            )


def _other_test(name: str, test: RuleTest) -> str:
    """Return the fix for an unknown parameter."""
    taken = ", ".join(f"{each.name} ({each.unit})" for each in test.parameters)
    takes = f"{test.name} takes {taken or 'no parameter'}."
    others = [other.name for other in TESTS.values() if other.parameter(name)]
    if others:
        return f"{takes} `{name}` belongs to {' and '.join(others)}."
    names = (parameter.name for parameter in test.parameters)
    return f"{did_you_mean(name, names, 'Remove it:')} {takes}"


@check(
    "R027",
    "The text of a rule does not contain one of its limits",
    fix="Correct the parameter, or the text: quote the number that it declares.",
    wrong='{"text": "No wager is above $400.", "parameters": {"largest_wager_cents": 400}}',
    right='{"text": "No wager is above $400.", "parameters": {"largest_wager_cents": 40000}}',
)
def limits_in_texts(context: Context) -> Iterator[Fault]:
    """A submission is judged by the parameter, and the reader sees the text. An amount in dollars
    instead of cents, or a zero too many, would approve what the rule forbids. The number may be
    written in digits or in words; 1 may go unsaid. A text without any number is not compared.
    """
    for rule, place in rules(context.catalog):
        for version, at in place.items("/versions", rule.versions):
            numbers = find_numbers(version.text)
            quantities = find_quantities(version.text)
            amounts = {each.value for each in quantities if each.kind is Kind.MONEY}
            for name, value in version.parameters:
                if isinstance(value, bool) or value == 1:
                    continue
                in_cents = name.endswith("_cents")
                named = amounts if in_cents else numbers
                if named and value not in named:
                    written = money(value) if in_cents else f"{value:,}"
                    message = f"The text does not contain {written}: “{version.text}”"
                    yield at.fault(f"/parameters/{name}", message)
