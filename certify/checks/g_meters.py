"""G codes: meters of progressive wagers."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from certify.checks.framework import Context, Fault, Location, check
from certify.formatting import exact_percentage, money
from certify.model.finding import Severity
from certify.model.game import Wager
from certify.model.paytable import Basis, Paytable
from certify.model.source import DiscrepancyKind, MeterTerm


@check(
    "G001",
    "A row pays from an undeclared meter",
    fix="Declare the meter, or correct the level in the row.",
    wrong='a row with {"meter": "3"} and the meters 1 and 2',
    right='a row with {"meter": "2"} and the meters 1 and 2',
)
def meter_missing(context: Context) -> Iterator[Fault]:
    """The share does not refer to an amount."""
    for paytable, row, at in context.rows:
        level, levels = row.payout.meter, tuple(meter.level for meter in paytable.meters)
        yield from at.unknown("/meter", level, levels, f"The paytable declares no meter {level}.")


@check(
    "G002",
    "A meter is never paid",
    fix="Add a row that pays from it, or remove the meter.",
    wrong='{"level": "2"} with no row {"meter": "2"}',
    right='a row {"pays": "100%", "meter": "2"}',
)
def meter_unpaid(context: Context) -> Iterator[Fault]:
    """Money in a meter that no row pays from never returns to the players. The intention is
    unclear, so no figure is given.
    """
    for _, paytable in context.paytables():
        paid = {row.payout.meter for row in paytable.rows}
        for meter, at in Location(paytable.target, "/progressive").items(
            "/meters", paytable.meters
        ):
            if meter.level not in paid:
                yield at.fault("", f"No row pays from meter {meter.level}.")


@check(
    "G003",
    "A share of a meter is zero or more than 100%",
    fix="Write a share from 1% to 100%.",
    wrong='{"pays": "110%", "meter": "1"}',
    right='{"pays": "100%", "meter": "1"}',
)
def share_range(context: Context) -> Iterator[Fault]:
    """A row cannot pay more than the whole meter."""
    for _, row, at in context.rows:
        if row.payout.basis is Basis.METER and not 0 < row.payout.amount <= 1:
            share = exact_percentage(row.payout.amount)
            yield at.fault("/pays", f"{share} of a meter cannot be paid.")


@check(
    "G004",
    "The seed, increment or reserve of a meter is undeclared",
    severity=Severity.WARNING,
    fix=(
        "Declare it, or record the gap among the game's discrepancies with `about` and the target."
    ),
    wrong='{"level": "1"}',
    right='{"level": "1", "seed_cents": 100000, "increment": "10%", "reserve": "2%"}',
)
def meter_terms(context: Context) -> Iterator[Fault]:
    """Rules for progressives require all three. If the source leaves them to the casino, record
    the gap; the finding is then a note.
    """
    for wager, paytable in context.paytables():
        silent = [meter for meter in paytable.meters if meter.missing_amounts]
        terms = [
            term for term in MeterTerm if any(term in meter.missing_amounts for meter in silent)
        ]
        if not terms:
            continue
        gap = _recorded_gap(context, wager, paytable, terms)
        levels = ", ".join(meter.level for meter in silent)
        yield Fault(
            paytable.target,
            "/progressive/meters",
            f"Undeclared for meter {levels}: {', '.join(terms)}."
            + (f" The gap is recorded as {gap}." if gap else ""),
            "Declare the casino's choice before filing." if gap else "",
            severity=Severity.NOTE if gap else None,
            related=(f"{wager.game}/discrepancies",),
        )


@check(
    "G005",
    "More than the whole wager goes to the meters",
    fix="Correct the shares: together they are at most 100%.",
    wrong='{"increment": "80%", "reserve": "30%"}',
    right='{"increment": "20%", "reserve": "3%"}',
)
def meter_increments(context: Context) -> Iterator[Fault]:
    """The increments and the reserves of all meters are parts of one wager."""
    for _, paytable in context.paytables():
        shares = (share for meter in paytable.meters for share in (meter.increment, meter.reserve))
        total = sum((share for share in shares if share is not None), Fraction(0))
        if total > 1:
            yield Fault(
                paytable.target,
                "/progressive/meters",
                f"{exact_percentage(total)} of the wager is added to meters and reserves.",
            )


@check(
    "G006",
    "The base wager of a progressive is zero",
    fix="Write the wager of the printed pays, in cents.",
    wrong='{"base_wager_cents": 0}',
    right='{"base_wager_cents": 100}',
)
def base_wager(context: Context) -> Iterator[Fault]:
    """Pays and meters refer to one base wager, and the return is per that amount."""
    for _, paytable in context.paytables():
        progressive, pointer = paytable.progressive, "/progressive/base_wager_cents"
        if progressive is not None and progressive.base_wager_cents == 0:
            yield Fault(paytable.target, pointer, "The base wager is zero.")


@check(
    "G007",
    "The cap of a meter is below its seed",
    fix="Correct the seed or the cap.",
    wrong='{"level": "1", "seed_cents": 100000, "cap_cents": 50000}',
    right='{"level": "1", "seed_cents": 50000, "cap_cents": 100000}',
)
def cap_below_seed(context: Context) -> Iterator[Fault]:
    """A meter starts at its seed, so it would exceed the cap before the first wager."""
    for _, paytable in context.paytables():
        meters = Location(paytable.target, "/progressive").items("/meters", paytable.meters)
        for meter, at in meters:
            seed, cap = meter.seed_cents, meter.cap_cents
            if seed is not None and cap is not None and cap < seed:
                yield at.fault(
                    "/cap_cents",
                    f"Meter {meter.level} starts at {money(seed)} and is capped at {money(cap)}.",
                )


def _recorded_gap(
    context: Context, wager: Wager, paytable: Paytable, terms: Sequence[MeterTerm]
) -> str | None:
    """Return the recorded gap for these terms."""
    for discrepancy in context.catalog.discrepancies.get(wager.game, ()):
        gap = discrepancy.kind is DiscrepancyKind.GAP and discrepancy.about.issuperset(terms)
        if gap and {wager.target, paytable.target} & set(discrepancy.targets):
            return discrepancy.id
    return None
