"""Rounded commissions and collection fees: exact for every wager, against coins laid down."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from certify.engine.main import evaluate as base_game
from certify.errors import NotConfigured
from certify.model.game import Strategy
from certify.model.main_wager import MainWager
from certify.model.paytable import CollectionFee, Commission, FeeBand, Rounding
from certify_recount.files import Files
from certify_recount.main_wager import Option
from tests.declared_files import write_files
from tests.engine.small_games import (
    FEW,
    FIVE_PERCENT,
    HOUSE,
    OPTIMAL,
    TINY,
    catalog,
    compare,
    declared_options,
    evaluate_tiny,
    fresh_counts,
    get_main,
    house_way,
)
from tests.oracle import main_wager as oracle

__all__ = ("fresh_counts",)

PLAYS = [(True, HOUSE), (True, OPTIMAL), (False, OPTIMAL)]
BANDS = (FeeBand(from_cents=1000, cents=50), FeeBand(from_cents=10001, cents=100))


def build_option(wager: int, fee: tuple[FeeBand, ...] = (), **commission: object) -> MainWager:
    declared = declared_options("pai-gow-mania")[0]
    return replace(
        declared,
        commission=Commission(rate=FIVE_PERCENT, **commission),  # type: ignore[arg-type]
        fee=CollectionFee(bands=fee, text="A fee.", source=declared.source) if fee else None,
        wager_cents=wager,
    )


@pytest.mark.parametrize("prepaid", [False, True])
@pytest.mark.parametrize(("exposed", "strategy"), PLAYS, ids=["way", "exposed", "concealed"])
def test_a_rounded_commission_and_a_fee_equal_enumeration(
    strategy: Strategy, *, exposed: bool, prepaid: bool
) -> None:
    game = TINY.shrink(replace(catalog().games["pai-gow-mania"], dealer_exposed=exposed))
    for wager, rounding in product((1100, 700), Rounding):
        fee = BANDS if wager >= 1000 else ()
        option = build_option(wager, fee, prepaid=prepaid, unit_cents=25, rounding=rounding)
        rules = oracle.Option(
            commission=FIVE_PERCENT,
            prepaid=prepaid,
            wager=wager,
            coin=25,
            rounded=rounding,
            fee=50 if fee else 0,
        )
        compare(game, TINY, option, rules, strategy)


def test_a_least_commission_equals_enumeration() -> None:
    game = FEW.shrink(catalog().games["pai-gow-mania"])
    option = build_option(300, minimum_cents=25)
    rules = oracle.Option(commission=FIVE_PERCENT, wager=300, least=25)
    compare(game, FEW, option, rules, HOUSE)


@pytest.mark.parametrize(
    ("wager", "rounding", "taken"),
    [
        # Counted out by hand: 5% in coins of 25 cents.
        (500, Rounding.UP, 25),
        (501, Rounding.UP, 50),
        (700, Rounding.UP, 50),
        (700, Rounding.DOWN, 25),
        (700, Rounding.NEAREST, 25),
        (750, Rounding.NEAREST, 50),
        (100, Rounding.DOWN, 0),
    ],
)
def test_a_commission_is_rounded_to_coins(wager: int, rounding: Rounding, taken: int) -> None:
    option = build_option(wager, unit_cents=25, rounding=rounding)
    assert option.net_of_a_win(None) == 1 - Fraction(taken, wager)
    files = Files(write_files(catalog().games["pai-gow-mania"], option))
    declared = files.option(option.target)
    assert Option(declared).win(declared.win_pays) == 1 - Fraction(taken, wager)


def test_the_edge_is_given_at_the_wagers_that_decide() -> None:
    option = build_option(1100, BANDS, unit_cents=25)
    found = evaluate_tiny(option)
    edges = {at.wager_cents: at.house_edge for at in get_main(found).by_wager}
    # 25 cents are 5% of $5, which is below the first band.
    assert sorted(edges) == [1000, 1100, 10001]
    assert edges[1100] == found.house_edge
    for wager, edge in edges.items():
        assert evaluate_tiny(option.scale_to(wager)).house_edge == edge
    plain = evaluate_tiny(build_option(1)).house_edge
    assert plain is not None
    assert edges[1000] == plain + Fraction(50, 1000)
    assert get_main(evaluate_tiny(option, strategy=OPTIMAL)).by_wager == ()


def test_no_edge_is_given_at_a_wager_that_the_limits_exclude() -> None:
    option = build_option(1100, BANDS, unit_cents=25)
    game = TINY.shrink(catalog().games["pai-gow-mania"])

    def wagers(least: int | None, largest: int | None) -> list[int]:
        limited = tuple(
            replace(each, minimum_cents=least, maximum_cents=largest) for each in game.wagers
        )
        way = house_way(TINY.house_way)
        found = base_game.evaluate(
            option, game=replace(game, wagers=limited), house_way=way, strategy=HOUSE
        )
        return [at.wager_cents for at in get_main(found).by_wager]

    assert wagers(None, None) == [1000, 1100, 10001]
    assert wagers(1050, 10000) == [1050, 1100]
    assert wagers(None, 1100) == [1000, 1100]


def test_a_commission_without_rounding_does_not_depend_on_the_wager() -> None:
    option = build_option(500)
    assert option.scale_to(700) is option
    assert get_main(evaluate_tiny(option)).by_wager == ()
    assert {assumption.id for assumption in evaluate_tiny(option).assumptions} >= {
        "exact-commission"
    }


def test_the_wager_of_the_figures_is_stated() -> None:
    option = replace(build_option(1100, BANDS, unit_cents=25, minimum_cents=25), assumptions=())
    said = {assumption.id: assumption.text for assumption in evaluate_tiny(option).assumptions}
    assert said["rounded-commission"] == (
        "A commission of 5% rounded up to $0.25, at least $0.25 is counted as it is taken of a "
        "wager of $11."
    )
    assert said["collection-fee"].startswith("A collection fee of $0.50 is paid in every round")
    assert "exact-commission" not in said


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (replace(build_option(1), wager_cents=None, commission=Commission(
            rate=FIVE_PERCENT, unit_cents=25)), "none is declared"),
        (build_option(999, BANDS), r"at least \$10"),
        (build_option(10001, BANDS[::-1]), "do not rise"),
        (replace(build_option(1000, unit_cents=25),
                 raise_=declared_options("mini-pai-gow")[0].raise_), "has a raise"),
    ],
)  # fmt: skip
def test_what_has_no_share_of_the_wager_is_refused(option: MainWager, words: str) -> None:
    with pytest.raises(NotConfigured, match=words):
        evaluate_tiny(option)
