"""P codes: the rows of a paytable, their events and hands."""

from collections.abc import Iterator

from certify.checks.catalog_parts import events, rules
from certify.checks.framework import Context, Fault, Location, check
from certify.formatting import did_you_mean, join_words
from certify.model.catalog import EVENT_FILES
from certify.model.condition import Condition, iter_tests
from certify.model.game import WagerKind
from certify.model.paytable import HandOf, Paytable, Row


@check(
    "P001",
    "A row names an undefined event",
    fix="Correct the event's id, or define the event in events.json.",
    wrong='{"event": "four_of_kind", "name": "Four of a Kind", "pays": "20 to 1"}',
    right='{"event": "four_of_a_kind", "name": "Four of a Kind", "pays": "20 to 1"}',
)
def unknown_event(context: Context) -> Iterator[Fault]:
    """Rows pay for events from events.json. The hands of an undefined event cannot be counted."""
    known = tuple(context.catalog.events)
    unread = "".join(
        document.text
        for key, document in context.catalog.documents.items()
        if key in EVENT_FILES and key in context.catalog.left_out
    )
    prizes = ((prize.event, at) for _, prize, at in context.prizes())
    listed = ((row.event, at) for row, at in _listed_rows(context))
    for event, at in (*listed, *prizes):
        # The faults of an events file are reported in that file; its events are not missing.
        if known and event not in known and f'"{event}"' not in unread:
            yield at.fault("/event", f"There is no event {event}.", did_you_mean(event, known))


def _listed_rows(context: Context) -> Iterator[tuple[Row, Location]]:
    """Yield the rows of the paytables, and of those in the texts of rules."""
    for _, row, at in context.rows:
        yield row, at
    for rule, inner in rules(context.catalog):
        for text, at in inner.items("/versions", rule.versions):
            for table, place in at.items("/paytables", text.paytables):
                yield from place.items("/rows", table.rows)


@check(
    "P002",
    "A row can never be paid",
    fix="Move the row above the one that already pays its hands, or remove it.",
    wrong="Three of a Kind above Full House: every full house contains three of a kind",
    right="Full House above Three of a Kind",
)
def never_paid(context: Context) -> Iterator[Fault]:
    """Rows above pay every hand of this row, or no hand of the deck matches it. The table promises
    a pay that never occurs. A row on hands as set is judged by every house way that the game lists.
    """
    for paytable, row, at in context.rows:
        unpaid = context.counts(paytable).get(row.event) == 0
        if unpaid and _first(paytable, row) == at.index:
            winning_rows = (
                context.winning_rows(paytable, at.index) if context.winning_rows else None
            )
            if at.index not in (winning_rows or ()):
                ways = _house_ways(context, paytable)
                yield at.fault("", *_why_never_paid(paytable, row, winning_rows, ways))


def _house_ways(context: Context, paytable: Paytable) -> str:
    """Return the house ways that set the hands of a paytable's rows in words, if any does."""
    events = (context.catalog.events[row.event] for row in paytable.rows)
    if not any(event.needs_set_hand for event in events):
        return ""
    names = context.catalog.games[paytable.game].house_ways
    return f", set by {join_words([f'`{name}`' for name in names], 'or')},"


def _why_never_paid(
    paytable: Paytable, row: Row, winning_rows: tuple[int, ...] | None, ways: str
) -> tuple[str, str]:
    """Return the message and the fix for a row that is never paid."""
    if winning_rows is None:
        return f"The row `{row.name}`{ways} can never be paid.", ""
    if not winning_rows:
        return (
            f"No hand of this deck{ways} matches the row `{row.name}`.",
            "Correct its event, or remove the row.",
        )
    names = [f"`{paytable.rows[place].name}`" for place in winning_rows]
    return (
        f"Every hand of the row `{row.name}`{ways} is paid by an earlier row: {join_words(names)}.",
        f"Move it above {names[-1]}, or remove it.",
    )


@check(
    "P003",
    "An event is in two rows",
    fix="Remove one of the rows, or correct its event.",
    wrong='two rows with {"event": "flush"}',
    right='one row with {"event": "flush"}, one with {"event": "straight"}',
)
def event_twice(context: Context) -> Iterator[Fault]:
    """The second of the two rows is never paid."""
    for paytable, row, at in context.rows:
        first = _first(paytable, row)
        if first < at.index:
            yield at.fault("/event", f"Row {first + 1} already pays the event {row.event}.")


