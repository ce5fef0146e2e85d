"""Events compiled to predicates over the cells of a census."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from certify.engine.hands.features import FEATURES
from certify.errors import NotConfigured
from certify.model.condition import (
    AllOf,
    AnyOf,
    Condition,
    Event,
    FeatureTest,
    FeatureValue,
    Not,
)

Cell = tuple[FeatureValue, ...]
Predicate = Callable[[Cell], bool]


def find(events: Mapping[str, Event], ids: Iterable[str]) -> tuple[Event, ...]:
    """Return the events with these ids, in their order.

    Raises:
        NotConfigured: an event is not in the vocabulary.
    """
    found = []
    for one in ids:
        if one not in events:
            raise NotConfigured(
                f"There is no event {one!r}.", remedy="Declare it in paytables/events.json."
            )
        found.append(events[one])
    return tuple(found)


def features_of(condition: Condition | None) -> frozenset[str]:
    """Return the names of the features that a condition asks for.

    Raises:
        NotConfigured: a feature is not in the vocabulary.
    """
    match condition:
        case FeatureTest(feature=name):
            if name not in FEATURES:
                raise NotConfigured(
                    f"There is no feature {name!r}.", remedy=f"Known: {', '.join(FEATURES)}."
                )
            return frozenset({name})
        case AllOf(conditions=parts) | AnyOf(conditions=parts):
            return frozenset[str]().union(*map(features_of, parts))
        case Not(condition=part):
            return features_of(part)
    return frozenset()


def predicate(condition: Condition | None, features: Sequence[str]) -> Predicate:
    """Compile a condition to a predicate over cells of ``features``; none always holds.

    Raises:
        NotConfigured: the cells do not have a feature that the condition asks for.
    """
    match condition:
        case FeatureTest():
            return _test(condition, features)
        case AllOf(conditions=parts):
            every = [predicate(part, features) for part in parts]
            return lambda cell: all(holds(cell) for holds in every)
        case AnyOf(conditions=parts):
            some = [predicate(part, features) for part in parts]
            return lambda cell: any(holds(cell) for holds in some)
        case Not(condition=part):
            holds = predicate(part, features)
            return lambda cell: not holds(cell)
    return lambda _cell: True


def _test(test: FeatureTest, features: Sequence[str]) -> Predicate:
    if test.feature not in features:
        raise NotConfigured(
            f"The census has no feature {test.feature!r}.",
            remedy="Count with the features that the event asks for.",
        )
    place = features.index(test.feature)
    if test.values:
        values = frozenset(test.values)
        return lambda cell: cell[place] in values
    least, most = test.minimum, test.maximum

    def between(cell: Cell) -> bool:
        value = cell[place]
        return (
            isinstance(value, int)
            and (least is None or value >= least)
            and (most is None or value <= most)
        )

    return between
