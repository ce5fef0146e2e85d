"""The hands of a deck, in their classes, with every way to divide each of them.

They are kept in the process, so that all options of a game, all strategies and the audits of its
house ways share one enumeration.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from certify.engine.memory import give_back
from certify.engine.threads import workers
from certify.errors import NotConfigured
from certify.model.cards import JokerRule, WheelRule, uncountable
from certify.model.game import HandRules

if TYPE_CHECKING:
    from certify.kernels.partition.class_arrays import HandClasses
    from certify.kernels.partition.shape import Shape
    from certify.kernels.partition.splits import Splits


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
    from certify.engine.ahead import compile_beside
    from certify.kernels.partition.class_arrays import hand_classes
    from certify.kernels.partition.splits import class_splits

    compile_beside()
    give_back()
    classes = hand_classes(shape)
    with ThreadPoolExecutor(workers()) as executor:
        splits = class_splits(classes, executor=executor)
    return Deal(shape=shape, classes=classes, splits=splits)
