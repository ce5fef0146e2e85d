"""Tests of amounts: wagers, games on one hand, aggregate payout limits, reserves, players."""

from fractions import Fraction

from certify.checks.rule_pack_facts import (
    TERMS,
    Filed,
    Verdict,
    at,
    broken,
    by_people,
    listed,
    money,
    not_applicable,
    odds,
    satisfied,
    to_one,
    top_odds,
    unverified,
)
from certify.errors import NotConfigured
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.terms import AggregateLimit, Scope


def largest_wager(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that no stated wager is above the limit."""
    limit = _parameter(version, "largest_wager_cents")
    faults = []
    for wager in filed.wagers:
        stated = filed.largest(wager)
        if stated is not None and stated > limit:
            message = (
                f"The largest wager on {wager.name} is {money(stated)}; {money(limit)} is allowed."
            )
            faults.append(at(filed.place_of_largest(wager), message))
    if faults:
        return broken(faults)
    open_ = tuple(one.name for one in filed.wagers if filed.largest(one) is None)
    if open_:
        return unverified(
            f"No largest wager is stated for {listed(open_)}; it is {money(limit)} at most."
        )
    return satisfied(f"No wager is above {money(limit)}.")


def games_per_hand(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge how many separate games are offered on one hand, and how many above the threshold."""
    most = _parameter(version, "largest_number")
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
            f"{len(wagers)} of {most} games. No largest wager is stated for "
            f"{listed(tuple(one.name for one in unstated))}; at most {most_above} games may take "
            f"wagers above {money(threshold)}."
        )
    return satisfied(
        f"{len(wagers)} of {most} games; at most {len(above) + len(unstated)} of {most_above} "
        f"above {money(threshold)}."
    )


