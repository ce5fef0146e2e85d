"""Tests of the prizes of one round: funds for the second highest, a payout limit per player."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from certify.checks.jurisdiction.facts import (
    Fault,
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
    top_share,
    unverified,
)
from certify.formatting import as_odds, exact_percentage, money, money_at_least, plain
from certify.model.approval import FilingStanding
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.payout import Basis, Payout
from certify.model.terms import TERMS


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """An odds-based prize: the wager and its record, the odds to 1, the wager taken in cents.

    ``limit`` is the least payout limit in cents that the wager is under, where that counts.
    """

    wager: str
    record: str
    odds: Fraction
    wagered: int
    limit: int | None = None

    @property
    def cents(self) -> Fraction:
        """The prize in cents."""
        prize = self.odds * self.wagered
        return prize if self.limit is None else min(prize, Fraction(self.limit))

    def __str__(self) -> str:
        """The amount with its wager, record, odds and stake."""
        return (
            f"{money_at_least(self.cents)} ({self.wager}, {self.record}: {as_odds(self.odds)} at "
            f"{money(self.wagered)})"
        )


def reserve_for_second_prize(filed: Filed, version: RuleVersion) -> Verdict:
    """Compute the second highest odds-based prize, and whether a reserve is asked for."""
    threshold = parameter(version, "threshold_cents")
    if any(filed.allowed(one) is None for one in filed.wagers):
        return unverified("The maximum wager is not stated, so no prize can be computed.")
    pair = two_prizes(filed)
    if pair is None:
        return not_applicable("Fewer than two odds-based prizes are filed.")
    first, second = pair
    told = (
        "At the maximum wagers stated or allowed, the two highest odds-based prizes that can be "
        f"offered together, by the second of them, are {first} and {second}."
    )
    if second.cents <= threshold:
        return not_applicable(
            f"{told} The second is not above {money(threshold)}.{_left_out(filed)}"
        )
    limited = two_prizes(filed, limited=True)
    if limited is not None and limited[1].cents <= threshold:
        return by_people(
            f"{told} The second is above {money(threshold)}. With the payout limits that are "
            f"stated it is {money_at_least(limited[1].cents)}, which is not: a person has to judge "
            f"that they count here.{_left_out(filed)}"
        )
    return by_people(
        f"{told} The second is above {money(threshold)}: a bank account or a line of credit of at "
        f"least {money_at_least(second.cents)} is needed.{_left_out(filed)}"
    )


def two_prizes(filed: Filed, *, limited: bool = False) -> tuple[Prize, Prize] | None:
    """Return the two highest odds-based prizes that can be offered at one table.

    With ``limited`` no prize counts for more than the payout limits that are stated.

    One paytable of each wager is offered at a time. The two highest prizes then stand in one
    paytable, or at the top of those of two wagers; the choice is the one whose second prize is
    greatest, and then its first. None if there are not two prizes.
    """
    tops: list[Prize] = []
    pairs: list[tuple[Prize, Prize]] = []
    for wager in filed.wagers:
        tables = _prizes(filed, wager, limited=limited)
        if tables:
            tops.append(max((one[0] for one in tables), key=_cents))
        pairs += [(one[0], one[1]) for one in tables if len(one) > 1]
    tops.sort(key=_cents, reverse=True)
    if len(tops) > 1:
        pairs.append((tops[0], tops[1]))
    return max(pairs, key=lambda pair: (pair[1].cents, pair[0].cents), default=None)


def _cents(prize: Prize) -> Fraction:
    return prize.cents


def _prizes(filed: Filed, wager: Wager, *, limited: bool) -> list[tuple[Prize, ...]]:
    """Return the prizes of each filed record of a wager, the highest first."""
    largest = filed.allowed(wager)
    if largest is None:
        return []
    limits = [one.cents for one in filed.terms.aggregate_limits or () if wager.id in one.wagers]
    limit = min(limits, default=None) if limited else None
    records = [(f"paytable {one.id}", odds(one)) for one in filed.tables(wager)]
    highest = top_odds(filed, wager)
    if filed.option in wager.options and highest is not None:
        records.append((f"option {filed.option.id}", (highest,)))
    return [
        tuple(
            Prize(wager=wager.name, record=record, odds=one, wagered=largest, limit=limit)
            for one in table[:2]
        )
        for record, table in records
        if table
    ]


def _left_out(filed: Filed) -> str:
    """Return what the prizes do not hold, and how dynamic pays were counted."""
    metered = [one for one in filed.wagers if top_share(filed, one) is not None]
    drawn = [
        one for one in filed.wagers if any(table.dynamic is not None for table in filed.tables(one))
    ]
    parts = []
    if metered:
        parts.append(
            " Shares of meters are left out; they can make the highest prize of "
            f"{filed.named(metered)} larger."
        )
    if drawn:
        parts.append(f" {filed.named(drawn)}: each row counts with its greatest dynamic pay.")
    return "".join(parts)


def payout_cap_floor(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge a payout limit per player against the top award and a multiple of the least wager."""
    times = parameter(version, "least_wager_times")
    floors = {
        one.id: max(highest, Fraction(times)) for one in filed.wagers
        if (highest := top_odds(filed, one)) is not None
    }  # fmt: skip
    limits = filed.terms.aggregate_limits
    if limits is None:
        parts = amounts(
            (one.name, _floor_text(filed, one, floors[one.id]))
            for one in filed.wagers
            if one.id in floors
        )
        return by_people(f"A limit per player, if there is one, is at least {parts}.")
    if not limits:
        return not_applicable("There is no payout limit.")
    wagers = {one.id: one for one in filed.wagers}
    named = [wagers[name] for limit in limits for name in limit.wagers if name in wagers]
    if any(filed.least(one) is None for one in named):
        return unverified("The minimum wager is not stated.")
    faults = _below(filed, wagers, floors)
    if faults:
        return broken(faults)
    metered = [one for one in named if top_share(filed, one) is not None]
    if metered:
        return by_people(
            f"No payout limit is below the minimum of the fixed pays. A person has to judge the "
            f"limit against the meters of {filed.named(metered)}."
        )
    return satisfied("No payout limit is below the minimum.")


