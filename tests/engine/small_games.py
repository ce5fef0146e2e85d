"""Declared games on small decks, and their figures by the engine, the recount and an oracle.

Each game keeps its own options, as declared; only its deck and its hands are made small, and its
house way is one for short hands. Ranks that its rules name must be in the deck.
"""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from certify import library
from certify.engine.main import evaluate as base_game
from certify.intake.decode import decode
from certify.intake.read import read_catalog, read_game
from certify.model.analysis import Analysis, MainAnalysis
from certify.model.catalog import Catalog
from certify.model.condition import AllOf, AnyOf, Condition, FeatureTest, Not
from certify.model.game import Deck, Game, HandShape, JokerRule, Strategy, WheelRule
from certify.model.house_way import HighestFront, HouseWay, nothing_set
from certify.model.main_wager import MainWager, Raise
from certify.model.paytable import Commission
from tests.declared_files import recount_options
from tests.oracle import main_wager as oracle
from tests.oracle.two_hands import Cards, Setting, find_settings
from tests.oracle.two_hands import Game as SmallGame

FIXTURES = Path(__file__).parents[2] / "fixtures"
FIVE_PERCENT = Fraction(1, 20)
COMPLETE = {"any": [{"straight_length": {"min": 1}}, {"flush_length": {"min": 1}}]}
"""The condition on a hand that is a straight or a flush."""

HOUSE, OPTIMAL = Strategy.HOUSE_WAY, Strategy.OPTIMAL


@pytest.fixture(autouse=True)
def fresh_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path))


@cache
def catalog() -> Catalog:
    declared, _ = read_catalog(library.paytables())
    found, _ = read_game(FIXTURES / "games" / "classic-pai-gow-poker", declared)
    return found


@cache
def house_way(name: str) -> HouseWay:
    path = FIXTURES / "house-ways" / f"{name}.json"
    if not path.exists():
        return catalog().house_ways[name]
    way: HouseWay = decode("house-way", json.loads(path.read_text(encoding="utf-8")))
    return way


def load_way(deck: "Small") -> HouseWay:
    """The deck's house way, for hands of its size."""
    return replace(house_way(deck.house_way), cards=deck.cards)


WAYS = {
    "short-hands": oracle.short_hands,
    "short-hands-one-card": oracle.short_hands_one_card,
    **{
        name: oracle.published_way(name)
        for name in ("foxwoods", "trump-plaza", "dealer-open-pai-gow", "mini-pai-gow")
    },
}


class Small(Struct, frozen=True):
    ranks: int
    joker: int
    cards: int
    front: int
    house_way: str

    def shrink(self, game: Game) -> Game:
        """The game with everything else as declared."""
        hands = replace(
            game.hands,
            deck=Deck(ranks=self.ranks, joker=self.joker),
            shape=HandShape(cards=self.cards, back=self.cards - self.front, front=self.front),
        )
        return replace(game, hands=hands, house_way=self.house_way)


ONE_CARD = Small(7, joker=True, cards=4, front=1, house_way="short-hands-one-card")
"""Eight to ace and the joker: 23,751 hands of three and one."""

FEW = Small(6, joker=True, cards=4, front=1, house_way="short-hands-one-card")
"""Nine to ace and the joker: 12,650 hands of three and one."""

TWO_CARDS = Small(5, joker=False, cards=5, front=2, house_way="short-hands")
"""Ten to ace without a joker: 15,504 hands of three and two."""

WITH_NINES = replace(TWO_CARDS, ranks=6)
"""The same with nines: 42,504 hands."""

TWO_JOKERS = Small(5, joker=2, cards=5, front=1, house_way="short-hands-one-card")
"""Ten to ace and two jokers: 26,334 hands of four and one."""

TINY = Small(4, joker=True, cards=4, front=1, house_way="short-hands-one-card")
"""Jack to ace and the joker: 2,380 hands of three and one."""


