"""Concrete hands: as a house way sets them, in plain words, and why they miss a condition."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from certify.engine.hands.cards import part_features
from certify.engine.hands.conditions import predicate
from certify.formatting import join_words
from certify.model.condition import (
    AllOf,
    AnyOf,
    Condition,
    Event,
    FeatureTest,
    FeatureValue,
    Not,
    TwoHands,
    part_feature,
)
from certify.model.game import JOKER, RANKS, HandRules, JokerRule
from certify.model.house_way import HouseWay
from certify.model.vocabulary import EventFeature, HandPart, Higher
from certify.words.groups import NAMES, article, plural
from certify.words.hands import (
    COMPARED,
    COUNTED,
    HELD_OR_NOT,
    HIGHER,
    LENGTHS,
    PARTS,
    condition_words,
    describe_ranks,
    describe_test,
    number,
)

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
    from certify.kernels.class_arrays import class_splits, own_classes

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
                    for part, numbers in ((HandPart.HIGH_HAND, high), (HandPart.LOW_HAND, low))
                    for name, value in part_features(numbers, hands, part).items()
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


Features = Mapping[str, FeatureValue]

THREE: Final = 3
FIVE: Final = 5


def sort_cards(cards: Sequence[str]) -> tuple[str, ...]:
    """Return cards the joker first, then from the ace down; equal ranks keep their order."""
    return tuple(
        sorted(cards, key=lambda card: -len(RANKS) if card == JOKER else -RANKS.index(card[0]))
    )


def hand_words(cards: Sequence[str], features: Features, hands: HandRules) -> str:
    """Return everything that a hand holds, the highest first: ``three nines and a straight``.

    Two cards are no straight and no flush: a pair or two ranks, and one suit if they have one.
    """
    joker, shortest = hands.joker, min(hands.shape.back, len(cards))
    if shortest < THREE:
        ranks = join_words([article(card[0]) for card in sort_cards(cards)])
        words = next(_groups(cards, features, joker), ranks)
        suited = len(cards) > 1 and features[EventFeature.FLUSH_LENGTH]
        return f"{words} of one suit" if suited else words
    if shortest < FIVE:
        # Straight flushes of fewer cards have no separate names.
        features = {
            **features,
            EventFeature.ROYAL_FLUSH: False,
            EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH: False,
        }
    complete, groups = list(_complete(features)), list(_groups(cards, features, joker))
    if not complete and not groups:
        high = features[EventFeature.PAI_GOW_HIGH]
        top = NAMES[str(high)] if high else NAMES[sort_cards(cards)[0][0]]
        return f"no pair, no straight and no flush, {top} high"
    if complete and groups and features[EventFeature.JOKER]:
        # The joker counts in one of them at a time.
        return f"either {join_words(complete)} or {join_words(groups)}"
    return join_words([*complete, *groups])


def _complete(features: Features) -> Iterator[str]:
    """Yield straights and flushes of every kind, none that another one contains."""
    both = _length(features, EventFeature.STRAIGHT_FLUSH_LENGTH)
    if features[EventFeature.ROYAL_FLUSH]:
        yield "a royal flush"
    if both and not (features[EventFeature.ROYAL_FLUSH] and both == _shortest(features)):
        wheel = features[EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH] and both == _shortest(features)
        yield "A-2-3-4-5 of one suit" if wheel else f"a straight flush of {number(both)} cards"
    if both and features[EventFeature.JOKER]:
        # Whatever else the joker would complete is not what it is used for here.
        return
    flush = _length(features, EventFeature.FLUSH_LENGTH)
    straight = _length(features, EventFeature.STRAIGHT_LENGTH)
    if flush > both:
        yield f"a flush of {number(flush)} cards"
    if straight > both:
        yield f"a straight of {number(straight)} cards"


def _shortest(features: Features) -> int:
    """Return the cards of a straight flush that is no longer than it must be."""
    return min(FIVE, _length(features, EventFeature.STRAIGHT_FLUSH_LENGTH))


def _length(features: Features, name: str) -> int:
    value = features[name]
    return value if isinstance(value, int) else 0


def _groups(cards: Sequence[str], features: Features, joker: JokerRule) -> Iterator[str]:
    """Yield the groups of equal ranks; a bug is an ace, a wild joker joins the largest group."""
    ranks = Counter(card[0] for card in cards if card != JOKER)
    if features[EventFeature.JOKER]:
        largest = max(ranks or RANKS[-1], key=lambda rank: (ranks[rank], RANKS.index(rank)))
        ranks[largest if joker is JokerRule.FULLY_WILD else RANKS[-1]] += cards.count(JOKER)
    order = sorted(ranks, key=lambda rank: (-ranks[rank], -RANKS.index(rank)))
    several = [rank for rank in order if ranks[rank] > 1]
    sizes = [ranks[rank] for rank in several]
    match sizes:
        case []:
            return
        case [2]:
            yield f"a pair of {plural(several[0])}"
        case [2, *_]:
            yield f"{number(len(sizes))} pair, {join_words([plural(rank) for rank in several])}"
        case [3, _, *rest]:
            yield f"a full house, {plural(several[0])} over {plural(several[1])}" + (
                f", and a pair of {plural(several[2])}" if rest else ""
            )
        case _:
            yield join_words([f"{number(ranks[rank])} {plural(rank)}" for rank in several])


def reason_not_held(
    condition: Condition | None, features: Features, *, undivided: int = 0, joker: bool = True
) -> str:
    """Return the reason why a condition does not hold: required and actual features.

    ``undivided``: the cards of the compared hand, if hands are not set in two. It has no pai gow.
    ``joker``: whether the deck has one.
    """
    names = tuple(features)
    match condition:
        case FeatureTest():
            whose = f"the {PARTS[condition.part]}" if condition.part.is_set else "the hand"
            test = describe_test(condition, undivided=undivided, joker=joker)
            return (
                f"it requires {test}; {whose} has {has(condition, features, undivided=undivided)}"
            )
        case AllOf(conditions=parts):
            cell = tuple(features.values())
            failing = [part for part in parts if not predicate(part, names)(cell)]
            return "; ".join(
                reason_not_held(part, features, undivided=undivided, joker=joker)
                for part in failing
            )
        case AnyOf(conditions=parts):
            return ", or else ".join(
                reason_not_held(part, features, undivided=undivided, joker=joker) for part in parts
            )
        case Not(condition=part):
            denied = condition_words(part, undivided=undivided, joker=joker)
            return f"it requires a hand that does not have {denied}"
    return ""


def has(test: FeatureTest, features: Features, *, undivided: int = 0) -> str:
    """Return the hand's actual value of a tested feature, in words."""
    name, value = test.feature, features[test.name]
    if name in LENGTHS:
        length = _length(features, test.name)
        return f"one of {number(length)} cards" if length else "none"
    if name in COUNTED:
        return number(_length(features, test.name)) if value else "none"
    if name in HELD_OR_NOT:
        return HELD_OR_NOT[name] if value else "none"
    return describe_ranks(name, (value,), test.part, undivided=undivided)


def not_compared(deal: TwoHands, results: Mapping[HandPart, Higher]) -> Iterator[str]:
    """Yield the reasons why two hands do not meet a comparison."""
    for part, fitting in deal.results.items():
        if results[part] not in fitting:
            condition = join_words([HIGHER[higher] for higher in fitting], "or")
            yield f"of the {COMPARED[part]} it requires that {condition}; {HIGHER[results[part]]}"
