"""Worked examples of games with a raise, against rules written in plain code."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from certify.engine.deck import build_shape
from certify.engine.house_way.audit import SetKeys
from certify.engine.main.evaluate import evaluate
from certify.engine.main.outcomes import DealCounts, split_outcomes
from certify.explanations.settlement import settle
from certify.explanations.worked_examples import main_examples
from certify.figures.targets import select
from certify.model.analysis import RowAnalysis
from certify.model.condition import FeatureTest
from certify.model.explanation import Example, SetHand, Settlement
from certify.model.game import RANKS, SUITS, Game, Strategy
from certify.model.house_way import nothing_set
from certify.model.main_wager import Action, MainWager, Outcome
from certify.model.paytable import Basis, Payout
from certify.report.rules.main_wager import Result, list_results
from tests.commands.packs_by_game import FIELD
from tests.oracle.undivided import FIVE_CARDS, Hand, Rules, Value, find_value

FOUR_CARDS = (
    *("high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind", "straight_flush"),
    "four_of_a_kind",
)
KING, QUEEN, ACE = RANKS.index("K"), RANKS.index("Q"), RANKS.index("A")


class Nets(NamedTuple):
    """Results per unit of the ante: the ante, the raise made once, the companion, the bonus."""

    ante: int
    once: int
    companion: Fraction | None = None
    bonus: int = 0


def kind(value: Value, rules: Rules) -> str:
    return rules.order[value[0]]


def sign(mine: Value, theirs: Value) -> int:
    return (mine > theirs) - (mine < theirs)


def caribbean_stud(mine: Value, theirs: Value) -> Nets:
    """The raise is two times the ante; the dealer qualifies with ace and king."""
    pays = {
        "two_pair": 2, "three_of_a_kind": 3, "straight": 4, "flush": 5, "full_house": 7,
        "four_of_a_kind": 20, "straight_flush": 50,
    }  # fmt: skip
    if theirs < (0, (ACE, KING)):
        return Nets(1, 0)
    ends = sign(mine, theirs)
    return Nets(ends, 2 * (pays.get(FIVE_CARDS[mine[0]], 1) if ends > 0 else ends))


def four_card_poker(mine: Value, theirs: Value) -> Nets:
    """The player wins a tie; the dealer always qualifies."""
    bonus = {"three_of_a_kind": 2, "straight_flush": 20, "four_of_a_kind": 25}
    ends = sign(mine, theirs) or 1
    return Nets(ends, ends, bonus=bonus.get(FOUR_CARDS[mine[0]], 0))


def crazy_4_poker(mine: Value, theirs: Value) -> Nets:
    """The ante pushes and the raise wins against a dealer below king high."""
    pays = {
        "straight": Fraction(1), "flush": Fraction(3, 2), "three_of_a_kind": Fraction(2),
        "straight_flush": Fraction(15), "four_of_a_kind": Fraction(30),
    }  # fmt: skip
    qualified, ends = theirs >= (0, (KING,)), sign(mine, theirs)
    paid = pays.get(FOUR_CARDS[mine[0]], Fraction(-1 if qualified and ends < 0 else 0))
    if mine == (FOUR_CARDS.index("four_of_a_kind"), (ACE,)):
        paid = Fraction(200)
    return Nets(ends, ends, paid) if qualified else Nets(0, 1, paid)


def largest(mine: Value) -> bool:
    """With a pair of aces or better, a raise in Crazy 4 Poker may be three times the ante."""
    return mine[0] > FOUR_CARDS.index("pair") or mine[:2] >= (1, (ACE,))


class Case(NamedTuple):
    rules: Rules
    settle: Callable[[Value, Value], Nets]
    enlarges: Callable[[Value], bool] | None
    kinds: set[str]


USUAL = {"win", "lose", "raise", "fold"}
CASES = {
    "caribbean-stud": Case(
        Rules(ranks=13, cards=5), caribbean_stud, None,
        USUAL | {"push", "dealer_rule", "raise_paid"},
    ),
    "four-card-poker": Case(
        Rules(ranks=13, cards=4, order=FOUR_CARDS), four_card_poker, lambda _: True,
        USUAL | {"copy", "hand_bonus"},
    ),
    "crazy-4-poker": Case(
        Rules(ranks=13, cards=4, order=FOUR_CARDS), crazy_4_poker, largest,
        USUAL | {"push", "dealer_rule", "largest_raise", "companion"},
    ),
}  # fmt: skip


def number(card: str) -> int:
    return 4 * RANKS.index(card[0]) + SUITS.index(card[1])


def best(hand: Hand, rules: Rules) -> Value:
    return max(find_value(cards, rules) for cards in combinations(hand, rules.cards))


def value_of(hand: SetHand, rules: Rules) -> Value:
    return best(tuple(map(number, hand.cards)), rules)


@pytest.fixture
def loaded(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> tuple[Game, MainWager, Case]:
    monkeypatch.chdir(FIELD)
    game = select(f"{request.param}/main").game
    return game, game.options[0], CASES.get(request.param, CASES["caribbean-stud"])


def list_examples(game: Game, option: MainWager) -> list[Example]:
    return [*main_examples(option, game=game, house_way=nothing_set(game.hands.shape.cards))]


@pytest.mark.parametrize("loaded", CASES, indirect=True)
def test_each_example_ends_by_the_rules(loaded: tuple[Game, MainWager, Case]) -> None:
    game, option, case = loaded
    shape, rules = game.hands.shape, case.rules
    examples = list_examples(game, option)
    assert {example.kind for example in examples} == case.kinds
    for example in examples:
        player, dealer, ended = example.player, example.dealer, example.explained
        assert player is not None
        assert isinstance(ended, Settlement)
        mine = value_of(player, rules)
        assert find_value(tuple(map(number, player.back)), rules) == mine
        assert len(player.unused) == shape.cards - rules.cards
        if example.kind == "fold":
            assert ended.net == -1
            assert (ended.raise_, ended.bonus) == (None, None)
            assert ended.companion is None or ended.companion.net == -1
            assert dealer is None if not shape.dealer_shows else dealer and dealer.is_open
            continue
        assert dealer is not None
        assert len(dealer.seen) == shape.dealer_shows
        assert {*dealer.seen} <= {*dealer.cards} - {*player.cards}
        nets = case.settle(mine, value_of(dealer, rules))
        assert ended.raise_ is not None
        assert [ended.net, ended.raise_.net] == [nets.ante, nets.once]
        assert (ended.companion and ended.companion.net) == nets.companion
        assert (ended.bonus.net if ended.bonus else 0) == nets.bonus
        enlarges = case.enlarges is not None and case.enlarges(mine)
        assert ended.raise_.largest_net == (3 * nets.once if enlarges else None)


def test_a_hand_that_is_shown_as_folded_loses_less_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against every hand that the dealer can hold with the card that is seen."""
    monkeypatch.chdir(FIELD)
    game, rules = select("caribbean-stud/main").game, CASES["caribbean-stud"].rules
    (fold,) = (each for each in list_examples(game, game.options[0]) if each.kind == "fold")
    assert fold.player is not None
    assert fold.dealer is not None
    (seen,), mine = map(number, fold.dealer.cards), value_of(fold.player, rules)
    gone = {seen, *map(number, fold.player.cards)}
    left = [card for card in range(52) if card not in gone]
    nets = [
        caribbean_stud(mine, find_value((seen, *rest), rules))
        for rest in combinations(left, 4)
    ]  # fmt: skip
    assert sum(each.ante + each.once for each in nets) < -len(nets)


