"""Every event of the vocabulary against its slow twin, hand by hand and count by count."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from certify import library
from certify.engine.hands.awards import event_counts
from certify.engine.hands.cards import hand_features
from certify.engine.hands.conditions import find, list_features, predicate
from certify.errors import NotConfigured
from certify.intake.read import read_catalog
from certify.model.condition import Event, FeatureTest
from certify.model.game import JOKER, RANKS, SUITS, JokerRule
from tests.engine.test_census import rules
from tests.marks import further
from tests.oracle import one_hand as oracle


@pytest.fixture(scope="module")
def events() -> Mapping[str, Event]:
    catalog, _ = read_catalog(library.paytables(), only="pai-gow-mania")
    return catalog.events


def one_handed(events: Mapping[str, Event]) -> list[Event]:
    return [event for event in events.values() if not event.two_handed]


def name_cards(hand: oracle.Hand, ranks: int) -> list[str]:
    letters = RANKS[-ranks:]
    return [JOKER if card is None else letters[card[0]] + SUITS[card[1]] for card in hand]


def count_events(
    table: oracle.Table, events: Mapping[str, Event], cards: int
) -> tuple[dict[str, int], dict[str, int]]:
    """Count every event alone, by the engine and by the twin."""
    hands = rules(
        ranks=table.ranks,
        cards=cards,
        back=table.size,
        joker=JokerRule.FULLY_WILD if table.wild else JokerRule.BUG,
        with_joker=table.joker,
    )
    counted = {
        event.id: event_counts([event], [0], hands=hands, cards=cards)[1][0]
        for event in one_handed(events)
    }
    seen: Counter[str] = Counter()
    for hand in table.hands(cards):
        seen.update(oracle.find_events(table, hand))
    return counted, {event: seen[event] for event in counted}


@pytest.mark.parametrize("wild", further([False, True]))
def test_three_cards_of_the_whole_deck(events: Mapping[str, Event], *, wild: bool) -> None:
    counted, seen = count_events(oracle.Table(size=3, wild=wild), events, 3)
    assert counted == seen


@pytest.mark.parametrize("wild", [*further([False]), True])
def test_five_cards_of_a_tiny_deck(events: Mapping[str, Event], *, wild: bool) -> None:
    counted, seen = count_events(oracle.Table(ranks=5, wild=wild), events, 5)
    assert counted == seen
    assert counted["five_aces"] > 0
    assert counted["royal_flush"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize(("ranks", "cards"), [(5, 6), (5, 7), (6, 6), (7, 6)])
def test_other_tiny_decks(
    events: Mapping[str, Event], ranks: int, cards: int, *, wild: bool
) -> None:
    counted, seen = count_events(oracle.Table(ranks=ranks, wild=wild), events, cards)
    assert counted == seen


def likely(table: oracle.Table, source: random.Random, cards: int) -> oracle.Hand:
    deck = table.deck()
    kept = source.choice(
        [
            [card for card in deck if card is None or card[1] == 0],
            [card for card in deck if card is None or card[0] in (0, 1, 2, 3, table.ranks - 1)],
            [card for card in deck if card is None or card[0] >= table.ranks - 5],
            [card for card in deck if card is None or card[1] in (0, 1)],
            deck,
        ]
    )
    return source.sample(kept, cards)


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize(("ranks", "cards", "size"), [(13, 7, 5), (9, 7, 5), (13, 6, 5), (6, 5, 4)])
def test_single_hands(
    events: Mapping[str, Event], ranks: int, cards: int, size: int, *, wild: bool
) -> None:
    table = oracle.Table(ranks=ranks, size=size, wild=wild)
    hands = rules(
        ranks=ranks,
        cards=cards,
        back=size,
        joker=JokerRule.FULLY_WILD if wild else JokerRule.BUG,
    )
    source = random.Random(20261121)  # noqa: S311 - a fixed sample of hands, nothing secret
    for _ in range(400):
        hand = likely(table, source, cards)
        features = hand_features(name_cards(hand, ranks), hands)
        names, values = tuple(features), tuple(features.values())
        held = {event.id for event in one_handed(events) if predicate(event.when, names)(values)}
        assert held == oracle.find_events(table, hand), name_cards(hand, ranks)


@pytest.mark.parametrize("wild", [False, True])
def test_single_hands_have_the_events_of_the_twin(*, wild: bool) -> None:
    table = oracle.Table(wild=wild)
    hands = rules(joker=JokerRule.FULLY_WILD if wild else JokerRule.BUG)
    source = random.Random(20261123)  # noqa: S311 - a fixed sample of hands, nothing secret
    for _ in range(30):
        hand = likely(table, source, 7)
        held = hand_features(name_cards(hand, 13), hands)
        expected = oracle.holdings(table, hand)
        assert {name: held[name] for name in expected} == expected, name_cards(hand, 13)


HELD = [
    ("As Ks Qs Js Ts Ad Kd", "royal_flush_with_suited_ace_king"),
    ("Jk Kh Qh Jh Th As Ks", "royal_flush_with_suited_ace_king"),
    ("As 2s 3s 4s 5s Ad Qd", "luhn_tao_wheel_with_suited_ace_queen"),
    ("As Ad Ac Ah Jk 2c 7d", "five_aces"),
    ("As Ad Ac Jk Kd Kc Kh", "super_full_house"),
    ("As 2s 3s 4s 5s 6s 7s", "natural_seven_card_straight_flush"),
    ("9c 8d 7h 6s 4c 3d 2h", "nine_high_pai_gow"),
    ("9h 8d 7h 6d 4h 3d 2h", "nine_high_pai_gow_one_colour"),
    ("Jk Qc Jd 9h 7s 4c 2d", "ace_high_pai_gow"),
]
NOT_HELD = [
    ("As Ks Qs Js Ts Ad Kc", "royal_flush_with_suited_ace_king"),
    ("As 2s 3s 4s Jk Ad Qd", "luhn_tao_wheel"),
    ("As 2s 3s 4s 5s Jk Qd", "luhn_tao_wheel"),
    ("As 2s 3s 4s 5s 6s 7s", "natural_ace_to_five_straight_flush"),
    ("Jk Kc Qd Jh 9s 8c 7d", "ace_high_pai_gow"),
    ("Ks Ac Jk Qd 9s 8c 4d", "ace_high_pai_gow"),
]


@pytest.mark.parametrize(("hand", "event"), [*HELD, *NOT_HELD])
def test_hands_as_the_sources_describe_them(
    events: Mapping[str, Event], hand: str, event: str
) -> None:
    features = hand_features(hand.split(), rules())
    holds = predicate(events[event].when, tuple(features))(tuple(features.values()))
    assert holds == ((hand, event) in HELD)


def test_unknown_words_are_refused(events: Mapping[str, Event]) -> None:
    with pytest.raises(NotConfigured, match="no event 'six_aces'"):
        find(events, ["six_aces"])
    with pytest.raises(NotConfigured, match="no feature 'beauty'"):
        list_features(FeatureTest(feature="beauty", values=(True,)))
    with pytest.raises(NotConfigured, match="no feature 'joker'"):
        predicate(FeatureTest(feature="joker", values=(True,)), ("aces",))
    two = [events["player_and_dealer_ace_high_pai_gow"]]
    with pytest.raises(NotConfigured, match="uses the dealer's and the player's hand"):
        event_counts(two, [0], hands=rules(), cards=7)
