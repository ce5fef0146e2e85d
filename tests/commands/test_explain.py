import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.api import explain, strategy
from certify.cli.app import run
from certify.commands.explain import read_hand
from certify.errors import NotConfigured, NotReadable
from certify.explanations.main import explain_main
from certify.figures.evaluate import overview
from certify.filing.documents import render_html
from certify.model.condition import FeatureTest
from certify.model.explanation import BonusExplanation, MainExplanation, PlayExplanation
from certify.model.game import JOKER, Deck
from certify.report.mathematics.strategy import strategy_tables
from tests.commands.ante_and_play import LOWEST_FIRST
from tests.oracle import house_way as oracle
from tests.oracle import undivided
from tests.report.conftest import whole

VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors" / "explain"


def vectors(name: str, key: str) -> list[Any]:
    return list(json.loads((VECTORS / name).read_text(encoding="utf-8"))[key])


def label(case: dict[str, Any]) -> str:
    return f"{case['target'].rpartition('/')[2]}: {case['hand']}"


@pytest.mark.parametrize("case", vectors("bonus.json", "hands"), ids=label)
def test_a_hand_is_paid_as_read_by_hand(case: dict[str, Any]) -> None:
    (found,) = explain(case["target"], case["hand"], dealer=case.get("dealer")).records
    assert isinstance(found, BonusExplanation)
    assert (found.event, found.pays) == (case["event"], case["pays"])
    also = [row.event for row in found.rows if row.verdict == "held_but_not_paid"]
    assert also == case["also"]
    assert (found.envy.prize_cents if found.envy else None) == case.get("envy_cents") or (
        "envy_cents" not in case
    )


def test_no_name_of_a_royal_flush_with_a_suited_pair_speaks_against_the_joker() -> None:
    # Every royal flush of clubs, natural or with the joker for one of five cards, and an ace and a
    # queen of each other suit.
    target = "commission-free-pai-gow-express/dynasty-bonus/1"
    royals = [
        [f"{rank}c" if rank != missing else "Jk" for rank in "AKQJT"] for missing in ("", *"AKQJT")
    ]
    hands = [[*royal, f"A{pair}", f"Q{pair}"] for royal in royals for pair in "dhs"]
    with_joker = [hand for hand in hands if "Jk" in hand]
    assert (len(hands), len(with_joker)) == (18, 15)
    (row,) = [
        row
        for row in explain_bonus(target, " ".join(with_joker[0])).rows
        if row.event == "royal_flush_with_suited_ace_queen"
    ]
    assert "Joker Allowed" in row.name
    assert not row.name.startswith("Natural")
    paid = {explain_bonus(target, " ".join(hand)).event for hand in hands}
    assert paid == {"royal_flush_with_suited_ace_queen"}


def explain_bonus(target: str, hand: str) -> BonusExplanation:
    (found,) = explain(target, hand).records
    assert isinstance(found, BonusExplanation)
    return found


@pytest.mark.parametrize("case", vectors("main.json", "rounds"), ids=label)
def test_a_round_ends_as_settled_by_hand(case: dict[str, Any]) -> None:
    (found,) = explain(case["target"], case["hand"], dealer=case["dealer"]).records
    assert isinstance(found, MainExplanation)
    assert found.settlement is not None
    assert found.dealer is not None
    assert str(found.settlement.outcome) == case["outcome"]
    net = found.settlement.net
    assert f"{net.numerator}/{net.denominator}" == case["net"]
    assert found.settlement.decided_by == case.get("decided_by", "")
    if "player_front" in case:
        assert " ".join(found.player.chosen.front) == case["player_front"]
        assert " ".join(found.dealer.chosen.front) == case["dealer_front"]
    copies = [comparison.part for comparison in found.settlement.comparisons if comparison.copy]
    assert copies == ([case["copy"]] if "copy" in case else [])
    if "raise_in_action" in case:
        assert found.settlement.raise_ is not None
        assert found.settlement.raise_.in_action is case["raise_in_action"]


