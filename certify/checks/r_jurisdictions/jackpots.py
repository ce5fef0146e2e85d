"""Rule tests of progressive wagers: declared amounts, links, and reductions of meters."""

from fractions import Fraction
from itertools import chain
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from certify.checks.framework import Location
from certify.checks.r_jurisdictions.rule_test import (
    JUDGE,
    NO_METER,
    WEAK,
    Judging,
    Parameter,
    ParameterUnit,
    RuleVerdict,
    faults_verdict,
    not_applicable,
    parameter,
    review_verdict,
    rule_test,
    satisfied_verdict,
    unverified_verdict,
)
from certify.formatting import format_odds, join_words, money
from certify.model.finding import Code
from certify.model.jurisdiction import TERMS, LinkedMeter, MeterReduction, RuleVersion
from certify.model.submission import Filing


class Jackpot(Struct, frozen=True, kw_only=True):
    """A meter of a filed paytable with the hands that win it and their probabilities.

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


R006 = Code(
    "R006",
    "A meter lacks its seed, increment or reserve",
    why="Progressive jackpots grow as the rules of the game specify, so the rules must declare "
    f"the amounts. {WEAK} G004 also notes amounts that a source leaves to the casino.",
    fix="Declare the seed, increment and reserve of the meter.",
    wrong='{"level": "1"}',
    right='{"level": "1", "seed_cents": 100000, "increment": "10%", "reserve": "2%"}',
)


@rule_test(section="Progressive wagers", code=R006, of_meters=True)
def progressive_statement(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """Seed, increment and reserve of every filed meter are declared."""
    faults = []
    for paytable in filed.progressives:
        for meter, at in Location(paytable.target).items("/progressive/meters", paytable.meters):
            if meter.missing_amounts:
                absent = join_words(meter.missing_amounts)
                message = f"Undeclared for meter {meter.level} of {paytable.id}: {absent}."
                faults.append(at.fault("", message))
    if faults:
        number = len({fault.key for fault in faults})
        return replace(
            faults_verdict(faults),
            detail=f"{len(faults)} meter{'s' if len(faults) > 1 else ''} of {number} "
            f"paytable{'s' if number > 1 else ''}: seed, increment or reserve is not stated.",
        )
    return satisfied_verdict(f"Stated for every meter of {len(filed.progressives)} paytables.")


R007 = Code(
    "R007",
    "Linked meters have different hands or probabilities",
    why="Tables that share a jackpot must offer it for the same hands with the same "
    "probability. The probabilities are compared as exact fractions. If only the names "
    f"of the rows differ, manual review decides whether the hands are the same. {WEAK}",
    fix="Link only meters with the same hands, or give each table its own meter.",
    wrong="two linked meters with the probabilities 4/19267885 and 1/38535770",
    right="two linked meters with the same hands and the probability 4/19267885",
)


@rule_test(section="Progressive wagers", code=R007, of_meters=True)
def linked_equal_probability(filed: Filing, _version: RuleVersion) -> Judging:
    """Linked meters are won by the same hands with the same probability."""
    links = filed.terms.links
    if links is None:
        return unverified_verdict(_may_be_linked(jackpots(filed)))
    if not links:
        return not_applicable("No meter is linked.")
    counted = {
        LinkedMeter(paytable=each.paytable, level=each.meter): each for each in jackpots(filed)
    }
    if not counted.keys() >= set(chain(*links)):
        return unverified_verdict("A linked meter is not among those that are filed and evaluated.")
    unsure = []
    for link, at in Location(TERMS).items("/links", links):
        (first, _), *others = at.items("", [counted[linked] for linked in link])
        for other, place in others:
            if first.shares != other.shares:
                yield place.fault("", _unlike(first, other))
            elif first.events != other.events:
                unsure.append(f"{first} and {other}")
    if unsure:
        return review_verdict(
            "These linked meters are won with the same probabilities by rows of other names: "
            f"{'; '.join(unsure)}. Not decided here: whether the hands are the same."
        )
    return satisfied_verdict(
        "Every linked meter is won by the same hands with the same probability."
    )


def jackpots(filed: Filing) -> tuple[Jackpot, ...]:
    """Return every meter that is filed and evaluated, in declared order."""
    meters = []
    for paytable in filed.progressives:
        analysis = filed.analyses.get(paytable.target)
        if analysis is None or analysis.progressive is None:
            continue
        chances = {row.event: row.probability for row in analysis.rows}
        for meter in analysis.progressive.meters:
            paid = [row for row in paytable.rows if row.payout.meter == meter.level]
            shares: dict[Fraction, Fraction] = {}
            for row in paid:
                share = row.payout.amount
                shares[share] = shares.get(share, Fraction(0)) + chances[row.event]
            meters.append(
                Jackpot(
                    paytable=paytable.id,
                    meter=meter.level,
                    events=frozenset((row.event, row.payout.amount) for row in paid),
                    shares=tuple(sorted(shares.items())),
                    chance=meter.hit_probability,
                )
            )
    return tuple(meters)


def _unlike(first: Jackpot, other: Jackpot) -> str:
    name = str(first)[:1].upper() + str(first)[1:]
    if first.chance != other.chance:
        return f"{name} is won with probability {first.chance}, {other} with {other.chance}."
    return f"{name} and {other} are not won by the same hands."


def _may_be_linked(meters: tuple[Jackpot, ...]) -> str:
    """Return groups of meters that pay the same shares with the same probabilities.

    Rows of other names count alike: a hand may have one row in one paytable and two in another.
    """
    groups: dict[tuple[tuple[Fraction, Fraction], ...], list[Jackpot]] = {}
    for jackpot in meters:
        groups.setdefault(jackpot.shares, []).append(jackpot)
    alike = [_group(group) for group in groups.values() if len(group) > 1]
    statement = "State whether meters are linked."
    if not alike:
        return f"{statement} No two of the filed meters are of equal weight, so none may be linked."
    return f"{statement} Only meters of equal weight may be linked: {'; '.join(alike)}."


def _group(meters: list[Jackpot]) -> str:
    """Return meters as words, those of one number together: ``meter 1 of A with meter 2 of B``."""
    numbers: dict[str, list[str]] = {}
    for jackpot in meters:
        numbers.setdefault(jackpot.meter, []).append(jackpot.paytable)
    first, *others = (f"meter {name} of {join_words(ids)}" for name, ids in numbers.items())
    return f"{first} with {join_words(others)}" if others else first


@rule_test()
def schedules_of_meters(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The wagers with a progressive schedule are named; manual review decides."""
    metered = [
        wager for wager in filed.wagers if any(table.meters for table in filed.tables(wager))
    ]
    if not metered:
        return NO_METER
    return review_verdict(
        f"Not decided here: the progressive payoff schedules of {filed.join_names(metered)}."
    )


