"""Tests of progressive wagers: what the rules state, what is linked, why a meter is lowered."""

from dataclasses import dataclass, replace
from fractions import Fraction

from certify.checks.jurisdiction.facts import (
    Filed,
    Verdict,
    at,
    broken,
    by_people,
    not_applicable,
    satisfied,
    unverified,
)
from certify.formatting import listed, money
from certify.model.game import Wager
from certify.model.jurisdiction import RuleVersion
from certify.model.paytable import Meter, Paytable
from certify.model.terms import TERMS, LinkedMeter, MeterReduction

NO_METER = "No progressive wager is filed."
JUDGE = "A person has to judge this."


@dataclass(frozen=True, slots=True, kw_only=True)
class Jackpot:
    """A meter of a filed paytable: the hands that win all or part of it, and how likely each is.

    ``shares`` are the shares of the meter that are paid, each with its exact probability.
    """

    paytable: str
    meter: str
    events: frozenset[tuple[str, Fraction]]
    shares: tuple[tuple[Fraction, Fraction], ...]
    chance: Fraction

    def __str__(self) -> str:
        """The meter and its paytable."""
        return f"meter {self.meter} of {self.paytable}"


def schedules_of_meters(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - no number
    """Say which wagers have a progressive schedule; a person judges it."""
    found = _metered(filed)
    if not found:
        return no_meter()
    return by_people(
        f"A person has to judge the progressive payoff schedules of {filed.named(found)}."
    )


def maximum_of_meters(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - no number
    """Say which meters have a maximum; a person judges it against the amount of the jackpot."""
    if not filed.progressives:
        return no_meter()
    capped = [
        f"meter {meter.level} of {table.id}: {money(meter.cap_cents)}"
        for table in filed.progressives
        for meter in _meters(table)
        if meter.cap_cents is not None
    ]
    told = f"Stated maximums: {'; '.join(capped)}." if capped else "No meter states a maximum."
    return by_people(f"{told} {JUDGE}")


def no_meter() -> Verdict:
    """Return that nothing with a meter is filed."""
    return not_applicable(NO_METER)


def _metered(filed: Filed) -> tuple[Wager, ...]:
    return tuple(
        one
        for one in filed.wagers
        if any(table.progressive is not None for table in filed.tables(one))
    )


def progressive_statement(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - no number
    """Judge that seed, increment and reserve of every meter are stated."""
    if not filed.progressives:
        return no_meter()
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
    if not filed.progressives:
        return no_meter()
    links = filed.terms.links
    if links is None:
        return unverified(_may_be_linked(jackpots(filed)))
    return _judge_links(filed, links) if links else not_applicable("No meter is linked.")


def _judge_links(filed: Filed, links: tuple[tuple[LinkedMeter, ...], ...]) -> Verdict:
    found = {(one.paytable, one.meter): one for one in jackpots(filed)}
    faults, unsure = [], []
    for place, link in enumerate(links):
        meters = [found.get((one.paytable, one.level)) for one in link]
        known = [one for one in meters if one is not None]
        if len(known) < len(meters):
            return unverified("A linked meter is not among those that are filed and evaluated.")
        for index, other in enumerate(known[1:], start=1):
            if known[0].shares != other.shares:
                message = _unlike(known[0], other)
                faults.append(at((TERMS, f"/links/{place}/{index}"), message))
            elif known[0].events != other.events:
                unsure.append(f"{known[0]} and {other}")
    if faults:
        return broken(faults)
    if unsure:
        return by_people(
            "These linked meters are won with the same probabilities by rows of other names: "
            f"{'; '.join(unsure)}. A person has to judge whether the hands are the same."
        )
    return satisfied("Every linked meter is won by the same hands with the same probability.")


def meter_reduction_reasons(filed: Filed, version: RuleVersion) -> Verdict:  # noqa: ARG001 - every rule is asked alike
    """Judge that a meter is lowered for the permitted reasons only."""
    if not filed.progressives:
        return no_meter()
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
            paid = [row for row in paytable.rows if row.payout.meter == meter.level]
            chances = {row.event: row.probability for row in analysis.rows}
            shares: dict[Fraction, Fraction] = {}
            for row in paid:
                share = row.payout.amount
                shares[share] = shares.get(share, Fraction(0)) + chances[row.event]
            found.append(
                Jackpot(
                    paytable=paytable.id,
                    meter=meter.level,
                    events=frozenset((row.event, row.payout.amount) for row in paid),
                    shares=tuple(sorted(shares.items())),
                    chance=meter.hit_probability,
                )
            )
    return tuple(found)


def _unlike(one: Jackpot, other: Jackpot) -> str:
    if one.chance != other.chance:
        return f"{_capital(one)} is won with probability {one.chance}, {other} with {other.chance}."
    return f"{_capital(one)} and {other} are not won by the same hands."


def _capital(jackpot: Jackpot) -> str:
    text = str(jackpot)
    return text[:1].upper() + text[1:]


def _may_be_linked(found: tuple[Jackpot, ...]) -> str:
    """Return which meters pay the same shares with the same probabilities, one group after another.

    Rows of other names count alike: a hand may have one row in one paytable and two in another.
    """
    groups: dict[tuple[tuple[Fraction, Fraction], ...], list[Jackpot]] = {}
    for one in found:
        groups.setdefault(one.shares, []).append(one)
    alike = [_group(one) for one in groups.values() if len(one) > 1]
    told = "Whether meters are linked is to be stated."
    if not alike:
        return f"{told} No two of the filed meters are of equal weight, so none may be linked."
    return f"{told} Only meters of equal weight may be linked: {'; '.join(alike)}."


def _group(meters: list[Jackpot]) -> str:
    """Return meters as words, those of one number together: ``meter 1 of A with meter 2 of B``."""
    numbers: dict[str, list[str]] = {}
    for one in meters:
        numbers.setdefault(one.meter, []).append(one.paytable)
    first, *others = (f"meter {name} of {listed(ids)}" for name, ids in numbers.items())
    return f"{first} with {listed(others)}" if others else first


def _meters(paytable: Paytable) -> tuple[Meter, ...]:
    return paytable.progressive.meters if paytable.progressive else ()


def _absent(meter: Meter) -> tuple[str, ...]:
    terms = (
        ("seed", meter.seed_cents),
        ("increment", meter.increment),
        ("reserve", meter.reserve),
    )
    return tuple(name for name, value in terms if value is None)
