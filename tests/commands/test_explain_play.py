import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from msgspec.structs import replace

from certify.api import explain
from certify.cli.app import run
from certify.explanations.main import explain_main
from certify.figures.evaluate import overview
from certify.model.condition import FeatureTest
from certify.model.explanation import MainExplanation, PlayExplanation
from certify.model.game import JOKER, Deck
from tests.oracle import house_way as oracle
from tests.oracle import undivided

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]


LOWEST_FIRST = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
RULES = undivided.Rules(ranks=13, cards=3, order=LOWEST_FIRST)


def value(hand: tuple[str, ...]) -> undivided.Value:
    return undivided.find_value(tuple(DECK.index(card) for card in hand), RULES)


def worth_of_play(hand: tuple[str, ...]) -> Fraction:
    """Ante and Play against every hand of the dealer, who qualifies with queen high."""
    mine, total = value(hand), 0
    left = [card for card in DECK if card not in hand]
    for dealer in combinations(left, 3):
        theirs = value(dealer)
        if theirs[0] == 0 and theirs[1][0] < RANKS.index("Q"):
            total += 1  # the ante wins, Play is returned
        elif mine != theirs:
            total += 2 if mine > theirs else -2
    bonus = {5: 5, 4: 4, 3: 1}.get(mine[0], 0)
    return Fraction(total, comb(49, 3)) + bonus


def explain_play(target: str, hand: str) -> PlayExplanation:
    (found,) = explain(target, hand).records
    assert isinstance(found, MainExplanation)
    assert found.play is not None
    return found.play


@pytest.mark.usefixtures("trio")
@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("Qs 6d 4c", "Play"),  # the lowest hand that is played, as published for this game
        ("Qs 6d 3c", "fold"),
        ("Qs 5d 4c", "fold"),
        ("Ks 3d 2c", "Play"),
        ("2s 2d 3c", "Play"),
        ("5s 6s 7s", "Play"),
        ("As Ad Ac", "Play"),
        ("Js Ts 8d", "fold"),
    ],
)
def test_the_worth_of_a_hand_of_three_cards(hand: str, best: str) -> None:
    play = explain_play("trio/main", hand)
    worths = {choice.name: choice.worth for choice in play.choices}
    assert worths == {"fold": Fraction(-1), "Play": worth_of_play(tuple(hand.split()))}
    assert play.chosen.name == best
    assert play.dealer_hands == comb(49, 3)


@pytest.mark.usefixtures("trio")
def test_a_hand_that_best_play_folds_always_loses() -> None:
    # The dealer does not qualify: a hand that is played would win the ante.
    (found,) = explain("trio/main", "Qs 6d 3c", dealer="2h 4d 7c").records
    assert isinstance(found, MainExplanation)
    assert found.settlement is not None
    assert (str(found.settlement.outcome), found.settlement.net) == ("lose", Fraction(-1))
    assert found.settlement.raise_ is None
    assert found.dealer_rules == ()
    (played,) = explain("trio/main", "Ks 6d 3c", dealer="2h 4d 7c").records
    assert isinstance(played, MainExplanation)
    assert played.settlement is not None
    assert played.settlement.net == 1
    assert played.settlement.raise_ is not None
    assert not played.settlement.raise_.in_action


@pytest.mark.usefixtures("trio")
def test_the_commands_print_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "trio/main", "Qs 6d 3c"]) == 0
    said = capsys.readouterr().out
    assert "Best play: fold" in said
    assert "Play: −1.002551 (−393/392)" in said
    assert run(["explain", "trio/main", "Qs 6d 3c", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["play"]["chosen"]["action"] == "fold"
    assert [choice["worth"] for choice in record["play"]["choices"]] == ["-1/1", "-393/392"]
    for hand, chosen in (("Qs 6d 3c", "fold"), ("Ks 6d 3c", "Play")):
        assert run(["explain", "trio/main", hand, "--dealer", "2h 4d 7c"]) == 0
        assert f", best play ({chosen})" in capsys.readouterr().out


def test_a_double_down_is_weighed_against_every_hand_of_the_dealer() -> None:
    catalog = overview().catalog
    game = catalog.games["mini-pai-gow"]
    (option,) = game.wagers[0].options
    way = catalog.house_ways["mini-pai-gow"]
    assert option.raise_ is not None
    # Five ranks, the dealer qualifying with an ace or the joker: 5,005 hands of the dealer.
    few = replace(game, hands=replace(game.hands, deck=Deck(ranks=5, joker=1)))
    aces = FeatureTest(feature="aces", minimum=1)
    asked = replace(option, raise_=replace(option.raise_, qualifies=aces))
    table = oracle.Table(lowest=10, front=1)
    hand = ["Kc", "Kd", "Qh", "Js", "Tc", "Td"]
    found = explain_main(asked, game=few, house_way=way, player=hand, weighed=True)
    assert found.play is not None
    mine = oracle.SevenCards(tuple(convert_card(card) for card in hand), table)
    front, back = oracle.mini(mine)
    own = oracle.back_value(back, table), front[0][0]
    worths = Counter[str]()
    deck = [card for card in oracle.deck(table) if card not in mine.cards]
    for cards in combinations(deck, 6):
        low, high = oracle.mini(oracle.SevenCards(cards, table))
        won = (own[0] > oracle.back_value(high, table)) + (own[1] > low[0][0])
        net = won - 1
        qualifies = any(rank == oracle.ACE for rank, _ in cards)
        worths["no Double Down"] += net
        worths["Double Down"] += net * (2 if qualifies else 1)
    total = comb(15, 6)
    assert found.play.dealer_hands == total
    name = option.raise_.name
    assert {choice.name: choice.worth for choice in found.play.choices} == {
        f"no {name}": Fraction(worths["no Double Down"], total),
        name: Fraction(worths["Double Down"], total),
    }


def convert_card(card: str) -> oracle.Card:
    return oracle.JOKER if card == JOKER else (RANKS.index(card[0]) + 2, "cdhs".index(card[1]))
