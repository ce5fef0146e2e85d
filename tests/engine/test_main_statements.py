import pytest
from msgspec.structs import replace

from certify.engine.main.evaluate import assumptions
from certify.model.game import Game, JokerRule, Strategy, WheelRule
from certify.model.main_wager import MainWager
from certify.model.source import Statement
from tests.catalog import catalog
from tests.documented_games import GAMES


def options(game: Game) -> tuple[MainWager, ...]:
    return next(wager.options for wager in game.wagers if wager.id == "main")


def said(
    game: Game, option: MainWager, strategy: Strategy = Strategy.HOUSE_WAY
) -> dict[str, Statement]:
    house_way = catalog().house_ways[game.house_way]
    found = assumptions(option, game=game, house_way=house_way, strategy=strategy)
    assert len({item.id for item in found}) == len(found)
    assert all(item.text and item.source.document for item in found)
    return {item.id: item for item in found}


@pytest.mark.parametrize("name", GAMES)
def test_declared_statements_are_made_for_every_option(name: str) -> None:
    game = catalog().games[name]
    house_way = catalog().house_ways[game.house_way]
    for option in options(game):
        found = said(game, option)
        declared = (*game.assumptions, *option.assumptions, *house_way.assumptions)
        assert {item.id for item in declared} <= set(found)
        counted = {"base-joker", "base-wheel", "base-copies", "house-way-open"}
        assert counted | {"strategy-house-way"} <= set(found)
        named = house_way.name if game.house_way_in_source else "that is named with them"
        assert named in found["house-way-open"].text
        assert ("base-raise" in found) == (name == "mini-pai-gow")
        assert ("exact-commission" in found) == (name == "pai-gow-mania")
        prepaid = option.commission is not None and option.commission.prepaid
        assert ("base-prepaid" in found) == prepaid


def test_the_rank_of_the_joker_and_of_ace_to_five_are_those_that_are_counted() -> None:
    game = catalog().games["commission-free-pai-gow-express"]
    for joker, words in ((JokerRule.BUG, "is an ace"), (JokerRule.FULLY_WILD, "is any card")):
        for wheel, place in ((WheelRule.LOWEST, "lowest"), (WheelRule.SECOND_HIGHEST, "second")):
            other = replace(game, hands=replace(game.hands, joker=joker, wheel=wheel))
            found = said(other, options(game)[0])
            assert words in found["base-joker"].text
            assert place in found["base-wheel"].text


@pytest.mark.parametrize(
    ("exposed", "strategy", "text"),
    [
        (True, Strategy.OPTIMAL, "The player sees the dealer's set hand and sets as well as that"),
        (
            False,
            Strategy.OPTIMAL,
            "The player sees no cards but the player's own, and sets as well",
        ),
        (True, Strategy.HOUSE_WAY, "The player sets every hand by the same Foxwoods house way."),
        (False, Strategy.HOUSE_WAY, "The player sets every hand by the same Foxwoods house way."),
    ],
)
def test_the_setting_of_the_player_is_stated(
    text: str, strategy: Strategy, *, exposed: bool
) -> None:
    game = replace(catalog().games["emperors-challenge-exposed"], dealer_exposed=exposed)
    game = replace(game, assumptions=())
    found = said(game, options(game)[0], strategy)
    assert found[f"strategy-{strategy}"].text.startswith(text)


def test_a_raise_that_a_dealers_hand_ends_is_returned() -> None:
    game = catalog().games["mini-pai-gow"]
    (option,) = options(game)
    assert "base-raise-ended" not in said(game, option)
    rules = options(catalog().games["dealer-open-pai-gow"])[0].dealer_rules
    found = said(game, replace(option, dealer_rules=rules))
    assert found["base-raise-ended"].text == (
        "Double Down is returned where the dealer's hand ends the round before hands are compared."
    )


def test_a_statement_that_is_declared_goes_before_one_of_the_same_id() -> None:
    game = catalog().games["emperors-challenge-exposed"]
    option = options(game)[0]
    own = Statement(id="base-copies", text="Ties of either hand.", source=option.source)
    assert said(game, replace(option, assumptions=(own,)))["base-copies"] is own