def options(game: str) -> dict[str, oracle.Option]:
    """The rules of a game's options as the oracle reads its source."""
    jacks = oracle.Rule("lose_dealer_two_jacks", oracle.two_jacks, "lose")
    ace = oracle.Rule("push_dealer_ace_high", oracle.pai_gow("A"), "push")
    queen = oracle.Rule("push_dealer_queen_high", oracle.pai_gow("Q"), "push")
    king = oracle.Rule("push_dealer_king_high_or_less", oracle.pai_gow(*"23456789TJQK"), "push")
    half = oracle.Rule("win_dealer_pai_gow", oracle.any_pai_gow, pays=Fraction(1, 2))
    commission = oracle.Option(commission=FIVE_PERCENT)
    return {
        "commission-free-pai-gow-express": {"1": oracle.Option(rules=(queen,))},
        "emperors-challenge-exposed": {
            "ace-high-push": oracle.Option(rules=(ace,)),
            "king-high-or-less-push": oracle.Option(rules=(king,)),
            "any-pai-gow-pays-1-to-2": oracle.Option(rules=(half,)),
        },
        "dealer-open-pai-gow": {
            "ace-high-push": oracle.Option(rules=(jacks, ace)),
            "no-push": oracle.Option(rules=(jacks,)),
        },
        "mini-pai-gow": {
            "1": oracle.Option(raise_size=1, qualifies=oracle.holds_pair_or_better("Q")),
        },
        "pai-gow-mania": {
            "commission-5-percent": commission,
            "commission-prepaid": replace(commission, prepaid=True),
        },
        "classic-pai-gow-poker": {"commission-5-percent": commission},
    }[game]


def declared_options(game: str) -> tuple[MainWager, ...]:
    wagers = catalog().games[game].wagers
    return next(wager.options for wager in wagers if wager.id == "main")


def small_option(option: MainWager, deck: Small) -> MainWager:
    """The option with a qualifier for the small deck: queens, and runs as long as the back."""
    if option.raise_ is None:
        return option
    qualifies = shorter(option.raise_.qualifies, deck.cards - deck.front)
    return replace(option, raise_=replace(option.raise_, qualifies=qualifies))


def shorter(condition: Condition, back: int) -> Condition:
    if isinstance(condition, FeatureTest):
        if condition.feature in {"straight_length", "flush_length"}:
            return replace(condition, minimum=back)
        if condition.feature == "highest_pair":
            return replace(condition, values=("Q", "K", "A"))
        return condition
    if isinstance(condition, Not):
        return Not(condition=shorter(condition.condition, back))
    parts = tuple(shorter(part, back) for part in condition.conditions)
    return AllOf(conditions=parts) if isinstance(condition, AllOf) else AnyOf(conditions=parts)


@cache
def deals(deck: Small, *, wild: bool, low_wheel: bool, beats: bool) -> oracle.Deals:
    small = SmallGame(deck.ranks, deck.joker, deck.cards, deck.front, wild, low_wheel, beats)
    return oracle.Deals(small, WAYS[deck.house_way])


def deal_twice(game: Game, deck: Small) -> oracle.Deals:
    return deals(
        deck,
        wild=game.hands.joker is JokerRule.FULLY_WILD,
        low_wheel=game.hands.wheel is WheelRule.LOWEST,
        beats=game.hands.joker_beats_ace_in_front,
    )


def tally(game: Game, deck: Small, option: oracle.Option, strategy: Strategy) -> oracle.Tally:
    table = deal_twice(game, deck)
    choices = table.find_settings() if strategy is OPTIMAL else table.house_settings()
    if option.raise_size or (strategy is OPTIMAL and not game.dealer_exposed):
        return table.play_unseen(option, choices)
    return table.play_seen(option, choices)


def get_main(analysis: Analysis) -> MainAnalysis:
    assert analysis.main is not None
    return analysis.main


def evaluate_tiny(
    option: MainWager, strategy: Strategy = HOUSE, *, exposed: bool = False
) -> Analysis:
    """Return the engine's figures of an option of Pai Gow Mania on the tiny deck."""
    game = TINY.shrink(replace(catalog().games["pai-gow-mania"], dealer_exposed=exposed))
    return base_game.evaluate(option, game=game, house_way=load_way(TINY), strategy=strategy)


