"""Awarded rows of paytables, on one hand or two, and the number of hands of each row."""

from collections.abc import Collection, Mapping, Sequence
from math import comb
from typing import TYPE_CHECKING

from certify.engine.count_cache import cached_count, memoized
from certify.engine.hands.conditions import Cell, Predicate, count, find, list_features, predicate
from certify.engine.hands.features import (
    FEATURES,
    FIELDS,
    Hand,
    asked_ranks,
    hands_of_wager,
)
from certify.engine.hands.holders import count_holders
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.features import HandFeatures, Shape, fields
from certify.model.analysis import Census
from certify.model.condition import Condition, Event
from certify.model.encoding import Progress
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.paytable import Award, HandOf, Paytable, by_holder, split_cards


def row_counts(
    paytable: Paytable,
    *,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None = None,
    progress: Progress | None = None,
) -> tuple[int, tuple[int, ...]]:
    """Return the number of all hands, and the number of hands awarded each row of a paytable.

    A wager on both hands counts ordered pairs of disjoint hands, the dealer's and the player's.
    ``house_way`` sets the hands if a row depends on how they are set.

    Raises:
        NotConfigured: an event or a feature is unknown, or an event does not fit the wager.
    """
    events_of_rows = find(events, [row.event for row in paytable.rows])
    order = award_order(paytable, events)
    if by_holder(paytable, events_of_rows):
        return count_holders(
            tuple(events_of_rows), order, hands, split_cards(paytable, hands.shape.cards)
        )
    hands = hands_of_wager(paytable, events_of_rows, hands)
    if paytable.hand is HandOf.BOTH:
        return pair_counts(
            events_of_rows,
            order,
            hands=hands,
            cards=paytable.cards,
            house_way=house_way,
            progress=progress,
        )
    if house_way is None and progress is None:
        return _whole_hand_counts(tuple(events_of_rows), order, hands, paytable.cards)
    return event_counts(
        events_of_rows,
        order,
        hands=hands,
        cards=paytable.cards,
        house_way=house_way,
        progress=progress,
    )


def winning_rows(
    paytable: Paytable,
    place: int,
    *,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None = None,
) -> tuple[int, ...]:
    """Return the places of the rows that are awarded the hands which the row at ``place`` holds.

    None are returned where no hand of the deck is like that.

    Raises:
        NotConfigured: the wager looks at two hands, or an event or a feature is unknown.
    """
    events_of_rows = find(events, [row.event for row in paytable.rows])
    census, tests = _build_tests(
        events_of_rows,
        award_order(paytable, events),
        hands=hands_of_wager(paytable, events_of_rows, hands),
        cards=paytable.cards,
        house_way=house_way,
    )
    holds = dict(tests)[place]
    cells = [cell for cell, number in census.cells.items() if number and holds(cell)]
    awarded = {_first(tests, cell) for cell in cells}
    return tuple(sorted(taker for taker in awarded if taker is not None))


def award_order(paytable: Paytable, events: Mapping[str, Event]) -> tuple[int, ...]:
    """Return the places of the rows in the order in which a hand is tried for them.

    ``first_row_contained``: the printed order. ``highest_ranking_hand``: the order of the event
    vocabulary, which lists the highest ranking hand first.
    """
    places = range(len(paytable.rows))
    if paytable.award is Award.FIRST_ROW_CONTAINED:
        return tuple(places)
    ladder = {event: rank for rank, event in enumerate(events)}
    return tuple(sorted(places, key=lambda place: ladder[paytable.rows[place].event]))


