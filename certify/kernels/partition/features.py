"""What the census knows of a hand, and the integer code that packs one."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Final, NamedTuple

# The bits of a code's fields, lowest first; what a flush decides stands above the rest of its suit.
BITS: Final = {
    "joker": 2, "aces": 3, "jacks": 3, "top": 4, "top_pair": 4, "straight": 3,
    "natural_straight": 3, "flush": 3, "natural_flush": 3, "straight_flush": 3,
    "natural_straight_flush": 3, "natural_royal": 1, "natural_wheel": 1, "royal": 1, "wheel": 1,
    "suited_pair": 3, "groups": 16, "counts": 52, "red": 3,
}  # fmt: skip
PLACE: Final = dict(zip(BITS, accumulate(BITS.values(), initial=0), strict=False))
EVERY_RANK: Final = (1 << BITS["counts"]) - 1


class HandFeatures(NamedTuple):
    """What is known of a hand.

    ``joker`` is the number of jokers. ``groups`` counts natural ranks by size, four bits a size:
    ranks held once in the lowest four bits, ranks held four times in the highest. ``top`` and
    ``top_pair`` are ranks from 1, of the highest natural card and the highest natural rank held
    twice. Lengths are 0 below a complete hand; the natural ones are those of the natural cards,
    all jokers laid aside. ``suited_pair`` is the set of ranks below the ace (bit 0 ace, 1 king, 2
    queen) held by the two further cards in one other suit. ``counts`` has the natural cards of
    each rank that was asked for, four bits a rank, and ``red`` counts red cards; both are 0 where
    they were not asked for.
    """

    joker: int
    groups: int
    aces: int
    jacks: int
    top: int
    top_pair: int
    straight: int
    natural_straight: int
    flush: int
    natural_flush: int
    straight_flush: int
    natural_straight_flush: int
    royal: int
    natural_royal: int
    natural_wheel: int
    wheel: int
    suited_pair: int
    counts: int
    red: int


_FIELDS: Final = [(PLACE[name], (1 << BITS[name]) - 1) for name in HandFeatures._fields]


def fields(names: Iterable[str]) -> int:
    """Return all bits of some fields of a code."""
    return sum(((1 << BITS[name]) - 1) << PLACE[name] for name in set(names))


def unpack(code: int) -> HandFeatures:
    """Return the features of a code."""
    return HandFeatures(*[code >> place & every for place, every in _FIELDS])
