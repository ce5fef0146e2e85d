"""Count of hands by their features and by the rows of paytables.

Hands of one deck are counted by classes. A hand from several decks, or whose cards matter, is
counted card by card: it is the cards of each rank in each suit, and counts as often as they can be
taken from the decks.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import comb, prod

from .files import Event, Paytable
from .hands import (
    CARDS,
    COLORS,
    OF_SUITS,
    Deck,
    Hand,
    Progress,
    Uncountable,
    Value,
    flush_ways,
    flushes,
    group_sizes,
    holds,
    multisets,
    suit_counts,
)

Share = tuple[int, ...]
"""The cards of one rank by suit: clubs, diamonds, hearts, spades."""

OF_CARDS: Mapping[str, Callable[[Sequence[Share], Share], Value]] = {
    "clubs": lambda _, suits: suits[0],
    "diamonds": lambda _, suits: suits[1],
    "hearts": lambda _, suits: suits[2],
    "spades": lambda _, suits: suits[3],
    "red_cards": lambda _, suits: suits[1] + suits[2],
    "one_colour": lambda _, suits: suits[1] + suits[2] in {0, sum(suits)},
    "same_card": lambda shares, _: max(map(max, shares)),
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
        features_by_flush: dict[tuple[int, ...], list[Value]] = {}
        for shares_of_ranks, ways in deals([counts[rank] for rank in ranks], deck.decks):
            suits = tuple(map(sum, zip(*shares_of_ranks, strict=True)))
            flush: tuple[int, ...] = ()
            if max(suits) >= deck.complete:
                suit = suits.index(max(suits))
                pairs = zip(ranks, shares_of_ranks, strict=True)
                flush = tuple(rank for rank, share in pairs for _ in range(share[suit]))
            if flush not in features_by_flush:
                hand = Hand(counts, 0, deck, flush)
                features_by_flush[flush] = [
                    None if name in OF_CARDS else hand[name] for name in features
                ]
            cell = [
                OF_CARDS[name](shares_of_ranks, suits) if name in OF_CARDS else value
                for name, value in zip(features, features_by_flush[flush], strict=True)
            ]
            cells[tuple(cell)] += ways
        if progress:
            progress(cells.total(), comb(deck.size, cards))
    return cells


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
        sums = ways_of.setdefault((jokers, tuple(values)), [0] * len(ways))
        for red, number in enumerate(ways):
            sums[red] += number

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


ALL_OTHER = "all_other"
Tables = Sequence[Sequence[str]]
"""The events of each table that pays a wager, in the order of trial."""


def split_tables(paytable: Paytable, events: Mapping[str, Event]) -> Tables:
    """Return the events of every table that pays a wager, each in the order of trial."""
    ladder = list(events)
    tables = []
    for table in paytable.tables:
        rows = [row.event for row in table.rows]
        if table.award == "highest_ranking_hand":
            rows.sort(key=ladder.index)
        tables.append(rows)
    return tables


def award_rows(tables: Tables, events: Collection[str]) -> str:
    """Return the rows that a hand is awarded for the events that it holds, joined by ``+``."""
    awarded = (next((event for event in table if event in events), None) for table in tables)
    return "+".join(filter(None, awarded)) or ALL_OTHER


def row_counts(
    tables: Tables,
    events: Mapping[str, Event],
    cells: Mapping[tuple[Value, ...], int],
    features: Sequence[str],
) -> Counter[str]:
    """Count the hands of each row; rows that are paid together are joined by ``+``."""
    names = sorted(set().union(*tables))
    counts: Counter[str] = Counter()
    for cell, number in cells.items():
        values = dict(zip(features, cell, strict=True))
        met = {name for name in names if holds(events[name].when, values)}
        counts[award_rows(tables, met)] += number
    return counts