def event_counts(
    events: Sequence[Event],
    order: Sequence[int],
    *,
    hands: HandRules,
    cards: int,
    house_way: HouseWay | None = None,
    progress: Progress | None = None,
) -> tuple[int, tuple[int, ...]]:
    """Return the number of all hands, and how many each event has that no earlier one takes.

    ``order`` lists the events' positions in the order in which they are tried; the counts are in
    the order of ``events``. ``house_way`` sets the hands if an event depends on how they are set.

    Raises:
        NotConfigured: an event depends on two hands, a feature is unknown, or set hands are
            required and cannot be determined.
        InvariantBroken: the rows hold more hands than there are.
    """
    census, tests = _build_tests(
        events, order, hands=hands, cards=cards, house_way=house_way, progress=progress
    )
    counts = [0] * len(events)
    for cell, number in census.cells.items():
        place = _first(tests, cell)
        if place is not None:
            counts[place] += number
    if sum(counts) > census.total:
        raise InvariantBroken("The rows hold more hands than there are.")
    return census.total, tuple(counts)


@memoized
def _whole_hand_counts(
    events: tuple[Event, ...], order: tuple[int, ...], hands: HandRules, cards: int
) -> tuple[int, tuple[int, ...]]:
    """Return `event_counts`; most paytables of a wager have the same rows and differ in pays."""
    return event_counts(events, order, hands=hands, cards=cards)


def _build_tests(
    events: Sequence[Event],
    order: Sequence[int],
    *,
    hands: HandRules,
    cards: int,
    house_way: HouseWay | None = None,
    progress: Progress | None = None,
) -> tuple[Census, list[tuple[int, Predicate]]]:
    """Return the census that events ask for, and their tests by place in the order of trial."""
    for event in events:
        if event.two_handed:
            raise NotConfigured(
                f"The event {event.id!r} uses the dealer's and the player's hand.",
                remedy='Declare the wager on both hands ("hand": "both").',
            )
    features = frozenset[str]().union(*(list_features(event.when) for event in events))
    census = (
        _census_as_set(hands, cards, features, house_way)
        if any(event.needs_set_hand for event in events)
        else count(hands, cards=cards, features=features, progress=progress)
    )
    tests = [(place, predicate(events[place].when, census.features)) for place in order]
    return census, tests


def _census_as_set(
    hands: HandRules, cards: int, features: Collection[str], house_way: HouseWay | None
) -> Census:
    from certify.engine.hands.as_set import count_as_set

    refuse_fewer(hands, cards)
    return count_as_set(hands, house_way, features)


def _first(tests: Sequence[tuple[int, Predicate]], cell: Cell) -> int | None:
    for place, holds in tests:
        if holds(cell):
            return place
    return None


if TYPE_CHECKING:
    from certify.kernels.two_hand_census import Labeler


def pair_counts(
    events: Sequence[Event],
    order: Sequence[int],
    *,
    hands: HandRules,
    cards: int,
    house_way: HouseWay | None = None,
    progress: Progress | None = None,
) -> tuple[int, tuple[int, ...]]:
    """Return the number of ordered pairs of disjoint hands, and how many each event has.

    ``order`` lists the events' positions in the order in which they are tried. An event without a
    condition on one of the hands accepts any. The count does not depend on pays and is cached.
    ``house_way`` sets both sides if events depend on set hands.

    Raises:
        NotConfigured: an event depends on one hand, or on cards that pairs are not counted by.
        InvariantBroken: the counts do not sum to the number of pairs.
    """
    for event in events:
        _check(event)
    if hands.deck.decks > 1 or any(event.looks_at_cards for event in events):
        return count_holders(tuple(events), tuple(order), hands, (cards, cards))
    if any(event.needs_set_hand or event.compares for event in events):
        refuse_fewer(hands, cards)
        way = house_way if any(event.needs_set_hand for event in events) else None
        total, counts = _count_compared(tuple(events), tuple(order), hands, way, progress)
        return total, tuple(counts)
    return _pair_counts(tuple(events), tuple(order), hands, cards)


def refuse_fewer(hands: HandRules, cards: int) -> None:
    """Refuse to set or to compare fewer cards than are dealt.

    Raises:
        NotConfigured: the wager does not look at whole hands.
    """
    if hands.shape.dealer != hands.shape.cards:
        raise NotConfigured(
            "Hands of two sizes are compared only by the main wager.",
            remedy="Correct the event if it is wrong; otherwise certify cannot count this wager.",
        )
    if cards != hands.shape.cards:
        raise NotConfigured(
            f"Hands are set and compared with all {hands.shape.cards} cards; "
            f"the paytable uses {cards}.",
            remedy=f'Write "cards": {hands.shape.cards}.',
            pointer="/cards",
        )


