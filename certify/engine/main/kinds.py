"""Kinds of set hands in words of the model: which action is best, and what the house way costs."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

from certify.engine.deck import build_shape
from certify.errors import InvariantBroken
from certify.kernels.features import CATEGORY_SHIFT, Shape, reorder_category
from certify.kernels.set_kinds import unpack_kind
from certify.model.analysis import KindChanged, KindPlayed, SetKind
from certify.model.game import JOKER, RANKS, Game, Strategy
from certify.model.main_wager import MainWager
from certify.model.vocabulary import Category

CATEGORIES: Final = tuple(Category)

RANKED: Final = frozenset(
    {Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR, Category.THREE_OF_A_KIND}
)
"""The categories whose kinds have a first rank."""

WAYS: Final = (Strategy.OPTIMAL, Strategy.HOUSE_WAY)

Lines = Sequence[Sequence[int]]


def played_kinds(
    lines: Lines, option: MainWager, game: Game, strategy: Strategy
) -> tuple[KindPlayed, ...]:
    """Return the hands of each kind by action; empty without an action to choose.

    Args:
        lines: way, action, kind and number of hands.
        option: the option that is played.
        game: its game.
        strategy: the player's.

    Raises:
        InvariantBroken: the hands do not sum to the deck's.
    """
    if len(option.actions) == 1:
        return ()
    rules = game.hands if game.hands.shape.is_divided else game.hands.compared
    shape = build_shape(rules)
    keys = [action.key for action in option.actions]
    hands: defaultdict[SetKind, dict[str, int]] = defaultdict(lambda: dict.fromkeys(keys, 0))
    for way, action, kind, number in sorted(lines, key=lambda line: _order(line[2], shape)):
        if WAYS[way] is strategy:
            hands[_name_kind(kind, shape)][keys[action]] += number
    deck, dealt_to = game.hands.deck.cards, game.hands.shape
    dealt = comb(deck, dealt_to.cards) * comb(deck - dealt_to.cards, dealt_to.dealer_shows)
    if sum(sum(of.values()) for of in hands.values()) != dealt:
        raise InvariantBroken("The hands of all kinds do not sum to the hands of the deck.")
    return tuple(KindPlayed(kind=kind, hands=of) for kind, of in hands.items())


def changed_kinds(lines: Lines, game: Game, scale: Fraction) -> tuple[KindChanged, ...]:
    """Return the kinds of hands that the house way sets worse, the most costly first.

    Args:
        lines: the house way's kind, the best kind, hands and value lost.
        game: the game.
        scale: value lost of one unit wagered in all rounds.
    """
    shape = build_shape(game.hands)
    sums: defaultdict[tuple[SetKind, SetKind], list[int]] = defaultdict(lambda: [0, 0])
    for house, best, number, lost in lines:
        total = sums[_name_kind(house, shape, low=False), _name_kind(best, shape, low=False)]
        total[0] += number
        total[1] += lost
    return tuple(
        KindChanged(house=house, best=best, hands=number, cost=lost / scale)
        for (house, best), (number, lost) in sorted(sums.items(), key=lambda item: -item[1][1])
    )


@cache
def _order(kind: int, shape: Shape) -> tuple[int, ...]:
    """Return a sort key of a kind: the lowest hands first, without missing ranks."""
    (place, high_rank), low = unpack_kind(kind)
    return place, high_rank if _category(kind, shape) in RANKED else 0, *low


def _category(kind: int, shape: Shape) -> Category:
    (place, _), _ = unpack_kind(kind)
    return CATEGORIES[reorder_category(place << CATEGORY_SHIFT, shape.order)]


@cache
def _name_kind(kind: int, shape: Shape, *, low: bool = True) -> SetKind:
    """Return a kind by its names."""
    (_, high_rank), (is_pair, low_rank) = unpack_kind(kind)
    category = _category(kind, shape)
    second = _rank(low_rank, shape) if low and low_rank else ""
    return SetKind(
        high=category,
        rank=_rank(high_rank, shape) if category in RANKED else "",
        low=f"{second}-{second}" if is_pair else second,
    )


def _rank(digit: int, shape: Shape) -> str:
    """Return the name of a rank counted from 1; the joker's is above the ace's."""
    return JOKER if digit > shape.ranks else RANKS[len(RANKS) - shape.ranks + digit - 1]
