import hashlib
import subprocess
import sys

import pytest

from certify import library
from certify.explanations.cases import HIGHEST_ONLY, bonus_cases, main_cases
from certify.explanations.main import explain_setting
from certify.explanations.sample_hands import sample_deals, sample_hands, set_keys
from certify.model.catalog import Catalog
from certify.model.game import JOKER, RANKS, SUITS, Deck, deck_cards
from certify.model.main_wager import Outcome
from certify.model.paytable import Paytable
from tests.oracle import one_hand as oracle


def find_paytable(catalog: Catalog, game: str, wager: str, name: str) -> Paytable:
    wagers = {wager.id: wager for wager in catalog.games[game].wagers}
    return next(paytable for paytable in wagers[wager].paytables if paytable.id == name)


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
    table = oracle.Table()
    for case in bonus_cases(paytable, events=catalog.events, hands=hands):
        cards = [
            None if card == JOKER else (RANKS.index(card[0]), SUITS.index(card[1]))
            for card in case.player or ()
        ]
        events = oracle.find_events(table, cards)
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
