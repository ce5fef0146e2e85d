"""Tests of amounts: wagers, games on one hand, aggregate payout limits, players."""

from dataclasses import dataclass, replace
from fractions import Fraction

from certify.checks.jurisdiction.facts import (
    Filed,
    Verdict,
    amounts,
    at,
    broken,
    by_people,
    not_applicable,
    odds,
    parameter,
    satisfied,
    top_odds,
    unverified,
)
from certify.formatting import as_odds, listed, money, money_at_least
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.terms import TERMS, Scope


def largest_wager(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that no stated wager is above the limit."""
    limit = parameter(version, "largest_wager_cents")
    faults = []
    for wager in filed.wagers:
        stated = filed.largest(wager)
        if stated is not None and stated > limit:
            message = (
                f"The maximum wager on {wager.name} is {money(stated)}; {money(limit)} is allowed."
            )
            faults.append(at(filed.place_of_largest(wager), message))
    if faults:
        return broken(faults)
    open_ = [one for one in filed.wagers if filed.largest(one) is None]
    if open_:
        return unverified(
            f"No maximum wager is stated for {filed.named(open_)}; it is {money(limit)} at most."
        )
    return satisfied(f"No wager is above {money(limit)}.")


def games_per_hand(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge how many separate games are offered on one hand, and how many above the threshold."""
    most = parameter(version, "largest_number")
    wagers = filed.wagers
    faults = []
    if len(wagers) > most:
        message = f"{len(wagers)} games are offered on one hand; {most} are allowed."
        faults.append(at((filed.game.id, "/wagers"), message))
    threshold = version.parameter("threshold_cents")
    most_above = version.parameter("largest_number_above_threshold")
    if threshold is None or most_above is None:
        return broken(faults) if faults else satisfied(f"{len(wagers)} of {most} games.")
    stated = [(one, filed.largest(one)) for one in wagers]
    above = [one for one, cents in stated if cents is not None and cents > threshold]
    unstated = [one for one, cents in stated if cents is None]
    if len(above) > most_above:
        message = (
            f"{len(above)} games take wagers above {money(threshold)}; {most_above} are allowed."
        )
        faults.append(at(filed.place_of_largest(above[-1]), message))
    if faults:
        return broken(faults)
    if len(above) + len(unstated) > most_above:
        return unverified(
            f"{len(wagers)} of {most} games. No maximum wager is stated for "
            f"{filed.named(unstated)}; at most {most_above} games may take wagers above "
            f"{money(threshold)}."
        )
    return satisfied(
        f"{len(wagers)} of {most} games; at most {len(above) + len(unstated)} of {most_above} "
        f"above {money(threshold)}."
    )


def aggregate_limit_floor(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that no aggregate payout limit is below the minimum.

    A wager whose odds are too low for any limit, by another rule of the jurisdiction, has none.
    """
    allowed = wagers_with_limit(filed)
    floors = {
        wager.id: (wager, floor)
        for wager in allowed
        if (floor := aggregate_floor(filed, wager, version)) is not None
    }
    least = amounts((wager.name, money_at_least(floor)) for wager, floor in floors.values())
    limits = filed.terms.aggregate_limits
    if limits is None:
        told = f"A limit, if there is one, is at least {least}."
        return by_people(told) if least else unverified("The maximum wager is not stated.")
    if not limits or not allowed:
        return not_applicable("There is no aggregate payout limit that may be put on a wager here.")
    faults = []
    for place, limit in enumerate(limits):
        twice = version.parameter("table_times_player") if limit.scope is Scope.TABLE else None
        for name in limit.wagers:
            wager, floor = floors.get(name, (None, Fraction(0)))
            needed = floor * (twice or 1)
            if wager is not None and limit.cents < needed:
                message = (
                    f"The aggregate payout limit of {money(limit.cents)} on {wager.name} is below "
                    f"{money_at_least(needed)}."
                )
                faults.append(at((TERMS, f"/aggregate_limits/{place}/cents"), message))
    if faults:
        return broken(faults)
    named = {name for limit in limits for name in limit.wagers}
    unknown = [one for one in allowed if one.id in named and one.id not in floors]
    if unknown:
        return unverified(f"The maximum wager is not stated for {filed.named(unknown)}.")
    return satisfied(f"No limit is below the minimum: {least}.")


def aggregate_floor(filed: Filed, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the minimum aggregate payout limit of a wager in cents; None if it is not known.

    The largest wager times the highest odds, counted up to the version's ``highest_odds``; in a
    text with ``least_wager_at_full_odds`` at least the least wager times the full odds.
    """
    highest, largest = top_odds(filed, wager), filed.allowed(wager)
    if highest is None or largest is None:
        return None
    floor = largest * min(highest, Fraction(parameter(version, "highest_odds")))
    least = filed.least(wager)
    if version.parameter("least_wager_at_full_odds") and least is not None:
        floor = max(floor, least * highest)
    return floor


def wagers_with_limit(filed: Filed) -> tuple[Wager, ...]:
    """Return the wagers on which the jurisdiction lets an aggregate payout limit be put."""
    for rule in filed.jurisdiction.rules:
        version = rule.version_at(filed.as_of)
        if rule.test == "no_aggregate_below_50" and version is not None:
            low = low_odds(filed, parameter(version, "least_odds"))
            whole = {one.wager for one in low if not one.paytables}
            return tuple(one for one in filed.wagers if one.id not in whole)
    return filed.wagers


@dataclass(frozen=True, slots=True, kw_only=True)
class LowOdds:
    """A wager whose highest odds are too low for a limit: with some paytables only, or with all.

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
        return f"{self.name} with paytable{several} {listed(self.paytables)}"


def low_odds(filed: Filed, least: int) -> tuple[LowOdds, ...]:
    """Return the wagers whose highest odds are below ``least`` to 1."""
    found = []
    for wager in filed.wagers:
        tops = {one.id: table[0] for one in filed.tables(wager) if (table := odds(one))}
        low = {name: top for name, top in tops.items() if top < least}
        highest = top_odds(filed, wager)
        if highest is not None and highest < least:
            found.append(LowOdds(wager=wager.id, name=wager.name, highest=highest))
        elif low:
            found.append(
                LowOdds(
                    wager=wager.id,
                    name=wager.name,
                    highest=max(low.values()),
                    paytables=tuple(low),
                )
            )
    return tuple(found)


def no_aggregate_on_low_odds(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that no aggregate payout limit is put on a wager with low odds.

    The rules of play print which wagers these are.
    """
    least = parameter(version, "least_odds")
    low = {one.wager: one for one in low_odds(filed, least)}
    if not low:
        return satisfied(f"Every wager has odds of {least} to 1 or more.")
    told = (
        f"No aggregate payout limit may be put on {listed(map(str, low.values()))}: the "
        f"highest odds are below {least} to 1."
    )
    limits = filed.terms.aggregate_limits
    if limits is None:
        return replace(by_people(told), notice=told)
    faults = [
        at(
            (TERMS, f"/aggregate_limits/{place}/wagers/{index}"),
            f"There is an aggregate payout limit on {low[name]}, whose highest odds of "
            f"{as_odds(low[name].highest)} are below {least} to 1.",
        )
        for place, limit in enumerate(limits)
        for index, name in enumerate(limit.wagers)
        if name in low
    ]
    return broken(faults) if faults else replace(satisfied(f"{told} None is."), notice=told)


def not_combined(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that an aggregate payout limit covers one type of prize; a person sees to the rest."""
    limits = filed.terms.aggregate_limits
    if limits is None:
        return by_people("A limit, if there is one, must be approved and displayed.")
    if not limits:
        return not_applicable("There is no aggregate payout limit.")
    most = version.parameter("wagers_per_limit")
    faults = [
        at(
            (TERMS, f"/aggregate_limits/{place}/wagers"),
            f"One aggregate payout limit combines {len(limit.wagers)} wagers.",
        )
        for place, limit in enumerate(limits)
        if most is not None and len(limit.wagers) > most
    ]
    if faults:
        return broken(faults)
    number = f"{len(limits)} limit{'s' if len(limits) > 1 else ''}, none of them combined"
    return by_people(f"{number}. A person has to judge that all are approved and displayed.")


def players_at_table(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge the number of players at the table."""
    most = parameter(version, "largest_number")
    stated = filed.terms.players
    players = filed.game.players if stated is None else stated
    if players <= most:
        return satisfied(f"{players} players; {most} are allowed.")
    place = (filed.game.id, "/players") if stated is None else (TERMS, "/players")
    return broken([at(place, f"{players} players sit at the table; {most} are allowed.")])
