"""Returns of the wagers, and sums of rounds."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from certify.commands.monitor import Outcomes, convolve, list_outcomes
from certify.engine.bonus import assumptions, evaluate
from certify.errors import NotConfigured
from certify.figures.audit import recompute, recompute_as_read
from certify.model.analysis import Analysis
from certify.model.catalog import Catalog
from certify.model.game import Game
from certify.model.paytable import Award, Basis, EnvyTable, HandOf, Payout, Paytable, Row
from certify.model.source import PublishedFigure, Quantity, Reading
from certify.report.evidence import analysis_json

EMPEROR = "emperors-challenge-exposed"
FLAT = f"{EMPEROR}/emperors-treasure/PT-FLT-EC-ET-01"
LEVELS = f"{EMPEROR}/emperors-treasure-multi-level-progressive/PT-PRG-MLP-ET-01"
DYNAMIC = f"{EMPEROR}/emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D01"
DRAW_OF_NINE_HIGH = f"{EMPEROR}/pai-gow-insurance-progressive/PT-BJS-EC-PGI-01"
DECK = comb(53, 7)


def paytables(catalog: Catalog) -> dict[str, tuple[Game, Paytable, EnvyTable | None]]:
    return {
        paytable.target: (
            game,
            paytable,
            next((envy for envy in wager.envies if envy.id == paytable.envy), None),
        )
        for game in catalog.games.values()
        for wager in game.wagers
        for paytable in wager.paytables
    }


def analyse(catalog: Catalog, target: str, **meters: Fraction) -> Analysis:
    game, paytable, envy = paytables(catalog)[target]
    levels = {level.removeprefix("level_"): amount for level, amount in meters.items()}
    return evaluate(paytable, events=catalog.events, hands=game.hands, envy=envy, meters=levels)


@pytest.fixture(scope="module")
def analyses(catalog: Catalog) -> Mapping[str, Analysis]:
    return {target: analyse(catalog, target) for target in paytables(catalog)}


def round_as_printed(value: Fraction, printed: str) -> str:
    """Round to the printed precision, exact halves away from zero."""
    digits = printed.replace(",", "")
    if digits.endswith("%"):
        digits, value = digits[:-1], value * 100
    places = len(digits.partition(".")[2])
    scaled = abs(value) * 10**places
    assert scaled.denominator != 2, "a printed figure would show which way halves are rounded"
    whole = str(int(scaled + Fraction(1, 2))).rjust(places + 1, "0")
    text = f"{whole[:-places]}.{whole[-places:]}" if places else whole
    return f"-{text}" if value < 0 and int(whole) else text


def printed_digits(figure: PublishedFigure) -> str:
    return figure.printed.replace(",", "").removesuffix("%")


def test_every_printed_figure(catalog: Catalog, analyses: Mapping[str, Analysis]) -> None:
    wrong = []
    figures = [
        figure
        for item in catalog.published.values()
        for figure in item
        if figure.house_way is None  # a figure of a main wager: tests/commands/test_audit.py
    ]
    for figure in figures:
        value = recompute(figure, analyses)
        agrees = value is not None and round_as_printed(value, figure.printed) == printed_digits(
            figure
        )
        if figure.reading is None and not agrees:
            wrong.append((figure.id, value))
        if figure.reading is not None:
            read = recompute_as_read(figure, analyses)
            if (
                agrees
                or read is None
                or round_as_printed(read, figure.printed) != printed_digits(figure)
            ):
                wrong.append((figure.id, read))
    assert wrong == []
    assert len(figures) >= 286


def test_a_reading_rounds_the_chance_of_every_paid_row(
    catalog: Catalog, analyses: Mapping[str, Analysis]
) -> None:
    """Round to millionths, half up, in whole numbers; the remainder is lost."""
    printed = catalog.published["pai-gow-mania"][0]
    figure = replace(
        printed, target=FLAT, quantity=Quantity.HOUSE_EDGE, reading=Reading(decimals=6)
    )
    paid = [(row.combinations, row.contribution / row.probability)
            for row in analyses[FLAT].rows[:-1]]  # fmt: skip
    rounded_up = [((2 * 10**6 * hands + DECK) // (2 * DECK), pay) for hands, pay in paid]
    left = 10**6 - sum(millionths for millionths, _ in rounded_up)
    gain = sum(millionths * pay for millionths, pay in rounded_up) - left
    assert recompute_as_read(figure, analyses) == -gain / 10**6 != analyses[FLAT].house_edge


def test_rows_sum_to_the_deck(analyses: Mapping[str, Analysis]) -> None:
    for target, analysis in analyses.items():
        assert sum(row.combinations for row in analysis.rows) == analysis.total, target
        assert sum(row.probability for row in analysis.rows) == 1, target
        assert analysis.rows[-1].event == "all_other"
        assert analysis.hit_frequency <= 1
        if analysis.envy is not None:
            assert sum(row.combinations for row in analysis.envy.rows) == analysis.total, target
            assert sum(row.probability for row in analysis.envy.rows) == 1, target
        if analysis.house_edge is not None and analysis.return_to_player is not None:
            assert sum(row.contribution for row in analysis.rows) == -analysis.house_edge
            assert analysis.return_to_player + analysis.house_edge == 1


def test_figures_of_one_paytable_from_its_printed_combinations(
    analyses: Mapping[str, Analysis],
) -> None:
    """Combinations: Dynasty Detailed Return Table for Pay Table 3; pays: Appendix C."""
    pays = {
        32: 5000, 72: 1000, 196: 750, 1_128: 250, 26_020: 100, 184_644: 50, 307_472: 20,
        4_188_528: 5, 6_172_088: 4, 7_672_500: 3, 11_034_204: 2, 2_862_000: 0,
    }  # fmt: skip
    losing = DECK - sum(pays)
    analysis = analyses[FLAT]
    gain = sum(hands * pay for hands, pay in pays.items()) - losing
    squares = sum(hands * pay**2 for hands, pay in pays.items()) + losing
    assert [row.combinations for row in analysis.rows] == [*pays, losing]
    assert analysis.house_edge == Fraction(-gain, DECK)
    assert analysis.variance == Fraction(squares, DECK) - Fraction(gain, DECK) ** 2
    assert analysis.hit_frequency == Fraction(sum(pays) - 2_862_000, DECK)
    assert list_outcomes(analysis).hands == {pay: hands for hands, pay in pays.items()} | {
        -1: losing
    }
    assert analysis.top_award == 5000
    assert [row.pays for row in analysis.rows[-2:]] == ["push", "loss"]
    assert analysis.envy is not None
    assert analysis.envy.rows[0].pays == "$1,000"
    assert analysis.envy.house_edge_by_players[1] == analysis.house_edge
    assert (
        analysis.envy.house_edge_by_players[4]
        == analysis.house_edge - 3 * analysis.envy.per_other_player
    )


def test_a_progressive_return_is_linear_in_its_meters(catalog: Catalog) -> None:
    """Combinations: 228 seven-card straight flushes, 1,128 five aces, 26,092 royal flushes."""
    without = analyse(catalog, LEVELS)
    assert without.return_to_player is None
    assert without.house_edge is None
    assert without.variance is None
    assert without.progressive is not None
    weights = [meter.weight for meter in without.progressive.meters]
    assert weights == [Fraction(hands, DECK) for hands in (228, 1_128, 26_092)]
    for meter in without.progressive.meters:
        assert without.progressive.fixed_return + meter.weight * meter.break_even == 1
        assert meter.amount is None
    some = analyse(catalog, LEVELS, level_1=Fraction(100_000))
    assert some.return_to_player is None
    levels = (Fraction(100_000), Fraction(20_000), Fraction(1_500))
    whole = analyse(catalog, LEVELS, level_1=levels[0], level_2=levels[1], level_3=levels[2])
    assert whole.return_to_player == without.progressive.fixed_return + sum(
        weight * level for weight, level in zip(weights, levels, strict=True)
    )


def test_shares_of_one_meter_add_up(analyses: Mapping[str, Analysis]) -> None:
    progressive = analyses[DRAW_OF_NINE_HIGH].progressive
    assert progressive is not None
    (meter,) = progressive.meters
    row = {item.event: item.probability for item in analyses[DRAW_OF_NINE_HIGH].rows}
    assert meter.weight == row["nine_high_pai_gow_one_colour"] + row["nine_high_pai_gow"] / 10
    assert meter.hit_probability == Fraction(31_080, DECK)


def test_dynamic_pays_are_given_as_a_range(analyses: Mapping[str, Analysis]) -> None:
    """Least: the full house at $3 for $2 or less; greatest: the three best rows at their best."""
    analysis = analyses[DYNAMIC]
    assert analysis.dynamic is not None
    chance = {row.event: row.probability for row in analysis.rows}
    steps = {
        "royal_flush": (100, 1800), "straight_flush": (15, 270),
        "four_of_a_kind": (10, 180), "full_house": (1, 18),
    }  # fmt: skip
    least = [chance[event] * step for event, (step, _) in steps.items()]
    greatest = sorted((chance[event] * step for event, (_, step) in steps.items()), reverse=True)
    assert analysis.dynamic.least == min(least)
    assert analysis.dynamic.greatest == sum(greatest[:3])
    assert [len(row.change) for row in analysis.dynamic.rows] == [10] * 4


def row(event: str, pays: int) -> Row:
    return Row(event=event, name=event, payout=Payout(basis=Basis.TO, amount=Fraction(pays)))


def test_order_of_award_is_the_tables_or_that_of_the_hands(catalog: Catalog) -> None:
    """201,824 hands are three of a kind and a straight (a difference of two published readings)."""
    game, paytable, _ = paytables(catalog)[FLAT]
    rows = (
        row("flush", 4), row("full_house", 5), row("four_of_a_kind", 20),
        row("three_of_a_kind", 3), row("straight", 2),
    )  # fmt: skip
    counts = {}
    for award in Award:
        analysis = evaluate(
            replace(paytable, rows=rows, award=award, envy=None),
            events=catalog.events,
            hands=game.hands,
        )
        counts[award] = {item.event: item.combinations for item in analysis.rows}
    printed, ranked = counts[Award.FIRST_ROW_CONTAINED], counts[Award.HIGHEST_RANKING_HAND]
    assert printed["three_of_a_kind"] - ranked["three_of_a_kind"] == 201_824
    assert ranked["straight"] - printed["straight"] == 201_824
    assert printed["all_other"] == ranked["all_other"]
    assert ranked["four_of_a_kind"] > printed["four_of_a_kind"]


def test_what_does_not_fit_is_refused(catalog: Catalog) -> None:
    game, paytable, _ = paytables(catalog)[FLAT]
    events = catalog.events

    def refused(changed: Paytable, message: str, **meters: Fraction) -> None:
        with pytest.raises(NotConfigured, match=message):
            evaluate(changed, events=events, hands=game.hands, meters=meters)

    refused(replace(paytable, rows=(row("six_aces", 1),)), "no event 'six_aces'")
    refused(paytable, "has no meter 'grand'", grand=Fraction(1))
    refused(replace(paytable, hand=HandOf.BOTH), "which of the two hands")
    dealer = row("dealer_ace_high_pai_gow_with_joker", 10)
    refused(replace(paytable, rows=(dealer,)), "the dealer's and the player's hand")
    _, levels, _ = paytables(catalog)[LEVELS]
    refused(replace(levels, rows=levels.rows[1:]), "Meter 1 .* is paid by no row")
    nothing = replace(levels.rows[0], payout=replace(levels.rows[0].payout, amount=Fraction(0)))
    refused(replace(levels, rows=(nothing, *levels.rows[1:])), "Meter 1 .* is paid to no hand")
    _, dynamic, _ = paytables(catalog)[DYNAMIC]
    refused(replace(dynamic, rows=dynamic.rows[:4]), "draws 3 of 2 rows")


def test_assumptions_accompany_the_figures(analyses: Mapping[str, Analysis]) -> None:
    for target, analysis in analyses.items():
        ids = [statement.id for statement in analysis.assumptions]
        assert len(ids) == len(set(ids)), target
        assert {"deal", "joker-rule", "award"} <= set(ids), target
    assert "draw-open" in [statement.id for statement in analyses[DYNAMIC].assumptions]
    envy = next(
        assumption for assumption in analyses[FLAT].assumptions if assumption.id == "envy-wager"
    )
    assert envy.text == (
        "The envy prizes are counted at the wager that qualifies, for each other player at the "
        "table, with or without this wager."
    )
    assert envy.effect


def test_envy_at_another_wager_is_stated(catalog: Catalog) -> None:
    game, paytable, envy = paytables(catalog)[FLAT]
    assert envy is not None
    found = assumptions(
        paytable, hands=game.hands, envy=envy, game_assumptions=(), wager_cents=2_500
    )
    assert "at the wager that is given" in found[-1].text


def test_a_top_award_can_be_a_dynamic_pay(analyses: Mapping[str, Analysis]) -> None:
    """Appendix G, D01 to D03: the royal flush pays 200 for 1, and 2,000 for 1 when it is drawn."""
    tables = "emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D0"
    awards = [analyses[f"{EMPEROR}/{tables}{number}"].top_award for number in (1, 2, 3)]
    assert awards == [1999, 1999, 1999]


def test_a_row_that_a_meter_pays_has_a_weight_and_no_return(
    analyses: Mapping[str, Analysis],
) -> None:
    """Appendix E pays 100, 50 and 25 % of the meter for 32, 72 and 196 hands."""
    analysis = analyses["emperors-challenge-exposed/emperors-treasure-progressive/PT-BJS-EC-ET-01"]
    paid = [row for row in analysis.rows if row.weight is not None]
    assert [row.weight for row in paid] == [
        Fraction(32, DECK), Fraction(36, DECK), Fraction(49, DECK),
    ]  # fmt: skip
    assert analysis.progressive is not None
    assert sum(row.weight or 0 for row in paid) == analysis.progressive.meters[0].weight
    assert ["return" in row for row in analysis_json(analysis)["rows"]] == [
        row not in paid for row in analysis.rows
    ]


# Sums of rounds: held against every sequence of outcomes, written out.


tables = st.dictionaries(
    st.fractions(min_value=-1, max_value=6, max_denominator=4),
    st.integers(1, 9),
    min_size=2,
    max_size=4,
)


def convolve_slowly(hands: dict[Fraction, int], rounds: int) -> Counter[Fraction]:
    """Return the ways to each sum, from every sequence of outcomes."""
    found: Counter[Fraction] = Counter()
    for nets in product(hands, repeat=rounds):
        ways = 1
        for net in nets:
            ways *= hands[net]
        found[sum(nets, Fraction(0))] += ways
    return found


@given(tables, st.integers(1, 5), st.fractions(min_value=-7, max_value=32, max_denominator=6))
@example(hands={Fraction(-1): 1, Fraction(1): 1}, rounds=2, result=Fraction(0))
@example(hands={Fraction(-1): 1, Fraction(1): 1}, rounds=2, result=Fraction(9))
@settings(max_examples=150, deadline=None)
def test_chance_and_bands_are_those_of_every_sequence(
    hands: dict[Fraction, int], rounds: int, result: Fraction
) -> None:
    outcomes = Outcomes(hands)
    ways = convolve_slowly(hands, rounds)
    whole = sum(ways.values())
    mean = Fraction(sum(total * many for total, many in ways.items()), whole)
    assert outcomes.mean * rounds == mean
    squares = sum((total - mean) ** 2 * many for total, many in ways.items()) / whole
    assert outcomes.moment(2) * rounds == squares
    found = convolve(outcomes, rounds, result)
    assert found is not None
    far = sum(many for total, many in ways.items() if abs(total - mean) >= abs(result - mean))
    assert found.chance == Fraction(far, whole)
    for level, (low, high) in found.bands.items():
        left = Fraction(100 - level, 200)
        under = sum(many for total, many in ways.items() if total < low)
        over = sum(many for total, many in ways.items() if total > high)
        for many, at in ((under, low), (over, high)):
            assert Fraction(many, whole) <= left <= Fraction(many + ways[at], whole)


@pytest.mark.parametrize("rounds", [10**5, 10**9])
def test_what_is_too_long_to_count_is_not_counted(rounds: int) -> None:
    outcomes = Outcomes({Fraction(-1): 19, Fraction(1): 18, Fraction(7, 3): 5})
    assert convolve(outcomes, rounds, Fraction(0)) is None
