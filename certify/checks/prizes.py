"""Checks of envy tables and progressive meters."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from certify.checks.check import Context, Fault, Location, check
from certify.formatting import did_you_mean, exact_percentage, money
from certify.model.finding import Severity
from certify.model.game import Wager
from certify.model.paytable import Basis, Paytable
from certify.model.source import DiscrepancyKind, MeterTerm


@check(
    "E001",
    "A paytable names an undeclared envy table",
    fix="Correct the id, or declare the table in the folder envy of the wager.",
    wrong='{"envy": "E09"} without envy/E09.json',
    right='{"envy": "E08"} and envy/E08.json',
)
def envy_missing(context: Context) -> Iterator[Fault]:
    """The paytable's edge depends on its envy prizes; without them it cannot be certified."""
    for wager, paytable in context.paytables():
        name, known = paytable.envy, tuple(table.id for table in wager.envies)
        if name is None or name in known or context.has_file(f"{wager.target}/envy/{name}"):
            continue
        message = f"The wager has no envy table {name}."
        yield Fault(paytable.target, "/envy", message, did_you_mean(name, known))


@check(
    "E002",
    "No paytable uses an envy table",
    severity=Severity.WARNING,
    fix="Name it under `envy` in its paytable, or remove it.",
    wrong="envy/E02.json that no paytable names",
    right='a paytable with {"envy": "E02"}',
)
def envy_unused(context: Context) -> Iterator[Fault]:
    """The prizes of the table are in no figure and in no document."""
    for wager, table in context.envies():
        if not any(paytable.envy == table.id for paytable in wager.paytables):
            yield Fault(
                table.target,
                "/id",
                f"No paytable of the wager names the envy table {table.id}.",
                related=tuple(paytable.target for paytable in wager.paytables),
            )


@check(
    "E003",
    "An envy table pays for a hand that its paytable does not have",
    severity=Severity.WARNING,
    fix="Use the event of the row that has the prize.",
    wrong='an envy row {"event": "four_of_a_kind"} for a paytable without that row',
    right="envy rows whose events are rows of the paytable",
)
def check_envy_row_events(context: Context) -> Iterator[Fault]:
    """Envy prizes are paid for rows of the paytable. A prize for another hand is usually a wrong
    event, and its hands could overlap those of the rows.
    """
    for wager, table in context.envies():
        for paytable in (each for each in wager.paytables if each.envy == table.id):
            rows = {row.event for row in paytable.rows}
            for row, at in Location(table.target).items("/rows", table.rows):
                if row.event not in rows and row.event in context.catalog.events:
                    message = f"{row.event} is not a row of the paytable {paytable.id}."
                    yield at.fault("/event", message, related=(paytable.target,))


@check(
    "E004",
    "Envy prizes do not fall with rank",
    severity=Severity.WARNING,
    fix="Correct the prize; keep it if the source prints it.",
    wrong="Five Aces $50 above Royal Flush $250",
    right="Five Aces $250 above Royal Flush $50",
)
def envy_prizes_rise(context: Context) -> Iterator[Fault]:
    """A larger prize for the lower hand, or a prize of zero, is usually a typing error."""
    for _, table in context.envies():
        rows = list(Location(table.target).items("/rows", table.rows))
        for (row, at), (below, _) in pairwise(rows):
            if row.prize_cents < below.prize_cents:
                yield at.fault(
                    "/prize_cents",
                    f"The prize for `{row.name}` is less than that for `{below.name}` below it.",
                )
        for row, at in rows:
            if row.prize_cents == 0:
                message = f"The prize for `{row.name}` is zero."
                remedy = "Write the prize in cents, or remove the row."
                yield at.fault("/prize_cents", message, remedy)


@check(
    "E006",
    "An envy table lists an event twice",
    fix="Remove one of the rows, or correct its event.",
    wrong='two rows with {"event": "royal_flush"}',
    right='one row with {"event": "royal_flush"}, one with {"event": "five_aces"}',
)
def envy_event_twice(context: Context) -> Iterator[Fault]:
    """The second prize for the same hand is never paid, and no figure includes it."""
    for table, row, at in context.prizes():
        first = [each.event for each in table.rows].index(row.event)
        if first < at.index:
            message = f"Row {first + 1} already has the event {row.event}."
            yield at.fault("/event", message)


@check(
    "E007",
    "An envy prize can never be paid",
    fix="Move the row above the row that also wins its hands, or remove it.",
    wrong="Flush above Royal Flush: every royal flush is a flush",
    right="Royal Flush above Flush",
)
def envy_never_paid(context: Context) -> Iterator[Fault]:
    """Every hand of the row wins the prize of an earlier row, or the deck has no such hand. The
    table promises a prize that nobody can win.
    """
    for wager, table in context.envies():
        targets = [paytable.target for paytable in wager.paytables if paytable.envy == table.id]
        counted = [context.analyses[name].envy for name in targets if name in context.analyses]
        analysis = next((envy for envy in counted if envy is not None), None)
        events = [row.event for row in table.rows]
        rows = Location(table.target).items("/rows", table.rows)
        for (row, at), count in zip(rows, analysis.rows if analysis else (), strict=False):
            if count.combinations == 0 and events.index(row.event) == at.index:
                yield at.fault("", f"No hand can win the prize for `{row.name}`.")


@check(
    "E005",
    "An envy prize is also paid for the bettor's own or the dealer's hand",
    severity=Severity.NOTE,
    fix="Keep it if the source says so; otherwise write false.",
    wrong='{"pays_on_own_hand": true}',
    right='{"pays_on_own_hand": false}',
)
def envy_exclusions(context: Context) -> Iterator[Fault]:
    """Most envy prizes are for other players' hands only. If they are not, the value of the prize
    and its exclusions change.
    """
    for _, table in context.envies():
        for name, paid, whose in (
            ("pays_on_own_hand", table.pays_on_own_hand, "the bettor's own"),
            ("pays_on_dealer_hand", table.pays_on_dealer_hand, "the dealer's"),
        ):
            if paid:
                yield Fault(table.target, f"/{name}", f"The prize is also paid for {whose} hand.")


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
        level, known = row.payout.meter, tuple(meter.level for meter in paytable.meters)
        if level is not None and level not in known:
            message = f"The paytable declares no meter {level}."
            yield at.fault("/meter", message, did_you_mean(level, known))


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
                message = (
                    f"Meter {meter.level} starts at {money(seed)} and is capped at {money(cap)}."
                )
                yield at.fault("/cap_cents", message)


def _recorded_gap(
    context: Context, wager: Wager, paytable: Paytable, terms: Sequence[MeterTerm]
) -> str | None:
    """Return the recorded gap for these terms."""
    for discrepancy in context.catalog.discrepancies.get(wager.game, ()):
        gap = discrepancy.kind is DiscrepancyKind.GAP and discrepancy.about.issuperset(terms)
        if gap and {wager.target, paytable.target} & set(discrepancy.targets):
            return discrepancy.id
    return None
