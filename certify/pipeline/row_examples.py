"""A hand for each row of a paytable: one that is paid by this row, and by none before it."""

from collections.abc import Iterator
from dataclasses import dataclass

from certify.engine.explain.sample_hands import sample_deals, sample_hands
from certify.engine.explain.set_hands import SetBy, asks
from certify.engine.hands.awards import award_order
from certify.engine.hands.conditions import find, predicate
from certify.model.condition import Event
from certify.model.paytable import HandOf, Paytable
from certify.pipeline.figures.evaluate import sets_by
from certify.pipeline.targets import Selection

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowExample:
    """A row's event, and cards that the row pays; none where no such hand was dealt."""

    event: Event
    player: Cards = ()
    dealer: Cards = ()


def row_examples(known: Selection, table: Paytable) -> tuple[RowExample, ...]:
    """Return an example of each row of a paytable of a game, in the order of its file.

    Raises:
        NotConfigured: an event or the house way is unknown.
    """
    events = find(known.catalogue.events, [row.event for row in table.rows])
    paid: dict[str, RowExample] = {}
    for example in _paid(known, table, events):
        paid.setdefault(example.event.id, example)
    return tuple(paid.get(event.id, RowExample(event=event)) for event in events)


def _paid(known: Selection, table: Paytable, events: tuple[Event, ...]) -> Iterator[RowExample]:
    """Yield sample hands, each with the event of the row that pays it."""
    hands = known.game.hands
    tried = [events[place] for place in award_order(table, known.catalogue.events)]
    way = sets_by(known.catalogue, known.game, table)
    set_by = SetBy(way) if asks(events) else None
    if table.hand is HandOf.BOTH:
        for deal in sample_deals(hands, table.cards, set_by):
            event = next((candidate for candidate in tried if deal.holds(candidate)), None)
            if event is not None:
                yield RowExample(event=event, player=deal.player.cards, dealer=deal.dealer.cards)
        return
    samples = sample_hands(hands, table.cards, set_by)
    tests = [(candidate, predicate(candidate.when, samples[0].names)) for candidate in tried]
    for hand in samples:
        event = next((candidate for candidate, holds in tests if holds(hand.values)), None)
        if event is not None:
            of_dealer = table.hand is HandOf.DEALER
            yield RowExample(
                event=event,
                player=() if of_dealer else hand.cards,
                dealer=hand.cards if of_dealer else (),
            )
