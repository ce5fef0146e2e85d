"""Outcomes and figures of every base game equal the enumeration of all deals of small decks."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from msgspec.structs import replace

from certify.engine.main import evaluate as base_game
from certify.engine.main.counts import label_play
from certify.intake.decode import condition
from certify.model.game import Game, JokerRule, Strategy, WheelRule
from certify.model.main_wager import DealerRule, Fold, MainWager, Outcome
from certify.model.paytable import Basis, Payout
from tests.documented_games import GAMES
from tests.engine.small_games import (
    FEW,
    HOUSE,
    ONE_CARD,
    OPTIMAL,
    TINY,
    TWO_CARDS,
    TWO_JOKERS,
    WAYS,
    WITH_NINES,
    Small,
    build_everything,
    catalog,
    compare,
    deal_twice,
    deals,
    declared_options,
    declared_raise,
    fresh_counts,
    get_main,
    highest_front_always,
    house_way,
    load_way,
    lowest_complete,
    options,
    other_ways,
    small_option,
)
from tests.marks import further
from tests.oracle import main_wager as oracle
from tests.oracle.two_hands import find_settings

__all__ = ("fresh_counts",)

ALL = (*GAMES, "classic-pai-gow-poker")
ALIKE = ("classic-pai-gow-poker/commission-5-percent", "dealer-open-pai-gow/no-push",
         "emperors-challenge-exposed/ace-high-push")  # fmt: skip
"""Options of which all rules are those of another option, too."""

CASES = [
    pytest.param(
        *(game, option, strategy),
        id=f"{game}/{option} {strategy}",
        marks=pytest.mark.further if f"{game}/{option}" in ALIKE else (),
    )
    for game in ALL
    for option in options(game)
    for strategy in (HOUSE, OPTIMAL)
]


def check(game: str, option: str, strategy: Strategy, deck: Small, **hands: Any) -> oracle.Figures:  # noqa: ANN401 - fields of HandRules
    declared = next(item for item in declared_options(game) if item.id == option)
    small = deck.shrink(catalog().games[game])
    small = replace(small, hands=replace(small.hands, **hands))
    found, expected = compare(
        small, deck, small_option(declared, deck), options(game)[option], strategy
    )
    assert found.total == comb(small.hands.deck.cards, deck.cards) * comb(
        small.hands.deck.cards - deck.cards, deck.cards
    )
    return expected


@pytest.mark.parametrize(("game", "option", "strategy"), CASES)
def test_with_a_joker_every_count_equals_enumeration(
    game: str, option: str, strategy: Strategy
) -> None:
    # A queen-high pai gow of four cards needs an eight.
    low = game == "commission-free-pai-gow-express"
    expected = check(game, option, strategy, ONE_CARD if low else FEW)
    # A rule that never applies would prove nothing.
    assert {rule.id for rule in options(game)[option].rules} <= set(expected.rows)


@pytest.mark.parametrize(
    "deck",
    [
        pytest.param(TWO_CARDS, id="20 cards", marks=pytest.mark.further),
        pytest.param(WITH_NINES, id="24 cards", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(("game", "option", "strategy"), CASES)
def test_without_a_joker_every_count_equals_enumeration(
    game: str, option: str, strategy: Strategy, deck: Small
) -> None:
    check(game, option, strategy, deck)


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
@pytest.mark.parametrize(
    "hands",
    [
        {"joker": JokerRule.FULLY_WILD},
        {"wheel": WheelRule.LOWEST},
        {"joker_beats_ace_in_front": True},
        {"joker": JokerRule.FULLY_WILD, "joker_beats_ace_in_front": True},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "game", ["dealer-open-pai-gow", *further(["commission-free-pai-gow-express"])]
)
def test_other_rules_of_rank_equal_enumeration(
    game: str, hands: dict[str, Any], strategy: Strategy
) -> None:
    check(game, next(iter(options(game))), strategy, FEW, **hands)


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
@pytest.mark.parametrize(
    ("game", "option", "hands"),
    [
        ("dealer-open-pai-gow", "no-push", {}),
        pytest.param(
            "dealer-open-pai-gow",
            "no-push",
            {"joker": JokerRule.FULLY_WILD, "joker_beats_ace_in_front": True},
            marks=pytest.mark.slow,
        ),
        *further([("mini-pai-gow", "1", {"joker": JokerRule.FULLY_WILD})]),
        pytest.param("mini-pai-gow", "1", {"wheel": WheelRule.LOWEST}, marks=pytest.mark.slow),
        pytest.param("pai-gow-mania", "commission-prepaid", {}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_with_two_jokers_every_count_equals_enumeration(
    game: str, option: str, hands: dict[str, Any], strategy: Strategy
) -> None:
    """A dealer's hand that loses, a hand that is seen, one that is not, and a raise."""
    expected = check(game, option, strategy, TWO_JOKERS, **hands)
    assert {rule.id for rule in options(game)[option].rules} <= set(expected.rows)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
