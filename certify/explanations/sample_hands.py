"""Sample hands for worked examples: the same ones every time, dealt by a fixed sequence.

Constructed hands complement those dealt at random, because the hands that pay most are too rare to
occur by chance. The engine reads the features of every hand.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from certify.engine.deck import build_shape
from certify.engine.hands.cards import hand_features
from certify.engine.house_way.audit import SetKeys, card_name, card_numbers, decide_or_raise
from certify.engine.house_way.features import hand_facts
from certify.explanations.hands import (
    SetBy,
    SetReading,
    compare_hands,
    condition_holds,
    deal_holds,
    read_set_hands,
)
from certify.kernels.class_arrays import class_splits, own_classes
from certify.model.condition import Event, FeatureValue
from certify.model.game import JOKER, RANKS, SUITS, HandRules, HandShape, deck_cards
from certify.model.house_way import HouseWay

Cards = tuple[str, ...]

HANDS: Final = 2500
DEALS: Final = 1500
TIES: Final = 20
"""Of so many of the deals one that ties is made."""
MULTIPLIER: Final = 6364136223846793005
INCREMENT: Final = 1442695040888963407
"""Knuth's linear congruential sequence modulo 2^64 (TAOCP 2, 3.3.4): any fixed order would do."""
NOT_SET: Final = SetReading()
FEW: Final = 3
"""Cards of a hand of which deals are constructed."""

FEW_CARDS: Final = ("Qh", "Qd", "Qs", "Ah", "Ks", "9h")
"""Cards that make pairs, totals of 20 and 21, and hands of one suit or color."""


class SampleHand(Struct, frozen=True, kw_only=True):
    """Cards with the value of every feature, and as set if requested.

    ``names`` are the features, one shared tuple for all hands of a kind: thousands are stored.
    """

    cards: Cards
    names: tuple[str, ...]
    values: tuple[FeatureValue, ...]
    as_set: SetReading = NOT_SET

    @property
    def features(self) -> dict[str, FeatureValue]:
        """The value of each feature."""
        return dict(zip(self.names, self.values, strict=True))

    @property
    def joker(self) -> bool:
        """The hand holds the joker."""
        return JOKER in self.cards


class SampleDeal(Struct, frozen=True, kw_only=True):
    """A player's hand and a dealer's; ``hands`` are the rules of all cards as one hand."""

    player: SampleHand
    dealer: SampleHand
    hands: HandRules

    def holds(self, event: Event) -> bool:
        """Return True if the deal meets an event on the hands of both sides or on all cards."""
        results = compare_hands(self.player.as_set, self.dealer.as_set)
        mine, theirs = self.player.features, self.dealer.features
        return any(
            deal_holds(deal, mine, theirs, results)
            and (deal.together is None or condition_holds(deal.together, self.features))
            for deal in event.as_deals
        )

    @property
    def features(self) -> dict[str, FeatureValue]:
        """The value of each feature of all cards."""
        return hand_features((*self.player.cards, *self.dealer.cards), self.hands)


class _Sequence:
    """A fixed sequence of numbers."""

    def __init__(self) -> None:
        self._state = 88172645463325252

    def draw(self, bound: int) -> int:
        self._state = (self._state * MULTIPLIER + INCREMENT) % 2**64
        return (self._state >> 33) * bound >> 31

    def deal(self, deck: Sequence[str], cards: int) -> Cards:
        left = list(deck)
        return tuple(left.pop(self.draw(len(left))) for _ in range(cards))


@cache
def sample_hands(
    hands: HandRules, cards: int, set_by: SetBy | None = None
) -> tuple[SampleHand, ...]:
    """Return hands of ``cards`` cards: dealt ones first, then constructed ones."""
    sequence, deck = _Sequence(), deck_cards(hands.deck)
    dealt = [sequence.deal(deck, cards) for _ in range(HANDS)]
    for core in _cores(hands, cards):
        left = [card for card in deck if card not in core and card != JOKER]
        dealt += [(*core, *sequence.deal(left, cards - len(core))) for _ in range(2)]
    return _read_all(tuple(dict.fromkeys(dealt)), hands, set_by)


@cache
def sample_deals(
    hands: HandRules, cards: int, set_by: SetBy | None = None, dealer: int | None = None
) -> tuple[SampleDeal, ...]:
    """Return deals of a hand of ``cards`` cards and one of ``dealer``, as many cards if None.

    For undivided hands, ties come last.
    """
    sequence, deck = _Sequence(), deck_cards(hands.deck)
    theirs = cards if dealer is None else dealer
    dealt = [sequence.deal(deck, cards + theirs) for _ in range(DEALS)]
    if not hands.shape.is_divided:
        dealt += [
            (*mine, *same, *sequence.deal(left, theirs - len(same)))
            for mine in (deal[:cards] for deal in dealt[:TIES])
            if not set(same := _shift_suits(mine)[:theirs]) & set(mine)
            for left in [[card for card in deck if card not in (*mine, *same)]]
        ]
    if hands.deck.decks > 1 and max(cards, theirs) <= FEW:
        dealt += _make_deals(hands, cards, theirs)
    players, dealers = (
        _read_all([deal[part] for deal in dealt], hands, set_by)
        for part in (slice(cards), slice(cards, None))
    )
    joined = hands.join(cards + theirs)
    return tuple(
        SampleDeal(player=mine, dealer=theirs, hands=joined)
        for mine, theirs in zip(players, dealers, strict=True)
    )


