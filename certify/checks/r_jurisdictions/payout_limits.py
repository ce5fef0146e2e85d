"""Rule tests of payout limits, and the highest pays of a filed wager."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from certify.checks.framework import Location
from certify.checks.r_jurisdictions.rule_test import (
    WEAK,
    Judging,
    Parameter,
    ParameterUnit,
    not_applicable,
    parameter,
    review_verdict,
    rule_test,
    satisfied_verdict,
    unverified_verdict,
)
from certify.formatting import format_odds, join_words, money, money_at_least
from certify.model.finding import Code
from certify.model.game import Wager
from certify.model.jurisdiction import TERMS, AggregateLimit, RuleVersion, Scope
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, Paytable
from certify.model.submission import Filing


def place_of_largest(filed: Filing, wager: Wager) -> Location:
    """Return the position of a wager's largest amount."""
    if wager.id in dict(filed.terms.largest_wagers):
        return Location(TERMS, f"/largest_wagers/{wager.id}")
    return Location(wager.target, "/maximum_cents")


def odds(paytable: Paytable) -> tuple[Fraction, ...]:
    """Return the odds to 1 of every row with odds, the highest first; pays of meters have none.

    A row with dynamic pays counts with the greatest one.
    """
    row_odds = [
        [pay.net for pay in (row.payout, *row.dynamic) if pay.is_odds] for row in paytable.rows
    ]
    return tuple(sorted((max(pays) for pays in row_odds if pays), reverse=True))


def highest_win(option: MainWager) -> Fraction:
    """Return the highest odds to 1 of a win of the main wager itself."""
    wins = [rule.win_pays.net for rule in option.dealer_rules if rule.win_pays is not None]
    return max([option.win_pays.net, *wins])


def top_odds(filed: Filing, wager: Wager) -> Fraction | None:
    """Return the highest odds to 1 of a wager over its filed paytables or its option.

    A raise and a companion wager count with the main wager.
    """
    option = filed.main
    if option is not None and option in wager.options:
        return max([highest_win(option), *(pay.payout.net for pay in option.own_pays)])
    return max((pays[0] for table in filed.tables(wager) if (pays := odds(table))), default=None)


def top_share(filed: Filing, wager: Wager) -> Fraction | None:
    """Return the largest share of a meter that a wager's filed paytables pay, or None."""
    shares = (
        row.payout.amount
        for table in filed.tables(wager)
        for row in table.rows
        if row.payout.basis is Basis.METER
    )
    return max(shares, default=None)


def amounts(pairs: Iterable[tuple[str, str]]) -> str:
    """Return amounts with their names, grouped by amount: ``$5 for A and B``."""
    names: dict[str, list[str]] = {}
    for name, amount in pairs:
        names.setdefault(amount, []).append(name)
    return "; ".join(f"{amount} for {join_words(each)}" for amount, each in names.items())


def stated_limits(filed: Filing) -> Iterator[tuple[AggregateLimit, Location]]:
    """Yield the limits that the terms state."""
    return Location(TERMS).items("/aggregate_limits", filed.terms.aggregate_limits or ())


R004 = Code(
    "R004",
    "An aggregate payout limit applies to low odds",
    why=f"A wager whose highest odds are below those of the rule must be paid in full. {WEAK}",
    fix="Remove the wager from the limit.",
    wrong='{"cents": 2000000, "wagers": ["bonus"]} if the bonus pays at most 40 to 1',
    right='{"aggregate_limits": []}',
)


@rule_test(
    Parameter(
        "least_odds", ParameterUnit.ODDS, "the minimum of the highest odds of a wager with a limit"
    ),
    section="Largest exposure",
    code=R004,
)
def no_aggregate_below_50(filed: Filing, version: RuleVersion) -> Judging:
    """No aggregate payout limit applies to a wager with low highest odds."""
    # The rules of play print which wagers these are.
    least = parameter(version, "least_odds")
    low = {each.wager: each for each in low_odds(filed, least)}
    if not low:
        return satisfied_verdict(
            f"No wager, counted with those made with it, has highest odds below {least} to 1."
        )
    statement = (
        f"No aggregate payout limit may be put on a wager whose highest odds are below {least} to "
        f"1: {join_words(map(str, low.values()))}."
    )
    if filed.terms.aggregate_limits is None:
        return replace(review_verdict(statement), notice=statement)
    for limit, at in stated_limits(filed):
        for name, place in at.items("/wagers", limit.wagers):
            if name in low:
                yield place.fault(
                    "",
                    f"There is an aggregate payout limit on {low[name]}, whose highest odds of "
                    f"{format_odds(low[name].highest)} are below {least} to 1.",
                )
    return replace(satisfied_verdict(f"{statement} There is none."), notice=statement)