def _floor_text(filed: Filed, wager: Wager, times: Fraction) -> str:
    """Return the minimum limit of a wager in words; the top award may be a share of a meter."""
    fixed = f"{plain(times)} times the minimum wager"
    share = top_share(filed, wager)
    if share is None:
        return fixed
    return f"the greater of {exact_percentage(share)} of the meter and {fixed}"


def _below(filed: Filed, wagers: dict[str, Wager], floors: dict[str, Fraction]) -> list[Fault]:
    """Return the limits that are below the minimum of the fixed pays."""
    faults = []
    for place, limit in enumerate(filed.terms.aggregate_limits or ()):
        for name in limit.wagers:
            least = filed.least(wagers[name]) if name in wagers else None
            if least is not None and name in floors and limit.cents < floors[name] * least:
                message = (
                    f"The payout limit of {money(limit.cents)} on {wagers[name].name} is below "
                    f"{money_at_least(floors[name] * least)}."
                )
                faults.append(at((TERMS, f"/aggregate_limits/{place}/cents"), message))
    return faults


def fixed_payout_floor(filed: Filed, version: RuleVersion) -> Verdict:
    """Judge a payout limit against a fixed amount and the top award at the least wager."""
    least = parameter(version, "least_cents")
    limits = filed.terms.aggregate_limits
    if limits is None:
        return by_people(
            f"A limit, if there is one, is at least {money(least)}, and at least the top award at "
            "the minimum wager."
        )
    if not limits:
        return not_applicable("There is no payout limit.")
    wagers = {one.id: one for one in filed.wagers}
    faults = []
    for place, limit in enumerate(limits):
        tops = [_at_least_wager(filed, wagers[name]) for name in limit.wagers if name in wagers]
        floor = max([Fraction(least), *(one for one in tops if one is not None)])
        if limit.cents < floor:
            message = f"The payout limit of {money(limit.cents)} is below {money_at_least(floor)}."
            faults.append(at((TERMS, f"/aggregate_limits/{place}/cents"), message))
    if faults:
        return broken(faults)
    named = [wagers[name] for limit in limits for name in limit.wagers if name in wagers]
    unknown = [one for one in named if _at_least_wager(filed, one) is None]
    if unknown:
        return unverified(f"The minimum wager is not stated for {filed.named(unknown)}.")
    metered = [one for one in named if top_share(filed, one) is not None]
    if metered:
        return by_people(
            f"No payout limit is below {money(least)}. A person has to judge the limit against "
            f"the meters of {filed.named(metered)}."
        )
    return satisfied(
        f"No payout limit is below {money(least)} or the top award at the minimum wager."
    )


def _at_least_wager(filed: Filed, wager: Wager) -> Fraction | None:
    """Return the top award of a wager at its minimum in cents; None if that is not known."""
    highest, least = top_odds(filed, wager), filed.least(wager)
    return None if highest is None or least is None else highest * least


def pays_to_one(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Judge that every pay is stated as "to"; a record that states "for" has to be approved."""
    approved = {
        one.target for one in filed.standings or () if one.standing is FilingStanding.APPROVED
    }
    faults, granted = [], []
    for target, pays in _pays(filed):
        found = [(pointer, pay) for pointer, pay in pays if pay.basis is Basis.FOR]
        if found and target in approved:
            granted.append(target.rpartition("/")[2])
        elif found:
            pointer, pay = found[0]
            number = f" {len(found)} pays of the record are stated so." if len(found) > 1 else ""
            message = f"{target} states a pay as “{pay}”, not as “to”.{number}"
            faults.append(at((target, pointer), message))
    if faults:
        return broken(faults)
    told = f" or approved as it is: {', '.join(granted)}" if granted else ""
    return satisfied(f"Every pay is stated as “to”{told}.")


def _pays(filed: Filed) -> Iterator[tuple[str, list[tuple[str, Payout]]]]:
    """Yield each filed record with its pays, and where each of them stands in its file."""
    for option in filed.options:
        rules = [("/win_pays", option.win_pays)]
        rules += [
            (f"/dealer_rules/{place}/win_pays", one.win_pays)
            for place, one in enumerate(option.dealer_rules)
            if one.win_pays is not None
        ]
        yield option.target, rules
    for table in filed.paytables:
        pays = [(f"/rows/{place}/pays", row.payout) for place, row in enumerate(table.rows)]
        pays += [
            (f"/rows/{place}/dynamic/{index}", pay)
            for place, row in enumerate(table.rows)
            for index, pay in enumerate(row.dynamic)
        ]
        yield table.target, pays
