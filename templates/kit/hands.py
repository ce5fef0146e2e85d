"""Hands and events: the ways to deal a hand, what a hand is, and which row of a table takes it.

How hands are counted. At most one suit can hold a flush. So take each multiset of ranks, with the
joker or without, and each set of its ranks that may be all that one suit holds and makes a flush;
the other cards lie in the three other suits. All hands of such a class have the same features, so
one of them is written out card by card and looked at, and the class is weighted by the number of
ways to choose suits. What is left of the multiset is its hands without a flush, again one class.
The red cards of a class differ from hand to hand: ways are therefore listed by their number.
"""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

RANKS = "23456789TJQKA"
ACE = 12
JOKER = "Jk"
NATURAL_RANKS = {
    "natural_aces": "A", "kings": "K", "queens": "Q", "jacks": "J", "tens": "T", "nines": "9",
    "eights": "8", "sevens": "7", "sixes": "6", "fives": "5", "fours": "4", "threes": "3",
    "twos": "2",
}  # fmt: skip
"""The features that count natural cards of a rank."""

LINE = (ACE, *range(13))  # A-2-3-...-K-A: the ace is low and high, and a straight does not go round

# ---------------------------------------------------------------- hands and the ways to deal them


def multisets(cards, ranks=13):
    """Yield every way to hold so many natural cards: how many of each rank, at most four."""
    if ranks == 0:
        if cards == 0:
            yield ()
        return
    for here in range(min(4, cards) + 1):
        for rest in multisets(cards - here, ranks - 1):
            yield (*rest, here)


def product(first, second):
    """Multiply two lists of ways by number of red cards."""
    ways = [0] * (len(first) + len(second) - 1)
    for red, mine in enumerate(first):
        for more, other in enumerate(second):
            ways[red + more] += mine * other
    return ways


@cache
def suits_of(groups, red_suits, black_suits):
    """Return the ways, by red cards, to choose suits for groups of equal rank."""
    ways = [1]
    for size in groups:
        chosen = [comb(red_suits, red) * comb(black_suits, size - red) for red in range(size + 1)]
        ways = product(ways, chosen)
    return tuple(ways)


@cache
def flush_ways(size, groups, together):
    """Return the ways, by red cards, to deal a flush of ``size`` cards and what lies beside it.

    ``groups`` are the sizes of the groups of equal rank beside the flush. ``together`` is True for
    two cards in one other suit, False for two cards of different ranks in different other suits,
    and None where that is not asked.
    """
    total = [0] * 9
    for red in (True, False):  # two red suits, two black ones
        red_left, black_left = (1, 2) if red else (2, 1)
        beside = list(suits_of(groups, red_left, black_left))
        one_suit = [black_left, 0, red_left]
        if together is True:
            beside = one_suit
        elif together is False:
            beside = [ways - same for ways, same in zip(beside, one_suit)]
        for others, ways in enumerate(beside):
            total[others + size * red] += 2 * ways
    return tuple(total)


def classes(cards, complete, jokers):
    """Yield (one hand of the class, its ways by number of red cards) for all hands of the deck.

    ``jokers`` is how many the deck has.
    """
    for joker in range(jokers + 1):
        which = comb(jokers, joker)
        if cards >= 2 * complete - joker:
            raise SystemExit("With so many cards two suits could hold a flush at once.")
        for counts in multisets(cards - joker):
            held = [rank for rank in range(13) if counts[rank]]
            rest = list(suits_of(tuple(sorted(counts[rank] for rank in held)), 2, 2))
            rest += [0] * (9 - len(rest))
            for size in range(complete - joker, len(held) + 1):
                for flush in combinations(held, size):
                    for hand, ways in with_flush(counts, flush, joker):
                        yield hand, [which * of_red for of_red in ways]
                        rest = [left - taken for left, taken in zip(rest, ways)]
            yield spread(counts, joker), [which * of_red for of_red in rest]


