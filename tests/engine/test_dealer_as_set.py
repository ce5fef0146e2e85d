from collections.abc import Callable
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.engine.main import dealer_labels
from certify.engine.main import evaluate as base_game
from certify.engine.main.countable import refuse_uncountable
from certify.engine.main.counts import label_play
from certify.engine.main.dealer_labels import count_together
from certify.errors import NotConfigured
from certify.explanations.cases import DEALER_RULE, main_cases
from certify.explanations.main import explain_main
from certify.intake.decode import condition
from certify.model.analysis import RowAnalysis
from certify.model.game import Game, Strategy, WheelRule
from certify.model.main_wager import DealerRule, MainWager, Outcome, Raise
from certify.model.paytable import Basis, Payout
from tests.engine.small_games import (
    COMPLETE,
    FEW,
    HOUSE,
    ONE_CARD,
    OPTIMAL,
    TINY,
    TWO_CARDS,
    WAYS,
    Small,
    catalog,
    compare,
    declared_options,
    fresh_counts,
    house_way,
    other_ways,
)
from tests.marks import further
from tests.oracle import main_wager as oracle
from tests.oracle.two_hands import JOKERS, Setting
from tests.oracle.two_hands import Game as SmallGame

__all__ = ("fresh_counts",)

HALF = Payout(basis=Basis.TO, amount=Fraction(1, 2))


def is_set_so(deck: Small, asked: Callable[[int, Setting], bool]) -> oracle.Holds:
    """Return a test of a hand as the house way sets it; it also gets the number of the ace."""
    way = WAYS[deck.house_way]
    return lambda game, hand: asked(game.ranks - 1, way(game, hand))


def build_option(deck: Small, *, raised: bool = False) -> tuple[MainWager, oracle.Option]:
    """A low king pushes; a high hand of nothing loses; against one pair a win pays 1 to 2.

    The raise has action against a low hand of a queen or less.
    """
    base = declared_options("pai-gow-mania")[0]
    rule = declared_options("emperors-challenge-exposed")[0].dealer_rules[0]

    def when(name: str, declared: dict[str, object], **ends: object) -> DealerRule:
        return replace(rule, id=name, when=condition(declared), **{"outcome": None, **ends})

    rules = (
        when("push_low_king", {"low_hand": {"pai_gow_high": "K"}}, outcome=Outcome.PUSH),
        when(
            "lose_high_nothing",
            {"high_hand": {"of_a_kind": 1, "not": COMPLETE}, "joker": False},
            outcome=Outcome.LOSE,
        ),
        when(
            "win_high_pair",
            {"high_hand": {"of_a_kind": 2, "pairs": 1, "not": COMPLETE}},
            win_pays=HALF,
        ),
    )
    raise_ = Raise(
        id="double",
        name="Double",
        size=Fraction(2),
        qualifies=condition({"low_hand": {"pai_gow_high": {"max": "Q"}}}),
        text="It.",
        source=rule.source,
    )
    option = replace(
        base, commission=None, dealer_rules=rules, raise_=raise_ if raised else None, id="as-set"
    )
    expected = oracle.Option(
        rules=(
            oracle.Rule(
                "push_low_king",
                is_set_so(deck, lambda ace, hand: hand[1] == (0, replace_top(ace - 1, hand[1]))),
                "push",
            ),
            oracle.Rule(
                "lose_high_nothing",
                lambda game, hand: (
                    is_set_so(deck, lambda _, item: item[0][0] == 0)(game, hand)
                    and all(rank is not None for rank, _ in hand)
                ),
                "lose",
            ),
            oracle.Rule(
                "win_high_pair",
                is_set_so(deck, lambda _, hand: hand[0][0] == 1),
                pays=Fraction(1, 2),
            ),
        ),
        raise_size=2 if raised else 0,
        qualifies=is_set_so(deck, lambda ace, hand: hand[1][0] == 0 and hand[1][1][0] <= ace - 2),
    )
    return option, expected