SIZES = {"Ante": 1, "Super Bonus": 1, "Bonus": 1}


def net(result: Result, row: RowAnalysis, option: MainWager) -> Fraction:
    raised = option.raise_
    assert raised is not None
    assert row.reason is not None
    size = Fraction(SIZES.get(result.wager, 0))
    if result.wager == raised.name:
        size = raised.largest or raised.size if row.reason.largest else raised.size
    worth = {"": Fraction(0), "push": Fraction(0), "loss": Fraction(-1)}
    if result.paid in worth:
        return size * worth[result.paid]
    paid, odds = result.paid.split(" to ")
    return size * Fraction(int(paid), int(odds))


@pytest.mark.parametrize("loaded", [*CASES, "three-card-poker"], indirect=True)
def test_the_results_of_a_row_add_up_to_its_contribution(
    loaded: tuple[Game, MainWager, Case],
) -> None:
    game, option, _ = loaded
    deck = replace(game.hands.deck, ranks=8)  # a full one takes up to 20 s to count
    small = replace(game, hands=replace(game.hands, deck=deck))
    way = nothing_set(game.hands.shape.cards)
    analysis = evaluate(option, game=small, house_way=way, strategy=Strategy.OPTIMAL)
    assert {row.reason.raised for row in analysis.rows if row.reason} == {True, False}
    for row in analysis.rows:
        assert row.reason is not None
        results = list_results(option, row.reason, "Ante")
        total = sum(net(result, row, option) for result in results)
        assert row.contribution == row.probability * total, row.event
    hits = sum(row.probability for row in analysis.rows if row.contribution > 0)
    assert analysis.hit_frequency == hits


def test_a_raise_that_wins_without_a_comparison_pays_as_the_main_wager(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Explained as it is counted, at a pay of the main wager that is not even money."""
    monkeypatch.chdir(FIELD)
    game = select("caribbean-stud/main").game
    (option,) = game.options
    assert option.raise_ is not None
    qualifies = FeatureTest(feature="of_a_kind", minimum=2)
    raise_ = replace(
        option.raise_, not_qualified=Outcome.WIN, qualifies=qualifies, pays=(), largest_when=None
    )
    win_pays = Payout(basis=Basis.TO, amount=Fraction(6, 5))
    plain: dict[str, Any] = {"dealer_rules": (), "bonus": (), "companion": None}
    option = replace(option, win_pays=win_pays, raise_=raise_, **plain)
    ended = settle(
        option,
        shape=build_shape(game.hands),
        dealer_features={"of_a_kind": 1},
        dealer=SetKeys(1, 0),
        player=SetKeys(2, 0),
        features={},
    )
    assert ended.raise_ is not None
    assert ended.raise_.net == raise_.size * Fraction(6, 5)
    action = Action(size=raise_.size)
    (counted,) = split_outcomes(option, None, DealCounts(1, 1, 0), action=action)
    assert counted.net == ended.net + ended.raise_.net