def with_flush(counts, flush, joker):
    """Yield the classes of a multiset of ranks in which one suit holds exactly ``flush``."""
    beside = [rank for rank in range(13) for _ in range(counts[rank] - (rank in flush))]
    groups = tuple(sorted(Counter(beside).values()))
    if groups and groups[-1] > 3:
        return  # four of a rank beside the flush would need its suit
    suited = [RANKS[rank] + "s" for rank in flush] + [JOKER] * joker
    apart = [RANKS[rank] + suit for rank, suit in zip(beside, "hdc")]
    if groups == (1, 1):
        yield suited + [RANKS[rank] + "h" for rank in beside], flush_ways(len(flush), groups, True)
        yield suited + apart, flush_ways(len(flush), groups, False)
    else:
        yield suited + apart, flush_ways(len(flush), groups, None)


def spread(counts, joker):
    """Return a hand of these ranks whose suits are dealt in turn, so that it has no flush."""
    ranks = [RANKS[rank] for rank in range(13) for _ in range(counts[rank])]
    return [rank + "shdc"[turn % 4] for turn, rank in enumerate(ranks)] + [JOKER] * joker


# ------------------------------------------------------------------------- what a hand is


@cache
def run(ranks, joker):
    """Return the longest run of consecutive ranks, the joker standing for one that is missing."""
    return max(
        length
        for start in range(14)
        for length in range(15 - start)
        if sum(rank in ranks for rank in LINE[start : start + length]) + joker >= length
    )


class Hand:
    """The features of one hand, each as the event vocabulary defines it.

    The joker is a bug, one more ace, or ``wild``: whatever makes the hand best.
    """

    def __init__(self, cards, complete, wild=False):
        """Sort the cards by rank and suit."""
        natural = [(RANKS.index(card[0]), card[1]) for card in cards if card != JOKER]
        self.jokers = len(cards) - len(natural)
        self.joker = self.jokers > 0
        self.wild = wild and self.joker
        self.complete = complete
        self.natural = natural
        self.ranks = frozenset(rank for rank, _ in natural)
        self.suits = {suit: frozenset(r for r, s in natural if s == suit) for suit in "shdc"}
        self.held = Counter(rank for rank, _ in natural)
        self.counts = Counter(self.held)
        if not wild:
            self.counts[ACE] += self.jokers
        self.counts = +self.counts
        self.sizes = [*sorted(self.counts.values(), reverse=True), 0, 0]

    def __getitem__(self, name):
        """Return a feature by its name."""
        if name in NATURAL_RANKS:
            return self.held[RANKS.index(NATURAL_RANKS[name])]
        value = getattr(self, name)
        return value() if callable(value) else value

    def of_a_kind(self):
        return self.sizes[0] + (self.jokers if self.wild else 0)

    def second_of_a_kind(self):
        return self.sizes[1]

    def paired(self):
        """Return the ranks that are held twice or more, highest first, no wild joker among them."""
        return sorted((rank for rank, size in self.counts.items() if size > 1), reverse=True)

    def pairs(self):
        if not self.wild:
            return len(self.paired())
        singles = sum(size == 1 for size in self.held.values())
        alone = self.jokers > 1 and len(self.ranks) < len(RANKS)
        return len(self.paired()) + max(min(singles, self.jokers), alone)

    def highest_pair(self):
        if self.wild:
            return RANKS[ACE if self.jokers > 1 else max(self.ranks)]
        return RANKS[self.paired()[0]] if self.paired() else None

    def second_pair(self):
        if not self.wild:
            return RANKS[self.paired()[1]] if len(self.paired()) > 1 else None
        seconds = []
        for stands in combinations_with_replacement(range(13), self.jokers):
            counts = self.held + Counter(stands)
            seconds += sorted((rank for rank in counts if counts[rank] > 1), reverse=True)[1:2]
        return RANKS[max(seconds)] if seconds else None

    def aces(self):
        return self.held[ACE] + self.jokers

    def natural_of_a_kind(self):
        return max(self.held.values(), default=0)

    def natural_second_of_a_kind(self):
        return [*sorted(self.held.values(), reverse=True), 0, 0][1]

    def natural_straight_length(self):
        return self.long_enough(run(self.ranks, 0))

    def natural_flush_length(self):
        return self.long_enough(max(map(len, self.suits.values())))

    def natural_straight_flush_length(self):
        return self.long_enough(max(run(held, 0) for held in self.suits.values()))

    def royal(self):
        """Return the ranks of a royal flush: A-K-Q where a complete hand is three cards."""
        return "TJQKA"[-self.complete :]

    def natural_royal_flush(self):
        return self.suit_with(self.royal(), 0) is not None

    def straight_length(self):
        return self.long_enough(run(self.ranks, self.jokers))

    def flush_length(self):
        return self.long_enough(max(map(len, self.suits.values())) + self.jokers)

    def straight_flush_length(self):
        return self.long_enough(max(run(held, self.jokers) for held in self.suits.values()))

    def long_enough(self, length):
        return length if length >= self.complete else 0

    def royal_flush(self):
        return self.suit_with(self.royal(), self.jokers) is not None

    def ace_to_five_straight_flush(self):
        return not self.joker and self.suit_with("A2345", 0) is not None

    def natural_ace_to_five_straight_flush(self):
        return self.suit_with("A2345", 0) is not None

    def suit_with(self, letters, missing):
        """Return the suit that holds these ranks but for ``missing`` of them, or None."""
        wanted = {RANKS.index(letter) for letter in letters}
        suits = [suit for suit, held in self.suits.items() if len(wanted - held) <= missing]
        return suits[0] if suits else None

    def suited_pair(self):
        suit = self.suit_with("TJQKA", self.jokers)
        if suit is None and not self.joker:
            suit = self.suit_with("A2345", 0)
        others = [(rank, other) for rank, other in self.natural if other != suit]
        if suit is None or len(others) != 2 or others[0][1] != others[1][1]:
            return None
        letters = "".join(RANKS[rank] for rank, _ in sorted(others, reverse=True))
        return letters if letters in ("AK", "AQ", "KQ") else None

    def pai_gow_high(self):
        if self.of_a_kind() > 1 or self.straight_length() or self.flush_length():
            return None
        return RANKS[max(self.counts)]


