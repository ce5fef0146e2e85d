"""Counts of deals by conditions on the player's cards, the dealer's cards and all of them."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from certify.engine.count_cache import cached_count, memoized
from certify.engine.hands.cards import RED, feature_values
from certify.engine.hands.conditions import list_features, predicate
from certify.engine.hands.features import FIELDS
from certify.errors import InvariantBroken, NotConfigured
from certify.model.condition import Condition, Event, TwoHands
from certify.model.game import HandRules, deck_cards

if TYPE_CHECKING:
    from certify.kernels.two_hand_census import Hands

MOST_HELD = 3
"""The largest hand that is counted card by card together with another."""

MOST_KINDS = 2_000_000
"""The largest number of pairs of hands whose cards are read as one hand."""

OF_RANKS = frozenset(
    ("aces", "counts", "groups", "jacks", "more_groups", "natural_straight", "straight")
) | {"top", "top_pair"}
OF_SUITS = frozenset(("flush", "natural_flush", "suits"))
OF_COLOR = frozenset(("red",))
"""Fields of hands that depend on ranks, on suits or on colors alone; others on cards."""

Sides = tuple[int, int]
"""The numbers of cards of the player and of the dealer."""

Truths = tuple[bool, ...]
Cards = tuple[str, ...]


@memoized
def count_holders(
    events: tuple[Event, ...], order: tuple[int, ...], hands: HandRules, sides: Sides
) -> tuple[int, tuple[int, ...]]:
    """Return the number of deals, and how many each event has that no earlier one takes.

    An event on one hand is a condition on all cards.

    Raises:
        NotConfigured: the deck, the hands or the conditions cannot be counted card by card.
        InvariantBroken: the counts do not sum to the number of deals.
    """
    deals = tuple(event.as_deals for event in events)
    _refuse(events, hands, sides)
    total, counts = cached_count(
        ("deals by holder", deals, order, hands, sides),
        lambda: _count(deals, order, hands, sides),
    )
    return total, tuple(counts)


def _refuse(events: Sequence[Event], hands: HandRules, sides: Sides) -> None:
    if any(event.needs_set_hand or event.compares for event in events):
        raise NotConfigured(
            "Deals that are counted card by card are not set by a house way and not compared.",
            remedy="Use conditions on the cards of each side and on all cards.",
        )
    if hands.deck.joker or not 1 <= min(sides) <= max(sides) <= MOST_HELD:
        mine, theirs = sides
        raise NotConfigured(
            f"Deals of {mine} cards and {theirs} of this deck are not counted card by card.",
            remedy=f"Use one to {MOST_HELD} cards of each side and a deck without a joker.",
            pointer="/cards",
        )


def _count(
    deals: Sequence[Sequence[TwoHands]], order: Sequence[int], hands: HandRules, sides: Sides
) -> tuple[int, list[int]]:
    from certify.kernels.two_hand_census import (  # loads the arrays only when needed
        count_deals,
        number,
    )

    every = [(place, deal) for place, of_event in enumerate(deals) for deal in of_event]
    by_player, by_dealer, by_all = (
        [getattr(deal, holder) for _, deal in every] for holder in ("player", "dealer", "together")
    )
    see, see_all = _make_view([*by_player, *by_dealer, *by_all]), _make_view(by_all)
    types: dict[str, list[str]] = {}
    for card in deck_cards(hands.deck):
        types.setdefault(see(card), []).append(card)
    player = _list_side(hands, sides[0], by_player, types, see_all)
    dealer = _list_side(hands, sides[1], by_dealer, types, see_all)
    if len(player.kinds) * len(dealer.kinds) > MOST_KINDS:
        raise NotConfigured(
            "The conditions on all cards look at too many different cards to be counted.",
            remedy="Correct the conditions if one is wrong; otherwise certify cannot count this "
            "wager.",
        )
    label = _make_labeler(by_all, hands.join(sum(sides)))
    truths, numbers = number([label(a + b) for a, b in product(player.kinds, dealer.kinds)])
    numbers = numbers.reshape(len(player.kinds), len(dealer.kinds))
    copies = [len(cards) for cards in types.values()]
    table = count_deals(player.hands, dealer.hands, numbers, copies)
    total = comb(hands.deck.cards, sides[0]) * comb(hands.deck.cards - sides[0], sides[1])
    if sum(table.values()) != total:
        raise InvariantBroken(f"The deals sum to {sum(table.values())}, not {total}.")
    counts = [0] * len(deals)
    for (theirs, mine, of_all), number_of_deals in table.items():
        of_sides = dealer.truths[theirs], player.truths[mine]
        holding = map(all, zip(*of_sides, truths[of_all], strict=True))
        met = {place for (place, _), holds in zip(every, holding, strict=True) if holds}
        taken = next((place for place in order if place in met), None)
        if taken is not None:
            counts[taken] += number_of_deals
    return total, counts


class _Side(NamedTuple):
    """The hands of a side, the truths of each label, and a hand of each kind."""

    hands: "Hands"
    truths: Sequence[Truths]
    kinds: Sequence[Cards]


def _list_side(
    hands: HandRules,
    cards: int,
    conditions: Sequence[Condition | None],
    types: Mapping[str, Sequence[str]],
    see: Callable[[str], str],
) -> _Side:
    """Label the hands of one side by its conditions, and by what those on all cards see of it."""
    from certify.kernels.two_hand_census import Hands, list_hands, number

    example = [cards_of_type[0] for cards_of_type in types.values()]
    held = list_hands([len(cards_of_type) for cards_of_type in types.values()], cards)
    dealt = [tuple(example[card] for card in hand) for hand in held]
    truths, labels = number([*map(_make_labeler(conditions, hands), dealt)])
    views = [tuple(sorted(map(see, hand))) for hand in dealt]
    of_view = dict(zip(views, dealt, strict=True))
    different, kind = number(views)
    return _Side(Hands(held, labels, kind), truths, [of_view[view] for view in different])


def _make_labeler(
    conditions: Sequence[Condition | None], hands: HandRules
) -> Callable[[Cards], Truths]:
    """Return a function from cards to the truths of conditions, which reads equal cards once."""
    features = tuple(frozenset[str]().union(*map(list_features, conditions)))
    tests = [predicate(condition, features) for condition in conditions]
    read: dict[Cards, Truths] = {}

    def label(cards: Cards) -> Truths:
        key = tuple(sorted(cards))
        if key not in read:
            values = feature_values(cards, hands, features) if features else {}
            read[key] = tuple([holds(tuple(values.values())) for holds in tests])
        return read[key]

    return label


def _make_view(conditions: Sequence[Condition | None]) -> Callable[[str], str]:
    """Return a function from a card to what the conditions see of it: rank, suit or color."""
    features = frozenset[str]().union(*map(list_features, conditions))
    fields = frozenset[str]().union(*(FIELDS[name] for name in features)) - {"joker"}
    by_rank = not fields <= OF_SUITS | OF_COLOR
    by_suit = not fields <= OF_RANKS | OF_COLOR

    def see(card: str) -> str:
        color = str(card[1] in RED) if fields & OF_COLOR else ""
        return (card[0] if by_rank else "") + (card[1] if by_suit else color)

    return see
