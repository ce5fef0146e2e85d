"""Awarded rows of paytables, and the number of hands of each row."""

from collections.abc import Collection, Mapping, Sequence

from certify.engine.count_cache import memoized
from certify.engine.hands.conditions import Cell, Predicate, count, find, list_features, predicate
from certify.engine.hands.countable import hands_of_wager
from certify.errors import InvariantBroken, NotConfigured
from certify.model.analysis import Census
from certify.model.condition import Event
from certify.model.encoding import Progress
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.paytable import Award, HandOf, Paytable


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
    order, hands = award_order(paytable, events), hands_of_wager(paytable, events_of_rows, hands)
    if paytable.hand is HandOf.BOTH:
        from certify.engine.hands.two_hands import pair_counts

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
    wanted = frozenset[str]().union(*(list_features(event.when) for event in events))
    census = (
        _census_as_set(hands, cards, wanted, house_way)
        if any(event.needs_set_hand for event in events)
        else count(hands, cards=cards, features=wanted, progress=progress)
    )
    tests = [(place, predicate(events[place].when, census.features)) for place in order]
    return census, tests


def _census_as_set(
    hands: HandRules, cards: int, features: Collection[str], house_way: HouseWay | None
) -> Census:
    from certify.engine.hands.as_set import count_as_set
    from certify.engine.hands.two_hands import refuse_fewer

    refuse_fewer(hands, cards)
    return count_as_set(hands, house_way, features)


def _first(tests: Sequence[tuple[int, Predicate]], cell: Cell) -> int | None:
    for place, holds in tests:
        if holds(cell):
            return place
    return None
