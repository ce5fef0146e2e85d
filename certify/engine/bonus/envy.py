"""Envy and community prizes: what other players' hands are worth to a qualifying wager."""

from collections.abc import Mapping
from fractions import Fraction

from certify.engine.hands.awards import event_counts
from certify.engine.hands.conditions import find
from certify.formatting import money
from certify.model.analysis import EnvyAnalysis, RowAnalysis
from certify.model.condition import Event
from certify.model.game import HandRules
from certify.model.paytable import EnvyTable


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
    """Price an envy table per other player, per unit wagered; None where there is no table.

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
    beside = envy.pays_on_own_hand + envy.pays_on_dealer_hand
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
            number: house_edge - (number - 1 + beside) * value for number in range(1, players + 1)
        },
    )
