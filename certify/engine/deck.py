"""The hands of a deck in their classes, with each way to divide them, and their kernels' compiler.

An undivided hand has one split: all its cards are the high hand, and there is no low hand.

The classes are cached in the process: all options of a game, all strategies and the audits of its
house ways share one enumeration, until `free_decks`.

``python -m certify.engine.deck`` compiles the kernels for counts of two hands. Set-up runs this
while it installs the rest; without it, the first count runs it in parallel.
"""

import atexit
import contextlib
import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Thread
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
    from certify.kernels.class_arrays import class_splits, hand_classes

    start_compiler()
    classes = hand_classes(shape)
    with ThreadPoolExecutor(workers()) as executor:
        splits = class_splits(classes, executor=executor)
    trim_malloc()
    return Deal(shape=shape, classes=classes, splits=splits)


FREED.append(_deal.cache_clear)


def compile_kernels() -> None:
    """Count a game of five cards from six ranks, the dealer's hand exposed.

    The smallest deck needs the same compiled code as a full one.
    """
    import numpy as np

    from certify.kernels.class_arrays import class_splits, hand_classes
    from certify.kernels.events import set_hands, staircase_points
    from certify.kernels.features import Shape
    from certify.kernels.pair_count import count_pairs

    classes = hand_classes(Shape(ranks=6, hand=5, front=1))
    splits = class_splits(classes)
    dealer = set_hands(splits, splits.frontier[:, 0], np.zeros(len(classes.counts), dtype=np.int64))
    count_pairs(classes, dealer, staircase_points(splits, dealer))


def start_compiler() -> None:
    """Start a process that compiles the kernels if no compiled kernel is cached on this machine.

    A count that needs a kernel being compiled waits for it and loads it.
    """
    from certify.kernels.numba_dispatcher import nothing_compiled

    # A packaged program is its own interpreter, and runs no module by its name.
    if not nothing_compiled() or getattr(sys, "frozen", False):
        return
    with contextlib.suppress(OSError):  # where no process can be begun, the count compiles
        begun = subprocess.Popen(  # noqa: S603 - our own program and module, no shell
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        Thread(target=begun.wait, daemon=True).start()
        atexit.register(begun.terminate)


if __name__ == "__main__":
    compile_kernels()