@pytest.mark.parametrize(
    ("game", "deck"),
    [
        ("dealer-open-pai-gow", Small(5, True, 7, 2, "dealer-open-pai-gow")),
        ("classic-pai-gow-poker", Small(5, True, 7, 2, "foxwoods")),
        ("pai-gow-mania", Small(5, True, 7, 2, "trump-plaza")),
        ("mini-pai-gow", Small(6, True, 6, 1, "mini-pai-gow")),
    ],
    ids=str,
)
def test_whole_hands_by_separate_house_ways_equal_enumeration(
    game: str, deck: Small, strategy: Strategy
) -> None:
    check(game, next(iter(options(game))), strategy, deck)


@pytest.mark.parametrize("prepaid", [*further([False]), True])
@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
def test_a_raise_with_dealer_rules_and_commission_equals_enumeration(
    strategy: Strategy, *, prepaid: bool
) -> None:
    option, rules = build_everything(prepaid=prepaid)
    game = FEW.shrink(catalog().games["mini-pai-gow"])
    found, expected = compare(game, FEW, option, rules, strategy)
    assert {
        "push_dealer_ace_high", "push_dealer_ace_high_raised", "lose_dealer_two_jacks",
        "lose_dealer_two_jacks_raised", "win_dealer_pai_gow_raised_not_qualified", "win_raised",
        "lose",
    } <= set(expected.rows)  # fmt: skip
    assert "base-raise-ended" in {assumption.id for assumption in found.assumptions}


@pytest.mark.parametrize("strategy", [*further([HOUSE]), OPTIMAL])
def test_a_raise_that_wins_unqualified_equals_enumeration(strategy: Strategy) -> None:
    """It is worth making with hands that lose, and against a dealer's hand of a rule."""
    base, rules = build_everything(prepaid=False)
    option = replace(base, raise_=replace(declared_raise(), not_qualified=Outcome.WIN))
    game = FEW.shrink(catalog().games["mini-pai-gow"])
    rules = replace(rules, wins_unqualified=True, raise_size=1)
    _, expected = compare(game, FEW, option, rules, strategy)
    assert {
        "lose_raised_not_qualified", "push_raised_not_qualified", "push_dealer_ace_high_raised",
        "lose_dealer_two_jacks_raised_qualified", "win_raised", "win",
    } <= set(expected.rows)  # fmt: skip


@pytest.mark.parametrize("least", ["1", *further(["2"])], ids=["of one to three", "of two"])
@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
@pytest.mark.parametrize("fold", [*further([False]), True], ids=["kept without", "folded without"])
def test_a_fold_and_a_choice_of_sizes_equal_enumeration(
    strategy: Strategy, least: str, *, fold: bool
) -> None:
    """A dealer's hand that does not qualify pays the first wager and returns the raise."""
    base, rules = build_everything(prepaid=False)
    low = replace(base.dealer_rules[0], id="win_dealer_pai_gow", outcome=Outcome.WIN)
    raised = replace(
        declared_raise(),
        size=Fraction(least),
        largest=Fraction(3) if least == "1" else None,
        fold=Fold(text="Folded.", source=base.source) if fold else None,
    )
    option = replace(base, dealer_rules=(base.dealer_rules[1], low), raise_=raised)
    pai_gow = oracle.Rule("win_dealer_pai_gow", oracle.pai_gow("A"), "win")
    rules = replace(
        rules,
        rules=(rules.rules[1], pai_gow),
        raise_size=int(least),
        most=3 if least == "1" else 0,
        fold=fold,
    )
    game = FEW.shrink(catalog().games["mini-pai-gow"])
    _, expected = compare(game, FEW, option, rules, strategy)
    largest = "_raised_largest" if least == "1" else "_raised"
    seen = {f"win{largest}", f"lose{largest}", f"win_dealer_pai_gow{largest}"}
    assert seen <= set(expected.rows)
    assert ("lose_folded" in expected.rows) == fold
    assert ("win_raised" in expected.rows) == (fold or least == "2")
    assert ("win" in expected.rows) != fold