def replace_top(top: int, low: tuple[int, tuple[int, ...]]) -> tuple[int, ...]:
    """A low hand's ranks with this one as the highest."""
    return (top, *low[1][1:])


def build_game(deck: Small, *, seen: bool = True) -> Game:
    game = catalog().games["emperors-challenge-exposed"]
    return deck.shrink(replace(game, dealer_exposed=seen))


@pytest.mark.parametrize(
    ("deck", "seen", "strategy"),
    [
        (FEW, True, HOUSE),
        (FEW, True, OPTIMAL),
        (TINY, False, OPTIMAL),
        *further([(TWO_CARDS, True, HOUSE), (TWO_CARDS, True, OPTIMAL)]),
    ],
)
def test_rules_on_set_hands_equal_enumeration(
    deck: Small, strategy: Strategy, *, seen: bool
) -> None:
    option, rules = build_option(deck)
    _, expected = compare(build_game(deck, seen=seen), deck, option, rules, strategy)
    # A rule that never applies would prove nothing. On the other decks every hand without a pair
    # holds three in sequence.
    apply = {rule.id for rule in rules.rules if deck is FEW or rule.id != "lose_high_nothing"}
    assert apply <= set(expected.rows)


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
def test_a_raise_that_a_set_hand_qualifies_for_equals_enumeration(strategy: Strategy) -> None:
    option, rules = build_option(FEW, raised=True)
    _, expected = compare(build_game(FEW, seen=False), FEW, option, rules, strategy)
    assert expected.average_wager is not None
    assert 1 < expected.average_wager < 3


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
@pytest.mark.parametrize("changed", ["house way", "dealer rules", "wheel", "all"])
def test_a_play_is_counted_by_the_hands_that_are_set_or_labeled_otherwise(
    changed: str, strategy: Strategy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    option, _ = build_option(FEW)
    game, way, other = build_game(FEW), house_way(FEW.house_way), option
    changed_game = game
    if changed in {"wheel", "all"}:
        changed_game = replace(game, hands=replace(game.hands, wheel=WheelRule.LOWEST))
    if changed in {"house way", "all"}:
        way = other_ways()["highest"]
    if changed in {"dealer rules", "all"}:
        queen = condition({"low_hand": {"pai_gow_high": "Q"}})
        other = replace(option, dealer_rules=(
            replace(option.dealer_rules[0], when=queen), *option.dealer_rules[1:]
        ))  # fmt: skip
    known = label_play(option, game=game, house_way=house_way(FEW.house_way), strategy=strategy)
    rows = {}
    for name, start in (("known", None), ("whole", None), ("by changes", known)):
        monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path / name))
        play = (option, game, house_way(FEW.house_way))
        if name != "known":
            play = (other, changed_game, way)
        rows[name] = base_game.evaluate(
            play[0], game=play[1], house_way=play[2], strategy=strategy, base=start
        ).rows
    assert rows["by changes"] == rows["whole"]
    assert rows["whole"] != rows["known"]


def test_plays_in_which_only_the_dealer_differs_are_counted_in_one_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    option, _ = build_option(FEW)
    game, base = build_game(FEW), house_way(FEW.house_way)
    queen = replace(option.dealer_rules[0], when=condition({"low_hand": {"pai_gow_high": "Q"}}))
    relabeled = replace(option, dealer_rules=(queen, *option.dealer_rules[1:]))
    plays = [
        (rules, way, strategy)
        for rules in (option, relabeled)
        for way in (base, *other_ways().values())
        for strategy in (OPTIMAL, HOUSE)
    ]

    def find_rows(place: str) -> list[tuple[RowAnalysis, ...]]:
        monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path / place))
        return [
            base_game.evaluate(rules, game=game, house_way=way, strategy=strategy).rows
            for rules, way, strategy in plays
            if strategy is OPTIMAL
        ]

    alone = find_rows("alone")
    labeled = [
        label_play(rules, game=game, house_way=way, strategy=strategy)
        for rules, way, strategy in plays
    ]
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path / "together"))
    count_together(labeled, labeled[0])
    monkeypatch.delattr(dealer_labels, "_count")
    assert find_rows("together") == alone
    assert len(set(alone)) == len(alone)


