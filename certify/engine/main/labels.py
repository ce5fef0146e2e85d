"""The hands of a deck, labelled by which of some conditions they meet."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from certify.engine.divided import deal
from certify.engine.hands.conditions import features_of, predicate
from certify.engine.hands.features import FEATURES, Hand, asked_ranks
from certify.engine.main.countable import refuse_untold
from certify.kernels.partition.features import unpack
from certify.model.condition import Condition
from certify.model.game import HandRules

Labels = npt.NDArray[np.int64]


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
    asked = frozenset[str]().union(*(features_of(condition) for condition in conditions))
    names = [name for name in FEATURES if name in asked]
    values = [FEATURES[name] for name in names]
    tests = [predicate(condition, names) for condition in conditions]
    truths: dict[tuple[bool, ...], int] = {}

    @cache
    def label(code: int, counts: int) -> int:
        held = unpack(code)._replace(counts=counts)
        hand = Hand(held, hands.joker, hands.deck.ranks, hands.shape.cards)
        cell = tuple(value(hand) for value in values)
        return truths.setdefault(tuple(test(cell) for test in tests), len(truths))

    classes = deal(hands).classes
    counts = classes.counts & asked_ranks(names, hands.deck.ranks)
    told = zip(classes.features.tolist(), counts.tolist(), strict=True)
    labels = np.array([label(code, held) for code, held in told], dtype=np.int64)
    return labels, tuple(truths)