@rule_test(
    Parameter(
        "wagers_per_limit",
        ParameterUnit.COUNT,
        "wagers that one limit may cover; any number if omitted",
        required=False,
    ),
    section="Standing clauses",
    code=Code(
        "R005",
        "An aggregate payout limit combines prizes",
        why="A limit applies to one type of odds-based prize; each type needs its own limit. "
        f"{WEAK}",
        fix="Declare a limit for each wager.",
        wrong='{"cents": 5000000, "wagers": ["bonus", "insurance"]}',
        right='{"cents": 2500000, "wagers": ["bonus"]} and one for the insurance',
    ),
)
def not_combined(filed: Filing, version: RuleVersion) -> Judging:
    """No aggregate payout limit covers more wagers than allowed. Manual review decides that it is
    approved and displayed.
    """
    limits = filed.terms.aggregate_limits
    if limits is None:
        return review_verdict("A limit, if there is one, must be approved and displayed.")
    if not limits:
        return not_applicable("There is no aggregate payout limit.")
    most = version.parameter("wagers_per_limit")
    for limit, at in stated_limits(filed):
        if most is not None and len(limit.wagers) > most:
            message = f"One aggregate payout limit combines {len(limit.wagers)} wagers."
            yield at.fault("/wagers", message)
    number = f"{len(limits)} limit{'s' if len(limits) > 1 else ''}, none of them combined"
    return review_verdict(f"{number}. Not decided here: that all are approved and displayed.")


def wagers_with_limit(filed: Filing) -> tuple[Wager, ...]:
    """Return the wagers that may have an aggregate payout limit."""
    texts = filed.jurisdiction.find_texts(filed.as_of, no_aggregate_below_50.name)
    if not texts:
        return filed.wagers
    low = low_odds(filed, parameter(texts[0][1], "least_odds"))
    whole = {each.wager for each in low if not each.paytables}
    return tuple(wager for wager in filed.wagers if wager.id not in whole)