def _make_deals(hands: HandRules, cards: int, theirs: int) -> Iterator[Cards]:
    """Yield every deal of a few cards, as often as the deck has them: most match or are paid."""
    few = [card for card in FEW_CARDS if card in deck_cards(hands.deck)]
    for mine in combinations_with_replacement(few, cards):
        for others in combinations_with_replacement(few, theirs):
            if max(Counter(mine + others).values()) <= hands.deck.decks:
                yield mine + others


def _shift_suits(hand: Cards) -> Cards:
    """Return a hand of the same ranks, each card of the next suit."""
    return tuple(
        card if card == JOKER else card[0] + SUITS[(SUITS.index(card[1]) + 1) % len(SUITS)]
        for card in hand
    )


def set_keys(house_way: HouseWay, hands: HandRules, dealt: Sequence[Cards]) -> tuple[SetKeys, ...]:
    """Return the keys of many divided hands as a house way sets them.

    Raises:
        NotConfigured: the house way cannot be used.
    """
    shape = build_shape(hands)
    cards = np.array([card_numbers(shape, hand) for hand in dealt], dtype=np.int8)
    classes = own_classes(shape, cards)
    facts = hand_facts(classes, class_splits(classes))
    chosen = decide_or_raise(house_way, facts).split
    rows = np.arange(len(cards))
    backs, fronts = facts.splits.high[rows, chosen], facts.splits.low[rows, chosen]
    return tuple(
        SetKeys(back=int(back), front=int(front)) for back, front in zip(backs, fronts, strict=True)
    )


def read_best_cards(
    hands: HandRules, dealt: Sequence[Cards]
) -> Iterator[tuple[SampleHand, SetKeys]]:
    """Yield undivided hands of one size, each with the features and the key of its best cards."""
    rules, size = hands.compared, len(dealt[0])
    whole = build_shape(replace(hands, shape=HandShape(cards=size, back=size, front=0)))
    shape = build_shape(rules)
    chosen = np.array([*combinations(range(size), shape.hand)])
    numbers = np.array([card_numbers(whole, hand) for hand in dealt], dtype=np.int8)
    # `take` keeps the rows contiguous, and the kernel is compiled for such rows only.
    classes = own_classes(shape, numbers.take(chosen, axis=1).reshape(-1, shape.hand))
    keys = class_splits(classes).high.reshape(len(dealt), len(chosen))
    for cards, card_places, ranks in zip(dealt, numbers, keys, strict=True):
        best = [card_name(int(card), shape) for card in card_places[chosen[ranks.argmax()]]]
        features = hand_features(best, rules)
        sample = SampleHand(cards=cards, names=(*features,), values=(*features.values(),))
        yield sample, SetKeys(back=int(ranks.max()), front=0)


def _read_all(
    dealt: Sequence[Cards], hands: HandRules, set_by: SetBy | None
) -> tuple[SampleHand, ...]:
    readings: Sequence[SetReading] = [NOT_SET] * len(dealt)
    if set_by is not None:
        readings = read_set_hands(dealt, hands, set_by.house_way)
    samples: list[SampleHand] = []
    for cards, as_set in zip(dealt, readings, strict=True):
        features = hand_features(cards, hands, cards=len(cards)) | dict(as_set.features)
        names = samples[0].names if samples else tuple(features)
        samples.append(
            SampleHand(cards=cards, names=names, values=tuple(features.values()), as_set=as_set)
        )
    return tuple(samples)


def _cores(hands: HandRules, cards: int) -> Iterator[Cards]:
    """Yield the cards that make a rare hand; the others are dealt."""
    ranks = RANKS[len(RANKS) - hands.deck.ranks :]
    line = ranks[-1] + ranks
    shortest = min(hands.shape.back, cards)
    for place, suit in enumerate(SUITS):
        other = SUITS[place - 1]
        for length in range(shortest, cards + 1):
            for start in range(place, len(line) - length + 1, 3):
                yield _make_suited(line[start : start + length], suit)
        royal, wheel = _make_suited(ranks[-shortest:], suit), _make_suited(line[:shortest], suit)
        yield from (royal, wheel)
        if cards - shortest == 2:  # noqa: PLR2004 - room for a pair of another suit
            yield from ((*royal, *_make_suited(pair, other)) for pair in ("AK", "AQ", "KQ"))
            yield from ((*wheel, *_make_suited(pair, other)) for pair in ("AK", "AQ", "KQ"))
        if hands.deck.joker:
            yield (JOKER, *royal[1:])
            yield (JOKER, *_make_suited(line[place : place + cards - 1], suit))
    for rank in ranks:
        yield from _same(rank, cards, hands)
    yield from _low(ranks, cards)


def _same(rank: str, cards: int, hands: HandRules) -> Iterator[Cards]:
    """Yield cards of one rank."""
    decks = hands.deck.decks
    if decks > 1:
        yield (rank + SUITS[RANKS.index(rank) % len(SUITS)],) * min(cards, decks)
    same = tuple(rank + suit for suit in SUITS) * decks
    yield same[: min(len(same), cards)]
    if hands.deck.joker:
        yield (JOKER, *same[: cards - 1])
    if rank != RANKS[-1] and cards > len(SUITS) + 2:
        yield (*same, *(RANKS[RANKS.index(rank) + 1] + suit for suit in SUITS[1:]))


def _low(ranks: str, cards: int) -> Iterator[Cards]:
    """Yield the lowest hands without a pair and a run of five, in mixed suits and in one color."""
    chosen = ranks[:4] + ranks[5 : cards + 1]
    yield tuple(rank + SUITS[place % len(SUITS)] for place, rank in enumerate(chosen[:cards]))
    yield tuple(rank + "dh"[place % 2] for place, rank in enumerate(chosen[:cards]))


def _make_suited(ranks: str, suit: str) -> Cards:
    return tuple(rank + suit for rank in ranks)
