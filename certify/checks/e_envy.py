"""E codes: envy prizes."""

from collections.abc import Iterator
from itertools import pairwise

from certify.checks.framework import Context, Fault, Location, check
from certify.formatting import money
from certify.model.finding import Severity
from certify.model.jurisdiction import TERMS, Terms


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
        name, tables = paytable.envy, tuple(table.id for table in wager.envies)
        if not context.has_file(f"{wager.target}/envy/{name}"):
            message = f"The wager has no envy table {name}."
            yield from Location(paytable.target).unknown("/envy", name, tables, message)


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
                remedy = "Write the prize in cents, or remove the row."
                yield at.fault("/prize_cents", f"The prize for `{row.name}` is zero.", remedy)


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
            yield at.fault("/event", f"Row {first + 1} already has the event {row.event}.")


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
    "E008",
    "No wager can qualify for an envy prize",
    fix="Raise the maximum of the wager, or lower the wager that qualifies.",
    wrong='{"largest_wagers": {"bonus": 400}} if {"qualifying_wager_cents": 500}',
    right='{"largest_wagers": {"bonus": 500}} if {"qualifying_wager_cents": 500}',
)
def envy_out_of_reach(context: Context) -> Iterator[Fault]:
    """The maximum wager is below the one that qualifies. The rules would promise a prize that
    nobody can win, with its effect on the house edge.
    """
    terms = context.terms or Terms()
    for wager, table in context.envies():
        maxima = dict(terms.largest_wagers) if terms.game in (None, wager.game) else {}
        largest = maxima.get(wager.id, wager.maximum_cents)
        if largest is not None and largest < table.qualifying_wager_cents:
            place = (table.target, "/qualifying_wager_cents")
            if wager.id in maxima:
                place = (TERMS, f"/largest_wagers/{wager.id}")
            yield Fault(
                *place,
                f"The maximum wager on {wager.name} is {money(largest)}, but envy prizes of table "
                f"{table.id} need {money(table.qualifying_wager_cents)}.",
                related=(table.target,),
            )