def _count_compared(
    events: tuple[Event, ...],
    order: tuple[int, ...],
    hands: HandRules,
    house_way: HouseWay | None,
    progress: Progress | None,
) -> tuple[int, list[int]]:
    from certify.engine.hands.as_set import compared_counts

    deals = tuple(event.deals for event in events)
    return cached_count(  # type: ignore[no-any-return]
        ("compared hands", deals, order, hands, house_way),
        lambda: compared_counts(events, order, hands=hands, house_way=house_way, progress=progress),
    )


@memoized
def _pair_counts(
    events: tuple[Event, ...], order: tuple[int, ...], hands: HandRules, cards: int
) -> tuple[int, tuple[int, ...]]:
    deals = tuple(event.deals for event in events)
    total, counts = cached_count(
        ("pairs of hands", deals, order, hands, cards),
        lambda: _count_pairs(events, order, hands, cards),
    )
    return total, tuple(counts)


def _count_pairs(
    events: tuple[Event, ...], order: tuple[int, ...], hands: HandRules, cards: int
) -> tuple[int, list[int]]:
    from certify.kernels.two_hand_census import (
        count_two_hands,  # loads the arrays only when needed
    )

    every = [(place, deal) for place, event in enumerate(events) for deal in event.deals]
    dealers = [deal.dealer for _, deal in every]
    players = [deal.player for _, deal in every]
    shape = Shape(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=cards,
        front=max(cards - hands.shape.back, 0),
    )
    features = frozenset[str]().union(*map(list_features, (*dealers, *players)))
    table = count_two_hands(
        shape,
        _labeler(dealers, hands, cards),
        _labeler(players, hands, cards),
        asked_ranks(features, hands.deck.ranks),
        fields(field for name in features for field in FIELDS[name]),
    )
    total = comb(hands.deck.cards, cards) * comb(hands.deck.cards - cards, cards)
    if sum(table.values()) != total:
        raise InvariantBroken(f"The pairs of hands sum to {sum(table.values())}, not {total}.")
    counts = [0] * len(events)
    for (dealer, player), pairs in table.items():
        of_dealer = _indifferent(dealers) if dealer is None else dealer
        of_player = _indifferent(players) if player is None else player
        rows_met = {
            place
            for (place, _), *both in zip(every, of_dealer, of_player, strict=True)
            if all(both)
        }
        taken = next((place for place in order if place in rows_met), None)
        if taken is not None:
            counts[taken] += pairs
    return total, counts


def _check(event: Event) -> None:
    if not event.two_handed:
        raise NotConfigured(
            f"The event {event.id!r} does not say which of the two hands it uses.",
            remedy='Add conditions under "dealer" and "player".',
        )


def _indifferent(conditions: Sequence[Condition | None]) -> tuple[bool, ...]:
    """Return the truths for a hand that meets no condition: True if a condition is None."""
    return tuple(condition is None for condition in conditions)


def _labeler(
    conditions: Sequence[Condition | None], hands: HandRules, cards: int
) -> "Labeler[tuple[bool, ...]]":
    """Label a hand by the conditions that hold; None if only absent conditions do."""
    features = tuple(frozenset[str]().union(*map(list_features, conditions)))
    values = [FEATURES[name] for name in features]
    tests = [predicate(condition, features) for condition in conditions]
    nothing = _indifferent(conditions)

    def label(hand_features: HandFeatures) -> tuple[bool, ...] | None:
        hand = Hand(hand_features, hands.joker, hands.deck.ranks, cards)
        cell = tuple([value(hand) for value in values])
        truths = tuple([holds(cell) for holds in tests])
        return None if truths == nothing else truths

    return label
