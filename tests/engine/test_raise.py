"""A raise: worked examples and counts, against rules and enumerations in plain code."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from certify.engine.deck import build_shape
from certify.engine.house_way.audit import SetKeys
from certify.engine.main.countable import refuse_uncountable
from certify.engine.main.evaluate import evaluate
from certify.engine.main.outcomes import DealCounts, split_outcomes
from certify.errors import NotConfigured
from certify.explanations.main import explain_main
from certify.explanations.settlement import settle
from certify.explanations.worked_examples import main_examples
from certify.figures.targets import select
from certify.model.analysis import Analysis, RowAnalysis
from certify.model.condition import FeatureTest
from certify.model.explanation import Example, SetHand, Settlement
from certify.model.game import RANKS, SUITS, Deck, Game, HandShape, Strategy, uncountable
from certify.model.house_way import nothing_set
from certify.model.main_wager import Action, MainWager, Outcome
from certify.model.paytable import Basis, Commission, Payout
from certify.model.vocabulary import EventFeature
from certify.report.rules.main_wager import Result, list_results
from tests.commands.ante_and_play import SOURCE, ante_and_play
from tests.commands.packs_by_game import FIELD
from tests.declared_files import recount_options
from tests.engine.small_games import evaluate_undivided
from tests.engine.test_undivided import read_small
from tests.marks import further
from tests.oracle.declared import Round
from tests.oracle.undivided import FIVE_CARDS, Hand, Rules, Value, find_value

# Worked examples of games with a raise, against rules written in plain code.


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
        _, *unused = player.groups
        assert sum(map(len, unused)) == shape.cards - rules.cards
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


# A raise by the player's hand, a companion wager and a seen card, against plain enumeration.


RANKS_OF_DECK = 4
QUALIFIES = {"any": [{"of_a_kind": {"min": 2}}, {"straight_length": 3}, {"flush_length": 3}]}


def pay(name: str, when: dict[str, Any], pays: str) -> dict[str, Any]:
    return {"id": name, "name": name, "when": when, "pays": pays}


TRIPS_PAY = pay("trips", {"of_a_kind": 3}, "6 to 1")
TERMS: dict[str, Any] = {
    "dealer_rules": [
        {"id": "push_no_pair", "when": {"not": QUALIFIES}, "outcome": "push", "text": "No pair.",
         "source": SOURCE},
    ],
    "raise": {
        "id": "play", "name": "Play", "size": "1", "largest": "3",
        "largest_when": {"of_a_kind": {"min": 2}},
        "qualifies": QUALIFIES, "not_qualified": "win", "text": "Play.", "source": SOURCE,
        "pays": [TRIPS_PAY, pay("straight", {"straight_length": 3}, "4 to 1")],
        "fold": {"text": "Fold.", "source": SOURCE},
    },
    "companion": {
        "id": "side", "name": "Side", "size": "2", "text": "Side.", "source": SOURCE,
        "pays": [{**TRIPS_PAY, "pays": "5 to 1"}],
    },
    "bonus": [
        {**pay("run", {"straight_flush_length": 3}, "7 to 1"), "text": "Run.", "source": SOURCE},
    ],
}  # fmt: skip


@pytest.fixture
def declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, MainWager]:
    monkeypatch.chdir(tmp_path)
    path = ante_and_play(tmp_path) / "main" / "standard.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | TERMS))
    game = select("trio/main").game
    return game, game.wagers[0].options[0]


def dealt(game: Game, player: int, dealer: int, shown: int) -> Game:
    shape = HandShape(cards=player, back=3, front=0, dealer_cards=dealer, dealer_shows=shown)
    hands = replace(game.hands, deck=Deck(ranks=RANKS_OF_DECK, joker=0), shape=shape)
    return replace(game, hands=hands)


@pytest.mark.parametrize(("player", "dealer", "shown"), [(4, 3, 0), (3, 4, 1)])
def test_every_deal_of_a_tiny_deck_ends_as_enumerated(
    declared: tuple[Game, MainWager], player: int, dealer: int, shown: int
) -> None:
    game, option = dealt(declared[0], player, dealer, shown), declared[1]
    deals = [*read_small(Path(), game).list_rounds()]
    analysis = evaluate_undivided(option, game)
    total, number = analysis.total, sum(deal.weight for deal in deals)
    assert analysis.house_edge == -sum(deal.weight * max(deal.nets) for deal in deals) / total
    wagered = 3 + Fraction(sum((0, 1, 3)[deal.action] * deal.weight for deal in deals), number)
    assert analysis.main is not None
    assert analysis.main.average_wager == wagered
    folded = sum(row.combinations for row in analysis.rows if row.event == "lose_folded")
    assert folded == total // number * sum(deal.weight for deal in deals if deal.action == 0)
    check_boundary(analysis, deals)


def check_boundary(analysis: Analysis, deals: list[Round]) -> None:
    """Compare both costs with every pair of lowest values, each played in full."""
    assert analysis.main is not None
    boundary = analysis.main.boundary
    assert boundary is not None
    best_sum, total = sum(deal.weight * max(deal.nets) for deal in deals), analysis.total
    # What each action is worth with all hands of a value; the largest raise where it is allowed.
    worth = {place: [Fraction(0)] * 3 for place in sorted({deal.place for deal in deals})}
    for deal in deals:
        nets = deal.nets
        for action in range(3):
            worth[deal.place][action] += deal.weight * nets[min(action, len(nets) - 1)]
    place_of = {value: place for place, value in enumerate(worth)}

    def cost(first: int, second: int) -> Fraction:
        played = sum(
            worth[value][(place >= first) + (place >= max(first, second))]
            for value, place in place_of.items()
        )
        return Fraction(best_sum - played) / total

    certain = []
    for action in (1, 2):
        lower = (deal for deal in deals if deal.action < min(action, len(deal.nets) - 1))
        first = max((place_of[deal.place] + 1 for deal in lower), default=0)
        taken = {place_of[deal.place] for deal in deals if deal.action >= action}
        certain.append(min((place for place in taken if place >= first), default=len(worth)))
    assert boundary.cost == cost(*certain)
    places = range(len(worth) + 1)
    assert boundary.least_cost == min(
        cost(first, second) for first in places for second in places if second >= first
    )
    assert boundary.least_cost < boundary.cost or not boundary.cost
    assert [hand.hands for hand in boundary.hands] == [
        sum(deal.weight for deal in deals if place_of[deal.place] >= lowest) for lowest in certain
    ]


@pytest.mark.parametrize(("player", "dealer", "shown"), [(4, 3, 0), (3, 4, 1)])
def test_a_hand_is_explained_as_enumerated(
    declared: tuple[Game, MainWager], player: int, dealer: int, shown: int
) -> None:
    game, option = dealt(declared[0], player, dealer, shown), declared[1]
    names = [rank + suit for rank in RANKS[-RANKS_OF_DECK:] for suit in SUITS]
    deals = [*read_small(Path(), game).list_rounds()]
    for deal in deals[:: len(deals) // 7]:
        explained = explain_main(
            option, game=game, house_way=nothing_set(player), weighed=True,
            player=[names[card] for card in deal.hand],
            dealer=[names[card] for card in deal.seen] or None,
        )  # fmt: skip
        play = explained.play
        assert play is not None
        worths = [choice.worth * play.dealer_hands for choice in play.choices]
        # The ante and the raise, the bonus and the companion wager.
        assert worths == [*deal.nets]


def test_the_verification_count_refuses_what_it_does_not_cover(
    declared: tuple[Game, MainWager],
) -> None:
    game, option = declared
    with pytest.raises(NotConfigured, match="does not cover several cards of the dealer"):
        recount_options([option], game=dealt(game, 3, 3, 2), house_way=nothing_set(3))
    shape = HandShape(cards=3, back=3, front=0, dealer_shows=1)
    joker = replace(game, hands=replace(game.hands, deck=Deck(ranks=5, joker=1), shape=shape))
    with pytest.raises(NotConfigured, match="does not cover a joker that the dealer may show"):
        recount_options([option], game=joker, house_way=nothing_set(3))


@pytest.mark.parametrize(
    ("player", "dealer", "shown"),
    [(4, 3, 0), (3, 4, 1), *further([(3, 3, 0), (3, 4, 0), (4, 4, 0), (3, 3, 1), (4, 3, 1)])],
)
def test_pays_by_hand_other_sizes_and_a_seen_card_are_counted_a_second_time(
    declared: tuple[Game, MainWager], player: int, dealer: int, shown: int
) -> None:
    game, option = dealt(declared[0], player, dealer, shown), declared[1]
    counted = recount_options([option], game=game, house_way=nothing_set(player))
    second, analysis = counted[option.id, Strategy.OPTIMAL], evaluate_undivided(option, game)
    assert second.edge == read_small(Path(), game).count().edge
    assert second.rows == {row.event: row.combinations for row in analysis.rows if row.combinations}


def test_terms_on_the_own_hand_are_refused_where_they_are_not_counted(
    declared: tuple[Game, MainWager],
) -> None:
    game, option = declared
    with pytest.raises(NotConfigured, match="own hand"):
        refuse_uncountable(replace(option, raise_=None), game=replace(game, dealer_exposed=True))
    commission = Commission(rate=Fraction(1, 20))
    with pytest.raises(NotConfigured, match="takes a commission"):
        refuse_uncountable(replace(option, commission=commission, bonus=()), game=game)
    assert option.raise_ is not None
    suits = FeatureTest(feature=EventFeature.RED_CARDS, values=(3,))
    raised = replace(option.raise_, largest_when=suits)
    with pytest.raises(NotConfigured, match="red_cards") as refused:
        refuse_uncountable(replace(option, raise_=raised), game=game)
    assert refused.value.pointer == "/raise/largest_when"


@pytest.mark.parametrize(
    ("shape", "joker", "message"),
    [
        (HandShape(cards=7, back=4, front=0), 0, "best 4 of 7"),
        (HandShape(cards=5, back=4, front=0), 1, "with a joker"),
        (HandShape(cards=5, back=5, front=0, dealer_cards=4), 0, "best 5 of 4"),
        (HandShape(cards=7, back=5, front=2, dealer_cards=6), 0, "Only undivided hands"),
    ],
)
def test_hands_that_are_not_compared_are_refused(
    shape: HandShape, joker: int, message: str
) -> None:
    why = uncountable(Deck(joker=joker), shape)
    assert why is not None
    assert message in why.message
    assert uncountable(Deck(joker=0), HandShape(cards=6, back=4, front=0, dealer_cards=5)) is None


def test_jokers_of_both_sides_are_not_dealt_again(declared: tuple[Game, MainWager]) -> None:
    game, option = declared
    shape = HandShape(cards=3, back=3, front=0, dealer_shows=1)
    hands = replace(game.hands, deck=Deck(ranks=5, joker=2), shape=shape)
    explained = explain_main(
        option, game=replace(game, hands=hands), house_way=nothing_set(3), weighed=True,
        player=["Jk", "As", "Kd"], dealer=["Jk"],
    )  # fmt: skip
    assert explained.play is not None
    assert explained.play.dealer_hands == comb(22 - 4, 2)
