"""Hands and conditions: the ways to deal a hand, its features, and its row.

At most one suit can hold a flush. So take each multiset of ranks, with jokers or without, and each
set of its ranks that may be all that one suit holds and makes a flush; the other cards are in the
three other suits. All hands of such a class have the same features, so the class is examined once
and weighted by the number of ways to choose suits. The rest of the multiset is its hands without a
flush, again one class. The red cards of a class differ from hand to hand: ways are therefore listed
by their number.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, NamedTuple, Protocol

RANKS = "23456789TJQKA"
Value = int | bool | str | None
Condition = Mapping[str, Any]
"""A condition as declared in JSON."""

PARTS_OF_HANDS = frozenset({"high_hand", "low_hand"})
"""Keys under which a condition asks for a hand as the house way sets it."""

Progress = Callable[[int, int], object]
"""Receives how much of a count is done, and how much there is."""


class Uncountable(ValueError):
    """The declared rules ask for a count that is not made here."""


class Deck(NamedTuple):
    """A deck of the highest ``ranks``, and the size of a complete hand; a shoe has several."""

    ranks: int = 13
    jokers: int = 1
    complete: int = 5
    wild: bool = False
    decks: int = 1

    @property
    def size(self) -> int:
        """The number of cards."""
        return 4 * self.ranks * self.decks + self.jokers

    @property
    def letters(self) -> str:
        """The letters of the ranks, lowest first."""
        return RANKS[len(RANKS) - self.ranks :]

    def value(self, rank: int) -> int:
        """Return the value of a rank: an ace is 1, a face card is 10."""
        letter = self.letters[rank]
        return {"A": 1, "K": 10, "Q": 10, "J": 10, "T": 10}.get(letter) or int(letter)


# ---------------------------------------------------------------- the ways to deal hands


def multisets(cards: int, ranks: int, most: int = 4) -> Iterator[tuple[int, ...]]:
    """Yield every way to hold so many natural cards: how many of each rank, at most ``most``."""
    if ranks == 0:
        if cards == 0:
            yield ()
        return
    for here in range(min(most, cards) + 1):
        for rest in multisets(cards - here, ranks - 1, most):
            yield (*rest, here)


def flushes(
    counts: Sequence[int], jokers: int, deck: Deck
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield the splits of a multiset of ranks into the ranks of a flush and the other ranks.

    Raises:
        Uncountable: two suits could hold a flush at once.
    """
    least = max(1, deck.complete - jokers)
    if sum(counts) >= 2 * least:
        raise Uncountable(f"two suits could hold a flush of {deck.complete}")
    ranks_present = [rank for rank, n in enumerate(counts) if n]
    cards = [rank for rank, n in enumerate(counts) for _ in range(n)]
    in_every_suit = {rank for rank, n in enumerate(counts) if n == 4}
    for size in range(least, len(ranks_present) + 1):
        for flush in combinations(ranks_present, size):
            if in_every_suit.issubset(flush):  # one of the four cards is of the flush suit
                others = cards.copy()
                for rank in flush:
                    others.remove(rank)
                yield flush, tuple(others)


