"""The hands of a deck, labelled by which of some conditions they meet."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from certify.engine.hands.as_set import cells_as_set
from certify.engine.hands.conditions import features_of, predicate
from certify.engine.main.countable import refuse_untold
from certify.model.condition import Condition
from certify.model.game import HandRules
from certify.model.house_way import HouseWay

Labels = npt.NDArray[np.int64]


def dealer_labels(
    hands: HandRules, conditions: Sequence[Condition], house_way: HouseWay | None = None
) -> tuple[Labels, tuple[tuple[bool, ...], ...]]:
    """Label every class by which of the conditions its hands meet, as the house way sets them.

    Returns:
        For every class the number of its label; for every label the truth of each condition.

    Raises:
        NotConfigured: a condition asks for what classes do not tell (suits and colours), or for a
            hand as it is set and there is no house way.
    """
    refuse_untold(conditions)
    asked = frozenset[str]().union(*(features_of(condition) for condition in conditions))
    told = cells_as_set(hands, asked, house_way)
    tests = [predicate(condition, told.features) for condition in conditions]
    truths: dict[tuple[bool, ...], int] = {}
    label = np.zeros(len(told.cells), dtype=np.int64)
    places, first = np.unique(told.of_class, return_index=True)
    for place in places[np.argsort(first)].tolist():
        cell = told.cells[place]
        label[place] = truths.setdefault(tuple(test(cell) for test in tests), len(truths))
    return label[told.of_class], tuple(truths)
