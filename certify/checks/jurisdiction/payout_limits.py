"""Tests of payout limits: how low they may be."""

from fractions import Fraction
from math import ceil

from certify.checks.filed import amounts, parameter, top_odds, top_share
from certify.checks.jurisdiction.limited_wagers import limits_of, wagers_with_limit
from certify.checks.jurisdiction.rule_test import WEAK, Parameter, ParameterUnit, judges
from certify.checks.jurisdiction.verdict import (
    Judging,
    by_people,
    not_applicable,
    satisfied,
    unverified,
)
from certify.formatting import money, money_at_least
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.terms import AggregateLimit, Scope

R003 = Code(
    "R003",
    "An aggregate payout limit is below the minimum",
    why=f"""A limit on what is paid in a round must leave room for the prizes: at least the maximum
    wager times the highest odds, counted up to the odds that the rule names. A wager on which no
    limit may be put (R004) has no minimum. {WEAK}""",
    mend="Raise the limit, lower the maximum wager, or have no limit.",
    remedy="Raise the limit, or lower the maximum wager.",
    wrong='{"cents": 1999999, "wagers": ["bonus"]} with wagers of $400 at 50 to 1',
    right='{"cents": 2000000, "wagers": ["bonus"]}',
)


@judges(
    Parameter("highest_odds", ParameterUnit.ODDS, "the odds up to which the highest odds count"),
    Parameter(
        "least_wager_at_full_odds",
        ParameterUnit.FLAG,
        "whether the limit is also at least the minimum wager times the full odds",
        required=False,
    ),
    Parameter(
        "table_times_player",
        ParameterUnit.TIMES,
        "how many times a player's limit a limit for the table is at least",
        required=False,
    ),
    section="Largest exposure",
    finds=R003,
)
def aggregate_limit_floor(filed: Filing, version: RuleVersion) -> Judging:
    """No aggregate payout limit is below the maximum wager times the highest odds."""
    # A wager whose odds are too low for any limit, by another rule of the jurisdiction, has none.
    allowed = wagers_with_limit(filed)
    floors = {
        wager.id: (wager, floor)
        for wager in allowed
        if (floor := _odds_floor(filed, wager, version)) is not None
    }
    least = amounts((wager.name, money_at_least(floor)) for wager, floor in floors.values())
    limits = filed.terms.aggregate_limits
    if limits is None:
        told = f"A limit, if there is one, is at least {least}."
        return by_people(told) if least else unverified("The maximum wager is not stated.")
    if not limits or not allowed:
        return not_applicable("There is no aggregate payout limit that may be put on a wager here.")
    for limit, at in limits_of(filed):
        twice = version.parameter("table_times_player") if limit.scope is Scope.TABLE else None
        for wager, floor in (floors[name] for name in limit.wagers if name in floors):
            needed = floor * (twice or 1)
            if limit.cents < needed:
                message = (
                    f"The aggregate payout limit of {money(limit.cents)} on {wager.name} is below "
                    f"{money_at_least(needed)}."
                )
                yield at.fault("/cents", message)
    named = {name for limit in limits for name in limit.wagers}
    unknown = [wager for wager in allowed if wager.id in named and wager.id not in floors]
    if unknown:
        return unverified(f"The maximum wager is not stated for {filed.named(unknown)}.")
    return satisfied(f"No limit is below the minimum: {least}.")


@judges(
    Parameter("least_cents", ParameterUnit.CENTS, "the least payout limit"),
    section="Largest exposure",
    finds=R003,
)
def fixed_payout_floor(filed: Filing, version: RuleVersion) -> Judging:
    """No payout limit is below the greater of a fixed amount and the top award at the minimum
    wager.
    """
    least = parameter(version, "least_cents")
    limits = filed.terms.aggregate_limits
    if limits is None:
        return by_people(
            f"A limit, if there is one, is at least {money(least)}, and at least the top award at "
            "the minimum wager."
        )
    if not limits:
        return not_applicable("There is no payout limit.")
    named = [wager for limit in limits for wager in _covered(filed, limit)]
    floors = {wager.id: _fixed_floor(filed, wager, version) for wager in named}
    for limit, at in limits_of(filed):
        known = [floors[wager.id] for wager in _covered(filed, limit)]
        floor = max([Fraction(least), *(each for each in known if each is not None)])
        if limit.cents < floor:
            message = f"The payout limit of {money(limit.cents)} is below {money_at_least(floor)}."
            yield at.fault("/cents", message)
    unknown = [wager for wager in named if floors[wager.id] is None]
    if unknown:
        return unverified(f"The minimum wager is not stated for {filed.named(unknown)}.")
    metered = [wager for wager in named if top_share(filed, wager) is not None]
    if metered:
        return by_people(
            f"No payout limit is below {money(least)}. Not decided here: the limit against "
            f"the meters of {filed.named(metered)}."
        )
    return satisfied(
        f"No payout limit is below {money(least)} or the top award at the minimum wager."
    )


def _odds_floor(filed: Filing, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the minimum aggregate payout limit of a wager in cents; None if it is not known.

    The largest wager times the highest odds, counted up to the version's ``highest_odds``; in a
    text with ``least_wager_at_full_odds`` at least the least wager times the full odds.
    """
    highest, largest = top_odds(filed, wager), filed.allowed(wager)
    if highest is None or largest is None:
        return None
    floor = largest * min(highest, Fraction(parameter(version, "highest_odds")))
    least = filed.terms.least(wager)
    if version.parameter("least_wager_at_full_odds") and least is not None:
        floor = max(floor, least * highest)
    return floor


def _covered(filed: Filing, limit: AggregateLimit) -> list[Wager]:
    """Return the filed wagers that a limit covers, in its order."""
    wagers = {wager.id: wager for wager in filed.wagers}
    return [wagers[name] for name in limit.wagers if name in wagers]


def limit_floor(filed: Filing, wager: Wager) -> int | None:
    """Return the least limit for one player in cents by all rules that are in force.

    None where no rule sets one, a fact that it rests on is not known, or the wager may have none.
    """
    if wager not in wagers_with_limit(filed):
        return None
    floors = []
    for rule in filed.jurisdiction.rules:
        version = rule.version_at(filed.as_of)
        if version is not None and rule.test in FLOORS:
            floors.append(FLOORS[rule.test](filed, wager, version))
    known = [floor for floor in floors if floor is not None]
    return ceil(max(known)) if known and len(known) == len(floors) else None


def _fixed_floor(filed: Filing, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the greater of a fixed amount and the top award at the least wager."""
    highest, least = top_odds(filed, wager), filed.terms.least(wager)
    if highest is None or least is None:
        return None
    return max(Fraction(parameter(version, "least_cents")), least * highest)


FLOORS = {
    aggregate_limit_floor.name: _odds_floor,
    fixed_payout_floor.name: _fixed_floor,
}
"""How the tests of limits set the least, by the test's name."""
