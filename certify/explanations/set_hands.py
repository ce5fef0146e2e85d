"""Concrete hands as a house way sets them, and which of two hands is the higher one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from certify.engine.hands.cards import part_features
from certify.engine.hands.conditions import predicate
from certify.model.condition import Condition, Event, FeatureValue, TwoHands, part_feature
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.vocabulary import HandPart, Higher

Cards = tuple[str, ...]
Results = Mapping[HandPart, Higher]


class SetBy(NamedTuple):
    """Option to read hands as set and compared; without a house way, only the best hands."""

    house_way: HouseWay | None


class SetReading(Struct, frozen=True, kw_only=True):
    """The best hand and the set hands of some cards.

    ``features`` are those of the set hands, by their names in a census; ``keys`` rank the hands
    that can be compared. Without a house way only the best hand is known.
    """

    features: Mapping[str, FeatureValue] = field(default_factory=dict)
    keys: Mapping[HandPart, int] = field(default_factory=dict)
    high_hand: Cards = ()
    low_hand: Cards = ()


def needs_set_hand(events: Iterable[Event]) -> bool:
    """Return True if events depend on set hands or on a comparison."""
    return any(event.needs_set_hand or event.compares for event in events)


def read_set_hands(
    dealt: Sequence[Sequence[str]], hands: HandRules, house_way: HouseWay | None
) -> tuple[SetReading, ...]:
    """Read concrete hands as a house way sets them.

    Raises:
        NotReadable: the cards are not hands of this game.
        NotConfigured: hands are not divided, or the house way cannot be used.
    """
    import numpy as np  # loaded only where hands are set

    from certify.engine.deck import build_shape
    from certify.engine.house_way.audit import card_name, card_numbers, decide_or_raise
    from certify.engine.house_way.features import hand_facts
    from certify.kernels.class_arrays import own_classes
    from certify.kernels.splits import class_splits

    shape = build_shape(hands)
    cards = np.array([card_numbers(shape, hand) for hand in dealt], dtype=np.int8)
    classes = own_classes(shape, cards)
    splits = class_splits(classes)
    best = splits.high.max(axis=1).tolist()
    if house_way is None:
        return tuple(SetReading(keys={HandPart.WHOLE: key}) for key in best)
    chosen = decide_or_raise(house_way, hand_facts(classes, splits)).split.tolist()
    readings = []
    for row, column in enumerate(chosen):
        front = set(splits.fronts[column].tolist())
        names = [card_name(int(card), shape) for card in cards[row]]
        low = tuple(name for place, name in enumerate(names) if place in front)
        high = tuple(name for place, name in enumerate(names) if place not in front)
        readings.append(
            SetReading(
                features={
                    part_feature(part, name): value
                    for part, held in ((HandPart.HIGH_HAND, high), (HandPart.LOW_HAND, low))
                    for name, value in part_features(held, hands, part).items()
                },
                keys={
                    HandPart.WHOLE: best[row],
                    HandPart.HIGH_HAND: int(splits.high[row, column]),
                    HandPart.LOW_HAND: int(splits.low[row, column]),
                },
                high_hand=high,
                low_hand=low,
            )
        )
    return tuple(readings)


def compare_hands(player: SetReading, dealer: SetReading) -> Results:
    """Return the higher of two hands, for each part known of both."""

    def higher(mine: int, theirs: int) -> Higher:
        if mine == theirs:
            return Higher.COPY
        return Higher.PLAYER if mine > theirs else Higher.DEALER

    both = player.keys.keys() & dealer.keys.keys()
    return {part: higher(player.keys[part], dealer.keys[part]) for part in both}


def deal_holds(
    deal: TwoHands,
    player: Mapping[str, FeatureValue],
    dealer: Mapping[str, FeatureValue],
    results: Results,
) -> bool:
    """Return True if the features and results of two hands meet one alternative of an event."""
    return (
        condition_holds(deal.player, player)
        and condition_holds(deal.dealer, dealer)
        and all(results[part] in fitting for part, fitting in deal.results.items())
    )


def condition_holds(condition: Condition | None, features: Mapping[str, FeatureValue]) -> bool:
    """Return True if features meet a condition; None always holds."""
    return predicate(condition, tuple(features))(tuple(features.values()))
