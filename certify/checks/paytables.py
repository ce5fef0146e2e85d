"""Checks of paytables: events, order, pays, cards."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import gcd

from certify.checks.context import Context, did_you_mean
from certify.checks.pages import paytable as pages
from certify.formatting import exact_percentage
from certify.model.analysis import Analysis
from certify.model.condition import Condition, tests_of
from certify.model.finding import Finding
from certify.model.game import WagerKind
from certify.model.payout import Basis
from certify.model.paytable import HandOf, Paytable, Row


def unknown_event(context: Context) -> Iterator[Finding]:
    """P001: every row names an event of the vocabulary."""
    known = tuple(context.catalogue.events)
    named = [(one.target, [row.event for row in one.rows]) for _, _, one in context.paytables()]
    named += [(key, [row.event for row in one.rows]) for _, one, key in context.envies()]
    for key, events in named:
        for index, event in enumerate(events):
            # Without any event the vocabulary itself has faults, which are reported there.
            if known and event not in known:
                yield context.finding(
                    pages.P001,
                    key,
                    f"/rows/{index}/event",
                    f"There is no event {event}.",
                    did_you_mean(event, known),
                )


def never_paid(context: Context) -> Iterator[Finding]:
    """P002: every row is paid for at least one hand."""
    for _, _, paytable in context.paytables():
        counts = _counts(context.analyses.get(paytable.target))
        for index, row in enumerate(paytable.rows):
            if counts.get(row.event) == 0 and _first(paytable, row) == index:
                yield context.finding(
                    pages.P002,
                    paytable.target,
                    f"/rows/{index}",
                    f"No hand is ever paid by the row `{row.name}`.",
                    "Move it above the row that takes its hands, or remove it.",
                )


def event_twice(context: Context) -> Iterator[Finding]:
    """P003: no event stands in two rows."""
    for _, _, paytable in context.paytables():
        for index, row in enumerate(paytable.rows):
            first = _first(paytable, row)
            if first < index:
                yield context.finding(
                    pages.P003,
                    paytable.target,
                    f"/rows/{index}/event",
                    f"The event {row.event} is paid by row {first + 1} already.",
                    "Remove one of the rows, or correct its event.",
                )


def pays_rise(context: Context) -> Iterator[Finding]:
    """P004: a row pays no less than the one below it, unless its hand is the more common one."""
    for _, _, paytable in context.paytables():
        counts = _counts(context.analyses.get(paytable.target))
        fixed = [
            (index, row)
            for index, row in enumerate(paytable.rows)
            if row.payout.basis is not Basis.METER
        ]
        for (index, row), (_, below) in pairwise(fixed):
            commoner = counts.get(row.event, 0) > counts.get(below.event, 0)
            if row.payout.net < below.payout.net and not commoner:
                yield context.finding(
                    pages.P004,
                    paytable.target,
                    f"/rows/{index}/pays",
                    f"`{row.name}` pays {row.payout} and `{below.name}` below it {below.payout}.",
                    "Exchange the rows or correct a pay; leave it if the source prints it so.",
                )


def basis_mixed(context: Context) -> Iterator[Finding]:
    """P005: the pays of a table are all "to" or all "for"."""
    for _, _, paytable in context.paytables():
        found: dict[Basis, int] = {}
        for index, row in enumerate(paytable.rows):
            for payout in (row.payout, *row.dynamic):
                if payout.basis in (Basis.TO, Basis.FOR):
                    found.setdefault(payout.basis, index)
        if len(found) > 1:
            first, other = found
            yield context.finding(
                pages.P005,
                paytable.target,
                f"/rows/{found[other]}/pays",
                f'The table mixes "{first}" with "{other}".',
                "Write every pay in one of the two ways; leave it if the source mixes them.",
            )


def share_without_meter(context: Context) -> Iterator[Finding]:
    """P006: a share has a meter, and only a share has one."""
    for _, _, paytable in context.paytables():
        document = context.catalogue.documents.get(paytable.target)
        stated = document.spans if document else {}
        for index, row in enumerate(paytable.rows):
            share, meter = row.payout.basis is Basis.METER, f"/rows/{index}/meter" in stated
            if share and row.payout.meter is None:
                message, pointer = f"{exact_percentage(row.payout.amount)} of which meter?", "pays"
            elif meter and not share:
                message, pointer = f"{row.payout} is no share of a meter.", "meter"
            else:
                continue
            yield context.finding(
                pages.P006,
                paytable.target,
                f"/rows/{index}/{pointer}",
                message,
                'Give both, such as "pays": "100%", "meter": "1", or odds without a meter.',
            )


def dynamic_order(context: Context) -> Iterator[Finding]:
    """P007: dynamic pays rise from the default, and are stated in its basis."""
    for _, _, paytable in context.paytables():
        for index, row in enumerate(paytable.rows):
            pays = (row.payout, *row.dynamic)
            for place, (before, after) in enumerate(pairwise(pays)):
                if after.net <= before.net:
                    yield context.finding(
                        pages.P007,
                        paytable.target,
                        f"/rows/{index}/dynamic/{place}",
                        f"The dynamic pay {after} is not above {before} before it.",
                        "Correct the pay, or leave it if the source prints it so.",
                    )


def draw_fits(context: Context) -> Iterator[Finding]:
    """P008: the draw takes no more rows than have dynamic pays, and there is one if any has."""
    for _, _, paytable in context.paytables():
        message = _unfit_draw(paytable)
        if message:
            yield context.finding(
                pages.P008,
                paytable.target,
                "/dynamic" if paytable.dynamic else "/rows",
                message,
                "Correct the numbers of the draw, or the rows.",
            )


def lowest_terms(context: Context) -> Iterator[Finding]:
    """P009: odds are declared as they are printed, in lowest terms."""
    for _, _, paytable in context.paytables():
        document = context.catalogue.documents.get(paytable.target)
        rows = document.value["rows"] if document else ()
        for index, row in enumerate(rows):
            odds = {f"/rows/{index}/pays": row["pays"]}
            odds |= {
                f"/rows/{index}/dynamic/{place}": pays
                for place, pays in enumerate(row.get("dynamic", ()))
            }
            for pointer, pays in odds.items():
                numbers = [int(word) for word in pays.split(" ") if word.isdigit()]
                common = gcd(*numbers) if numbers else 1
                if common > 1:
                    first, basis, last = pays.split(" ")
                    yield context.finding(
                        pages.P009,
                        paytable.target,
                        pointer,
                        f"{pays} is not in lowest terms.",
                        f"Write {int(first) // common} {basis} {int(last) // common}.",
                    )


def hands_fit(context: Context) -> Iterator[Finding]:
    """P010: events of two hands in paytables over both, and no others."""
    for _, _, paytable in context.paytables():
        both = paytable.hand is HandOf.BOTH
        for index, row in enumerate(paytable.rows):
            event = context.catalogue.events.get(row.event)
            if event is not None and event.two_handed is not both:
                looks = "one hand" if both else "the player's and the dealer's hands"
                yield context.finding(
                    pages.P010,
                    paytable.target,
                    f"/rows/{index}/event",
                    f"{row.event} is an event of {looks}; this paytable's hand is {paytable.hand}.",
                    "Use an event of the right kind, or correct `hand`.",
                )


def kind_fits(context: Context) -> Iterator[Finding]:
    """P011: a progressive wager's paytables have meters, and no other's have."""
    for _, wager, paytable in context.paytables():
        progressive = wager.kind is WagerKind.PROGRESSIVE
        if progressive is not (paytable.progressive is not None):
            has = "declares no meters" if progressive else "declares meters"
            yield context.finding(
                pages.P011,
                paytable.target,
                "" if progressive else "/progressive",
                f"The wager is of the kind {wager.kind}, and this paytable {has}.",
                "Add or remove `progressive`, or correct `kind` in the wager's file.",
            )


def empty_range(context: Context) -> Iterator[Finding]:
    """P012: no condition asks for a least value above the greatest."""
    for place, event in enumerate(context.catalogue.events.values()):
        for name in ("when", "player", "dealer"):
            condition: Condition | None = getattr(event, name)
            yield from _empty(context, condition, "events", f"/events/{place}/{name}")
    for _, option in context.options():
        for place, rule in enumerate(option.dealer_rules):
            pointer = f"/dealer_rules/{place}/when"
            yield from _empty(context, rule.when, option.target, pointer)


def too_many_cards(context: Context) -> Iterator[Finding]:
    """P013: a paytable looks at no more cards than the game deals to a hand."""
    for game, _, paytable in context.paytables():
        if paytable.cards > game.hands.shape.cards:
            yield context.finding(
                pages.P013,
                paytable.target,
                "/cards",
                f"The paytable looks at {paytable.cards} cards of a hand of "
                f"{game.hands.shape.cards}.",
                "Correct the number of cards.",
            )


def uncountable(context: Context) -> Iterator[Finding]:
    """P014: every paytable and every option can be counted."""
    for target, error in context.refusals.items():
        game, wager, _ = target.split("/")
        yield context.finding(
            pages.P014, target, "", error.message, error.remedy, related=(f"{game}/{wager}", game)
        )


def _counts(analysis: Analysis | None) -> Mapping[str, int]:
    """Return the hands of each event's first row; nothing where the paytable was not counted."""
    return {row.event: row.combinations for row in reversed(analysis.rows)} if analysis else {}


def _first(paytable: Paytable, row: Row) -> int:
    return [one.event for one in paytable.rows].index(row.event)


def _unfit_draw(paytable: Paytable) -> str:
    rows = sum(bool(row.dynamic) for row in paytable.rows)
    draw = paytable.dynamic
    if draw is None:
        return f"{rows} rows have dynamic pays, and no draw is declared." if rows else ""
    if draw.minimum_rows > draw.maximum_rows:
        return f"At least {draw.minimum_rows} rows cannot be at most {draw.maximum_rows}."
    if draw.maximum_rows > rows:
        return f"The draw takes up to {draw.maximum_rows} rows, and {rows} have dynamic pays."
    return ""


def _empty(
    context: Context, condition: Condition | None, key: str, pointer: str
) -> Iterator[Finding]:
    for test in tests_of(condition):
        if test.minimum is not None and test.maximum is not None and test.minimum > test.maximum:
            yield context.finding(
                pages.P012,
                key,
                pointer,
                f"No {test.feature} is at least {test.minimum} and at most {test.maximum}.",
                "Exchange or correct the two values.",
            )
