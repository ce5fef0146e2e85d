"""One hand explained, and worked examples: words, rows, settings and settlements."""

import hashlib
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from certify import library
from certify.errors import NotConfigured, NotReadable
from certify.explanations.bonus import explain_bonus, read_cards
from certify.explanations.cases import HIGHEST_ONLY, bonus_cases, main_cases
from certify.explanations.hands import reason_not_held
from certify.explanations.main import against, explain_setting
from certify.explanations.sample_hands import sample_deals, sample_hands, set_keys
from certify.kernels.features import Shape
from certify.model.catalog import Catalog
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, Not
from certify.model.game import JOKER, RANKS, SUITS, Deck, deck_cards
from certify.model.main_wager import MainWager, Outcome
from certify.model.paytable import Paytable
from certify.model.vocabulary import HandPart
from certify.words.hands import condition_words
from certify.words.rankings import ranking_words
from tests.oracle import house_way as oracle
from tests.oracle import one_hand

# One hand explained: words, rows, settings and settlements, against hands read by hand.


DECK = [rank + suit for rank in RANKS for suit in SUITS] + [JOKER]


def find_paytable(catalog: Catalog, game: str, wager: str, name: str) -> Paytable:
    wagers = {wager.id: wager for wager in catalog.games[game].wagers}
    return next(paytable for paytable in wagers[wager].paytables if paytable.id == name)


def find_option(catalog: Catalog, game: str, name: str) -> MainWager:
    wagers = catalog.games[game].wagers
    return next(option for wager in wagers for option in wager.options if option.id == name)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Kh Ks Kd 5c 5d 2h Ts", "a full house, kings over fives"),
        ("Kh Ks Kd 5c 5d 2h 2s", "a full house, kings over fives, and a pair of twos"),
        ("9c 9d 9h 8s 7c 6d 5h", "a straight of five cards and three nines"),
        ("As Jk 9c 7s 6h 3d 2c", "a pair of aces"),
        ("Kc Kd 9s 9h 4c 4d 2s", "three pair, kings, nines and fours"),
        ("9c 8d 7h 6s 4c 3d 2h", "no pair, no straight and no flush, nine high"),
        ("Jk 8d 7h 6s 4c 3d 2h", "a straight of seven cards"),
        ("As Ah Ad Ac Jk 2c 3d", "five aces"),
        ("8c 8d 8h 8s 3c 3d 3h", "four eights and three threes"),
        ("Ks Qs Js Ts Jk Ah Kh", "either a royal flush or two pair, aces and kings"),
        ("As 2s 3s 4s 5s Kh Qd", "A-2-3-4-5 of one suit"),
        ("4s 5s 6s 7s 8s 9s Ts", "a straight flush of seven cards"),
        ("6s 6h 6d Ks 9h 4c 2d", "three sixes"),
        ("Qs Ks As", "a straight flush of three cards"),
    ],
)
def test_hands_are_named_by_everything_they_hold(catalog: Catalog, cards: str, words: str) -> None:
    hands = catalog.games["emperors-challenge-exposed"].hands
    assert read_cards(cards.split(), hands).holds == words


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        (
            FeatureTest(feature="of_a_kind", minimum=4),
            "it requires four or more cards of one rank; the hand has three",
        ),
        (
            AllOf(
                conditions=(
                    FeatureTest(feature="straight_flush_length", values=(7,)),
                    FeatureTest(feature="joker", values=(False,)),
                )
            ),
            "it requires a straight flush of seven cards; the hand has none",
        ),
        (
            Not(condition=FeatureTest(feature="of_a_kind", values=(3,))),
            "it requires a hand that does not have three cards of one rank",
        ),
        (
            AnyOf(
                conditions=(
                    FeatureTest(feature="royal_flush", values=(True,)),
                    FeatureTest(feature="pai_gow_high", values=("A", "K")),
                )
            ),
            "it requires a royal flush; the hand has none, or else it requires a king-high pai gow "
            "or higher; the hand has a pair, a straight or a flush",
        ),
    ],
)
def test_a_row_explains_why_it_does_not_match(
    catalog: Catalog, condition: Condition, reason: str
) -> None:
    hands = catalog.games["emperors-challenge-exposed"].hands
    reading = read_cards(["9c", "9d", "9h", "Ks", "7c", "4d", "2h"], hands)
    features = {feature.name: feature.value for feature in reading.features}
    assert reason_not_held(condition, features) == reason


