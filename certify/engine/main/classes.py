"""The classes of a game's hands, how they can be set, and what the dealer's hand is.

Everything here is kept in the process, so that all options of a game, all strategies and the
audit of its house ways share one enumeration.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from certify.engine.hands.conditions import features_of, predicate
from certify.engine.hands.features import FEATURES, Hand
from certify.engine.main.countable import refuse_untold
from certify.errors import NotConfigured
from certify.kernels.partition.features import unpack
from certify.model.cards import JokerRule, WheelRule, uncountable
from certify.model.condition import Condition
from certify.model.game import HandRules

if TYPE_CHECKING:
    from certify.kernels.partition.class_arrays import HandClasses
    from certify.kernels.partition.shape import Shape
    from certify.kernels.partition.splits import Splits

Labels = npt.NDArray[np.int64]


class Deal(NamedTuple):
    """Every class of hands of a deck, and every way to set each of them."""

    shape: "Shape"
    classes: "HandClasses"
    splits: "Splits"


def shape_of(hands: HandRules) -> "Shape":
    """Return the kernels' dimensions for a game's rules.

    Raises:
        NotConfigured: the game does not divide its hands.
    """
    from certify.kernels.partition.shape import Shape

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
    """Return the classes of a game's hands and their splits.

    Raises:
        NotConfigured: the game does not divide its hands, or they cannot be counted.
    """
    shape = shape_of(hands)
    why = uncountable(hands.deck, hands.shape)
    if why is not None:
        raise NotConfigured(why.message, remedy=why.remedy)
    return _deal(shape)


@cache
def _deal(shape: "Shape") -> Deal:
    from certify.kernels.partition.class_arrays import hand_classes
    from certify.kernels.partition.splits import class_splits

    classes = hand_classes(shape)
    return Deal(shape=shape, classes=classes, splits=class_splits(classes))


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

    codes = deal(hands).classes.features.tolist()
    labels = np.array([label(code) for code in codes], dtype=np.int64)
    return labels, tuple(truths)
