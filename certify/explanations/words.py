"""Hands, conditions and ranks in plain words."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from certify.engine.hands.conditions import predicate
from certify.engine.hands.features import SUIT_COUNTS
from certify.formatting import join_words
from certify.model.condition import (
    AllOf,
    AnyOf,
    Condition,
    FeatureTest,
    FeatureValue,
    Not,
    TwoHands,
)
from certify.model.game import JOKER, RANKS, HandRules, JokerRule
from certify.model.vocabulary import RANK_COUNTS, Category, EventFeature, HandPart, Higher
from certify.words.groups import (
    CATEGORIES,
    NAMES,
    NUMBERS,
    article,
    format_ranks,
    one_of_ranks,
    plural,
)

Features = Mapping[str, FeatureValue]

THREE: Final = 3
FIVE: Final = 5
LENGTHS: Final[Mapping[str, str]] = {
    EventFeature.STRAIGHT_LENGTH: "a straight",
    EventFeature.FLUSH_LENGTH: "a flush",
    EventFeature.STRAIGHT_FLUSH_LENGTH: "a straight flush",
    EventFeature.NATURAL_STRAIGHT_LENGTH: "a natural straight",
    EventFeature.NATURAL_FLUSH_LENGTH: "a natural flush",
    EventFeature.NATURAL_STRAIGHT_FLUSH_LENGTH: "a natural straight flush",
}
COUNTED: Final[Mapping[str, str]] = {
    EventFeature.OF_A_KIND: "cards of one rank",
    EventFeature.SECOND_OF_A_KIND: "cards of another rank",
    EventFeature.PAIRS: "ranks held twice or more",
    EventFeature.ACES: "aces, the joker counted",
    EventFeature.JOKERS: "jokers",
    EventFeature.NATURAL_OF_A_KIND: "natural cards of one rank",
    EventFeature.NATURAL_SECOND_OF_A_KIND: "natural cards of another rank",
    EventFeature.NATURAL_ACES: "natural aces",
    **{feature: str(feature) for feature in RANK_COUNTS},
    EventFeature.JACKS: "jacks",
    EventFeature.RED_CARDS: "red cards",
    **{feature: str(feature) for feature in SUIT_COUNTS},
    EventFeature.SAME_CARD: "copies of one card",
    EventFeature.TOTAL: "points with an ace as one",
}
HELD_OR_NOT: Final[Mapping[str, str]] = {
    EventFeature.JOKER: "the joker",
    EventFeature.ROYAL_FLUSH: "a royal flush",
    EventFeature.NATURAL_ROYAL_FLUSH: "a natural royal flush",
    EventFeature.ACE_TO_FIVE_STRAIGHT_FLUSH: "A-2-3-4-5 of one suit",
    EventFeature.NATURAL_ACE_TO_FIVE_STRAIGHT_FLUSH: "a natural A-2-3-4-5 of one suit",
    EventFeature.ONE_COLOUR: "cards of one color only",
}
NO_RANK: Final[Mapping[str, str]] = {
    EventFeature.HIGHEST_PAIR: "no pair",
    EventFeature.SECOND_PAIR: "no second pair",
    EventFeature.PAI_GOW_HIGH: "a pair, a straight or a flush",
}
ANY_RANK: Final[Mapping[str, str]] = {
    EventFeature.HIGHEST_PAIR: "a pair",
    EventFeature.SECOND_PAIR: "a second pair",
    EventFeature.PAI_GOW_HIGH: CATEGORIES[Category.HIGH_CARD],
}
"""The opposite of `NO_RANK`."""


PARTS: Final = {HandPart.HIGH_HAND: "high hand", HandPart.LOW_HAND: "low hand"}
COMPARED: Final = {
    HandPart.WHOLE: "best hands",
    HandPart.HIGH_HAND: "high hands",
    HandPart.LOW_HAND: "low hands",
}
HIGHER: Final = {
    Higher.PLAYER: "the player's is higher",
    Higher.DEALER: "the dealer's is higher",
    Higher.COPY: "they are a copy of each other",
}


def number(count: int) -> str:
    """Return a small number as a word."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


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
        return f"{words} of one suit" if features[EventFeature.FLUSH_LENGTH] else words
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
    held = Counter(card[0] for card in cards if card != JOKER)
    if features[EventFeature.JOKER]:
        largest = max(held or RANKS[-1], key=lambda rank: (held[rank], RANKS.index(rank)))
        held[largest if joker is JokerRule.FULLY_WILD else RANKS[-1]] += cards.count(JOKER)
    order = sorted(held, key=lambda rank: (-held[rank], -RANKS.index(rank)))
    several = [rank for rank in order if held[rank] > 1]
    sizes = [held[rank] for rank in several]
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
            yield join_words([f"{number(held[rank])} {plural(rank)}" for rank in several])