@pytest.mark.parametrize("text", ["As 10d 2C jk", "as tD 2c JK", "AS,Td, 2c Joker"])
def test_cards_are_read_as_people_write_them(text: str) -> None:
    assert read_hand(text, Deck()) == ("As", "Td", "2c", "Jk")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("As Xd", "'Xd' is not a card of this deck."),
        ("As 1d", "'1d' is not a card of this deck."),
        ("As A", "'A' is not a card of this deck."),
        ("As 4", "'4' is not a card of this deck."),
        ("As aS", "The hand contains As twice."),
        ("  ", "No cards are given."),
    ],
)
def test_what_is_no_card_is_refused_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(NotReadable) as refused:
        read_hand(text, Deck())
    assert refused.value.message == message
    assert refused.value.remedy


def test_a_deck_without_a_joker_refuses_it() -> None:
    with pytest.raises(NotReadable, match="no joker"):
        read_hand("As Jk", Deck(joker=False))


def test_two_jokers_are_both_written_as_the_joker() -> None:
    assert read_hand("Jk As joker", Deck(joker=2)) == ("Jk", "As", "Jk")
    with pytest.raises(NotReadable, match="Jk twice"):
        read_hand("Jk As Jk", Deck())
    with pytest.raises(NotReadable, match="Jk three times"):
        read_hand("Jk Jk Jk", Deck(joker=2))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mini-pai-gow", "As Kd"], "The hand has 2 cards, but 6 are needed."),
        (
            ["mini-pai-gow", "As Kd 2c 3c 4d 9h", "--dealer", "As Kc 2d 3d 4s 9s"],
            "The player and the dealer both have As.",
        ),
        (["mini-pai-gow", "As Kd 2c 3c 4d 9h", "--house-way", "foxwoods"], "no house way"),
        (["mini-pai-go", "As"], "There is no game 'mini-pai-go'."),
        (
            ["dealer-open-pai-gow/push-ace-high/1", "Ac Kd 9s 8h 6c 4d 3s"],
            "uses the player's and the dealer's hand",
        ),
        (
            ["dealer-open-pai-gow/jacks-beat", "Ac Kd 9s 8h 6c 4d 3s"],
            "no paytable for an explanation",
        ),
    ],
)
def test_what_cannot_be_explained_exits_2_with_a_remedy(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", *arguments]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "Fix:" in error


def test_a_game_alone_shows_every_setting_the_rule_and_its_clause(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["explain", "dealer-open-pai-gow", "8h 8s 8d 2s 2h Kd 9c"]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") > 21
    assert (
        "Rule full-house.twos-with-king: With three of a kind, one pair of twos and a singleton "
        "king or better, play the two highest singletons in the low hand and keep the full house "
        "in the high hand. [House Way, Full House]" in said
    )
    assert "full-house.two-sets-of-three-of-a-kind" in said
    assert "foul" in said


def test_json_of_a_game_has_the_setting_and_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "mini-pai-gow", "Ks Kd 5c 5d 9h 2c", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["target"] == "mini-pai-gow"
    setting = found["setting"]
    assert setting["chosen"]["front"] == ["9h"]
    assert setting["source"].startswith("mini-pai-gow: House Ways")
    assert len(setting["settings"]) == 6
    assert sum(setting["chosen"] for setting in setting["settings"]) == 1


def test_every_option_of_a_game_is_settled_with_a_dealer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["Kh Ks Kd 5c 5d 2h Ts", "--dealer", "As Qh 9c 7s 6h 3d 2c", "--format", "json"]
    assert run(["explain", "emperors-challenge-exposed", *arguments]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    nets = {result["target"].rpartition("/")[2]: result["settlement"]["net"] for result in results}
    assert nets == {
        "ace-high-push": "0/1",
        "king-high-or-less-push": "1/1",
        "any-pai-gow-pays-1-to-2": "1/2",
    }


def test_a_house_way_that_the_game_allows_can_be_chosen() -> None:
    hand = "Qh Qs 4d 4c Kd 9s 3h"
    found = explain("emperors-challenge-exposed", hand, house_way="dealer-open-pai-gow").setting
    assert found is not None
    assert found.house_way == "dealer-open-pai-gow"
    with pytest.raises(NotConfigured):
        explain("emperors-challenge-exposed", hand, house_way="mini-pai-gow")


RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]


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


PLAYED_FROM = (0, (10, 4, 2))
"""Queen, six and four, ranks counted from a two as 0.

Source: Wizard of Odds, Three Card Poker (wizardofodds.com/games/three-card-poker).
"""


def hands_from_the_boundary() -> int:
    rules = undivided.Rules(ranks=13, cards=3, order=LOWEST_FIRST)
    dealt = combinations(range(52), 3)
    return sum(undivided.find_value(hand, rules) >= PLAYED_FROM for hand in dealt)


@pytest.mark.usefixtures("trio")
def test_the_boundary_of_ante_and_play_is_the_published_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["strategy", "trio/main", "--format", "json"]) == 0
    (played,) = json.loads(capsys.readouterr().out)["strategies"]
    hands = hands_from_the_boundary()
    lowest = {"action": "raise", "hand": "queen-six-four", "ranks": "Q-6-4", "hands": hands}
    assert played["boundary"] == {
        "hands": [lowest],
        "cost": "0/1",
        "cheapest": [lowest],
        "least_cost": "0/1",
        "seen": False,
    }
    assert played["house_edge_percent"] == "3.3730"
    assert sum(kind["hands"]["raise"] for kind in played["hands_by_action"]) == hands
    assert run(["strategy", "trio/main"]) == 0
    printed = capsys.readouterr().out
    assert f"In optimal play: Play with Q-6-4 and each higher hand ({hands:,} hands)." in printed
    assert "costs 0.0000% of the wager (0/1) more than optimal play." in printed
    assert "cost least" not in printed
    assert "7 or higher; in part 6" in printed


def test_a_raise_that_is_better_with_no_hand_has_no_lowest_hand(
    trio: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = trio / "main" / "standard.json"
    declared = json.loads(path.read_text())
    # The dealer takes ties, and a raise without a fold is never returned: no hand has an advantage.
    declared["raise"] = {key: declared["raise"][key] for key in declared["raise"] if key != "fold"}
    declared |= {"ties": {"high": "dealer"}, "dealer_rules": [], "win_pays": "1 to 500000"}
    declared["raise"]["qualifies"] = {"of_a_kind": {"min": 1}}
    path.write_text(json.dumps(declared))
    assert run(["strategy", "trio/main", "--format", "json"]) == 0
    (played,) = json.loads(capsys.readouterr().out)["strategies"]
    (lowest,) = played["boundary"]["hands"]
    assert lowest == {"action": "raise", "hands": 0}
    assert played["boundary"]["cost"] == "0/1"
    assert run(["strategy", "trio/main"]) == 0
    assert "Play with no hand in all cases." in capsys.readouterr().out


@pytest.mark.usefixtures("trio")
def test_the_report_prints_the_same_boundary() -> None:
    (counted,) = strategy("trio/main").analyses
    filed = whole("trio", "nevada")
    analyses = {**filed.analyses, counted.target: counted}
    submission = replace(filed, analyses=analyses, comparison=(counted,))
    (view,) = strategy_tables(submission)
    assert view["boundary"]["hands"][0]["lowest"] == "Q-6-4"
    assert "In optimal play: Play with Q-6-4 and each higher hand" in render_html(
        submission, "mathematics"
    )


def test_a_main_wager_without_a_raise_has_no_strategy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["strategy", "pai-gow-mania"]) == 2
    assert "has a raise" in capsys.readouterr().err


def test_a_house_way_that_no_wager_looks_at_is_refused() -> None:
    """It was taken without a word, even one that the game does not have."""
    for name in ("mini-pai-gow", "foxwoods"):
        with pytest.raises(NotConfigured, match="A house way has no effect"):
            explain("mini-pai-gow/bonus/A", "As Ks Qs Js Ts 2c", house_way=name)
