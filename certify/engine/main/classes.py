"""The classes of a base game's hands, how they can be set, and what the dealer's hand is.

Everything here is kept in the process, so that all options of a game, all strategies and the
audit of its house ways share one enumeration.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.engine.hands.events import features_of, predicate
from certify.engine.hands.features import FEATURES, Hand
from certify.engine.main.countable import refuse_untold
from certify.errors import NotConfigured
from certify.kernels.partition import feature_classes as profile_classes
from certify.kernels.partition.features import unpack
from certify.model.cards import JokerRule, WheelRule
from certify.model.condition import Condition
from certify.model.game import HandRules

if TYPE_CHECKING:
    from certify.kernels.partition.classes import HandClasses
    from certify.kernels.partition.ranking import Shape
    from certify.kernels.partition.splits import Settings

Labels = npt.NDArray[np.int64]


class Deal(NamedTuple):
    """Every class of hands of a deck, and every way to set each of them."""

    shape: "Shape"
    classes: "HandClasses"
    settings: "Settings"


def shape_of(hands: HandRules) -> "Shape":
    """Return the kernels' dimensions for a game's rules.

    Raises:
        NotConfigured: the game does not divide its hands.
    """
    from certify.kernels.partition.ranking import Shape

    if hands.shape.front == 0:
        raise NotConfigured(
            "The game's hands are not divided, so there is no base game to count.",
            remedy="Declare the cards of the low hand.",
        )
    return Shape(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=hands.shape.cards,
        front=hands.shape.front,
        wild=hands.joker is JokerRule.FULLY_WILD,
        low_wheel=hands.wheel is WheelRule.LOWEST,
        joker_beats_ace=hands.joker_beats_ace_in_front,
    )


def deal(hands: HandRules) -> Deal:
    """Return the classes of a game's hands and their settings."""
    return _deal(shape_of(hands))


@cache
def _deal(shape: "Shape") -> Deal:
    from certify.kernels.partition.classes import hand_classes
    from certify.kernels.partition.splits import class_settings

    classes = hand_classes(shape)
    return Deal(shape=shape, classes=classes, settings=class_settings(classes))


def dealer_labels(
    hands: HandRules, conditions: Sequence[Condition]
) -> tuple[Labels, tuple[tuple[bool, ...], ...]]:
    """Label every class by which of the conditions its hands meet.

    Returns:
        For every class the number of its label; for every label the truth of each condition.

    Raises:
        NotConfigured: a condition asks for what classes do not tell (suits and colours).
    """
    refuse_untold(conditions)
    asked = frozenset[str]().union(*(features_of(one) for one in conditions))
    names = [name for name in FEATURES if name in asked]
    values = [FEATURES[name] for name in names]
    tests = [predicate(one, names) for one in conditions]
    truths: dict[tuple[bool, ...], int] = {}

    @cache
    def label(code: int) -> int:
        hand = Hand(unpack(code), hands.joker, hands.deck.ranks, hands.shape.cards)
        cell = tuple(value(hand) for value in values)
        return truths.setdefault(tuple(test(cell) for test in tests), len(truths))

    labels = np.fromiter((label(code) for code in _codes(hands)), dtype=np.int64)
    return labels, tuple(truths)


def _codes(hands: HandRules) -> Iterable[int]:
    """Yield the code of the profile of every class, in the order of the classes."""
    classes = deal(hands).classes
    from certify.kernels.partition.classes import spread

    shape = profile_classes.Shape(
        ranks=hands.deck.ranks,
        joker=hands.deck.joker,
        hand=hands.shape.cards,
        complete=hands.shape.back,
    )
    runs = profile_classes.longest_runs(shape)
    ways = profile_classes.Ways.of(colour=False)
    jokers = range(1 + hands.deck.joker)
    by_ranks = [
        profile_classes.rank_classes(shape, ways, joker, runs[joker])[0] for joker in jokers
    ]
    made = [
        {
            suited: dict(profile_classes.flushes(shape, joker, suited, runs[joker]))
            for suited, _ in profile_classes.flush_sizes(shape, joker)
        }
        for joker in jokers
    ]
    counts = _packed(classes.counts, hands.deck.ranks)
    flush = spread(classes.flush, hands.deck.ranks, bits=profile_classes.COUNT_BITS)
    sizes = [int(mask).bit_count() for mask in classes.flush]
    for multiset, suited, size, joker in zip(
        counts.tolist(), flush.tolist(), sizes, classes.joker.tolist(), strict=True
    ):
        plain = by_ranks[joker][multiset]
        yield plain + made[joker][size][suited] if size else plain


def _packed(counts: Labels, ranks: int) -> Labels:
    """Pack counts of four bits a rank into the census's three bits a rank."""
    from certify.kernels.partition.ranking import COUNT_BITS

    packed = np.zeros_like(counts)
    for rank in range(ranks):
        packed |= ((counts >> (COUNT_BITS * rank)) & 7) << (profile_classes.COUNT_BITS * rank)
    return packed
