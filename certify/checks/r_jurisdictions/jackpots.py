"""Rule tests of the prizes of one round, of the form of pays, and of progressive wagers."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import chain
from math import ceil
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from certify.checks.framework import Location
from certify.checks.r_jurisdictions.payout_limits import highest_win, odds, top_share
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
from certify.formatting import format_odds, join_words, money, money_at_least
from certify.model.approval import FilingStanding
from certify.model.finding import Code
from certify.model.game import Wager
from certify.model.jurisdiction import TERMS, LinkedMeter, MeterReduction, RuleVersion
from certify.model.paytable import Basis, Payout
from certify.model.submission import Filing


class Prize(Struct, frozen=True, kw_only=True):
    """An odds-based prize: wager, paytable, odds to 1, and wager amount in cents.

    ``limit`` is the least payout limit in cents that the wager is under, where that counts.
    """

    wager: str
    record: str
    odds: Fraction
    wagered: Fraction
    limit: int | None = None

    @property
    def cents(self) -> Fraction:
        """The prize in cents."""
        prize = self.odds * self.wagered
        return prize if self.limit is None else min(prize, Fraction(self.limit))

    def __str__(self) -> str:
        """The amount with its wager, record, odds and stake."""
        return (
            f"{money_at_least(self.cents)} ({self.wager}, {self.record}: "
            f"{format_odds(self.odds)} at "
            f"{money(self.wagered)})"
        )


@rule_test(
    Parameter("threshold_cents", ParameterUnit.CENTS, "the prize above which funds are required"),
    section="Largest exposure",
)
def reserve_for_second_prize(filed: Filing, version: RuleVersion) -> RuleVerdict:
    """The second-highest prize of a round is computed; above the threshold, manual review covers
    the funds.
    """
    threshold = parameter(version, "threshold_cents")
    if any(filed.maximum_wager(wager) is None for wager in filed.wagers):
        return unverified_verdict("The maximum wager is not stated, so no prize can be computed.")
    pair = two_prizes(filed)
    if pair is None:
        return not_applicable("Fewer than two odds-based prizes are filed.")
    first, second = pair
    prizes = (
        "At the maximum wagers stated or allowed, the two highest odds-based prizes that can be "
        f"offered together, by the second of them, are {first} and {second}."
    )
    if second.cents <= threshold:
        return not_applicable(
            f"{prizes} The second is not above {money(threshold)}.{_left_out(filed)}"
        )
    limited = two_prizes(filed, limited=True)
    if limited is not None and limited[1].cents <= threshold:
        return review_verdict(
            f"{prizes} The second is above {money(threshold)}. With the payout limits that are "
            f"stated it is {money_at_least(limited[1].cents)}, which is not. Not decided here: "
            f"whether they count.{_left_out(filed)}"
        )
    return review_verdict(
        f"{prizes} The second is above {money(threshold)}: a bank account or a line of credit "
        f"of at least {money_at_least(second.cents)} is needed.{_left_out(filed)}"
    )


def two_prizes(filed: Filing, *, limited: bool = False) -> tuple[Prize, Prize] | None:
    """Return the two highest odds-based prizes that can be offered at one table.

    With ``limited`` no prize counts for more than the declared payout limits.

    One paytable of each wager is offered at a time. The two highest prizes are then in one
    paytable, or at the top of those of two wagers; the choice is the one with the greatest second
    prize, then the greatest first prize. None if there are not two prizes.
    """
    tops: list[Prize] = []
    pairs: list[tuple[Prize, Prize]] = []
    for wager in filed.wagers:
        tables = _prizes(filed, wager, limited=limited)
        if tables:
            tops.append(max((prizes[0] for prizes in tables), key=_cents))
        pairs += [(prizes[0], prizes[1]) for prizes in tables if len(prizes) > 1]
    tops.sort(key=_cents, reverse=True)
    if len(tops) > 1:
        pairs.append((tops[0], tops[1]))
    return max(pairs, key=lambda pair: (pair[1].cents, pair[0].cents), default=None)


_cents = attrgetter("cents")


def _prizes(filed: Filing, wager: Wager, *, limited: bool) -> list[tuple[Prize, ...]]:
    """Return the prizes of each filed record of a wager, the highest first."""
    largest = filed.maximum_wager(wager)
    if largest is None:
        return []
    limits = [each.cents for each in filed.terms.aggregate_limits or () if wager.id in each.wagers]
    limit = min(limits, default=None) if limited else None
    prize = partial(Prize, limit=limit)
    records = [
        [
            prize(
                wager=wager.name,
                record=f"paytable {table.id}",
                odds=each,
                wagered=Fraction(largest),
            )
            for each in odds(table)
        ]
        for table in filed.tables(wager)
    ]
    option = filed.main
    if option is not None and option in wager.options:
        pays = [(wager.name, Fraction(1), highest_win(option))]
        pays += [(pay.wager or wager.name, pay.size, pay.payout.net) for pay in option.own_pays]
        records.append(
            [
                prize(wager=name, record=f"option {option.id}", odds=net, wagered=size * largest)
                for name, size, net in pays
            ]
        )
    return [tuple(sorted(prizes, key=_cents, reverse=True)[:2]) for prizes in records if prizes]


def _left_out(filed: Filing) -> str:
    """Return a sentence on omitted prizes and on dynamic pays."""
    metered = [wager for wager in filed.wagers if top_share(filed, wager) is not None]
    drawn = [
        wager
        for wager in filed.wagers
        if any(table.dynamic is not None for table in filed.tables(wager))
    ]
    words = ""
    if metered:
        words = (
            " Shares of meters are left out; they can make the highest prize of "
            f"{filed.join_names(metered)} larger."
        )
    if drawn:
        words += f" {filed.join_names(drawn)}: each row counts with its greatest dynamic pay."
    return words


@rule_test(
    Parameter(
        "without_exception",
        ParameterUnit.FLAG,
        "whether not even an approved record may state “for”",
        required=False,
    ),
    section="Appendices: paytables",
    code=Code(
        "R020",
        "A pay is stated with “for” instead of “to”",
        why="A pay of 20 for 1 equals 19 to 1, because the wager is not returned. A jurisdiction "
        "may allow only “to” unless it approved the other form; the register of approvals "
        f"lists what it approved. {WEAK}",
        fix="State the pay with “to”, one less than with “for”, or have the paytable approved.",
        wrong='{"pays": "20 for 1"}',
        right='{"pays": "19 to 1"}',
    ),
)
def pays_to_one(filed: Filing, version: RuleVersion) -> RuleVerdict:
    """Every pay is stated with "to", or is approved with "for"."""
    register = None if version.parameter("without_exception") else filed.register
    approved = {
        each.target
        for each in (register.standings if register is not None else ())
        if each.standing is FilingStanding.APPROVED
    }
    faults, granted = [], []
    for target, pays in _pays(filed):
        for_one = [(pay, at) for pay, at in pays if pay.basis is Basis.FOR]
        if for_one and target in approved:
            granted.append(target.rpartition("/")[2])
        elif for_one:
            pay, at = for_one[0]
            number = (
                f" {len(for_one)} pays of the record are stated so." if len(for_one) > 1 else ""
            )
            faults.append(at.fault("", f"{target} states a pay as “{pay}”, not as “to”.{number}"))
    if faults:
        names = join_words(fault.key.rpartition("/")[2] for fault in faults)
        return replace(
            faults_verdict(faults), detail=f"A pay is stated as “for”, not as “to”, in {names}."
        )
    exceptions = f" or approved unchanged: {', '.join(granted)}" if granted else ""
    return satisfied_verdict(f"Every pay is stated as “to”{exceptions}.")


def _pays(filed: Filing) -> Iterator[tuple[str, list[tuple[Payout, Location]]]]:
    """Yield each filed entry with its pays and their pointers."""
    for option in filed.options:
        file = Location(option.target)
        pays = [(option.win_pays, file.inner("/win_pays"))]
        for rule, at in file.items("/dealer_rules", option.dealer_rules):
            if rule.win_pays is not None:
                pays.append((rule.win_pays, at.inner("/win_pays")))
        pays += [(pay.payout, file.inner(pay.pointer)) for pay in option.own_pays]
        yield option.target, pays
    for table in filed.paytables:
        rows = list(Location(table.target).items("/rows", table.rows))
        pays = [(row.payout, at.inner("/pays")) for row, at in rows]
        for row, at in rows:
            pays += at.items("/dynamic", row.dynamic)
        yield table.target, pays


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


@rule_test(
    section="Progressive wagers",
    code=Code(
        "R006",
        "A meter lacks its seed, increment or reserve",
        why="Progressive jackpots grow as the rules of the game specify, so the rules must declare "
        f"the amounts. {WEAK} G004 also notes amounts that a source leaves to the casino.",
        fix="Declare the seed, increment and reserve of the meter.",
        wrong='{"level": "1"}',
        right='{"level": "1", "seed_cents": 100000, "increment": "10%", "reserve": "2%"}',
    ),
    of_meters=True,
)
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


@rule_test(
    section="Progressive wagers",
    code=Code(
        "R007",
        "Linked meters have different hands or probabilities",
        why="Tables that share a jackpot must offer it for the same hands with the same "
        "probability. The probabilities are compared as exact fractions. If only the names "
        f"of the rows differ, manual review decides whether the hands are the same. {WEAK}",
        fix="Link only meters with the same hands, or give each table its own meter.",
        wrong="two linked meters with the probabilities 4/19267885 and 1/38535770",
        right="two linked meters with the same hands and the probability 4/19267885",
    ),
    of_meters=True,
)
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


@rule_test(
    Parameter("highest_odds", ParameterUnit.ODDS, "the longest odds against a jackpot"),
    section="Progressive wagers",
    code=Code(
        "R024",
        "The odds against a jackpot exceed the limit",
        why="A jurisdiction may limit the odds against a jackpot. The exact odds of the largest "
        f"share of each filed meter are compared. {WEAK}",
        fix="Pay the share for a more frequent hand.",
        wrong="a meter with odds of 204,000,000 to 1 if 100,000,000 to 1 is allowed",
        right="a meter with odds of 38,535,769 to 1",
    ),
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


@rule_test(
    section="Progressive wagers",
    code=Code(
        "R008",
        "A meter is lowered for a reason that is not permitted",
        why="A jurisdiction may list the permitted reasons for lowering a progressive meter. "
        f"{WEAK}",
        fix="Remove the reason.",
        wrong='{"meter_reductions": ["amount_won", "other"]}',
        right='{"meter_reductions": ["amount_won"]}',
    ),
    of_meters=True,
)
def meter_reduction_reasons(filed: Filing, _version: RuleVersion) -> Judging:
    """A meter is lowered for the permitted reasons only."""
    reasons = filed.terms.meter_reductions
    if reasons is None:
        return unverified_verdict("The reasons for lowering a meter are not stated.")
    for reason, at in Location(TERMS).items("/meter_reductions", reasons):
        if reason is MeterReduction.OTHER:
            yield at.fault("", "The terms allow lowering a meter for another reason.")
    return satisfied_verdict("Only permitted reasons are stated.")
