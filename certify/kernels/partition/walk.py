"""Walk over every hand of a deck, one by one, and count them by what they hold.

This is the audit of `census`: it shares no code and no idea with it. Cards are 0 to 4 x ranks - 1,
``4 * rank + suit`` with the suits clubs, diamonds, hearts, spades; the joker is the last. A hand
is four sets of ranks, one a suit. Everything is read off these sets with the joker's rule applied
at once, and packed into a key of four bits a field.
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
SLOTS = 1 << 17


class Holding(NamedTuple):
    """What a hand holds, in the order of the key's fields.

    Ranks are counted from 1 at the deck's lowest, 0 for none. ``suited_pair`` is 1 for ace-king, 2
    for ace-queen, 3 for king-queen.
    """

    joker: int
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
    joker_in_deck: int,
    hand: int,
    size: int,
    wild: int,
    bits: Integers,
    tops: Integers,
    runs: Integers,
    joker_runs: Integers,
    keys: Integers,
    counts: Counts,
) -> None:
    """Count all hands whose lowest card is ``first`` into an open-addressed table.

    Args:
        first: the lowest card.
        ranks: ranks of the deck.
        joker_in_deck: 1 if the deck has a joker.
        hand: cards of a hand, at least 2.
        size: cards of a straight or a flush.
        wild: 1 if the joker is fully wild, 0 if it is a bug.
        bits: number of ranks of every set of ranks.
        tops: highest rank of every set of ranks, from 1.
        runs: longest run of every set of ranks.
        joker_runs: the same with a joker.
        keys: key plus one in every slot, 0 where a slot is free.
        counts: hands per slot, 64 bits unsigned; no deck of 53 cards has as many as 2^28 hands of
            seven.
    """
    cards = 4 * ranks + joker_in_deck
    ace = 1 << (ranks - 1)
    jack_place = ranks - 4
    highest = ((1 << size) - 1) << (ranks - size)
    lowest = ace | ((1 << (size - 1)) - 1)
    chosen = np.zeros(8, dtype=np.int64)
    held = np.zeros(8, dtype=np.int64)
    chosen[0] = first
    held[1] = 1 << (SUIT * (first & 3) + (first >> 2))
    chosen[1] = first
    depth = 1
    while depth > 0:
        if depth < hand - 1:
            chosen[depth] += 1
            card = chosen[depth]
            if card > cards - hand + depth:
                depth -= 1
                continue
            held[depth + 1] = held[depth] | (1 << (SUIT * (card & 3) + (card >> 2)))
            depth += 1
            chosen[depth] = card
            continue
        for card in range(chosen[depth - 1] + 1, cards):
            joker = 1 if card == 4 * ranks else 0
            whole = held[depth]
            if not joker:
                whole |= 1 << (SUIT * (card & 3) + (card >> 2))
            clubs = whole & FULL_SUIT
            diamonds = (whole >> SUIT) & FULL_SUIT
            hearts = (whole >> (2 * SUIT)) & FULL_SUIT
            spades = whole >> (3 * SUIT)

            # Ranks held at least once, twice, three times, four times by natural cards.
            one = clubs | diamonds | hearts | spades
            two = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
            three = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
            four = clubs & diamonds & hearts & spades
            natural = one
            aces = (
                int((clubs & ace) > 0)
                + int((diamonds & ace) > 0)
                + int((hearts & ace) > 0)
                + int((spades & ace) > 0)
                + joker
            )
            five = 0
            if joker and not wild:
                five = four & ace
                four |= three & ace
                three |= two & ace
                two |= one & ace
                one |= ace
            if five:
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
            paired = two
            if joker and wild:
                most = most + 1 if natural else 1
                paired = one
                if one & ~two:
                    pairs += 1
            high_pair = tops[paired]

            straight = joker_runs[natural] if joker else runs[natural]
            flush = 0
            straight_flush = 0
            royal = 0
            wheel = 0
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
                run = joker_runs[mine] if joker else runs[mine]
                straight_flush = max(straight_flush, run)
                if bits[mine & highest] + joker >= size:
                    royal = 1
                if not joker and mine & lowest == lowest:
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
            key = joker
            key |= most << 4 | second << 8 | pairs << 12 | high_pair << 16 | aces << 20
            key |= straight << 24 | flush << 28 | straight_flush << 32 | royal << 36 | wheel << 40
            key |= suited_pair << 44 | high << 48 | jacks << 52
            key |= (bits[diamonds] + bits[hearts]) << 56
            slot = (key ^ key >> 13 ^ key >> 29 ^ key >> 45) & (len(keys) - 1)
            while keys[slot] != key + 1:
                if keys[slot] == 0:
                    keys[slot] = key + 1
                    break
                slot = (slot + 1) & (len(keys) - 1)
            counts[slot] += 1
        depth -= 1


def walk(
    *,
    ranks: int = 13,
    joker: bool = True,
    hand: int = 7,
    size: int = 5,
    wild: bool = False,
    threads: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> dict[Holding, int]:
    """Count all hands of ``hand`` cards by what they hold.

    Args:
        ranks: ranks of the deck, the highest ones of the thirteen.
        joker: the deck has a joker.
        hand: cards of a hand, 2 to 7.
        size: cards of a straight or a flush.
        wild: the joker is fully wild; otherwise it is a bug.
        threads: how many hands' lowest cards are walked at a time; the kernel holds no lock.
        progress: is told how many hands are counted, and of how many.

    Raises:
        InvariantBroken: the counts do not sum to the number of hands.
    """
    cards = 4 * ranks + joker
    total = comb(cards, hand)
    bits = np.array([held.bit_count() for held in range(1 << SUIT)], dtype=np.int64)
    tops = np.array([held.bit_length() for held in range(1 << SUIT)], dtype=np.int64)
    runs = run_lengths(ranks, hand, size, 0)
    joker_runs = run_lengths(ranks, hand, size, 1)

    def task(first: int) -> tuple[Integers, Counts]:
        keys = np.zeros(SLOTS, dtype=np.int64)
        counts = np.zeros(SLOTS, dtype=np.uint64)
        dimensions = (ranks, int(joker), hand, size, int(wild))
        walk_from(first, *dimensions, bits, tops, runs, joker_runs, keys, counts)
        return keys[keys > 0] - 1, counts[keys > 0]

    counted: Counter[int] = Counter()
    with ThreadPoolExecutor(threads) as executor:
        for keys, counts in executor.map(task, range(cards - hand + 1)):
            counted.update(dict(zip(keys.tolist(), counts.tolist(), strict=True)))
            if progress:
                progress(counted.total(), total)
    if counted.total() != total:
        raise InvariantBroken(f"The walk counted {counted.total()} hands, not {total}.")
    return {Holding(*_fields(key)): number for key, number in counted.items()}


def _fields(key: int) -> Iterator[int]:
    return (key >> (4 * place) & 15 for place in range(len(Holding._fields)))
