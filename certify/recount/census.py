"""Count of hands by their features: by classes, or card by card."""

from collections import Counter
from collections.abc import Sequence
from math import comb

from .hands import (
    CARDS,
    COLORS,
    OF_SUITS,
    Deck,
    Hand,
    Progress,
    Value,
    flush_ways,
    flushes,
    group_sizes,
    multisets,
    suit_counts,
)
from .shoe import count_cards


def census(
    cards: int, deck: Deck, features: Sequence[str], progress: Progress | None = None
) -> Counter[tuple[Value, ...]]:
    """Count the hands of the deck by their values of ``features``."""
    if deck.decks > 1 or not CARDS.isdisjoint(features):
        return count_cards(cards, deck, features, progress)
    total = comb(deck.size, cards)
    of_suits = [place for place, name in enumerate(features) if name in OF_SUITS]
    ways_of: dict[tuple[int, tuple[Value, ...]], list[int]] = {}

    def add(values: list[Value], ways: Sequence[int], jokers: int) -> None:
        known = ways_of.setdefault((jokers, tuple(values)), [0] * len(ways))
        for red, number in enumerate(ways):
            known[red] += number

    for jokers in range(deck.jokers + 1):
        for counts in multisets(cards - jokers, deck.ranks):
            hand = Hand(counts, jokers, deck)
            plain = [None if name in COLORS else hand[name] for name in features]
            rest = list(suit_counts(tuple(sorted(n for n in counts if n)), 2, 2))
            for flush, others in flushes(counts, jokers, deck):
                groups = group_sizes(others)
                hand.hold_flush(flush, together=groups == (1, 1))
                asked = "suited_pair" in features and hand.suited_pair() is not None
                for together in (True, False) if asked else (None,):
                    hand.together = together is True
                    values = plain.copy()
                    for place in of_suits:
                        values[place] = OF_SUITS[features[place]](hand)
                    ways = flush_ways(len(flush), groups, together)
                    add(values, ways, jokers)
                    rest = [left - taken for left, taken in zip(rest, ways, strict=True)]
            add(plain, rest, jokers)
        if progress:
            progress(sum(map(sum, ways_of.values())), total)
    cells: Counter[tuple[Value, ...]] = Counter()
    for (jokers, seen), numbers in ways_of.items():
        for red, number in enumerate(numbers):
            if number:
                colors = {"red_cards": red, "one_colour": red in {0, cards - jokers}}
                cell = (colors.get(name, value) for name, value in zip(features, seen, strict=True))
                cells[tuple(cell)] += comb(deck.jokers, jokers) * number
    return cells
