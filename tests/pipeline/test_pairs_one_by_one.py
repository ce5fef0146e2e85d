"""Main wagers on tiny decks: every pair of hands met one by one, and a few rounds that are dealt.

The decks are so small that plain Python walks them, too.
"""

from dataclasses import replace

import pytest

from certify import library
from certify.intake.read import read_catalogue
from certify.model.cards import Deck, HandShape
from certify.model.catalogue import Catalogue
from certify.model.game import Game
from certify.model.main_wager import MainWager, Outcome
from certify.pipeline.crosscheck import small_decks
from certify.pipeline.crosscheck.simulated import outcome_reason, simulate_option
from certify.pipeline.figures.play import Play

TINY = Deck(ranks=3, joker=1)
SHORT = HandShape(cards=4, back=3, front=1)
WAGERS = {
    "emperors-challenge-exposed": ("any-pai-gow-pays-1-to-2", "foxwoods"),
    "dealer-open-pai-gow": ("ace-high-push", "dealer-open-pai-gow"),
    "commission-free-pai-gow-express": ("1", "trump-plaza"),
    "pai-gow-mania": ("commission-prepaid", "foxwoods"),
    "mini-pai-gow": ("1", "mini-pai-gow"),
}
LOSE, PUSH, WIN = range(3)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return read_catalogue(library.paytables())[0]


def option_of(catalogue: Catalogue, game: str, name: str) -> MainWager:
    wagers = catalogue.games[game].wagers
    return next(option for wager in wagers for option in wager.options if option.id == name)


def tiny(game: Game) -> Game:
    return replace(game, hands=replace(game.hands, deck=TINY, shape=SHORT))


@pytest.mark.parametrize("name", WAGERS)
def test_every_pair_of_a_tiny_deck_ends_as_it_is_counted(catalogue: Catalogue, name: str) -> None:
    game, (option, house_way) = catalogue.games[name], WAGERS[name]
    play = Play(
        option=option_of(catalogue, name, option),
        game=tiny(game),
        house_way=small_decks.highest_front(catalogue.house_ways[house_way], SHORT),
        strategy=game.strategy,
    )
    check = small_decks.enumerated(play, "3 ranks and the joker")
    assert check.rounds == 715 * 126
    assert [one.event for one in check.comparisons if not one.agrees] == []
    assert sum(one.other for one in check.comparisons) == 1


@pytest.mark.parametrize("name", ["emperors-challenge-exposed", "mini-pai-gow"])
def test_rounds_that_are_dealt_agree_with_the_count(catalogue: Catalogue, name: str) -> None:
    game, (option, house_way) = catalogue.games[name], WAGERS[name]
    play = Play(
        option=option_of(catalogue, name, option),
        game=tiny(game),
        house_way=small_decks.highest_front(catalogue.house_ways[house_way], SHORT),
        strategy=game.strategy,
    )
    check = simulate_option(play, rounds=1000)
    assert [one.event for one in check.comparisons if not one.agrees] == []
    assert sum(one.other for one in check.comparisons if one.event != "house_edge") == 1


@pytest.mark.parametrize(
    ("name", "holds", "result", "expected"),
    [
        ("any-pai-gow-pays-1-to-2", True, WIN, (Outcome.WIN, True, True)),
        ("any-pai-gow-pays-1-to-2", True, LOSE, (Outcome.LOSE, False, True)),
        ("any-pai-gow-pays-1-to-2", True, PUSH, (Outcome.PUSH, False, True)),
        ("any-pai-gow-pays-1-to-2", False, WIN, (Outcome.WIN, False, True)),
        ("ace-high-push", True, WIN, (Outcome.PUSH, True, False)),
        ("ace-high-push", True, LOSE, (Outcome.PUSH, True, False)),
        ("ace-high-push", False, LOSE, (Outcome.LOSE, False, True)),
    ],
)
def test_a_rule_decides_a_round_or_what_a_win_pays(
    catalogue: Catalogue,
    name: str,
    holds: bool,
    result: int,
    expected: tuple[Outcome, bool, bool],
) -> None:
    option = option_of(catalogue, "emperors-challenge-exposed", name)
    reason = outcome_reason(option, [holds], result)
    assert (reason.outcome, reason.rule is not None, reason.compared) == expected
    assert reason.rule in (None, option.dealer_rules[0].id)
