import json
from pathlib import Path
from typing import Any

import pytest

from certify.api import explain
from certify.cli.app import run
from certify.commands.explain import read_hand
from certify.errors import NotConfigured, NotReadable
from certify.model.explanation import BonusExplanation, MainExplanation
from certify.model.game import Deck

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
