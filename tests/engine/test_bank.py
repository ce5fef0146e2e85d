"""A player's bank: the player's side of the ties, against enumeration and against the mirror."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from certify.errors import NotConfigured
from certify.figures.crosscheck import CrosscheckRequest, _Run
from certify.figures.targets import Selection
from certify.model.analysis import Analysis, BankAnalysis
from certify.model.comparison import CrossCheck
from certify.model.game import Strategy
from certify.model.main_wager import Bank, MainWager, Tie, Ties
from certify.report.evidence import analysis_json
from tests.declared_files import with_files, write_files
from tests.engine.small_games import (
    FIVE_PERCENT,
    HOUSE,
    OPTIMAL,
    TINY,
    build_everything,
    catalog,
    declared_options,
    evaluate_tiny,
    fresh_counts,
    get_main,
    house_way,
    tally,
)
from tests.oracle import main_wager as oracle

__all__ = ("fresh_counts",)


def build_option(share: Fraction, ties: Ties | None = None) -> MainWager:
    declared = declared_options("pai-gow-mania")[0]
    bank = Bank(share=share, text="A player may bank.", source=declared.source)
    return replace(declared, bank=bank, ties=ties or Ties())


def get_bank(analysis: Analysis) -> BankAnalysis:
    bank = get_main(analysis).bank
    assert bank is not None
    return bank


@pytest.mark.parametrize("strategy", [HOUSE, OPTIMAL])
@pytest.mark.parametrize(
    ("ties", "banked"),
    [
        (Ties(), ("player", "player")),
        (Ties(high=Tie.PLAYER, low=Tie.OTHER_HAND), ("dealer", "other_hand")),
    ],
    ids=["to the banker", "shared"],
)
def test_banked_rounds_equal_enumeration(
    ties: Ties, banked: tuple[str, str], strategy: Strategy
) -> None:
    found = evaluate_tiny(build_option(Fraction(1, 3), ties), strategy)
    rules = oracle.Option(commission=FIVE_PERCENT, high_tie=banked[0], low_tie=banked[1])
    game = TINY.shrink(replace(catalog().games["pai-gow-mania"], dealer_exposed=False))
    expected = oracle.figures(rules, tally(game, TINY, rules, strategy))
    bank = get_bank(found)
    assert {row.event: row.combinations for row in bank.rows if row.combinations} == expected.rows
    assert bank.house_edge == expected.house_edge
    assert found.house_edge is not None
    assert bank.combined_edge == found.house_edge * Fraction(2, 3) + bank.house_edge / 3


def test_by_one_house_way_a_bank_without_commission_turns_the_edge_round() -> None:
    found = evaluate_tiny(replace(build_option(Fraction(1, 2)), commission=None))
    assert found.house_edge is not None
    assert found.house_edge > 0
    assert get_bank(found).house_edge == -found.house_edge
    assert get_bank(found).combined_edge == 0


def test_a_bank_is_written_with_its_exact_figures() -> None:
    found = evaluate_tiny(build_option(Fraction(1, 2)))
    written = analysis_json(found)["bank"]
    assert written["share"] == "1/2"
    edge = get_bank(found).house_edge
    assert written["house_edge"] == f"{edge.numerator}/{edge.denominator}"
    assert len(written["rows"]) == len(get_bank(found).rows)
    assert "bank" not in analysis_json(evaluate_tiny(replace(build_option(Fraction(1)), bank=None)))
    assert "base-bank" in {assumption.id for assumption in found.assumptions}


def test_a_bank_that_is_not_counted_is_refused() -> None:
    bank = build_option(Fraction(1, 2)).bank
    with pytest.raises(NotConfigured, match="only for a concealed dealer"):
        evaluate_tiny(replace(build_everything(prepaid=False)[0], raise_=None, bank=bank))
    with pytest.raises(NotConfigured, match="only for a concealed dealer"):
        evaluate_tiny(build_option(Fraction(1, 2)), exposed=True)
    with pytest.raises(NotConfigured, match="cannot bank 3/2"):
        evaluate_tiny(build_option(Fraction(3, 2)))


def crosscheck(option: MainWager, *, exposed: bool = False) -> tuple[CrossCheck, ...]:
    known = catalog()
    way = house_way(TINY.house_way)
    game = TINY.shrink(replace(known.games["pai-gow-mania"], dealer_exposed=exposed))
    game = replace(game, house_ways=(way.id,))
    known = replace(known, house_ways={**known.house_ways, way.id: way})
    wager = next(wager for wager in game.wagers if wager.id == option.wager)
    known = with_files(known, write_files(game, option, house_way=way))
    selection = Selection(catalog=known, game=game, records=((wager, option),))
    return _Run(selection, CrosscheckRequest(target=option.target, again=True)).checks(option)


@pytest.mark.parametrize("ties", [Ties(), Ties(high=Tie.PUSH, low=Tie.OTHER_HAND)], ids=str)
def test_banked_rounds_are_counted_a_second_time(ties: Ties) -> None:
    option = build_option(Fraction(1, 2), ties)
    for check, strategy in zip(crosscheck(option), Strategy, strict=True):
        assert all(comparison.agrees for comparison in check.comparisons)
        other = {comparison.event: comparison.other for comparison in check.comparisons}
        bank = get_bank(evaluate_tiny(option, strategy))
        assert other["banked_house_edge"] == bank.house_edge
        assert other["banked_win"] == Fraction(bank.rows[0].combinations, check.rounds)
        if ties == Ties():
            assert other["banked_win"] != other["win"]