class LowOdds(Struct, frozen=True, kw_only=True):
    """A wager whose highest odds are too low for a limit.

    ``paytables`` are the ids of those paytables; empty where it is so with all that are filed.
    """

    wager: str
    name: str
    highest: Fraction
    paytables: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The wager, and the paytables if not all are meant."""
        if not self.paytables:
            return self.name
        several = "s" if len(self.paytables) > 1 else ""
        return f"{self.name} with paytable{several} {join_words(self.paytables)}"


def low_odds(filed: Filing, least: int) -> tuple[LowOdds, ...]:
    """Return the wagers whose highest odds are below ``least`` to 1."""
    low_wagers = []
    for wager in filed.wagers:
        tops = {table.id: pays[0] for table in filed.tables(wager) if (pays := odds(table))}
        low = {name: top for name, top in tops.items() if top < least}
        highest, some = top_odds(filed, wager), tuple(low)
        if highest is not None and highest < least:
            some = ()
        elif low:
            highest = max(low.values())
        else:
            continue
        low_wagers.append(LowOdds(wager=wager.id, name=wager.name, highest=highest, paytables=some))
    return tuple(low_wagers)


R003 = Code(
    "R003",
    "An aggregate payout limit is below the minimum",
    why="A limit on the payout of a round must cover the prizes: at least the maximum wager "
    "times the highest odds, up to the odds of the rule. A wager that may have no limit "
    f"(R004) has no minimum. {WEAK}",
    fix="Raise the limit, lower the maximum wager, or remove the limit.",
    wrong='{"cents": 1999999, "wagers": ["bonus"]} with wagers of $400 at 50 to 1',
    right='{"cents": 2000000, "wagers": ["bonus"]}',
)


@rule_test(
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
        "the minimum ratio of a limit for the table to a player's limit",
        required=False,
    ),
    section="Largest exposure",
    code=R003,
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
        statement = f"A limit, if there is one, is at least {least}."
        return (
            review_verdict(statement)
            if least
            else unverified_verdict("The maximum wager is not stated.")
        )
    if not limits:
        return not_applicable("The terms declare that there is no aggregate payout limit.")
    if not allowed:
        return not_applicable("No wager of this filing may have an aggregate payout limit.")
    for limit, at in stated_limits(filed):
        twice = version.parameter("table_times_player") if limit.scope is Scope.TABLE else None
        for wager, floor in (floors[name] for name in limit.wagers if name in floors):
            needed = floor * (twice or 1)
            if limit.cents < needed:
                yield at.fault(
                    "/cents",
                    f"The aggregate payout limit of {money(limit.cents)} on {wager.name} is below "
                    f"{money_at_least(needed)}.",
                )
    named = {name for limit in limits for name in limit.wagers}
    unknown = [wager for wager in allowed if wager.id in named and wager.id not in floors]
    if unknown:
        return unverified_verdict(
            f"The maximum wager is not stated for {filed.join_names(unknown)}."
        )
    return satisfied_verdict(f"No limit is below the minimum: {least}.")


@rule_test(
    Parameter("least_cents", ParameterUnit.CENTS, "the least payout limit"),
    section="Largest exposure",
    code=R003,
)
def fixed_payout_floor(filed: Filing, version: RuleVersion) -> Judging:
    """No payout limit is below the greater of a fixed amount and the top award at the minimum
    wager.
    """
    least = parameter(version, "least_cents")
    limits = filed.terms.aggregate_limits
    if limits is None:
        return review_verdict(
            f"A limit, if there is one, is at least {money(least)}, and at least the top award at "
            "the minimum wager."
        )
    if not limits:
        return not_applicable("There is no payout limit.")
    named = [wager for limit in limits for wager in _covered_wagers(filed, limit)]
    floors = {wager.id: _fixed_floor(filed, wager, version) for wager in named}
    for limit, at in stated_limits(filed):
        covered = [floors[wager.id] for wager in _covered_wagers(filed, limit)]
        floor = max([Fraction(least), *(each for each in covered if each is not None)])
        if limit.cents < floor:
            message = f"The payout limit of {money(limit.cents)} is below {money_at_least(floor)}."
            yield at.fault("/cents", message)
    unknown = [wager for wager in named if floors[wager.id] is None]
    if unknown:
        return unverified_verdict(
            f"The minimum wager is not stated for {filed.join_names(unknown)}."
        )
    metered = [wager for wager in named if top_share(filed, wager) is not None]
    if metered:
        return review_verdict(
            f"No payout limit is below {money(least)}. Not decided here: the limit against "
            f"the meters of {filed.join_names(metered)}."
        )
    return satisfied_verdict(
        f"No payout limit is below {money(least)} or the top award at the minimum wager."
    )


def _odds_floor(filed: Filing, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the minimum aggregate payout limit of a wager in cents; None if it is not known.

    The largest wager times the highest odds, counted up to the version's ``highest_odds``; in a
    text with ``least_wager_at_full_odds`` at least the least wager times the full odds.
    """
    highest, largest = top_odds(filed, wager), filed.maximum_wager(wager)
    if highest is None or largest is None:
        return None
    floor = largest * min(highest, Fraction(parameter(version, "highest_odds")))
    least = filed.terms.least(wager)
    if version.parameter("least_wager_at_full_odds") and least is not None:
        floor = max(floor, least * highest)
    return floor


def _covered_wagers(filed: Filing, limit: AggregateLimit) -> list[Wager]:
    """Return the filed wagers that a limit covers, in its order."""
    wagers = {wager.id: wager for wager in filed.wagers}
    return [wagers[name] for name in limit.wagers if name in wagers]


def limit_floor(filed: Filing, wager: Wager) -> int | None:
    """Return the smallest limit for one player in cents by all rules in force.

    None where no rule sets one, a fact that it rests on is not known, or the wager may have none.
    """
    if wager not in wagers_with_limit(filed):
        return None
    texts = filed.jurisdiction.find_texts(filed.as_of, *FLOORS)
    floors = [FLOORS[test](filed, wager, text) for test, text in texts]
    counted = [floor for floor in floors if floor is not None]
    return ceil(max(counted)) if counted and len(counted) == len(floors) else None


def _fixed_floor(filed: Filing, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the greater of a fixed amount and the top award at the minimum wager."""
    highest, least = top_odds(filed, wager), filed.terms.least(wager)
    if highest is None or least is None:
        return None
    return max(Fraction(parameter(version, "least_cents")), least * highest)


FLOORS = {
    aggregate_limit_floor.name: _odds_floor,
    fixed_payout_floor.name: _fixed_floor,
}
"""Functions that set the least limit, by the name of the rule test."""
