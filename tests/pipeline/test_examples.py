"""Worked examples: what they say, and that each is held against its explanation."""

from dataclasses import dataclass, replace

import pytest

from certify import library
from certify.engine.explain import bonus_cases as engine
from certify.engine.explain.main import explain_main
from certify.errors import InvariantBroken
from certify.intake.read import read_catalogue
from certify.model.catalogue import Catalogue
from certify.model.example import HOUSE_WAY, Example
from certify.model.game import Game
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.pipeline.submit import worked_examples as examples
from certify.pipeline.submit.worked_examples import examples_of

GAMES = (
    "commission-free-pai-gow-express",
    "emperors-challenge-exposed",
    "dealer-open-pai-gow",
    "mini-pai-gow",
    "pai-gow-mania",
)


@dataclass(frozen=True)
class Filed:
    catalogue: Catalogue
    game: Game
    option: MainWager
    paytables: tuple[Paytable, ...]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return read_catalogue(library.paytables())[0]


def filed(catalogue: Catalogue, game_id: str, option: int = 0) -> Filed:
    game = catalogue.games[game_id]
    options = [one for wager in game.wagers for one in wager.options]
    tables = tuple(table for wager in game.wagers for table in wager.paytables)
    return Filed(catalogue, game, options[option], tables)


def examples_for(catalogue: Catalogue, game_id: str, option: int = 0) -> tuple[Example, ...]:
    filing = filed(catalogue, game_id, option)
    way = catalogue.house_ways[filing.game.house_way]
    return examples_of(filing, way)  # type: ignore[arg-type] # what a filing has, and no jurisdiction


@pytest.mark.parametrize("game_id", GAMES)
def test_every_wager_with_a_paytable_has_a_win_and_a_loss(
    catalogue: Catalogue, game_id: str
) -> None:
    found = examples_for(catalogue, game_id)
    filing = filed(catalogue, game_id)
    wanted = {one.target for one in filing.game.filed_with(filing.option)} | {
        wager.paytables[0].target for wager in filing.game.wagers if wager.paytables
    }
    for target in wanted:
        kinds = [one.kind for one in found if one.target == target]
        assert {"win", "lose"} <= set(kinds)
    # Any other paytable is there for what the first one of its wager cannot show.
    drawn = [one for one in found if one.kind == HOUSE_WAY]
    others = [one for one in found if one.target not in wanted and one not in drawn]
    assert all(one.kind in {"push", "envy", "progressive_split"} for one in others)


@pytest.mark.parametrize("game_id", GAMES)
def test_each_rule_of_the_house_way_is_drawn_with_a_hand_that_it_sets(
    catalogue: Catalogue, game_id: str
) -> None:
    way = catalogue.house_ways[catalogue.games[game_id].house_way]
    rules = {rule.id: rule for rule in way.rules}
    drawn = [one for one in examples_for(catalogue, game_id) if one.kind == HOUSE_WAY]
    assert {one.event for one in drawn} <= set(rules)
    assert len(drawn) == len({one.event for one in drawn}) > len(rules) / 2
    for example in drawn:
        hand = example.player
        assert hand is not None
        assert sorted((*hand.back, *hand.front)) == sorted(hand.cards)
        # A rule that sends hands on is drawn with one that another rule sets.
        assert rules[example.event].by or hand.rule == example.event


def test_a_push_and_a_prize_are_shown_by_the_first_paytable_that_has_them(
    catalogue: Catalogue,
) -> None:
    found = examples_for(catalogue, "dealer-open-pai-gow")
    shown = {one.kind: one.target for one in found if "/chan-chu/" in one.target}
    # Three Pair pushes, and envy prizes begin, with pay table 3 of the source.
    assert shown["push"] == "dealer-open-pai-gow/chan-chu/3"
    assert shown["envy"] == "dealer-open-pai-gow/chan-chu/3"
    assert shown["win"] == "dealer-open-pai-gow/chan-chu/1"


@pytest.mark.parametrize("game_id", ["emperors-challenge-exposed", "dealer-open-pai-gow"])
def test_no_setting_of_a_player_who_sees_the_dealer_ends_better(
    catalogue: Catalogue, game_id: str
) -> None:
    filing = filed(catalogue, game_id)
    for one in examples_for(catalogue, game_id):
        if "/main/" in one.target:
            assert one.player is not None
            assert one.dealer is not None
            best = explain_main(
                filing.option,
                game=filing.game,
                house_way=catalogue.house_ways[filing.game.house_way],
                player=one.player.cards,
                dealer=one.dealer.cards,
            ).best
            assert best is not None
            assert not best.better_than_house_way, one.kind


def test_hands_are_set_with_their_rule_unless_nothing_is_compared(catalogue: Catalogue) -> None:
    found = examples_for(catalogue, "dealer-open-pai-gow")
    for one in found:
        if "/main/" not in one.target:
            continue
        for hand in (one.player, one.dealer):
            assert hand is not None
            if one.kind == "dealer_rule":
                assert not hand.back
            else:
                assert sorted(hand.back + hand.front) == sorted(hand.cards)
                assert hand.rule


def test_an_example_that_is_explained_otherwise_stops_the_run(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*arguments: object, **named: object) -> tuple[engine.BonusCase, ...]:
        cases = engine.bonus_cases(*arguments, **named)  # type: ignore[arg-type] # passed on
        return (replace(cases[0], rows=("five_aces",)),)

    monkeypatch.setattr(examples, "bonus_cases", wrong)
    with pytest.raises(InvariantBroken, match="explained otherwise"):
        examples_for(catalogue, "mini-pai-gow")
