"""Worked examples: what they say, and that each is held against its explanation."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from certify.errors import InvariantBroken
from certify.explanations import cases as engine
from certify.explanations import worked_examples as examples
from certify.explanations.main import explain_main
from certify.figures.play import audit_game
from certify.filing.documents import build_examples
from certify.model.catalog import Catalog
from certify.model.explanation import (
    HOUSE_WAY,
    BonusExplanation,
    Example,
    MainExplanation,
    SetHand,
    SettingExplanation,
)
from certify.model.game import JOKER, RANKS, SUITS, Game, WheelRule
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from tests.documented_games import GAMES
from tests.oracle import house_way as oracle
from tests.oracle import one_hand


@dataclass(frozen=True)
class Filed:
    catalog: Catalog
    game: Game
    option: MainWager
    paytables: tuple[Paytable, ...]

    @property
    def options(self) -> tuple[MainWager, ...]:
        return self.game.options_with(self.option)


def build_filed(catalog: Catalog, game_id: str, option: int = 0) -> Filed:
    game = catalog.games[game_id]
    options = [option for wager in game.wagers for option in wager.options]
    tables = tuple(table for wager in game.wagers for table in wager.paytables)
    return Filed(catalog, game, options[option], tables)


MADE: dict[tuple[str, int], tuple[Example, ...]] = {}
"""Examples by game and option, made once for all tests of this file."""


def make_examples(catalog: Catalog, game_id: str, option: int = 0) -> tuple[Example, ...]:
    if (game_id, option) not in MADE:
        MADE[game_id, option] = make_again(catalog, game_id, option)
    return MADE[game_id, option]


def make_again(catalog: Catalog, game_id: str, option: int) -> tuple[Example, ...]:
    filing = build_filed(catalog, game_id, option)
    way = catalog.house_ways[filing.game.house_way]
    audited = audit_game(filing.game, way, filing.game.hands.joker)
    chosen = examples.worked_examples(
        filing.game,
        filing.options,
        filing.paytables,
        events=catalog.events,
        house_way=way,
        uses=audited.audit.uses,
    )
    return tuple(chosen)


@pytest.mark.parametrize("game_id", GAMES)
def test_cached_examples_equal_new_ones(catalog: Catalog, game_id: str) -> None:
    filing = build_filed(catalog, game_id)
    way = catalog.house_ways[filing.game.house_way]
    made = make_examples(catalog, game_id)
    assert build_examples(filing, way) == made  # type: ignore[arg-type] # a filing without a state


@pytest.mark.parametrize("game_id", GAMES)
def test_every_wager_with_a_paytable_has_a_win_and_a_loss(catalog: Catalog, game_id: str) -> None:
    found = make_examples(catalog, game_id)
    filing = build_filed(catalog, game_id)
    wanted = {option.target for option in filing.game.options_with(filing.option)} | {
        wager.paytables[0].target for wager in filing.game.wagers if wager.paytables
    }
    for target in wanted:
        kinds = [item.kind for item in found if item.target == target]
        assert {"win", "lose"} <= set(kinds)
    # Any other paytable is there for what the first one of its wager cannot show.
    drawn = [item for item in found if item.kind == HOUSE_WAY]
    others = [item for item in found if item.target not in wanted and item not in drawn]
    special = {"push", "envy", "progressive_split", "dynamic", "dealer_choice"}
    assert {item.kind for item in others} <= special


@pytest.mark.parametrize("game_id", GAMES)
def test_each_rule_of_the_house_way_is_drawn_with_a_hand_that_it_sets(
    catalog: Catalog, game_id: str
) -> None:
    way = catalog.house_ways[catalog.games[game_id].house_way]
    rules = {rule.id: rule for rule in way.rules}
    drawn = [example for example in make_examples(catalog, game_id) if example.kind == HOUSE_WAY]
    assert {item.event for item in drawn} <= set(rules)
    assert len(drawn) == len({item.event for item in drawn}) > len(rules) / 2
    for example in drawn:
        hand = example.player
        assert hand is not None
        assert sorted((*hand.back, *hand.front)) == sorted(hand.cards)
        # A rule that sends hands on is drawn with one that another rule sets.
        assert rules[example.event].by or hand.rule == example.event


def test_a_push_and_a_prize_are_shown_by_the_first_paytable_that_has_them(
    catalog: Catalog,
) -> None:
    found = make_examples(catalog, "dealer-open-pai-gow")
    shown = {item.kind: item.target for item in found if "/chan-chu/" in item.target}
    # Three Pair pushes, and envy prizes begin, with pay table 3 of the source.
    assert shown["push"] == "dealer-open-pai-gow/chan-chu/3"
    assert shown["envy"] == "dealer-open-pai-gow/chan-chu/3"
    assert shown["win"] == "dealer-open-pai-gow/chan-chu/1"


@pytest.mark.parametrize("game_id", ["emperors-challenge-exposed", "dealer-open-pai-gow"])
def test_no_setting_of_a_player_who_sees_the_dealer_ends_better(
    catalog: Catalog, game_id: str
) -> None:
    filing = build_filed(catalog, game_id)
    for example in make_examples(catalog, game_id):
        if "/main/" in example.target and example.kind not in {"better_setting", "foul"}:
            assert example.player is not None
            assert example.dealer is not None
            best = explain_main(
                filing.option,
                game=filing.game,
                house_way=catalog.house_ways[filing.game.house_way],
                player=example.player.cards,
                dealer=example.dealer.cards,
            ).best
            assert best is not None
            assert not best.better_than_house_way, example.kind


def test_hands_are_set_with_their_rule_unless_nothing_is_compared(catalog: Catalog) -> None:
    found = make_examples(catalog, "dealer-open-pai-gow")
    for item in found:
        if "/main/" not in item.target or item.kind == "foul":
            continue
        for hand in (item.player, item.dealer):
            assert hand is not None
            if item.kind == "dealer_rule":
                assert not hand.back
            else:
                assert sorted(hand.back + hand.front) == sorted(hand.cards)
                # The player's own setting is that of no rule.
                own = item.kind == "better_setting" and hand is item.player
                assert bool(hand.rule) is not own


# What people dispute, held against hands that are ranked and set by other code


def convert_cards(cards: tuple[str, ...]) -> tuple[oracle.Card, ...]:
    return tuple(
        oracle.JOKER if card == JOKER else (RANKS.index(card[0]) + 2, SUITS.index(card[1]))
        for card in cards
    )


def values(hand: SetHand, table: oracle.Table) -> tuple[oracle.Value, tuple[oracle.Value, bool]]:
    """The high hand and the low hand; a lone joker is above an ace."""
    low = convert_cards(hand.front)
    alone = table.front == 1 and low == (oracle.JOKER,)
    return oracle.back_value(convert_cards(hand.back), table), (oracle.front_value(low), alone)


def outcome(player: SetHand, dealer: SetHand, table: oracle.Table) -> str:
    hands = zip(values(player, table), values(dealer, table), strict=True)
    return ("lose", "push", "win")[sum(mine > theirs for mine, theirs in hands)]


def build_table(game: Game) -> oracle.Table:
    lowest = game.hands.wheel is WheelRule.LOWEST
    return oracle.Table(low_wheel=lowest, front=game.hands.shape.front)


@pytest.mark.parametrize("game_id", GAMES)
def test_rounds_end_as_the_hands_compare_by_other_code(catalog: Catalog, game_id: str) -> None:
    game = catalog.games[game_id]
    table = build_table(game)
    for example in make_examples(catalog, game_id):
        if "/main/" not in example.target or example.player is None or example.dealer is None:
            continue
        if example.player.back:
            assert outcome(example.player, example.dealer, table) == example.event, example
        if example.kind == "copy":
            sides = zip(values(example.player, table), values(example.dealer, table), strict=True)
            assert any(mine == theirs for mine, theirs in sides)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_hand_set_against_the_house_way_ends_better_and_is_no_foul(
    catalog: Catalog, game_id: str
) -> None:
    game = catalog.games[game_id]
    table = build_table(game)
    shown = [
        example for example in make_examples(catalog, game_id) if example.kind == "better_setting"
    ]
    assert len(shown) == len(game.options_with(build_filed(catalog, game_id).option))
    for item in shown:
        assert item.player is not None
        assert item.dealer is not None
        high, (low, _) = values(item.player, table)
        assert high >= low
        front, back = oracle.set_hand(game.house_way, convert_cards(item.player.cards), table)
        assert set(front) != set(convert_cards(item.player.front))
        against = values(item.dealer, table)
        kept = (oracle.back_value(back, table), (oracle.front_value(front), False))
        won = sum(mine > theirs for mine, theirs in zip(kept, against, strict=True))
        order = ("lose", "push", "win")
        assert order.index(item.event) > won
        assert isinstance(item.explained, MainExplanation)
        assert item.explained.settlement is not None
        assert str(item.explained.settlement.outcome) == order[won]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_foul_is_a_low_hand_above_the_high_hand(catalog: Catalog, game_id: str) -> None:
    game = catalog.games[game_id]
    shown = [example for example in make_examples(catalog, game_id) if example.kind == "foul"]
    assert len(shown) == len(game.options_with(build_filed(catalog, game_id).option))
    for item in shown:
        assert item.player is not None
        assert item.dealer is None
        assert sorted((*item.player.back, *item.player.front)) == sorted(item.player.cards)
        high, (low, _) = values(item.player, build_table(game))
        assert low > high
        assert isinstance(item.explained, SettingExplanation)
        assert not item.explained.legal


def find_events(cards: tuple[str, ...]) -> set[str]:
    hand = [
        None if card == JOKER else (RANKS.index(card[0]), SUITS.index(card[1])) for card in cards
    ]
    return one_hand.find_events(one_hand.Table(), hand)


def test_a_wager_on_the_dealers_hand_is_paid_by_it_alone(catalog: Catalog) -> None:
    found = {name: make_examples(catalog, name) for name in GAMES}
    chosen = {
        name: [item for item in found[name] if item.kind == "dealer_choice"] for name in GAMES
    }
    (one,) = chosen.pop("emperors-challenge-exposed")
    assert not any(chosen.values())
    assert one.player is not None
    assert one.dealer is not None
    pays = {f"{rank}_high_pai_gow" for rank in ("nine", "ten", "jack", "queen", "king", "ace")}
    assert find_events(one.dealer.cards) & pays == {one.event}
    assert not find_events(one.player.cards) & pays
    assert isinstance(one.explained, BonusExplanation)
    # Appendix A: ace-high pays 2 to 1 in the first table.
    assert (one.event, one.explained.pays) == ("ace_high_pai_gow", "2 to 1")


def test_a_dynamic_payout_replaces_the_default_for_a_round(catalog: Catalog) -> None:
    found = [example for name in GAMES for example in make_examples(catalog, name)]
    (one,) = [item for item in found if item.kind == "dynamic"]
    assert one.player is not None
    assert one.event in find_events(one.player.cards)
    assert isinstance(one.explained, BonusExplanation)
    # Appendix G: a full house pays 2 for 1, drawn first at 3 for 1.
    assert (one.event, one.explained.pays) == ("full_house", "3 for 1")


def test_an_example_that_is_explained_otherwise_stops_the_run(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*arguments: object, **named: object) -> tuple[engine.BonusCase, ...]:
        cases = engine.bonus_cases(*arguments, **named)  # type: ignore[arg-type] # passed on
        return (replace(cases[0], rows=("five_aces",)),)

    monkeypatch.setattr(examples, "bonus_cases", wrong)
    with pytest.raises(InvariantBroken, match="explained otherwise"):
        make_again(catalog, "mini-pai-gow", 0)
