"""Checks of returns: a wager that favors the player, and pays that are not what they were."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from certify.checks.check import finds
from certify.checks.context import Context
from certify.checks.fault import Fault
from certify.formatting import money, percentage
from certify.model.analysis import Analysis
from certify.model.finding import Severity
from certify.model.main_wager import MainWager
from certify.model.payout import Basis, Payout
from certify.model.paytable import Paytable

JUMP = 10
"""The factor from which on a changed pay is probably a slip: a zero too many or too few."""


@finds(
    "P015",
    "A wager returns more than is wagered",
    severity=Severity.WARNING,
    mend="""Correct the pays. To file the wager as it is, state the reason in the terms, under
    `player_advantage` and the id of the wager; the mathematics report prints it.""",
    remedy="Correct the pays. To file it as it is, state a reason under `player_advantage` in the "
    "terms.",
    wrong='Five Aces at "1000000 to 1", where "1000 to 1" was meant',
    right='Five Aces at "1000 to 1"',
)
def favors_the_player(context: Context) -> Iterator[Fault]:
    """A return above 100% costs the casino money in every round, on average, and is most often a
    slip in one pay. Prizes for other players' hands count for a full table, and meters at their
    seeds. In a submission it is an error unless the terms state a reason.
    """
    accepted = dict(context.terms.player_advantage) if context.terms is not None else {}
    for wager in context.wagers:
        for record in wager.records:
            analysis = context.analyses.get(record.target)
            if analysis is None:
                continue
            below_zero = [each for each in _edges(record, analysis) if each[1] < 0]
            if not below_zero:
                continue
            when, edge = below_zero[0]
            message = (
                f"{wager.name} {record.id} returns {percentage(1 - edge)} of what is wagered"
                f"{when}: the house edge is {percentage(edge)}."
            )
            pointer = "/rows" if isinstance(record, Paytable) else ""
            severity = Severity.ERROR if context.filing is not None else None
            if wager.id in accepted:
                message += f" Accepted in the terms: {accepted[wager.id]}"
                severity = Severity.NOTE
            yield Fault(record.target, pointer, message, severity=severity)


def _edges(record: Paytable | MainWager, analysis: Analysis) -> Iterator[tuple[str, Fraction]]:
    """Yield the house edges that are known of a record, each with the words for when it holds.

    That of the wager alone comes first, then that of a full table.
    """
    if analysis.house_edge is not None:
        yield "", analysis.house_edge
    for at in analysis.main.by_wager if analysis.main is not None else ():
        yield f" at {money(at.wager_cents)}", at.house_edge
    if analysis.envy is not None:
        for number, edge in sorted(analysis.envy.house_edge_by_players.items(), reverse=True):
            yield f" at a table of {number} players, prizes for their hands included", edge
    if analysis.house_edge is None and isinstance(record, Paytable):
        at_seed = _at_seeds(record, analysis)
        if at_seed is not None:
            yield " with each meter at its seed", at_seed


def _at_seeds(paytable: Paytable, analysis: Analysis) -> Fraction | None:
    """Return the house edge with each meter at its seed; None where a seed is not stated."""
    seeds = {meter.level: meter.seed_cents for meter in paytable.meters}
    progressive = analysis.progressive
    if progressive is None or None in seeds.values() or not progressive.base_wager_cents:
        return None
    base = progressive.base_wager_cents
    paid = (meter.weight * Fraction(seeds[meter.level] or 0, base) for meter in progressive.meters)
    return 1 - progressive.fixed_return - sum(paid, start=Fraction(0))


@finds(
    "P016",
    "A pay is ten times what the built-in paytable of this id pays, or a tenth",
    severity=Severity.WARNING,
    mend="Correct the pay, or give the paytable a new id.",
    wrong='a project with its own copy of mini-pai-gow/bonus/A, Royal Flush at "2500 to 1"',
    right='the copy with Royal Flush at "250 to 1", or under the id A-2500',
)
def pay_jumps(context: Context) -> Iterator[Fault]:
    """A paytable of a project takes the place of the built-in one with its id. A pay that is off by
    a factor of ten is most often a digit too many or too few.
    """
    for target, before in context.built_in.items():
        pays = {row.event: row.payout for row in before.rows}
        for paytable, row, at in context.rows():
            if paytable.target == target and _jumps(pays, row.event, row.payout):
                yield at.fault(
                    "/pays",
                    f"`{row.name}` pays {row.payout}; in the built-in paytable {before.id} it pays "
                    f"{pays[row.event]}.",
                )


def _jumps(pays: Mapping[str, Payout], event: str, payout: Payout) -> bool:
    before = pays.get(event)
    odds = (Basis.TO, Basis.FOR)
    if before is None or before.basis not in odds or payout.basis not in odds:
        return False
    low, high = sorted((before.amount, payout.amount))
    return low > 0 and high >= JUMP * low