@pytest.mark.parametrize("known", [*further([False]), True], ids=["whole", "by what differs"])
@pytest.mark.parametrize(
    ("game", "option"),
    [
        ("dealer-open-pai-gow", "ace-high-push"),
        ("pai-gow-mania", "commission-5-percent"),
        ("mini-pai-gow", "1"),
    ],
)
def test_a_player_by_another_house_way_equals_enumeration(
    game: str, option: str, *, known: bool
) -> None:
    small = FEW.shrink(catalog().games[game])
    declared = next(item for item in declared_options(game) if item.id == option)
    record, rules = small_option(declared, FEW), options(game)[option]
    base, ways = house_way(FEW.house_way), other_ways()
    twins = {"highest": highest_front_always, "complete": lowest_complete}
    seen = set()
    for dealer, player in (("highest", "complete"), ("complete", "highest")):
        found = base_game.evaluate(
            record,
            game=small,
            house_way=ways[dealer],
            player=ways[player],
            strategy=HOUSE,
            base=label_play(record, game=small, house_way=base, strategy=HOUSE) if known else None,
        )
        deck = deal_twice(small, FEW).game
        table = oracle.Deals(deck, twins[dealer])
        choices = [(twins[player](deck, hand),) for hand in table.hands]
        tally = table.play_unseen if rules.raise_size else table.play_seen
        expected = oracle.figures(rules, tally(rules, choices))
        rows = {row.event: row.combinations for row in found.rows if row.combinations}
        assert rows == expected.rows
        assert found.house_edge == expected.house_edge
        assert "strategy-other-house-way" in {assumption.id for assumption in found.assumptions}
        seen.add(found.house_edge)
    assert len(seen) == 2


@pytest.mark.parametrize("strategy", [*further([HOUSE]), OPTIMAL])
def test_the_first_rule_that_holds_decides(strategy: Strategy) -> None:
    # A hand of one rule only is not enough: ace-high pai gow is any pai gow too.
    exposed = {option.id: option for option in declared_options("emperors-challenge-exposed")}
    first = exposed["ace-high-push"].dealer_rules[0]
    second = exposed["any-pai-gow-pays-1-to-2"].dealer_rules[0]
    half = oracle.Rule("win_dealer_pai_gow", oracle.any_pai_gow, pays=Fraction(1, 2))
    ace = oracle.Rule("push_dealer_ace_high", oracle.pai_gow("A"), "push")
    game = ONE_CARD.shrink(catalog().games["emperors-challenge-exposed"])
    for rules, twins in (((first, second), (ace, half)), ((second, first), (half, ace))):
        option = replace(exposed["ace-high-push"], id="both", dealer_rules=rules)
        _, expected = compare(game, ONE_CARD, option, oracle.Option(rules=twins), strategy)
        assert ("push_dealer_ace_high" in expected.rows) == (rules[0] is first)


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
def test_an_option_is_counted_where_the_rules_of_another_are_too_many(strategy: Strategy) -> None:
    """They are counted in two passes: their conditions together have no place in a label."""
    exposed = {option.id: option for option in declared_options("emperors-challenge-exposed")}
    option = exposed["ace-high-push"]
    (rule,) = option.dealer_rules
    many = tuple(
        replace(rule, id=f"push_{rank}", when=condition({"pai_gow_high": rank}))
        for rank in "9TJQKA"
    ) + tuple(
        replace(rule, id=f"push_pair_{rank}", when=condition({"highest_pair": rank}))
        for rank in "9TJQKA"
    )
    game = ONE_CARD.shrink(replace(catalog().games[option.game], dealer_exposed=False))
    other = replace(option, id="other", dealer_rules=many)
    wagers = (
        replace(each, options=(option, other)) if each.id == option.wager else each
        for each in game.wagers
    )
    ace = oracle.Rule("push_dealer_ace_high", oracle.pai_gow("A"), "push")
    both = replace(game, wagers=tuple(wagers))
    compare(both, ONE_CARD, option, oracle.Option(rules=(ace,)), strategy)


