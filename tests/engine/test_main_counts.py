import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.engine.main import evaluate as base_game
from certify.engine.main.countable import WORTH_BITS, find_unit
from certify.errors import InvariantBroken, NotConfigured
from certify.intake.decode import decode
from certify.kernels.features import Shape
from certify.model.condition import AllOf, FeatureTest, Not
from certify.model.game import Deck, Game, HandShape, Strategy
from certify.model.house_way import HouseWay, nothing_set
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, Payout
from certify.words.rankings import front_name
from tests.catalog import catalog

FIXTURES = Path(__file__).parents[2] / "fixtures"
Record = dict[str, Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_CACHE", str(tmp_path))
    return tmp_path / "counts"


def small(name: str) -> Game:
    """A declared game on nine to ace and the joker, four cards set three and one."""
    game = catalog().games[name]
    hands = replace(
        game.hands, deck=Deck(ranks=6, joker=True), shape=HandShape(cards=4, back=3, front=1)
    )
    return replace(game, hands=hands)


def find_option(name: str, option: int = 0) -> MainWager:
    return next(wager.options for wager in catalog().games[name].wagers if wager.id == "main")[
        option
    ]


def record() -> Record:
    path = FIXTURES / "house-ways" / "short-hands-one-card.json"
    found: Record = json.loads(path.read_text(encoding="utf-8"))
    return found


def refuse(
    name: str = "emperors-challenge-exposed",
    *,
    option: MainWager | None = None,
    game: Game | None = None,
    way: HouseWay | None = None,
    strategy: Strategy = Strategy.HOUSE_WAY,
) -> NotConfigured:
    with pytest.raises(NotConfigured) as raised:
        base_game.evaluate(
            option or find_option(name),
            game=game or small(name),
            house_way=way or decode("house-way", record()),
            strategy=strategy,
        )
    assert raised.value.exit_code == 2
    return raised.value


# House ways


def incomplete(way: Record) -> None:
    way["sections"].pop(0)


def fouling(way: Record) -> None:
    way["sections"][1]["base"]["front"] = "highest_singleton"


def sent_nowhere(way: Record) -> None:
    del way["sections"][1]["exceptions"][0]["front"]
    way["sections"][1]["exceptions"][0]["by"] = "pairs"


CANNOT = "The house way short-hands-one-card cannot be used. "
NAMES = "Use the id of a section or rule of this house way, once."


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize(
    ("spoil", "message", "remedy"),
    [
        (
            incomplete,
            "No section matches this hand. Example: Qs Jh Td 9c.",
            "Widen the condition of the section for this hand.",
        ),
        (
            fouling,
            "The rule others.base applies, but its low hand fouls the hand. Example: Ks Qh Td 9c.",
            "Use a lower low hand for such hands.",
        ),
        (
            sent_nowhere,
            "The rule others.one-pair refers to pairs, which is not a section.",
            NAMES,
        ),
    ],
)
def test_a_house_way_that_is_not_sound_gives_no_figure(
    folder: Path,
    spoil: Callable[[Record], None],
    message: str,
    remedy: str,
    strategy: Strategy,
) -> None:
    way = record()
    spoil(way)
    for name in ("emperors-challenge-exposed", "pai-gow-mania"):
        error = refuse(name, way=decode("house-way", way), strategy=strategy)
        assert (error.message, error.remedy) == (CANNOT + message, remedy)
    assert not any(folder.glob("*"))


def test_a_last_rule_that_no_hand_needs_costs_nothing() -> None:
    way = record()
    exceptions = way["sections"][1]["exceptions"]
    never = {
        "id": "others.never",
        "when": {"groups": "two_sets_of_three_of_a_kind"},
        "front": "highest_singleton",
    }
    exceptions.append({**exceptions[0], **never})
    found = base_game.evaluate(
        find_option("pai-gow-mania"),
        game=small("pai-gow-mania"),
        house_way=decode("house-way", way),
        strategy=Strategy.OPTIMAL,
    )
    assert found.main is not None
    *used, last = found.main.dealer_rule_hands
    assert (last.rule, last.hands, last.differs_from_optimal, last.cost) == (
        "others.never", 0, 0, Fraction(0),
    )  # fmt: skip
    assert all(use.hands > 0 for use in used)


def test_a_house_way_for_another_hand_is_refused() -> None:
    error = refuse(
        game=catalog().games["emperors-challenge-exposed"],
        way=catalog().house_ways["mini-pai-gow"],
    )
    assert error.message == (
        "The house way 'mini-pai-gow' sets 6 cards with 1 in the low hand; Emperor's "
        "Challenge Exposed deals 7 with 2 in the low hand."
    )
    assert error.remedy == "Choose one of: foxwoods, trump-plaza, dealer-open-pai-gow."
    other_front = replace(decode("house-way", record()), front=2)
    assert refuse(way=other_front).message == (
        "The house way 'short-hands-one-card' sets 4 cards with 2 in the low hand; Emperor's "
        "Challenge Exposed deals 4 with 1 in the low hand."
    )


def test_no_low_hand_can_tie_where_hands_are_not_divided() -> None:
    game = small("pai-gow-mania")
    game = replace(game, hands=replace(game.hands, shape=HandShape(cards=4, back=4, front=0)))
    with pytest.raises(InvariantBroken, match="low hand"):
        base_game.evaluate(
            game.wagers[0].options[0],
            game=game,
            house_way=nothing_set(4),
            strategy=Strategy.OPTIMAL,
        )


# Raises


def test_a_raise_against_an_exposed_dealer_is_refused(folder: Path) -> None:
    game = replace(small("mini-pai-gow"), dealer_exposed=True)
    for strategy in Strategy:
        error = refuse("mini-pai-gow", game=game, strategy=strategy)
        assert error.message == (
            "mini-pai-gow/main/1 has a raise against an exposed dealer, which is not counted."
        )
        assert (
            error.remedy
            == "Correct `dealer_exposed` if it is wrong; otherwise certify cannot count this raise."
        )
    assert not any(folder.glob("*"))


IMPOSSIBLE = (
    FeatureTest(feature="of_a_kind", minimum=5),
    FeatureTest(feature="jacks", minimum=5),
    FeatureTest(feature="pai_gow_high", values=("2",)),
    AllOf(
        conditions=(
            FeatureTest(feature="pairs", minimum=1),
            Not(condition=FeatureTest(feature="of_a_kind", minimum=2)),
        )
    ),
)


@pytest.mark.parametrize("qualifies", IMPOSSIBLE, ids=lambda item: type(item).__name__)
def test_a_qualifier_that_no_hand_of_the_dealer_meets_is_refused(
    folder: Path, qualifies: FeatureTest | AllOf
) -> None:
    option = find_option("mini-pai-gow")
    assert option.raise_ is not None
    option = replace(option, raise_=replace(option.raise_, qualifies=qualifies))
    for strategy in Strategy:
        error = refuse("mini-pai-gow", option=option, strategy=strategy)
        assert error.message == (
            "No hand of the dealer can qualify for Double Down: its condition never holds."
        )
        assert error.remedy == ("Correct the condition under `qualifies`, or remove the raise.")
    assert not any(folder.glob("*"))


def test_a_qualifier_that_every_hand_of_the_dealer_meets_is_counted() -> None:
    option = find_option("mini-pai-gow")
    assert option.raise_ is not None
    every = replace(option.raise_, qualifies=AllOf(conditions=()))
    found = base_game.evaluate(
        replace(option, raise_=every),
        game=small("mini-pai-gow"),
        house_way=decode("house-way", record()),
        strategy=Strategy.OPTIMAL,
    )
    rows = {row.event: row.combinations for row in found.rows}
    assert rows["win_raised"] > 0
    assert not any(event.endswith("_not_qualified") for event in rows)


def test_a_dealer_rule_of_suits_is_refused() -> None:
    option = find_option("dealer-open-pai-gow")
    for feature in ("red_cards", "one_colour", "suited_pair"):
        rule = replace(option.dealer_rules[0], when=FeatureTest(feature=feature, minimum=1))
        error = refuse("dealer-open-pai-gow", option=replace(option, dealer_rules=(rule,)))
        assert error.message == f"A dealer rule cannot ask for {feature!r}."
        assert (
            error.remedy
            == "Correct the condition if it is wrong: features of ranks, straights and flushes "
            "are counted."
        )


# Pays


@pytest.mark.parametrize(
    ("payoffs", "deals", "unit"),
    [
        (["1/2", "-1/3", "0"], 1, 6),
        ([f"{2**20 - 1}"], 1, 1),
        ([f"-{2**20}"], 1, None),
        ([f"{2**19}/3", "1/2"], 1, None),
        (["1"], 2**62 - 1, 1),
        (["1", "-1/2"], 2**61, None),
    ],
)
def test_payoffs_of_which_sums_fit_the_arrays_have_a_unit(
    payoffs: list[str], deals: int, unit: int | None
) -> None:
    option = find_option("emperors-challenge-exposed")
    stated = [Fraction(payoff) for payoff in payoffs]
    if unit is not None:
        assert find_unit(option, stated, deals, 1 << WORTH_BITS) == unit
        return
    with pytest.raises(NotConfigured, match="too many digits"):
        find_unit(option, stated, deals, 1 << WORTH_BITS)


def test_optimal_play_for_a_win_that_costs_the_player_is_refused() -> None:
    """With a win of -1/2 a push is better than a win, so a hand that wins is not set at best."""
    option = find_option("emperors-challenge-exposed")
    costly = replace(option, win_pays=Payout(basis=Basis.FOR, amount=Fraction(1, 2)))
    error = refuse(option=costly, strategy=Strategy.OPTIMAL)
    assert (error.message.partition(". ")[0], error.pointer) == (
        f"A win of {option.target} nets less than a push",
        "/win_pays",
    )


# Rows


def test_a_dealer_rule_with_the_id_of_another_row_gives_no_figure() -> None:
    option = find_option("emperors-challenge-exposed", 1)
    half = next(rule for rule in option.dealer_rules if rule.win_pays is not None)
    error = refuse(option=replace(option, dealer_rules=(replace(half, id="win"),)))
    assert error.message == "Two outcomes of a round have the name 'win'."


def test_a_front_is_named_by_its_ranks() -> None:
    ace_king, pair, lone_king, joker = 13 << 16 | 12 << 12, 1 << 20 | 9 << 16, 12 << 16, 14 << 16
    names = [front_name(key, Shape()) for key in (ace_king, pair, lone_king, joker)]
    assert names == ["A-K", "T", "K", "Jk"]