JOKER_HELD = FeatureTest(feature="joker", values=(True,))
TRIPS = FeatureTest(feature="of_a_kind", minimum=3)
JACKS = FeatureTest(feature="jacks", values=(2,))


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (AllOf(conditions=()), "any hand"),
        (Not(condition=FeatureTest(feature="pai_gow_high", values=(None,))),
         "no pair, straight, or flush"),
        (AllOf(conditions=(AnyOf(conditions=(TRIPS, JACKS)), Not(condition=JOKER_HELD))),
         "(three or more cards of one rank or two jacks) and not the joker"),
        (AnyOf(conditions=(TRIPS, AllOf(conditions=(JACKS, JOKER_HELD)))),
         "three or more cards of one rank or (two jacks and the joker)"),
        (FeatureTest(feature="highest_pair", values=tuple("23456789TJQKA")),
         "a highest pair of twos or better"),
        (FeatureTest(feature="pai_gow_high", values=("J", "9")),
         "a nine-high pai gow or a jack-high pai gow"),
    ],
)  # fmt: skip
def test_a_condition_reads_in_one_way_only(condition: Condition, words: str) -> None:
    assert condition_words(condition) == words


@pytest.mark.parametrize(
    ("ranks", "undivided", "words"),
    [
        ("56789TJ", 3, "jack high or lower"),
        ("6789T", 3, "six high, seven high, eight high, nine high or ten high"),
        ("6789T", 4, "ten high or lower"),
        ("KA", 5, "king high or higher"),
        ("9", 3, "nine high"),
        ("56789TJ", 0, "a five-high pai gow, a six-high pai gow, a seven-high pai gow, an "
         "eight-high pai gow, a nine-high pai gow, a ten-high pai gow or a jack-high pai gow"),
    ],
)  # fmt: skip
def test_an_undivided_hand_is_no_pai_gow(ranks: str, undivided: int, words: str) -> None:
    asked = FeatureTest(feature="pai_gow_high", values=tuple(ranks))
    assert condition_words(asked, undivided=undivided) == words
    held = {"pai_gow_high": "Q"}
    reason = reason_not_held(asked, held, undivided=undivided)
    assert reason.endswith("has queen high" if undivided else "has a queen-high pai gow")


@pytest.mark.parametrize(("joker", "counted"), [(True, ", the joker counted"), (False, "")])
def test_a_reason_mentions_a_joker_that_the_deck_has(joker: bool, counted: str) -> None:
    asked = FeatureTest(feature="aces", values=(1,))
    reason = reason_not_held(AllOf(conditions=(asked,)), {"aces": 0}, joker=joker)
    assert f" ace{counted}; the hand has" in reason


@pytest.mark.parametrize(
    ("held", "words"), [(None, "a pair"), ("Q", "a queen as the highest card")]
)
def test_a_low_hand_explains_why_it_does_not_match(held: str | None, words: str) -> None:
    asked = FeatureTest(feature="pai_gow_high", values=("9",), part=HandPart.LOW_HAND)
    assert reason_not_held(asked, {asked.name: held}) == (
        f"it requires a nine as the highest card in the low hand; the low hand has {words}"
    )


@pytest.mark.parametrize(("chosen", "event"), [
    ("red", "all_other"),
    ("black", "five_cards_of_chosen_colour"),
])  # fmt: skip
def test_a_color_bet_is_read_for_the_chosen_color(
    catalog: Catalog, chosen: str, event: str
) -> None:
    paytable = find_paytable(catalog, "commission-free-pai-gow-express", "red-black", "1")
    hands = catalog.games["commission-free-pai-gow-express"].hands
    found = explain_bonus(
        paytable,
        events=catalog.events,
        hands=hands,
        player=["2c", "4c", "9s", "Js", "Ks", "7h", "Jk"],
        chosen=chosen,
    )
    assert found.event == event


