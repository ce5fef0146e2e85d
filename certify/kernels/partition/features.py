"""What the census knows of a hand, and the integer code that packs one."""

from typing import Final, NamedTuple

# A code packs the fields: four bits each, in this order, groups last.
FIELDS: Final = (
    "joker", "aces", "jacks", "top", "top_pair", "straight",
    "flush", "straight_flush", "royal", "wheel", "suited_pair",
)  # fmt: skip
PLACE: Final = {name: 4 * place for place, name in enumerate((*FIELDS, "groups"))}


class HandFeatures(NamedTuple):
    """What is known of a hand.

    ``groups`` counts natural ranks by size, four bits a size: ranks held once in the lowest four
    bits, ranks held four times in the highest. ``top`` and ``top_pair`` are ranks from 1, of the
    highest natural card and the highest natural rank held twice. Lengths are 0 below a complete
    hand. ``suited_pair`` is the set of ranks below the ace (bit 0 ace, 1 king, 2 queen) held by
    the two further cards in one other suit. ``red`` counts red cards, and
    is 0 where colour was not asked for.
    """

    joker: int
    groups: int
    aces: int
    jacks: int
    top: int
    top_pair: int
    straight: int
    flush: int
    straight_flush: int
    royal: int
    wheel: int
    suited_pair: int
    red: int


def unpack(code: int) -> HandFeatures:
    """Return the features of a code, without its red cards."""
    return HandFeatures(
        **{name: code >> PLACE[name] & 15 for name in FIELDS}, groups=code >> PLACE["groups"], red=0
    )
