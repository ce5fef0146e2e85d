"""The number of hands of each name, for the mathematics report."""

from collections.abc import Iterator, Mapping
from math import comb
from typing import Final

from certify.engine.hands.awards import event_counts
from certify.engine.hands.conditions import count, find, list_features, predicate
from certify.model.analysis import Census
from certify.model.condition import AllOf, FeatureTest, FeatureValue
from certify.model.game import HandRules, JokerRule
from certify.model.submission import Filing
from certify.model.vocabulary import Category, EventFeature

LADDER: Final = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush",
    "straight", "three_of_a_kind", "two_pair", "pair", "ace_high_pai_gow", "king_high_pai_gow",
    "queen_high_pai_gow", "jack_high_pai_gow", "ten_high_pai_gow", "nine_high_pai_gow",
    "eight_high_pai_gow", "seven_high_pai_gow",
)  # fmt: skip
"""The events that name divided hands below five of a kind, highest first."""

LENGTHS: Final[Mapping[Category, EventFeature]] = {
    Category.STRAIGHT: EventFeature.STRAIGHT_LENGTH,
    Category.FLUSH: EventFeature.FLUSH_LENGTH,
    Category.STRAIGHT_FLUSH: EventFeature.STRAIGHT_FLUSH_LENGTH,
}
GROUPS: Final[Mapping[Category, Mapping[EventFeature, int]]] = {
    Category.HIGH_CARD: {},
    Category.PAIR: {EventFeature.OF_A_KIND: 2},
    Category.TWO_PAIR: {EventFeature.PAIRS: 2},
    Category.THREE_OF_A_KIND: {EventFeature.OF_A_KIND: 3},
    Category.FULL_HOUSE: {EventFeature.OF_A_KIND: 3, EventFeature.SECOND_OF_A_KIND: 2},
    Category.FOUR_OF_A_KIND: {EventFeature.OF_A_KIND: 4},
    Category.FIVE_OF_A_KIND: {EventFeature.OF_A_KIND: 5},
}
"""The least features of a hand that contains a category."""


def frequencies(filing: Filing) -> Census:
    """Count every hand by its name, highest first; the names cover the deck.

    Hands have the names of the game's ranking, and no names if no filed wager ranks them.
    """
    hands = filing.game.hands
    named = _count_divided(filing) if hands.shape.is_divided else _count_ranked(filing)
    total = comb(hands.deck.cards, hands.shape.cards)
    cells: dict[tuple[FeatureValue, ...], int] = {(name,): n for name, n in named if n}
    rest = total - sum(cells.values())
    if cells and rest:
        cells[(None,)] = rest
    return Census(features=("hand",), cards=hands.shape.cards, total=total, cells=cells)


def _count_divided(filing: Filing) -> Iterator[tuple[str, int]]:
    """Yield the events that name divided hands, each with the hands that no earlier one takes."""
    hands, known = filing.game.hands, filing.catalog.events
    highest = "five_of_a_kind" if hands.joker is JokerRule.FULLY_WILD else "five_aces"
    events = find(known, [name for name in (highest, *LADDER) if name in known])
    _, counts = event_counts(events, range(len(events)), hands=hands, cards=hands.shape.cards)
    yield from zip((event.id for event in events), counts, strict=True)


def _count_ranked(filing: Filing) -> Iterator[tuple[str, int]]:
    """Yield the categories of undivided hands, each with the hands of which it is the highest."""
    hands = filing.game.hands
    tests = {category: _condition(category, hands) for category in filing.ranking}
    if not tests:
        return
    wanted = frozenset[str]().union(*map(list_features, tests.values()))
    census = count(hands, cards=hands.shape.cards, features=wanted)
    left = dict(census.cells)
    for category, condition in tests.items():
        holds = predicate(condition, census.features)
        met = [cell for cell in left if holds(cell)]
        yield category, sum(left.pop(cell) for cell in met)


def _condition(category: Category, hands: HandRules) -> AllOf:
    """Return the condition that a hand contains a category."""
    lengths = {LENGTHS[category]: hands.shape.back} if category in LENGTHS else {}
    asked = {**lengths, **GROUPS.get(category, {})}
    return AllOf(
        conditions=tuple(FeatureTest(feature=name, minimum=least) for name, least in asked.items())
    )