def test_each_rule_is_shown_and_explained_as_it_is_set() -> None:
    option, rules = build_option(FEW)
    game, way = build_game(FEW, seen=False), house_way(FEW.house_way)
    small = oracle_game()
    cases = [
        main_case
        for main_case in main_cases(option, game=game, house_way=way)
        if main_case.kind == DEALER_RULE
    ]
    assert [case.settlement.decided_by for case in cases if case.settlement] == [
        "push_low_king",
        "lose_high_nothing",
        "win_high_pair",
    ]
    for case in cases:
        assert case.dealer is not None
        explained = explain_main(
            option, game=game, house_way=way, player=case.player, dealer=case.dealer
        )
        hand = tuple(
            JOKERS[0] if card == "Jk" else ("9TJQKA".index(card[0]), "cdhs".index(card[1]))
            for card in case.dealer
        )
        held = [rule.holds(small, hand) for rule in rules.rules]
        assert [trial.holds for trial in explained.dealer_rules] == held
        assert explained.settlement is not None
        assert explained.settlement.decided_by == next(
            rule.id for rule, holds in zip(rules.rules, held, strict=True) if holds
        )
    reasons = [trial.reason for trial in explained.dealer_rules if not trial.holds]
    assert any("low hand" in reason for reason in reasons)


def oracle_game() -> SmallGame:
    return SmallGame(FEW.ranks, FEW.joker, FEW.cards, FEW.front)


def test_more_kinds_of_hands_than_are_distinguished_are_refused() -> None:
    option, _ = build_option(FEW)
    many = tuple(
        replace(option.dealer_rules[0], id=f"push_{feature}_{rank}",
                when=condition({part: {feature: rank}}))
        for part, feature in (("low_hand", "pai_gow_high"), ("high_hand", "highest_pair"))
        for rank in "9TJQKA"
    )  # fmt: skip
    with pytest.raises(NotConfigured, match="more than 8 kinds of hands apart"):
        base_game.evaluate(
            replace(option, dealer_rules=many),
            game=build_game(FEW),
            house_way=house_way(FEW.house_way),
            strategy=HOUSE,
        )


def test_what_is_refused() -> None:
    option, _ = build_option(ONE_CARD)
    game = build_game(ONE_CARD)
    refuse_uncountable(option, game=game)
    red = replace(option.dealer_rules[0], when=condition({"red_cards": 2}))
    with pytest.raises(NotConfigured, match="cannot ask for 'red_cards'"):
        refuse_uncountable(replace(option, dealer_rules=(red,)), game=game)
    never = replace(option.dealer_rules[0], when=condition({"low_hand": {"red_cards": 2}}))
    with pytest.raises(NotConfigured, match=r"no feature 'low_hand\.red_cards'"):
        refuse_uncountable(replace(option, dealer_rules=(never,)), game=game)
    idle = condition({"low_hand": {"pai_gow_high": "2"}})
    raised, _ = build_option(FEW, raised=True)
    assert raised.raise_ is not None
    concealed = build_game(FEW, seen=False)
    for largest, refused in ((-1, True), (0, True), (1, False)):
        sizes = replace(raised.raise_, largest=raised.raise_.size + largest)
        with pytest.raises(NotConfigured, match="not above the") if refused else nullcontext():
            refuse_uncountable(replace(raised, raise_=sizes), game=concealed)
    with pytest.raises(NotConfigured, match="No hand of the dealer can qualify"):
        base_game.evaluate(
            replace(raised, raise_=replace(raised.raise_, qualifies=idle)),
            game=concealed,
            house_way=house_way(FEW.house_way),
            strategy=HOUSE,
        )
