"""Rule tests of the prizes of one round and of the form of pays."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from certify.checks.framework import Location
from certify.checks.r_jurisdictions.payout_limits import highest_win, odds, top_share
from certify.checks.r_jurisdictions.rule_test import (
    WEAK,
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
from certify.model.jurisdiction import RuleVersion
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


R020 = Code(
    "R020",
    "A pay is stated with “for” instead of “to”",
    why="A pay of 20 for 1 equals 19 to 1, because the wager is not returned. A jurisdiction "
    "may allow only “to” unless it approved the other form; the register of approvals "
    f"lists what it approved. {WEAK}",
    fix="State the pay with “to”, one less than with “for”, or have the paytable approved.",
    wrong='{"pays": "20 for 1"}',
    right='{"pays": "19 to 1"}',
)


@rule_test(
    Parameter(
        "without_exception",
        ParameterUnit.FLAG,
        "whether not even an approved record may state “for”",
        required=False,
    ),
    section="Appendices: paytables",
    code=R020,
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
    exceptions = f" or approved as it is: {', '.join(granted)}" if granted else ""
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
