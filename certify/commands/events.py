"""Events that paytables pay for: counts, and example hands of events and rows."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final

from msgspec import Struct

from certify import library
from certify.engine.hands.awards import award_order, event_counts, pair_counts
from certify.engine.hands.conditions import find, list_features, predicate
from certify.engine.hands.features import find_refusal
from certify.engine.hands.holders import Sides, count_holders
from certify.errors import NotConfigured
from certify.explanations.hands import SetBy, needs_set_hand
from certify.figures.evaluate import house_way_for
from certify.figures.targets import Selection, lookup, refuse_errors, unknown_id
from certify.intake.read import read_catalog
from certify.model.catalog import EVENT_FILES, Catalog
from certify.model.condition import Event
from certify.model.game import MOST_IN_SHOE, Deck, HandRules, HandShape, WheelRule
from certify.model.house_way import HouseWay
from certify.model.paytable import EnvyTable, HandOf, Paytable, depends_on_sides, split_cards
from certify.model.request import Request, Result, argument, option
from certify.report.wording import together
from certify.words.hands import describe_event

USUAL: Final = HandRules(
    deck=Deck(), shape=HandShape(cards=7, back=5, front=2), wheel=WheelRule.SECOND_HIGHEST
)
"""The hands of the family where no game is named: seven of 53 cards, the joker a bug."""


class EventShown(Struct, frozen=True, kw_only=True):
    """An event of the vocabulary with its counts.

    ``combinations`` is the number of hands that meet the event, whatever else they hold, of
    ``total``; for an event on two hands, the number of pairs of the dealer's and the player's.
    ``player`` and ``dealer`` are cards of an example, None if no example was found. ``games`` pay
    for it. ``combinations`` is None if the event requires hands to be set or compared, and no game
    is named or fewer cards are counted; or if it cannot be counted for the reason in ``refusal``.
    """

    id: str
    text: str
    clause: str
    combinations: int | None
    total: int
    player: tuple[str, ...] | None
    dealer: tuple[str, ...] | None
    games: tuple[str, ...]
    refusal: str = ""


class Vocabulary(Result, frozen=True, kw_only=True):
    """Events with their counts over the hands of ``cards`` cards of a deck."""

    table = "events"

    cards: int
    deck: Deck
    events: tuple[EventShown, ...]


class EventsRequest(Request, frozen=True, kw_only=True):
    """Options of `certify events`; None for every event, the usual deck, and a whole hand.

    More ``cards`` than a hand has are cards of the player and the dealer as one hand.
    """

    word: Annotated[str | None, argument("Id of an event, or a word of its description.")] = None
    game: Annotated[
        str | None,
        option("Count with the deck and the hands of this game. Default: 7 of 53 cards."),
    ] = None
    cards: Annotated[int | None, option("Number of cards. Default: those of a hand.")] = None


def find_events(request: EventsRequest) -> Vocabulary:
    """Count the events of the vocabulary, including those of the project.

    Raises:
        NotConfigured: no event or no game has that name, or a hand has fewer cards.
        Unfit: the declared events have errors.
    """
    catalog, faults = read_catalog(*library.layers())
    files = {catalog.documents[key].path for key in EVENT_FILES if key in catalog.documents}
    refuse_errors(tuple(fault for fault in faults if fault.file in files))
    hands, house_way = USUAL, None
    if request.game is not None:
        named = lookup("game", request.game, catalog.games)
        hands, house_way = named.hands, catalog.house_ways.get(named.house_way)
    number = hands.shape.cards if request.cards is None else request.cards
    most = max(hands.shape.cards, min(2 * hands.shape.cards, MOST_IN_SHOE))
    if not 1 <= number <= most:
        raise NotConfigured(
            f"A hand has {hands.shape.cards} cards, not {number}.",
            remedy=f"Use --cards 1 to {most}.",
        )
    sides = None
    if number > hands.shape.cards:
        sides = (hands.shape.cards, number - hands.shape.cards)
        hands, house_way = hands.join(number), None
    texts = {event.id: describe_event(event, hands, number) for event in catalog.events.values()}
    chosen = _find_events(request.word, catalog.events, texts)
    payers = _payers(catalog)
    return Vocabulary(
        cards=number,
        deck=hands.deck,
        events=tuple(
            _describe_event(
                event,
                hands,
                number,
                sides=sides,
                games=payers.get(event.id, ()),
                house_way=house_way,
            )
            for event in chosen
        ),
    )


def _find_events(
    word: str | None, events: Mapping[str, Event], texts: Mapping[str, str]
) -> tuple[Event, ...]:
    """Return the event with an id, or all that have a word in their id or description."""
    if word is None:
        return tuple(events.values())
    if word in events:
        return (events[word],)
    text = word.casefold()
    matching = tuple(
        event
        for event in events.values()
        if text in event.id.replace("_", " ") or text in f"{event.id} {texts[event.id]}".casefold()
    )
    if not matching:
        raise unknown_id("event", word, events)
    return matching


def _payers(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """Return the games that pay for each event, envy prizes included."""
    wagers = [wager for game in catalog.games.values() for wager in game.wagers]
    tables: list[Paytable | EnvyTable] = []
    for wager in wagers:
        tables += [*wager.paytables, *wager.envies]
    payers = together((row.event, table.game) for table in tables for row in table.rows)
    return {event: tuple(dict.fromkeys(games)) for event, games in payers.items()}


def _describe_event(
    event: Event,
    hands: HandRules,
    cards: int,
    *,
    sides: Sides | None,
    games: tuple[str, ...],
    house_way: HouseWay | None,
) -> EventShown:
    from certify.explanations.sample_hands import sample_deals, sample_hands  # loads the arrays

    total, combinations, player, dealer = 0, None, None, None
    whole = cards == hands.shape.cards and (house_way is not None or not event.needs_set_hand)
    set_by = SetBy(house_way) if needs_set_hand([event]) else None
    features = frozenset[str]().union(*map(list_features, event.conditions))
    refusal = None if set_by else find_refusal(hands, cards, features)
    if refusal is not None or (set_by is not None and not whole):
        pass
    elif event.two_handed:
        mine, theirs = sides or (cards, cards)
        try:
            total, (combinations,) = (
                count_holders((event,), (0,), hands, sides)
                if sides
                else pair_counts([event], [0], hands=hands, cards=cards, house_way=house_way)
            )
            deals = sample_deals(hands, mine, set_by, theirs)
            deal = next((deal for deal in deals if deal.holds(event)), None)
            player, dealer = (deal.player, deal.dealer) if deal else (None, None)
        except NotConfigured as error:
            refusal = error
    else:
        total, (combinations,) = event_counts(
            [event], [0], hands=hands, cards=cards, house_way=house_way
        )
        samples = sample_hands(hands, cards, set_by)
        holds = predicate(event.when, samples[0].names)
        player = next((hand for hand in samples if holds(hand.values)), None)
    return EventShown(
        id=event.id,
        text=describe_event(event, hands, cards),
        clause=str(event.source),
        combinations=combinations,
        total=total,
        player=player.cards if player else None,
        dealer=dealer.cards if dealer else None,
        games=games,
        refusal=refusal.message if refusal else "",
    )


Cards = tuple[str, ...]


class RowExample(Struct, frozen=True, kw_only=True):
    """A row's event, and cards that the row pays; None if no such hand was found."""

    event: Event
    player: Cards = ()
    dealer: Cards = ()