def test_the_oracle_counts_pairs_as_it_would_one_by_one() -> None:
    option = options("dealer-open-pai-gow")["no-push"]
    table = deals(replace(TINY, joker=False, cards=3), wild=False, low_wheel=False, beats=False)
    for choices in (table.house_settings(), table.find_settings()):
        assert table.play_seen(option, choices).deals == table.pair_by_pair(option, choices).deals
    each = [(WAYS[ONE_CARD.house_way](table.game, hand),) for hand in table.hands]
    fixed = table.house_settings()
    assert fixed == each
    assert table.find_settings() == [find_settings(table.game, hand) for hand in table.hands]
    assert table.play_unseen(option, fixed).deals == table.play_seen(option, fixed).deals


# What must hold whatever the counts are


def edge(game: Game, option: MainWager, deck: Small, strategy: Strategy) -> Fraction:
    found = base_game.evaluate(
        option, game=game, house_way=load_way(deck), strategy=strategy
    ).house_edge
    assert found is not None
    return found


@pytest.mark.parametrize("prepaid", [False, True])
def test_what_the_rules_of_a_house_way_cost_is_the_difference_of_the_edges(
    *, prepaid: bool
) -> None:
    game = ONE_CARD.shrink(catalog().games["mini-pai-gow"])
    for option in (
        build_everything(prepaid=prepaid)[0],
        replace(declared_options("pai-gow-mania")[prepaid], raise_=None),
    ):
        found = base_game.evaluate(
            option, game=game, house_way=house_way(ONE_CARD.house_way), strategy=OPTIMAL
        )
        cost = sum(
            (use.cost or Fraction(0) for use in get_main(found).dealer_rule_hands), Fraction()
        )
        assert cost > 0
        assert found.house_edge is not None
        assert cost == edge(game, option, ONE_CARD, HOUSE) - found.house_edge
        assert max(hand.cost for hand in get_main(found).costly_hands) > 0
        assert sum((kind.cost for kind in get_main(found).changed), Fraction()) == cost
        assert sum(kind.hands for kind in get_main(found).changed) == sum(
            use.differs_from_optimal or 0 for use in get_main(found).dealer_rule_hands
        )


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
def test_the_hands_of_each_action_are_those_of_the_rows(strategy: Strategy) -> None:
    game = ONE_CARD.shrink(catalog().games["mini-pai-gow"])
    option = small_option(declared_options("mini-pai-gow")[0], ONE_CARD)
    found = base_game.evaluate(
        option, game=game, house_way=house_way(ONE_CARD.house_way), strategy=strategy
    )
    played = get_main(found).played
    deck, cards = game.hands.deck.cards, game.hands.shape.cards
    assert sum(sum(kind.hands.values()) for kind in played) == comb(deck, cards)
    raised = sum(
        row.combinations for row in found.rows if row.reason is not None and row.reason.raised
    )
    made = sum(kind.hands["raise"] for kind in played)
    assert 0 < made < comb(deck, cards)
    assert raised == made * comb(deck - cards, cards)


def test_a_rule_that_wins_pays_what_a_win_pays() -> None:
    game = TINY.shrink(catalog().games["dealer-open-pai-gow"])
    option = declared_options(game.id)[1]
    rule = option.dealer_rules[0]
    lucky = DealerRule(
        id="win_dealer_two_jacks",
        when=rule.when,
        text=rule.text,
        source=rule.source,
        outcome=Outcome.WIN,
    )
    option = replace(
        option, dealer_rules=(lucky,), win_pays=Payout(basis=Basis.TO, amount=Fraction(3, 2))
    )
    found = base_game.evaluate(
        option, game=game, house_way=house_way(TINY.house_way), strategy=OPTIMAL
    )
    row = next(row for row in found.rows if row.event == "win_dealer_two_jacks")
    jacks = sum(comb(4, held) * comb(13, 4 - held) for held in (2, 3, 4)) * comb(13, 4)
    assert row.combinations == jacks
    assert row.contribution == Fraction(3, 2) * row.probability
