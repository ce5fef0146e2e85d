"""Conditions compiled to predicates over the cells of a census, and the events that have them."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from certify.engine.hands.features import PART_FEATURES
from certify.errors import NotConfigured
from certify.model.condition import (
    Condition,
    Event,
    FeatureTest,
    FeatureValue,
    tests_of,
    translate,
)

Cell = tuple[FeatureValue, ...]
Predicate = Callable[[Cell], bool]


def find(events: Mapping[str, Event], ids: Iterable[str]) -> tuple[Event, ...]:
    """Return the events with these ids, in their order.

    Raises:
        NotConfigured: an event is not in the vocabulary.
    """
    listed = []
    for name in ids:
        if name not in events:
            raise NotConfigured(
                f"There is no event {name!r}.", remedy="Declare it in paytables/events.json."
            )
        listed.append(events[name])
    return tuple(listed)


def features_of(condition: Condition | None) -> frozenset[str]:
    """Return the names of the features that a condition asks for, as cells of a census have them.

    Raises:
        NotConfigured: a feature is not in the vocabulary, or not told of a hand as set.
    """
    names = set()
    for test in tests_of(condition):
        if test.feature not in PART_FEATURES[test.part]:
            raise NotConfigured(
                f"There is no feature {test.name!r}.",
                remedy=f"Known: {', '.join(PART_FEATURES[test.part])}.",
            )
        names.add(test.name)
    return frozenset(names)


def predicate(condition: Condition | None, features: Sequence[str]) -> Predicate:
    """Compile a condition to a predicate over cells of ``features``; none always holds.

    Raises:
        NotConfigured: the cells do not have a feature that the condition asks for.
    """
    if condition is None:
        return lambda _cell: True
    return translate(
        condition,
        test=lambda test: _test(test, features),
        every=_every,
        some=_some,
        negate=_negate,
    )


def _every(parts: Sequence[Predicate]) -> Predicate:
    return lambda cell: all(holds(cell) for holds in parts)


def _some(parts: Sequence[Predicate]) -> Predicate:
    return lambda cell: any(holds(cell) for holds in parts)


def _negate(holds: Predicate) -> Predicate:
    return lambda cell: not holds(cell)


def _test(test: FeatureTest, features: Sequence[str]) -> Predicate:
    if test.name not in features:
        raise NotConfigured(
            f"The census has no feature {test.name!r}.",
            remedy="Count with the features that the event asks for.",
        )
    place = features.index(test.name)
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
