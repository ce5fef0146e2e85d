"""Wagers paid by several tables at once, and prizes for other players' hands.

`merge_paytables` merges the tables into one that pays the same for each hand. A merged row is a
combination of rows of the tables. Tried in the order of the first table, then of the second, the
first row that a hand matches consists of the rows that the tables award. Counts and explanations
therefore need one table only.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from msgspec.structs import replace

from certify.engine.hands.awards import award_order, event_counts, row_counts
from certify.engine.hands.conditions import find
from certify.errors import NotConfigured
from certify.formatting import join_words, money
from certify.model.analysis import EnvyAnalysis, RowAnalysis
from certify.model.condition import AllOf, Condition, Event, TwoHands
from certify.model.game import Game, HandRules
from certify.model.house_way import HouseWay
from certify.model.paytable import Award, Basis, EnvyTable, Payout, Paytable, Row

MOST_ROWS = 400
"""Rows of the whole, beyond which nobody would read it."""


def merge_paytables(
    paytable: Paytable,
    events: Mapping[str, Event],
    *,
    hands: HandRules,
    house_way: HouseWay | None = None,
) -> tuple[Paytable, Mapping[str, Event]]:
    """Return one table with the combined pays of all tables of a wager, and its events.

    Winnings add up. The wager itself is returned once, if any of the rows returns it. Rows without
    hands are omitted. A single table is returned unchanged. ``house_way`` sets the hands if a row
    depends on how they are set.

    Raises:
        NotConfigured: an event is unknown, or pays cannot be added up.
    """
    if not paytable.also:
        return paytable, events
    _refuse(paytable)
    tables = [(paytable.rows, paytable.award), *((more.rows, more.award) for more in paytable.also)]
    ranked = [
        [table[place] for place in award_order(replace(paytable, rows=table, award=award), events)]
        for table, award in tables
    ]
    merged = [_row(rows, events) for rows in _choices(ranked)]
    all_events = {**events, **{event.id: event for _, event in merged}}
    whole = replace(
        paytable,
        rows=tuple(row for row, _ in merged),
        award=Award.FIRST_ROW_CONTAINED,
        also=(),
        joined=tuple(table.name for table in paytable.also),
    )
    _, counts = row_counts(whole, events=all_events, hands=hands, house_way=house_way)
    rows_held = tuple(row for row, number in zip(whole.rows, counts, strict=True) if number)
    return replace(whole, rows=rows_held), all_events


def merge_tables(
    game: Game, events: Mapping[str, Event], house_way: HouseWay | None = None
) -> tuple[Game, Mapping[str, Event]]:
    """Return a game whose every wager is paid by one table, and the events of their rows.

    Raises:
        NotConfigured: see `merge_paytables`.
    """
    wagers = []
    for wager in game.wagers:
        tables = []
        for paytable in wager.paytables:
            table, events = merge_paytables(paytable, events, hands=game.hands, house_way=house_way)
            tables.append(table)
        wagers.append(replace(wager, paytables=tuple(tables)))
    return replace(game, wagers=tuple(wagers)), events


def _refuse(paytable: Paytable) -> None:
    rows = [paytable.rows, *(table.rows for table in paytable.also)]
    metered = any(row.payout.basis is Basis.METER or row.dynamic for table in rows for row in table)
    if metered or paytable.progressive is not None or paytable.dynamic is not None:
        raise NotConfigured(
            f"{paytable.target} has several tables, one of them with a meter or a draw.",
            remedy="Declare the pays of a meter or a draw as a separate wager.",
            pointer="/also",
        )
    if prod(len(table) + 1 for table in rows) > MOST_ROWS:
        raise NotConfigured(
            f"{paytable.target} has more than {MOST_ROWS} ways to be paid by its tables together.",
            remedy="Correct the rows if some are wrong; otherwise certify cannot count this wager.",
            pointer="/also",
        )


def _choices(ranked: Sequence[Sequence[Row]]) -> Iterator[tuple[Row, ...]]:
    """Yield the rows that may be awarded together, one of each table or none, but not none at all.

    A row precedes its table's later ones; the choice of no row comes last.
    """
    for chosen in product(*((*rows, None) for rows in ranked)):
        rows = tuple(row for row in chosen if row is not None)
        if rows:
            yield rows


def _row(rows: Sequence[Row], events: Mapping[str, Event]) -> tuple[Row, Event]:
    """Return the row of the whole that several rows make, and its event."""
    events_of_rows = find(events, [row.event for row in rows])
    event = events_of_rows[0]
    for other in events_of_rows[1:]:
        event = _both(event, other)
    name = join_words([row.name for row in rows])
    return Row(event=event.id, name=name, payout=_sum([row.payout for row in rows])), event


def _both(first: Event, second: Event) -> Event:
    """Return the event that a hand, or a deal, is both of two events."""
    if first.two_handed is not second.two_handed:
        raise NotConfigured(
            f"{first.id} and {second.id} do not use the same hands.",
            remedy="Correct the events if one is wrong; otherwise certify cannot count this wager.",
            pointer="/also",
        )
    deals = tuple(_deal(deal, other) for deal, other in product(first.deals, second.deals))
    return Event(
        id=f"{first.id}+{second.id}",
        text=_join_texts(first.text, second.text),
        text_without_joker=_join_texts(
            first.text_without_joker or first.text, second.text_without_joker or second.text
        ),
        text_fully_wild=_join_texts(
            first.text_fully_wild or first.text, second.text_fully_wild or second.text
        ),
        source=first.source,
        when=_all(first.when, second.when),
        either=deals,
    )


def _join_texts(first: str, second: str) -> str:
    # A sentence that starts with a word goes on in small letters, one that starts with a card not.
    start = second[0].lower() if second[1:2].islower() else second[:1]
    return f"{first}, and {start}{second[1:]}"


def _deal(first: TwoHands, second: TwoHands) -> TwoHands:
    if first.compare is not None and second.compare is not None:
        raise NotConfigured(
            "Only one table of a wager may compare the hands.",
            remedy="Correct the events if one is wrong; otherwise certify cannot count this wager.",
            pointer="/also",
        )
    return TwoHands(
        player=_all(first.player, second.player),
        dealer=_all(first.dealer, second.dealer),
        together=_all(first.together, second.together),
        compare=first.compare or second.compare,
    )


def _all(first: Condition | None, second: Condition | None) -> Condition | None:
    if first is None or second is None:
        return first or second
    return AllOf(conditions=(first, second))


def _sum(payouts: Sequence[Payout]) -> Payout:
    """Return the total of several payouts on one stake."""
    amount = sum(payout.amount for payout in payouts if payout.is_odds)
    returned = any(payout.basis in (Basis.TO, Basis.PUSH) for payout in payouts)
    if amount:
        return Payout(basis=Basis.TO if returned else Basis.FOR, amount=amount)
    return Payout(basis=Basis.PUSH if returned else Basis.LOSS)


def evaluate_envy(
    envy: EnvyTable | None,
    *,
    events: Mapping[str, Event],
    hands: HandRules,
    cards: int,
    house_edge: Fraction | None,
    players: int,
    wager_cents: int | None = None,
) -> EnvyAnalysis | None:
    """Evaluate an envy table per other player, per unit wagered; None without a table.

    The wager is the qualifying one unless ``wager_cents`` is given; a smaller one wins no prize.

    The prize of another hand is that of the first row it contains. Another player's hand has the
    same chances as the bettor's own; the edge with k bettors is the wager's own less k - 1 times
    the value of one other player, and once more where the own hand or the dealer's is paid. Without
    an edge of the wager's own there is none with others.

    Raises:
        NotConfigured: an event or a feature is unknown.
    """
    if envy is None:
        return None
    wager = wager_cents or envy.qualifying_wager_cents
    paid = wager >= envy.qualifying_wager_cents
    events_of_rows = find(events, [row.event for row in envy.rows])
    total, counts = event_counts(
        events_of_rows, range(len(events_of_rows)), hands=hands, cards=cards
    )
    rows = [
        RowAnalysis(
            event=row.event,
            name=row.name,
            pays=money(row.prize_cents),
            combinations=number,
            probability=Fraction(number, total),
            contribution=Fraction(number, total) * row.prize_cents * paid / wager,
        )
        for row, number in zip(envy.rows, counts, strict=True)
    ]
    others = total - sum(counts)
    rows.append(
        RowAnalysis(
            event="all_other",
            name="All other",
            pays="nothing",
            combinations=others,
            probability=Fraction(others, total),
            contribution=Fraction(0),
        )
    )
    value = sum((row.contribution for row in rows), start=Fraction(0))
    return EnvyAnalysis(
        paytable=envy.id,
        qualifying_wager_cents=envy.qualifying_wager_cents,
        wager_cents=wager,
        rows=tuple(rows),
        called=envy.called,
        per_other_player=value,
        house_edge_by_players={}
        if house_edge is None
        else {
            number: house_edge - (number - 1 + envy.other_hands) * value
            for number in range(1, players + 1)
        },
    )
