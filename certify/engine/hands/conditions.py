"""Conditions compiled to predicates over a census, and the census itself."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from math import comb
from types import MappingProxyType
from typing import Any

from certify.engine.count_cache import cached_count, memoized
from certify.engine.hands.features import (
    FEATURES,
    FIELDS,
    PART_FEATURES,
    Hand,
    asked_ranks,
    find_refusal,
)
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.classes import count_features, count_shoe
from certify.kernels.features import Shape, fields, unpack
from certify.model.analysis import Census
from certify.model.condition import (
    Condition,
    Event,
    FeatureTest,
    FeatureValue,
    iter_tests,
    translate,
)
from certify.model.encoding import Progress
from certify.model.game import Deck, HandRules, JokerRule, uncountable_wager
from certify.model.vocabulary import CARD_FEATURES, COLOUR_FEATURES

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


def list_features(condition: Condition | None) -> frozenset[str]:
    """Return the names of the features that a condition asks for, as cells of a census have them.

    Raises:
        NotConfigured: a feature is not in the vocabulary, or not defined for a set hand.
    """
    names = set()
    for test in iter_tests(condition):
        if test.feature not in PART_FEATURES[test.part]:
            raise NotConfigured(
                f"There is no feature {test.name!r}.",
                remedy=f"Use one of: {', '.join(PART_FEATURES[test.part])}.",
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

    def holds_between(cell: Cell) -> bool:
        value = cell[place]
        return (
            isinstance(value, int)
            and (least is None or value >= least)
            and (most is None or value <= most)
        )

    return holds_between


def count(
    hands: HandRules, *, cards: int, features: Collection[str], progress: Progress | None = None
) -> Census:
    """Count all hands of ``cards`` cards by their values of ``features``.

    A straight or a flush needs as many cards as the rules' high hand, or all cards of a shorter
    hand (three in a three-card bonus). The count does not depend on pays and is cached: the same
    deck is counted once, and once more with colors, for any number of paytables.

    Raises:
        NotConfigured: a feature is unknown, or the deck cannot be counted.
        InvariantBroken: the counts do not sum to the number of hands.
    """
    unknown = sorted(set(features) - set(FEATURES))
    if unknown:
        raise NotConfigured(
            f"There is no feature {unknown[0]!r}.", remedy=f"Use one of: {', '.join(FEATURES)}."
        )
    ordered = tuple(name for name in FEATURES if name in features)
    why = uncountable_wager(hands.deck, cards)
    if why is not None:
        raise NotConfigured(why.message, remedy=why.remedy)
    refusal = find_refusal(hands, cards, features)
    if refusal is not None:
        raise refusal
    total = comb(hands.deck.cards, cards)
    if progress:
        progress(0, total)
    census = _count(hands.deck, hands.joker, cards, min(hands.shape.back, cards), ordered)
    if progress:
        progress(total, total)
    return census


@memoized
def _count(
    deck: Deck, joker: JokerRule, cards: int, complete: int, features: tuple[str, ...]
) -> Census:
    cells = cached_count(
        ("census", deck, joker, cards, complete, features),
        lambda: _cells(deck, joker, cards, complete, features),
        plain=True,
    )
    total = comb(deck.cards, cards)
    hands_of = {tuple(cell): hands for *cell, hands in cells}
    if sum(hands_of.values()) != total:
        raise InvariantBroken(f"The census of {cards} cards sums to {sum(hands_of.values())}.")
    return Census(features=features, cards=cards, total=total, cells=MappingProxyType(hands_of))


def _cells(
    deck: Deck, joker: JokerRule, cards: int, complete: int, features: tuple[str, ...]
) -> list[list[Any]]:
    """Return the values of the features, and last the number of hands that have them."""
    shape = Shape(ranks=deck.ranks, joker=deck.joker, hand=cards, front=cards - complete)
    values = [FEATURES[name] for name in features]
    colour = not COLOUR_FEATURES.isdisjoint(features)
    counted_ranks = asked_ranks(features, deck.ranks)
    read = fields(field for name in features for field in FIELDS[name])
    alike: defaultdict[int, int] = defaultdict(int)
    if deck.decks > 1 or not CARD_FEATURES.isdisjoint(features):
        alike.update(count_shoe(shape, deck.decks, read=read, counted_ranks=counted_ranks))
    else:
        for code, hands in _hands(shape, colour=colour, counted_ranks=counted_ranks).items():
            alike[code & read] += hands
    cells: defaultdict[Cell, int] = defaultdict(int)
    for code, hands in alike.items():
        hand = Hand(unpack(code), joker, deck.ranks, cards)
        cells[tuple([value(hand) for value in values])] += hands
    return [[*cell, hands] for cell, hands in cells.items()]


@cache
def _hands(shape: Shape, *, colour: bool, counted_ranks: int) -> Mapping[int, int]:
    return count_features(shape, colour=colour, counted_ranks=counted_ranks)
