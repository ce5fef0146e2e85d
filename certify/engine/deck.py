"""The hands of a deck in their classes, with each way to divide them.

An undivided hand has one split: all its cards are the high hand, and there is no low hand.

The classes are cached in the process: all options of a game, all strategies and the audits of its
house ways share one enumeration, until `free_decks`.
"""

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from certify.errors import NotConfigured
from certify.model.game import HandRules, JokerRule, Ranking, WheelRule, uncountable
from certify.model.vocabulary import Category

if TYPE_CHECKING:
    from certify.kernels.class_arrays import HandClasses, Splits
    from certify.kernels.features import Shape

LARGE: Final = 1 << 20
"""Bytes of an array that goes back to the system when it is freed."""

_MMAP_THRESHOLD: Final = -3
"""Of ``mallopt`` in ``malloc.h`` of the GNU C library."""


def trim_malloc() -> None:
    """Return free memory to the system, and from now on every large array when it is freed.

    The GNU C library would keep up to 32 MiB of each. It may while a deck is made, where the memory
    of one array serves the next.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            library = ctypes.CDLL(None)
            library.mallopt(_MMAP_THRESHOLD, LARGE)
            library.malloc_trim(0)


def workers() -> int:
    """Return as many as the machine has processors; compiled kernels hold no lock."""
    return os.cpu_count() or 1


FREED: Final[list[Callable[[], None]]] = []
"""Calls that clear caches with arrays over all hands of a deck."""


def free_decks() -> None:
    """Free the hands of every deck; the next count makes them again."""
    for clear in FREED:
        clear()
    trim_malloc()


class Deal(NamedTuple):
    """All classes of hands of a deck, and all splits of each."""

    shape: "Shape"
    classes: "HandClasses"
    splits: "Splits"


def build_shape(hands: HandRules) -> "Shape":
    """Return the kernels' dimensions for a game's rules; divided hands rank as five cards do."""
    from certify.kernels.features import FIVE_CARD_ORDER, Shape, pack_order

    return Shape(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=hands.shape.cards,
        front=hands.shape.front,
        wild=hands.joker is JokerRule.FULLY_WILD,
        low_wheel=hands.wheel is WheelRule.LOWEST,
        joker_beats_ace=hands.joker_beats_ace_in_front,
        order=pack_order(_lowest_first(hands.ranking))
        if hands.ranking is not None and not hands.shape.is_divided
        else FIVE_CARD_ORDER,
    )


def _lowest_first(ranking: Ranking) -> list[int]:
    """Return the categories of a ranking as the kernels number them."""
    kinds = list(Category)
    return [kinds.index(category) for category in reversed(ranking.highest_first)]


def load_deck(hands: HandRules) -> Deal:
    """Return the classes of a game's hands and their splits.

    Raises:
        NotConfigured: they cannot be counted.
    """
    shape = build_shape(hands)
    why = uncountable(hands.deck, hands.shape)
    if why is not None:
        raise NotConfigured(why.message, remedy=why.remedy)
    return _deal(shape)


@cache
def _deal(shape: "Shape") -> Deal:
    from certify.engine.precompile import start_compiler
    from certify.kernels.class_arrays import class_splits, hand_classes

    start_compiler()
    classes = hand_classes(shape)
    with ThreadPoolExecutor(workers()) as executor:
        splits = class_splits(classes, executor=executor)
    trim_malloc()
    return Deal(shape=shape, classes=classes, splits=splits)


FREED.append(_deal.cache_clear)
