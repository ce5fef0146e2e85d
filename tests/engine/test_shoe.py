from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, islice
from math import comb
from typing import Any

import pytest
from msgspec.structs import replace

from certify.engine.hands.cards import hand_features
from certify.engine.hands.conditions import count
from certify.engine.hands.features import FEATURES
from certify.errors import NotConfigured, NotReadable
from certify.model.game import Deck, HandRules, HandShape, WheelRule, deck_cards
from certify.model.vocabulary import EventFeature
from certify_recount.census import census
from certify_recount.hands import Deck as PlainDeck
from certify_recount.hands import Uncountable
from tests.marks import further

LOW_TO_HIGH = "23456789TJQKA"
NAMES = {
    "twos": "2", "threes": "3", "fours": "4", "fives": "5", "sixes": "6", "sevens": "7",
    "eights": "8", "nines": "9", "tens": "T", "jacks": "J", "queens": "Q", "kings": "K",
    "natural_aces": "A",
}  # fmt: skip
OF_SHOES = [name for name in FEATURES if name != EventFeature.SUITED_PAIR]


def rules(cards: int, *, ranks: int = 13, decks: int = 6, joker: int = 0) -> HandRules:
    shape = HandShape(cards=cards, back=min(cards, 5), front=0)
    deck = Deck(ranks=ranks, joker=joker, decks=decks)
    return HandRules(deck=deck, shape=shape, wheel=WheelRule.LOWEST)


def longest_run(ranks: set[str], known: str, complete: int) -> int:
    line = known[-1] + known
    lengths = [
        end - start
        for start in range(len(line))
        for end in range(start + complete, len(line) + 1)
        if end - start <= len(known) and {*line[start:end]} <= ranks
    ]
    return max(lengths, default=0)


def examine(hand: Sequence[str], known: str) -> dict[str, Any]:
    """Read a hand as a dealer would, card by card; ``known`` are the ranks of the deck."""
    ranks, suits = [card[0] for card in hand], [card[1] for card in hand]
    complete = min(len(hand), 5)
    groups = sorted(map(ranks.count, {*ranks}), reverse=True)
    several = sorted((rank for rank in {*ranks} if ranks.count(rank) > 1), key=known.index)
    flush = next((suit for suit in "cdhs" if suits.count(suit) >= complete), None)
    suited = {card[0] for card in hand if card[1] == flush}
    run = longest_run({*ranks}, known, complete)
    run_of_suit = longest_run(suited, known, complete)
    flush_length = suits.count(flush) if flush else 0
    royal = {*known[-complete:]} <= suited
    wheel = {known[-1], *known[: complete - 1]} <= suited
    nothing = not several and not run and not flush_length
    reds = suits.count("d") + suits.count("h")
    found: dict[str, Any] = {name: ranks.count(rank) for name, rank in NAMES.items()}
    found |= {"joker": False, "jokers": 0, "aces": ranks.count("A"), "pairs": len(several)}
    found["highest_pair"] = several[-1] if several else None
    found["second_pair"] = several[-2] if len(several) > 1 else None
    found["pai_gow_high"] = max(ranks, key=known.index) if nothing else None
    for prefix in ("", "natural_"):
        found[f"{prefix}of_a_kind"] = groups[0]
        found[f"{prefix}second_of_a_kind"] = [*groups, 0][1]
        found[f"{prefix}straight_length"] = run
        found[f"{prefix}flush_length"] = flush_length
        found[f"{prefix}straight_flush_length"] = run_of_suit
        found[f"{prefix}royal_flush"] = royal
        found[f"{prefix}ace_to_five_straight_flush"] = wheel
    found |= {"red_cards": reds, "one_colour": reds in {0, len(hand)}}
    found |= {name: suits.count(name[0]) for name in ("clubs", "diamonds", "hearts", "spades")}
    values = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    found["same_card"] = max(map(list(hand).count, hand))
    found["total"] = sum(values.get(rank) or int(rank) for rank in ranks)
    return found


SHOES = [(13, 1, 2), (13, 2, 2), (6, 3, 3), *further([(5, 2, 4), (5, 1, 5), (5, 2, 5), (5, 1, 6)])]