@rule_test(of_meters=True)
def maximum_of_meters(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The maximum of each meter is named; manual review decides."""
    capped = [
        f"meter {meter.level} of {table.id}: {money(meter.cap_cents)}"
        for table in filed.progressives
        for meter in table.meters
        if meter.cap_cents is not None
    ]
    statement = f"Stated maximums: {'; '.join(capped)}." if capped else "No meter states a maximum."
    return review_verdict(f"{statement} {JUDGE}")


R024 = Code(
    "R024",
    "The odds against a jackpot exceed the limit",
    why="A jurisdiction may limit the odds against a jackpot. The exact odds of the largest "
    f"share of each filed meter are compared. {WEAK}",
    fix="Pay the share for a more frequent hand.",
    wrong="a meter with odds of 204,000,000 to 1 if 100,000,000 to 1 is allowed",
    right="a meter with odds of 38,535,769 to 1",
)


@rule_test(
    Parameter("highest_odds", ParameterUnit.ODDS, "the longest odds against a jackpot"),
    section="Progressive wagers",
    code=R024,
    of_meters=True,
)
def jackpot_odds(filed: Filing, version: RuleVersion) -> Judging:
    """The largest share of every filed meter has allowed odds."""
    highest = parameter(version, "highest_odds")
    counted = jackpots(filed)
    if len(counted) < sum(len(table.meters) for table in filed.progressives):
        return unverified_verdict("The filed meters were not counted.")
    longest = Fraction(0)
    for jackpot in counted:
        _, chance = jackpot.shares[-1]
        if chance * (highest + 1) < 1:
            table = next(each for each in filed.progressives if each.id == jackpot.paytable)
            allowed = _against(Fraction(highest))
            message = f"{jackpot.paytable}: meter {jackpot.meter} can never be won."
            if chance:
                odds = _against(1 / chance - 1)
                message = (
                    f"{jackpot.paytable}: the odds against winning meter {jackpot.meter} are "
                    f"{odds}; at most {allowed} is allowed."
                )
            yield Location(table.target).fault("/progressive/meters", message)
        else:
            longest = max(longest, 1 / chance - 1)
    return satisfied_verdict(f"No jackpot is won at odds above {_against(longest)}.")


def _against(odds: Fraction) -> str:
    """Return odds against, rounded up to a whole number to 1."""
    return format_odds(Fraction(ceil(odds)))


R008 = Code(
    "R008",
    "A meter is lowered for a reason that is not permitted",
    why=f"A jurisdiction may list the permitted reasons for lowering a progressive meter. {WEAK}",
    fix="Remove the reason.",
    wrong='{"meter_reductions": ["amount_won", "other"]}',
    right='{"meter_reductions": ["amount_won"]}',
)


@rule_test(section="Progressive wagers", code=R008, of_meters=True)
def meter_reduction_reasons(filed: Filing, _version: RuleVersion) -> Judging:
    """A meter is lowered for the permitted reasons only."""
    reasons = filed.terms.meter_reductions
    if reasons is None:
        return unverified_verdict("The reasons for lowering a meter are not stated.")
    for reason, at in Location(TERMS).items("/meter_reductions", reasons):
        if reason is MeterReduction.OTHER:
            yield at.fault("", "The terms allow lowering a meter for another reason.")
    return satisfied_verdict("Only permitted reasons are stated.")