def reason_not_held(condition: Condition | None, features: Features, *, undivided: int = 0) -> str:
    """Return the reason why a condition does not hold: required and actual features.

    ``undivided``: the cards of the compared hand, if hands are not set in two. It has no pai gow.
    """
    names = tuple(features)
    match condition:
        case FeatureTest():
            whose = f"the {PARTS[condition.part]}" if condition.part.is_set else "the hand"
            asked = describe_test(condition, undivided=undivided)
            return (
                f"it requires {asked}; {whose} has {has(condition, features, undivided=undivided)}"
            )
        case AllOf(conditions=parts):
            cell = tuple(features.values())
            failing = [part for part in parts if not predicate(part, names)(cell)]
            return "; ".join(
                reason_not_held(part, features, undivided=undivided) for part in failing
            )
        case AnyOf(conditions=parts):
            return "; ".join(reason_not_held(part, features, undivided=undivided) for part in parts)
        case Not(condition=part):
            denied = condition_words(part, undivided=undivided)
            return f"it requires a hand that does not have {denied}"
    return ""


def condition_words(condition: Condition, *, nested: bool = False, undivided: int = 0) -> str:
    """Return the requirement of a condition in words; ``nested`` puts a list in parentheses."""
    match condition:
        case FeatureTest():
            return describe_test(condition, undivided=undivided)
        case Not(condition=FeatureTest(feature=name, values=(None,), part=HandPart.WHOLE)) if (
            name in ANY_RANK
        ):
            return ANY_RANK[name]
        case Not(condition=denied):
            return f"not {condition_words(denied, nested=True, undivided=undivided)}"
        case AllOf(conditions=parts):
            last, of_nothing = "and", "any hand"
        case AnyOf(conditions=parts):
            last, of_nothing = "or", "no hand"
    several = len(parts) > 1
    words = join_words(
        [condition_words(part, nested=several, undivided=undivided) for part in parts], last
    )
    return f"({words})" if nested and several else words or of_nothing


def describe_test(test: FeatureTest, *, undivided: int = 0) -> str:
    """Return the requirement of one test in words: ``four or more cards of one rank``."""
    asked = _describe_requirement(test, undivided=undivided)
    return f"{asked} in the {PARTS[test.part]}" if test.part.is_set else asked


def _describe_requirement(test: FeatureTest, *, undivided: int) -> str:
    name = test.feature
    if name in LENGTHS:
        return f"{LENGTHS[name]} of {_amount(test)} cards"
    if name in COUNTED:
        return f"{_amount(test)} {COUNTED[name]}"
    if name in HELD_OR_NOT:
        return HELD_OR_NOT[name] if test.values[0] else f"a hand without {HELD_OR_NOT[name]}"
    return _describe_ranks(name, test.values, test.part, undivided=undivided)


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
    return _describe_ranks(name, (value,), test.part, undivided=undivided)


def not_compared(deal: TwoHands, results: Mapping[HandPart, Higher]) -> Iterator[str]:
    """Yield the reasons why two hands do not meet a comparison."""
    for part, fitting in deal.results.items():
        if results[part] not in fitting:
            asked = join_words([HIGHER[higher] for higher in fitting], "or")
            yield f"of the {COMPARED[part]} it requires that {asked}; {HIGHER[results[part]]}"


def _describe_ranks(
    name: str, values: Sequence[FeatureValue], part: HandPart, *, undivided: int
) -> str:
    """Return a feature whose values are ranks, pairs of ranks, or None."""
    ranks = [value for value in values if value is not None]
    low_hand = name == EventFeature.PAI_GOW_HIGH and part is HandPart.LOW_HAND
    words = []
    if name == EventFeature.SUITED_PAIR:
        words = [
            f"an additional suited {join_words([NAMES[rank] for rank in str(pair)])}"
            for pair in ranks
        ]
    elif low_hand and ranks:
        words = [f"{one_of_ranks(ranks)} as the highest card"]
    elif name == EventFeature.PAI_GOW_HIGH and ranks:
        held = "".join(rank for rank in RANKS if rank in ranks)
        words = [_name_high_card(held, undivided)]
    elif ranks:
        which = "highest" if name == EventFeature.HIGHEST_PAIR else "second"
        words = [f"a {which} pair of {format_ranks(ranks)}"]
    if None in values:
        none = "no such pair of one suit" if name == EventFeature.SUITED_PAIR else NO_RANK[name]
        words.append("a pair" if low_hand else none)
    return join_words(words, "or")


def _name_high_card(ranks: str, undivided: int) -> str:
    """Return ``an ace-high pai gow``, ``a king-high pai gow or lower``, or a list of such hands.

    Undivided hands are ``ace high`` and ``king high or lower``; the lowest without a straight has
    the rank with the number of its cards as the highest.
    """
    named = [
        f"{NAMES[rank]} high" if undivided else f"{article(rank)}-high pai gow" for rank in ranks
    ]
    if len(ranks) > 1 and ranks in RANKS and RANKS.index(ranks[0]) <= undivided:
        return f"{named[-1]} or lower"
    if len(ranks) > 1 and RANKS.endswith(ranks):
        return f"{named[0]} or higher"
    return join_words(named, "or")


def _amount(test: FeatureTest) -> str:
    if test.values:
        return join_words([number(int(value or 0)) for value in test.values], "or")
    if test.maximum is None:
        return f"{number(test.minimum or 0)} or more"
    if test.minimum is None:
        return f"at most {number(test.maximum)}"
    return f"{number(test.minimum)} to {number(test.maximum)}"
