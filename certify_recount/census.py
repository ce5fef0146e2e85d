"""Count of hands by their features: by classes, or card by card."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
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
    pair = features.index("suited_pair") if "suited_pair" in features else None
    ways_of: dict[tuple[int, tuple[Value, ...]], list[int]] = {}

    def add(values: list[Value], ways: Sequence[int], jokers: int) -> None:
        known = ways_of.setdefault((jokers, tuple(values)), [0] * len(ways))
        for red, number in enumerate(ways):
            known[red] += number

    @cache
    def read_flush(flush: tuple[int, ...], jokers: int) -> list[Value]:
        """Return the features of `of_suits` for a flush, with no suited pair."""
        alone = Hand(tuple(int(rank in flush) for rank in range(deck.ranks)), jokers, deck, flush)
        return [OF_SUITS[features[place]](alone) for place in of_suits]

    for jokers in range(deck.jokers + 1):
        for counts in multisets(cards - jokers, deck.ranks):
            hand = Hand(counts, jokers, deck)
            plain = [None if name in COLORS else hand[name] for name in features]
            rest = list(suit_counts(tuple(sorted(n for n in counts if n)), 2, 2))
            for flush, others in flushes(counts, jokers, deck):
                values, groups = plain.copy(), group_sizes(others)
                for place, value in zip(of_suits, read_flush(flush, jokers), strict=True):
                    values[place] = value
                suited = None
                if pair is not None and groups == (1, 1):
                    hand.hold_flush(flush, together=True)
                    suited = hand.suited_pair()
                for together in (False, True) if suited else (None,):
                    if pair is not None and together:
                        values[pair] = suited
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
