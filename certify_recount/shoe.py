"""Count of hands from a shoe of several decks: every multiset of cards, one by one.

No classes of hands are formed. A hand is the cards of each rank in each suit. It counts as often as
its cards can be taken from the copies in the shoe.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb, prod

from .hands import Deck, Hand, Progress, Uncountable, Value, multisets

Share = tuple[int, ...]
"""The cards of one rank by suit: clubs, diamonds, hearts, spades."""

OF_CARDS: Mapping[str, Callable[[Sequence[Share], Share], Value]] = {
    "clubs": lambda _, suits: suits[0],
    "diamonds": lambda _, suits: suits[1],
    "hearts": lambda _, suits: suits[2],
    "spades": lambda _, suits: suits[3],
    "red_cards": lambda _, suits: suits[1] + suits[2],
    "one_colour": lambda _, suits: suits[1] + suits[2] in {0, sum(suits)},
    "same_card": lambda held, _: max(map(max, held)),
}
"""Features read from the cards of each rank by suit, and from the number of cards of each suit."""


@cache
def shares(cards: int, decks: int) -> Sequence[tuple[Share, int]]:
    """Return every way to divide cards of one rank among the suits, and its number of deals."""
    return [
        (share, prod(comb(decks, n) for n in share))
        for share in product(range(cards + 1), repeat=4)
        if sum(share) == cards
    ]


def deals(ranks: Sequence[int], decks: int) -> Iterator[tuple[list[Share], int]]:
    """Yield the cards of each rank by suit, and how often they are dealt."""
    for chosen in product(*(shares(cards, decks) for cards in ranks)):
        ways = prod(ways for _, ways in chosen)
        if ways:
            yield [share for share, _ in chosen], ways


def count_cards(
    cards: int, deck: Deck, features: Sequence[str], progress: Progress | None = None
) -> Counter[tuple[Value, ...]]:
    """Count the hands of a shoe, or of one deck without a joker, by their values of ``features``.

    Raises:
        Uncountable: the deck has a joker, two suits could hold a flush, or a suited pair is asked.
    """
    suited_pair = "suited_pair" in features and cards - deck.complete == 2
    if deck.jokers or cards >= 2 * deck.complete or suited_pair:
        raise Uncountable("jokers, two flushes or a suited pair in hands counted card by card")
    cells: Counter[tuple[Value, ...]] = Counter()
    for counts in multisets(cards, deck.ranks, 4 * deck.decks):
        ranks = [rank for rank, n in enumerate(counts) if n]
        known: dict[tuple[int, ...], list[Value]] = {}
        for held, ways in deals([counts[rank] for rank in ranks], deck.decks):
            suits = tuple(map(sum, zip(*held, strict=True)))
            flush: tuple[int, ...] = ()
            if max(suits) >= deck.complete:
                suit = suits.index(max(suits))
                pairs = zip(ranks, held, strict=True)
                flush = tuple(rank for rank, share in pairs for _ in range(share[suit]))
            if flush not in known:
                hand = Hand(counts, 0, deck, flush)
                known[flush] = [None if name in OF_CARDS else hand[name] for name in features]
            cell = [
                OF_CARDS[name](held, suits) if name in OF_CARDS else value
                for name, value in zip(features, known[flush], strict=True)
            ]
            cells[tuple(cell)] += ways
        if progress:
            progress(cells.total(), comb(deck.size, cards))
    return cells
