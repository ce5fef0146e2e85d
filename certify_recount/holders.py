"""Count of deals by conditions on the player's cards, the dealer's cards and all of them.

All cards of a deal are listed by type, as far as the conditions tell cards apart; then they are
divided between the player and the dealer in every way, equal types as different cards.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

from .census import OF_CARDS, Share, Tables, award_rows
from .files import Event, Game, Paytable
from .hands import (
    CARDS,
    COLORS,
    OF_SUITS,
    PARTS_OF_HANDS,
    Condition,
    Deck,
    Hand,
    Uncountable,
    Value,
    condition_features,
    holds,
)

Card = tuple[int, int]
"""The rank and the suit of a card."""

MOST_DEALS = 1_000_000
"""The largest number of kinds of deals that are listed."""

OF_SUITS_ALONE = CARDS - {"same_card"} | {"flush_length", "natural_flush_length"}
"""Features that do not tell ranks apart; neither do those of colors."""


def split_cards(game: Game, paytable: Paytable) -> tuple[int, int]:
    """Return the cards of the player and of the dealer that a wager uses."""
    if paytable.hand == "both":
        return (paytable.cards, paytable.cards)
    of_player = min(paytable.cards, game.hand.cards)
    return (of_player, paytable.cards - of_player)


def is_by_holder(game: Game, paytable: Paytable, events: Mapping[str, Event]) -> bool:
    """Return True if a row depends on who holds which card and is counted here."""
    listed = [events[row.event] for table in paytable.tables for row in table.rows]
    deals = [deal for event in listed for deal in event.deals]
    if paytable.hand == "together":
        return any(event.when is None for event in listed)
    conditions = [side for deal in deals for side in deal[:2]]
    names = {name for condition in conditions for name in condition_features(condition)}
    by_suit = not (CARDS | COLORS | {"suited_pair"}).isdisjoint(names)
    of_all = any(deal.together is not None for deal in deals)
    return paytable.hand == "both" and (game.deck.decks > 1 or by_suit or of_all)


class Cards:
    """The features of some cards of a shoe without a joker."""

    def __init__(self, cards: Sequence[Card], deck: Deck) -> None:
        """Count the cards of each rank by suit."""
        counts = Counter(cards)
        self.shares: list[Share] = [
            tuple(counts[rank, suit] for suit in range(4)) for rank in range(deck.ranks)
        ]
        self.suits = tuple(map(sum, zip(*self.shares, strict=True)))
        suit = self.suits.index(max(self.suits))
        flush = [rank for rank, share in enumerate(self.shares) for _ in range(share[suit])]
        complete = len(flush) >= deck.complete
        self.hand = Hand(tuple(map(sum, self.shares)), 0, deck, flush if complete else ())

    def __getitem__(self, name: str) -> Value:
        """Return a feature by its name."""
        if name in OF_CARDS:
            return OF_CARDS[name](self.shares, self.suits)
        return self.hand[name]


def list_types(names: Collection[str], deck: Deck) -> Mapping[Card, int]:
    """Return a card of each type that features tell apart, and the number of such cards."""
    by_rank = not {*names} <= OF_SUITS_ALONE | COLORS
    by_suit = not {*OF_SUITS, *CARDS}.isdisjoint(names)
    by_color = not COLORS.isdisjoint(names)
    types: Counter[Card] = Counter()
    for rank, suit in product(range(deck.ranks), range(4)):
        color = int(suit in {1, 2}) if by_color else 0
        types[rank if by_rank else 0, suit if by_suit else color] += deck.decks
    return types


def divide(cards: int, mine: int) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
    """Return the places of the player's cards and of the dealer's in each way to divide cards."""
    return [
        (chosen, tuple(place for place in range(cards) if place not in chosen))
        for chosen in combinations(range(cards), mine)
    ]


def make_reader(
    conditions: Sequence[Condition | None], deck: Deck
) -> Callable[[tuple[Card, ...]], tuple[bool, ...]]:
    """Return a function from cards, in order, to the conditions that they meet."""

    @cache
    def read(cards: tuple[Card, ...]) -> tuple[bool, ...]:
        features = Cards(cards, deck)
        return tuple(holds(condition, features) for condition in conditions)

    return read


def holder_counts(
    game: Game, paytable: Paytable, events: Mapping[str, Event], tables: Tables
) -> Counter[str]:
    """Count the deals of each row; rows that are paid together are joined by ``+``.

    Raises:
        Uncountable: the deck, a hand or a condition is not counted here.
    """
    sides = split_cards(game, paytable)
    every = [
        (name, deal) for name in sorted(set().union(*tables)) for deal in events[name].as_deals
    ]
    dealers, players, _, together = zip(*(deal for _, deal in every), strict=True)
    names = set().union(*map(condition_features, (*dealers, *players, *together)))
    if any(deal.compare for _, deal in every) or not PARTS_OF_HANDS.isdisjoint(names):
        raise Uncountable("hands that are compared or set, with cards by their holder")
    if game.deck.joker or "suited_pair" in names or not min(sides) >= 1:
        raise Uncountable("a joker, a suited pair or no card, with cards by their holder")
    usual = Deck(ranks=game.deck.ranks, jokers=0, decks=game.deck.decks)
    decks = [usual._replace(complete=min(game.hand.back, cards)) for cards in sides]
    of_types = list_types(names, usual)
    if comb(len(of_types) + sum(sides) - 1, sum(sides)) > MOST_DEALS:
        raise Uncountable(f"{sum(sides)} of {len(of_types)} types of cards")
    read_player, read_dealer = make_reader(players, decks[0]), make_reader(dealers, decks[1])
    read_all = make_reader(together, usual._replace(complete=min(5, sum(sides))))

    @cache
    def find_row(*of_hands: tuple[bool, ...]) -> str:
        return award_rows(
            tables,
            {name for (name, _), *facts in zip(every, *of_hands, strict=True) if all(facts)},
        )

    splits = divide(sum(sides), sides[0])
    counts: Counter[str] = Counter()
    for dealt in combinations_with_replacement(of_types, sum(sides)):
        ways = prod(comb(of_types[card], n) for card, n in Counter(dealt).items())
        of_all = read_all(dealt) if ways else ()
        for mine, left in splits if ways else ():
            player = read_player(tuple([dealt[place] for place in mine]))
            dealer = read_dealer(tuple([dealt[place] for place in left]))
            counts[find_row(player, dealer, of_all)] += ways
    return counts