def test_two_hands_are_both_needed_and_share_no_card(catalog: Catalog) -> None:
    game = "emperors-challenge-exposed"
    paytable = find_paytable(catalog, game, "ace-high-pai-gow-insurance", "PT-FLT-AHPG-01")
    hands, player = catalog.games[game].hands, ["Ac", "Kd", "9s", "8h", "6c", "4d", "3s"]
    with pytest.raises(NotConfigured, match="the player's and the dealer's hand"):
        explain_bonus(paytable, events=catalog.events, hands=hands, player=player)
    with pytest.raises(NotReadable):
        explain_bonus(
            paytable,
            events=catalog.events,
            hands=hands,
            player=player,
            dealer=["Ac", "Qd", "9h", "8s", "6d", "4c", "2s"],
        )


@pytest.mark.parametrize(
    ("key", "shape", "words"),
    [
        (4 << 20 | 14 << 16, Shape(), "an ace-high straight"),
        (4 << 20 | 13 << 16, Shape(), "A-2-3-4-5, a straight"),
        (4 << 20 | 4 << 16, Shape(low_wheel=True), "A-2-3-4-5, a straight"),
        (8 << 20 | 12 << 16, Shape(), "a king-high straight flush"),
        (9 << 20 | 14 << 16, Shape(), "a royal flush"),
        (14 << 16, Shape(hand=6, front=1, joker_beats_ace=True), "the joker, above an ace"),
        (13 << 16 | 12 << 12, Shape(), "ace-king"),
        (1 << 20 | 5 << 16, Shape(), "a pair of sixes"),
    ],
)
def test_keys_are_written_in_words(key: int, shape: Shape, words: str) -> None:
    assert ranking_words(key, shape) == words


def _cards(hand: list[str]) -> oracle.Hand:
    return tuple(
        oracle.JOKER if card == JOKER else (RANKS.index(card[0]) + 2, SUITS.index(card[1]))
        for card in hand
    )


@pytest.mark.parametrize("house_way", ["foxwoods", "trump-plaza", "dealer-open-pai-gow"])
def test_rounds_end_as_the_slow_twin_settles_them(catalog: Catalog, house_way: str) -> None:
    game = catalog.games["emperors-challenge-exposed"]
    option = find_option(catalog, game.id, "any-pai-gow-pays-1-to-2")
    way, table = catalog.house_ways[house_way], oracle.Table()
    dice = random.Random(20)  # noqa: S311 - hands to compare
    for _ in range(60):
        dealt = dice.sample(DECK, 14)
        mine, theirs = dealt[:7], dealt[7:]
        found = against(
            option,
            game=game,
            player=explain_setting(game, way, mine),
            dealer=explain_setting(game, way, theirs),
        ).settlement
        front, back = oracle.set_hand(house_way, _cards(mine), table)
        against_front, against_back = oracle.set_hand(house_way, _cards(theirs), table)
        won = (oracle.front_value(front) > oracle.front_value(against_front)) + (
            oracle.back_value(back, table) > oracle.back_value(against_back, table)
        )
        assert found is not None
        assert found.outcome is (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)[won]
        pai_gow = oracle.SevenCards(_cards(theirs), table).best == oracle.HIGH_CARD
        half = found.outcome is Outcome.WIN and pai_gow
        assert found.net == (Fraction(1, 2) if half else won - 1)


