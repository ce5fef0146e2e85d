"""Walk over every hand of a deck, one by one, and count them by what they hold.

This is the audit of `census`: it shares no code and no idea with it. Cards are 0 to 4 x ranks - 1,
``4 * rank + suit`` with the suits clubs, diamonds, hearts, spades; the jokers are the last. A hand
is four sets of ranks, one a suit, and above them its jokers. Everything is read off these sets
with the joker's rule applied at once, and packed into keys of four bits a field.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from certify.errors import InvariantBroken
from certify.kernels.compiled import compiled

Integers = npt.NDArray[np.int64]
Counts = npt.NDArray[np.uint64]

SUIT = 13  # bits of one suit's set of ranks
FULL_SUIT = (1 << SUIT) - 1
JOKERS = 4 * SUIT
SLOTS = 1 << 17
SLOTS_BY_RANK = 1 << 20
FIELDS = 15  # of the first key; the others but the last are of the second
MULTIPLIER = 0x1E3779B97F4A7C15  # an odd number, to spread others


class Holding(NamedTuple):
    """What a hand holds, in the order of the keys' fields.

    Ranks are counted from 1 at the deck's lowest, 0 for none. ``suited_pair`` is 1 for ace-king, 2
    for ace-queen, 3 for king-queen. ``counts`` has the cards of each rank asked for, four bits a
    rank.
    """

    jokers: int
    of_a_kind: int
    second_of_a_kind: int
    pairs: int
    highest_pair: int
    aces: int
    straight_length: int
    flush_length: int
    straight_flush_length: int
    royal_flush: int
    ace_to_five_straight_flush: int
    suited_pair: int
    pai_gow_high: int
    jacks: int
    red_cards: int
    second_pair: int
    natural_of_a_kind: int
    natural_second_of_a_kind: int
    natural_straight_length: int
    natural_flush_length: int
    natural_straight_flush_length: int
    natural_royal_flush: int
    natural_aces: int
    natural_ace_to_five_straight_flush: int
    counts: int


@compiled
def run_lengths(ranks: int, hand: int, size: int, spare: int) -> Integers:
    """Return the longest run of every set of ranks with ``spare`` jokers, 0 if below ``size``."""
    longest = np.zeros(1 << SUIT, dtype=np.int64)
    for held in range(1 << ranks):
        for length in range(size, min(hand, ranks) + 1):
            for low in range(-1, ranks - length + 1):
                missing = 0
                for rank in range(low, low + length):
                    place = ranks - 1 if rank < 0 else rank
                    missing += 1 - ((held >> place) & 1)
                if missing <= spare:
                    longest[held] = length
    return longest


@compiled
def walk_from(
    first: int,
    ranks: int,
    jokers: int,
    hand: int,
    size: int,
    wild: int,
    asked: int,
    bits: Integers,
    tops: Integers,
    runs: Integers,
    keys: Integers,
    counts: Counts,
) -> None:
    """Count all hands whose lowest card is ``first`` into an open-addressed table.

    Args:
        first: the lowest card.
        ranks: ranks of the deck.
        jokers: how many the deck has.
        hand: cards of a hand, at least 2.
        size: cards of a straight or a flush.
        wild: 1 if jokers are fully wild, 0 if they are bugs.
        asked: the ranks whose cards are counted, a bit each.
        bits: number of ranks of every set of ranks.
        tops: highest rank of every set of ranks, from 1.
        runs: by jokers, the longest run of every set of ranks.
        keys: the keys in every slot, `(slots, 3)`, the first plus one, 0 where a slot is free.
        counts: hands per slot, 64 bits unsigned; no deck of 53 cards has as many as 2^28 hands of
            seven.
    """
    cards = 4 * ranks + jokers
    ace = 1 << (ranks - 1)
    jack_place = ranks - 4
    highest = ((1 << size) - 1) << (ranks - size)
    lowest = ace | ((1 << (size - 1)) - 1)
    chosen = np.zeros(8, dtype=np.int64)
    held = np.zeros(8, dtype=np.int64)
    chosen[0] = first
    held[1] = 1 << (SUIT * (first & 3) + (first >> 2) if first < 4 * ranks else JOKERS)
    chosen[1] = first
    depth = 1
    while depth > 0:
        if depth < hand - 1:
            chosen[depth] += 1
            card = chosen[depth]
            if card > cards - hand + depth:
                depth -= 1
                continue
            place = SUIT * (card & 3) + (card >> 2) if card < 4 * ranks else JOKERS
            held[depth + 1] = held[depth] + (1 << place)
            depth += 1
            chosen[depth] = card
            continue
        for card in range(chosen[depth - 1] + 1, cards):
            place = SUIT * (card & 3) + (card >> 2) if card < 4 * ranks else JOKERS
            whole = held[depth] + (1 << place)
            joker = whole >> JOKERS
            clubs = whole & FULL_SUIT
            diamonds = (whole >> SUIT) & FULL_SUIT
            hearts = (whole >> (2 * SUIT)) & FULL_SUIT
            spades = (whole >> (3 * SUIT)) & FULL_SUIT

            # Ranks held at least once, twice, three times, four times by natural cards.
            one = clubs | diamonds | hearts | spades
            two = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
            three = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
            four = clubs & diamonds & hearts & spades
            natural = one
            natural_aces = (
                int((clubs & ace) > 0)
                + int((diamonds & ace) > 0)
                + int((hearts & ace) > 0)
                + int((spades & ace) > 0)
            )
            natural_most = int(one > 0) + int(two > 0) + int(three > 0) + int(four > 0)
            lone = four or three or two or one
            lone &= -lone
            natural_second = 0
            for group in (one, two, three, four):
                natural_second += int(group & ~lone > 0)
            five, six = 0, 0
            if not wild:
                for _ in range(joker):
                    six |= five & ace
                    five |= four & ace
                    four |= three & ace
                    three |= two & ace
                    two |= one & ace
                    one |= ace
            if six:
                most, group = 6, six
            elif five:
                most, group = 5, five
            elif four:
                most, group = 4, four
            elif three:
                most, group = 3, three
            elif two:
                most, group = 2, two
            else:
                most, group = 1, one
            group &= -group
            second = 0
            if four & ~group:
                second = 4
            elif three & ~group:
                second = 3
            elif two & ~group:
                second = 2
            elif one & ~group:
                second = 1
            pairs = bits[two]
            high_pair = tops[two]
            second_pair = tops[two & ~(1 << tops[two] >> 1)]
            if joker and wild:
                most = most + joker if natural else joker
                pairs += max(min(bits[one & ~two], joker), int(joker > 1 and bits[one] < ranks))
                high_pair = ranks if joker > 1 else tops[one]
                for low in range(ranks):
                    for high in range(low, ranks if joker > 1 else low + 1):
                        both = 1 << low | 1 << high
                        paired = two | (one & both)
                        if low == high and joker > 1:
                            paired |= both
                        below = tops[paired & ~(1 << tops[paired] >> 1)]
                        second_pair = max(second_pair, below)

            straight = runs[joker, natural]
            natural_straight = runs[0, natural]
            flush, natural_flush = 0, 0
            straight_flush, natural_straight_flush = 0, 0
            royal, natural_royal = 0, 0
            wheel, natural_wheel = 0, 0
            suited_pair = 0
            fewest = size - joker
            may_flush = (
                bits[clubs] >= fewest
                or bits[diamonds] >= fewest
                or bits[hearts] >= fewest
                or bits[spades] >= fewest
            )
            for suit in range(4 if may_flush else 0):
                mine = (whole >> (SUIT * suit)) & FULL_SUIT
                length = bits[mine] + joker
                if length < size:
                    continue
                flush = max(flush, length)
                straight_flush = max(straight_flush, runs[joker, mine])
                natural_straight_flush = max(natural_straight_flush, runs[0, mine])
                if length - joker >= size:
                    natural_flush = max(natural_flush, length - joker)
                if bits[mine & highest] + joker >= size:
                    royal = 1
                if bits[mine & highest] == size:
                    natural_royal = 1
                if mine & lowest == lowest:
                    natural_wheel = 1
                if natural_wheel and not joker:
                    wheel = 1
                if (royal or wheel) and hand - joker - bits[mine] == 2:
                    for other in range(4):
                        theirs = (whole >> (SUIT * other)) & FULL_SUIT
                        if other == suit:
                            continue
                        if theirs == ace | ace >> 1:
                            suited_pair = 1
                        elif theirs == ace | ace >> 2:
                            suited_pair = 2
                        elif theirs == ace >> 1 | ace >> 2:
                            suited_pair = 3

            high = tops[one] if most == 1 and straight == 0 and flush == 0 else 0
            jacks = 0
            if jack_place >= 0:
                jacks = (
                    ((clubs >> jack_place) & 1)
                    + ((diamonds >> jack_place) & 1)
                    + ((hearts >> jack_place) & 1)
                    + ((spades >> jack_place) & 1)
                )
            counts_of = 0
            for rank in range(ranks if asked else 0):
                if asked >> rank & 1:
                    times = (
                        ((clubs >> rank) & 1)
                        + ((diamonds >> rank) & 1)
                        + ((hearts >> rank) & 1)
                        + ((spades >> rank) & 1)
                    )
                    counts_of |= times << (4 * rank)
            more = second_pair | natural_most << 4 | natural_second << 8 | natural_straight << 12
            more |= natural_flush << 16 | natural_straight_flush << 20 | natural_royal << 24
            more |= natural_aces << 28 | natural_wheel << 32
            aces = natural_aces + joker
            key = joker
            key |= most << 4 | second << 8 | pairs << 12 | high_pair << 16 | aces << 20
            key |= straight << 24 | flush << 28 | straight_flush << 32 | royal << 36 | wheel << 40
            key |= suited_pair << 44 | high << 48 | jacks << 52
            key |= (bits[diamonds] + bits[hearts]) << 56
            mixed = key ^ more << 3 ^ counts_of * MULTIPLIER
            slot = (mixed ^ mixed >> 13 ^ mixed >> 29 ^ mixed >> 45) & (len(keys) - 1)
            while keys[slot, 0] != key + 1 or keys[slot, 1] != more or keys[slot, 2] != counts_of:
                if keys[slot, 0] == 0:
                    keys[slot, 0], keys[slot, 1], keys[slot, 2] = key + 1, more, counts_of
                    break
                slot = (slot + 1) & (len(keys) - 1)
            counts[slot] += 1
        depth -= 1


def walk(
    *,
    ranks: int = 13,
    joker: int = 1,
    hand: int = 7,
    size: int = 5,
    wild: bool = False,
    asked: int = 0,
    threads: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> dict[Holding, int]:
    """Count all hands of ``hand`` cards by what they hold.

    Args:
        ranks: ranks of the deck, the highest ones of the thirteen.
        joker: how many jokers the deck has, at most two.
        hand: cards of a hand, 2 to 7.
        size: cards of a straight or a flush.
        wild: jokers are fully wild; otherwise they are bugs.
        asked: the ranks whose cards are counted, a bit each from the deck's lowest.
        threads: how many hands' lowest cards are walked at a time; the kernel holds no lock.
        progress: is told how many hands are counted, and of how many.

    Raises:
        InvariantBroken: the counts do not sum to the number of hands.
    """
    cards = 4 * ranks + joker
    total = comb(cards, hand)
    bits = np.array([held.bit_count() for held in range(1 << SUIT)], dtype=np.int64)
    tops = np.array([held.bit_length() for held in range(1 << SUIT)], dtype=np.int64)
    runs = np.stack([run_lengths(ranks, hand, size, spare) for spare in range(1 + joker)])
    slots = SLOTS_BY_RANK if asked else SLOTS

    def task(first: int) -> tuple[list[list[int]], Counts]:
        keys = np.zeros((slots, 3), dtype=np.int64)
        counts = np.zeros(slots, dtype=np.uint64)
        dimensions = (ranks, int(joker), hand, size, int(wild), asked)
        walk_from(first, *dimensions, bits, tops, runs, keys, counts)
        used = keys[:, 0] > 0
        return (keys[used] - np.array([1, 0, 0])).tolist(), counts[used]

    counted: Counter[tuple[int, ...]] = Counter()
    with ThreadPoolExecutor(threads) as executor:
        for keys, counts in executor.map(task, range(cards - hand + 1)):
            for key, number in zip(keys, counts.tolist(), strict=True):
                counted[tuple(key)] += number
            if progress:
                progress(counted.total(), total)
    if counted.total() != total:
        raise InvariantBroken(f"The walk counted {counted.total()} hands, not {total}.")
    return {Holding(*_fields(key)): number for key, number in counted.items()}


def _fields(keys: tuple[int, ...]) -> Iterator[int]:
    key, more, counts = keys
    beside = len(Holding._fields) - FIELDS - 1
    yield from (key >> (4 * place) & 15 for place in range(FIELDS))
    yield from (more >> (4 * place) & 15 for place in range(beside))
    yield counts
