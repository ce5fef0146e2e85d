"""The queries that a hand's suits ask: by class, holding of a suit and kept split.

A suit query's code has in every rank the state (G, p): whether the hand holds the rank in that
suit, and how many cards of it in the three others. With m cards of a rank in all the state is
2m - G, so the code of a holding is that of the empty one less one bit of every rank held.
"""

import numpy as np
import numpy.typing as npt

from certify.kernels.compiled import compiled

Integers = npt.NDArray[np.int64]


@compiled
def slots(counts: Integers, others: Integers, begin: Integers, ranks: int) -> Integers:
    """Return where the slots of every class begin, their number last (see `suit_isomorphism`)."""
    result = np.zeros(len(counts) + 1, dtype=np.int64)
    for row in range(len(counts)):
        free = 0
        for rank in range(ranks):
            count = ((counts[row] if others[row] < 0 else others[row]) >> (4 * rank)) & 15
            if 0 < count < 4:
                free += 1
        subsets = (1 << free) + (0 if others[row] < 0 else 1)
        result[row + 1] = result[row] + subsets * (begin[row + 1] - begin[row] + 1)
    return result


@compiled
def suit_queries(
    counts: Integers,
    others: Integers,
    joker: Integers,
    begin: Integers,
    points: Integers,
    slot: Integers,
    ranks: int,
    needed: int,
    key: Integers,
) -> None:
    """Fill in the query of every slot; subsets that no plain hand can hold repeat the empty one.

    Args:
        counts: ranks of the classes, packed four bits a rank.
        others: ranks outside the flush suit, -1 for rank classes.
        joker: how many jokers the class holds.
        begin: where the kept splits of each class begin.
        points: the part of each kept split's key above the code.
        slot: where the slots of each class begin.
        ranks: ranks of the deck.
        needed: cards of a flush; as many less do as there are jokers.
        key: filled with the keys; the highest rank has the lowest bits.
    """
    bit = np.zeros(16, dtype=np.int64)
    for row in range(len(counts)):
        kept = begin[row + 1] - begin[row]
        empty, flush, full = 0, 0, 0
        free, four = 0, 0
        for rank in range(ranks):
            digit = 1 << (3 * (ranks - 1 - rank))
            count = (counts[row] >> (4 * rank)) & 15
            empty += 2 * count * digit
            count = ((counts[row] if others[row] < 0 else others[row]) >> (4 * rank)) & 15
            if count == 4:
                full += digit
                four += 1
            elif count > 0:
                bit[free] = digit
                free += 1
            if others[row] >= 0 and (counts[row] - others[row]) >> (4 * rank) & 15:
                flush += digit
        subsets = (1 << free) + (0 if others[row] < 0 else 1)
        for subset in range(subsets):
            code = empty - full
            size = four
            if others[row] >= 0 and subset == subsets - 1:
                code = empty - flush
            else:
                for j in range(free):
                    if (subset >> j) & 1:
                        code -= bit[j]
                        size += 1
                if others[row] < 0 and size >= needed - joker[row]:
                    code = empty - full
            place = slot[row] + subset * (kept + 1)
            for split in range(kept):
                key[place + split] = points[begin[row] + split] | code
            key[place + kept] = code