def row_examples(selection: Selection, table: Paytable) -> tuple[RowExample, ...]:
    """Return an example of each row of a paytable of a game, in the order of its file.

    Raises:
        NotConfigured: an event or the house way is unknown.
    """
    events = find(selection.catalog.events, [row.event for row in table.rows])
    paid: dict[str, RowExample] = {}
    for example in _paid(selection, table, events):
        paid.setdefault(example.event.id, example)
    return tuple(paid.get(event.id, RowExample(event=event)) for event in events)


def _paid(selection: Selection, table: Paytable, events: tuple[Event, ...]) -> Iterator[RowExample]:
    """Yield sample hands, each with the event of the row that pays it."""
    from certify.explanations.sample_hands import sample_deals, sample_hands

    hands = selection.game.hands
    tried = [events[place] for place in award_order(table, selection.catalog.events)]
    way = house_way_for(selection.catalog, selection.game, table)
    set_by = SetBy(way) if needs_set_hand(events) else None
    if depends_on_sides(table, events):
        mine, theirs = split_cards(table, hands.shape.cards)
        for deal in sample_deals(hands, mine, set_by, theirs):
            event = next((candidate for candidate in tried if deal.holds(candidate)), None)
            if event is not None:
                yield RowExample(event=event, player=deal.player.cards, dealer=deal.dealer.cards)
        return
    samples = sample_hands(hands.for_wager(table), table.cards, set_by)
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