def evaluate_undivided(option: MainWager, game: Game) -> Analysis:
    """Return the engine's figures of an option of hands that no house way sets."""
    way = nothing_set(game.hands.shape.cards)
    return base_game.evaluate(option, game=game, house_way=way, strategy=game.strategy)


def compare(
    game: Game, deck: Small, option: MainWager, rules: oracle.Option, strategy: Strategy
) -> tuple[Analysis, oracle.Figures]:
    """Compare every figure of the engine, and of the recount, with the oracle's.

    `game` has the small deck.
    """
    found = base_game.evaluate(option, game=game, house_way=load_way(deck), strategy=strategy)
    count = tally(game, deck, rules, strategy)
    expected = oracle.figures(rules, count)
    main = get_main(found)
    assert {row.event: row.combinations for row in found.rows if row.combinations} == expected.rows
    assert main.outcomes == expected.outcomes
    assert found.total == expected.total
    assert found.house_edge == expected.house_edge
    assert found.return_to_player == 1 - expected.house_edge
    assert found.variance == expected.variance
    assert found.top_award == expected.top_award
    assert found.hit_frequency == Fraction(expected.hits, expected.total)
    assert main.average_wager == expected.average_wager
    assert main.element_of_risk == expected.element_of_risk
    second = recount_options((option,), game=game, house_way=load_way(deck), strategies=(strategy,))
    assert second[option.id, strategy].rows == expected.rows
    assert second[option.id, strategy].edge == expected.house_edge
    differing = [use.differs_from_optimal for use in main.dealer_rule_hands]
    if strategy is OPTIMAL and not game.dealer_exposed:
        assert sum(count or 0 for count in differing) == count.house_differs
    return found, expected


# Rules that no declared game combines


def declared_raise() -> Raise:
    found = small_option(declared_options("mini-pai-gow")[0], ONE_CARD).raise_
    assert found is not None
    return found


def build_everything(*, prepaid: bool) -> tuple[MainWager, oracle.Option]:
    """A raise of two units, a dealer's hand that pushes, one that loses, one paid less."""
    exposed = {option.id: option for option in declared_options("emperors-challenge-exposed")}
    push = exposed["ace-high-push"].dealer_rules[0]
    half = exposed["any-pai-gow-pays-1-to-2"].dealer_rules[0]
    lose = declared_options("dealer-open-pai-gow")[1].dealer_rules[0]
    option = replace(
        declared_options("mini-pai-gow")[0],
        id="everything",
        dealer_rules=(push, lose, half),
        commission=Commission(rate=FIVE_PERCENT, prepaid=prepaid),
        raise_=replace(declared_raise(), size=Fraction(2)),
    )
    rules = oracle.Option(
        rules=(
            oracle.Rule("push_dealer_ace_high", oracle.pai_gow("A"), "push"),
            oracle.Rule("lose_dealer_two_jacks", oracle.two_jacks, "lose"),
            oracle.Rule("win_dealer_pai_gow", oracle.any_pai_gow, pays=Fraction(1, 2)),
        ),
        commission=FIVE_PERCENT,
        prepaid=prepaid,
        raise_size=2,
        qualifies=oracle.holds_pair_or_better("Q"),
    )
    return option, rules


def highest_front_always(game: SmallGame, hand: Cards) -> Setting:
    return oracle.highest_front(game, find_settings(game, hand))


def lowest_complete(game: SmallGame, hand: Cards) -> Setting:
    """Keep straights and flushes as the short hands do; set all others by the highest front."""
    if not oracle.can_be_complete(game, hand):
        return highest_front_always(game, hand)
    return oracle.short_hands_one_card(game, hand)


def other_ways() -> dict[str, HouseWay]:
    """The two ways above as declared house ways."""
    way = house_way("short-hands-one-card")
    complete, others = way.sections
    free = replace(complete.base, front=HighestFront())
    plain = replace(others, exceptions=())
    return {
        "highest": replace(way, id="highest", sections=(replace(complete, base=free), plain)),
        "complete": replace(way, id="complete", sections=(complete, plain)),
    }