@check(
    "P010",
    "An event does not fit the hand of the wager",
    fix="Use an event for this kind of hand, or correct `hand`.",
    wrong='{"hand": "player"} with the event player_and_dealer_ace_high_pai_gow',
    right='{"hand": "both"} with the event player_and_dealer_ace_high_pai_gow',
)
def hands_fit(context: Context) -> Iterator[Fault]:
    """An event on the player's and the dealer's hands needs a paytable for both hands, each by its
    own conditions or `together`. An event on one hand cannot be tested on two.
    """
    for paytable, row, at in context.rows:
        event = context.catalog.events.get(row.event)
        if event is None or paytable.hand is HandOf.TOGETHER:
            continue
        both = paytable.hand is HandOf.BOTH
        if event.two_handed is not both:
            looks = "one hand" if both else "the player's and the dealer's hands"
            yield at.fault(
                "/event",
                f"{row.event} describes {looks}, but `hand` of this paytable is {paytable.hand}.",
            )


@check(
    "P011",
    "A paytable does not fit the kind of its wager",
    fix="Add or remove `progressive`, or correct `kind` in the wager's file.",
    wrong='{"kind": "progressive"} with a paytable without meters',
    right='{"kind": "progressive"} with a paytable that declares its meters',
)
def kind_fits(context: Context) -> Iterator[Fault]:
    """A progressive wager pays from meters, and no other wager does. The documents describe it in
    a separate section.
    """
    for wager, paytable in context.paytables():
        progressive = wager.kind is WagerKind.PROGRESSIVE
        if progressive is not (paytable.progressive is not None):
            has = "declares no meters" if progressive else "declares meters"
            yield Fault(
                paytable.target,
                "" if progressive else "/progressive",
                f"The wager is of kind {wager.kind}, but this paytable {has}.",
            )


@check(
    "P012",
    "A condition can never hold",
    fix="Swap or correct the two values.",
    wrong='{"flush_length": {"min": 6, "max": 5}}',
    right='{"flush_length": {"min": 5, "max": 6}}',
)
def empty_range(context: Context) -> Iterator[Fault]:
    """A minimum above the maximum matches no hand, and its negation matches every hand."""
    for event, at in events(context.catalog):
        yield from _empty(event.when, at, "/when")
        for deal, inner in at.items("/either", event.either) if event.either else ((event, at),):
            yield from _empty(deal.player, inner, "/player")
            yield from _empty(deal.dealer, inner, "/dealer")
            yield from _empty(deal.together, inner, "/together")
    for _, rule, at in context.dealer_rules():
        yield from _empty(rule.when, at, "/when")


@check(
    "P013",
    "A wager uses more cards than a hand has",
    fix="Correct the number of cards of the paytable or of the game's hand.",
    wrong='{"cards": 7} in a game of six cards',
    right='{"cards": 6} in a game of six cards',
)
def too_many_cards(context: Context) -> Iterator[Fault]:
    """No hand of the game has that many cards, so nothing can be counted."""
    for wager, paytable in context.paytables():
        dealt = context.catalog.games[wager.game].hands.shape.cards
        together = paytable.hand is HandOf.TOGETHER
        if paytable.cards > dealt * (1 + together):
            has = f"two hands have {2 * dealt}" if together else f"a hand has {dealt}"
            message = f"The paytable uses {paytable.cards} cards, but {has}."
            yield Fault(paytable.target, "/cards", message)


@check(
    "P014",
    "A paytable or an option cannot be counted as declared",
    fix="Correct the part that the message names.",
    wrong="a raise against an exposed dealer",
    right="a raise against a concealed dealer",
)
def uncountable(context: Context) -> Iterator[Fault]:
    """A submission contains no paytable or option without figures."""
    unknown = {
        table.target
        for wager in context.wagers
        for table in wager.paytables
        if table.target in context.refusals
        and any(row.event not in context.catalog.events for row in table.rows)
    }
    for target, error in context.refusals.items():
        if target in unknown:
            continue  # `unknown_event` says so, or the fault of the events file does
        game, wager, _ = target.split("/")
        related = (f"{game}/{wager}", game)
        yield Fault(target, error.pointer, error.message, error.remedy, related=related)


def _first(paytable: Paytable, row: Row) -> int:
    return [each.event for each in paytable.rows].index(row.event)


def _empty(condition: Condition | None, at: Location, inner: str) -> Iterator[Fault]:
    for test in iter_tests(condition):
        least, most = test.minimum, test.maximum
        if least is not None and most is not None and least > most:
            yield at.fault(inner, f"`{test.name}` cannot be at least {least} and at most {most}.")


@check(
    "P017",
    "A paytable is for another hand than its wager",
    fix="Correct the `hand` of one of the two.",
    wrong='{"hand": "dealer"} in a paytable of a wager with {"hand": "player"}',
    right='{"hand": "player"} in both',
)
def hands_of_wagers(context: Context) -> Iterator[Fault]:
    """The rules of play describe the wager by one of the two, and the figures count the other."""
    for wager, paytable in context.paytables():
        if paytable.hand is not wager.hand:
            message = f"The paytable is for `{paytable.hand}`, the wager for `{wager.hand}`."
            yield Fault(paytable.target, "/hand", message, related=(wager.target,))