def test_the_best_setting_against_a_dealer_that_is_seen_is_found(catalog: Catalog) -> None:
    # By the house way kings stay with ten and two and fives go in front: the dealer's straight
    # beats the three kings. Kept together, kings and fives win in back, ten-two in front.
    game = catalog.games["emperors-challenge-exposed"]
    option = find_option(catalog, game.id, "ace-high-push")
    way = catalog.house_ways["foxwoods"]
    player = explain_setting(game, way, ["Kh", "Ks", "Kd", "5c", "5d", "2h", "Ts"])
    dealer = explain_setting(game, way, ["9c", "8d", "7h", "6s", "5s", "4d", "3h"])
    found = against(option, game=game, player=player, dealer=dealer)
    assert found.settlement is not None
    assert found.best is not None
    assert found.settlement.outcome is Outcome.PUSH
    assert found.best.settlement.outcome is Outcome.WIN
    assert found.best.better_than_house_way
    assert found.best.setting.front == ("Ts", "2h")
    assert found.best.setting.legal


def test_the_house_way_is_the_best_play_where_nothing_ends_better(catalog: Catalog) -> None:
    game = catalog.games["emperors-challenge-exposed"]
    option = find_option(catalog, game.id, "ace-high-push")
    way = catalog.house_ways["foxwoods"]
    dice = random.Random(21)  # noqa: S311 - hands to compare
    for _ in range(40):
        dealt = dice.sample(DECK, 14)
        player = explain_setting(game, way, dealt[:7])
        found = against(
            option, game=game, player=player, dealer=explain_setting(game, way, dealt[7:])
        )
        assert found.best is not None
        assert found.settlement is not None
        assert found.best.setting.legal
        better = found.best.settlement.net > found.settlement.net
        assert found.best.better_than_house_way is better
        assert better or found.best.setting == player.explanation.chosen


@pytest.mark.parametrize(("game", "cards"), [
    ("emperors-challenge-exposed", 7),
    ("mini-pai-gow", 6),
    ("pai-gow-mania", 3),
])  # fmt: skip
def test_sample_hands_are_hands_of_the_deck(catalog: Catalog, game: str, cards: int) -> None:
    hands = catalog.games[game].hands
    deck = set(deck_cards(hands.deck))
    samples = sample_hands(hands, cards)
    assert all(len(set(sample.cards)) == cards and deck >= set(sample.cards) for sample in samples)
    assert len(samples) == len({sample.cards for sample in samples})


def test_deals_do_not_share_a_card(catalog: Catalog) -> None:
    for deal in sample_deals(catalog.games["mini-pai-gow"].hands, 6):
        assert len({*deal.player.cards, *deal.dealer.cards}) == 12


def test_a_deck_lists_every_card_once() -> None:
    assert len(set(deck_cards(Deck()))) == 53
    assert deck_cards(Deck(ranks=2, joker=False)) == (
        "Kc", "Kd", "Kh", "Ks", "Ac", "Ad", "Ah", "As",
    )  # fmt: skip


def test_samples_are_the_same_under_every_hash_seed() -> None:
    program = (
        "from certify.explanations.sample_hands import sample_hands\n"
        "from certify.model.game import *\n"
        "from certify.model.game import HandRules\n"
        "rules = HandRules(deck=Deck(), shape=HandShape(cards=7, back=5, front=2),"
        " joker=JokerRule.BUG, wheel=WheelRule.LOWEST)\n"
        "print([one.cards for one in sample_hands(rules, 7)])\n"
    )
    digests = [
        hashlib.sha256(
            subprocess.run(
                [sys.executable, "-c", program],
                env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(library.root())},
                capture_output=True,
                check=True,
            ).stdout
        ).hexdigest()
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1]


def test_many_hands_are_set_as_each_alone(catalog: Catalog) -> None:
    game = catalog.games["mini-pai-gow"]
    way = catalog.house_ways["mini-pai-gow"]
    hands = [deal.player.cards for deal in sample_deals(game.hands, 6)[:60]]
    alone = tuple(explain_setting(game, way, hand).chosen for hand in hands)
    assert set_keys(way, game.hands, hands) == alone


