"""The sentence of every built-in event is true of every hand that its count includes."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.engine.hands.cards import hand_features
from certify.engine.hands.conditions import predicate
from certify.explanations.sample_hands import sample_deals, sample_hands
from certify.intake.read import read_catalog
from certify.model.catalog import Catalog
from certify.model.condition import Event
from certify.model.game import RANKS, Deck, HandRules, HandShape, JokerRule, deck_cards
from certify.words.hands import describe_event
from tests.marks import further
from tests.printed.event_sentences import Rules, read_sentence, read_two_hands

FIELD = Path(__file__).parents[2] / "fixtures" / "field" / "paytables"
MOST = 4_000
"""Hands of one deck that are looked at; of more, as many at equal distances."""


@cache
def catalog() -> Catalog:
    return read_catalog(library.paytables(), FIELD)[0]


@cache
def built_in() -> tuple[Event, ...]:
    return tuple(read_catalog(library.paytables())[0].events.values())


def hand_rules() -> dict[str, tuple[HandRules, int]]:
    """Return hands and their numbers of cards: those that a declared game deals, and others."""
    found: dict[tuple[HandRules, int], str] = {}
    for game in catalog().games.values():
        hands = replace(game.hands, ranking=None)
        found.setdefault((hands, hands.shape.cards), game.id)
        for table in game.paytables:
            found.setdefault((hands.for_wager(table), table.cards), table.target)
    plain = next(hands for hands, _ in found)
    for name, cards, back, joker in (
        ("four of five", 5, 4, 0), ("four", 4, 4, 0), ("five of seven", 7, 5, 0), ("five", 5, 5, 0),
        ("three with a bug", 3, 3, 1), ("four of five with a bug", 5, 4, 1),
    ):  # fmt: skip
        shape = HandShape(cards=cards, back=back, front=0)
        hands = replace(plain, deck=Deck(joker=joker), shape=shape, joker=JokerRule.BUG)
        found.setdefault((hands, cards), name)
    return {name: rules for rules, name in found.items()}


def spread(deck: Sequence[str], cards: int) -> Iterator[tuple[str, ...]]:
    """Yield all hands of a deck, or of many hands some at equal distances."""
    step = max(1, comb(len(deck), cards) // MOST)
    for place, hand in enumerate(combinations(deck, cards)):
        if place % step == 0:
            yield hand


def decks(hands: HandRules, cards: int) -> Iterator[HandRules]:
    """Yield the hands of small decks: of one deck in place of a shoe, and of two for pairs."""
    complete = min(hands.shape.back, cards)
    for ranks in {max(complete, 5), max(complete + 1, 6)}:
        number = min(hands.deck.decks, 2)
        yield replace(hands, deck=replace(hands.deck, ranks=ranks, decks=number))
    if comb(hands.deck.cards, cards) <= 30_000:
        yield hands


def read_rules(hands: HandRules, cards: int) -> Rules:
    return Rules(
        letters=RANKS[-hands.deck.ranks :],
        complete=min(hands.shape.back, cards),
        wild=hands.joker is JokerRule.FULLY_WILD,
    )


HANDS = hand_rules()
QUICK = ("mini-pai-gow", "pai-gow-mania", "ez-pai-gow-california", "caribbean-stud", "four of five",
         "three-card-poker", "four", "blackjack-six-decks")  # fmt: skip
"""One of each number of cards, and of each way to form a hand."""


@pytest.mark.parametrize("name", [*QUICK, *further(sorted(HANDS.keys() - QUICK))])
def test_sentence_is_true_of_every_counted_hand_of_a_small_deck(name: str) -> None:
    hands, cards = HANDS[name]
    held = 0
    for small in decks(hands, cards):
        rules = read_rules(small, cards)
        events = [event for event in built_in() if not event.two_handed]
        texts = [describe_event(event, small, cards) for event in events]
        read = [read_sentence(text) for text in texts]
        names: tuple[str, ...] = ()
        for hand in spread(deck_cards(small.deck), cards):
            values = hand_features(hand, small, cards=cards)
            if tuple(values) != names:
                names = tuple(values)
                holds = [predicate(event.when, names) for event in events]
            known = tuple(values.values())
            for is_held, says, text in zip(holds, read, texts, strict=True):
                if is_held(known):
                    held += 1
                    assert says(hand, rules), (text, hand)
    assert held


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in QUICK if HANDS[name][0].deck.decks == 1),
        *further(sorted(name for name in HANDS.keys() - QUICK if HANDS[name][0].deck.decks == 1)),
    ],
)
def test_sentence_is_true_of_counted_hands_of_the_whole_deck(name: str) -> None:
    hands, cards = HANDS[name]
    rules = read_rules(hands, cards)
    held = set()
    samples = sample_hands(hands, cards, None)
    deals = sample_deals(hands, cards, None) if cards == hands.shape.cards else ()
    for event in built_in():
        text = describe_event(event, hands, cards)
        if event.two_handed:
            both = read_two_hands(text)
            for deal in deals:
                if deal.holds(event):
                    held.add(event.id)
                    assert both(deal.player.cards, deal.dealer.cards, rules), (event.id, text, deal)
            continue
        alone, holds = read_sentence(text), predicate(event.when, samples[0].names)
        for hand in samples:
            if holds(hand.values):
                held.add(event.id)
                assert alone(hand.cards, rules), (event.id, text, hand.cards)
    assert held


def test_sentence_with_the_cards_of_another_game_is_false() -> None:
    hands, cards = HANDS["four of five"]
    royal = next(event for event in built_in() if event.id == "royal_flush")
    read = read_sentence(describe_event(royal, replace(hands, shape=HANDS["five"][0].shape), cards))
    rules = read_rules(hands, cards)
    assert not read(("As", "Ks", "Qs", "Js", "2d"), rules)
    assert read_sentence(describe_event(royal, hands, cards))(("As", "Ks", "Qs", "Js", "2d"), rules)