def product(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Multiply two lists of ways by number of red cards."""
    ways = [0] * (len(first) + len(second) - 1)
    for red, mine in enumerate(first):
        for more, other in enumerate(second):
            ways[red + more] += mine * other
    return ways


@cache
def suit_counts(groups: tuple[int, ...], red_suits: int, black_suits: int) -> tuple[int, ...]:
    """Return the ways, by red cards, to choose suits for groups of equal rank."""
    ways = [1]
    for size in groups:
        chosen = [comb(red_suits, red) * comb(black_suits, size - red) for red in range(size + 1)]
        ways = product(ways, chosen)
    return tuple(ways)


@cache
def flush_ways(size: int, groups: tuple[int, ...], together: bool | None) -> tuple[int, ...]:
    """Return the ways, by red cards, to deal a flush of ``size`` cards and the other cards.

    ``groups`` are the sizes of the groups of equal rank outside the flush. ``together`` is True for
    two cards in one other suit, False for two cards of different ranks in different other suits,
    and None where that is not asked.
    """
    total = [0] * (size + sum(groups) + 1)
    for red in (True, False):  # two red suits, two black ones
        red_left, black_left = (1, 2) if red else (2, 1)
        other_ways = list(suit_counts(groups, red_left, black_left))
        one_suit = [black_left, 0, red_left]
        if together is True:
            other_ways = one_suit
        elif together is False:
            other_ways = [ways - same for ways, same in zip(other_ways, one_suit, strict=True)]
        for others, ways in enumerate(other_ways):
            total[others + size * red] += 2 * ways
    return tuple(total)


@cache
def group_sizes(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sizes of the groups of equal rank, smallest first."""
    return tuple(sorted(Counter(ranks).values()))


# ------------------------------------------------------------------------- what a hand holds


@cache
def run(present: frozenset[int], jokers: int, ranks: int) -> int:
    """Return the longest run of ranks, jokers in the gaps; the ace is high, or below the lowest."""
    places = [(rank if rank >= 0 else ranks - 1) in present for rank in range(-1, ranks)]
    return max(
        length
        for start in range(ranks + 1)
        for length in range(min(ranks, ranks + 1 - start) + 1)
        if length - sum(places[start : start + length]) <= jokers
    )


@cache
def straights(deck: Deck) -> tuple[frozenset[int], frozenset[int]]:
    """Return the ranks of the highest straight, and of the straight that begins with the ace."""
    ace = deck.ranks - 1
    lowest = frozenset((ace, *range(deck.complete - 1)))
    return frozenset(range(ace, ace - deck.complete, -1)), lowest


class Hand:
    """The features of one class of hands, each as the event vocabulary defines it.

    ``flush`` are the ranks of the suit that holds a flush; ``together``: the other cards are of one
    suit. A joker is a bug, one more ace, or ``wild``: the best card.
    """

    __slots__ = (
        "counts", "deck", "flush", "jokers", "naturals", "sizes", "suited", "together", "wild",
    )  # fmt: skip

    def __init__(
        self,
        natural: tuple[int, ...],
        jokers: int,
        deck: Deck,
        flush: Sequence[int] = (),
    ) -> None:
        """Count the cards of each rank: ``natural`` ones, ``counts`` with bugs as aces."""
        self.naturals, self.jokers, self.deck = natural, jokers, deck
        self.hold_flush(flush, together=False)
        self.wild = deck.wild and jokers > 0
        self.counts = natural if self.wild else (*natural[:-1], natural[-1] + jokers)
        self.sizes = [*sorted(self.counts, reverse=True), 0]

    def hold_flush(self, flush: Sequence[int], *, together: bool) -> None:
        """Hold these ranks in one suit; the other cards are of one suit if ``together``."""
        self.flush, self.suited, self.together = frozenset(flush), len(flush), together

    def __getitem__(self, name: str) -> Value:
        """Return a feature by its name."""
        if name in NATURAL_RANKS:
            return self.natural(NATURAL_RANKS[name])
        return FEATURES[name](self)

    def natural(self, letter: str) -> int:
        """Return the number of natural cards of a rank."""
        place = self.deck.letters.find(letter)
        return self.naturals[place] if place >= 0 else 0

    @property
    def ranks(self) -> frozenset[int]:
        """The ranks of the natural cards."""
        return frozenset(rank for rank, n in enumerate(self.naturals) if n)

    def letter(self, rank: int | None) -> str | None:
        """Return the letter of a rank."""
        return None if rank is None else self.deck.letters[rank]

    @property
    def pair_ranks(self) -> list[int]:
        """The ranks held at least twice, highest first, without wild jokers."""
        return [rank for rank in reversed(range(self.deck.ranks)) if self.counts[rank] > 1]

    def of_a_kind(self) -> int:
        """Return the most cards of one rank."""
        return self.sizes[0] + (self.jokers if self.wild else 0)

    def pairs(self) -> int:
        """Return the number of ranks that occur at least twice."""
        if not self.wild:
            return len(self.pair_ranks)
        alone = self.jokers > 1 and len(self.ranks) < self.deck.ranks
        return len(self.pair_ranks) + max(min(self.naturals.count(1), self.jokers), alone)

    def highest_pair(self) -> str | None:
        """Return the highest rank that is held at least twice."""
        if self.wild:
            return self.letter(self.deck.ranks - 1 if self.jokers > 1 else max(self.ranks))
        return self.letter(next(iter(self.pair_ranks), None))

    def second_pair(self) -> str | None:
        """Return the second highest rank that is held at least twice."""
        if not self.wild:
            return self.letter([*self.pair_ranks, None, None][1])
        seconds: list[int] = []
        for stands in combinations_with_replacement(range(self.deck.ranks), self.jokers):
            twice = [rank for rank, n in enumerate(self.naturals) if n + stands.count(rank) > 1]
            seconds += twice[-2:-1]
        return self.letter(max(seconds, default=None))

    def complete(self, length: int) -> int:
        """Return a length, or 0 if it is below that of a complete hand."""
        return length if length >= self.deck.complete else 0

    def straight_length(self, jokers: int | None = None) -> int:
        """Return the longest run of ranks."""
        joined = self.jokers if jokers is None else jokers
        return self.complete(run(self.ranks, joined, self.deck.ranks))

    def flush_length(self) -> int:
        """Return the most cards of one suit."""
        return self.complete(self.suited + self.jokers)

    def straight_flush_length(self, jokers: int) -> int:
        """Return the longest run in one suit."""
        return self.complete(run(self.flush, jokers, self.deck.ranks))

    def suit_holds(self, ranks: frozenset[int], jokers: int) -> bool:
        """Return True if the flush suit with the jokers completes these ranks."""
        return len(ranks & self.flush) + jokers >= self.deck.complete

    def royal_flush(self, jokers: int) -> bool:
        """Return True if a suit holds the highest complete hand."""
        return self.suit_holds(straights(self.deck)[0], jokers)

    def low_straight_flush(self) -> bool:
        """Return True if a suit holds the ace and the lowest ranks of the deck."""
        return self.suit_holds(straights(self.deck)[1], 0)

    def suited_pair(self) -> str | None:
        """Return the two suited cards of A, K, Q with a royal or ace-low flush, or None."""
        if not self.together:
            return None
        complete = self.royal_flush(self.jokers) or (not self.jokers and self.low_straight_flush())
        outside = [rank for rank, n in enumerate(self.naturals) if n - (rank in self.flush)]
        if not complete or len(outside) != 2:
            return None
        low, high = map(self.deck.letters.__getitem__, outside)
        return high + low if high + low in {"AK", "AQ", "KQ"} else None

    def pai_gow_high(self) -> str | None:
        """Return the highest rank of a hand without a pair, a straight or a flush."""
        if self.of_a_kind() > 1 or self.straight_length() or self.flush_length():
            return None
        return self.letter(max(rank for rank, n in enumerate(self.counts) if n))


NATURAL_RANKS = {
    "natural_aces": "A", "kings": "K", "queens": "Q", "jacks": "J", "tens": "T", "nines": "9",
    "eights": "8", "sevens": "7", "sixes": "6", "fives": "5", "fours": "4", "threes": "3",
    "twos": "2",
}  # fmt: skip
"""The features that count natural cards of a rank."""

OF_SUITS: Mapping[str, Callable[[Hand], Value]] = {
    "flush_length": Hand.flush_length,
    "straight_flush_length": lambda hand: hand.straight_flush_length(hand.jokers),
    "royal_flush": lambda hand: hand.royal_flush(hand.jokers),
    "ace_to_five_straight_flush": lambda hand: not hand.jokers and hand.low_straight_flush(),
    "suited_pair": Hand.suited_pair,
    "pai_gow_high": Hand.pai_gow_high,
    "natural_flush_length": lambda hand: hand.complete(hand.suited),
    "natural_straight_flush_length": lambda hand: hand.straight_flush_length(0),
    "natural_royal_flush": lambda hand: hand.royal_flush(0),
    "natural_ace_to_five_straight_flush": Hand.low_straight_flush,
}
"""Features that a flush changes."""

FEATURES: Mapping[str, Callable[[Hand], Value]] = {
    **OF_SUITS,
    "joker": lambda hand: hand.jokers > 0,
    "jokers": lambda hand: hand.jokers,
    "of_a_kind": Hand.of_a_kind,
    "second_of_a_kind": lambda hand: hand.sizes[1],
    "pairs": Hand.pairs,
    "highest_pair": Hand.highest_pair,
    "second_pair": Hand.second_pair,
    "aces": lambda hand: hand.naturals[-1] + hand.jokers,
    "natural_of_a_kind": lambda hand: max(hand.naturals),
    "natural_second_of_a_kind": lambda hand: sorted(hand.naturals)[-2],
    "straight_length": Hand.straight_length,
    "natural_straight_length": lambda hand: hand.straight_length(0),
    "total": lambda hand: sum(n * hand.deck.value(at) for at, n in enumerate(hand.naturals)),
}

COLORS = frozenset({"red_cards", "one_colour"})
"""Features that differ within a class: they are read from the number of red cards."""

CARDS = frozenset({"clubs", "diamonds", "hearts", "spades", "same_card"})
"""Features of suits and of copies of a card, for which hands are counted card by card."""


# ------------------------------------------------------------------ conditions


class Values(Protocol):
    """The features of a hand by their names."""

    def __getitem__(self, name: str, /) -> Any:  # noqa: ANN401 - a value, or a part of the hand
        """Return a feature."""


def condition_features(condition: Condition | None) -> set[str]:
    """Return the names of the features that a condition asks for, and of parts of the hand."""
    names = set()
    for key, value in (condition or {}).items():
        if key in {"all", "any"}:
            names |= {name for part in value for name in condition_features(part)}
        elif key in {"not", *PARTS_OF_HANDS}:
            names |= condition_features(value) | PARTS_OF_HANDS.intersection({key})
        else:
            names.add(key)
    return names


def holds(condition: Condition | None, values: Values) -> bool:
    """Return True if a hand meets every part of a condition."""
    return all(_part(key, required, values) for key, required in (condition or {}).items())


def _part(key: str, required: Any, values: Values) -> bool:  # noqa: ANN401 - JSON
    if key in PARTS_OF_HANDS:
        return holds(required, values[key])
    if key == "all":
        return all(holds(part, values) for part in required)
    if key == "any":
        return any(holds(part, values) for part in required)
    if key == "not":
        return not holds(required, values)
    value = values[key]
    if isinstance(required, Mapping):
        low, high = required.get("min", 0), required.get("max", 99)
        if isinstance(low, str) or isinstance(high, str):  # ranks by their letters
            low, high, value = (_place(letter) for letter in (low, high, value))
        return value is not None and low <= value <= high
    return value in (required if isinstance(required, list) else [required])


def _place(letter: Any) -> Any:  # noqa: ANN401 - JSON
    return RANKS.index(letter) if isinstance(letter, str) else letter