def census(cards, complete, jokers, features, wild=False):
    """Count the hands of the deck by their values of ``features``."""
    cells = Counter()
    colour = {"red_cards", "one_colour"} & set(features)
    for hand, ways in classes(cards, complete, jokers):
        looked_at = Hand(hand, complete, wild)
        values = {name: looked_at[name] for name in features if name not in colour}
        for red, number in enumerate(ways if colour else [sum(ways)]):
            if number:
                natural = cards - looked_at.jokers
                values.update(red_cards=red, one_colour=red in (0, natural))
                cells[tuple(values[name] for name in features)] += number
    return cells


# ------------------------------------------------------------------ events and who is awarded


def asked(condition):
    """Return the names of the features that a condition asks for."""
    names = set()
    for key, value in (condition or {}).items():
        if key in ("all", "any"):
            names |= {name for part in value for name in asked(part)}
        else:
            names |= asked(value) if key == "not" else {key}
    return names


def set_or_compared(event):
    """Say whether an event looks at hands as the house way sets them, or at the higher of two."""
    sides = (event.get(whose) for whose in ("when", "dealer", "player"))
    names = {name for condition in sides for name in asked(condition)}
    return bool({"compare", "either"} & event.keys() or {"high_hand", "low_hand"} & names)


def holds(condition, values):
    """Say whether every part of a condition is true of a hand with these values of features."""
    for key, wanted in (condition or {}).items():
        if key == "all":
            true = all(holds(part, values) for part in wanted)
        elif key == "any":
            true = any(holds(part, values) for part in wanted)
        elif key == "not":
            true = not holds(wanted, values)
        elif isinstance(wanted, dict):
            true = wanted.get("min", 0) <= values[key] <= wanted.get("max", 99)
        else:
            true = values[key] in (wanted if isinstance(wanted, list) else [wanted])
        if not true:
            return False
    return True


def first_rows(cells, features, conditions, order):
    """Return how many hands each row is awarded when rows are tried in ``order``."""
    counts = [0] * len(conditions)
    for cell, number in cells.items():
        values = dict(zip(features, cell))
        for row in order:
            if holds(conditions[row], values):
                counts[row] += number
                break
    return counts