def aggregate_limit_floor(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that no aggregate payout limit is below the least one that is allowed."""
    floors = {
        wager.id: (wager, floor)
        for wager in filed.wagers
        if (floor := aggregate_floor(filed, wager, version)) is not None
    }
    least = (
        " ".join(f"{wager.name}: {money(floor)}." for wager, floor in floors.values())
        or "The largest wager is not stated."
    )
    limits = filed.terms.aggregate_limits
    if limits is None:
        return by_people(f"A limit, if there is one, is at least: {least}")
    if not limits:
        return not_applicable("There is no aggregate payout limit.")
    faults = []
    for place, limit in enumerate(limits):
        twice = version.parameter("table_times_player") if limit.scope is Scope.TABLE else None
        for name in limit.wagers:
            wager, floor = floors.get(name, (None, Fraction(0)))
            needed = floor * (twice or 1)
            if wager is not None and limit.cents < needed:
                message = (
                    f"The aggregate payout limit of {money(limit.cents)} on {wager.name} is below "
                    f"{money(needed)}."
                )
                faults.append(at((TERMS, f"/aggregate_limits/{place}/cents"), message))
    if faults:
        return broken(faults)
    unknown = _unknown_wagers(filed, limits, floors)
    if unknown:
        return unverified(f"The largest wager is not stated for {listed(unknown)}.")
    return satisfied(f"No limit is below the least one. {least}")


def aggregate_floor(filed: Filed, wager: Wager, version: RuleVersion) -> Fraction | None:
    """Return the least aggregate payout limit of a wager in cents; None if it is not known.

    The largest wager times the highest odds, counted up to the version's ``highest_odds``; in a
    text with ``least_wager_at_full_odds`` at least the least wager times the full odds.
    """
    highest, largest = top_odds(filed, wager), filed.allowed(wager)
    if highest is None or largest is None:
        return None
    floor = largest * min(highest, Fraction(_parameter(version, "highest_odds")))
    least = filed.least(wager)
    if version.parameter("least_wager_at_full_odds") and least is not None:
        floor = max(floor, least * highest)
    return floor


def no_aggregate_on_low_odds(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that no aggregate payout limit is put on a wager with low odds."""
    least = _parameter(version, "least_odds")
    low = {
        one.id: (one, highest)
        for one in filed.wagers
        if (highest := top_odds(filed, one)) is not None and highest < least
    }
    if not low:
        return satisfied(f"Every wager has odds of {least} to 1 or more.")
    names = listed(tuple(wager.name for wager, _ in low.values()))
    limits = filed.terms.aggregate_limits
    if limits is None:
        return by_people(f"No limit may be put on {names}.")
    faults = [
        at(
            (TERMS, f"/aggregate_limits/{place}/wagers/{index}"),
            f"There is an aggregate payout limit on {low[name][0].name}, whose highest odds of "
            f"{to_one(low[name][1])} are below {least} to 1.",
        )
        for place, limit in enumerate(limits)
        for index, name in enumerate(limit.wagers)
        if name in low
    ]
    return broken(faults) if faults else satisfied(f"No limit is put on {names}.")


def not_combined(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge that an aggregate payout limit covers one type of prize; people see to the posting."""
    limits = filed.terms.aggregate_limits
    if limits is None:
        return by_people("A limit, if there is one, is approved and displayed.")
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
    return by_people(f"{len(limits)} limits; people see that they are approved and displayed.")


def reserve_for_second_prize(filed: Filed, version: RuleVersion) -> Verdict:
    """Compute the second highest odds-based prize, and whether a reserve is asked for."""
    threshold = _parameter(version, "threshold_cents")
    if any(filed.allowed(one) is None for one in filed.wagers):
        return unverified("The largest wager is not stated, so no prize can be computed.")
    second = second_prize(filed)
    if second is None or second <= threshold:
        amount = "none" if second is None else money(second)
        return not_applicable(
            f"At the largest wagers stated or allowed the second highest odds-based prize is "
            f"{amount}, not above {money(threshold)}."
        )
    return by_people(
        f"At the largest wagers stated or allowed the second highest odds-based prize is "
        f"{money(second)}, above {money(threshold)}: a bank account or a line of credit of at "
        "least that amount is needed."
    )


def second_prize(filed: Filed) -> Fraction | None:
    """Return the second highest odds-based prize in cents that can be offered at one table.

    One paytable of each wager is offered at a time. The two highest prizes then stand in one
    paytable, or at the top of those of two wagers; the greatest second prize is that of the choice
    for which it is greatest. None if there are not two prizes.
    """
    tops, seconds = [], []
    for wager in filed.wagers:
        largest = filed.allowed(wager)
        tables = [odds(one) for one in filed.tables(wager)]
        if filed.option in wager.options and (highest := top_odds(filed, wager)) is not None:
            tables.append((highest,))
        prizes = [[one * largest for one in table] for table in tables if largest is not None]
        tops += [max(table[0] for table in prizes if table)] if any(prizes) else []
        seconds += [table[1] for table in prizes if len(table) > 1]
    candidates = [*seconds, *sorted(tops, reverse=True)[1:2]]
    return max(candidates, default=None)


def payout_cap_floor(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge a payout limit per player against the top award and a multiple of the least wager."""
    times = _parameter(version, "least_wager_times")
    floors = {
        one.id: max(highest, Fraction(times)) for one in filed.wagers
        if (highest := top_odds(filed, one)) is not None
    }  # fmt: skip
    limits = filed.terms.aggregate_limits
    if limits is None:
        parts = " ".join(
            f"{one.name}: {floors[one.id]} times the least wager."
            for one in filed.wagers
            if one.id in floors
        )
        return by_people(f"A limit per player, if there is one, is at least: {parts}")
    if not limits:
        return not_applicable("There is no payout limit.")
    wagers = {one.id: one for one in filed.wagers}
    faults = []
    for place, limit in enumerate(limits):
        for name in limit.wagers:
            least = filed.least(wagers[name]) if name in wagers else None
            if least is None:
                return unverified("The least wager is not stated.")
            if name in floors and limit.cents < floors[name] * least:
                message = (
                    f"The payout limit of {money(limit.cents)} on {wagers[name].name} is below "
                    f"{money(floors[name] * least)}."
                )
                faults.append(at((TERMS, f"/aggregate_limits/{place}/cents"), message))
    return broken(faults) if faults else satisfied("No payout limit is below the least one.")


def players_at_table(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge the number of players at the table."""
    most = _parameter(version, "largest_number")
    stated = filed.terms.players
    players = filed.game.players if stated is None else stated
    if players <= most:
        return satisfied(f"{players} players; {most} are allowed.")
    place = (filed.game.id, "/players") if stated is None else (TERMS, "/players")
    return broken([at(place, f"{players} players sit at the table; {most} are allowed.")])


def _parameter(version: RuleVersion, name: str) -> int:
    """Return a number that the text must give.

    Raises:
        NotConfigured: it does not.
    """
    value = version.parameter(name)
    if value is None:
        raise NotConfigured(
            f"The text of {version.citation} does not give {name}.",
            remedy="Add it to the parameters of that text.",
        )
    return value


def _unknown_wagers(
    filed: Filed, limits: tuple[AggregateLimit, ...], floors: dict[str, tuple[Wager, Fraction]]
) -> tuple[str, ...]:
    named = {name for limit in limits for name in limit.wagers}
    return tuple(one.name for one in filed.wagers if one.id in named and one.id not in floors)
