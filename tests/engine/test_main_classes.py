"""Every class is labelled as the slow twin labels its hand."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from certify.engine.deck import build_shape, load_deck
from certify.engine.main.dealer_labels import dealer_labels
from certify.errors import NotConfigured
from certify.kernels.features import FIVE_CARD_ORDER
from certify.model.condition import AnyOf, Condition, FeatureTest, Not
from certify.model.game import Deck, HandRules, HandShape, JokerRule, WheelRule
from tests.oracle import main_wager as oracle
from tests.oracle.two_hands import JOKERS, Cards, Game

RULES = HandRules(
    deck=Deck(ranks=7, joker=True),
    shape=HandShape(cards=5, back=4, front=1),
    joker=JokerRule.BUG,
    wheel=WheelRule.SECOND_HIGHEST,
)
SHORT = replace(RULES, deck=Deck(ranks=6, joker=False), shape=HandShape(cards=5, back=3, front=2))
DECKS = {
    "4+1 of 29": RULES,
    "4+1 of 29, lowest wheel": replace(RULES, wheel=WheelRule.LOWEST),
    "4+1 of 29, fully wild": replace(RULES, joker=JokerRule.FULLY_WILD),
    "4+1 of 30 with two bugs": replace(RULES, deck=Deck(ranks=7, joker=2)),
    "4+1 of 30, both fully wild": replace(
        RULES, deck=Deck(ranks=7, joker=2), joker=JokerRule.FULLY_WILD
    ),
    "3+2 of 24": SHORT,
    "5+2 of 32": replace(
        RULES, deck=Deck(ranks=8, joker=False), shape=HandShape(cards=7, back=5, front=2)
    ),
}


def pair_of_queens_or_better(back: int) -> Condition:
    return AnyOf(
        conditions=(
            FeatureTest(feature="of_a_kind", minimum=3),
            FeatureTest(feature="pairs", minimum=2),
            FeatureTest(feature="straight_length", minimum=back),
            FeatureTest(feature="flush_length", minimum=back),
            FeatureTest(feature="highest_pair", values=("Q", "K", "A")),
        )
    )


CONDITIONS: dict[str, tuple[Condition, oracle.Holds]] = {
    "queen-high": (FeatureTest(feature="pai_gow_high", values=("Q",)), oracle.pai_gow("Q")),
    "ace-high": (FeatureTest(feature="pai_gow_high", values=("A",)), oracle.pai_gow("A")),
    "pai gow": (
        Not(condition=FeatureTest(feature="pai_gow_high", values=(None,))),
        oracle.any_pai_gow,
    ),
    "two jacks": (FeatureTest(feature="jacks", minimum=2), oracle.two_jacks),
}


@cache
def small(hands: HandRules) -> Game:
    return Game(
        hands.deck.ranks,
        hands.deck.joker,
        hands.shape.cards,
        hands.shape.front,
        hands.joker is JokerRule.FULLY_WILD,
        hands.wheel is WheelRule.LOWEST,
    )


@pytest.mark.parametrize("hands", DECKS.values(), ids=DECKS)
def test_every_class_of_a_small_deck_is_labelled_as_its_hand(hands: HandRules) -> None:
    named = dict(CONDITIONS)
    if hands.joker is JokerRule.BUG:
        named["queens or better"] = (
            pair_of_queens_or_better(hands.shape.back),
            oracle.holds_pair_or_better("Q"),
        )
    labels, truths = dealer_labels(hands, [condition for condition, _ in named.values()])
    classes = load_deck(hands).classes
    # A class shows one of its hands; those of a rank class must be hands without a flush.
    rows = np.flatnonzero(classes.plain)
    if len(rows) > 4000:
        rows = np.random.default_rng(1).permutation(rows)[:4000]
    for row in rows:
        jokers = iter(JOKERS)
        hand: Cards = tuple(
            next(jokers) if card == 4 * hands.deck.ranks else (int(card) // 4, int(card) % 4)
            for card in classes.cards[row]
        )
        expected = tuple(holds(small(hands), hand) for _, holds in named.values())
        assert truths[labels[row]] == expected, hand
    assert len(set(truths)) == len(truths)
    assert len(labels) == len(classes.counts)


def test_without_conditions_every_class_has_the_same_label() -> None:
    labels, truths = dealer_labels(SHORT, [])
    assert truths == ((),)
    assert not labels.any()


def test_labels_are_numbered_from_zero_without_a_gap() -> None:
    labels, truths = dealer_labels(RULES, [condition for condition, _ in CONDITIONS.values()])
    assert sorted(set(labels.tolist())) == list(range(len(truths)))


def test_the_dimensions_of_a_game_are_those_of_the_kernels() -> None:
    shape = build_shape(
        replace(
            RULES,
            joker=JokerRule.FULLY_WILD,
            wheel=WheelRule.LOWEST,
            joker_beats_ace_in_front=True,
        )
    )
    assert tuple(shape) == (7, True, 5, 1, True, True, True, FIVE_CARD_ORDER)
    assert tuple(build_shape(SHORT)) == (6, False, 5, 2, False, False, False, FIVE_CARD_ORDER)


def test_a_deck_that_kernels_cannot_count_is_refused() -> None:
    with pytest.raises(NotConfigured) as raised:
        load_deck(replace(SHORT, deck=Deck(ranks=6, joker=True)))
    assert raised.value.message == "With 5 cards, two suits could make a flush of 3 at once."
    assert raised.value.remedy == "Set `back` to 4 or more, or deal fewer cards."


def test_all_options_share_one_enumeration() -> None:
    assert load_deck(SHORT) is load_deck(replace(SHORT))