@pytest.mark.parametrize(
    ("game", "wager", "name", "kinds"),
    [
        (
            "emperors-challenge-exposed", "emperors-treasure", "PT-FLT-EC-ET-01",
            ["win", "lose", "push", "joker", "highest_only", "envy"],
        ),
        (
            "emperors-challenge-exposed", "pai-gow-insurance", "PT-FLT-EC-PGI-01",
            ["win", "lose", "joker", "dealer_choice"],
        ),
        (
            "emperors-challenge-exposed", "emperors-treasure-dynamic-progressive",
            "PT-PRG-EC-ET-D01",
            ["win", "lose", "joker", "highest_only", "progressive_split", "dynamic"],
        ),
        (
            "emperors-challenge-exposed", "pai-gow-insurance-progressive", "PT-BJS-EC-PGI-01",
            ["win", "lose", "joker", "highest_only", "progressive_split"],
        ),
        ("commission-free-pai-gow-express", "red-black", "1", ["win", "lose", "joker"]),
        ("mini-pai-gow", "bonus", "community", ["win", "lose", "joker", "highest_only", "envy"]),
        (
            "dealer-open-pai-gow", "push-ace-high", "1",
            ["win", "lose", "joker", "highest_only"],
        ),
    ],
)  # fmt: skip
def test_a_paytable_has_a_case_of_every_kind_that_its_rows_allow(
    catalog: Catalog, game: str, wager: str, name: str, kinds: list[str]
) -> None:
    paytable = find_paytable(catalog, game, wager, name)
    envies = next(item for item in catalog.games[game].wagers if item.id == wager).envies
    envy = next((envy for envy in envies if envy.id == paytable.envy), None)
    hands = catalog.games[game].hands
    cases = bonus_cases(paytable, events=catalog.events, hands=hands, envy=envy)
    assert [case.kind for case in cases] == kinds


def test_cases_hold_their_rows_as_the_slow_twin_reads_them(catalog: Catalog) -> None:
    game = "emperors-challenge-exposed"
    paytable = find_paytable(catalog, game, "emperors-treasure", "PT-FLT-EC-ET-01")
    hands = catalog.games[game].hands
    table = one_hand.Table()
    for case in bonus_cases(paytable, events=catalog.events, hands=hands):
        cards = [
            None if card == JOKER else (RANKS.index(card[0]), SUITS.index(card[1]))
            for card in case.player or ()
        ]
        events = one_hand.find_events(table, cards)
        held = tuple(row.event for row in paytable.rows if row.event in events)
        assert case.rows == held
        assert len(held) > 1 or case.kind != HIGHEST_ONLY


@pytest.mark.parametrize(
    ("game", "option", "kinds"),
    [
        (
            "emperors-challenge-exposed", 0,
            ["win", "lose", "push", "dealer_rule", "copy", "joker", "better_setting", "foul"],
        ),
        (
            "dealer-open-pai-gow", 0,
            ["win", "lose", "push", "dealer_rule", "dealer_rule", "copy", "joker",
             "better_setting", "foul"],
        ),
        (
            "mini-pai-gow", 0,
            ["win", "lose", "push", "copy", "joker", "raise", "raise_returned",
             "better_setting", "foul"],
        ),
        (
            "pai-gow-mania", 1,
            ["win", "lose", "push", "copy", "joker", "better_setting", "foul"],
        ),
    ],
)  # fmt: skip
def test_the_main_wager_has_a_case_of_every_way_to_end(
    catalog: Catalog, game: str, option: int, kinds: list[str]
) -> None:
    record = catalog.games[game]
    chosen = next(wager.options for wager in record.wagers if wager.options)[option]
    way = catalog.house_ways[record.house_way]
    cases = main_cases(chosen, game=record, house_way=way)
    assert [case.kind for case in cases] == kinds
    ends = {case.kind: case.settlement for case in cases if case.settlement is not None}
    assert ends["win"].outcome is Outcome.WIN
    assert ends["lose"].outcome is Outcome.LOSE
    assert ends["push"].outcome is Outcome.PUSH
    assert any(comparison.copy for comparison in ends["copy"].comparisons)
    rules = [
        case.settlement.decided_by
        for case in cases
        if case.kind == "dealer_rule" and case.settlement is not None
    ]
    assert rules == [rule.id for rule in chosen.dealer_rules]
