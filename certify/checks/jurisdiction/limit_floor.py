"""The least aggregate payout limit that a jurisdiction lets be put on a wager."""

from fractions import Fraction
from math import ceil

from certify.checks.jurisdiction.facts import Filed, parameter, top_odds
from certify.checks.jurisdiction.limits import aggregate_floor, wagers_with_limit
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion


def limit_floor(filed: Filed, wager: Wager) -> int | None:
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
    known = [one for one in floors if one is not None]
    return ceil(max(known)) if known and len(known) == len(floors) else None


def _multiple_of_least(filed: Filed, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the greater of the top award and a multiple, each at the least wager."""
    highest, least = top_odds(filed, wager), filed.least(wager)
    if highest is None or least is None:
        return None
    return least * max(highest, Fraction(parameter(version, "least_wager_times")))


def _fixed(filed: Filed, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the greater of a fixed amount and the top award at the least wager."""
    highest, least = top_odds(filed, wager), filed.least(wager)
    if highest is None or least is None:
        return None
    return max(Fraction(parameter(version, "least_cents")), least * highest)


FLOORS = {
    "aggregate_limit_floor": aggregate_floor,
    "payout_cap_floor": _multiple_of_least,
    "fixed_payout_floor": _fixed,
}
"""How the tests of limits set the least, by the test's name."""
