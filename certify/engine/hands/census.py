"""The census of one hand: how many hands of a deck have which features."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from math import comb
from types import MappingProxyType
from typing import Any

from certify.engine.count_cache import kept, remembered
from certify.engine.hands.conditions import Cell
from certify.engine.hands.features import COLOUR_FEATURES, FEATURES, FIELDS, Hand, asked_ranks
from certify.errors import InvariantBroken, NotConfigured
from certify.kernels.partition.census import count_features
from certify.kernels.partition.features import fields, unpack
from certify.kernels.partition.shape import Shape
from certify.model.cards import Deck, JokerRule
from certify.model.census import Census
from certify.model.game import HandRules
from certify.model.progress import Progress


def count(
    hands: HandRules, *, cards: int, features: Collection[str], progress: Progress | None = None
) -> Census:
    """Count all hands of ``cards`` cards by their values of ``features``.

    A straight or a flush needs as many cards as the rules' high hand, or all cards of a shorter
    hand (three in a three-card bonus). The count does not depend on pays and is kept, so the same
    deck is counted once, with colour once more, however many paytables ask.

    Raises:
        NotConfigured: a feature is unknown, or the deck cannot be counted.
        InvariantBroken: the counts do not sum to the number of hands.
    """
    unknown = sorted(set(features) - set(FEATURES))
    if unknown:
        raise NotConfigured(
            f"There is no feature {unknown[0]!r}.", remedy=f"Known: {', '.join(FEATURES)}."
        )
    ordered = tuple(name for name in FEATURES if name in features)
    total = comb(hands.deck.cards, cards)
    if progress:
        progress(0, total)
    census = _count(hands.deck, hands.joker, cards, min(hands.shape.back, cards), ordered)
    if progress:
        progress(total, total)
    return census


@remembered
def _count(
    deck: Deck, joker: JokerRule, cards: int, complete: int, features: tuple[str, ...]
) -> Census:
    cells = kept(
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
    asked = asked_ranks(features, deck.ranks)
    read = fields(field for name in features for field in FIELDS[name])
    alike: defaultdict[int, int] = defaultdict(int)
    for code, hands in _hands(shape, colour=colour, asked=asked).items():
        alike[code & read] += hands
    cells: defaultdict[Cell, int] = defaultdict(int)
    for code, hands in alike.items():
        hand = Hand(unpack(code), joker, deck.ranks, cards)
        cells[tuple([value(hand) for value in values])] += hands
    return [[*cell, hands] for cell, hands in cells.items()]


@cache
def _hands(shape: Shape, *, colour: bool, asked: int) -> Mapping[int, int]:
    return count_features(shape, colour=colour, asked=asked)
