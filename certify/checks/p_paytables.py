"""P codes: rows, hands and pays of paytables."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import gcd

from certify.checks.framework import Context, Fault, Location, check, events, rules
from certify.formatting import did_you_mean, exact_percentage, join_words, money, percentage
from certify.model.analysis import Analysis
from certify.model.catalog import EVENT_FILES
from certify.model.condition import Condition, iter_tests
from certify.model.finding import Severity
from certify.model.game import WagerKind
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, HandOf, Paytable, Row


@check(
    "P001",
    "A row names an undefined event",
    fix="Correct the event's id, or define the event in events.json.",
    wrong='{"event": "four_of_kind", "name": "Four of a Kind", "pays": "20 to 1"}',
    right='{"event": "four_of_a_kind", "name": "Four of a Kind", "pays": "20 to 1"}',
)
def unknown_event(context: Context) -> Iterator[Fault]:
    """Rows pay for events from events.json. The hands of an undefined event cannot be counted."""
    declared = tuple(context.catalog.events)
    unread = "".join(
        document.text
        for key, document in context.catalog.documents.items()
        if key in EVENT_FILES and key in context.catalog.left_out
    )
    prizes = ((prize.event, at) for _, prize, at in context.prizes())
    listed = ((row.event, at) for row, at in _listed_rows(context))
    for event, at in (*listed, *prizes):
        # The faults of an events file are reported in that file; its events are not missing.
        if declared and event not in declared and f'"{event}"' not in unread:
            yield at.fault("/event", f"There is no event {event}.", did_you_mean(event, declared))


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
    "P004",
    "Pays do not fall with rank",
    severity=Severity.WARNING,
    fix="Swap the rows or correct the pay; keep them if the source prints this order.",
    wrong="Straight Flush 20 to 1 above Four of a Kind 50 to 1",
    right="Straight Flush 50 to 1 above Four of a Kind 20 to 1",
)
def pays_rise(context: Context) -> Iterator[Fault]:
    """A row pays less than the row below it, and its hands are not more common. This is usually a
    typing error: the better hand is paid less.
    """
    for _, paytable in context.paytables():
        counts = context.counts(paytable)
        rows = Location(paytable.target).items("/rows", paytable.rows)
        fixed = [(row, at) for row, at in rows if row.payout.basis is not Basis.METER]
        for (row, at), (below, _) in pairwise(fixed):
            commoner = counts.get(row.event, 0) > counts.get(below.event, 0)
            if row.payout.net < below.payout.net and not commoner:
                yield at.fault(
                    "/pays",
                    f"`{row.name}` pays {row.payout} and `{below.name}` below it {below.payout}.",
                )


@check(
    "P005",
    '"To" and "for" are mixed in one table',
    severity=Severity.WARNING,
    fix=("Write every pay of the table the same way; keep them if the source mixes them."),
    wrong="Flush 4 to 1, Straight 3 for 1",
    right="Flush 4 to 1, Straight 2 to 1",
)
def basis_mixed(context: Context) -> Iterator[Fault]:
    """ "50 to 1" returns the wager in addition to the pay and "50 for 1" does not. Most people do
    not notice the difference in one table.
    """  # noqa: D210 - it starts with a quotation mark
    for _, paytable in context.paytables():
        bases: dict[Basis, Location] = {}
        for row, at in Location(paytable.target).items("/rows", paytable.rows):
            for payout in (row.payout, *row.dynamic):
                if payout.is_odds:
                    bases.setdefault(payout.basis, at)
        if len(bases) > 1:
            first, other = bases
            yield bases[other].fault("/pays", f'The table mixes "{first}" with "{other}".')


@check(
    "P006",
    "A share without a meter, or a meter without a share",
    fix=(
        'Add the missing part, such as "pays": "100%", "meter": "1", or use odds without a meter.'
    ),
    wrong='{"pays": "100%"} or {"pays": "50 for 1", "meter": "1"}',
    right='{"pays": "100%", "meter": "1"}',
)
def share_without_meter(context: Context) -> Iterator[Fault]:
    """A share such as 100% needs a meter, and a meter is paid only as a share. With one part
    missing, the pay is undefined.
    """
    for _, row, at in context.rows:
        share = row.payout.basis is Basis.METER
        if share and row.payout.meter is None:
            yield at.fault(
                "/pays", f"The share {exact_percentage(row.payout.amount)} has no meter."
            )
        elif not share and row.payout.meter is not None:
            yield at.fault("/meter", f"{row.payout} is not a share of a meter.")


@check(
    "P007",
    "Dynamic pays do not rise from the default",
    severity=Severity.WARNING,
    fix="Correct the pay; keep it if the source prints it.",
    wrong='{"pays": "20 for 1", "dynamic": ["25 for 1", "5 for 1", "50 for 1"]}',
    right='{"pays": "20 for 1", "dynamic": ["25 for 1", "35 for 1", "50 for 1"]}',
)
def dynamic_order(context: Context) -> Iterator[Fault]:
    """The pays that may replace the default rise in print order, and all are above the default. A
    pay out of order is usually a lost digit.
    """
    for _, row, at in context.rows:
        for place, (before, after) in enumerate(pairwise((row.payout, *row.dynamic))):
            if after.net <= before.net:
                message = f"The dynamic pay {after} is not above {before} before it."
                yield at.fault(f"/dynamic/{place}", message)


@check(
    "P008",
    "The draw of dynamic pays does not fit the rows",
    fix="Correct the numbers of the draw, or the rows.",
    wrong='{"minimum_rows": 3, "maximum_rows": 2}',
    right='{"minimum_rows": 2, "maximum_rows": 3} with three rows that have dynamic pays',
)
def draw_fits(context: Context) -> Iterator[Fault]:
    """A draw cannot take more rows than have dynamic pays, and dynamic pays without a draw are
    never paid.
    """
    for _, paytable in context.paytables():
        message = _unfit_draw(paytable)
        if message:
            yield Fault(paytable.target, "/dynamic" if paytable.dynamic else "/rows", message)


def _unfit_draw(paytable: Paytable) -> str:
    rows = sum(bool(row.dynamic) for row in paytable.rows)
    draw = paytable.dynamic
    if draw is None:
        return f"{rows} rows have dynamic pays, but no draw is declared." if rows else ""
    if draw.minimum_rows > draw.maximum_rows:
        return (
            f"The minimum of {draw.minimum_rows} rows is above the maximum of {draw.maximum_rows}."
        )
    if draw.maximum_rows > rows:
        return f"The draw takes up to {draw.maximum_rows} rows, but {rows} have dynamic pays."
    return ""


@check(
    "P009",
    "Odds are not in lowest terms",
    severity=Severity.WARNING,
    fix="Divide both numbers by their common divisor.",
    wrong='{"pays": "6 to 2"}',
    right='{"pays": "3 to 1"}',
)
def lowest_terms(context: Context) -> Iterator[Fault]:
    """Odds are printed in lowest terms, so the document would differ from the declared file."""
    for _, paytable in context.paytables():
        document = context.catalog.documents.get(paytable.target)
        written = document.value["rows"] if document else ()
        for row, at in Location(paytable.target).items("/rows", written):
            drawn = {f"/dynamic/{place}": pays for place, pays in enumerate(row.get("dynamic", ()))}
            for inner, pays in {"/pays": row["pays"], **drawn}.items():
                numbers = [int(word) for word in pays.split(" ") if word.isdigit()]
                common = gcd(*numbers)
                if common > 1:
                    first, basis, last = pays.split(" ")
                    terms = f"{int(first) // common} {basis} {int(last) // common}"
                    yield at.fault(inner, f"{pays} is not in lowest terms.", f"Write {terms}.")


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
    "P015",
    "A wager returns more than is wagered",
    severity=Severity.WARNING,
    fix=(
        "Correct the pays. To file the wager unchanged, add a reason to `player_advantage` "
        "of the terms."
    ),
    wrong='Five Aces at "1000000 to 1" instead of "1000 to 1"',
    right='Five Aces at "1000 to 1"',
)
def favors_the_player(context: Context) -> Iterator[Fault]:
    """A return above 100% costs the casino money on average, and is usually a typing error in one
    pay. Prizes for other players' hands count for a full table, and meters at their seeds. In a
    submission it is an error unless the terms give a reason. `certify check` does not count main
    wagers: it uses the counts in `second-counts.json`, and N002 names the wagers without one.
    """
    accepted = dict(context.terms.player_advantage) if context.terms is not None else {}
    for wager in context.wagers:
        for record in wager.records:
            below_zero = [each for each in _edges(record, context) if each[1] < 0]
            if not below_zero:
                continue
            when, edge = below_zero[0]
            message = (
                f"{wager.name} {record.id} returns {percentage(1 - edge)} of the wager"
                f"{when}: the house edge is {percentage(edge)}."
            )
            pointer = "/rows" if isinstance(record, Paytable) else ""
            severity = Severity.ERROR if context.filing is not None else None
            if wager.id in accepted:
                message += f" Accepted in the terms: {accepted[wager.id]}"
                severity = Severity.NOTE
            yield Fault(record.target, pointer, message, severity=severity)


def _edges(record: Paytable | MainWager, context: Context) -> Iterator[tuple[str, Fraction]]:
    """Yield the known house edges of an entry, each with a description of its case.

    That of the wager alone comes first, then that of a full table.
    """
    analysis = context.analyses.get(record.target)
    if analysis is None:
        if record.target in context.main_edges:
            yield "", context.main_edges[record.target]
        return
    if analysis.house_edge is not None:
        yield "", analysis.house_edge
    for at in analysis.main.by_wager if analysis.main is not None else ():
        yield f" at {money(at.wager_cents)}", at.house_edge
    if analysis.envy is not None:
        for number, edge in sorted(analysis.envy.house_edge_by_players.items(), reverse=True):
            yield f" at a table of {number} players, including prizes for their hands", edge
    if analysis.house_edge is None and isinstance(record, Paytable):
        at_seed = _edge_with_seeds(record, analysis)
        if at_seed is not None:
            yield " with each meter at its seed", at_seed


def _edge_with_seeds(paytable: Paytable, analysis: Analysis) -> Fraction | None:
    """Return the house edge with each meter at its seed; None if a seed is undeclared."""
    seeds = {meter.level: meter.seed_cents for meter in paytable.meters}
    progressive = analysis.progressive
    if progressive is None or None in seeds.values() or not progressive.base_wager_cents:
        return None
    base = progressive.base_wager_cents
    paid = (meter.weight * Fraction(seeds[meter.level] or 0, base) for meter in progressive.meters)
    return 1 - progressive.fixed_return - sum(paid, start=Fraction(0))


@check(
    "P017",
    "A paytable is for another hand than its wager",
    fix="Correct the `hand` or the `cards` of one of the two.",
    wrong='{"hand": "dealer"} in a paytable of a wager with {"hand": "player"}',
    right='{"hand": "player"} in both',
)
def hands_of_wagers(context: Context) -> Iterator[Fault]:
    """The rules of play describe the wager by one of the two, and the figures count the other."""
    for wager, paytable in context.paytables():
        if paytable.hand is not wager.hand:
            message = f"The paytable is for `{paytable.hand}`, the wager for `{wager.hand}`."
            yield Fault(paytable.target, "/hand", message, related=(wager.target,))
        if wager.cards not in (None, paytable.cards):
            message = f"The paytable uses {paytable.cards} cards, the wager {wager.cards}."
            yield Fault(paytable.target, "/cards", message, related=(wager.target,))
