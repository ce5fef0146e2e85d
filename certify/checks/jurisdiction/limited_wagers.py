"""Tests of payout limits: on which wagers they may be put, and on how many together."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.checks.fault import Location
from certify.checks.filed import odds, parameter, top_odds
from certify.checks.jurisdiction.rule_test import WEAK, Parameter, ParameterUnit, judges
from certify.checks.jurisdiction.verdict import Judging, by_people, not_applicable, satisfied
from certify.formatting import as_odds, listed
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.terms import TERMS, AggregateLimit


def limits_of(filed: Filing) -> Iterator[tuple[AggregateLimit, Location]]:
    """Yield the limits that the terms state."""
    return Location(TERMS).items("/aggregate_limits", filed.terms.aggregate_limits or ())


R004 = Code(
    "R004",
    "An aggregate payout limit is put on low odds",
    why=f"""A wager whose highest odds are below those that the rule names must be paid in full.
    {WEAK}""",
    mend="Take the wager out of the limit.",
    wrong='{"cents": 2000000, "wagers": ["bonus"]} where the bonus pays 40 to 1 at most',
    right='{"aggregate_limits": []}',
)


@judges(
    Parameter(
        "least_odds", ParameterUnit.ODDS, "the highest odds that a wager with a limit has at least"
    ),
    section="Largest exposure",
    finds=R004,
)
def no_aggregate_below_50(filed: Filing, version: RuleVersion) -> Judging:
    """No aggregate payout limit is put on a wager whose highest odds are low."""
    # The rules of play print which wagers these are.
    least = parameter(version, "least_odds")
    low = {each.wager: each for each in low_odds(filed, least)}
    if not low:
        return satisfied(f"Every wager has odds of {least} to 1 or more.")
    told = (
        f"No aggregate payout limit may be put on a wager whose highest odds are below {least} to "
        f"1: {listed(map(str, low.values()))}."
    )
    if filed.terms.aggregate_limits is None:
        return replace(by_people(told), notice=told)
    for limit, at in limits_of(filed):
        for name, place in at.items("/wagers", limit.wagers):
            if name in low:
                yield place.fault(
                    "",
                    f"There is an aggregate payout limit on {low[name]}, whose highest odds of "
                    f"{as_odds(low[name].highest)} are below {least} to 1.",
                )
    return replace(satisfied(f"{told} There is none."), notice=told)


R005 = Code(
    "R005",
    "An aggregate payout limit combines prizes",
    why=f"A limit is for one type of odds-based prize; several need a limit each. {WEAK}",
    mend="State a limit for each wager.",
    wrong='{"cents": 5000000, "wagers": ["bonus", "insurance"]}',
    right='{"cents": 2500000, "wagers": ["bonus"]} and one for the insurance',
)


@judges(
    Parameter(
        "wagers_per_limit",
        ParameterUnit.COUNT,
        "wagers that one limit may cover; any number where it is left out",
        required=False,
    ),
    section="Standing clauses",
    finds=R005,
)
def not_combined(filed: Filing, version: RuleVersion) -> Judging:
    """No aggregate payout limit covers more wagers than are allowed; a person judges that it is
    approved and displayed.
    """
    limits = filed.terms.aggregate_limits
    if limits is None:
        return by_people("A limit, if there is one, must be approved and displayed.")
    if not limits:
        return not_applicable("There is no aggregate payout limit.")
    most = version.parameter("wagers_per_limit")
    for limit, at in limits_of(filed):
        if most is not None and len(limit.wagers) > most:
            message = f"One aggregate payout limit combines {len(limit.wagers)} wagers."
            yield at.fault("/wagers", message)
    number = f"{len(limits)} limit{'s' if len(limits) > 1 else ''}, none of them combined"
    return by_people(f"{number}. Not decided here: that all are approved and displayed.")


def wagers_with_limit(filed: Filing) -> tuple[Wager, ...]:
    """Return the wagers on which the jurisdiction lets an aggregate payout limit be put."""
    for rule in filed.jurisdiction.rules:
        version = rule.version_at(filed.as_of)
        if rule.test == no_aggregate_below_50.name and version is not None:
            low = low_odds(filed, parameter(version, "least_odds"))
            whole = {each.wager for each in low if not each.paytables}
            return tuple(wager for wager in filed.wagers if wager.id not in whole)
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
