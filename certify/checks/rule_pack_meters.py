"""Tests of progressive wagers: what the rules state, what is linked, why a meter is lowered."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from certify.checks.rule_pack_facts import (
    TERMS,
    Filed,
    Verdict,
    at,
    broken,
    by_people,
    listed,
    not_applicable,
    satisfied,
    unverified,
)
from certify.model.jurisdiction import RuleVersion
from certify.model.paytable import Meter, Paytable
from certify.model.terms import LinkedMeter, MeterReduction

NO_METER = "No progressive wager is filed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Jackpot:
    """A meter of a filed paytable: the hands that win all or part of it, and how likely one is."""

    paytable: str
    level: str
    events: frozenset[tuple[str, Fraction]]
    chance: Fraction

    def __str__(self) -> str:
        """The paytable and the level."""
        return f"{self.paytable} level {self.level}"


def progressive_statement(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - no number
    """Judge that seed, increment and reserve of every meter are stated."""
    if not filed.progressives:
        return not_applicable(NO_METER)
    faults = []
    for paytable in filed.progressives:
        for place, meter in enumerate(_meters(paytable)):
            absent = _absent(meter)
            if absent:
                message = f"{paytable.id} does not state {listed(absent)} of meter {meter.level}."
                pointer = f"/progressive/meters/{place}"
                faults.append(at((paytable.target, pointer), message))
    if faults:
        number = len({one.key for one in faults})
        return replace(
            broken(faults),
            detail=f"{len(faults)} meter{'s' if len(faults) > 1 else ''} of {number} "
            f"paytable{'s' if number > 1 else ''}: seed, increment or reserve is not stated.",
        )
    return satisfied(f"Stated for every meter of {len(filed.progressives)} paytables.")


def linked_equal_probability(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Judge that linked meters have the same winning hands and, as exact fractions, one chance."""
    found = jackpots(filed)
    if not filed.progressives:
        return not_applicable(NO_METER)
    links = filed.terms.links
    if links is None:
        return by_people(_may_be_linked(found))
    if not links:
        return not_applicable("No meter is linked.")
    faults = []
    for place, link in enumerate(links):
        meters = [_jackpot(one, found) for one in link]
        if None in meters:
            return unverified("A linked meter is not among those that are filed and evaluated.")
        first = meters[0]
        for index, other in enumerate(meters[1:], start=1):
            if first is not None and other is not None and not _alike(first, other):
                message = _unlike(first, other)
                faults.append(at((TERMS, f"/links/{place}/{index}"), message))
    if faults:
        return broken(faults)
    return satisfied("Every linked meter is won by the same hands with the same probability.")


def meter_reduction_reasons(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Judge that a meter is lowered for the permitted reasons only."""
    if not filed.progressives:
        return not_applicable(NO_METER)
    reasons = filed.terms.meter_reductions
    if reasons is None:
        return unverified("The reasons for lowering a meter are not stated.")
    faults = [
        at((TERMS, f"/meter_reductions/{place}"), "A meter may be lowered for another reason.")
        for place, one in enumerate(reasons)
        if one is MeterReduction.OTHER
    ]
    return broken(faults) if faults else satisfied("Only permitted reasons are stated.")


def jackpots(filed: Filed) -> tuple[Jackpot, ...]:
    """Return every meter that is filed and evaluated, in declared order."""
    found = []
    for paytable in filed.progressives:
        analysis = filed.analyses.get(paytable.target)
        if analysis is None or analysis.progressive is None:
            continue
        for meter in analysis.progressive.meters:
            events = frozenset(
                (row.event, row.payout.amount)
                for row in paytable.rows
                if row.payout.meter == meter.level
            )
            found.append(
                Jackpot(
                    paytable=paytable.id,
                    level=meter.level,
                    events=events,
                    chance=meter.hit_probability,
                )
            )
    return tuple(found)


def _alike(one: Jackpot, other: Jackpot) -> bool:
    return one.chance == other.chance and one.events == other.events


def _unlike(one: Jackpot, other: Jackpot) -> str:
    if one.chance != other.chance:
        return f"{one} is won with probability {one.chance}, {other} with {other.chance}."
    return f"{one} and {other} are not won by the same hands."


def _may_be_linked(found: tuple[Jackpot, ...]) -> str:
    pairs = [f"{one} and {other}" for one, other in combinations(found, 2) if _alike(one, other)]
    if not pairs:
        return "Nothing is said of links; no two of the filed meters may be linked."
    return f"Nothing is said of links; these are equally likely: {'; '.join(pairs)}."


def _jackpot(link: LinkedMeter, found: tuple[Jackpot, ...]) -> Jackpot | None:
    for one in found:
        if (one.paytable, one.level) == (link.paytable, link.level):
            return one
    return None


def _meters(paytable: Paytable) -> tuple[Meter, ...]:
    return paytable.progressive.meters if paytable.progressive else ()


def _absent(meter: Meter) -> tuple[str, ...]:
    terms = (
        ("seed", meter.seed_cents),
        ("increment", meter.increment),
        ("reserve", meter.reserve),
    )
    return tuple(name for name, value in terms if value is None)