@pytest.mark.parametrize(("ranks", "decks", "cards"), SHOES)
def test_every_deal_of_a_small_shoe(ranks: int, decks: int, cards: int) -> None:
    """Copies of a card are separate cards here, as they are on a table."""
    known = LOW_TO_HIGH[-ranks:]
    shoe = [rank + suit for rank in known for suit in "cdhs"] * decks
    dealt: Counter[tuple[Any, ...]] = Counter()
    seen: dict[tuple[str, ...], tuple[Any, ...]] = {}
    for deal in combinations(shoe, cards):
        hand = tuple(sorted(deal))
        if hand not in seen:
            held = examine(hand, known)
            seen[hand] = tuple(held[name] for name in OF_SHOES)
        dealt[seen[hand]] += 1
    counted = count(rules(cards, ranks=ranks, decks=decks), cards=cards, features=OF_SHOES)
    assert counted.features == tuple(OF_SHOES)
    assert counted.total == comb(len(shoe), cards)
    assert dict(counted.cells) == dict(dealt)
    deck = PlainDeck(ranks, 0, min(cards, 5), False, decks)
    assert census(cards, deck, OF_SHOES) == dealt


@pytest.mark.parametrize("cards", [2, 3])
def test_a_hand_has_the_features_of_its_cell(cards: int) -> None:
    hands = rules(cards)
    cells = count(hands, cards=cards, features=OF_SHOES).cells
    shoe = sorted({*deck_cards(hands.deck)})
    for hand in islice(combinations_with_replacement(shoe, cards), 0, None, 97):
        held = hand_features(hand, hands)
        assert cells[tuple(held[name] for name in OF_SHOES)]


def test_six_cards_of_a_shoe_are_counted_twice() -> None:
    """Up to six cards of one rank, and up to two copies of a card."""
    features = ("of_a_kind", "second_of_a_kind", "flush_length", "straight_flush_length", "hearts")
    counted = count(rules(6, ranks=5, decks=2), cards=6, features=features)
    assert {cell[counted.features.index("of_a_kind")] for cell in counted.cells} == {2, 3, 4, 5, 6}
    assert census(6, PlainDeck(5, 0, 5, False, 2), counted.features) == dict(counted.cells)


@pytest.mark.parametrize("cards", [2, 3, 4, 5, *further([6])])
def test_one_deck_is_counted_alike_by_classes_and_card_by_card(cards: int) -> None:
    hands = rules(cards, decks=1)
    names = ["of_a_kind", "highest_pair", "flush_length", "straight_flush_length", "red_cards"]
    by_class = count(hands, cards=cards, features=names)
    by_card = count(hands, cards=cards, features=[*names, "same_card"])
    assert by_card.features[-1] == "same_card"
    assert {cell[:-1]: number for cell, number in by_card.cells.items()} == by_class.cells
    assert {cell[-1] for cell in by_card.cells} == {1}


def test_a_card_may_be_held_once_a_deck() -> None:
    assert hand_features(["Qh", "Qh"], rules(2, decks=2))["same_card"] == 2
    with pytest.raises(NotReadable, match="Qh 3 times"):
        hand_features(["Qh", "Qh", "Qh"], rules(3, decks=2))


@pytest.mark.parametrize(
    ("hands", "feature", "words"),
    [
        (rules(2, joker=1), "pairs", "with jokers"),
        (rules(7), "pairs", "7 cards from a shoe"),
        (rules(2, decks=1, joker=1), "hearts", "cannot be counted by 'hearts'"),
        (rules(7, decks=1), "same_card", "cannot be counted by 'same_card'"),
        (
            replace(rules(6), shape=HandShape(cards=6, back=4, front=0)),
            "suited_pair",
            "'suited_pair'",
        ),
    ],
)
def test_what_is_not_counted_card_by_card(hands: HandRules, feature: str, words: str) -> None:
    with pytest.raises(NotConfigured, match=words):
        count(hands, cards=hands.shape.cards, features=[feature])


@pytest.mark.parametrize("deck", [PlainDeck(13, 1, 2, False, 2), PlainDeck(13, 0, 1, False, 2)])
def test_the_recount_refuses_what_it_does_not_tell_apart(deck: PlainDeck) -> None:
    with pytest.raises(Uncountable):
        census(2, deck, ["pairs"])
